/* SPDX-License-Identifier: MIT */
#ifndef LOOP_LOOP_H
#define LOOP_LOOP_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The event loop: one thread, poll(2), timers, signals. It sleeps until something
 * happens and never wakes up on its own. libcurl joins it from outside: its multi handle in
 * socket_action mode needs loop_watch_fd() for its sockets and one timer.
 *
 * A callback may add, change and remove any watch and timer, including its own. It must not
 * turn or destroy the loop. It should do a bounded piece of work (64 KiB of bytes): each turn
 * serves every ready descriptor once, then the due timers, then the idle hook, so that none of
 * them starves.
 */
struct loop;
struct loop_watch;

typedef int64_t loop_clock_fn(void *user); /* monotonic milliseconds */

/* clock NULL: base/clock.h. NULL with err if the system has no descriptors left. From here on the
 * process ignores SIGPIPE and does not ignore SIGCHLD. */
struct loop *loop_create(loop_clock_fn *clock, void *user, struct err *err);
/* NULL-safe. Frees remaining watches. First end all children with child_hand_over() or
 * child_end_all(). */
void loop_destroy(struct loop *loop);

/* Hands over an object that lives as long as the loop, such as a library's event loop inside it:
 * loop_destroy() calls destroy(thing) first. destroy identifies the object: one for each function.
 * A signal handler may look for it. */
enum { LOOP_KEPT_MAX = 4 };
typedef void loop_kept_fn(void *thing);
void loop_keep(struct loop *loop, void *thing, loop_kept_fn *destroy);
void *loop_find_kept(const struct loop *loop, loop_kept_fn *destroy); /* NULL: none */

int64_t loop_now_ms(const struct loop *loop);

/* Runs until loop_stop(), which takes effect at the end of the turn, or until loop_trouble(). */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);
/* One turn: the idle hook, a sleep of at most max_wait_ms (negative: no limit) until the next
 * event, then ready descriptors and due timers. */
void loop_turn(struct loop *loop, int max_wait_ms);
/* Why the loop can no longer wait for events; NULL: it can. */
const char *loop_trouble(const struct loop *loop);

/* Called once a turn before the sleep: draws the screen. One hook; NULL removes it. */
typedef void loop_idle_fn(void *user);
void loop_on_idle(struct loop *loop, loop_idle_fn *fn, void *user);

/* ---- descriptors ---- */
enum { LOOP_READ = 1, LOOP_WRITE = 2 };

/* ready: a subset of want. A hang-up or an error sets all of want, because the next read() or
 * write() reports it. Wake-ups can be spurious: the descriptor must be non-blocking. The loop does
 * not own fd; remove the watch before closing it. want 0: dormant. */
typedef void loop_fd_fn(void *user, unsigned ready);
struct loop_watch *loop_watch_fd(
    struct loop *loop, int fd, unsigned want, loop_fd_fn *fn, void *user);
void loop_watch_modify(struct loop_watch *watch, unsigned want);
void loop_watch_remove(struct loop_watch *watch); /* NULL-safe; either kind of watch */

/* ---- signals ---- */
/* The signal is blocked in this thread (and in threads created later) and read by the loop. Several
 * watches may share a signal. A signal that was ignored when the program started (nohup) stays
 * ignored. A burst may arrive as one call. SIGTSTP no longer stops the process: the callback
 * restores the terminal and raises SIGSTOP. */
typedef void loop_signal_fn(void *user, int signal_number);
struct loop_watch *loop_watch_signal(
    struct loop *loop, int signal_number, loop_signal_fn *fn, void *user);

/* ---- timers ---- */
/* The caller's memory: set fn and user, zero the rest. It must stay valid while set. One shot. */
typedef void loop_timer_fn(void *user);
struct loop_timer {
	loop_timer_fn *fn;
	void *user;
	int64_t at_ms;
	/* private to the loop */
	struct loop *loop; /* NULL: not set */
	size_t slot;
	uint64_t order;
};

/* On the loop's clock; a time in the past means the next timer phase. Setting a timer again moves
 * it. Timers with equal times fire in the order they were set. */
void loop_timer_set(struct loop *loop, struct loop_timer *timer, int64_t at_ms);
void loop_timer_cancel(struct loop_timer *timer); /* may be unset */

#endif
