/* SPDX-License-Identifier: MIT */
#ifndef MCP_REQUEST_REQUEST_H
#define MCP_REQUEST_REQUEST_H

#include "base/buf.h"
#include "json/doc.h"
#include "mcp/events.h"
#include "mcp/param_headers.h"
#include "mcp/session.h"

/*
 * The requests that we sent, from the first attempt to the reply. Each has one record in the
 * session's table until its reply. It may be sent again, or wait for input, off the wire. The
 * messages that ended most recently are remembered, so that a late or second response is
 * recognized.
 */
struct session;
struct incoming;
struct request_by_hand;
struct json_writer;
struct message;
struct method;
struct transport_error;

enum request_state {
	REQUEST_NEW,
	REQUEST_SENT,
	REQUEST_FORGOTTEN,   /* by the server, with its session; sent again in the new one */
	REQUEST_NEEDS_INPUT, /* not on the wire: see server_request/server_request.c */
	/* how a message ended */
	REQUEST_ANSWERED,
	REQUEST_CANCELLED,
	REQUEST_TIMED_OUT,
	REQUEST_BROKEN, /* by a transport error */
	REQUEST_RESENT,
};

struct request {
	uint64_t id;     /* for the owner; also the JSON-RPC id of the first attempt */
	uint64_t rpc_id; /* of the message on the wire, and its progress token; 0: none */
	enum request_state state;
	bool internal;              /* the session's own: the owner never hears of it */
	char *method;               /* owned */
	const struct method *known; /* NULL: MCP has no such method */
	int64_t deadline_ms;        /* progress moves it, but never past limit_ms */
	int64_t limit_ms;
	bool has_progress;
	double progress; /* the last value reported */

	char *watched_id, *watched_token; /* as JSON; an onlooker only; NULL: none */
	uint64_t watched_stream;          /* that carried it; 0: unknown */

	/* to send it again */
	bool may_resend;    /* if not, the members are not kept */
	struct buf members; /* of params, without braces and _meta; see raw_params */
	struct buf last;    /* the members last sent if they differ; else empty */
	struct param_headers headers;
	bool raw_params;     /* members is the text of params, valid or not */
	bool non_idempotent; /* never sent again unless the user does */
	int rounds;          /* of input so far */
	int reissued;        /* after transport errors */

	/* the input that the server requires before it can answer */
	struct {
		struct json_doc *doc; /* the message that required the input */
		struct blob *bytes;
		const cJSON *value;
		bool asking;     /* its input requests are just being passed to the owner */
		bool refused;    /* one of them was */
		bool by_error;   /* the server wants the user to visit URLs: -32042 */
		int64_t left_ms; /* of its time limit */
	} input;
};

struct ended_message {
	uint64_t rpc_id, request;
	enum request_state how;
	char method[40]; /* may be cut */
};

#define REQUESTS_REMEMBERED 64

/* Ids count up from 1 and are never reused; those of the user are left out. Zeroed memory is an
 * empty table. */
struct requests {
	struct request **items; /* by id; a record keeps its address */
	size_t len, cap;
	uint64_t last_id;
	struct ended_message ended[REQUESTS_REMEMBERED]; /* a ring; rpc_id 0: unused */
	size_t next_ended;
	struct request_by_hand *by_hand; /* as many, a ring too; NULL: none yet */
	size_t next_by_hand;
};

/* ---- the table ---- */
void requests_finish(struct requests *t);
struct request *requests_add(struct requests *t, const char *method);
struct request *requests_find(const struct requests *t, uint64_t id);
struct request *requests_find_message(const struct requests *t, uint64_t rpc_id);
/* Find a request of another client by its id or token, preferably the one with this rpc_id. */
struct request *requests_find_watched(
    const struct requests *t, const cJSON *id, bool by_token, uint64_t rpc_id);
/* An internal one of this method. */
struct request *requests_find_internal(const struct requests *t, const char *method);
/* Puts it on the wire under an id never used before. */
void requests_send(struct requests *t, struct request *r, int64_t deadline_ms, int64_t limit_ms);
/* Its message ended, but the request stays open. */
void requests_leave_wire(struct requests *t, struct request *r, enum request_state how);
void requests_end(struct requests *t, struct request *r, enum request_state how);
uint64_t requests_next_id(struct requests *t); /* never used before, by us or by the user */
/* NULL: it is on the wire, was never used, or ended too long ago to be remembered. */
const struct ended_message *requests_find_ended(const struct requests *t, uint64_t rpc_id);
/* The earliest time a request expires; INT64_MAX for never. */
int64_t requests_next_time(const struct requests *t);
/* Return the expired request that was sent first, or NULL. */
struct request *requests_expired(const struct requests *t, int64_t now_ms);
/* Extend all deadlines by the time during which nothing could be answered. */
void requests_extend_deadlines(struct requests *t, int64_t ms);
/* On progress: moves the deadline to now + timeout, but not past the limit. */
void request_restart(struct request *r, int64_t now_ms, int64_t timeout_ms);
/* It was not the server's turn: the whole timeout from now, even past the limit. */
void request_renew_deadline(struct request *r, int64_t now_ms, int64_t timeout_ms);
/* a + b, saturating at INT64_MAX. */
int64_t time_add(int64_t a, int64_t b);

/* ---- the life of a request ---- */
/* A message to send; borrowed, except that the request takes the contents of headers. */
struct request_args {
	const char *method;
	const char *members; /* of params, without braces; NULL: none */
	size_t len;
	struct param_headers *headers; /* of a tool's arguments; may be NULL */
	int64_t limit_ms;              /* 0: the session's maximum from now */
	bool internal;
	bool never_expires;
	bool raw_params; /* members is the text of params, valid or not */
	bool non_idempotent;
	bool with_envelope; /* add the modern _meta although the era is legacy */
};

/* Adds a request and sends it; returns its id. */
uint64_t request_open(struct session *s, const struct request_args *args);
/* Sends the request `id` again, under a new JSON-RPC id: with its last members or its own. limit_ms
 * 0: its limit stays. */
void request_resend(struct session *s, uint64_t id, int64_t limit_ms);
void request_on_answer(struct session *s, struct incoming *in);
void request_time_out(struct session *s, struct request *r);
/* Ends a request of the owner, who gets the reply: the message in, or if the request needs input,
 * the message that required it. in may be NULL. */
void request_end(struct session *s, uint64_t id, enum request_state how, enum reply_kind kind,
    struct incoming *in, const char *text);
/* Ends all requests of the owner. */
void request_end_all(struct session *s, enum reply_kind kind, const char *text);
/* "timed out after 60 s (first byte, for 60.0 s)". */
void request_describe_timeout(struct session *s, const struct request *r, char *out, size_t size);

/* ---- transport errors ---- */
void transport_error_take(struct session *s, const struct transport_error *error);
void transport_error_describe(const struct transport_error *error, char *out, size_t size);
/* Sends them again in the new session. */
void retry_forgotten(struct session *s);

/* ---- internal_request.c: requests of the session itself ---- */
/* A resource or task to get notifications about. */
struct watch {
	enum watch_kind kind;
	char *key; /* URI or task id */
	enum watch_state state;
	uint64_t request; /* resources/subscribe, before 2026-07-28; 0 once answered */
};

struct internal_requests {
	struct {
		struct watch *items;
		size_t len, cap;
	} watches;
	uint64_t listen;       /* the request of the open subscription; 0: none */
	uint64_t listen_old;   /* the subscription it replaces, open until it is acknowledged */
	int64_t listen_due_ms; /* when to open it, or to replace it by one with another filter */
	int64_t listen_since_ms;
	int listen_failures; /* since a subscription lasted */
	bool acknowledged;
	int64_t ping_every_ms; /* 0: never */
	int64_t ping_due_ms;
	bool prefer_tasks;
};

void internal_request_init(struct session *s, int64_t ping_every_ms);
void internal_request_finish(struct session *s);
void internal_request_on_ready(struct session *s);
void internal_request_on_answer(struct session *s, struct request *r, struct incoming *in);
void internal_request_on_timeout(struct session *s, struct request *r);
void internal_request_on_transport_error(
    struct session *s, struct request *r, const struct transport_error *error);
void internal_request_close(struct session *s); /* ends all of them */
int64_t internal_request_next_time(const struct session *s);
void internal_request_on_time(struct session *s);
/* The log level of a request in 2026-07-28. */
void level_write_meta(const struct session *s, struct json_writer *meta, const char *method);

#endif
