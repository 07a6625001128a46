#ifndef HOST_TAP_PASSAGE_H
#define HOST_TAP_PASSAGE_H

#include "base/buf.h"
#include "loop/loop.h"

#include <stdint.h>

/*
 * Bytes on their way from one descriptor to another. Each piece is written before anybody looks at
 * it. While the reader is slow nothing more is read, and the end of either side is passed on: the
 * owner closes the other one.
 */
struct passage {
	int from, to; /* non-blocking */
	/* After it was handed on; len 0: the stream has ended, or nobody reads it any more. */
	void (*on_bytes)(struct passage *p, const char *bytes, size_t len);
	/* Nothing is left to write. The last call: the owner closes both descriptors. */
	void (*on_done)(struct passage *p);
	void *user;
	/* its own */
	struct loop_watch *in, *out;
	struct buf pending;
	size_t written; /* of it */
	size_t last;    /* ends after so many more bytes; SIZE_MAX: with the stream */
	bool ended, done;
};

void passage_start(struct passage *p, struct loop *loop);
/* Ends with what can be read now. */
void passage_end_soon(struct passage *p);
void passage_finish(struct passage *p);

#endif
