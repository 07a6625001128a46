/* SPDX-License-Identifier: MIT */

#include "auth/flow.h"
#include "base/secret.h"
#include "pane/pane_text.h"
#include "ui/edit.h"
#include "ui/wrap.h"
#include "view/rows.h"

#include <string.h>

#define PREVIEW_ROWS 10 /* too narrow below this */

struct authorization {
	struct rows rows;
	bool follow;               /* the selection stays on the newest */
	bool open;                 /* the selected step fills the pane */
	struct page page;          /* the step */
	uint64_t page_of, page_at; /* the id of the step, and the flow's generation */
	bool pasting;
	struct edit edit;
	const struct auth_flow *flow; /* only compared */
};

static const struct auth_flow *
flow_of(const struct view_env *env)
{
	return env->ws->server ? server_info(env->ws->server)->auth : NULL;
}

static void
init(void *state)
{
	struct authorization *p = state;

	edit_init(&p->edit, false, AUTH_URL_MAX);
	p->follow = true;
}

static void
authorization_finish(void *state)
{
	struct authorization *p = state;

	edit_finish(&p->edit);
	page_finish(&p->page);
}

/* Clears the text and its undo history. */
static void
stop_pasting(struct authorization *p)
{
	p->pasting = false;
	edit_finish(&p->edit);
	edit_init(&p->edit, false, AUTH_URL_MAX);
}

static void
authorization_sync(void *state, const struct view_env *env)
{
	struct authorization *p = state;
	const struct auth_flow *flow = flow_of(env);
	size_t count = auth_flow_info(flow).steps->len;

	if (flow != p->flow) {
		p->flow = flow;
		p->open = false;
		p->follow = true;
		stop_pasting(p);
	}
	if (p->pasting && !auth_flow_info(flow).browser_url)
		stop_pasting(p); /* the redirect arrived */
	list_set_count(&p->rows.list, count);
	if (p->follow && count > 0)
		list_select(&p->rows.list, count - 1);
}

/* ---- the state and the keys ---- */

static const struct state_words {
	const char *mark, *word;
	const char *const *keys; /* pairs of a key and its effect, NULL-terminated */
	enum role role;
} states[] = {
	[AUTH_NOT_NEEDED] = { "○", "not needed", NULL, ROLE_DIM },
	[AUTH_WORKING] = { "◐", "in progress", NULL, ROLE_ACCENT },
	[AUTH_NEEDED] = { "●", "needed",
	    (const char *const[]){ "O",
		"agree: registers a client if needed and shows the URL for the browser", NULL },
	    ROLE_WARNING },
	[AUTH_NEEDS_CLIENT] = { "●", "a client ID is needed",
	    (const char *const[]){ ":client-id ID [@FILE]",
		"enter the ID and secret of a client that you registered", "R", "start over",
		NULL },
	    ROLE_WARNING },
	[AUTH_READY] = { "●", "ready for the browser",
	    (const char *const[]){ "O", "open this in the browser", "Y", "copy the URL", "P",
		"paste the redirect URL from a browser on another machine", NULL },
	    ROLE_WARNING },
	[AUTH_WAITING] = { "◐", "waiting for the browser",
	    (const char *const[]){ "P", "paste the URL that it was redirected to", "Y",
		"copy this URL", "O", "open it again", "R",
		"start over with a new registration, if the page says that the client is unknown",
		NULL },
	    ROLE_ACCENT },
	[AUTH_AUTHORIZED] = { "✓", "authorized",
	    (const char *const[]){ "Esc", "back to the server", NULL }, ROLE_OK },
	[AUTH_FAILED] = { "✗", "failed",
	    (const char *const[]){ "R", "start over", "Enter",
		"show the request and response of the selected step", "y",
		"copy all steps, for a bug report", NULL },
	    ROLE_ERROR },
};

static int
count_keys(const struct state_words *words)
{
	int n = 0;

	while (words->keys && words->keys[2 * n])
		n++;
	return n;
}

static int
draw_keys(const struct state_words *words, struct surface s, int y)
{
	int count = count_keys(words), key = 0;

	for (int i = 0; i < count; i++) {
		int width = (int)strlen(words->keys[2 * i]);
		key = width > key ? width : key;
	}
	for (int i = 0; i < count && y < s.height; i++) {
		surface_text(s, 0, y, -1, (struct style){ ROLE_BAR_KEY, ROLE_NONE, ATTR_BOLD },
		    words->keys[2 * i]);
		y += pane_draw_text(surface_sub(s, key + 2, 0, s.width - key - 2, s.height), y,
		    ROLE_TEXT, words->keys[2 * i + 1]);
	}
	return y;
}

/* Draw the field of the redirect URL. Mask the values of its secret parameters, or all of a string
 * that is not a URL. */
static int
draw_field(struct authorization *p, struct surface s, int y)
{
	struct edit shown = p->edit;

	if (!p->pasting || y >= s.height)
		return y;
	shown.text = (struct buf)BUF_INIT;
	buf_add_str(&shown.text, edit_text(&p->edit));
	if (shown.text.len > 0) {
		char *text = shown.text.data, *at = text + strcspn(text, "?#");
		if (*at == '\0' && strncmp(text, "http", 4) != 0)
			memset(text, '*', strlen(text));
		while (*at) {
			char *name = at + 1, *value = name + strcspn(name, "=&#");
			at = value + strcspn(value, "&#");
			if (*value == '=' && secret_is_named(name, (size_t)(value - name)))
				memset(value + 1, '*', (size_t)(at - value) - 1);
		}
	}
	edit_draw(&shown, surface_sub(s, 0, y, s.width, 1), style_of(ROLE_FIELD_FOCUS), true,
	    "the URL that the browser was redirected to");
	p->edit.left = shown.left;
	buf_finish(&shown.text);
	return y + 1;
}

/* Draw the URL, with a note if it is cut because the destination may be at its end. */
static int
draw_url(const char *url, int below, struct surface s, int y)
{
	int room = s.height - y - below;
	struct wrap wrap = { 0 };

	wrap_set(&wrap, url, strlen(url), s.width);
	wrap_work(&wrap, SIZE_MAX, SIZE_MAX);
	int rows = (int)wrap_rows(&wrap);
	wrap_finish(&wrap);
	if (rows <= room || room < 1)
		return pane_draw_text(s, y, ROLE_ACCENT, url);
	pane_draw_text(surface_sub(s, 0, 0, s.width, y + room), y, ROLE_ACCENT, url);
	return room + pane_draw_text(s, y + room, ROLE_WARNING,
			  "… longer than the screen: Enter on the last step shows all of it");
}

static int
authorization_draw_head(struct authorization *p, const struct auth_flow *flow, struct surface s)
{
	const struct state_words *words = &states[auth_flow_info(flow).state];
	const char *url = auth_flow_info(flow).browser_url;
	int64_t end = auth_flow_info(flow).expires_s;
	struct buf line = BUF_INIT;

	buf_addf(&line, "%s %s", words->mark, words->word);
	if (auth_flow_info(flow).state == AUTH_AUTHORIZED && end > 0) /* panes have no clock */
		buf_addf(
		    &line, " until %02d:%02d UTC", (int)(end / 3600 % 24), (int)(end / 60 % 60));
	int y = pane_draw_text(s, 0, words->role, buf_text(&line));
	buf_finish(&line);
	y += pane_draw_text(s, y, ROLE_TEXT, auth_flow_info(flow).sentence);
	if (url)
		y += draw_url(url, count_keys(words) + 3, s, y);
	return draw_field(p, s, draw_keys(words, s, y));
}

/* ---- the steps ---- */

static void
draw_step(void *state, const struct view_env *env, struct surface s, int y, size_t row)
{
	const struct auth_step *step = &auth_flow_info(flow_of(env)).steps->items[row];
	const char *mark = step->open ? "◐" : step->failed ? "✗" : "✓";
	enum role role = step->open ? ROLE_ACCENT : step->failed ? ROLE_ERROR : ROLE_OK;
	int x = 2;

	surface_text(s, 0, y, 1, style_of(role), mark);
	x += surface_text(s, x, y, -1, style_of(ROLE_TITLE), step->title) + 2;
	if (x < 33)
		x = 33;
	if (step->status)
		x += surface_textf(s, x, y, -1, style_of(ROLE_NUMBER), "%d", step->status) + 2;
	x += surface_text(
	    s, x, y, -1, style_of(step->failed ? ROLE_ERROR : ROLE_TEXT), step->outcome);
	if (step->url && (step->open || step->failed))
		surface_text(
		    s, x + (step->outcome[0] ? 2 : 0), y, -1, style_of(ROLE_DIM), step->url);
}

/* ---- the selected step ---- */

static void
add_lines(struct buf *out, const char *text)
{
	if (text[0])
		buf_addf(out, "%s%s", text, text[strlen(text) - 1] == '\n' ? "" : "\n");
}

static void
add_step(struct buf *out, const struct auth_step *step)
{
	buf_addf(out, "%s\n\n", step->outcome[0] ? step->outcome : "in progress");
	if (step->method) {
		buf_addf(out, "── request ──\n%s %s\n", step->method, step->url);
		add_lines(out, step->request);
		buf_add_char(out, '\n');
	}
	if (step->status) {
		buf_addf(out, "── response ──\n%d, after %lld ms\n", step->status,
		    (long long)step->took_ms);
		add_lines(out, step->headers);
		buf_add_char(out, '\n');
		add_lines(out, step->answer);
	}
}

static void
write_step(struct authorization *p, const struct auth_flow *flow)
{
	const struct auth_step *step = &auth_flow_info(flow).steps->items[p->rows.list.selected];
	struct buf text = BUF_INIT;

	if (p->page_of == step->id && p->page_at == auth_flow_info(flow).generation)
		return;
	page_clear(&p->page);
	add_step(&text, step);
	page_text(&p->page, 0, ROLE_TEXT, buf_text(&text));
	buf_finish(&text);
	if (p->page_of != step->id)
		p->page.top = 0;
	p->page_of = step->id;
	p->page_at = auth_flow_info(flow).generation;
}

/* Draw the steps and, if there is room, the selected step. */
static void
draw_below(struct authorization *p, const struct view_env *env, struct surface all, int y)
{
	const struct auth_flow *flow = flow_of(env);
	struct surface s = surface_sub(all, 0, y, all.width, all.height - y);
	struct view_env own = *env;
	size_t count = auth_flow_info(flow).steps->len;
	int rows = count < (size_t)s.height ? (int)count : s.height;

	bool previews = p->rows.list.selected < count && s.height - rows >= PREVIEW_ROWS;

	own.focused = env->focused && !p->pasting;
	rows_draw(p, &own, all, y, previews ? rows : s.height);
	if (!previews)
		return;
	write_step(p, flow);
	p->page.top = 0;
	pane_draw_below(s, rows + 1, ROLE_DIM, NULL, &p->page);
}

static void
authorization_draw(void *state, const struct view_env *env, struct surface s)
{
	struct authorization *p = state;
	const struct auth_flow *flow = flow_of(env);

	if (!flow) {
		pane_draw_text(s, 0, ROLE_HINT,
		    env->ws->server ? "This server uses stdio, not HTTP: it gets its credentials "
				      "from the environment."
				    : "no server is connected");
		return;
	}
	if (p->open && p->rows.list.selected < auth_flow_info(flow).steps->len) {
		write_step(p, flow);
		page_draw(&p->page, s, ROLE_NONE, env->focused);
		return;
	}
	int head = authorization_draw_head(p, flow, s) + 1;
	if (head < s.height)
		draw_below(p, env, s, head);
}

/* ---- the pane ---- */

static enum role
authorization_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct authorization *p = state;
	const struct auth_flow *flow = flow_of(env);

	if (!flow)
		return ROLE_DIM;
	const struct auth_steps *steps = auth_flow_info(flow).steps;
	if (p->open && p->rows.list.selected < steps->len)
		buf_addf(title, "authorization ▸ %s", steps->items[p->rows.list.selected].title);
	else
		buf_addf(title, "authorization ▸ %s", auth_flow_info(flow).server_url);
	buf_addf(facts, "%zu steps", steps->len);
	return ROLE_DIM;
}

/* ---- commands ---- */

VIEW_ACTION_WITH(act_agree, pane_act_run, "authorize")
VIEW_ACTION_WITH(act_copy, pane_act_run, "copy-authorization-url")
VIEW_ACTION_WITH(act_again, pane_act_run, "authorize-again")
VIEW_ACTION_WITH(act_forget, pane_act_run, "forget-tokens")

/* Copy the open step, or all steps, for a bug report. */
static void
copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	const struct authorization *p = state;
	const struct auth_flow *flow = flow_of(env);
	const struct auth_steps *steps = auth_flow_info(flow).steps;

	for (size_t i = 0; i < steps->len; i++) {
		if (p->open && i != p->rows.list.selected)
			continue;
		buf_addf(out, "%s%s: ", out->len > 0 ? "\n" : "", steps->items[i].title);
		add_step(out, &steps->items[i]);
	}
}

static bool
act_paste(void *state, const struct view_env *env, const char *arg)
{
	struct authorization *p = state;

	if (!auth_flow_info(flow_of(env)).browser_url)
		return view_refuse(env, "no authorization is waiting for the browser");
	p->pasting = true;
	p->open = false;
	edit_set(&p->edit, "", 0);
	return true;
}

static bool
act_authorization_open(void *state, const struct view_env *env, const char *arg)
{
	struct authorization *p = state;

	p->open = !p->open && p->rows.list.count > 0;
	return true;
}

static const struct view_action actions[] = {
	{ "agree", "O", "", "agree to the next step, or open the browser", act_agree, "authorize" },
	{ "copy-address", "Y", "", "copy the URL for the browser", act_copy, "copy address" },
	{ "paste-address", "P", "", "enter the URL that the browser was redirected to", act_paste,
	    "paste" },
	{ "open-step", "enter", "", "show the request and response of the step, or close it",
	    act_authorization_open, "open" },
	{ "copy-steps", "y", "", "copy the open step, or all steps; :write FILE saves them",
	    pane_act_copy, "copy steps" },
	{ "begin-again", "R", "", "start over", act_again, "again" },
	{ "forget", "delete ctrl-k", "", "delete the tokens and the registration", act_forget,
	    "forget" },
	{ 0 },
};

static const char *
authorization_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct auth_flow *flow = flow_of(env);
	enum auth_state at = auth_flow_info(flow).state;
	bool url = auth_flow_info(flow).browser_url;

	if (!flow)
		return NULL;
	if (action->run == act_agree && auth_flow_info(flow).may_accept_slash)
		return "accept the issuer";
	if (action->run == act_agree)
		return at == AUTH_NEEDED ? "authorize" : url ? "open browser" : NULL;
	if (action->run == act_copy || action->run == act_paste)
		return url ? action->hint : NULL;
	if (action->run == act_again)
		return at == AUTH_FAILED || at == AUTH_AUTHORIZED || at == AUTH_NEEDS_CLIENT || url
			   ? action->hint
			   : NULL;
	if (action->run == act_forget)
		return at == AUTH_AUTHORIZED ? action->hint : NULL;
	return auth_flow_info(flow).steps->len > 0 ? action->hint : NULL;
}

static void
row_text(const struct seekable *s, size_t row, struct buf *out)
{
	const struct auth_step *step = &auth_flow_info(flow_of(s->with)).steps->items[row];

	buf_addf(out, "%s  %s  %s", step->title, step->outcome, step->url ? step->url : "");
}

static bool
authorization_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct authorization *p = state;
	const struct auth_flow *flow = flow_of(env);

	list_set_count(&p->rows.list, auth_flow_info(flow).steps->len);
	if (p->open)
		*out = seek_page(&p->page);
	else
		*out = seek_list(&p->rows.list, p->rows.y, p, env, row_text);
	return flow && !p->pasting;
}

static bool
authorization_key(void *state, const struct view_env *env, const struct key *key)
{
	struct authorization *p = state;
	bool plain = key->kind == KEY_CHAR && key->mods == 0;

	if (p->pasting && key->kind != KEY_MOUSE) {
		if (key->kind != KEY_ENTER && key->kind != KEY_ESCAPE)
			return edit_key(&p->edit, key, NULL);
		bool given = key->kind == KEY_ENTER && edit_text(&p->edit)[0] != '\0';
		if (!given || pane_run(env, "authorize %s", edit_text(&p->edit)))
			stop_pasting(p);
		return true;
	}
	if (!p->open)
		return false;
	if (plain && (key->ch == 'y' || key->ch == ':'))
		return env->host->run(env->user, key->ch == 'y' ? "copy" : "command");
	if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER || (plain && key->ch == 'q'))
		p->open = false;
	else if (key->kind == KEY_UP || key->kind == KEY_DOWN)
		list_move(&p->rows.list, key->kind == KEY_UP ? -1 : 1);
	else
		return page_key(&p->page, key);
	return true;
}

static void
on_select(void *state, const struct view_env *env)
{
	struct authorization *p = state;

	p->follow = p->rows.list.selected == p->rows.list.count - 1;
}

static const struct row_ops row_ops = {
	.draw = draw_step,
	.open = act_authorization_open,
	.on_select = on_select,
};

static const char *
authorization_captures(const void *state)
{
	const struct authorization *p = state;

	if (p->pasting)
		return "Enter submit  Esc close";
	return p->open ? "Esc close  ↑↓ next step  PgDn scroll  y copy" : NULL;
}

const struct view_ops pane_authorization = {
	.title = "authorization",
	.help = "OAuth authorization of the server: scopes, each step and the tokens held",
	.state_size = sizeof(struct authorization),
	.actions = actions,
	.whole = "forget",
	.init = init,
	.finish = authorization_finish,
	.sync = authorization_sync,
	.heading = authorization_heading,
	.draw = authorization_draw,
	.key = authorization_key,
	.rows = &row_ops,
	.seek = authorization_seek,
	.hint = authorization_hint,
	.captures = authorization_captures,
	.copy = copy,
};
