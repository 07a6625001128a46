#ifndef RPC_SSE_H
#define RPC_SSE_H

#include "rpc/frame.h"

#include <stdint.h>

/*
 * Server-sent events (WHATWG HTML, "Interpreting an event stream"): bytes come in as
 * they are read, events go out. Lines end by LF, CR or CRLF, a byte order mark at the
 * start is skipped, comments and unknown fields mean nothing. Since a message of MCP is
 * one line, line breaks within an event's data come out as spaces; events without data
 * are not told. Data past the bound is cut as in rpc/frame.h.
 */
#define SSE_MAX_TYPE 64 /* with its end; a longer one is cut */
#define SSE_MAX_ID 1024 /* with its end; a longer one counts as none */
#define SSE_MAX_RETRY_MS ((int64_t)24 * 3600 * 1000)

struct sse;

/* Borrowed for the call, but the callee takes the line's reference. */
struct sse_event {
	const char *type; /* "message" where the server gives none; untrusted */
	struct frame_line data;
};

/* Must neither feed nor finish the stream it is called from. */
typedef void sse_event_fn(void *user, struct sse_event event);

struct sse {
	/* To be read: */
	char last_id[SSE_MAX_ID]; /* of the last whole event; "" for none */
	int64_t retry_ms;         /* the last one given; -1: none */
	uint64_t events;          /* that were told */
	uint64_t ids;             /* that were given, also with events that were not told */
	/* its own: */
	struct frame data;
	sse_event_fn *on_event;
	void *user;
	char type[SSE_MAX_TYPE], id[SSE_MAX_ID], retry[24];
	char name[8]; /* of the field under way; too long for it is unknown */
	size_t name_len, value_len;
	unsigned char part; /* of the line: where the next byte belongs */
	unsigned char field;
	unsigned char mark; /* bytes of a byte order mark seen; 3: no more to come */
	bool after_cr;      /* an LF now is the same line's end */
	bool has_data, has_id, id_spoilt;
	size_t unfinished; /* bytes of data of the event under way */
};

void sse_init(struct sse *s, size_t max_data, sse_event_fn *on_event, void *user);
void sse_finish(struct sse *s);
void sse_feed(struct sse *s, const char *bytes, size_t len);
/* What is kept of the data of the event under way. */
const char *sse_unfinished(const struct sse *s);
/* The stream ended; an event that was not ended by an empty line is dropped. Returns the bytes of
 * its data. Another stream may follow: last_id and retry_ms stay. */
size_t sse_end(struct sse *s);

#endif
