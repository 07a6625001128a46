#ifndef LOOP_STREAM_H
#define LOOP_STREAM_H

#include "base/buf.h"
#include "loop/loop.h"

/*
 * Bytes in and out of a non-blocking descriptor, driven by the loop. Neither end
 * owns the descriptor: finish the stream before closing it.
 */

/* What is read in one turn at most; then others have theirs. */
#define STREAM_CHUNK ((size_t)64 * 1024)

typedef void stream_bytes_fn(void *user, const char *bytes, size_t len);
/* The end of the stream (error 0) or a failed read (an errno). Nothing comes after it. */
typedef void stream_end_fn(void *user, int error);

struct stream_in {
	struct loop_watch *watch; /* NULL once ended */
	int fd;
	stream_bytes_fn *on_bytes;
	stream_end_fn *on_end;
	void *user;
};

void stream_in_init(struct stream_in *in, struct loop *loop, int fd, stream_bytes_fn *on_bytes,
    stream_end_fn *on_end, void *user);
void stream_in_finish(struct stream_in *in); /* also from its own callbacks; twice is no harm */
void stream_in_hold(struct stream_in *in, bool held); /* does not read while held */
size_t stream_in_waiting(const struct stream_in *in); /* bytes that can be read now */

/* An outbox: what cannot be written yet waits in it, up to a bound. */
struct stream_out {
	struct loop_watch *watch; /* NULL: not in use */
	int fd;
	struct buf pending;
	size_t sent; /* of pending */
	int error;   /* errno of a failed write (EPIPE: nobody reads); what waited is dropped */
};

void stream_out_init(struct stream_out *out, struct loop *loop, int fd, size_t max_bytes);
void stream_out_finish(struct stream_out *out); /* drops what waits; twice is no harm */

/* Adds all of it or, when broken or over the bound, nothing. stream_out_flush() sends. */
bool stream_out_add(struct stream_out *out, const char *bytes, size_t len, struct err *err);
/* Writes what the descriptor takes now; the loop sends the rest when it can. */
void stream_out_flush(struct stream_out *out);
size_t stream_out_waiting(const struct stream_out *out); /* bytes not written yet */

#endif
