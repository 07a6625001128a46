#include "pane_text.h"

#include "base/last_words.h"
#include "base/mem.h"
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

/* HTTP servers were not started by us. */
static const char *
name_restart(const struct server *server)
{
	return server_is_remote(server)
		   ? "R reconnects, w shows the messages, S lists the servers"
		   : "R restarts it, w shows the messages, S lists the servers";
}

void
server_state_write_trouble(struct page *page, const struct server *server)
{
	struct buf text = BUF_INIT;
	bool ended = server_info(server)->phase == SERVER_EXITED;

	server_state_write_authorization(page, server);
	buf_addf(&text, "✗ %s: %s",
	    !ended                     ? "not connected"
	    : server_is_remote(server) ? "the connection ended"
				       : "the server ended",
	    server_info(server)->trouble);
	page_text(page, 0, ROLE_ERROR, buf_text(&text));
	buf_finish(&text);
	page_text(page, 0, ROLE_HINT, name_restart(server));
	if (server_stderr_tail(server, NULL)[0])
		page_gap(page);
	server_state_write_stderr(
	    page, "last lines of stderr:", server_stderr_tail(server, NULL), STDERR_LINES);
}

void
server_state_write_stderr(struct page *page, const char *title, const char *tail, int lines)
{
	struct last_words words = last_words_of(tail, (size_t)lines);

	if (!*tail)
		return;
	page_text(page, 0, ROLE_DIM, title);
	if (words.why) {
		char *why = mem_strndup(words.why, words.why_len);
		page_text(page, 0, ROLE_ERROR, why);
		page_text(page, 0, ROLE_HINT, "… w shows all of it");
		free(why);
	}
	page_text(page, 0, ROLE_TEXT, words.tail);
}

void
server_state_write_wait(struct page *page, const struct server *server, uint64_t request)
{
	const struct session *session = server_info(server)->session;
	struct buf text = BUF_INIT;
	char wait[120];

	if (session && session_describe_wait(session, request, wait, sizeof(wait))) {
		buf_addf(&text, "waiting for: %s", wait);
		page_text(page, 0, ROLE_DIM, buf_text(&text));
	}
	buf_finish(&text);
}

/* The first start of a package takes a while, and says nothing. */
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
write_opening(struct page *page, const struct server *server)
{
	if (server_state_write_authorization(page, server))
		return;
	page_text(page, 0, ROLE_ACCENT,
	    server_info(server)->phase == SERVER_LISTING     ? "◐ connected, listing the tools"
	    : server_info(server)->phase == SERVER_UNPACKING ? "◐ unpacking the bundle"
	    : server_is_remote(server)                       ? "◐ waiting for the first response"
				       : "◐ started, waiting for the first response");
	server_state_write_wait(page, server, 0);
	if (server_info(server)->phase == SERVER_STARTING && may_download(server))
		page_text(page, 0, ROLE_HINT, "the first start may have to download the package");
	page_text(page, 0, ROLE_HINT, name_restart(server));
}

void
server_state_write(struct page *page, const struct pane_env *env)
{
	const struct server *server = env->ws->server;
	enum server_phase phase = server ? server_info(server)->phase : SERVER_IDLE;

	if (!server)
		page_text(page, 0, ROLE_HINT, "no server is connected: S lists them");
	else if (phase == SERVER_IDLE)
		page_text(page, 0, ROLE_HINT, "not connected: R connects");
	else if (phase >= SERVER_FAILED)
		server_state_write_trouble(page, server);
	else if (phase != SERVER_READY)
		write_opening(page, server);
	else if (env->ws->tab_chosen || server_info(server)->lists[env->ws->tab].list.len == 0)
		primitive_write_empty(page, env, env->ws->tab);
	else
		page_text(page, 0, ROLE_HINT, "nothing is selected");
}

void
pane_draw_server_state(const struct pane_env *env, struct surface s)
{
	struct page page = { 0 };

	server_state_write(&page, env);
	page_draw(&page, s, ROLE_NONE, env->focused);
	page_finish(&page);
}
