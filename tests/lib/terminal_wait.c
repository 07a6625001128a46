/* SPDX-License-Identifier: MIT */
#include "terminal_priv.h"

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "fixture.h"

static int64_t
deadline_ms(void)
{
	return clock_now_ms() + fixture_deadline_ms();
}

/* The end of a process produces no output, so poll the condition. */
enum { LOOK_AGAIN_MS = 50 };

static bool
wait_till(struct terminal *t, terminal_condition *condition, void *ctx, int64_t end)
{
	while (!condition(t, ctx)) {
		int64_t left = end - clock_now_ms();
		if (left <= 0)
			return false;
		if (!terminal_pump(t, left < LOOK_AGAIN_MS ? (int)left : LOOK_AGAIN_MS))
			return condition(t, ctx);
	}
	return true;
}

static bool
is_never(struct terminal *t, void *ctx)
{
	return false;
}

void
terminal_watch(struct terminal *t, int ms)
{
	wait_till(t, is_never, NULL, clock_now_ms() + ms);
}

/* Pump until the condition holds. Returns false if the deadline passed or the condition cannot
 * become true. */
static bool
wait_until(struct terminal *t, terminal_condition *condition, void *ctx)
{
	return wait_till(t, condition, ctx, deadline_ms());
}

void
terminal_wait_until_at(
    struct terminal *t, terminal_condition *condition, void *ctx, const char *file, int line)
{
	if (!wait_until(t, condition, ctx))
		terminal_fail(t, file, line, "the condition did not come true");
}

static bool
is_shown(struct terminal *t, void *text)
{
	return terminal_find(t, text, NULL, NULL);
}

static bool
is_gone(struct terminal *t, void *text)
{
	return !terminal_find(t, text, NULL, NULL);
}

void
terminal_wait_text_at(struct terminal *t, const char *text, const char *file, int line)
{
	if (!wait_until(t, is_shown, (void *)text))
		terminal_fail(t, file, line, "\"%s\" did not appear", text);
}

void
terminal_wait_gone_at(struct terminal *t, const char *text, const char *file, int line)
{
	if (!wait_until(t, is_gone, (void *)text))
		terminal_fail(t, file, line, "\"%s\" did not go away", text);
}

static bool
has_frames(struct terminal *t, void *n)
{
	return t->escapes.frames >= *(unsigned *)n;
}

void
terminal_wait_frames_at(struct terminal *t, unsigned n, const char *file, int line)
{
	if (!wait_until(t, has_frames, &n))
		terminal_fail(t, file, line, "%u frames, not %u", t->escapes.frames, n);
}

/* ---- barrier ---- */
enum { ASK_AGAIN_MS = 1000 };

static void
send_barrier(struct terminal *t)
{
	t->barrier_sent++;
	buf_addf(&t->to_program, "\033[7700;%ld~", t->barrier_sent);
}

/* A resize is delivered as a signal, asynchronously to the input: repeat the query until the answer
 * has the new size. */
static bool
is_answered(struct terminal *t, void *ctx)
{
	if (t->barrier_seen != t->barrier_sent)
		return false;
	if (!t->resized || t->barrier_rows == 0 ||
	    (t->barrier_rows == t->rows && t->barrier_cols == t->cols))
		return true;
	send_barrier(t);
	return false;
}

void
terminal_barrier_at(struct terminal *t, const char *file, int line)
{
	int64_t end = deadline_ms();
	bool answered = false;

	/* an editor discards typed-ahead input, barriers included: send it again */
	while (!answered && !t->exited && clock_now_ms() < end) {
		int64_t soon = clock_now_ms() + ASK_AGAIN_MS;
		send_barrier(t);
		answered = wait_till(t, is_answered, NULL, soon < end ? soon : end);
	}
	if (!answered)
		terminal_fail(t, file, line, "the barrier was not answered");
	t->resized = false;
}

/* ---- processes ---- */
static bool
has_ended(struct terminal *t, void *ctx)
{
	/* not before all its output has been read */
	return t->exited && !terminal_pump(t, 0);
}

int
terminal_wait_exit_at(struct terminal *t, const char *file, int line)
{
	if (!wait_until(t, has_ended, NULL))
		terminal_fail(t, file, line, "the program did not end");
	return WIFSIGNALED(t->status) ? -WTERMSIG(t->status) : WEXITSTATUS(t->status);
}

static void
fail_processes(struct terminal *t, size_t n, const char *file, int line)
{
	pid_t pids[8];
	char name[64], text[1024] = "";
	size_t count = processes_find(&t->processes, pids, 8);

	for (size_t i = 0, at = 0; i < count && i < 8 && at < sizeof(text); i++) {
		processes_name(pids[i], name, sizeof(name));
		at += (size_t)snprintf(text + at, sizeof(text) - at, " %d(%s)", (int)pids[i], name);
	}
	terminal_fail(t, file, line, "%zu processes, not %zu:%s", count, n, text);
}

/* Reap orphans adopted by this process, because their group exists until then. */
static void
reap_orphans(struct terminal *t)
{
	if (!t->exited)
		return;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
}

void
terminal_wait_processes_at(struct terminal *t, size_t n, const char *file, int line)
{
	int64_t end = deadline_ms();

	/* a grandchild's end is not signaled, so poll every few milliseconds */
	while (reap_orphans(t), processes_find(&t->processes, NULL, 0) != n) {
		if (clock_now_ms() >= end)
			fail_processes(t, n, file, line);
		if (!terminal_pump(t, 5))
			poll(NULL, 0, 5);
	}
}
