/* SPDX-License-Identifier: MIT */
#include "pane_text.h"

#include "base/last_words.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "pane/tools/tools.h"

#include <stdlib.h>
#include <string.h>

bool
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

enum { STDERR_MOST = 100 };

static void
write_keys(struct page *page, const struct view_env *env)
{
	page_text(page, 0, ROLE_HINT,
	    server_is_remote(env->ws->server)
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
	bool remote = server_is_remote(server);
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

void
server_state_write_trouble(struct page *page, const struct view_env *env, int lines)
{
	const struct server *server = env->ws->server;
	bool ended = server_info(server)->phase == SERVER_EXITED;

	server_state_write_authorization(page, server);
	page_textf(page, 0, ROLE_ERROR, "✗ %s: %s",
	    !ended                     ? "not connected"
	    : server_is_remote(server) ? "the connection ended"
				       : "the server ended",
	    server_info(server)->trouble);
	write_keys(page, env);
	write_output(page, server, lines);
}

static void
write_part(struct page *page, enum role role, const char *text, size_t len)
{
	char *part = mem_strndup(text, len);

	if (len > 0)
		page_text(page, 0, role, part);
	free(part);
}

/* The lines that name the cause are in the role of errors, in place or above the last lines. */
void
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

void
server_state_write_wait(struct page *page, const struct server *server, uint64_t request)
{
	const struct session *session = server_info(server)->session;
	char wait[120];

	if (session && session_describe_wait(session, request, wait, sizeof(wait)))
		page_textf(page, 0, ROLE_DIM, "waiting for: %s", wait);
}

/* Return whether the command may download a package first, silently. */
static bool
may_download(const struct server *server)
{
	static const char *const programs[] = { "npx", "uvx", "bunx", "pnpx", "pipx", "dnx",
		"docker", "podman" };
	const char *label = server_info(server)->label;
	size_t len = strcspn(label, " ");

	for (size_t i = 0; i < ARRAY_LEN(programs); i++)
		if (strlen(programs[i]) == len && memcmp(programs[i], label, len) == 0)
			return true;
	return false;
}

static void
write_opening(struct page *page, const struct view_env *env, int lines)
{
	const struct server *server = env->ws->server;

	if (server_state_write_authorization(page, server))
		return;
	page_textf(page, 0, ROLE_ACCENT, "◐ %s, %s",
	    server_info(server)->phase == SERVER_LISTING     ? "connected, listing the tools"
	    : server_info(server)->phase == SERVER_UNPACKING ? "unpacking the bundle"
	    : server_is_remote(server)                       ? "waiting for the first response"
				       : "started, waiting for the first response",
	    pane_duration(env->now_us - server_busy_since_us(server)).text);
	server_state_write_wait(page, server, 0);
	if (server_info(server)->phase == SERVER_STARTING && may_download(server))
		page_text(page, 0, ROLE_HINT, "the first start may have to download the package");
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
