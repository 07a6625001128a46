#ifndef HOST_LINK_PRIV_H
#define HOST_LINK_PRIV_H

#include "host/target.h"
#include "net/http.h"
#include "net/stdio.h"

/* The way to a server, whatever it is: a process and its streams, or HTTP. */
struct link;

struct link_options {
	const struct target *target;
	struct child_ladder ladder;
	size_t max_message;
	int64_t timeout_ms; /* of a request; what comes before its answer has to take less. 0:
			       default */
	bool events;        /* HTTP+SSE of 2024-11-05 */
	struct http_auth auth;
};

/* As those of net/stdio.h and net/http.h. */
struct link_events {
	void (*on_line)(void *user, struct frame_line line);
	void (*on_stderr)(void *user, const char *bytes, size_t len);
	void (*on_lost)(void *user, const struct lost *lost);
	void (*on_note)(void *user, const char *text);
	void (*on_reach)(void *user, const char *trouble); /* of HTTP */
	void (*on_closed)(void *user, const struct link *link, const char *how);
};

struct link *link_create(struct loop *loop, const struct link_options *options,
    const struct link_events *events, void *user, struct err *err);
void link_destroy(struct link *link); /* NULL-safe; also from its callbacks */
void link_send(struct link *link, const struct outbound *message);
void link_hold(struct link *link, bool held);
/* HTTP: ends the session; then on_closed. False: there is nothing to wait for. */
bool link_close(struct link *link, int64_t grace_ms);
long link_pid(const struct link *link);          /* 0: it is no process */
struct http *link_http(const struct link *link); /* NULL: it is a process */

#endif
