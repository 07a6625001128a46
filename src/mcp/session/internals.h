/* SPDX-License-Identifier: MIT */
#ifndef MCP_SESSION_INTERNALS_H
#define MCP_SESSION_INTERNALS_H

#include "base/buf.h"
#include "base/strings.h"
#include "json/doc.h"
#include "json/write.h"
#include "mcp/events.h"
#include "mcp/param_headers.h"
#include "mcp/session.h"

/* Private to src/mcp: the session, its requests in both directions, and the protocol eras. */

#define MODERN_VERSION "2026-07-28"
#define LEGACY_VERSION "2025-11-25"
#define META_VERSION "io.modelcontextprotocol/protocolVersion"
#define EXTENSION_TASKS "io.modelcontextprotocol/tasks"
#define SESSION_TEXT_MAX 400

struct incoming;

/* ---- era.c ---- */

enum { ERAS_LEGACY = 1, ERAS_MODERN = 2, ERAS_BOTH = 3 };
enum { FROM_CLIENT = 1, FROM_SERVER = 2, FROM_BOTH = 3 };
/* ONLY_READS: idempotent. */
enum { MAY_REPORT = 1, MAY_WANT_INPUT = 2, ONLY_READS = 4, MAY_BE_TASK = 8 };

typedef void message_fn(struct session *s, const struct message *m);

struct method {
	const char *name;
	unsigned eras, from, traits;
	const char *subject; /* the member of params that is Mcp-Name; NULL: none */
	/* Handles it if the server sends it. NULL: the owner gets a notification, and a request is
	 * answered with "Method not found". */
	message_fn *on_message;
};

const struct method *method_find(const char *name); /* NULL if MCP has no such method */

/* A protocol era: its handshake, the envelope of its requests, the types of its results. */

enum result_type { RESULT_COMPLETE, RESULT_INPUT_REQUIRED, RESULT_TASK, RESULT_UNKNOWN };

struct era {
	bool modern;
	const char *handshake; /* the method */
	/* May be NULL. */
	void (*write_handshake)(const struct session *s, struct json_writer *params);
	/* Return the flaw of a handshake result; NULL: valid. */
	const char *(*handshake_flaw)(const cJSON *result);
	/* Reads protocol and server_info from the result, which is in s->init_message. */
	void (*read_init_result)(struct session *s, const cJSON *result);
	enum result_type (*classify)(const cJSON *result);
	const char *(*result_flaw)(const cJSON *result);
};

extern const struct era era_legacy, era_modern;

/* Returns the version as a constant; NULL if it is not a legacy version. */
const char *era_legacy_version(const char *version);
/* Writes protocol version, client capabilities and client info (2026-07-28). */
void era_write_envelope(const struct session *s, struct json_writer *meta);

/* ---- request.c ---- */

/*
 * The requests that we sent, from the first attempt to the reply. Each has one record in the
 * session's table until its reply. It may be sent again, or wait for input, off the wire. The
 * messages that ended most recently are remembered, so that a late or second response is
 * recognized.
 */
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

/* ---- internal_request.c ---- */

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

/* ---- session.c ---- */

/* A received message, classified and checked, before the session acts on it. */
struct incoming {
	struct blob *bytes;   /* borrowed */
	struct json_doc *doc; /* owned until a reply takes it; NULL if it is not JSON */
	struct message message;
	const char *method; /* as in struct session_line */
	uint64_t id;        /* the open request that it answers or reports on; 0: none */
	uint64_t request;   /* the request's number for the owner, known even after it ended */
	bool stray;         /* a notification of a subscription that is not ours */
	char flaw[200];     /* "" if it has none */
};

struct session {
	struct session_events events;
	void *user;
	enum session_era wanted_era;
	enum session_transport transport;
	bool onlooker;
	char *client_name, *client_version;
	int64_t timeout_ms, max_timeout_ms;
	struct session_capabilities can;
	struct session_extension *extensions; /* of can */
	struct strings extension_texts;

	struct session_info info;
	struct {
		struct buf members; /* without braces */
		bool has_trace;
		uint8_t seed[SESSION_SEED_BYTES];
	} meta;
	char traceparent[56]; /* last sent */
	int64_t now_ms;
	uint64_t stream; /* of the message being handled, as in struct raw_message */
	bool in_session; /* likewise */
	struct requests requests;
	struct {
		struct server_request *items;
		size_t len, cap;
		uint64_t last_id;
	} server_requests;

	const struct era *era; /* of the handshake, then of the session */
	struct internal_requests internal;
	bool tried_modern, tried_legacy;
	bool version_retried;
	bool needs_session; /* the legacy era is tried because the server sends requests */
	int renewals;       /* of the session since the last good answer */
	char failure[SESSION_TEXT_MAX];

	char requested_version[32];    /* in initialize */
	struct json_doc *init_message; /* the answer to the handshake; info points into it */
	char protocol[32];
};

/* ---- request.c: the table ---- */
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
/* Return an id of ours, which must be a whole number; 0 if it is not. */
uint64_t read_request_id(const cJSON *id);
/* NULL: it is on the wire, was never used, or ended too long ago to be remembered. */
const struct ended_message *requests_find_ended(const struct requests *t, uint64_t rpc_id);
/* Return the expired request that was sent first, or NULL. */
struct request *requests_expired(const struct requests *t, int64_t now_ms);
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
void transport_error_describe(const struct transport_error *error, char *out, size_t size);

/* ---- internal_request.c: requests of the session itself ---- */
void internal_request_on_answer(struct session *s, struct request *r, struct incoming *in);
void internal_request_on_timeout(struct session *s, struct request *r);
void internal_request_on_transport_error(
    struct session *s, struct request *r, const struct transport_error *error);
void internal_request_close(struct session *s); /* ends all of them */
void internal_request_on_time(struct session *s);
/* While it is open; else NULL. */
struct request *handshake_request(const struct session *s);
/* Initializes again after the server forgot the session, a few times; open requests stay open. */
void handshake_renew(struct session *s, const struct transport_error *error);

/* ---- internal_request.c: subscriptions/listen, resources/subscribe ---- */
message_fn subscription_on_acknowledged;
/* The server ended a subscription by notifications/cancelled; false if the id is not one of ours.
 */
bool subscription_on_cancelled(struct session *s, const struct message *m);
/* Return the flaw of a notification that needs a subscription, or NULL; *stray: its subscription is
 * not ours. */
const char *subscription_flaw(const struct session *s, const struct message *m, bool *stray);

/* ---- server_request.c ---- */

/*
 * A request for the user's input that is still open: a JSON-RPC request of the server (until
 * 2025-11-25) or one of the input requests in an InputRequiredResult, which are all answered at
 * once.
 */
struct server_request {
	uint64_t id;
	uint64_t request; /* our request it belongs to; 0: unknown */
	char *method;
	char *message; /* for the report; may be NULL */
	char *rpc_id;  /* of the JSON-RPC request, as JSON; NULL for an input request */
	char *key;     /* in inputRequests; NULL if it has none */
	char *answer;  /* the result given for an input request; NULL: none yet */
};

/* Remove all that belong to our request (0: all of them), and notify the server and the owner. */
void server_request_drop_all(struct session *s, uint64_t request, const char *why);
void server_request_finish(struct session *s);

/* Handlers of incoming requests. */
void server_request_take(struct session *s, const struct message *m);
void server_request_ping(struct session *s, const struct message *m);
void server_request_unknown(struct session *s, const struct message *m); /* not a method of MCP */
void server_request_out_of_place(struct session *s, const struct message *m); /* in 2026-07-28 */
/* An onlooker only: the client has answered one. */
void server_request_watch_answer(struct session *s, const struct message *m);
/* notifications/cancelled; false if no such request is open. */
bool server_request_cancelled(struct session *s, const struct message *m);

/* ---- input required ---- */
/* The result requires input: asks for it, or ends our request. */
void input_required_on_result(struct session *s, struct incoming *in);
/* The error wants the user to visit URLs first (2025-11-25). False: it does not, or it is
 * malformed. */
bool input_required_on_error(struct session *s, struct incoming *in);

/* ---- messages of the user ---- */
/* A message that the user wrote. If it is a request, its reply is expected; a failure to send it is
 * reported. */
struct request_by_hand {
	uint64_t number; /* for the owner and the transport; 0: unused */
	char *id;        /* JSON text of any type; NULL: not a request */
	uint64_t rpc_id; /* the same as an integer; 0: it is not one */
	char *method;
	bool answered; /* or lost */
};
/* The user's newest request with this id; NULL: none is remembered. */
struct request_by_hand *requests_find_by_hand(const struct requests *t, const cJSON *id);
struct request_by_hand *requests_by_hand_of(const struct requests *t, uint64_t number);

/* Handlers of notifications. */
void incoming_progress(struct session *s, const struct message *m);
void incoming_cancelled(struct session *s, const struct message *m);

/* ---- outgoing.c ---- */
/* The message `r->rpc_id`. */
void outgoing_request(struct session *s, const struct request *r, const struct request_args *args);
void outgoing_cancel(struct session *s, const struct request *r, const char *reason);
void outgoing_notification(struct session *s, const char *method);
/* The response to a server request: MESSAGE_RESULT or MESSAGE_ERROR, with its body. All as JSON. */
void outgoing_answer(struct session *s, const char *method, const char *rpc_id,
    enum message_kind kind, const char *body, size_t len);
void outgoing_refusal(
    struct session *s, const char *method, const char *rpc_id, int code, const char *text);

/* ---- session.c ---- */
/* Passes one line of text to on_note. */
void session_note(struct session *s, uint64_t request, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The message and code of an error, or the reason why the message is not an answer. */
void text_of_error(const struct message *m, char *out, size_t size);

#endif
