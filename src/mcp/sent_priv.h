#ifndef MCP_SENT_PRIV_H
#define MCP_SENT_PRIV_H

#include "session_priv.h"

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
/* The open request `id` goes out under a new id; with other members when given. */
void sent_again(struct session *s, uint64_t id, const char *members, size_t len);
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

#endif
