/* SPDX-License-Identifier: MIT */
#include "app_pane.h"

#include "base/utf8.h"
#include "base/vec.h"

#include <stdio.h>

/* Keys and mouse events for the page. */

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
	if (key->kind == KEY_CHAR) {
		size_t len = utf8_encode(key->ch, name);
		name[len] = '\0';
		if (!ops->key(view, name, modifiers(key)))
			ops->text(view, name, len);
		return true;
	}
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

/* Return whether the mouse is over the page, or was until now. */
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
	int height = app_facts(a)->cell_height, step = WHEEL_ROWS * height;
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
		bool again = now_us - p->pressed_us < DOUBLE_CLICK_US && p->pressed_x == key->x &&
			     p->pressed_y == key->y;
		p->clicks = again ? p->clicks + 1 : 1;
		p->pressed_us = now_us;
		p->pressed_x = key->x;
		p->pressed_y = key->y;
		mouse.button = 0; /* menus and sliders need a move before the press */
		ops->mouse(view, &mouse);
		mouse.button = key->button;
	}
	if (key->action >= MOUSE_WHEEL_UP) {
		mouse.kind = APP_VIEW_WHEEL;
		mouse.button = 0;
		mouse.dy = key->action == MOUSE_WHEEL_UP     ? -step
			   : key->action == MOUSE_WHEEL_DOWN ? step
							     : 0;
		mouse.dx = key->action == MOUSE_WHEEL_LEFT    ? -step
			   : key->action == MOUSE_WHEEL_RIGHT ? step
							      : 0;
		ops->mouse(view, &mouse);
		return true;
	}
	mouse.kind = key->action == MOUSE_PRESS     ? APP_VIEW_PRESS
		     : key->action == MOUSE_RELEASE ? APP_VIEW_RELEASE
						    : APP_VIEW_MOVE;
	mouse.clicks = p->clicks;
	ops->mouse(view, &mouse);
	return true;
}
