#ifndef TESTS_PROBE_H
#define TESTS_PROBE_H

#include "base/buf.h"
#include "mcp/session.h"
#include "mcp/lister.h"

#define PROBE_WATCHES 16

/* A session without a server: keeps what it sends and what it tells, and shows all of it as JSON.
 */
struct probe {
	struct session *session;
	struct lister listers[PRIMITIVE_KINDS];
	int64_t now_ms;
	uint64_t stream; /* of what the server says */
	bool in_session; /* likewise: over HTTP it has opened one */
	struct {
		char **items;
		size_t len, cap;
	} sent;
	struct {
		char **items; /* what a transport had to know of each sent line, JSON */
		size_t len, cap;
	} facts;
	struct {
		enum watch_kind kind;
		char *key;
	} watched[PROBE_WATCHES]; /* by the actions */
	size_t watched_count;
	size_t expected; /* sent lines already looked at */
	bool answers;    /* takes questions, which wait for an action; else they are refused */
	/* JSON values, comma after each */
	struct buf lines, replies, progress, asked, questions, gone, notifications, notes;
};

void probe_init(struct probe *p, const struct session_options *options);
void probe_finish(struct probe *p);

void probe_say(struct probe *p, const char *line, size_t len); /* the server says */
void probe_wait(struct probe *p, int64_t ms); /* time passes, every timer on its time */
/* "start", "close", "list [KINDS]" (tools), "call NAME ARGUMENTS", "request METHOD PARAMS", "cancel
 * ID REASON", "lost HOW ID STATUS TEXT", "watch task|resource KEY", "unwatch ...", "level
 * LEVEL", "task ID REQUESTS" (what it asks for), "answer ID RESULT", "refuse ID TEXT", "roots",
 * "session" (by HTTP the server has opened one),
 * "stream ID" (by HTTP the server's next lines come with the answer to this request; 0: alone).
 * False: no such action. */
bool probe_do(struct probe *p, const char *action);
const char *probe_next_sent(struct probe *p); /* NULL: nothing more was sent */
/* Of the line probe_next_sent() gave last: version, modern, name, cancels, params. */
const char *probe_facts(const struct probe *p);
/* What is known of the session, the tools and all that happened: see probe.c. Caller destroys. */
struct json_doc *probe_snapshot(const struct probe *p);

#endif
