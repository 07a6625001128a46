#ifndef MCP_FRAME_H
#define MCP_FRAME_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The stdio framing of MCP: one message per line, ended by \n. A \r before it is white space and
 * belongs to the message, because the journal shows every byte. Takes bytes as they are read,
 * delivers whole lines. Of a line that is too long only the head is kept; the rest is counted and
 * dropped, and the head is delivered when the line ends.
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
/* Of a body, which is one message: line breaks in it are only white space, and become blanks. */
void frame_feed_body(struct frame *f, const char *bytes, size_t len);
/* The stream has ended: delivers the rest, if any. */
void frame_end(struct frame *f);

#endif
