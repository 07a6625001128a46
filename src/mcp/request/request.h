#ifndef MCP_REQUEST_REQUEST_H
#define MCP_REQUEST_REQUEST_H

#include "mcp/session/internals.h"

/* The input that the server requires before it can answer: see server_request/input_required.c.
 * While a round waits for input, the call has no request on the wire. */
struct input_round {
	bool waiting;
	bool asking; /* its input requests are just being passed to the owner */
	bool refused;
	bool by_error;        /* the server wants the user to visit URLs: -32042 */
	struct json_doc *doc; /* the message that required the input */
	struct blob *bytes;
	const cJSON *value;
	int64_t left_ms; /* of its time limit */
};

/* Everything needed to send a request of the owner again. */
struct in_flight {
	uint64_t request;
	char *members; /* of params, without braces and _meta; with raw_params the text of params */
	size_t len;
	char *last; /* the members last sent if they differ; else NULL */
	size_t last_len;
	struct param_headers headers;
	bool raw_params;
	bool non_idempotent; /* never sent again unless the user does */
	bool parked;         /* until the new session is open */
	int rounds;          /* of input so far */
	int reissued;
	const char *method; /* a constant; NULL if MCP has no such method */
	struct input_round round;
};

/* ---- in_flight.c ---- */
/* Sends a request of the owner and keeps it if it may have to be sent again. Returns its id. */
uint64_t in_flight_send(struct session *s, const struct outgoing_request *r, bool non_idempotent);
/* Adds a request that goes out once its input is complete; takes the members. */
struct in_flight *in_flight_add_waiting(struct session *s, const char *method, struct buf *members);
struct in_flight *in_flight_find(struct session *s, uint64_t request);
void in_flight_remove(struct session *s, uint64_t request);
void in_flight_finish(struct session *s);
/* Keeps the members sent last in case the answer breaks; returns the copy. */
const char *in_flight_keep_last(struct in_flight *call, const char *members, size_t len);
size_t in_flight_waiting(const struct session *s); /* how many wait for input */
void in_flight_resend_parked(struct session *s);
void transport_error_take(struct session *s, const struct transport_error *lost);
void transport_error_describe(const struct transport_error *lost, char *out, size_t size);

/* ---- request.c ---- */
void request_on_answer(struct session *s, struct incoming *in);
void request_time_out(struct session *s, uint64_t id);
void request_close_all(struct session *s);
/* Did the session send it for itself, not for its owner? */
bool request_is_internal(const struct session *s, uint64_t id);
/* Ends all requests of the owner. */
void request_end_all(struct session *s, enum reply_kind kind, const char *text);
/* Ends the open request `id` and passes the reply to the owner; in may be NULL. */
void request_reply(struct session *s, uint64_t id, enum pending_end how, enum reply_kind kind,
    struct incoming *in, const char *text);
/* Ends a request that waits for input; the reply is the message that required the input. */
void request_reply_waiting(
    struct session *s, struct in_flight *call, enum reply_kind kind, const char *text);
/* "no answer in 1000 ms (first byte, for 1.0 s)". */
void text_of_timeout(struct session *s, uint64_t id, char *out, size_t size);

#endif
