#ifndef LOOP_LOOP_H
#define LOOP_LOOP_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The event loop: one thread, poll(2), timers, signals. It sleeps until something
 * happens and makes no wake-up of its own. HTTP joins it without a change here: a
 * curl multi handle in socket_action mode asks for no more than loop_watch_fd() for
 * its sockets and one timer, and a stdio session never pays for libcurl.
 *
 * Every callback may add, change and remove any watch and timer, its own too. No
 * callback may turn or destroy the loop. One callback should handle a bounded piece
 * of work (64 KiB of bytes): each ready descriptor is served once a turn, then the
 * due timers, then the idle hook, so that none of them starves.
 */
struct loop;
struct loop_watch;

typedef int64_t loop_clock_fn(void *user); /* monotonic milliseconds */

/* clock NULL: base/clock.h. NULL with err when the system gives no descriptors. From here on
 * SIGPIPE is ignored in the whole process, and SIGCHLD no longer is. */
struct loop *loop_create(loop_clock_fn *clock, void *user, struct err *err);
/* NULL-safe. Frees watches that are left. Children that are left must have been handed over or
 * ended before (loop/child.h). */
void loop_destroy(struct loop *loop);

/* Hands over something that is to live as long as the loop, such as a library's own loop within it:
 * destroy(thing) is called by loop_destroy(), before anything else. One thing for each destroy. */
typedef void loop_kept_fn(void *thing);
void loop_keep(struct loop *loop, void *thing, loop_kept_fn *destroy);
void *loop_find_kept(const struct loop *loop, loop_kept_fn *destroy); /* NULL: none */

int64_t loop_now_ms(const struct loop *loop);

/* Runs until loop_stop(), which takes effect at the end of the turn, or until there is trouble. */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);
/* One turn: the idle hook, a sleep of at most max_wait_ms (negative: no bound) up to the next
 * event, then what is ready and what is due. */
void loop_turn(struct loop *loop, int max_wait_ms);
/* Why the loop cannot wait for anything any more, in words; NULL: it can. */
const char *loop_trouble(const struct loop *loop);

/* Called once a turn before the sleep: here the screen is drawn. One hook; NULL takes it away. */
typedef void loop_idle_fn(void *user);
void loop_on_idle(struct loop *loop, loop_idle_fn *fn, void *user);

/* ---- descriptors ---- */
enum { LOOP_READ = 1, LOOP_WRITE = 2 };

/* ready: a subset of what is wanted. A hang-up or error counts as everything that is wanted, so
 * that the next read() or write() tells. A callback may come without need: descriptors have to be
 * non-blocking. The loop does not own fd; remove the watch before closing it. want 0: dormant. */
typedef void loop_fd_fn(void *user, unsigned ready);
struct loop_watch *loop_watch_fd(
    struct loop *loop, int fd, unsigned want, loop_fd_fn *fn, void *user);
void loop_watch_modify(struct loop_watch *watch, unsigned want);
void loop_watch_remove(struct loop_watch *watch); /* NULL-safe; of either kind */

/* ---- signals ---- */
/* The signal is blocked in this thread (and in threads it creates later) and read by the loop.
 * Several watches may share one. A signal that was ignored when the program started (nohup)
 * stays ignored. Bursts may arrive as one call. SIGTSTP does not stop the process any more: the
 * callback tidies up and raises SIGSTOP. */
typedef void loop_signal_fn(void *user, int signal_number);
struct loop_watch *loop_watch_signal(
    struct loop *loop, int signal_number, loop_signal_fn *fn, void *user);

/* ---- timers ---- */
/* The caller's memory: set fn and user, zero the rest. It must not go away while set. One shot. */
typedef void loop_timer_fn(void *user);
struct loop_timer {
	loop_timer_fn *fn;
	void *user;
	int64_t at_ms;
	/* the loop's own */
	struct loop *loop; /* NULL when not set */
	size_t slot;
	uint64_t order;
};

/* On the loop's clock; a time in the past means now, which is in a turn's timer phase. Setting a
 * timer that is set moves it. Equal times fire in the order they were set. */
void loop_timer_set(struct loop *loop, struct loop_timer *timer, int64_t at_ms);
void loop_timer_cancel(struct loop_timer *timer); /* no harm when not set */

#endif
