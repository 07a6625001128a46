#ifndef NET_HTTP_RESPONSE_BODY_H
#define NET_HTTP_RESPONSE_BODY_H

#include "net/exchange/exchange.h"
#include "rpc/sse.h"

struct http;

enum intake_kind { INTAKE_NONE, INTAKE_JSON, INTAKE_EVENTS, INTAKE_REFUSAL };

/* The body of an answer on its way to the messages in it. */
struct intake {
	struct http *http;
	enum intake_kind kind;
	uint64_t awaits; /* the request it should answer; 0: none */
	bool answered;   /* and did */
	bool cut;        /* the body ended too soon */
	struct frame body;
	struct sse sse;
	struct blob *instead; /* a whole body that is no answer: a refusal, a page */
	size_t instead_dropped;
	char flaw[160]; /* why what came last is not the answer; "" where nothing came */
};

void intake_init(struct intake *in, struct http *h, uint64_t awaits);
void intake_finish(struct intake *in);
/* Before each body; EVENTS go on where the last stream ended. */
void intake_begin(struct intake *in, enum intake_kind kind);
void intake_feed(struct intake *in, const char *bytes, size_t len);
void intake_end(struct intake *in, bool whole);
void intake_tell(struct intake *in, struct frame_line line); /* takes */
/* What came and is no message is put into the journal: "POST tools/call #3, body: ...". */
void intake_note_instead(const struct intake *in, const char *whose);
/* What a 2xx answer's Content-Type says. Of another type than MCP's it is taken for JSON where
 * there must be an answer, else it is nothing but seen; what comes with 202 is not even that. */
enum intake_kind intake_kind_of(const struct exchange *x, bool must_answer);

#endif
