#ifndef MCP_OUTGOING_PRIV_H
#define MCP_OUTGOING_PRIV_H

#include "sent_priv.h"

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
