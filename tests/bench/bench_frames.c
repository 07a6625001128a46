/* SPDX-License-Identifier: MIT */
/* bench_frames [BADSERVER]: the cost of a key on the ordinary screen, the number of writes per
 * frame, and the cost of idling; with BADSERVER, a key in a list of 10 000. */
#include <stdio.h>
#include <time.h>

#include "measure.h"
#include "terminal.h"
#include "terminal_figures.h"
#include "test.h"

enum { KEYS = 20, IDLE_S = 2 };

static void
time_keys(struct terminal *t, const char *aim)
{
	struct samples key = { 0 };
	struct terminal_figures before = terminal_figures(t), after;

	for (unsigned i = 0; i < KEYS; i++) {
		double start = measure_now_ms();
		terminal_keys(t, i % 2 ? "up" : "down");
		terminal_wait_frames(t, before.frames + i + 1);
		samples_add(&key, measure_now_ms() - start);
	}
	terminal_barrier(t);
	after = terminal_figures(t);
	double frames = after.frames - before.frames;
	measure_print("a key in the list, to its frame", &key, "ms", NULL, aim,
	    "1 006 tools: inspector TUI 38-122");
	measure_print_one("frames for a key", frames / KEYS, "", "aim 1", NULL);
	measure_print_one("to the terminal for a key", (double)(after.bytes - before.bytes) / KEYS,
	    "B", NULL, NULL);
	/* One of the writes answers the barrier. */
	if (after.write_calls > 0)
		measure_print_one("write calls for a frame, into memory included",
		    (double)(after.write_calls - before.write_calls - 1) / frames, "", NULL, NULL);
}

/* Nothing can be waited for here: the quantity is what happens in a length of time. */
static void
watch_idle(struct terminal *t)
{
	struct timespec span = { .tv_sec = IDLE_S }, settle = { .tv_nsec = 100000000 };

	nanosleep(&settle, NULL); /* it goes to sleep */
	struct terminal_figures before = terminal_figures(t);
	nanosleep(&span, NULL);
	uint64_t wakeups = terminal_figures(t).wakeups - before.wakeups;
	terminal_barrier(t); /* wake it and read its output */
	measure_print_one(
	    "wake-ups while idle, per second", (double)wakeups / IDLE_S, "", "aim 0", NULL);
	measure_print_one("frames while idle", (double)(terminal_figures(t).frames - before.frames),
	    "", "aim 0", NULL);
}

static void
many_tools(const char *badserver)
{
	struct terminal *t = terminal_start(&(struct terminal_options){
	    .argv = ARGV(terminal_program(), "--", badserver, "many-tools", "10000") });

	terminal_wait_text(t, "tool_0001");
	terminal_barrier(t);
	measure_title("a list of 10 000 tools, 120 x 36");
	time_keys(t, "aim 1.5");
	terminal_close(t);
}

int
main(int argc, char **argv)
{
	struct terminal *t = terminal_start(
	    &(struct terminal_options){ .argv = ARGV(terminal_program(), "--demo") });

	terminal_wait_text(t, "list_users");
	terminal_barrier(t);
	measure_title("the demo server, connected, 120 x 36");
	time_keys(t, "aim 3");
	watch_idle(t);
	terminal_close(t);
	if (argc > 1)
		many_tools(argv[1]);
	return 0;
}
