/* SPDX-License-Identifier: MIT */
#ifndef LOOP_STREAM_H
#define LOOP_STREAM_H

#include "base/buf.h"
#include "loop/loop.h"

/*
 * Reads from and writes to a non-blocking descriptor, driven by the loop. Neither direction owns
 * the descriptor: finish the stream before closing it.
 */

/* The most read in one turn; then other descriptors get theirs. */
#define STREAM_CHUNK ((size_t)64 * 1024)

typedef void stream_bytes_fn(void *user, const char *bytes, size_t len);
/* The end of the stream (error 0) or a failed read (an errno). The last call. May be NULL. */
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
void stream_in_finish(struct stream_in *in);          /* callable from its callbacks, and twice */
void stream_in_hold(struct stream_in *in, bool held); /* pauses reading */
size_t stream_in_waiting(const struct stream_in *in); /* bytes readable now */

/* An outbox: bytes that cannot be written yet wait in it, up to a limit. */
struct stream_out {
	struct loop_watch *watch; /* NULL: not in use */
	int fd;
	struct buf pending;
	size_t sent; /* of pending */
	int error;   /* errno of a failed write (EPIPE: no reader); the outbox was dropped */
};

/* Return the number of bytes that are not written yet. */
static inline size_t
stream_out_waiting(const struct stream_out *out)
{
	return out->pending.len - out->sent;
}

void stream_out_init(struct stream_out *out, struct loop *loop, int fd, size_t max_bytes);
void stream_out_finish(struct stream_out *out); /* drops the outbox; callable twice */

/* Adds all of it or, if the stream is broken or the limit is passed, nothing. stream_out_flush()
 * sends it. */
bool stream_out_add(struct stream_out *out, const char *bytes, size_t len);
/* Writes as much as the descriptor accepts; the loop sends the rest later. */
void stream_out_flush(struct stream_out *out);

#endif
