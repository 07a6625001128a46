#ifndef RPC_FRAME_H
#define RPC_FRAME_H

#include "base/blob.h"
#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The stdio framing of MCP: one message a line, ended by \n. A \r before it is white space that
 * belongs to the message, as the journal shows every byte. Bytes come in as they are read, whole
 * lines go out.
 * A line past the bound is not buffered: only its head is kept, the rest is
 * counted and dropped, and when the line ends the head is delivered as too long.
 */
struct frame_line {
	struct blob *bytes; /* without the \n; the callee takes this reference */
	size_t dropped;     /* > 0: too long, and this many bytes after `bytes` are not here */
	bool unterminated;  /* the stream ended before the line did */
	uint64_t stream;    /* by HTTP: the request whose answer it came with; 0: none */
};

/* Must neither feed nor finish the frame it is called from. */
typedef void frame_line_fn(void *user, struct frame_line line);

struct frame {
	struct buf pending;
	size_t max_line;
	size_t dropped; /* > 0: the line under way is over-long; this much of it is gone */
	frame_line_fn *on_line;
	void *user;
};

/* How much of an over-long line is kept for show (less when the bound is less). */
#define FRAME_KEPT_HEAD ((size_t)64 * 1024)

void frame_init(struct frame *f, size_t max_line, frame_line_fn *on_line, void *user);
void frame_finish(struct frame *f);
/* Empty lines are skipped, also those of a \r only. */
void frame_feed(struct frame *f, const char *bytes, size_t len);
/* The stream ended: delivers what is left, if anything. */
void frame_end(struct frame *f);

#endif
