#ifndef RPC_FRAME_H
#define RPC_FRAME_H

#include "base/blob.h"
#include "base/buf.h"

#include <stdbool.h>

/*
 * The stdio framing of MCP: one message a line, ended by \n (a \r before it is
 * dropped from the message). Bytes come in as they are read, whole lines go out.
 * A line past the bound is not buffered: its head is delivered at once as too
 * long, and the rest is counted and dropped up to its end.
 */
struct frame_line {
	struct blob *bytes;  /* without the line end; the callee takes this reference */
	size_t dropped;      /* > 0: the line was this many bytes longer than max_line */
	bool unterminated;   /* the stream ended before the line did */
};

typedef void frame_line_fn(void *user, struct frame_line line);

struct frame {
	struct buf pending;
	size_t max_line;
	size_t dropping; /* bytes of an over-long line dropped so far */
	frame_line_fn *on_line;
	void *user;
};

/* How much of an over-long line is kept for show. */
#define FRAME_KEPT_HEAD ((size_t)64 * 1024)

void frame_init(struct frame *f, size_t max_line, frame_line_fn *on_line, void *user);
void frame_finish(struct frame *f);
/* Empty lines are skipped. */
void frame_feed(struct frame *f, const char *bytes, size_t len);
/* The stream ended: delivers what is left, if anything. */
void frame_end(struct frame *f);

#endif
