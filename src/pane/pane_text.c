#include "pane_text.h"
#include "offer_words.h"

#include "base/buf.h"
#include "base/quantity.h"
#include "json/print.h"
#include "ui/scroll.h"
#include "ui/wrap.h"

#include <assert.h>
#include <string.h>

#define WAIT_TOLD_US 1000000 /* a call that takes so long may be stuck */

static const enum role verdict_roles[] = {
#define X(id, name, mark, role, text) ROLE_##role,
	VERDICTS(X)
#undef X
};
static_assert(sizeof(verdict_roles) / sizeof(verdict_roles[0]) == VERDICT_COUNT, "a role each");

enum role
pane_verdict_role(enum verdict_kind kind)
{
	return verdict_roles[kind];
}

void
pane_add_bytes(struct buf *out, size_t bytes)
{
	if (bytes < 1000)
		buf_addf(out, "%zu B", bytes);
	else if (bytes < 1000000)
		buf_addf(out, "%.1f kB", (double)bytes / 1e3);
	else
		buf_addf(out, "%.1f MB", (double)bytes / 1e6);
}

void
pane_add_tokens(struct buf *out, size_t bytes, int per)
{
	buf_add_str(out, "≈ ");
	quantity_add_counted(out, (bytes + (size_t)per - 1) / (size_t)per, "token");
}

void
pane_add_duration(struct buf *out, int64_t us)
{
	if (us < 10000)
		buf_addf(out, "%.1f ms", (double)us / 1e3);
	else if (us < 1000000)
		buf_addf(out, "%d ms", (int)(us / 1000));
	else
		buf_addf(out, "%.1f s", (double)us / 1e6);
}

/* Text over as many lines as it takes; returns how many. */
int
pane_draw_text(struct surface s, int y, enum role role, const char *text)
{
	struct wrap wrap;

	if (y >= s.height || s.width < 1)
		return 0;
	wrap_init(&wrap);
	wrap_set(&wrap, text, strlen(text), s.width);
	wrap_work(&wrap, (size_t)s.height, SIZE_MAX);
	int lines = (int)wrap_rows(&wrap);
	lines = lines < s.height - y ? lines : s.height - y;
	wrap_draw(&wrap, surface_sub(s, 0, y, s.width, lines), style_of(role), 0);
	wrap_finish(&wrap);
	return lines;
}

static bool
wants_authorization(const struct server *server)
{
	const struct auth_flow *flow = server_auth(server);

	return flow && auth_flow_state(flow) != AUTH_NOT_NEEDED &&
	       auth_flow_state(flow) != AUTH_AUTHORIZED;
}

/* Nothing while no authorization is wanted. Returns the rows used. */
static int
draw_authorization(const struct server *server, struct surface s, int y)
{
	const struct auth_flow *flow = server_auth(server);

	if (!wants_authorization(server))
		return 0;
	bool failed = auth_flow_state(flow) == AUTH_FAILED;
	bool working = auth_flow_state(flow) == AUTH_WORKING;
	int from = y;
	y += pane_draw_text(s, y,
	    failed    ? ROLE_ERROR
	    : working ? ROLE_ACCENT
		      : ROLE_WARNING,
	    failed    ? "✗ the authorization failed"
	    : working ? "◐ the server wants authorization; finding out how it is had"
		      : "● the server wants authorization");
	y += pane_draw_text(s, y, ROLE_ACCENT, /* first: what is cut is the end */
	    failed ? "A shows why and begins again" : "A shows what it asks for, and goes on");
	y += pane_draw_text(s, y, ROLE_TEXT, auth_flow_sentence(flow));
	return y - from;
}

/* What is reached by HTTP was not started by us. */
static const char *
name_restart(const struct server *server)
{
	return server_is_remote(server)
		   ? "R connects again, w shows what was said, S lists the servers"
		   : "R starts it again, w shows what was said, S lists the servers";
}

static int
draw_trouble(const struct server *server, struct surface s)
{
	struct buf text = BUF_INIT;
	bool ended = server_phase(server) == SERVER_EXITED;
	int above = draw_authorization(server, s, 0);

	s = surface_sub(s, 0, above, s.width, s.height - above);
	buf_addf(&text, "✗ %s: %s",
	    !ended                     ? "not connected"
	    : server_is_remote(server) ? "the connection ended"
				       : "the server ended",
	    server_trouble(server));
	int y = pane_draw_text(s, 0, ROLE_ERROR, buf_text(&text));
	buf_finish(&text);
	y += pane_draw_text(s, y, ROLE_HINT, name_restart(server));
	if (server_stderr_tail(server)[0]) {
		y += pane_draw_text(s, y + 1, ROLE_DIM, "its last words on stderr:") + 1;
		y += pane_draw_text(s, y, ROLE_TEXT, server_stderr_tail(server));
	}
	return y;
}

/* What it hangs on, where the transport can tell: a name, a connection, the first byte. */
static int
draw_wait(const struct server *server, uint64_t request, struct surface s, int y)
{
	const struct session *session = server_session(server);
	char wait[120];

	if (!session || !session_describe_wait(session, request, wait, sizeof(wait)))
		return y;
	surface_textf(s, 0, y, -1, style_of(ROLE_DIM), "it waits for: %s", wait);
	return y + 1;
}

static void
draw_opening(const struct server *server, struct surface s)
{
	int above = draw_authorization(server, s, 0);

	if (above > 0)
		return;
	int y = pane_draw_text(s, 0, ROLE_ACCENT,
	    server_phase(server) == SERVER_LISTING ? "◐ connected, listing the tools"
	    : server_is_remote(server) ? "◐ waiting for an answer to the first request"
				       : "◐ started, waiting for an answer to the first request");

	y = draw_wait(server, 0, s, y);
	pane_draw_text(s, y, ROLE_HINT, name_restart(server));
}

void
pane_draw_server_state(const struct pane_env *env, struct surface s)
{
	const struct server *server = env->ws->server;
	enum server_phase phase = server ? server_phase(server) : SERVER_IDLE;

	if (!server)
		pane_draw_text(s, 0, ROLE_HINT, "no server is connected: S lists them");
	else if (phase == SERVER_IDLE)
		pane_draw_text(s, 0, ROLE_HINT, "not connected: R connects");
	else if (phase >= SERVER_FAILED)
		draw_trouble(server, s);
	else if (phase != SERVER_READY)
		draw_opening(server, s);
	else if (env->ws->tab_chosen || server_offers(server, env->ws->tab)->list.len == 0)
		offer_draw_empty(env, env->ws->tab, s);
	else
		pane_draw_text(s, 0, ROLE_HINT, "nothing is selected");
}

/* A bar of the progress told, or how much without a total; then the server's own words. */
static int
draw_progress(const struct call *c, struct surface s, int y)
{
	int width = s.width > 44 ? 40 : s.width - 4;

	if (!c->progress)
		return y;
	if (c->progress_share >= 0 && width > 4) {
		int full = (int)(c->progress_share * width);
		surface_repeat(s, 0, y, full, style_of(ROLE_ACCENT), 0x2588);
		surface_repeat(s, full, y, width - full, style_of(ROLE_HINT), 0x2591);
		surface_textf(s, width + 1, y, -1, style_of(ROLE_NUMBER), "%s/%s", c->progress,
		    c->progress_total);
	} else {
		surface_textf(s, 0, y, -1, style_of(ROLE_NUMBER), "progress %s", c->progress);
	}
	y++;
	if (c->progress_message)
		y += pane_draw_text(s, y, ROLE_DIM, c->progress_message);
	return y;
}

static int
draw_asked(const struct call *c, struct surface s, int y)
{
	for (size_t i = 0; i < c->asked.len; i++)
		y += pane_draw_text(s, y, ROLE_WARNING, c->asked.items[i]);
	return y;
}

static bool
waits_for_us(const struct pane_env *env, const struct call *c)
{
	const struct server *s = env->ws->server;

	for (size_t i = 0; i < server_question_count(s); i++)
		if (server_question_at(s, i)->call == c->id)
			return true;
	return false;
}

static int
draw_running(const struct pane_env *env, const struct call *c, struct surface s)
{
	struct buf text = BUF_INIT;

	pane_add_duration(&text, call_elapsed_us(c, env->now_us));
	int x = surface_text(s, 0, 0, -1, style_of(ROLE_ACCENT), "◐ running ");
	x += surface_text(s, x, 0, -1, style_of(ROLE_NUMBER), buf_text(&text)) + 3;
	buf_clear(&text);
	if (server_reading(env->ws->server) > 0) {
		pane_add_bytes(&text, server_reading(env->ws->server));
		buf_add_str(&text, " came and are being read   ");
	}
	buf_add_str(&text,
	    waits_for_us(env, c) ? "waits for your answer: F4   Ctrl-C cancels" : "Ctrl-C cancels");
	surface_text(s, x, 0, -1, style_of(ROLE_HINT), buf_text(&text));
	buf_finish(&text);
	int y = c->task ? 1 + pane_draw_text(s, 1, ROLE_ACCENT, c->task) : 1;
	if (call_elapsed_us(c, env->now_us) > WAIT_TOLD_US)
		y = draw_wait(env->ws->server, c->request, s, y);
	y = draw_asked(c, s, draw_progress(c, s, y));
	return y + draw_authorization(env->ws->server, s, y);
}

static struct surface
below(struct surface s, int y)
{
	return surface_sub(s, 0, y, s.width, s.height - y);
}

/* A server that is down says more than the call that it ended. */
static bool
tells_more(const struct server *server, const struct call *c)
{
	return server_phase(server) >= SERVER_FAILED && server_trouble(server)[0] &&
	       !strstr(c->error_text ? c->error_text : "", server_trouble(server));
}

static const char *
what_helps(const struct call *c)
{
	return c->state == CALL_TIMED_OUT ? ":timeout 5m lets the next one take longer"
					  : call_explain(c);
}

/* The error object of a protocol error, whole: code, message and data. */
static int
draw_failed(const struct call *c, struct surface s)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, "✗ ");
	call_add_state(c, &text);
	int x = surface_text(
	    s, 0, 0, -1, (struct style){ ROLE_ERROR, ROLE_NONE, ATTR_BOLD }, buf_text(&text));
	buf_clear(&text);
	buf_add_str(&text, "after ");
	pane_add_duration(&text, call_elapsed_us(c, 0));
	surface_text(s, x + 2, 0, -1, style_of(ROLE_DIM), buf_text(&text));
	int y = 1 + pane_draw_text(s, 1, ROLE_TEXT, c->error_text);
	if (what_helps(c))
		y += pane_draw_text(s, y, ROLE_HINT, what_helps(c));
	y = draw_asked(c, s, y);
	if (c->stderr_tail && c->stderr_tail[0]) {
		y += pane_draw_text(s, y, ROLE_DIM, "last words on stderr:");
		y += pane_draw_text(s, y, ROLE_TEXT, c->stderr_tail);
	}
	if (c->value) {
		buf_clear(&text);
		json_print_pretty(&text, c->value, 2);
		y += pane_draw_text(s, y, ROLE_DIM, buf_text(&text));
	}
	buf_finish(&text);
	return y;
}

int
pane_draw_call_state(const struct pane_env *env, struct surface s)
{
	const struct server *server = env->ws->server;
	const struct call *c = workspace_call(env->ws);

	if (c && c->state == CALL_RUNNING)
		return draw_running(env, c, s);
	if (c && c->state != CALL_DONE) {
		int y = draw_failed(c, s);
		return y + (tells_more(server, c) ? draw_trouble(server, below(s, y)) : 0);
	}
	if (!server || !env->ws->desk)
		return 0;
	if (server_phase(server) >= SERVER_FAILED)
		return draw_trouble(server, s);
	if (!workspace_offer(env->ws) || server_phase(server) != SERVER_READY)
		return 0;
	if (!env->ws->desk->form)
		return pane_draw_text(s, 0, ROLE_HINT, "cannot be called");
	return pane_draw_text(s, 0, ROLE_HINT, offer_words_of(env)->idle);
}

static int
lines_of(const char *text)
{
	int lines = 0;

	for (; text && *text; text += strcspn(text, "\n"), text += *text != '\0')
		lines++;
	return lines;
}

static int
failed_rows(const struct call *c)
{
	struct buf text = BUF_INIT;
	int rows = 1 + lines_of(c->error_text) + (int)c->asked.len + (what_helps(c) != NULL);

	if (c->stderr_tail && c->stderr_tail[0])
		rows += 1 + lines_of(c->stderr_tail);
	if (c->value)
		json_print_pretty(&text, c->value, 2);
	rows += lines_of(buf_text(&text));
	buf_finish(&text);
	return rows;
}

int
pane_call_state_rows(const struct pane_env *env)
{
	const struct call *c = workspace_call(env->ws);

	if (!c)
		return server_phase(env->ws->server) == SERVER_READY ? 1 : 12;
	if (c->state == CALL_RUNNING)
		return 1 + server_is_remote(env->ws->server) + (c->task ? 1 : 0) +
		       (c->progress ? 1 : 0) + (c->progress_message ? 1 : 0) + (int)c->asked.len +
		       (wants_authorization(env->ws->server) ? 4 : 0);
	return failed_rows(c) + (tells_more(env->ws->server, c) ? 4 : 0);
}

bool
pane_scroll_key(size_t *top, size_t count, const struct key *key)
{
	if (!scroll_key(key, 10, top))
		return false;
	if (*top >= count)
		*top = count ? count - 1 : 0;
	return true;
}
