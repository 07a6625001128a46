#include "app_pane.h"

#include "base/utf8.h"
#include "base/vec.h"

#include <stdio.h>

/* What the user types and clicks, for the page. */

enum { DOUBLE_CLICK_US = 400000, WHEEL_ROWS = 3 };

static const struct {
	enum key_kind kind;
	const char *name; /* of KeyboardEvent.key */
} names[] = {
	{ KEY_ENTER, "Enter" },
	{ KEY_TAB, "Tab" },
	{ KEY_ESCAPE, "Escape" },
	{ KEY_BACKSPACE, "Backspace" },
	{ KEY_DELETE, "Delete" },
	{ KEY_INSERT, "Insert" },
	{ KEY_UP, "ArrowUp" },
	{ KEY_DOWN, "ArrowDown" },
	{ KEY_LEFT, "ArrowLeft" },
	{ KEY_RIGHT, "ArrowRight" },
	{ KEY_HOME, "Home" },
	{ KEY_END, "End" },
	{ KEY_PAGE_UP, "PageUp" },
	{ KEY_PAGE_DOWN, "PageDown" },
};

static int
modifiers(const struct key *key)
{
	return (key->mods & MOD_SHIFT ? APP_VIEW_SHIFT : 0) |
	       (key->mods & MOD_ALT ? APP_VIEW_ALT : 0) |
	       (key->mods & MOD_CTRL ? APP_VIEW_CTRL : 0);
}

static bool
send_char(const struct app_view_ops *ops, struct app_view *view, const struct key *key)
{
	char text[8];
	size_t len = utf8_encode(key->ch, text);

	text[len] = '\0';
	if (!ops->key(view, text, modifiers(key)))
		ops->text(view, text, len);
	return true;
}

bool
app_keys_send(struct app *a, const struct key *key)
{
	const struct app_view_ops *ops;
	struct app_view *view = app_view_of(a, &ops);
	char name[8];

	if (!view)
		return false;
	if (key->kind == KEY_PASTE) {
		ops->text(view, key->text, key->len);
		return true;
	}
	if (key->kind == KEY_CHAR)
		return send_char(ops, view, key);
	if (key->kind == KEY_F) {
		snprintf(name, sizeof(name), "F%u", (unsigned)key->ch % 100);
		return ops->key(view, name, modifiers(key));
	}
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (names[i].kind == key->kind)
			return ops->key(view, names[i].name, modifiers(key));
	return false;
}

/* ---- the mouse ---- */

static void
count_clicks(struct app_pane *p, const struct key *key, int64_t now_us)
{
	bool again = now_us - p->pressed_us < DOUBLE_CLICK_US && p->pressed_x == key->x &&
		     p->pressed_y == key->y;

	p->clicks = again ? p->clicks + 1 : 1;
	p->pressed_us = now_us;
	p->pressed_x = key->x;
	p->pressed_y = key->y;
}

static void
turn_wheel(const struct app_view_ops *ops, struct app_view *view, struct app_view_mouse *mouse,
    enum mouse_action action, int cell_height)
{
	int step = WHEEL_ROWS * cell_height;

	mouse->kind = APP_VIEW_WHEEL;
	mouse->button = 0;
	mouse->dy = action == MOUSE_WHEEL_UP ? -step : action == MOUSE_WHEEL_DOWN ? step : 0;
	mouse->dx = action == MOUSE_WHEEL_LEFT ? -step : action == MOUSE_WHEEL_RIGHT ? step : 0;
	ops->mouse(view, mouse);
}

/* Over the page, or just gone from it. */
static bool
hovers(struct app_pane *p, const struct app *a, const struct key *key)
{
	bool did = p->hovered;

	p->hovered = key->x >= 0 && key->y >= 0 && key->x < app_facts(a)->cols &&
		     key->y < app_facts(a)->rows;
	return p->hovered || did;
}

bool
app_keys_mouse(struct app_pane *p, struct app *a, const struct key *key, int64_t now_us)
{
	const struct app_view_ops *ops;
	struct app_view *view = app_view_of(a, &ops);
	int height = app_facts(a)->cell_height;
	struct app_view_mouse mouse = {
		.kind = APP_VIEW_MOVE,
		.x = key->x * height / 2 + key->part_x * height / 2 / KEY_PARTS,
		.y = key->y * height + key->part_y * height / KEY_PARTS,
		.button = key->button,
		.clicks = 1,
		.modifiers = modifiers(key),
	};

	if (!view || (key->action == MOUSE_MOVE && !hovers(p, a, key)))
		return false;
	if (key->action != MOUSE_DRAG && app_facts(a)->cells)
		app_cells_aim(app_facts(a)->cells, &mouse.x, &mouse.y);
	if (key->action == MOUSE_PRESS) {
		count_clicks(p, key, now_us);
		mouse.button = 0; /* menus and sliders want to see it arrive */
		ops->mouse(view, &mouse);
		mouse.button = key->button;
	}
	if (key->action >= MOUSE_WHEEL_UP) {
		turn_wheel(ops, view, &mouse, key->action, height);
		return true;
	}
	mouse.kind = key->action == MOUSE_PRESS     ? APP_VIEW_PRESS
		     : key->action == MOUSE_RELEASE ? APP_VIEW_RELEASE
						    : APP_VIEW_MOVE;
	mouse.clicks = p->clicks;
	ops->mouse(view, &mouse);
	return true;
}
