/* SPDX-License-Identifier: MIT */
/* Random keys, clicks and sizes from a fixed seed: the program keeps running or exits properly.
 * MONKEY_ROUNDS=N for more, MONKEY_SEED=N for another sequence, MONKEY_TIME=N for N seconds with a
 * server whose answers are broken at random. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2e.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/vec.h"
#include "test.h"

enum { ACTIONS = 12 }; /* between two barriers */

struct monkey {
	uint64_t random;
	struct buf *trail; /* since the last barrier */
	int rows, cols;
};

/* No q: leaving is tried elsewhere. */
static const char *const keys[] = { "up", "down", "left", "right", "home", "end", "pgup", "pgdn",
	"tab", "shift-tab", "enter", "enter", "esc", "space", "f5", "f2", "f1", "backspace", "del",
	"ctrl-p", "alt-x", "ctrl-c", "alt-up", "alt-down", "ctrl-u", "ctrl-w", "ctrl-k", "ctrl-a",
	"a", "d", "e", "E", "g", "G", "h", "i", "j", "k", "l", "n", "o", "p", "s", "u", "v", "w",
	"x", "z", "J", "K", "L", "D", "U", "N", "R", "/", ":", "?", "+", "-", "1", "7", "0", ".",
	"\"", "{", "é", "字" };
static const char *const commands[] = { "tool rows", "tool nested", "tool update_order",
	"tool bad_rows", "tool big_numbers", "tool hostile", "tool slow", "tool crash", "tool ask",
	"tool array_result", "tool scalar_result", "tool mixed_content", "tool users", "tool echo",
	"set count 3000", "set tags [\"a\",\"b\",null]", "set lines [{},{\"sku\":1}]", "set x {",
	"view table", "view tree", "view json", "sort id", "sort", "filter a", "next-table", "zoom",
	"goto /products/3/price", "goto /rows/2999/id", "goto", "restart", "relist", "call",
	"call!", "cancel", "theme light", "theme mono", "theme dark", "wire", "schema",
	"pane journal", "pane validation", "pane structured", "pane content", "pane form", "json",
	"last", "copy" };

static size_t
pick(struct monkey *m, size_t count)
{
	m->random = m->random * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(m->random >> 33) % count;
}

static void
press(struct monkey *m, struct terminal *t)
{
	const char *key = keys[pick(m, ARRAY_LEN(keys))];

	buf_addf(m->trail, " %s", key);
	terminal_keys(t, key);
}

static void
command(struct monkey *m, struct terminal *t)
{
	const char *line = commands[pick(m, ARRAY_LEN(commands))];

	buf_addf(m->trail, " :%s", line);
	terminal_keys(t, "alt-x");
	terminal_type(t, line);
	terminal_keys(t, "enter");
}

static void
point(struct monkey *m, struct terminal *t)
{
	/* not in the bottom bar, where a hint leaves the program */
	int row = (int)pick(m, (size_t)m->rows - 1), col = (int)pick(m, (size_t)m->cols);

	if (!terminal_mode(t, 1006, false))
		return; /* an editor has the screen */
	buf_addf(m->trail, " click(%d,%d)", row, col);
	if (pick(m, 3) == 0)
		terminal_wheel(t, row, col, (int)pick(m, 9) - 4);
	else
		terminal_click(t, row, col);
}

static void
resize(struct monkey *m, struct terminal *t)
{
	m->rows = 2 + (int)pick(m, 60);
	m->cols = 2 + (int)pick(m, 200);
	buf_addf(m->trail, " size(%d,%d)", m->rows, m->cols);
	terminal_resize(t, m->rows, m->cols);
}

static void
act(struct monkey *m, struct terminal *t)
{
	size_t what = pick(m, 40);

	if (what == 0)
		resize(m, t);
	else if (what < 4)
		command(m, t);
	else if (what < 8)
		point(m, t);
	else
		press(m, t);
}

static struct buf trail; /* of the round under way: what to look at when it fails */

/* For the failure message of the current run. */
static uint64_t mutated;

static uint64_t
from_environment(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static void
play(struct terminal *t, uint64_t random, uint64_t rounds)
{
	struct monkey m = { .random = random, .trail = &trail, .rows = 36, .cols = 120 };

	for (; rounds > 0; rounds--) {
		buf_clear(&trail);
		for (int k = 0; k < ACTIONS; k++)
			act(&m, t);
		terminal_barrier(t);
	}
}

static void
play_well_known(struct terminal *t, uint64_t seed)
{
	play(t, seed + 1000 * from_environment("MONKEY_SEED", 0),
	    from_environment("MONKEY_ROUNDS", 40));
}

/* An app or a program in the terminal pane may have the keyboard. Ctrl-] takes it away, but gives
 * it to an app that lacks it, so it follows a Ctrl-Q that ends mcpane in that case. */
static void
leave(struct terminal *t)
{
	terminal_keys(t, "ctrl-q ctrl-]");
	e2e_leave(t);
}

static int
teardown(void **state)
{
	if (trail.len > 0)
		fprintf(stderr, "after:%s\n", buf_text(&trail));
	if (mutated)
		fprintf(stderr, "replay: MONKEY_SEED=%llu MONKEY_TIME=0\n",
		    (unsigned long long)mutated);
	buf_finish(&trail);
	return e2e_teardown(state);
}

static void
test_demo(void **state)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct terminal *t = e2e_start(state,
		    &(struct terminal_options){ .argv = ARGV("--demo"),
			.cwd = "~",
			.env = ARGV("VISUAL", "SHELL=/bin/true", "PAGER=true", "EDITOR=true") });
		e2e_wait(t, "list_users");
		play_well_known(t, seed);
		leave(t);
		buf_clear(&trail);
		e2e_teardown(state);
	}
}

static void
test_bad_servers(void **state)
{
	static const char *const modes[] = { "bad-tools", "list-changed-burst", "dies-mid-call",
		"invalid-utf8", "asks" };

	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		struct terminal *t = e2e_start(
		    state, &(struct terminal_options){
			       .argv = ARGV("--", terminal_fixture("badserver"), modes[i]),
			       .cwd = "~", /* it saves files under any name */
			       .env = ARGV("VISUAL", "SHELL=/bin/true", "PAGER=true",
				   "EDITOR=false", "COLORTERM=truecolor") });
		e2e_wait(t, "echo");
		play_well_known(t, 100 + i);
		leave(t);
		buf_clear(&trail);
		e2e_teardown(state);
	}
}

/* The demo behind a proxy that corrupts its messages: at least one run, and more for MONKEY_TIME
 * seconds. */
static void
test_mutated(void **state)
{
	uint64_t first = from_environment("MONKEY_SEED", 1), seed = first;
	int64_t until_ms = clock_now_ms() + 1000 * (int64_t)from_environment("MONKEY_TIME", 3);
	char text[24];

	do {
		mutated = seed;
		snprintf(text, sizeof(text), "%llu", (unsigned long long)seed);
		struct terminal *t = e2e_start(
		    state, &(struct terminal_options){
			       .argv = ARGV("--timeout", "2s", "--", terminal_fixture("mutator"),
				   text, terminal_program(), "--serve-demo"),
			       .cwd = "~",
			       .env = ARGV("VISUAL", "SHELL=/bin/true", "PAGER=true", "EDITOR=true",
				   "BROWSER=true") });
		terminal_barrier(t);
		play(t, seed, 20);
		leave(t);
		terminal_assert_never(t, "\033]0;mutated");
		terminal_assert_never(t, "\xc2\x9b");
		buf_clear(&trail);
		e2e_teardown(state);
		seed++;
	} while (clock_now_ms() < until_ms);
	mutated = 0;
	print_message("mutated: seeds %llu to %llu\n", (unsigned long long)first,
	    (unsigned long long)seed - 1);
}

TEST_FILE(monkey)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_demo, teardown),
		cmocka_unit_test_teardown(test_bad_servers, teardown),
		cmocka_unit_test_teardown(test_mutated, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
