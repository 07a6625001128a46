/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/strings.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "client/app.h"
#include "pane/pane_text.h"
#include "ui/wrap.h"
#include "view/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The app of the shown call replaces the pane of its structuredContent. A click or Enter gives the
 * keyboard to the page, Ctrl-] returns it. A request of the app is in the last row; the keys that
 * answer it never reach the page.
 */

enum app_text_kind { APP_TEXT_NONE, APP_TEXT_SOURCE, APP_TEXT_READER };

struct app_pane {
	bool typing;  /* the page has the keyboard */
	bool hovered; /* the mouse was over it */
	/* of the last press, for double clicks */
	int64_t pressed_us;
	int pressed_x, pressed_y, clicks;
	uint64_t wish; /* the request on the screen, and the time of its first drawing */
	int64_t wish_us;
	uint64_t call; /* the call of the app */
	struct {
		enum app_text_kind kind;
		size_t version; /* of the text on the page */
		struct page page;
	} text; /* instead of the picture */
};

/* ---- the page as text: its HTML, or the text for a screen reader ---- */

static bool
toggle_text(void *state, const struct view_env *env, const char *arg, enum app_text_kind kind)
{
	struct app_pane *p = state;
	struct app *a = workspace_shows_app(env->ws) ? workspace_app(env->ws) : NULL;
	bool reads = kind == APP_TEXT_READER, opens = p->text.kind != kind;

	if (!a || (reads && !app_facts(a)->view))
		return view_refuse(env, reads ? "no app runs here" : "no app is shown");
	p->text.kind = opens ? kind : APP_TEXT_NONE;
	p->text.version = 0;
	p->text.page.top = 0;
	p->typing = false;
	if (reads && opens)
		app_ask_reader(a);
	return true;
}

VIEW_ACTION_WITH(app_act_source, toggle_text, APP_TEXT_SOURCE)
VIEW_ACTION_WITH(app_act_reader, toggle_text, APP_TEXT_READER)

static void
app_text_draw(struct app_pane *p, const struct app_facts *f, struct surface s, bool focused)
{
	const struct buf *html = &f->page->html;
	bool source = p->text.kind == APP_TEXT_SOURCE;
	size_t version = 1 + (source ? html->len : f->reader_count);

	if (p->text.version != version) {
		p->text.version = version;
		page_clear(&p->text.page);
		page_text(&p->text.page, 0, ROLE_TEXT,
		    !source         ? (*f->reader ? f->reader : "asking the page")
		    : html->len > 0 ? buf_text(html)
				    : "the page was not read");
	}
	page_draw(&p->text.page, s, ROLE_NONE, focused);
}

static bool
app_text_is_open(const void *state)
{
	return ((const struct app_pane *)state)->text.kind != APP_TEXT_NONE;
}

static bool
app_text_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct app_pane *p = state;

	*out = seek_page(&p->text.page);
	return app_text_is_open(p);
}

/* ---- the host context of an app, changed by the user ---- */

enum { COLS_LEAST = 10, ROWS_LEAST = 4, CELLS_MOST = 500 };

static bool
set_theme(struct app_pretense *p, const char *word)
{
	p->theme = strcmp(word, "dark") == 0 ? APP_DARK : APP_LIGHT;
	return p->theme == APP_DARK || strcmp(word, "light") == 0;
}

static bool
set_size(struct app_pretense *p, const char *word)
{
	char end;

	return sscanf(word, "%4dx%4d%c", &p->cols, &p->rows, &end) == 2 && p->cols >= COLS_LEAST &&
	       p->rows >= ROWS_LEAST && p->cols <= CELLS_MOST && p->rows <= CELLS_MOST;
}

/* Set a language tag (BCP 47): letters, digits and hyphens. */
static bool
set_locale(struct app_pretense *p, const char *word)
{
	static const char letters[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
	size_t len = strlen(word);

	snprintf(p->locale, sizeof(p->locale), "%s", word);
	return len >= 2 && len < sizeof(p->locale) && strspn(word, letters) == len;
}

static const struct {
	const char *word, *usage;
	bool (*set)(struct app_pretense *p, const char *word);
} members[] = {
	{ "theme", "theme dark|light", set_theme },
	{ "size", "size COLSxROWS, from 10x4 to 500x500", set_size },
	{ "locale", "locale TAG, as en-US", set_locale },
};

static bool
set_context(struct app *a, const struct view_env *env, const char *name, const char *value)
{
	struct app_pretense p = { 0 };
	enum app_display display = app_display_find(value);
	size_t i = 0;

	if (strcmp(name, "display") == 0) {
		if (display == APP_DISPLAYS)
			return view_refuse(env, "usage: app-context display inline|fullscreen|pip");
		return app_set_display(a, display, env->now_us) ||
		       view_refuse(env, "the app or mcpane does not have this display mode");
	}
	while (i < ARRAY_LEN(members) && strcmp(members[i].word, name) != 0)
		i++;
	if (i < ARRAY_LEN(members)) {
		p = app_facts(a)->pretense;
		if (!members[i].set(&p, value))
			return view_refuse(env, "usage: app-context %s", members[i].usage);
	} else if (strcmp(name, "reset") != 0) {
		return view_refuse(env,
		    "usage: app-context theme|size|locale|display VALUE, or app-context reset");
	}
	app_pretend(a, &p, env->now_us);
	return true;
}

static bool
app_act_context(void *state, const struct view_env *env, const char *arg)
{
	struct app *a = workspace_app(env->ws);
	char *name = strings_next_word(&arg), *value = strings_next_word(&arg);
	bool done = a ? set_context(a, env, name, value) : view_refuse(env, "no app is open");

	free(name);
	free(value);
	return done;
}

/* The least time between a request on the screen and its answer. */
enum { WISH_US = 400000 };

static struct app *
app_pane_app(const struct view_env *env)
{
	struct app *a = workspace_app(env->ws);
	bool floats = a && app_facts(a)->display == APP_DISPLAY_PIP;

	return floats || workspace_shows_app(env->ws) ? a : NULL;
}

static int
applies(const struct view_env *env)
{
	return workspace_shows_app(env->ws); /* a floating app has no place among the panes */
}

static const struct app_wish *
wish_of(const struct app *a)
{
	return a && app_facts(a)->wish_count > 0 ? &app_facts(a)->wishes[0] : NULL;
}

static void
app_finish(void *state)
{
	page_finish(&((struct app_pane *)state)->text.page);
}

static void
sync_pane(void *state, const struct view_env *env)
{
	struct app_pane *p = state;
	struct app *a = app_pane_app(env);
	struct app_file file;

	if (!a || app_facts(a)->call != p->call || !app_facts(a)->view)
		p->typing = false;
	if (!a || app_facts(a)->call != p->call)
		p->text.kind = APP_TEXT_NONE;
	p->call = a ? app_facts(a)->call : 0;
	while (a && app_take_file(a, &file)) { /* granted, to the working directory */
		env->host->write_new(env->user, file.name, file.bytes.data, file.bytes.len);
		buf_finish(&file.bytes);
	}
	for (size_t i = 0; env->ws->server && server_app_at(env->ws->server, i); i++) {
		struct app *other = server_app_at(env->ws->server, i);
		if (other != a)
			app_set_stage(other, 0, 0, false, env->now_us);
	}
}

/* ---- actions ---- */

static bool
act_leave(void *state, const struct view_env *env, const char *arg)
{
	struct app_pane *p = state;

	p->typing = !p->typing;
	return true;
}

static bool
act_type(void *state, const struct view_env *env, const char *arg)
{
	struct app_pane *p = state;
	const struct app *a = app_pane_app(env);

	if (!a || !app_facts(a)->view)
		return view_refuse(env, "no app runs here");
	p->typing = true;
	return true;
}

static bool
answer_wish(void *state, const struct view_env *env, const char *arg, bool grants)
{
	const struct app_pane *p = state;
	struct app *a = app_pane_app(env);
	const struct app_wish *wish = wish_of(a);

	if (!wish)
		return view_refuse(env, "the app asks for nothing");
	if (wish->token != p->wish || env->now_us - p->wish_us < WISH_US)
		return view_refuse(env, "read the question first");
	if (!grants)
		return app_answer(a, wish->token, false, env->now_us);
	if (wish->kind == APP_ASK_LINK && !pane_run(env, "browse! %s", wish->url))
		return false;
	const char *copied = wish->kind == APP_ASK_COPY ? cJSON_GetStringValue(wish->value) : NULL;
	if (copied)
		env->host->copy(env->user, copied, strlen(copied));
	return app_answer(a, wish->token, true, env->now_us);
}

VIEW_ACTION_WITH(act_grant, answer_wish, true)
VIEW_ACTION_WITH(act_refuse, answer_wish, false)

static bool
act_reload(void *state, const struct view_env *env, const char *arg)
{
	struct app *a = app_pane_app(env);
	enum app_csp csp = APP_CSP_KINDS;

	if (!a)
		return view_refuse(env, "no app is shown");
	for (int i = 0; i < APP_CSP_KINDS; i++)
		if (strcmp(arg, app_csp_names[i]) == 0)
			csp = (enum app_csp)i;
	if (*arg && csp == APP_CSP_KINDS)
		return view_refuse(env, "usage: reload-app [strict|lax]");
	app_reload(a, csp, env->now_us);
	return true;
}

static const char *const looks[] = {
	[APP_CELL] = "cell", [APP_FIT] = "fit", [APP_PIXELS] = "pixels"
};

static bool
act_shot(void *state, const struct view_env *env, const char *arg)
{
	struct app *a = workspace_app(env->ws);
	size_t len = strlen(arg);
	struct err err;

	if (!a || !app_facts(a)->cells)
		return view_refuse(env, "no app is drawn");
	if (len > 4 && strcmp(arg + len - 4, ".png") == 0)
		return app_shoot(a, arg, &err) || view_refuse(env, "%s", err.text);
	if (len < 5 || strcmp(arg + len - 4, ".txt") != 0)
		return view_refuse(env, "usage: app-shot FILE.png|FILE.txt");
	struct buf text = BUF_INIT;
	app_cells_add_text(app_facts(a)->cells, &text);
	bool ok = env->host->write(env->user, arg, buf_text(&text), text.len);
	buf_finish(&text);
	return ok;
}

static bool
act_other_policy(void *state, const struct view_env *env, const char *arg)
{
	struct app *a = workspace_app(env->ws);

	if (!a)
		return view_refuse(env, "no app is open");
	app_reload(
	    a, app_facts(a)->csp == APP_CSP_STRICT ? APP_CSP_LAX : APP_CSP_STRICT, env->now_us);
	return true;
}

static bool
act_look(void *state, const struct view_env *env, const char *arg)
{
	struct app *a = app_pane_app(env);

	if (!a)
		return view_refuse(env, "no app is shown");
	size_t mode = *arg ? 0 : (app_facts(a)->mode + 1u) % ARRAY_LEN(looks);
	while (*arg && mode < ARRAY_LEN(looks) && strcmp(arg, looks[mode]) != 0)
		mode++;
	if (mode == ARRAY_LEN(looks))
		return view_refuse(env, "usage: app-look [cell|fit|pixels]");
	app_set_mode(a, (enum app_mode)mode, env->now_us);
	return true;
}

static bool
resize_cells(void *state, const struct view_env *env, const char *arg, int by)
{
	enum { LEAST = 12, MOST = 24 };
	struct app *a = app_pane_app(env);

	if (!a)
		return view_refuse(env, "no app is shown");
	int height = app_facts(a)->cell_height + by;
	if (height < LEAST || height > MOST)
		return view_refuse(
		    env, by > 0 ? "cells cannot hold more" : "cells cannot hold less");
	app_set_cell_height(a, height, env->now_us);
	return true;
}

VIEW_ACTION_WITH(act_bigger, resize_cells, -2)
VIEW_ACTION_WITH(act_smaller, resize_cells, 2)

static bool
act_stop_script(void *state, const struct view_env *env, const char *arg)
{
	const struct app *a = app_pane_app(env);
	const struct app_view_ops *ops;
	struct app_view *view = a ? app_view_of(a, &ops) : NULL;

	if (!view)
		return view_refuse(env, "no app runs here");
	ops->terminate_script(view);
	return true;
}

static const struct view_action actions[] = {
	{ "leave-app", "ctrl-]", "", "toggle the keyboard between the app and mcpane", act_leave,
	    NULL },
	{ "type-into-app", "enter", "", "give the keyboard to the app", act_type, "type" },
	{ "grant", "O", "", "grant the app's request", act_grant, NULL },
	{ "refuse", "X", "", "refuse the app's request", act_refuse, NULL },
	{ "reload-app", "R", "[strict|lax]", "restart the app, with that Content-Security-Policy",
	    act_reload, NULL },
	{ "other-policy", "alt-r", "", "restart the app with the other policy, lax or strict",
	    act_other_policy, NULL },
	{ "app-look", "v", "[cell|fit|pixels]",
	    "choose the look: laid out in cells, with the fonts of the app, or as pixels", act_look,
	    NULL },
	{ "bigger", "+", "", "enlarge the app", act_bigger, NULL },
	{ "smaller", "-", "", "shrink the app", act_smaller, NULL },
	{ "app-source", "m", "", "toggle between the app and the HTML of its page", app_act_source,
	    NULL },
	{ "app-reader", "alt-m", "",
	    "toggle between the app and its page as a screen reader presents it", app_act_reader,
	    NULL },
	{ "app-shot", "", "FILE",
	    "write the picture of the app: cells as txt, the page of a browser as png", act_shot,
	    NULL },
	{ "app-context", "", "NAME [VALUE]",
	    "send the app another theme, size, locale or display; reset: actual values",
	    app_act_context, NULL },
	{ "stop-script", "", "", "end the running script of the app", act_stop_script, NULL },
	{ 0 },
};

static const char *
app_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct app *a = app_pane_app(env);

	if (wish_of(a) && action->run == act_grant)
		return "grant";
	if (wish_of(a) && action->run == act_refuse)
		return "refuse";
	if (a && app_facts(a)->life == APP_BROKEN && action->run == act_reload)
		return "try again";
	return action->hint && app_facts(a)->view ? action->hint : NULL;
}

/* ---- keys and mouse events for the page ---- */

enum { DOUBLE_CLICK_US = 400000, WHEEL_ROWS = 3 };

static const struct {
	enum key_kind kind;
	const char *name; /* of KeyboardEvent.key */
} key_names[] = {
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
send_key(struct app *a, const struct key *key)
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
	for (size_t i = 0; i < ARRAY_LEN(key_names); i++)
		if (key_names[i].kind == key->kind)
			return ops->key(view, key_names[i].name, modifiers(key));
	return false;
}

static bool
send_mouse(struct app_pane *p, struct app *a, const struct key *key, int64_t now_us)
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

	if (!view)
		return false;
	if (key->action == MOUSE_MOVE) { /* over the page, or until now */
		bool did = p->hovered;
		p->hovered = key->x >= 0 && key->y >= 0 && key->x < app_facts(a)->cols &&
			     key->y < app_facts(a)->rows;
		if (!p->hovered && !did)
			return false;
	}
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

static bool
app_key(void *state, const struct view_env *env, const struct key *key)
{
	struct app_pane *p = state;
	struct app *a = app_pane_app(env);

	if (!a)
		return false;
	if (app_text_is_open(p) && key->kind != KEY_ESCAPE)
		return page_key(&p->text.page, key);
	if (app_text_is_open(p)) {
		p->text.kind = APP_TEXT_NONE;
		return true;
	}
	if (key->kind != KEY_MOUSE)
		return p->typing && send_key(a, key);
	bool sent = send_mouse(p, a, key, env->now_us);
	p->typing |= sent && key->action == MOUSE_PRESS;
	return sent;
}

static const char *
app_captures(const void *state)
{
	const struct app_pane *p = state;

	return p->typing ? "" : NULL;
}

/* ---- drawing ---- */

static enum role
app_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	static const char *const titles[] = {
		[APP_TEXT_NONE] = "",
		[APP_TEXT_SOURCE] = " · HTML",
		[APP_TEXT_READER] = " · for a screen reader",
	};
	const struct app *a = app_pane_app(env);

	if (!a)
		return ROLE_DIM;
	const struct app_facts *f = app_facts(a);
	buf_addf(
	    title, "app ▸ %s%s", app_name(a), titles[((const struct app_pane *)state)->text.kind]);
	if (f->display == APP_DISPLAY_PIP)
		buf_add_str(facts, env->focused ? "Ctrl-] leaves · " : "Alt-V enters · ");
	if (f->bridge && f->bridge->trouble)
		buf_add_str(facts, f->bridge->trouble);
	else if (f->life != APP_ALIVE)
		buf_addf(facts, "%s", app_life_names[f->life]);
	else if (f->view && f->view->hung)
		buf_add_str(facts, "does not answer · :stop-script");
	else
		buf_addf(facts, "%s · %d × %d", looks[f->mode], f->cols, f->rows);
	if (f->cell_height != APP_USUAL_CELL_HEIGHT)
		buf_addf(facts, " · %d %%", APP_USUAL_CELL_HEIGHT * 100 / f->cell_height);
	const struct app_cells_facts *cells =
	    f->life == APP_ALIVE && f->cells ? &f->cells->facts : NULL;
	if (cells && cells->lost > 0)
		buf_addf(facts, " · %zu letter%s hidden", cells->lost, plural(cells->lost));
	else if (cells && cells->collided > 0)
		buf_addf(facts, " · %zu text%s moved", cells->collided, plural(cells->collided));
	if (f->errors > 0)
		buf_addf(facts, " · Alt-l: %zu error%s", f->errors, plural(f->errors));
	if (f->csp == APP_CSP_LAX)
		buf_add_str(facts, " · lax policy");
	if (app_reaches(a) > 0) {
		buf_add_str(facts, " · reaches ");
		units_add_counted(facts, app_reaches(a), "domain");
	}
	return f->errors > 0 || f->life == APP_BROKEN ? ROLE_WARNING : ROLE_DIM;
}

/* Draw the state of an app without a picture, or its error, and facts about its page. */
static void
draw_state(struct surface s, const struct app_facts *f)
{
	int y = 0;

	if (f->life == APP_BROKEN)
		y += pane_draw_text(s, 0, ROLE_ERROR, f->reason);
	else
		surface_textf(
		    s, 0, y++, -1, style_of(ROLE_DIM), "The app %s…", app_life_names[f->life]);
	y++;
	surface_textf(s, 0, y++, -1, style_of(ROLE_DIM), "resource  %s", f->uri);
	if (f->page->html.len > 0) {
		surface_textf(s, 0, y++, -1, style_of(ROLE_DIM), "page      %s of HTML",
		    pane_bytes(f->page->html.len).text);
		surface_textf(s, 0, y++, -1, style_of(ROLE_DIM), "policy    %s",
		    buf_text(&f->policy->header));
	}
}

/* Draw a request of the app, with all of its URL. */
static void
draw_wish(struct app_pane *p, const struct view_env *env, struct surface inner,
    const struct app_wish *wish)
{
	enum { ROWS_MOST = 6 };
	const char *keys = p->typing ? "Ctrl-] first, then O or X" : "O grants, X refuses";
	char *text = mem_printf("The app wants to %s", wish->text);
	struct wrap wrap = { 0 };

	if (p->wish != wish->token) {
		p->wish = wish->token;
		p->wish_us = env->now_us;
	}
	if (app_facts(app_pane_app(env))->display == APP_DISPLAY_PIP) /* it has no bindings */
		keys = p->typing ? "Ctrl-] first" : ":grant or :refuse";
	int width = (int)strlen(keys), rows = 1;
	wrap_set(&wrap, text, strlen(text), inner.width - 2);
	wrap_work(&wrap, ROWS_MOST, SIZE_MAX);
	while (rows < ROWS_MOST && rows < (int)wrap_rows(&wrap))
		rows++;
	bool one = rows == 1 && (int)strlen(text) + width + 4 <= inner.width;
	int height = one ? 1 : rows + 1;
	struct surface box = surface_sub(inner, 0, inner.height - height, inner.width, height);
	surface_clear(box, style_of(ROLE_BAR));
	wrap_draw(&wrap, surface_sub(box, 1, 0, box.width - 2, rows), style_of(ROLE_WARNING), 0);
	surface_text_right(box, box.width - 1, height - 1, width, style_of(ROLE_BAR_KEY), keys);
	wrap_finish(&wrap);
	free(text);
}

static int
app_want(void *state, const struct view_env *env, int width)
{
	return VIEW_ALL_ROWS;
}

static void
app_draw(void *state, const struct view_env *env, struct surface inner)
{
	struct app_pane *p = state;
	struct app *a = app_pane_app(env);

	if (!a || inner.width <= 0 || inner.height <= 0)
		return;
	const struct app_facts *f = app_facts(a);
	const struct app_wish *wish = wish_of(a);
	const struct app_cells *c = f->cells;
	bool shown = c && f->life != APP_BROKEN;
	app_set_stage(a, inner.width, inner.height, true, env->now_us);
	if (app_text_is_open(p)) {
		app_text_draw(p, f, inner, env->focused);
	} else if (shown) {
		render_app_cells(inner, c, STYLE_PICTURE_BITS);
		if (c->mode == APP_PIXELS && c->picture)
			surface_picture(inner, c->picture, c->cols, c->rows, 0);
		for (size_t i = 0; i < c->target_count; i++)
			surface_spot(inner, c->targets[i].col, c->targets[i].row);
	} else {
		draw_state(inner, f);
	}
	double rows = shown ? c->facts.page_height / c->cell_height : 0;
	double top = shown ? c->facts.page_top / c->cell_height : 0;
	if (shown && rows > c->rows && top >= 0 && rows < INT32_MAX)
		surface_scrollbar(inner, env->focused, (size_t)(rows + 0.5), (size_t)(top + 0.5));
	if (f->view && c && !app_text_is_open(p))
		inner.grid->follows_mouse = true;
	if (c && p->typing && env->focused && c->facts.caret_col >= 0)
		surface_restyle(
		    inner, c->facts.caret_col, c->facts.caret_row, 1, ROLE_CURSOR, ATTR_REVERSE);
	if (wish)
		draw_wish(p, env, inner, wish);
	app_drawn(a);
}

static void
app_copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	const struct app *a = app_pane_app(env);

	if (a && app_facts(a)->cells)
		app_cells_add_text(app_facts(a)->cells, out);
}

const struct view_ops pane_app = {
	.title = "app",
	.help = "the app of the tool, which shows the result and talks to its server",
	.state_size = sizeof(struct app_pane),
	.actions = actions,
	.release = "leave-app",
	.serves = applies,
	.sync = sync_pane,
	.want = app_want,
	.heading = app_heading,
	.draw = app_draw,
	.key = app_key,
	.captures = app_captures,
	.is_open = app_text_is_open,
	.seek = app_text_seek,
	.finish = app_finish,
	.hint = app_hint,
	.copy = app_copy,
};
