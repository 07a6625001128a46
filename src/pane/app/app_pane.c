#include "app_pane.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/units.h"
#include "base/vec.h"
#include "pane/pane_text.h"
#include "ui/wrap.h"
#include "view/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The page as text in place of its picture: its HTML, or as a screen reader tells it. */

/* Or closes it. True: it was opened. */
static bool
toggle(struct app_pane *p, enum app_text_kind kind)
{
	bool opens = p->text.kind != kind;

	p->text.kind = opens ? kind : APP_TEXT_NONE;
	p->text.version = 0;
	p->text.page.top = 0;
	p->typing = false;
	return opens;
}

static bool
app_act_source(void *state, const struct view_env *env, const char *arg)
{
	if (!workspace_shows_app(env->ws))
		return view_refuse(env, "no app is shown");
	toggle(state, APP_TEXT_SOURCE);
	return true;
}

static bool
app_act_reader(void *state, const struct view_env *env, const char *arg)
{
	struct app *a = workspace_shows_app(env->ws) ? workspace_app(env->ws) : NULL;

	if (!a || !app_facts(a)->view)
		return view_refuse(env, "no app runs here");
	if (toggle(state, APP_TEXT_READER))
		app_ask_reader(a);
	return true;
}

static const char *
app_text_title(const struct app_pane *p)
{
	static const char *const titles[] = {
		[APP_TEXT_NONE] = "",
		[APP_TEXT_SOURCE] = " · HTML",
		[APP_TEXT_READER] = " · as a screen reader tells it",
	};

	return titles[p->text.kind];
}

static const char *
text_of(const struct app_pane *p, const struct app_facts *f)
{
	if (p->text.kind == APP_TEXT_SOURCE)
		return f->page->html.len > 0 ? buf_text(&f->page->html) : "the page was not read";
	return *f->reader ? f->reader : "asking the page";
}

/* Written again if the app tells something else; nothing depends on its pictures. */
static void
renew(struct app_pane *p, const struct app_facts *f)
{
	size_t version =
	    1 + (p->text.kind == APP_TEXT_SOURCE ? f->page->html.len : f->reader_count);

	if (p->text.version == version)
		return;
	p->text.version = version;
	page_clear(&p->text.page);
	page_text(&p->text.page, 0, ROLE_TEXT, text_of(p, f));
}

static void
app_text_draw(struct app_pane *p, const struct app_facts *f, struct surface s, bool focused)
{
	renew(p, f);
	page_draw(&p->text.page, s, ROLE_NONE, focused);
}

static bool
app_text_key(struct app_pane *p, const struct key *key)
{
	if (key->kind != KEY_ESCAPE)
		return page_key(&p->text.page, key);
	p->text.kind = APP_TEXT_NONE;
	return true;
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

/* The host context of an app, changed by hand: the app hears of it at once, and nothing else does.
 */

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

/* Letters, digits and hyphens, as in a language tag (BCP 47). */
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
set_display(struct app *a, const struct view_env *env, const char *word)
{
	enum app_display display = app_display_find(word);

	if (display == APP_DISPLAYS)
		return view_refuse(env, "usage: app-context display inline|fullscreen|pip");
	return app_set_display(a, display, env->now_us) ||
	       view_refuse(env, "the app or mcpane does not have this display mode");
}

static bool
change(struct app *a, const struct view_env *env, const char *name, const char *value)
{
	struct app_pretense p = app_facts(a)->pretense;
	char text[80];

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		if (strcmp(members[i].word, name) != 0)
			continue;
		snprintf(text, sizeof(text), "usage: app-context %s", members[i].usage);
		if (!members[i].set(&p, value))
			return view_refuse(env, "%s", text);
		app_pretend(a, &p, env->now_us);
		return true;
	}
	return view_refuse(
	    env, "usage: app-context theme|size|locale|display VALUE, or app-context reset");
}

static bool
app_act_context(void *state, const struct view_env *env, const char *arg)
{
	struct app *a = workspace_app(env->ws);
	char *name = strings_next_word(&arg), *value = strings_next_word(&arg);
	bool done;

	if (!a) {
		done = view_refuse(env, "no app is open");
	} else if (strcmp(name, "reset") == 0) {
		app_pretend(a, &(struct app_pretense){ 0 }, env->now_us);
		done = true;
	} else if (strcmp(name, "display") == 0) {
		done = set_display(a, env, value);
	} else {
		done = change(a, env, name, value);
	}
	free(name);
	free(value);
	return done;
}

/*
 * The app of the call that is shown, where its structuredContent would stand. A click or Enter
 * gives the keyboard to the page; one key takes it back. What the app wants of the user stands in
 * the last row and is answered by keys that the page never gets.
 */

/* An answer is taken once the question could be read. */
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
	return workspace_shows_app(env->ws); /* one that floats is no pane among the others */
}

static const struct app_wish *
wish_of(const struct app *a)
{
	return a && app_facts(a)->wish_count > 0 ? &app_facts(a)->wishes[0] : NULL;
}

/* Files that the user granted to the app go to the working directory. */
static void
save_files(struct app *a, const struct view_env *env)
{
	struct app_file file;

	while (a && app_take_file(a, &file)) {
		env->host->write_new(env->user, file.name, file.bytes.data, file.bytes.len);
		buf_finish(&file.bytes);
	}
}

static void
finish(void *state)
{
	page_finish(&((struct app_pane *)state)->text.page);
}

static void
sync_pane(void *state, const struct view_env *env)
{
	struct app_pane *p = state;
	struct app *a = app_pane_app(env);

	if (!a || app_facts(a)->call != p->call || !app_facts(a)->view)
		p->typing = false;
	if (!a || app_facts(a)->call != p->call)
		p->text.kind = APP_TEXT_NONE;
	p->call = a ? app_facts(a)->call : 0;
	save_files(a, env);
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
answer_wish(struct app_pane *p, const struct view_env *env, bool grants)
{
	struct app *a = app_pane_app(env);
	const struct app_wish *wish = wish_of(a);

	if (!wish)
		return view_refuse(env, "the app asks for nothing");
	if (wish->token != p->wish || env->now_us - p->wish_us < WISH_US)
		return view_refuse(env, "read the question first");
	if (!grants)
		return app_refuse(a, wish->token, env->now_us);
	if (wish->kind == APP_ASK_LINK) {
		char *line = mem_printf("browse! %s", wish->url);
		bool opened = env->host->run(env->user, line);
		free(line);
		if (!opened)
			return false;
	}
	const char *copied = wish->kind == APP_ASK_COPY ? json_string(wish->value) : NULL;
	if (copied)
		env->host->copy(env->user, copied, strlen(copied));
	return app_grant(a, wish->token, env->now_us);
}

static bool
act_grant(void *state, const struct view_env *env, const char *arg)
{
	return answer_wish(state, env, true);
}

static bool
act_refuse(void *state, const struct view_env *env, const char *arg)
{
	return answer_wish(state, env, false);
}

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
	size_t mode;

	if (!a)
		return view_refuse(env, "no app is shown");
	mode = *arg ? 0 : (app_facts(a)->mode + 1u) % ARRAY_LEN(looks);
	while (*arg && mode < ARRAY_LEN(looks) && strcmp(arg, looks[mode]) != 0)
		mode++;
	if (mode == ARRAY_LEN(looks))
		return view_refuse(env, "usage: app-look [cell|fit|pixels]");
	app_set_mode(a, (enum app_mode)mode, env->now_us);
	return true;
}

static bool
resize_cells(const struct view_env *env, int by)
{
	enum { LEAST = 12, MOST = 24 };
	struct app *a = app_pane_app(env);
	int height;

	if (!a)
		return view_refuse(env, "no app is shown");
	height = app_facts(a)->cell_height + by;
	if (height < LEAST || height > MOST)
		return view_refuse(env, by > 0 ? "cells cannot hold more" : "cells cannot hold less");
	app_set_cell_height(a, height, env->now_us);
	return true;
}

static bool
act_bigger(void *state, const struct view_env *env, const char *arg)
{
	return resize_cells(env, -2);
}

static bool
act_smaller(void *state, const struct view_env *env, const char *arg)
{
	return resize_cells(env, 2);
}

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
hint(void *state, const struct view_env *env, const struct view_action *action)
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

/* ---- keys ---- */

static bool
key(void *state, const struct view_env *env, const struct key *key)
{
	struct app_pane *p = state;
	struct app *a = app_pane_app(env);

	if (!a)
		return false;
	if (app_text_is_open(p))
		return app_text_key(p, key);
	if (key->kind == KEY_MOUSE) {
		bool sent = app_keys_mouse(p, a, key, env->now_us);
		if (sent && key->action == MOUSE_PRESS)
			p->typing = true;
		return sent;
	}
	return p->typing && app_keys_send(a, key);
}

static const char *
captures(const void *state)
{
	const struct app_pane *p = state;

	return p->typing ? "" : NULL;
}

/* ---- drawing ---- */

/* Of its text, what cells cannot show as it was laid out. */
static void
add_flaws(struct buf *facts, const struct app_cells_facts *c)
{
	if (c->lost > 0)
		buf_addf(facts, " · %zu letter%s hidden", c->lost, plural(c->lost));
	else if (c->collided > 0)
		buf_addf(facts, " · %zu text%s moved", c->collided, plural(c->collided));
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct app *a = app_pane_app(env);
	const struct app_facts *f;

	if (!a)
		return ROLE_DIM;
	f = app_facts(a);
	buf_addf(title, "app ▸ %s%s", app_name(a), app_text_title(state));
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
	if (f->life == APP_ALIVE && f->cells)
		add_flaws(facts, &f->cells->facts);
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

static void
draw_cells(struct surface s, const struct app_cells *c)
{
	render_app_cells(s, c, STYLE_PICTURE_BITS);
	if (c->mode == APP_PIXELS && c->picture)
		surface_picture(s, c->picture, c->cols, c->rows, 0);
	for (size_t i = 0; i < c->target_count; i++)
		surface_spot(s, c->targets[i].col, c->targets[i].row);
}

/* How far the page is scrolled. */
static void
draw_thumb(struct surface s, const struct app_cells *c, bool focused)
{
	double rows = c->facts.page_height / c->cell_height,
	       top = c->facts.page_top / c->cell_height;

	if (rows > c->rows && top >= 0 && rows < INT32_MAX)
		surface_scrollbar(s, focused, (size_t)(rows + 0.5), (size_t)(top + 0.5));
}

static void
draw_caret(struct surface s, const struct app_cells *c)
{
	if (c->facts.caret_col >= 0)
		surface_restyle(
		    s, c->facts.caret_col, c->facts.caret_row, 1, ROLE_CURSOR, ATTR_REVERSE);
}

/* While there is no picture: what it waits for, and what is known of the page. */
static void
draw_words(struct surface s, const struct app_facts *f)
{
	struct wrap reason;
	int y = 0;

	wrap_init(&reason);
	wrap_set(&reason, f->reason, strlen(f->reason), s.width);
	if (f->life == APP_BROKEN)
		y += wrap_draw(&reason, s, style_of(ROLE_ERROR), 0);
	else
		surface_textf(
		    s, 0, y++, -1, style_of(ROLE_DIM), "The app %s…", app_life_names[f->life]);
	wrap_finish(&reason);
	y++;
	surface_textf(s, 0, y++, -1, style_of(ROLE_DIM), "resource  %s", f->uri);
	if (f->page->html.len > 0) {
		struct buf size = BUF_INIT;
		pane_add_bytes(&size, f->page->html.len);
		surface_textf(
		    s, 0, y++, -1, style_of(ROLE_DIM), "page      %s of HTML", buf_text(&size));
		buf_finish(&size);
		surface_textf(s, 0, y++, -1, style_of(ROLE_DIM), "policy    %s",
		    buf_text(&f->policy->header));
	}
}

/* All of the question has to be read: an address may be long. */
static void
draw_wish(struct app_pane *p, const struct view_env *env, struct surface inner,
    const struct app_wish *wish)
{
	enum { ROWS_MOST = 6 };
	const char *keys = p->typing ? "Ctrl-] first, then O or X" : "O grants, X refuses";
	char *text = mem_printf("The app wants to %s", wish->text);
	struct wrap wrap;

	if (p->wish != wish->token) {
		p->wish = wish->token;
		p->wish_us = env->now_us;
	}
	if (app_facts(app_pane_app(env))->display ==
	    APP_DISPLAY_PIP) /* it has no keys of its own */
		keys = p->typing ? "Ctrl-] first" : ":grant or :refuse";
	int width = (int)strlen(keys), rows = 1;
	wrap_init(&wrap);
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
want(void *state, const struct view_env *env, int width)
{
	enum { ROWS = 200 }; /* all there are */

	return ROWS;
}

static void
draw(void *state, const struct view_env *env, struct surface inner)
{
	struct app_pane *p = state;
	struct app *a = app_pane_app(env);

	if (!a || inner.width <= 0 || inner.height <= 0)
		return;
	const struct app_facts *f = app_facts(a);
	const struct app_wish *wish = wish_of(a);
	app_set_stage(a, inner.width, inner.height, true, env->now_us);
	if (app_text_is_open(p))
		app_text_draw(p, f, inner, env->focused);
	else if (!f->cells || f->life == APP_BROKEN)
		draw_words(inner, f);
	else
		draw_cells(inner, f->cells);
	if (f->cells && f->life != APP_BROKEN)
		draw_thumb(inner, f->cells, env->focused);
	if (f->view && f->cells && !app_text_is_open(p))
		surface_follow_mouse(inner);
	if (f->cells && p->typing && env->focused)
		draw_caret(inner, f->cells);
	if (wish)
		draw_wish(p, env, inner, wish);
	app_drawn(a);
}

static void
copy(void *state, const struct view_env *env, const char *part, struct buf *out)
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
	.want = want,
	.heading = heading,
	.draw = draw,
	.key = key,
	.captures = captures,
	.is_open = app_text_is_open,
	.seek = app_text_seek,
	.finish = finish,
	.hint = hint,
	.copy = copy,
};
