/* SPDX-License-Identifier: MIT */
/* The event loop, and streams that it drives. */
#include "loop/loop.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "loop/stream.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* ---- the heap of timers ---- */

/* A binary heap of the callers' timers, the earliest first. */
struct timers {
	struct loop_timer **items;
	size_t len, cap;
	uint64_t order;
};

static bool
is_before(const struct loop_timer *a, const struct loop_timer *b)
{
	return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->order < b->order;
}

static void
place(struct timers *timers, struct loop_timer *timer, size_t slot)
{
	timers->items[slot] = timer;
	timer->slot = slot;
}

static void
sift_up(struct timers *timers, struct loop_timer *timer)
{
	size_t at = timer->slot;

	while (at > 0 && is_before(timer, timers->items[(at - 1) / 2])) {
		place(timers, timers->items[(at - 1) / 2], at);
		at = (at - 1) / 2;
	}
	place(timers, timer, at);
}

static void
sift_down(struct timers *timers, struct loop_timer *timer)
{
	size_t at = timer->slot;

	for (;;) {
		size_t child = 2 * at + 1;
		if (child >= timers->len)
			break;
		if (child + 1 < timers->len &&
		    is_before(timers->items[child + 1], timers->items[child]))
			child++;
		if (!is_before(timers->items[child], timer))
			break;
		place(timers, timers->items[child], at);
		at = child;
	}
	place(timers, timer, at);
}

/* ---- the loop ---- */

struct loop_watch {
	struct loop *loop;
	int fd;            /* -1: a signal watch */
	int signal_number; /* 0: a descriptor watch */
	unsigned want;
	loop_fd_fn *on_ready;
	loop_signal_fn *on_signal;
	void *user;
	size_t polled_at; /* its index in polled in this turn; 0: none */
	bool removed;     /* during a turn; freed at its end */
};

struct loop {
	struct {
		struct loop_watch **items;
		size_t len, cap;
	} watches;
	struct {
		struct pollfd *items; /* OWN_FDS of the loop, then those of watches */
		size_t len, cap;
	} polled;
	struct timers timers;
	struct {
		struct kept {
			void *thing;
			loop_kept_fn *destroy;
		} items[LOOP_KEPT_MAX];
		size_t len;
	} kept;
	loop_clock_fn *clock; /* NULL: base/clock.h */
	void *clock_user;
	loop_idle_fn *on_idle;
	void *idle_user;
	int signal_fd;
	sigset_t signals;   /* blocked by us, read from signal_fd */
	struct err trouble; /* "" for none */
	bool turning, stopping, has_removed;
};

enum { OWN_SIGNAL, OWN_FDS };

struct loop *
loop_create(loop_clock_fn *clock, void *user, struct err *err)
{
	sigset_t none;

	sigemptyset(&none);
	int signal_fd = signalfd(-1, &none, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signal_fd < 0) {
		err_set(err, "no descriptor for signals: %s", strerror(errno));
		return NULL;
	}
	struct loop *loop = mem_zalloc(sizeof(*loop));
	loop->clock = clock;
	loop->clock_user = user;
	loop->signal_fd = signal_fd;
	loop->signals = none;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	return loop;
}

void
loop_destroy(struct loop *loop)
{
	if (!loop)
		return;
	BUG_IF(loop->turning);
	while (loop->kept.len) {
		struct kept last = loop->kept.items[--loop->kept.len];
		last.destroy(last.thing);
	}
	for (size_t i = 0; i < loop->watches.len; i++)
		free(loop->watches.items[i]);
	while (loop->timers.len)
		loop_timer_cancel(loop->timers.items[0]);
	pthread_sigmask(SIG_UNBLOCK, &loop->signals, NULL);
	close(loop->signal_fd);
	free(loop->watches.items);
	free(loop->polled.items);
	free(loop->timers.items);
	free(loop);
}

void
loop_keep(struct loop *loop, void *thing, loop_kept_fn *destroy)
{
	BUG_IF(loop->kept.len == LOOP_KEPT_MAX);
	loop->kept.items[loop->kept.len] = (struct kept){ .thing = thing, .destroy = destroy };
	atomic_signal_fence(memory_order_seq_cst);
	loop->kept.len++;
}

void *
loop_find_kept(const struct loop *loop, loop_kept_fn *destroy)
{
	for (size_t i = 0; i < loop->kept.len; i++)
		if (loop->kept.items[i].destroy == destroy)
			return loop->kept.items[i].thing;
	return NULL;
}

int64_t
loop_now_ms(const struct loop *loop)
{
	return loop->clock ? loop->clock(loop->clock_user) : clock_now_ms();
}

void
loop_on_idle(struct loop *loop, loop_idle_fn *fn, void *user)
{
	loop->on_idle = fn;
	loop->idle_user = user;
}

void
loop_stop(struct loop *loop)
{
	loop->stopping = true;
}

/* ---- watches ---- */

static struct loop_watch *
add_watch(struct loop *loop, struct loop_watch watch)
{
	watch.loop = loop;
	return *VEC_PUSH(&loop->watches) = mem_dup(&watch, sizeof(watch));
}

struct loop_watch *
loop_watch_fd(struct loop *loop, int fd, unsigned want, loop_fd_fn *fn, void *user)
{
	return add_watch(
	    loop, (struct loop_watch){ .fd = fd, .want = want, .on_ready = fn, .user = user });
}

void
loop_watch_modify(struct loop_watch *watch, unsigned want)
{
	watch->want = want;
}

/* Blocks and reads exactly the signals that are watched. */
static void
update_signals(struct loop *loop)
{
	sigset_t watched, dropped = loop->signals;

	sigemptyset(&watched);
	for (size_t i = 0; i < loop->watches.len; i++) {
		const struct loop_watch *w = loop->watches.items[i];
		if (w->signal_number && w->want && !w->removed) {
			sigaddset(&watched, w->signal_number);
			sigdelset(&dropped, w->signal_number);
		}
	}
	loop->signals = watched;
	pthread_sigmask(SIG_BLOCK, &watched, NULL);
	pthread_sigmask(SIG_UNBLOCK, &dropped, NULL);
	signalfd(loop->signal_fd, &watched, 0);
}

struct loop_watch *
loop_watch_signal(struct loop *loop, int signal_number, loop_signal_fn *fn, void *user)
{
	struct sigaction now;

	sigaction(signal_number, NULL, &now);
	struct loop_watch *watch =
	    add_watch(loop, (struct loop_watch){ .fd = -1,
				.signal_number = signal_number,
				.want = now.sa_handler == SIG_IGN ? 0 : LOOP_READ,
				.on_signal = fn,
				.user = user });
	update_signals(loop);
	return watch;
}

static void
sweep(struct loop *loop)
{
	size_t kept = 0;

	for (size_t i = 0; i < loop->watches.len; i++) {
		struct loop_watch *w = loop->watches.items[i];
		if (w->removed)
			free(w);
		else
			loop->watches.items[kept++] = w;
	}
	loop->watches.len = kept;
	loop->has_removed = false;
}

void
loop_watch_remove(struct loop_watch *watch)
{
	if (!watch)
		return;
	struct loop *loop = watch->loop;
	watch->removed = true;
	watch->want = 0;
	loop->has_removed = true;
	if (watch->signal_number)
		update_signals(loop);
	if (!loop->turning)
		sweep(loop);
}

/* ---- timers ---- */

void
loop_timer_set(struct loop *loop, struct loop_timer *timer, int64_t at_ms)
{
	int64_t now = loop_now_ms(loop);

	loop_timer_cancel(timer);
	/* A timer that keeps setting itself into the past must not overtake those that wait. */
	timer->at_ms = at_ms < now ? now : at_ms;
	timer->loop = loop;
	timer->order = loop->timers.order++;
	*VEC_PUSH(&loop->timers) = timer;
	timer->slot = loop->timers.len - 1;
	sift_up(&loop->timers, timer);
}

void
loop_timer_cancel(struct loop_timer *timer)
{
	if (!timer->loop)
		return;
	struct timers *timers = &timer->loop->timers;
	struct loop_timer *last = timers->items[--timers->len];
	timer->loop = NULL;
	if (last == timer)
		return;
	place(timers, last, timer->slot);
	sift_up(timers, last);
	sift_down(timers, last);
}

const char *
loop_trouble(const struct loop *loop)
{
	return loop->trouble.text[0] ? loop->trouble.text : NULL;
}

/* ---- the turn ---- */

static int
sleep_ms(const struct loop *loop, int max_wait_ms)
{
	int64_t wait = max_wait_ms < 0 ? INT64_MAX : max_wait_ms;

	if (loop->stopping)
		return 0;
	if (loop->timers.len > 0) {
		int64_t left = loop->timers.items[0]->at_ms - loop_now_ms(loop);
		wait = left < wait ? left : wait;
	}
	if (wait == INT64_MAX)
		return -1;
	return wait < 0 ? 0 : wait > INT_MAX ? INT_MAX : (int)wait;
}

static void
dispatch_signals(struct loop *loop, size_t watches)
{
	struct signalfd_siginfo info;

	while (read(loop->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		for (size_t i = 0; i < watches; i++) {
			struct loop_watch *w = loop->watches.items[i];
			if (w->signal_number == (int)info.ssi_signo && !w->removed)
				w->on_signal(w->user, w->signal_number);
		}
	}
}

static void
dispatch_watch(struct loop_watch *w, short revents)
{
	unsigned ready = (revents & POLLIN ? LOOP_READ : 0) | (revents & POLLOUT ? LOOP_WRITE : 0);

	if (w->removed || !revents)
		return;
	BUG_IF(revents & POLLNVAL);
	if (revents & (POLLHUP | POLLERR))
		ready = LOOP_READ | LOOP_WRITE;
	ready &= w->want;
	if (ready)
		w->on_ready(w->user, ready);
}

void
loop_turn(struct loop *loop, int max_wait_ms)
{
	BUG_IF(loop->turning);
	loop->turning = true;
	if (loop->on_idle)
		loop->on_idle(loop->idle_user);
	/* Dormant descriptors are left out: they would report a hang-up forever, and poll() fails
	 * if it gets more entries than the process may have descriptors. */
	size_t watches = loop->watches.len;
	loop->polled.len = 0;
	*VEC_PUSH(&loop->polled) = (struct pollfd){ .fd = loop->signal_fd, .events = POLLIN };
	for (size_t i = 0; i < watches; i++) {
		struct loop_watch *w = loop->watches.items[i];
		bool wanted = w->fd >= 0 && w->want;
		w->polled_at = wanted ? loop->polled.len : 0;
		if (wanted)
			*VEC_PUSH(&loop->polled) = (struct pollfd){ .fd = w->fd,
				.events = (short)((w->want & LOOP_READ ? POLLIN : 0) |
						  (w->want & LOOP_WRITE ? POLLOUT : 0)) };
	}
	int ready = poll(loop->polled.items, loop->polled.len, sleep_ms(loop, max_wait_ms));
	if (ready > 0) {
		if (loop->polled.items[OWN_SIGNAL].revents)
			dispatch_signals(loop, watches);
		for (size_t i = 0; i < watches; i++) {
			struct loop_watch *w = loop->watches.items[i];
			if (w->polled_at)
				dispatch_watch(w, loop->polled.items[w->polled_at].revents);
		}
	} else if (ready < 0 && errno != EINTR) {
		err_set(&loop->trouble, "waiting for %zu descriptors: %s", loop->polled.len,
		    strerror(errno));
		loop->stopping = true;
	}
	/* At most as many timers as are set now: one that sets itself to now waits for the next
	 * turn.
	 */
	int64_t now = loop_now_ms(loop);
	for (size_t n = loop->timers.len; n > 0 && loop->timers.len > 0; n--) {
		struct loop_timer *timer = loop->timers.items[0];
		if (timer->at_ms > now)
			break;
		loop_timer_cancel(timer);
		timer->fn(timer->user);
	}
	loop->turning = false;
	if (loop->has_removed)
		sweep(loop);
}

void
loop_run(struct loop *loop)
{
	while (!loop->stopping)
		loop_turn(loop, -1);
	loop->stopping = false;
}

/* ---- streams ---- */

static bool
is_temporary(int error)
{
	return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

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
		if (in->on_end)
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
