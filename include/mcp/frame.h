/* SPDX-License-Identifier: MIT */
#ifndef MCP_FRAME_H
#define MCP_FRAME_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The stdio framing of MCP: one message per line, ended by \n. A \r before it is white space and
 * belongs to the message, because the journal shows every byte. Takes bytes as they are read,
 * delivers whole lines. If a line is too long, its head is kept and delivered when the line ends;
 * the rest is counted and dropped.
 */
struct frame_line {
	struct blob *bytes; /* without the \n; the callee takes this reference */
	size_t dropped;     /* > 0: too long; this many bytes after `bytes` were dropped */
	bool unterminated;  /* the stream ended before the line did */
	uint64_t stream;    /* HTTP: the request whose response carried it; 0: none */
};

/* Must not feed or finish the frame that calls it. */
typedef void frame_line_fn(void *user, struct frame_line line);

struct frame {
	struct buf pending;
	size_t max_line;
	size_t dropped; /* > 0: the current line is too long; this much of it is gone */
	frame_line_fn *on_line;
	void *user;
};

/* How much of a line that is too long is kept to be shown (max_line if that is less). */
#define FRAME_KEPT_HEAD ((size_t)64 * 1024)

void frame_init(struct frame *f, size_t max_line, frame_line_fn *on_line, void *user);
void frame_finish(struct frame *f);
/* Skips empty lines, including those that hold only a \r. */
void frame_feed(struct frame *f, const char *bytes, size_t len);
/* Feed a body, which is one message: line breaks in it are white space and become blanks. */
void frame_feed_body(struct frame *f, const char *bytes, size_t len);
/* The stream has ended: delivers the rest, if any. */
void frame_end(struct frame *f);

/*
 * Server-sent events (WHATWG HTML, "Interpreting an event stream"): takes bytes as they are read,
 * delivers events. Lines end with LF, CR or CRLF; a byte order mark at the start, comments and
 * unknown fields are skipped. An MCP message is one line, so line breaks in an event's data become
 * spaces. Events without data are not delivered. Data that is too long is cut as in mcp/frame.h.
 */
#define SSE_MAX_TYPE 64 /* with the NUL; a longer type is cut */
#define SSE_MAX_ID 1024 /* with the NUL; a longer id is ignored */
#define SSE_MAX_RETRY_MS ((int64_t)24 * 3600 * 1000)

struct sse;

/* Borrowed for the call, except that the callee takes the reference of data. */
struct sse_event {
	const char *type; /* "message" if the server gives none; untrusted */
	struct frame_line data;
};

/* Must not feed or finish the stream that calls it. */
typedef void sse_event_fn(void *user, struct sse_event event);

struct sse {
	/* Read by callers: */
	char last_id[SSE_MAX_ID]; /* of the last complete event; "": none */
	int64_t retry_ms;         /* the last one received; -1: none */
	uint64_t events;          /* delivered */
	uint64_t ids;             /* received, including those of events without data */
	struct frame data;        /* pending: what is kept of the current event */
	/* Private: */
	sse_event_fn *on_event;
	void *user;
	char type[SSE_MAX_TYPE], id[SSE_MAX_ID], retry[24];
	char name[8]; /* of the current field; a longer one is unknown */
	size_t name_len, value_len;
	unsigned char part; /* the part of the line that the next byte belongs to */
	unsigned char field;
	unsigned char mark; /* bytes of a byte order mark seen; 3: do not look for more */
	bool after_cr;      /* an LF now belongs to the same line end */
	bool has_data, has_id, id_invalid;
	size_t unfinished; /* bytes of data of the current event */
};

void sse_init(struct sse *s, size_t max_data, sse_event_fn *on_event, void *user);
void sse_finish(struct sse *s);
void sse_feed(struct sse *s, const char *bytes, size_t len);
/* The stream has ended. Drops an event that no empty line has ended and returns the bytes of its
 * data. Another stream may follow: last_id and retry_ms stay. */
size_t sse_end(struct sse *s);

#endif
