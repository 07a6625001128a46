/* SPDX-License-Identifier: MIT */
#include "pane_text.h"

#include "base/last_words.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"
#include "pane/tools/tools.h"

#include <stdlib.h>
#include <string.h>

/* The text shown in place of a result: the server is not ready, or the call runs or has failed. */

#define WAIT_SHOWN_US 1000000        /* from then on a call may be stuck */
#define VALUE_MAX ((size_t)64 << 10) /* bytes of a formatted error; the journal has all */

enum { STDERR_MOST = 100, STDERR_LINES = 8 /* of an ended server or call */ };

/* Return false and write nothing if no authorization is needed. */
static bool
server_state_write_authorization(struct page *page, const struct server *server)
{
	const struct auth_flow_info flow = auth_flow_info(server_info(server)->auth);
	bool failed = flow.state == AUTH_FAILED, working = flow.state == AUTH_WORKING;

	if (flow.state == AUTH_NOT_NEEDED || flow.state == AUTH_AUTHORIZED)
		return false;
	if (failed)
		page_text(page, 0, ROLE_ERROR, "✗ authorization failed");
	else if (working)
		page_text(
		    page, 0, ROLE_ACCENT, "◐ the server requires authorization; discovering how");
	else
		page_text(page, 0, ROLE_WARNING, "● the server requires authorization");
	page_text(page, 0, ROLE_ACCENT, /* first, because the end is cut */
	    failed ? "A shows why and starts over" : "A shows what it asks for and continues");
	page_text(page, 0, ROLE_TEXT, flow.sentence);
	return true;
}

static void
write_part(struct page *page, enum role role, const char *text, size_t len)
{
	char *part = mem_strndup(text, len);

	if (len > 0)
		page_text(page, 0, role, part);
	free(part);
}

/* Write the last lines of stderr, if any. Those that name the cause are in the role of errors, in
 * place or above the last lines. */
static void
server_state_write_stderr(struct page *page, const char *title, const char *tail, int lines)
{
	struct last_words words = last_words_of(tail, (size_t)lines);
	const char *cause = words.cause;
	size_t len = words.cause_len;

	for (size_t i = 0; cause && cause < words.tail && i < len && lines > 1; i++)
		lines -= cause[i] == '\n';
	const char *rest = last_words_of(tail, (size_t)lines).tail;

	if (!*tail)
		return;
	page_text(page, 0, ROLE_DIM, title);
	const char *end = cause ? cause + len + (cause[len] == '\n') : NULL;
	if (cause && cause >= words.tail) {
		if (cause > words.tail)
			write_part(page, ROLE_TEXT, words.tail, (size_t)(cause - words.tail) - 1);
		write_part(page, ROLE_ERROR, cause, len);
		rest = end;
	} else if (cause) {
		write_part(page, ROLE_ERROR, cause, len);
		if (end < rest)
			page_text(page, 0, ROLE_HINT, "… w shows all of it");
		rest = end < rest ? rest : end;
	}
	write_part(page, ROLE_TEXT, rest, strlen(rest));
}

static void
write_keys(struct page *page, const struct view_env *env)
{
	page_text(page, 0, ROLE_HINT,
	    server_info(env->ws->server)->is_remote
		? "R reconnects, w shows the messages, S lists the servers"
	    : env->ws->desk /* Ctrl-E edits the arguments in its form */
		? "R restarts it, w shows the messages, S lists the servers"
		: "R restarts it, Ctrl-E edits its command, w shows the messages");
}

/* Write the output that is not JSON-RPC: its messages, unless the error names them, and stderr. */
static void
write_output(struct page *page, const struct server *server, int lines)
{
	const struct server_info *info = server_info(server);
	const struct session_info *session = info->session ? session_info(info->session) : NULL;
	bool remote = server_info(server)->is_remote;
	size_t count = session ? session->unreadable.count : 0;

	if (count > 0 && !strstr(info->trouble, session->unreadable.first)) {
		page_gap(page);
		if (count == 1)
			page_textf(page, 0, ROLE_ERROR,
			    "✗ 1 %s is not JSON-RPC:", remote ? "message" : "line on stdout");
		else
			page_textf(page, 0, ROLE_ERROR,
			    "✗ %s %s are not JSON-RPC; the first:", units_count(count).text,
			    remote ? "messages" : "lines on stdout");
		page_text(page, 2, ROLE_TEXT, session->unreadable.first);
		if (!remote)
			page_text(page, 2, ROLE_HINT,
			    "stdout is only for messages; a server writes its log to stderr");
	}
	if (server_stderr_tail(server, NULL)[0])
		page_gap(page);
	server_state_write_stderr(page, "stderr:", server_stderr_tail(server, NULL), lines);
}

static void
server_state_write_trouble(struct page *page, const struct view_env *env, int lines)
{
	const struct server *server = env->ws->server;
	bool ended = server_info(server)->phase == SERVER_EXITED;

	server_state_write_authorization(page, server);
	page_textf(page, 0, ROLE_ERROR, "✗ %s: %s",
	    !ended                           ? "not connected"
	    : server_info(server)->is_remote ? "the connection ended"
					     : "the server ended",
	    server_info(server)->trouble);
	write_keys(page, env);
	write_output(page, server, lines);
}

/* Write the wait that the transport reports: DNS, a connection, the first byte. */
static void
server_state_write_wait(struct page *page, const struct server *server, uint64_t request)
{
	const struct session *session = server_info(server)->session;
	char wait[120];

	if (session && session_describe_wait(session, request, wait, sizeof(wait)))
		page_textf(page, 0, ROLE_DIM, "waiting for: %s", wait);
}

static void
write_opening(struct page *page, const struct view_env *env, int lines)
{
	/* These may download a package first, silently. */
	static const char *const downloaders[] = { "npx", "uvx", "bunx", "pnpx", "pipx", "dnx",
		"docker", "podman" };
	const struct server *server = env->ws->server;
	const char *label = server_info(server)->label;
	size_t len = strcspn(label, " ");
	bool starting = server_info(server)->phase == SERVER_STARTING;

	if (server_state_write_authorization(page, server))
		return;
	page_textf(page, 0, ROLE_ACCENT, "◐ %s, %s",
	    server_info(server)->phase == SERVER_LISTING     ? "connected, listing the tools"
	    : server_info(server)->phase == SERVER_UNPACKING ? "unpacking the bundle"
	    : server_info(server)->is_remote                 ? "waiting for the first response"
					     : "started, waiting for the first response",
	    pane_duration(env->now_us - server_busy_since_us(server)).text);
	server_state_write_wait(page, server, 0);
	for (size_t i = 0; i < ARRAY_LEN(downloaders) && starting; i++)
		if (strlen(downloaders[i]) == len && memcmp(downloaders[i], label, len) == 0)
			page_text(
			    page, 0, ROLE_HINT, "the first start may have to download the package");
	write_keys(page, env);
	write_output(page, server, lines);
}

static void
write_state(struct page *page, const struct view_env *env, int lines)
{
	const struct server *server = env->ws->server;
	enum server_phase phase = server ? server_info(server)->phase : SERVER_IDLE;

	if (!server)
		page_text(page, 0, ROLE_HINT, "no server is connected: S lists them");
	else if (phase == SERVER_IDLE)
		page_text(page, 0, ROLE_HINT, "not connected: R connects");
	else if (phase >= SERVER_FAILED)
		server_state_write_trouble(page, env, lines);
	else if (phase != SERVER_READY)
		write_opening(page, env, lines);
	else if (env->ws->tab_chosen || server_info(server)->lists[env->ws->tab].list.len == 0)
		primitive_write_empty(page, env, env->ws->tab);
	else
		page_text(page, 0, ROLE_HINT, "nothing is selected");
}

int
server_state_rows(const struct view_env *env, int width)
{
	struct page page = { 0 };

	write_state(&page, env, STDERR_MOST);
	int rows = (int)page_rows(&page, width);
	page_finish(&page);
	return rows;
}

/* Shows as many lines of stderr as fit. */
void
pane_draw_server_state(const struct view_env *env, struct surface s)
{
	struct page page = { 0 };

	for (int lines = s.height < STDERR_MOST ? s.height : STDERR_MOST; lines > 0; lines--) {
		page_clear(&page);
		write_state(&page, env, lines);
		if ((int)page_rows(&page, s.width) <= s.height)
			break;
	}
	page_draw(&page, s, ROLE_NONE, env->focused);
	page_finish(&page);
}

/* ---- a running call ---- */

/* Draw a bar of the reported progress, or only the amount without a total. Return the next row. */
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
	return y + 1;
}

static void
draw_clock(const struct view_env *env, const struct call *c, struct surface s)
{
	const struct server_info *info = server_info(env->ws->server);
	struct buf text = BUF_INIT;
	size_t asks = 0;

	while (asks < info->questions.len &&
	       server_info(env->ws->server)->questions.items[asks]->call != c->id)
		asks++;
	int x = surface_text(s, 0, 0, -1, style_of(ROLE_ACCENT), "◐ running ");
	x += surface_text(s, x, 0, -1, style_of(ROLE_NUMBER),
		 pane_duration(call_elapsed_us(c, env->now_us)).text) +
	     3;
	if (info->reading > 0)
		buf_addf(&text, "%s received, being parsed   ", pane_bytes(info->reading).text);
	buf_add_str(&text, asks < info->questions.len
			       ? "waiting for your answer: F4   Ctrl-C cancels"
			       : "Ctrl-C cancels");
	surface_text(s, x, 0, -1, style_of(ROLE_HINT), buf_text(&text));
	buf_finish(&text);
}

/* Write the lines below the clock and the bar. stderr_lines: lines since the call started. */
static void
write_running(struct page *page, const struct view_env *env, const struct call *c, int stderr_lines)
{
	const struct server *server = env->ws->server;
	bool is_long = call_elapsed_us(c, env->now_us) > WAIT_SHOWN_US;

	if (c->progress_message)
		page_text(page, 0, ROLE_DIM, c->progress_message);
	if (c->task)
		page_text(page, 0, ROLE_ACCENT, c->task);
	if (is_long)
		server_state_write_wait(page, server, c->request);
	for (size_t i = 0; i < c->server_requests.len; i++)
		page_text(page, 0, ROLE_WARNING, c->server_requests.items[i]);
	server_state_write_authorization(page, server);
	if (is_long && stderr_lines > 0)
		server_state_write_stderr(page,
		    "stderr since the call started:", server_stderr_tail(server, c), stderr_lines);
}

void
call_state_draw_running(const struct view_env *env, struct surface s)
{
	const struct call *c = workspace_call(env->ws);
	struct page page = { 0 };

	draw_clock(env, c, s);
	int y = draw_progress(c, s, 1);
	for (int lines = s.height - y; lines >= 0; lines--) {
		page_clear(&page);
		write_running(&page, env, c, lines);
		if ((int)page_rows(&page, s.width) <= s.height - y)
			break;
	}
	page_draw(&page, surface_sub(s, 0, y, s.width, s.height - y), ROLE_NONE, env->focused);
	page_finish(&page);
}

int
call_state_running_rows(const struct view_env *env, int width)
{
	const struct call *c = workspace_call(env->ws);
	struct page page = { 0 };

	write_running(&page, env, c, STDERR_LINES);
	int rows = 1 + (c->progress != NULL) + (int)page_rows(&page, width);
	page_finish(&page);
	return rows;
}

/* ---- a call without a result ---- */

const char *
call_state_help(const struct call *c)
{
	if (c->wants_legacy)
		return "this server can send requests only in the legacy era: O calls again in it";
	return c->state == CALL_TIMED_OUT ? ":timeout 5m gives the next call more time"
					  : call_explain(c);
}

static void
write_failed(struct page *page, const struct call *c)
{
	bool cancelled = c->state == CALL_CANCELLED; /* by the user, not a failure */
	bool timed_out = c->state == CALL_TIMED_OUT && c->error_text; /* has the duration */
	struct buf text = BUF_INIT;

	buf_add_str(&text, cancelled ? "– " : "✗ ");
	if (timed_out) {
		buf_add_str(&text, c->error_text);
	} else {
		call_add_state(c, &text);
		buf_addf(&text, " after %s", pane_duration(call_elapsed_us(c, 0)).text);
	}
	page_text(page, 0, cancelled ? ROLE_DIM : ROLE_ERROR, buf_text(&text));
	if (!timed_out && c->error_text && c->error_text[0] &&
	    strcmp(c->error_text, CALL_CANCEL_REASON) != 0)
		page_text(page, 0, ROLE_TEXT, c->error_text);
	if (call_state_help(c))
		page_text(page, 0, ROLE_HINT, call_state_help(c));
	for (size_t i = 0; i < c->server_requests.len; i++)
		page_text(page, 0, ROLE_WARNING, c->server_requests.items[i]);
	if (c->stderr_tail)
		server_state_write_stderr(
		    page, "last lines of stderr:", c->stderr_tail, STDERR_LINES);
	buf_clear(&text);
	if (c->value) { /* the error object: code, message and data */
		json_print_pretty(&text, c->value, 2);
		bool is_cut = text.len > VALUE_MAX;
		if (is_cut)
			buf_truncate(&text, VALUE_MAX);
		page_text(page, 0, ROLE_DIM, buf_text(&text));
		if (is_cut)
			page_text(page, 0, ROLE_HINT, "… w shows the rest");
	}
	buf_finish(&text);
}

void
call_state_write(struct page *page, const struct view_env *env)
{
	const struct server_info *info = env->ws->server ? server_info(env->ws->server) : NULL;
	const struct call *c = workspace_call(env->ws);

	if (c) {
		write_failed(page, c);
		if (info->phase >= SERVER_FAILED && info->trouble[0] &&
		    !strstr(c->error_text ? c->error_text : "", info->trouble))
			server_state_write_trouble(page, env, STDERR_LINES);
		return;
	}
	if (!info || !env->ws->desk)
		return;
	if (info->phase >= SERVER_FAILED)
		server_state_write_trouble(page, env, STDERR_LINES);
	else if (workspace_primitive(env->ws) && info->phase == SERVER_READY)
		page_text(page, 0, ROLE_HINT,
		    env->ws->desk->form ? primitive_words_of(env)->idle : "cannot be called");
}
