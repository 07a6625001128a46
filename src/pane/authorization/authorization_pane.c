#include "authorization.h"

#include "base/mem.h"
#include "pane/pane_text.h"

#include <stdlib.h>

const struct auth_flow *
authorization_flow(const struct view_env *env)
{
	return env->ws->server ? server_info(env->ws->server)->auth : NULL;
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

/* Clears the text and its undo history. */
static void
stop_pasting(struct authorization *p)
{
	p->pasting = false;
	edit_finish(&p->edit);
	edit_init(&p->edit, false, AUTH_URL_MAX);
}

static void
sync(void *state, const struct view_env *env)
{
	struct authorization *p = state;
	const struct auth_flow *flow = authorization_flow(env);
	size_t count = auth_flow_info(flow).steps->len;

	if (flow != p->flow) {
		p->flow = flow;
		p->open = false;
		p->follow = true;
		stop_pasting(p);
	}
	if (p->pasting && !auth_flow_info(flow).browser_url)
		stop_pasting(p); /* the redirect arrived */
	list_set_count(&p->list, count);
	if (p->follow && count > 0)
		list_select(&p->list, count - 1);
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct authorization *p = state;
	const struct auth_flow *flow = authorization_flow(env);

	if (!flow)
		return ROLE_DIM;
	const struct auth_steps *steps = auth_flow_info(flow).steps;
	if (p->open && p->list.selected < steps->len)
		buf_addf(title, "authorization ▸ %s", steps->items[p->list.selected].title);
	else
		buf_addf(title, "authorization ▸ %s", auth_flow_info(flow).server_url);
	buf_addf(facts, "%zu steps", steps->len);
	return ROLE_DIM;
}

/* ---- commands ---- */

static bool
run(const struct view_env *env, const char *command)
{
	return env->host->run(env->user, command);
}

static bool
act_agree(void *state, const struct view_env *env, const char *arg)
{
	return run(env, "authorize");
}

static bool
act_copy(void *state, const struct view_env *env, const char *arg)
{
	return run(env, "copy-authorization-url");
}

/* The open step, or all steps, for a bug report. */
static void
copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	const struct authorization *p = state;
	const struct auth_flow *flow = authorization_flow(env);
	const struct auth_steps *steps = auth_flow_info(flow).steps;

	for (size_t i = 0; i < steps->len; i++) {
		if (p->open && i != p->list.selected)
			continue;
		buf_addf(out, "%s%s: ", out->len > 0 ? "\n" : "", steps->items[i].title);
		authorization_add_step(out, &steps->items[i]);
	}
}

static bool
act_again(void *state, const struct view_env *env, const char *arg)
{
	return run(env, "authorize-again");
}

static bool
act_forget(void *state, const struct view_env *env, const char *arg)
{
	return run(env, "forget-tokens");
}

static bool
act_paste(void *state, const struct view_env *env, const char *arg)
{
	struct authorization *p = state;

	if (!auth_flow_info(authorization_flow(env)).browser_url) {
		env->host->say(
		    env->user, ROLE_WARNING, "no authorization is waiting for the browser");
		return false;
	}
	p->pasting = true;
	p->open = false;
	edit_set(&p->edit, "", 0);
	return true;
}

static bool
act_open(void *state, const struct view_env *env, const char *arg)
{
	struct authorization *p = state;

	p->open = !p->open && p->list.count > 0;
	return true;
}

static const struct view_action actions[] = {
	{ "agree", "O", "", "agree to the next step, or open the browser", act_agree, "authorize" },
	{ "copy-address", "Y", "", "copy the URL for the browser", act_copy, "copy address" },
	{ "paste-address", "P", "", "enter the URL that the browser was redirected to", act_paste,
	    "paste" },
	{ "open-step", "enter", "", "show the request and response of the step, or close it",
	    act_open, "open" },
	{ "copy-steps", "y", "", "copy the open step, or all steps; :write FILE saves them",
	    pane_act_copy, "copy steps" },
	{ "begin-again", "R", "", "start over", act_again, "again" },
	{ "forget", "delete ctrl-k", "", "delete the tokens and the registration", act_forget,
	    "forget" },
	{ 0 },
};

static const char *
hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct auth_flow *flow = authorization_flow(env);
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

static bool
paste_key(struct authorization *p, const struct view_env *env, const struct key *key)
{
	if (key->kind != KEY_ENTER && key->kind != KEY_ESCAPE)
		return edit_key(&p->edit, key, NULL);
	char *line = mem_printf("authorize %s", edit_text(&p->edit));
	bool given = key->kind == KEY_ENTER && edit_text(&p->edit)[0] != '\0';
	if (!given || run(env, line))
		stop_pasting(p);
	free(line);
	return true;
}

static bool
open_key(struct authorization *p, const struct view_env *env, const struct key *key)
{
	bool plain = key->kind == KEY_CHAR && key->mods == 0;

	if (plain && key->ch == 'y')
		return run(env, "copy");
	if (plain && key->ch == ':')
		return run(env, "command");
	if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER || (plain && key->ch == 'q'))
		p->open = false;
	else if (key->kind == KEY_UP || key->kind == KEY_DOWN)
		list_move(&p->list, key->kind == KEY_UP ? -1 : 1);
	else
		return pane_scroll_key(&p->top, wrap_rows(&p->wrap), key);
	return true;
}

static void
row_text(const struct seekable *s, size_t row, struct buf *out)
{
	const struct auth_step *step =
	    &auth_flow_info(authorization_flow(s->with)).steps->items[row];

	buf_addf(out, "%s  %s  %s", step->title, step->outcome, step->url ? step->url : "");
}

static bool
seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct authorization *p = state;
	const struct auth_flow *flow = authorization_flow(env);

	list_set_count(&p->list, auth_flow_info(flow).steps->len);
	if (p->open)
		*out = seek_wrap(&p->wrap, &p->top, p->text_height, 0);
	else
		*out = seek_list(&p->list, p->head_rows, p, env, row_text);
	return flow && !p->pasting;
}

static bool
key(void *state, const struct view_env *env, const struct key *key)
{
	struct authorization *p = state;
	size_t row;

	if (p->pasting && key->kind != KEY_MOUSE)
		return paste_key(p, env, key);
	if (p->open)
		return open_key(p, env, key);
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

static const char *
captures(const void *state)
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
	.finish = finish,
	.sync = sync,
	.heading = heading,
	.draw = authorization_draw,
	.key = key,
	.seek = seek,
	.hint = hint,
	.captures = captures,
	.copy = copy,
};
