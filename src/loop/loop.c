/* SPDX-License-Identifier: MIT */
#include "children.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
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

static void
timers_remove(struct timers *timers, struct loop_timer *timer)
{
	struct loop_timer *last = timers->items[--timers->len];

	if (last == timer)
		return;
	place(timers, last, timer->slot);
	sift_up(timers, last);
	sift_down(timers, last);
}

static int64_t
timers_next_ms(const struct timers *timers)
{
	return timers->len ? timers->items[0]->at_ms : INT64_MAX;
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
		} * items;
		size_t len, cap;
	} kept;
	struct children children;
	loop_clock_fn *clock;
	void *clock_user;
	loop_idle_fn *on_idle;
	void *idle_user;
	int signal_fd;
	sigset_t signals;   /* blocked by us, read from signal_fd */
	struct err trouble; /* "" for none */
	bool turning, stopping, has_removed;
};

enum { OWN_SIGNAL, OWN_FDS };

static int64_t
system_clock(void *user)
{
	return clock_now_ms();
}

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
	loop->clock = clock ? clock : system_clock;
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
	child_forget_all(&loop->children);
	for (size_t i = 0; i < loop->watches.len; i++)
		free(loop->watches.items[i]);
	while (loop->timers.len)
		loop_timer_cancel(loop->timers.items[0]);
	pthread_sigmask(SIG_UNBLOCK, &loop->signals, NULL);
	close(loop->signal_fd);
	free(loop->watches.items);
	free(loop->polled.items);
	free(loop->timers.items);
	free(loop->kept.items);
	free(loop);
}

void
loop_keep(struct loop *loop, void *thing, loop_kept_fn *destroy)
{
	*VEC_PUSH(&loop->kept) = (struct kept){ .thing = thing, .destroy = destroy };
}

void *
loop_find_kept(const struct loop *loop, loop_kept_fn *destroy)
{
	for (size_t i = 0; i < loop->kept.len; i++)
		if (loop->kept.items[i].destroy == destroy)
			return loop->kept.items[i].thing;
	return NULL;
}

struct children *
loop_children(struct loop *loop)
{
	return &loop->children;
}

int64_t
loop_now_ms(const struct loop *loop)
{
	return loop->clock(loop->clock_user);
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
	timers_remove(&timer->loop->timers, timer);
	timer->loop = NULL;
}

static void
run_timers(struct loop *loop)
{
	int64_t now = loop_now_ms(loop);

	/* At most as many as are set now: a timer that sets itself to now waits for the next turn.
	 */
	for (size_t n = loop->timers.len; n > 0 && timers_next_ms(&loop->timers) <= now; n--) {
		struct loop_timer *timer = loop->timers.items[0];
		loop_timer_cancel(timer);
		timer->fn(timer->user);
	}
}

const char *
loop_trouble(const struct loop *loop)
{
	return loop->trouble.text[0] ? loop->trouble.text : NULL;
}

/* ---- the turn ---- */

static struct pollfd
poll_of(const struct loop_watch *w)
{
	short events =
	    (short)((w->want & LOOP_READ ? POLLIN : 0) | (w->want & LOOP_WRITE ? POLLOUT : 0));

	return (struct pollfd){ .fd = w->fd, .events = events };
}

/* Dormant descriptors are left out: they would report a hang-up forever, and poll() fails if it
 * gets more entries than the process may have descriptors. Returns the number of watches. */
static size_t
fill_polled(struct loop *loop)
{
	loop->polled.len = 0;
	*VEC_PUSH(&loop->polled) = (struct pollfd){ .fd = loop->signal_fd, .events = POLLIN };
	for (size_t i = 0; i < loop->watches.len; i++) {
		struct loop_watch *w = loop->watches.items[i];
		bool wanted = w->fd >= 0 && w->want;
		w->polled_at = wanted ? loop->polled.len : 0;
		if (wanted)
			*VEC_PUSH(&loop->polled) = poll_of(w);
	}
	return loop->watches.len;
}

static int
sleep_ms(const struct loop *loop, int max_wait_ms)
{
	int64_t next = timers_next_ms(&loop->timers);
	int64_t wait = max_wait_ms < 0 ? INT64_MAX : max_wait_ms;

	if (loop->stopping)
		return 0;
	if (next != INT64_MAX) {
		int64_t left = next - loop_now_ms(loop);
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
	size_t watches = fill_polled(loop);
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
	run_timers(loop);
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
