/* SPDX-License-Identifier: MIT */
#ifndef HOST_CONNECTION_H
#define HOST_CONNECTION_H

#include "host/authorizer.h"
#include "host/target.h"
#include "loop/worker.h"
#include "client/server.h"

/*
 * A server that runs or is reached over HTTP: joins its transport and its model (struct server)
 * with the loop. Handles time-outs, restarts and shutdown.
 */
struct connection;

struct connection_options {
	struct server_options server;
	struct child_ladder ladder;
	size_t max_message_bytes; /* 0: CONNECTION_MAX_MESSAGE */
	/* For HTTP: how to authorize; flow.server_url comes from the target. Borrowed during
	 * connection_create(). NULL: a refusal is final. */
	const struct authorizer_options *authorize;
	/* AUTHORIZER_OPENS: the text for the user, and the address for the browser or NULL. May
	 * be NULL. */
	void (*on_authorize)(void *user, const char *text, const char *url);
	bool keeps_tasks; /* across runs: see host/stores.h */
	/* Reopen an HTTP+SSE session whose stream ended, a limited number of times in a row. */
	bool reopens;
	struct worker *worker; /* must outlive the connection; NULL: no threads */
};

/* Only the beginning of a longer line is kept, with a note in the journal. */
#define CONNECTION_MAX_MESSAGE ((size_t)64 << 20)
#define CONNECTION_FAREWELL_MS 300

/* target is borrowed and must outlive the connection; options are copied. on_change is called
 * after every possible change of the server. Does not start it. */
struct connection *connection_create(struct loop *loop, const struct target *target,
    const struct connection_options *options, void (*on_change)(void *user), void *user);
void connection_destroy(struct connection *c); /* stops the process in the background */

/* Starts the process or HTTP session, ending the current one if there is one. The server's state
 * records a failure too. */
bool connection_start(struct connection *c, struct err *err);
/* Stops it; it can be started again. False: it was not running. */
bool connection_stop(struct connection *c);

struct connection_info {
	struct server *server;
	const struct target *target;
	struct authorizer *authorizer; /* NULL: none */
	long pid;                      /* of its process; 0: no process */
	bool is_forbidden;             /* it refused authorization since the last start */
};
struct connection_info connection_info(const struct connection *c);

/* Ends an HTTP session in the background; does nothing for a process. */
void connection_close(struct connection *c);
/* Before exit: closes all connections (entries may be NULL) and runs the loop until the servers
 * are notified, at most CONNECTION_FAREWELL_MS. */
void connection_farewell(struct loop *loop, struct connection *const *connections, size_t count);
/* Call this after sending a request from outside the connection's own events. */
void connection_touch(struct connection *c);

#endif
