#ifndef NET_HTTP_RESPONSE_BODY_H
#define NET_HTTP_RESPONSE_BODY_H

#include "net/exchange/exchange.h"
#include "rpc/sse.h"

struct http;

/* REFUSAL: not an MCP message, or the body of an error status. */
enum response_body_kind { BODY_NONE, BODY_JSON, BODY_EVENTS, BODY_REFUSAL };

/* The body of a response, from its bytes to the messages in it. */
struct response_body {
	struct http *http;
	enum response_body_kind kind;
	uint64_t awaits; /* the request that it should answer; 0: none */
	bool answered;   /* it did */
	bool cut;        /* it ended too soon */
	struct frame frame;
	struct sse sse;
	struct blob *rejected; /* a whole body that is not the response: an error, a web page */
	size_t rejected_dropped;
	char flaw[160]; /* why the last message is not the response; "": none came */
};

void response_body_init(struct response_body *rb, struct http *h, uint64_t awaits);
void response_body_finish(struct response_body *rb);
/* Before each body; EVENTS continue where the last stream ended. */
void response_body_begin(struct response_body *rb, enum response_body_kind kind);
void response_body_feed(struct response_body *rb, const char *bytes, size_t len);
void response_body_end(struct response_body *rb, bool whole);
void response_body_notify(struct response_body *rb, struct frame_line line); /* takes */
/* Puts `rejected` into the journal: "POST tools/call #3, body: ...". */
void response_body_note_rejected(const struct response_body *rb, const char *whose);
/* The kind that the Content-Type of a 2xx response declares. Another type than MCP's counts as JSON
 * if a response is due; else it is only shown, and with 202 not even that. */
enum response_body_kind response_body_kind_of(const struct exchange *x, bool must_answer);

#endif
