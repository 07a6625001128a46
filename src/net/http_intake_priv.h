#ifndef NET_HTTP_INTAKE_PRIV_H
#define NET_HTTP_INTAKE_PRIV_H

#include "exchange_priv.h"
#include "rpc/sse.h"

struct http;

enum intake_kind { INTAKE_NONE, INTAKE_JSON, INTAKE_EVENTS, INTAKE_REFUSAL };

/* The body of an answer on its way to the messages in it. */
struct intake {
	struct http *http;
	enum intake_kind kind;
	uint64_t awaits; /* the request it should answer; 0: none */
	bool answered;   /* and did */
	struct frame body;
	struct sse sse;
	struct blob *refusal; /* the body of a refusal, once it is whole */
	size_t refusal_dropped;
};

void intake_init(struct intake *in, struct http *h, uint64_t awaits);
void intake_finish(struct intake *in);
/* Before each body; EVENTS go on where the last stream ended. */
void intake_begin(struct intake *in, enum intake_kind kind);
void intake_feed(struct intake *in, const char *bytes, size_t len);
void intake_end(struct intake *in);
void intake_tell(struct intake *in, struct frame_line line); /* takes */
/* What a 2xx answer's Content-Type says. Of another type than MCP's it is taken for JSON where
 * there must be an answer, else for NONE. */
enum intake_kind intake_kind_of(const struct exchange *x, bool must_answer);

#endif
