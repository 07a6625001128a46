/* SPDX-License-Identifier: MIT */
#include "display.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/job.h"
#include "base/mem.h"
#include "base/vec.h"
#include "loop/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAME_US 16000
#define FRAME_CREDITS 4 /* frames allowed back to back after a pause */
/* Bytes of input read per turn of the loop. */
#define INPUT_CHUNK 4096

struct display {
	struct loop *loop;
	struct backend *backend;
	struct theme theme;
	struct grid grid;
	struct input input;
	struct loop_watch *watch;
	struct loop_timer frame_timer, escape_timer;
	struct display_events events;
	void *user;
	struct jobs *jobs; /* that make pictures; NULL: none */
	bool dirty, urgent, suspended, barrier;
	uint32_t asked;        /* the number of the barrier to answer; 0: none */
	int64_t paid_until_us; /* the next frame is due at this time; each frame adds FRAME_US */
};

static void
watch_writes(struct display *s)
{
	loop_watch_modify(s->watch, LOOP_READ | (backend_wants_write(s->backend) ? LOOP_WRITE : 0));
}

static void
draw_frame(struct display *s)
{
	struct backend_info now = backend_info(s->backend);

	if (now.width != s->grid.width || now.height != s->grid.height) {
		grid_finish(&s->grid);
		grid_init(&s->grid, now.width, now.height);
	}
	s->events.draw(s->user, &s->grid);
	if (backend_flush(s->backend, &s->grid, &s->theme, -1, -1)) {
		s->dirty = s->urgent = false;
		loop_timer_cancel(&s->frame_timer);
		/* frames for keys come at any rate, but put off others by one frame at most */
		int64_t now_us = clock_now_us(), oldest_us = now_us - FRAME_CREDITS * FRAME_US;
		int64_t paid_us = s->paid_until_us > oldest_us ? s->paid_until_us : oldest_us;
		s->paid_until_us = (paid_us < now_us ? paid_us : now_us) + FRAME_US;
	}
	watch_writes(s);
}

struct backend_info
display_info(const struct display *s)
{
	return backend_info(s->backend);
}

/* Before the loop sleeps: draws a frame if one is due, else sets a timer for it. */
static void
on_idle(void *user)
{
	struct display *s = user;

	if (s->suspended)
		return;
	backend_drain(s->backend);
	if (backend_wants_write(s->backend)) { /* a full terminal: on_ready() says when it is not */
		loop_timer_cancel(&s->frame_timer);
		watch_writes(s);
		return;
	}
	int64_t now_us = clock_now_us();
	if (s->dirty && (s->urgent || now_us >= s->paid_until_us)) {
		draw_frame(s);
		now_us = clock_now_us();
	}
	bool makes_pictures = s->jobs && s->jobs->open > 0;
	if (s->asked && !s->dirty && !makes_pictures && !s->events.is_busy(s->user)) {
		/* everything before the barrier is drawn */
		char answer[64];
		int len = snprintf(answer, sizeof(answer), "\033]7700;%u;%d;%d\033\\", s->asked,
		    s->grid.height, s->grid.width);
		s->asked = 0;
		display_write(s, answer, (size_t)len);
	}
	int64_t next_us = s->dirty ? s->paid_until_us : s->events.next_frame_us(s->user, now_us);
	if (next_us == INT64_MAX) {
		loop_timer_cancel(&s->frame_timer);
	} else if (s->dirty || !s->frame_timer.loop) { /* so that further bytes do not delay it */
		int64_t wait_ms = next_us > now_us ? (next_us - now_us + 999) / 1000 : 0;
		loop_timer_set(s->loop, &s->frame_timer, loop_now_ms(s->loop) + wait_ms);
	}
}

static void
on_frame_timer(void *user)
{
	struct display *s = user;

	s->dirty = true;
}

static void
display_on_key(void *user, const struct key *key)
{
	struct display *s = user;

	if (key->kind == KEY_BARRIER) {
		if (s->barrier)
			s->asked = key->ch;
		s->dirty = s->urgent = s->dirty || s->barrier;
		return;
	}
	if (key->kind == KEY_REPORT && backend_hear(s->backend, key->text, key->len)) {
		s->dirty = s->urgent = true;
		return;
	}
	struct key located = *key;
	if (key->kind == KEY_MOUSE)
		backend_locate(s->backend, &located);
	if (key->kind != KEY_MOUSE ||
	    key->action != MOUSE_MOVE) /* a pane that reacts redraws itself */
		s->dirty = s->urgent = true;
	s->events.on_key(s->user, &located);
}

static void
arm_escape(struct display *s)
{
	if (input_waiting(&s->input))
		loop_timer_set(s->loop, &s->escape_timer, loop_now_ms(s->loop) + INPUT_ESC_MS);
	else
		loop_timer_cancel(&s->escape_timer);
}

static void
on_escape_timer(void *user)
{
	struct display *s = user;

	input_timeout(&s->input);
	arm_escape(s);
}

static void
on_ready(void *user, unsigned ready)
{
	struct display *s = user;
	char bytes[INPUT_CHUNK];

	if ((ready & LOOP_WRITE) && !backend_drain(s->backend)) {
		s->events.on_gone(s->user);
		return;
	}
	watch_writes(s);
	if (!(ready & LOOP_READ))
		return;
	ssize_t n = read(backend_info(s->backend).fd, bytes, sizeof(bytes));
	if (n > 0) {
		input_feed(&s->input, bytes, (size_t)n);
		arm_escape(s);
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		loop_watch_modify(s->watch, 0);
		s->events.on_gone(s->user);
	}
}

struct display *
display_create(struct loop *loop, const struct backend_options *options, bool barrier,
    const struct display_events *events, void *user, struct err *err)
{
	struct backend *backend = backend_open(options, err);

	if (!backend)
		return NULL;
	struct display *s = mem_zalloc(sizeof(*s));
	s->loop = loop;
	s->backend = backend;
	s->barrier = barrier;
	s->jobs = options->jobs;
	s->events = *events;
	s->user = user;
	s->dirty = s->urgent = true;
	input_init(&s->input, display_on_key, s);
	s->frame_timer = (struct loop_timer){ .fn = on_frame_timer, .user = s };
	s->escape_timer = (struct loop_timer){ .fn = on_escape_timer, .user = s };
	s->watch = loop_watch_fd(loop, backend_info(backend).fd, LOOP_READ, on_ready, s);
	loop_on_idle(loop, on_idle, s);
	return s;
}

void
display_destroy(struct display *s)
{
	if (!s)
		return;
	loop_on_idle(s->loop, NULL, NULL);
	loop_timer_cancel(&s->frame_timer);
	loop_timer_cancel(&s->escape_timer);
	loop_watch_remove(s->watch);
	backend_close(s->backend);
	input_finish(&s->input);
	grid_finish(&s->grid);
	free(s);
}

void
display_set_theme(struct display *s, const struct theme *theme)
{
	s->theme = *theme;
	backend_repaint(s->backend);
	s->dirty = s->urgent = true;
}

bool
display_set_pictures(struct display *s, enum backend_pictures pictures, struct err *err)
{
	backend_set_pictures(s->backend, pictures);
	watch_writes(s);
	s->dirty = s->urgent = true;
	struct backend_info now = backend_info(s->backend);
	bool wants_pixels =
	    pictures == BACKEND_PICTURES_KITTY || pictures == BACKEND_PICTURES_SIXEL;
	return !wants_pixels || !now.has_answered || now.draws_pixels ||
	       err_set(err,
		   "the terminal does not answer that it has %s graphics: pictures stay cells",
		   backend_pictures_names[pictures]);
}

void
display_dirty(struct display *s)
{
	s->dirty = true;
}

void
display_resized(void *display, int signal_number)
{
	struct display *s = display;

	if (!s->suspended && backend_resize(s->backend))
		s->dirty = s->urgent = true;
}

void
display_write(struct display *s, const char *bytes, size_t len)
{
	backend_write_extra(s->backend, bytes, len);
	watch_writes(s);
}

void
display_suspend(struct display *s)
{
	s->suspended = true;
	loop_watch_modify(s->watch, 0);
	backend_suspend(s->backend);
}

bool
display_resume(struct display *s, struct err *err)
{
	if (!backend_resume(s->backend, err))
		return false;
	s->suspended = false;
	loop_watch_modify(s->watch, LOOP_READ);
	backend_resize(s->backend);
	s->dirty = s->urgent = true;
	return true;
}

static struct {
	struct loop *loop;
	struct display *display;
} guarded;

/* Signals that end a program and that we do not watch: crashes, resource limits, kill by another
 * program. The real-time signals are among them. */
static const struct {
	int number;
	bool is_crash;
} signals[] = { { SIGSEGV, true }, { SIGBUS, true }, { SIGFPE, true }, { SIGILL, true },
	{ SIGABRT, true }, { SIGSYS, true }, { SIGTRAP, true }, { SIGXCPU, false },
	{ SIGUSR1, false }, { SIGUSR2, false }, { SIGALRM, false }, { SIGVTALRM, false },
	{ SIGPROF, false }, { SIGIO, false }, { SIGPWR, false }, { SIGSTKFLT, false } };
enum { SIGNAL_COUNT = ARRAY_LEN(signals) };

static void
crash_say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

/* Only once: leaving the alternate screen twice would restore an old cursor position. */
static void
tidy_up(void)
{
	struct display *display = guarded.display;
	struct loop *loop = guarded.loop;

	guarded.display = NULL;
	guarded.loop = NULL;
	if (display)
		backend_restore_async(display->backend);
	if (loop)
		child_hand_over(loop);
}

/* Async-signal-safe calls only. SA_RESETHAND restored the default action. */
static void
on_signal(int signal_number)
{
	const char *name = sigabbrev_np(signal_number);
	bool is_crash = false;

	tidy_up();
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		is_crash |= signals[i].number == signal_number && signals[i].is_crash;
	if (bug_text[0]) {
		crash_say(bug_text);
	} else {
		crash_say(is_crash ? "mcpane: crashed by " : "mcpane: ended by ");
		crash_say(name ? "SIG" : "a real-time signal");
		crash_say(name ? name : "");
		crash_say("; the terminal was restored, the servers are ended");
	}
	crash_say("\n");
	raise(signal_number);
}

/* A signal ignored at startup (nohup) stays ignored. */
static void
handle(int signal_number)
{
	struct sigaction before;
	struct sigaction action = { .sa_handler = on_signal,
		.sa_flags = SA_RESETHAND | SA_ONSTACK | SA_NODEFER };

	if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(signal_number, &action, NULL);
}

void
crash_guard(struct loop *loop, struct display *display)
{
	static bool registered;
	static char stack[16384]; /* so that a stack overflow can be handled */

	guarded.loop = loop;
	guarded.display = display;
	if (registered)
		return;
	registered = true;
	mem_before_exit = tidy_up;
	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) }, NULL);
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		handle(signals[i].number);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		handle(number);
}
