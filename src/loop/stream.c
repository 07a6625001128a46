/* SPDX-License-Identifier: MIT */
#include "loop/stream.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool
is_temporary(int error)
{
	return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

/* ---- in ---- */

static void
on_readable(void *user, unsigned ready)
{
	struct stream_in *in = user;
	char chunk[STREAM_CHUNK];
	ssize_t n = read(in->fd, chunk, sizeof(chunk));
	int error = n < 0 ? errno : 0;

	if (n > 0) {
		in->on_bytes(in->user, chunk, (size_t)n);
	} else if (!is_temporary(error)) {
		stream_in_finish(in);
		in->on_end(in->user, error);
	}
}

void
stream_in_init(struct stream_in *in, struct loop *loop, int fd, stream_bytes_fn *on_bytes,
    stream_end_fn *on_end, void *user)
{
	*in = (struct stream_in){ .fd = fd, .on_bytes = on_bytes, .on_end = on_end, .user = user };
	in->watch = loop_watch_fd(loop, fd, LOOP_READ, on_readable, in);
}

void
stream_in_finish(struct stream_in *in)
{
	loop_watch_remove(in->watch);
	in->watch = NULL;
}

void
stream_in_hold(struct stream_in *in, bool held)
{
	if (in->watch)
		loop_watch_modify(in->watch, held ? 0 : LOOP_READ);
}

size_t
stream_in_waiting(const struct stream_in *in)
{
	int n = 0;

	if (!in->watch || ioctl(in->fd, FIONREAD, &n) < 0)
		return 0;
	return (size_t)n;
}

/* ---- out ---- */

static void
on_writable(void *user, unsigned ready)
{
	stream_out_flush(user);
}

void
stream_out_init(struct stream_out *out, struct loop *loop, int fd, size_t max_bytes)
{
	*out = (struct stream_out){ .fd = fd };
	buf_init(&out->pending, max_bytes);
	out->watch = loop_watch_fd(loop, fd, 0, on_writable, out);
}

static void
drop_pending(struct stream_out *out)
{
	buf_finish(&out->pending);
	out->sent = 0;
}

static void
forget_sent(struct stream_out *out)
{
	buf_consume(&out->pending, out->sent);
	out->sent = 0;
}

void
stream_out_finish(struct stream_out *out)
{
	loop_watch_remove(out->watch);
	out->watch = NULL;
	drop_pending(out);
}

size_t
stream_out_waiting(const struct stream_out *out)
{
	return out->pending.len - out->sent;
}

bool
stream_out_add(struct stream_out *out, const char *bytes, size_t len)
{
	if (!out->watch || out->error)
		return false;
	if (out->sent > 0 && out->pending.len + len > out->pending.max)
		forget_sent(out);
	bool fits = buf_add(&out->pending, bytes, len);
	out->pending.overflowed = false;
	return fits;
}

void
stream_out_flush(struct stream_out *out)
{
	if (!out->watch || stream_out_waiting(out) == 0)
		return;
	size_t len = stream_out_waiting(out);
	if (len > 4 * STREAM_CHUNK)
		len = 4 * STREAM_CHUNK;
	ssize_t n = write(out->fd, out->pending.data + out->sent, len);
	if (n > 0)
		out->sent += (size_t)n;
	else if (n < 0 && !is_temporary(errno))
		out->error = errno;
	if (out->error || stream_out_waiting(out) == 0)
		drop_pending(out);
	else if (out->sent > out->pending.len / 2)
		forget_sent(out);
	loop_watch_modify(out->watch, stream_out_waiting(out) ? LOOP_WRITE : 0);
}
