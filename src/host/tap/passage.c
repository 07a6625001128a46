#include "passage.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define CHUNK ((size_t)64 << 10)

static bool
is_temporary(int error)
{
	return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

static void
stop_reading(struct passage *p)
{
	if (p->ended)
		return;
	p->ended = true;
	loop_watch_remove(p->in);
	p->in = NULL;
	p->on_bytes(p, NULL, 0);
}

static void
end(struct passage *p)
{
	if (p->done)
		return;
	stop_reading(p);
	p->done = true;
	loop_watch_remove(p->out);
	p->out = NULL;
	buf_finish(&p->pending);
	p->on_done(p);
}

/* Returns how much was written; the rest waits. False: nobody reads. */
static bool
write_some(struct passage *p, const char *bytes, size_t len, size_t *done)
{
	*done = 0;
	while (*done < len) {
		ssize_t n = write(p->to, bytes + *done, len - *done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return is_temporary(errno);
		*done += (size_t)n;
	}
	return true;
}

static void
on_writable(void *user, unsigned ready)
{
	struct passage *p = user;
	size_t done;

	if (!write_some(p, p->pending.data + p->written, p->pending.len - p->written, &done)) {
		end(p);
		return;
	}
	p->written += done;
	if (p->written < p->pending.len)
		return;
	buf_clear(&p->pending);
	p->written = 0;
	loop_watch_modify(p->out, 0);
	if (p->ended)
		end(p);
	else
		loop_watch_modify(p->in, LOOP_READ);
}

/* What the reader does not take at once. */
static void
keep(struct passage *p, const char *bytes, size_t len)
{
	buf_add(&p->pending, bytes, len);
	if (p->in)
		loop_watch_modify(p->in, 0);
	loop_watch_modify(p->out, LOOP_WRITE);
}

static void
on_readable(void *user, unsigned ready)
{
	struct passage *p = user;
	char bytes[CHUNK];
	size_t most = p->last < CHUNK ? p->last : CHUNK, done;
	ssize_t n = most > 0 ? read(p->from, bytes, most) : 0;

	if (n < 0 && is_temporary(errno))
		return;
	if (n <= 0) {
		end(p);
		return;
	}
	bool is_read = write_some(p, bytes, (size_t)n, &done);
	if (is_read && done < (size_t)n)
		keep(p, bytes + done, (size_t)n - done);
	p->on_bytes(p, bytes, (size_t)n);
	if (p->last != SIZE_MAX)
		p->last -= (size_t)n;
	if (!is_read)
		end(p);
	else if (p->last == 0 && p->pending.len == 0)
		end(p);
	else if (p->last == 0)
		stop_reading(p);
}

void
passage_start(struct passage *p, struct loop *loop)
{
	p->last = SIZE_MAX;
	p->in = loop_watch_fd(loop, p->from, LOOP_READ, on_readable, p);
	p->out = loop_watch_fd(loop, p->to, 0, on_writable, p);
}

void
passage_end_soon(struct passage *p)
{
	int n = 0;

	if (p->ended || p->last != SIZE_MAX)
		return;
	p->last = ioctl(p->from, FIONREAD, &n) == 0 && n > 0 ? (size_t)n : 0;
	if (p->last > 0)
		return;
	stop_reading(p);
	if (p->pending.len == 0)
		end(p);
}

void
passage_finish(struct passage *p)
{
	loop_watch_remove(p->in);
	loop_watch_remove(p->out);
	p->in = p->out = NULL;
	buf_finish(&p->pending);
	p->ended = p->done = true;
}
