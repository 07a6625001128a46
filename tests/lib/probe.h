/* SPDX-License-Identifier: MIT */
#ifndef TESTS_PROBE_H
#define TESTS_PROBE_H

#include "base/buf.h"
#include "mcp/session.h"
#include "mcp/primitive.h"

#define PROBE_WATCHES 16

/* A session without a server. Records the lines it sends and the events it reports, and exports
 * them as JSON. */
struct probe {
	struct session *session;
	struct lister listers[PRIMITIVE_KINDS];
	int64_t now_ms;
	uint64_t stream; /* stream of the server's lines */
	bool in_session; /* whether the server opened a session over HTTP */
	struct {
		char **items;
		size_t len, cap;
	} sent;
	struct {
		char **items; /* transport data of each sent line, as JSON */
		size_t len, cap;
	} facts;
	struct {
		enum watch_kind kind;
		char *key;
	} watched[PROBE_WATCHES]; /* by actions */
	size_t watched_count;
	size_t expected; /* number of sent lines already checked */
	bool answers;    /* whether server requests wait for an action; otherwise refused */
	/* JSON values, each followed by a comma */
	struct buf lines, replies, progress, asked, questions, gone, notifications, notes;
};

void probe_init(struct probe *p, const struct session_options *options);
void probe_finish(struct probe *p);

void probe_say(struct probe *p, const char *line, size_t len); /* the server sends a line */
void probe_wait(struct probe *p, int64_t ms);                  /* runs timers when they are due */
/* "start", "close", "list [KINDS]" (tools), "call NAME ARGUMENTS", "request METHOD PARAMS", "cancel
 * ID REASON", "lost HOW ID STATUS TEXT", "watch task|resource KEY", "unwatch ...", "level
 * LEVEL", "task ID REQUESTS" (its inputRequests), "answer ID RESULT", "refuse ID TEXT", "roots",
 * "session" (by HTTP the server has opened one),
 * "stream ID" (by HTTP the server's next lines come with the answer to this request; 0: alone).
 * False: no such action. */
bool probe_do(struct probe *p, const char *action);
const char *probe_next_sent(struct probe *p); /* NULL if no more lines were sent */
/* Return facts of the last line from probe_next_sent(): version, modern, name, cancels, params. */
const char *probe_facts(const struct probe *p);
/* Return the state of the session, its tools and all events; see probe.c. Free with
 * json_doc_destroy(). */
struct json_doc *probe_snapshot(const struct probe *p);

#endif
