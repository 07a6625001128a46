#include "demo/demo.h"

#include "base/clock.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define READ_BYTES 65536
/* Output is written once this much of it waits, or when there is nothing left to do. */
#define FLUSH_BYTES 65536

static bool
flush(struct buf *out, int fd)
{
	size_t at = 0;

	while (at < out->len) {
		ssize_t n = write(fd, out->data + at, out->len - at);
		if (n > 0) {
			at += (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			struct pollfd wait = { .fd = fd, .events = POLLOUT };
			poll(&wait, 1, -1);
		} else if (n == 0 || errno != EINTR) {
			return false;
		}
	}
	buf_clear(out);
	return true;
}

static void
end_badly(enum demo_crash how)
{
	fputs("demo: crash was called\n"
	      "demo: assertion failed: oven_is_off(kitchen)\n",
	    stderr);
	fflush(stderr);
	if (how == DEMO_EXITS)
		_exit(3);
	setrlimit(
	    RLIMIT_CORE, &(struct rlimit){ 0 }); /* a core file of a crash on demand is useless */
	signal(SIGABRT, SIG_DFL);
	abort();
}

static bool
work(struct demo *d, int out_fd)
{
	struct buf *out = demo_output(d);

	while (demo_work(d, clock_now_ms()))
		if (out->len >= FLUSH_BYTES && !flush(out, out_fd))
			return false;
	if (!flush(out, out_fd))
		return false;
	if (demo_crash(d) != DEMO_ALIVE)
		end_badly(demo_crash(d));
	return true;
}

static int
wait_ms(const struct demo *d)
{
	int64_t next = demo_next_time(d);

	if (next == INT64_MAX)
		return -1;
	int64_t ms = next - clock_now_ms();
	return ms < 0 ? 0 : ms > INT_MAX ? INT_MAX : (int)ms;
}

int
demo_serve(int in_fd, int out_fd)
{
	char bytes[READ_BYTES];
	struct demo *d = demo_create();
	int status = 0;

	signal(SIGPIPE, SIG_IGN);
	while (work(d, out_fd)) {
		struct pollfd in = { .fd = in_fd, .events = POLLIN };
		if (poll(&in, 1, wait_ms(d)) < 1)
			continue;
		ssize_t n = read(in_fd, bytes, sizeof(bytes));
		if (n > 0) {
			demo_on_bytes(d, bytes, (size_t)n);
		} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
			status = n < 0;
			break;
		}
	}
	demo_destroy(d);
	return status;
}
