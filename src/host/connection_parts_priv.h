#ifndef HOST_CONNECTION_PARTS_PRIV_H
#define HOST_CONNECTION_PARTS_PRIV_H

#include "host/connection.h"
#include "link_priv.h"
#include "reader_priv.h"

/* What the files of a connection share. */

struct connection {
	struct loop *loop;
	const struct target *target;
	struct connection_options options;
	struct server *server;
	struct link *link;    /* NULL: none */
	struct link *leaving; /* one before, taking its leave of the server */
	bool forbidden, over_events;
	struct reader reader;
	struct loop_timer timer;
	struct {
		struct loop_timer timer; /* set: it is opened again then */
		int times;               /* one after the other */
		int64_t opened_ms;       /* the link that is there */
	} again;
	struct authorizer *authorizer; /* NULL: none */
	uint64_t tasks_kept;           /* server_tasks_changes() that is on disk */
	void (*on_change)(void *user);
	void *user;
};

/* ---- connection.c ---- */
void connection_changed(struct connection *c); /* after everything that reaches the server */
void connection_on_note(void *user, const char *text);
struct http *connection_http(const struct connection *c); /* NULL: not reached by HTTP now */

/* ---- connection_link.c ---- */
void connection_link_init(struct connection *c);
/* Opens the way to the server and begins a session on it. */
bool connection_open(struct connection *c, struct err *err);
/* Leaves the server, which by HTTP hears of it; what was still being read is dropped. */
void connection_leave(struct connection *c);
void connection_send(void *user, const struct outbound *message);

/* ---- connection_auth.c ---- */
void connection_add_authorizer(struct connection *c);
/* A server's words without the token, where they repeat it. Caller frees; NULL gives NULL. */
char *connection_hide(const struct connection *c, const char *text, size_t len);

#endif
