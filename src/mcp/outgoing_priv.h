#ifndef MCP_OUTGOING_PRIV_H
#define MCP_OUTGOING_PRIV_H

#include "session_priv.h"

struct outgoing_request {
	const char *method;
	uint64_t owner;      /* 0: a request of its own */
	int64_t limit_ms;    /* 0: the session's maximum from now */
	const char *members; /* of params, without braces; may be empty */
	size_t len;
	const char *name;    /* what it is about, for the Mcp-Name header; NULL: nothing */
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

#endif
