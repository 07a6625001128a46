#ifndef HOST_CONNECTION_H
#define HOST_CONNECTION_H

#include "host/authorizer.h"
#include "config/target.h"
#include "loop/worker.h"
#include "model/server.h"
#include "net/http.h"
#include "net/stdio.h"

/*
 * A server that runs, or is reached by HTTP: its transport and what is known of it
 * (struct server), joined by the event loop. Times out, restarts and ends by itself.
 */
struct connection;

struct connection_options {
	struct server_options server;
	struct child_ladder ladder;
	size_t max_message_bytes; /* 0: CONNECTION_MAX_MESSAGE */
	/* Of one reached by HTTP: how it is authorized; flow.server_url is the target's. Borrowed
	 * for connection_create(). NULL: a refusal is the end. */
	const struct authorizer_options *authorize;
	/* AUTHORIZER_OPENS: what to tell the user, and the address for the browser, or NULL. May be
	 * NULL itself. */
	void (*on_authorize)(void *user, const char *text, const char *url);
	bool keeps_tasks; /* between runs: see host/task_store.h */
	/* An HTTP+SSE session whose stream ended is begun anew, a few times one after the other. */
	bool reopens;
	struct worker *worker; /* for what is big; must outlive the connection. NULL: all at once */
};

/* A line longer than this is not kept whole: its head is, and the journal says so. */
#define CONNECTION_MAX_MESSAGE ((size_t)64 << 20)
#define CONNECTION_FAREWELL_MS 300

/* target is borrowed and must outlive the connection; options are copied. on_change is called after
 * anything that may have changed the server. Nothing is started. */
struct connection *connection_create(struct loop *loop, const struct target *target,
    const struct connection_options *options, void (*on_change)(void *user), void *user);
void connection_destroy(struct connection *c); /* stops the process in the background */

/* Starts the process or the HTTP session, or ends the one that runs and starts another. A failure
 * is also in the server's state. */
bool connection_start(struct connection *c, struct err *err);
/* Ends it; starting it again is fine. False: there was nothing to end. */
bool connection_stop(struct connection *c);
struct server *connection_server(const struct connection *c);
const struct target *connection_target(const struct connection *c);
long connection_pid(const struct connection *c); /* of its process; 0: it has none now */
struct authorizer *connection_authorizer(const struct connection *c); /* NULL: it has none */
/* Something was refused for want of authorization since the last start. */
bool connection_is_forbidden(const struct connection *c);
/* Ends an HTTP session in the background; of a process, nothing. */
void connection_close(struct connection *c);
/* Before the program's end: closes them all (each may be NULL) and turns the loop until the servers
 * have heard of it, CONNECTION_FAREWELL_MS at most. */
void connection_farewell(struct loop *loop, struct connection *const *connections, size_t count);
/* To be called after the server was asked for something outside of the connection's own events. */
void connection_touch(struct connection *c);

#endif
