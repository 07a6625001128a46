#ifndef MCP_REQUEST_REQUEST_H
#define MCP_REQUEST_REQUEST_H

#include "mcp/session/state.h"

struct outgoing_request;

/* While a call waits for answers of ours nothing of it is on the wire: see input.c. */
struct round {
	bool waiting;
	bool asking; /* its questions are just being asked */
	bool refused;
	bool by_error;        /* the server wants URLs to be visited: -32042 */
	struct json_doc *doc; /* the message that asked */
	struct blob *bytes;
	const cJSON *value;
	int64_t left_ms; /* of its time limit */
};

/* What is needed to send a request once more: see sent.c. */
struct sent_call {
	uint64_t request;
	char *members; /* of params, without braces and _meta; whole: params itself */
	size_t len;
	char *last; /* as it went out last, where that differs; else NULL */
	size_t last_len;
	struct param_headers headers;
	bool whole;
	bool delicate; /* not to be repeated by ourselves */
	bool parked;   /* waits for the new session */
	int rounds;    /* of answering what it asked for */
	int reissued;
	const char *method; /* a constant; NULL: none of MCP's */
	struct round round;
};

/* A request of the owner, which may have to be sent again. Returns its id. */
uint64_t sent_request(struct session *s, const struct outgoing_request *r, bool delicate);
/* One that goes out only when what it waits for is there; takes the members. */
struct sent_call *sent_add_waiting(struct session *s, const char *method, struct buf *members);
struct sent_call *sent_find(struct session *s, uint64_t request);
void sent_remove(struct session *s, uint64_t request);
void sent_finish(struct session *s);
/* What went out last, kept for when it breaks; returns the copy. */
const char *sent_keep_last(struct sent_call *call, const char *members, size_t len);
size_t sent_waiting(const struct session *s); /* for answers of ours */

/* ---- requests.c ---- */
/* Ends one that waits, with the message that asked. */
void requests_reply_waiting(
    struct session *s, struct sent_call *call, enum reply_kind kind, const char *text);

/* ---- input.c ---- */
/* The result asks for input: asks for it, or ends the request. */
void input_on_required(struct session *s, struct incoming *in);
/* What a task asks for, `{"inputRequests": ...}`; takes the text. tasks/update follows when all is
 * answered. 0: none of it can be asked. */
uint64_t input_for_task(struct session *s, const char *task_id, struct blob *text);
/* The error wants URLs to be visited first (2025-11-25). False: it does not, or not properly. */
bool input_on_error(struct session *s, struct incoming *in);

struct outgoing_request {
	const char *method;
	enum request_kind kind;
	uint64_t owner;      /* 0: a request of its own */
	int64_t limit_ms;    /* 0: the session's maximum from now */
	const char *members; /* of params, without braces; may be empty */
	size_t len;
	struct param_headers *headers; /* of a tool's arguments; NULL: none. Emptied when kept */
	bool whole; /* members is params itself, whatever it is: sent as it stands */
	bool claim; /* add the modern claim although the era is legacy */
};
/* Returns the id on the wire. */
uint64_t outgoing_request(struct session *s, const struct outgoing_request *r);
void outgoing_cancel(struct session *s, const struct pending_request *r, const char *reason);
void outgoing_notification(struct session *s, const char *method);
/* Answers a request of the server; the text is the result or, with an error code, a message. */
void outgoing_result(struct session *s, const struct message *request, const char *result_json);
void outgoing_error(struct session *s, const struct message *request, int code, const char *text);
/* The same for a request of which only the id, as JSON, is left. */
void outgoing_answer(
    struct session *s, const char *method, const char *rpc_id, const char *result, size_t len);
void outgoing_refusal(
    struct session *s, const char *method, const char *rpc_id, int code, const char *text);

/* ---- lost.c ---- */
void lost_take(struct session *s, const struct lost *lost);
void lost_resend(struct session *s); /* what waited for a new session */
void lost_describe(const struct lost *lost, char *out, size_t size);
void session_note(struct session *s, uint64_t request, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
