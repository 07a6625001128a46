#include "pane/pane.h"

#include "auth/flow.h"
#include "base/mem.h"
#include "pane_text.h"
#include "ui/edit.h"
#include "ui/list.h"
#include "ui/wrap.h"

#include <stdlib.h>
#include <string.h>

struct authorization {
	struct list list;
	bool follow;               /* the selection stays on the newest */
	bool open;                 /* the selected step is shown whole */
	struct buf text;           /* of it */
	uint64_t text_of, text_at; /* the step, and the flow's generation */
	struct wrap wrap;
	size_t top;
	bool pasting;
	struct edit edit;
	int head_rows;                /* above the steps, of the last frame */
	const struct auth_flow *flow; /* only compared */
};

static const struct auth_flow *
flow_of(const struct pane_env *env)
{
	return env->ws->server ? server_auth(env->ws->server) : NULL;
}

static void
init(void *state)
{
	struct authorization *p = state;

	edit_init(&p->edit, false, AUTH_URL_MAX);
	wrap_init(&p->wrap);
	p->follow = true;
}

static void
finish(void *state)
{
	struct authorization *p = state;

	edit_finish(&p->edit);
	wrap_finish(&p->wrap);
	buf_finish(&p->text);
}

static void
sync(void *state, const struct pane_env *env)
{
	struct authorization *p = state;
	const struct auth_flow *flow = flow_of(env);
	size_t count = flow ? auth_flow_steps(flow)->len : 0;

	if (flow != p->flow) {
		p->flow = flow;
		p->open = p->pasting = false;
		p->follow = true;
	}
	list_set_count(&p->list, count);
	if (p->follow && count > 0)
		list_select(&p->list, count - 1);
}

/* ---- what the state is, and what to press ---- */

static const struct state_words {
	const char *mark, *word, *keys;
	enum role role;
} states[] = {
	[AUTH_NOT_NEEDED] = { "○", "not needed", "", ROLE_DIM },
	[AUTH_WORKING] = { "◐", "under way", "", ROLE_ACCENT },
	[AUTH_NEEDED] = { "●", "needed",
	    "a agrees: mcpane makes itself known there, and the address for the browser is shown",
	    ROLE_WARNING },
	[AUTH_NEEDS_CLIENT] = { "●", "a client id is needed",
	    ":client-id ID [@FILE] gives the id of a client that you registered, and its secret",
	    ROLE_WARNING },
	[AUTH_READY] = { "●", "the browser's turn",
	    "a opens it in the browser   c copies it   p pastes the address it ended at",
	    ROLE_WARNING },
	[AUTH_WAITING] = { "◐", "waiting for the browser",
	    "p pastes the address it ended at   c copies this one   a opens it again",
	    ROLE_ACCENT },
	[AUTH_AUTHORIZED] = { "✓", "authorized", "", ROLE_OK },
	[AUTH_FAILED] = { "✗", "failed", "r begins again", ROLE_ERROR },
};

/* The time of day as the token's end has it: there is no clock here. */
static void
add_end(struct buf *out, const struct auth_flow *flow)
{
	int64_t end = auth_flow_expires_s(flow);

	if (auth_flow_state(flow) == AUTH_AUTHORIZED && end > 0)
		buf_addf(out, " until %02d:%02d UTC", (int)(end / 3600 % 24), (int)(end / 60 % 60));
}

static int
draw_field(struct authorization *p, struct surface s, int y)
{
	if (!p->pasting || y >= s.height)
		return y;
	edit_draw(&p->edit, surface_sub(s, 0, y, s.width, 1), style_of(ROLE_FIELD_FOCUS), true,
	    "the address that the browser ended at");
	return y + 1;
}

/* Whole, or it is said that it is not: what it leads to may be at its end. */
static int
draw_url(const char *url, struct surface s, int y)
{
	int room = s.height - y - 3;
	struct wrap wrap;

	wrap_init(&wrap);
	wrap_set(&wrap, url, strlen(url), s.width);
	wrap_work(&wrap, SIZE_MAX, SIZE_MAX);
	int rows = (int)wrap_rows(&wrap);
	wrap_finish(&wrap);
	if (rows <= room || room < 1)
		return pane_draw_text(s, y, ROLE_ACCENT, url);
	pane_draw_text(surface_sub(s, 0, 0, s.width, y + room), y, ROLE_ACCENT, url);
	return room + pane_draw_text(s, y + room, ROLE_WARNING,
			  "… longer than the screen: Enter on the last step shows the whole of it");
}

static int
draw_head(struct authorization *p, const struct auth_flow *flow, struct surface s)
{
	const struct state_words *words = &states[auth_flow_state(flow)];
	const char *url = auth_flow_browser_url(flow);
	struct buf line = BUF_INIT;

	buf_addf(&line, "%s %s", words->mark, words->word);
	add_end(&line, flow);
	int y = pane_draw_text(s, 0, words->role, buf_text(&line));
	buf_finish(&line);
	y += pane_draw_text(s, y, ROLE_TEXT, auth_flow_sentence(flow));
	if (url)
		y += draw_url(url, s, y);
	if (words->keys[0])
		y += pane_draw_text(s, y, ROLE_HINT, words->keys);
	return draw_field(p, s, y);
}

/* ---- the steps ---- */

static enum role
step_role(const struct auth_step *step)
{
	return step->open ? ROLE_ACCENT : step->failed ? ROLE_ERROR : ROLE_OK;
}

static void
draw_step(const struct auth_step *step, struct surface s, int y)
{
	const char *mark = step->open ? "◐" : step->failed ? "✗" : "✓";
	int x = 2;

	surface_text(s, 0, y, 1, style_of(step_role(step)), mark);
	x += surface_text(s, x, y, -1, style_of(ROLE_TITLE), step->title) + 2;
	if (x < 33)
		x = 33;
	if (step->status)
		x += surface_textf(s, x, y, -1, style_of(ROLE_NUMBER), "%d", step->status) + 2;
	if (step->url && (step->open || step->failed))
		x += surface_text(s, x, y, -1, style_of(ROLE_DIM), step->url) + 2;
	surface_text(s, x, y, -1, style_of(step->failed ? ROLE_ERROR : ROLE_TEXT), step->outcome);
}

static void
draw_steps(struct authorization *p, const struct pane_env *env, const struct auth_flow *flow,
    struct surface s)
{
	const struct auth_steps *steps = auth_flow_steps(flow);

	list_set_height(&p->list, s.height);
	for (int y = 0; y < s.height && p->list.top + (size_t)y < steps->len; y++) {
		draw_step(&steps->items[p->list.top + (size_t)y], s, y);
		if (p->list.top + (size_t)y == p->list.selected)
			surface_select_row(s, y, env->focused && !p->pasting);
	}
}

/* ---- one step whole ---- */

static void
add_lines(struct buf *out, const char *text)
{
	if (text[0])
		buf_addf(out, "%s%s", text, text[strlen(text) - 1] == '\n' ? "" : "\n");
}

static void
make_text(struct authorization *p, const struct auth_step *step)
{
	struct buf *out = &p->text;

	buf_clear(out);
	buf_addf(out, "%s\n\n", step->outcome[0] ? step->outcome : "under way");
	if (step->method) {
		buf_addf(out, "── request ──\n%s %s\n", step->method, step->url);
		add_lines(out, step->request);
		buf_add_char(out, '\n');
	}
	if (step->status) {
		buf_addf(out, "── answer ──\n%d, after %lld ms\n", step->status,
		    (long long)step->took_ms);
		add_lines(out, step->headers);
		buf_add_char(out, '\n');
		add_lines(out, step->answer);
	}
}

static void
draw_open(struct authorization *p, const struct auth_flow *flow, struct surface s)
{
	const struct auth_step *step = &auth_flow_steps(flow)->items[p->list.selected];

	if (p->text_of != step->id || p->text_at != auth_flow_generation(flow)) {
		make_text(p, step);
		wrap_finish(&p->wrap);
		wrap_init(&p->wrap);
	}
	p->top = p->text_of == step->id ? p->top : 0;
	p->text_of = step->id;
	p->text_at = auth_flow_generation(flow);
	wrap_set(&p->wrap, buf_text(&p->text), p->text.len, s.width);
	wrap_work(&p->wrap, SIZE_MAX, SIZE_MAX);
	if (p->top + (size_t)s.height > wrap_rows(&p->wrap))
		p->top = wrap_rows(&p->wrap) > (size_t)s.height
			     ? wrap_rows(&p->wrap) - (size_t)s.height
			     : 0;
	wrap_draw(&p->wrap, s, style_of(ROLE_TEXT), p->top);
}

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct authorization *p = state;
	const struct auth_flow *flow = flow_of(env);

	if (!flow) {
		pane_draw_text(s, 0, ROLE_HINT,
		    env->ws->server ? "This server is run, not reached by HTTP: what it needs, it "
				      "gets by its environment."
				    : "no server is connected");
		return;
	}
	if (p->open && p->list.selected < auth_flow_steps(flow)->len) {
		draw_open(p, flow, s);
		return;
	}
	p->head_rows = draw_head(p, flow, s) + 1;
	if (p->head_rows < s.height)
		draw_steps(p, env, flow,
		    surface_sub(s, 0, p->head_rows, s.width, s.height - p->head_rows));
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	struct authorization *p = state;
	const struct auth_flow *flow = flow_of(env);

	if (!flow)
		return ROLE_DIM;
	const struct auth_steps *steps = auth_flow_steps(flow);
	if (p->open && p->list.selected < steps->len)
		buf_addf(title, "authorization ▸ %s", steps->items[p->list.selected].title);
	else
		buf_addf(title, "authorization ▸ %s", auth_flow_server_url(flow));
	buf_addf(facts, "%zu steps", steps->len);
	return ROLE_DIM;
}

/* ---- commands ---- */

static bool
run(const struct pane_env *env, const char *command)
{
	return env->host->run(env->user, command);
}

static bool
act_agree(void *state, const struct pane_env *env, const char *arg)
{
	(void)state, (void)arg;
	return run(env, "authorize");
}

static bool
act_copy(void *state, const struct pane_env *env, const char *arg)
{
	(void)state, (void)arg;
	return run(env, "copy-authorization-url");
}

static bool
act_again(void *state, const struct pane_env *env, const char *arg)
{
	(void)state, (void)arg;
	return run(env, "authorize-again");
}

static bool
act_forget(void *state, const struct pane_env *env, const char *arg)
{
	(void)state, (void)arg;
	return run(env, "forget-tokens");
}

static bool
act_paste(void *state, const struct pane_env *env, const char *arg)
{
	struct authorization *p = state;
	(void)arg;

	if (!flow_of(env) || !auth_flow_browser_url(flow_of(env))) {
		env->host->say(env->user, ROLE_WARNING, "no browser is waited for");
		return false;
	}
	p->pasting = true;
	p->open = false;
	edit_set(&p->edit, "", 0);
	return true;
}

static bool
act_open(void *state, const struct pane_env *env, const char *arg)
{
	struct authorization *p = state;
	(void)env, (void)arg;

	p->open = !p->open && p->list.count > 0;
	return true;
}

static const struct pane_action actions[] = {
	{ "agree", "a", "", "agree to what comes next, or open the browser", act_agree,
	    "authorize" },
	{ "copy-address", "c", "", "copy the address for the browser", act_copy, "copy" },
	{ "paste-address", "p", "", "hand over the address that the browser ended at", act_paste,
	    "paste" },
	{ "open-step", "enter", "", "show the step's request and answer, or close it", act_open,
	    "open" },
	{ "begin-again", "r", "", "begin again", act_again, "again" },
	{ "forget", "f", "", "forget the tokens and the registration", act_forget, "forget" },
	{ 0 },
};

static const char *
hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	const struct auth_flow *flow = flow_of(env);
	enum auth_state at = flow ? auth_flow_state(flow) : AUTH_NOT_NEEDED;
	bool url = flow && auth_flow_browser_url(flow);
	(void)state;

	if (!flow)
		return NULL;
	if (action->run == act_agree)
		return at == AUTH_NEEDED ? "authorize" : url ? "open browser" : NULL;
	if (action->run == act_copy || action->run == act_paste)
		return url ? action->hint : NULL;
	if (action->run == act_again)
		return at == AUTH_FAILED || at == AUTH_AUTHORIZED ? action->hint : NULL;
	if (action->run == act_forget)
		return at == AUTH_AUTHORIZED ? action->hint : NULL;
	return auth_flow_steps(flow)->len > 0 ? action->hint : NULL;
}

static bool
paste_key(struct authorization *p, const struct pane_env *env, const struct key *key)
{
	if (key->kind == KEY_ESCAPE) {
		p->pasting = false;
		return true;
	}
	if (key->kind != KEY_ENTER)
		return edit_key(&p->edit, key, NULL);
	char *line = mem_printf("authorize %s", edit_text(&p->edit));
	p->pasting = edit_text(&p->edit)[0] != '\0' && !run(env, line);
	free(line);
	return true;
}

static bool
open_key(struct authorization *p, const struct key *key)
{
	bool plain = key->kind == KEY_CHAR && key->mods == 0;

	if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER || (plain && key->ch == 'q'))
		p->open = false;
	else if (key->kind == KEY_UP || key->kind == KEY_DOWN)
		list_move(&p->list, key->kind == KEY_UP ? -1 : 1);
	else
		return pane_scroll_key(&p->top, wrap_rows(&p->wrap), key);
	return true;
}

static bool
key(void *state, const struct pane_env *env, const struct key *key)
{
	struct authorization *p = state;
	size_t row;

	if (p->pasting && key->kind != KEY_MOUSE)
		return paste_key(p, env, key);
	if (p->open)
		return open_key(p, key);
	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS) {
		if (!list_row_at(&p->list, key->y - p->head_rows, &row))
			return true;
		p->open = row == p->list.selected;
		list_select(&p->list, row);
		return true;
	}
	bool used = list_key(&p->list, key);
	p->follow = p->list.count > 0 && p->list.selected == p->list.count - 1;
	return used;
}

static bool
captures(const void *state)
{
	const struct authorization *p = state;

	return p->pasting || p->open;
}

static const char *
typing(const void *state)
{
	const struct authorization *p = state;

	return p->pasting ? "Enter hand over  Esc close" : "Esc close  ↑↓ next step  PgDn scroll";
}

const struct pane_ops pane_authorization = {
	.name = "authorization",
	.title = "authorization",
	.help = "how the server is authorized: what it asks, each step of the way, what is held",
	.slot = SLOT_OVERLAY,
	.state_size = sizeof(struct authorization),
	.actions = actions,
	.init = init,
	.finish = finish,
	.sync = sync,
	.heading = heading,
	.draw = draw,
	.key = key,
	.hint = hint,
	.captures = captures,
	.typing = typing,
};
