#include "inspector.h"

#include "pane/pane.h"
#include "pane/pane_text.h"

#include <string.h>

/* The app of the call that is shown: what it is, what was found about it, what it told the model,
 * what it may. */

/* What the page says; it is written again if any of it changes, and a picture changes nothing. */
struct inspector_seen {
	const struct app_facts *app;
	const cJSON *read;
	const char *withheld;
	size_t received, sent, updates, messages, errors, allowed, carried;
	int64_t seconds;                               /* while the handshake is awaited */
	uint32_t csp, life, phase, view, call, unused; /* no padding: compared as bytes */
};

struct inspector_pane {
	struct page page;
	struct inspector_seen seen;
};

static void
finish(void *state)
{
	page_finish(&((struct inspector_pane *)state)->page);
}

static struct inspector_seen
look(const struct app_facts *f, const struct call *c, int64_t now_us)
{
	struct inspector_seen now = {
		.app = f,
		.read = f->read,
		.withheld = f->withheld,
		.messages = f->messages->len,
		.errors = f->errors,
		.allowed = f->allowed->len,
		.carried = f->carried,
		.csp = f->csp,
		.life = f->life,
		.view = f->view ? f->view->state + 1u : 0,
		.call = c ? c->state + 1u : 0,
	};

	if (f->bridge) {
		now.phase = f->bridge->phase;
		now.received = f->bridge->received;
		now.sent = f->bridge->sent;
		now.updates = f->bridge->context_updates;
	}
	if (f->life == APP_STARTING)
		now.seconds = (now_us - f->started_us) / 1000000;
	return now;
}

static void
renew(struct inspector_pane *p, const struct view_env *env, struct app *a)
{
	const struct app_facts *f = app_facts(a);
	const struct call *c = server_find_call(env->ws->server, f->call);
	const struct inspector_seen now = look(f, c, env->now_us);

	if (memcmp(&now, &p->seen, sizeof(now)) == 0)
		return;
	if (now.app != p->seen.app)
		p->page.top = 0;
	p->seen = now;
	inspector_write(&p->page, f, app_findings(a, env->now_us));
}

static void
draw(void *state, const struct view_env *env, struct surface s)
{
	struct inspector_pane *p = state;
	struct app *a = workspace_app(env->ws);

	if (!a) {
		pane_draw_text(
		    s, 0, ROLE_HINT, "No app is open: call a tool that has one (◫ in the list).");
		return;
	}
	renew(p, env, a);
	page_draw(&p->page, s, ROLE_NONE, env->focused);
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct app *a = workspace_app(env->ws);

	buf_add_str(title, "inspector");
	if (!a)
		return ROLE_DIM;
	buf_addf(title, " · %s", app_name(a));
	buf_add_str(facts, app_life_names[app_facts(a)->life]);
	return app_facts(a)->life == APP_BROKEN ? ROLE_WARNING : ROLE_DIM;
}

static bool
key(void *state, const struct view_env *env, const struct key *key)
{
	return page_key(&((struct inspector_pane *)state)->page, key);
}

static bool
seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct app *a = workspace_app(env->ws);

	if (a)
		renew(state, env, a);
	*out = seek_page(&((struct inspector_pane *)state)->page);
	return a != NULL;
}

static void
copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	struct app *a = workspace_app(env->ws);

	if (!a)
		return;
	renew(state, env, a);
	page_to_text(&((struct inspector_pane *)state)->page, out);
}

static const struct view_action actions[] = {
	{ "copy-inspector", "y", "", "copy this page to the clipboard", pane_act_copy, "copy" },
	{ 0 },
};

static const struct view_binding bindings[] = { { "alt-r", "other-policy" }, { 0 } };

const struct view_ops pane_inspector = {
	.title = "inspector",
	.help = "the app that is open: what it is, what it may, what it told the model",
	.state_size = sizeof(struct inspector_pane),
	.actions = actions,
	.bindings = bindings,
	.finish = finish,
	.heading = heading,
	.draw = draw,
	.key = key,
	.seek = seek,
	.copy = copy,
};
