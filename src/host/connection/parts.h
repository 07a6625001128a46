#ifndef HOST_CONNECTION_PARTS_H
#define HOST_CONNECTION_PARTS_H

#include "host/connection.h"
#include "net/transport.h"

struct reading;

/* Reads the lines of one stream in order. A large line is parsed in a thread while later lines
 * wait. */
struct line_reader {
	struct worker *worker; /* NULL: no threads */
	/* Takes ownership of the line's content. */
	void (*on_line)(void *user, struct raw_message *line);
	void (*on_busy)(void *user); /* line_reader_busy() changed */
	void *user;
	/* its own */
	struct reading *reading;
	struct {
		struct raw_message *items;
		size_t len, cap;
	} waiting;
};

/* Takes what the line holds. */
void line_reader_add(struct line_reader *r, struct raw_message *line);
/* Size of the line being parsed in a thread; 0: none. */
size_t line_reader_busy(const struct line_reader *r);
/* Drops everything unread; no callback follows. */
void line_reader_drop(struct line_reader *r);

/* Shared by the files of a connection. */

struct connection {
	struct loop *loop;
	const struct target *target;
	struct connection_options options;
	struct server *server;
	struct transport *transport; /* NULL: none */
	struct transport *leaving;   /* the previous transport, closing its session */
	bool forbidden, over_events;
	struct line_reader reader;
	struct loop_timer timer;
	struct {
		struct loop_timer timer; /* set: reopen at that time */
		int times;               /* in a row */
		int64_t opened_ms;       /* the current transport */
	} again;
	struct authorizer *authorizer; /* NULL: none */
	uint64_t tasks_kept;           /* server_info()->task_changes at the last save */
	void (*on_change)(void *user);
	void *user;
};

/* ---- connection.c ---- */
void connection_changed(struct connection *c);   /* call after everything that reaches the server */
void connection_set_clock(struct connection *c); /* for the times in the journal */
void connection_on_wire_note(void *user, const char *text, uint64_t id); /* of the transport */

/* ---- wire.c ---- */
void connection_wire_init(struct connection *c);
/* Opens the transport and starts a session. */
bool connection_open(struct connection *c, struct err *err);
/* Closes the transport, ending an HTTP session; drops unread input. */
void connection_leave(struct connection *c);
int64_t connection_event_us(const struct connection *c); /* the time of an event: now, or then */
void connection_send(void *user, const struct outbound *message);

/* Text from the server with our token replaced. Caller frees; NULL gives NULL. */
char *connection_hide(const struct connection *c, const char *text, size_t len);

#endif
