/* SPDX-License-Identifier: MIT */
/* The harness of the end-to-end tests, tried on programs whose behavior is known. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "escapes.h"
#include "terminal.h"
#include "terminal_figures.h"
#include "test.h"

static int
teardown(void **state)
{
	terminal_close(*state);
	return 0;
}

static struct terminal *
start(void **state, const char *const *argv)
{
	*state = terminal_start(&(struct terminal_options){ .argv = argv, .rows = 24, .cols = 80 });
	return *state;
}

static struct terminal *
start_shell(void **state, const char *script)
{
	return start(state, ARGV("sh", "-c", script));
}

static struct terminal *
start_fixture(void **state)
{
	struct terminal *t = start(state, ARGV(terminal_fixture("screenprog")));
	terminal_wait_text(t, "size 24x80");
	return t;
}

/* ---- any program ---- */
static void
test_text_and_exit_code(void **state)
{
	struct terminal *t = start_shell(state, "printf 'one\\r\\n  two'; exit 7");

	assert_int_equal(terminal_wait_exit(t), 7);
	assert_string_equal(terminal_row(t, 0), "one");
	assert_string_equal(terminal_row(t, 1), "  two");
	int row, col;
	assert_true(terminal_find(t, "two", &row, &col));
	assert_int_equal(row, 1);
	assert_int_equal(col, 2);
	assert_false(terminal_find(t, "three", NULL, NULL));
	terminal_assert_restored(t);
}

static void
test_everything_written_before_exit_is_read(void **state)
{
	struct terminal *t = start_shell(state, "seq 1 30000; printf last");

	assert_int_equal(terminal_wait_exit(t), 0);
	assert_true(terminal_find(t, "last", NULL, NULL));
	assert_true(terminal_find(t, "30000", NULL, NULL));
}

static void
test_killed_by_signal(void **state)
{
	struct terminal *t = start_shell(state, "echo up; read x");

	terminal_wait_text(t, "up");
	kill(terminal_pid(t), SIGKILL);
	assert_int_equal(terminal_wait_exit(t), -SIGKILL);
}

static void
test_environment(void **state)
{
	*state = terminal_start(&(struct terminal_options){
	    .argv = ARGV("sh", "-c",
		"echo \"$TERM,$GREETING,${LANG-unset},$MCPANE_TEST_BARRIER,$HOME\"; pwd; stty "
		"size"),
	    .env = ARGV("GREETING=hello", "LANG"),
	    .cwd = "/",
	    .rows = 30,
	    .cols = 100 });
	struct terminal *t = *state;

	terminal_wait_text(t, "xterm-256color,hello,unset,1,");
	assert_true(terminal_find(t, terminal_home(t), NULL, NULL));
	terminal_wait_text(t, "30 100");
	assert_string_equal(terminal_row(t, 1), "/");
}

static void
test_typing_into_a_cooked_terminal(void **state)
{
	struct terminal *t = start_shell(state, "read x; echo \"got <$x>\"");

	terminal_type(t, "hello");
	terminal_keys(t, "space w backspace v enter");
	terminal_wait_text(t, "got <hello v>");
	assert_int_equal(terminal_wait_exit(t), 0);
	terminal_assert_restored(t);
}

static void
test_hang_up(void **state)
{
	struct terminal *t = start_shell(state, "echo up; exec sleep 60");

	terminal_wait_text(t, "up");
	terminal_hang_up(t);
	assert_int_equal(terminal_wait_exit(t), -SIGHUP);
}

static void
test_sgr_survives_being_split(void **state)
{
	struct terminal *t =
	    start_shell(state, "printf '\\033[1'; printf ';4;32mok\\033'; printf '[0m.'");

	terminal_wait_exit(t);
	struct terminal_cell cell = terminal_cell(t, 0, 0);
	assert_string_equal(cell.text, "o");
	assert_true(cell.bold);
	assert_int_equal(cell.underline, 1);
	assert_int_equal(cell.fg, TERMINAL_INDEX | 2);
	assert_int_equal(cell.bg, TERMINAL_DEFAULT);
	assert_false(terminal_cell(t, 0, 2).bold);
}

static void
test_less_end_to_end(void **state)
{
	if (access("/usr/bin/less", X_OK) != 0)
		skip();
	*state =
	    terminal_start(&(struct terminal_options){ .argv = ARGV("sh", "-c", "seq 1 500 | less"),
		.rows = 24,
		.cols = 80,
		.env = ARGV("LESS", "LESSOPEN") });
	struct terminal *t = *state;

	terminal_wait_text(t, "23");
	assert_true(terminal_mode(t, 1049, false));
	terminal_keys(t, "pgdn");
	terminal_wait_text(t, "46");
	terminal_type(t, "/321\r");
	terminal_wait_text(t, "321");
	terminal_keys(t, "G");
	terminal_wait_text(t, "500");
	terminal_keys(t, "q");
	assert_int_equal(terminal_wait_exit(t), 0);
	terminal_assert_restored(t);
}

/* ---- the fixture ---- */
static void
test_cells(void **state)
{
	struct terminal *t = start_fixture(state);
	int row, col;

	assert_true(terminal_find(t, "wide", &row, &col));
	assert_int_equal(row, 1);
	assert_int_equal(col, 5);
	assert_int_equal(terminal_cell(t, 1, 0).width, 2);
	assert_string_equal(terminal_cell(t, 1, 1).text, "");
	assert_true(terminal_find(t, "\xe6\x9c\xac wide, e\xcc\x81", &row, &col));
	assert_int_equal(col, 2);
	assert_true(terminal_find_in_row(t, 2, "reverse", &col));
	assert_true(terminal_cell(t, 2, col).reverse);
	assert_true(terminal_cell(t, 2, 0).bold);
	assert_int_equal(terminal_cell(t, 2, 0).fg, TERMINAL_INDEX | 1);
	assert_true(terminal_find(t, "rgb", &row, &col));
	assert_int_equal(terminal_cell(t, row, col).fg, TERMINAL_RGB | 0x010203);
	assert_int_equal(terminal_cell(t, row, col).bg, TERMINAL_INDEX | 17);
	assert_string_equal(terminal_title(t), "screen program");
	assert_false(terminal_cursor(t, NULL, NULL));
	assert_non_null(strstr(terminal_screen(t), "rgb\nseen\n"));
}

static void
test_keys(void **state)
{
	struct terminal *t = start_fixture(state);

	terminal_keys(t, "ctrl-p up f5 alt-x shift-tab esc pgdn enter ctrl-right \xc3\xa9");
	terminal_barrier(t);
	assert_true(
	    terminal_find(t, "seen ^P^[[A^[[15~^[x^[[Z^[^[[6~^M^[[1;5C\xc3\xa9", NULL, NULL));
}

static void
test_barrier_orders(void **state)
{
	struct terminal *t = start_fixture(state);

	for (int i = 0; i < 200; i++) {
		terminal_keys(t, i % 2 ? "b" : "a");
		terminal_barrier(t);
		int row, col;
		assert_true(terminal_find(t, "seen", &row, &col));
		const char *seen = terminal_row(t, row);
		assert_int_equal(seen[strlen(seen) - 1], i % 2 ? 'b' : 'a');
	}
}

static void
test_barrier_waits_for_a_resize(void **state)
{
	struct terminal *t = start_fixture(state);

	for (int i = 0; i < 20; i++) {
		terminal_resize(t, 30 + i, 100 + i);
		terminal_barrier(t);
		char expected[32];
		snprintf(expected, sizeof(expected), "size %dx%d", 30 + i, 100 + i);
		assert_true(terminal_find(t, expected, NULL, NULL));
	}
}

static void
test_paste_and_mouse(void **state)
{
	struct terminal *t = start_fixture(state);

	terminal_paste(t, "two\rlines");
	terminal_barrier(t);
	assert_true(terminal_find(t, "seen ^[[200~two^Mlines^[[201~", NULL, NULL));
	terminal_click(t, 4, 9);
	terminal_wheel(t, 0, 0, -1);
	terminal_barrier(t);
	assert_true(terminal_find(t, "^[[<0;10;5M^[[<0;10;5m^[[<64;1;1M", NULL, NULL));
	terminal_drag(t, 1, 1, 2, 2);
	terminal_barrier(t);
	assert_true(terminal_find(t, "^[[<0;2;2M^[[<32;3;3M^[[<0;3;3m", NULL, NULL));
}

static void
test_replies(void **state)
{
	*state = terminal_start(&(struct terminal_options){
	    .argv = ARGV(terminal_fixture("screenprog")), .background = "rgb:ffff/ffff/ffff" });
	struct terminal *t = *state;

	terminal_wait_text(t, "seen");
	terminal_keys(t, "?");
	terminal_wait_text(t, "^[[?2026;2$y");
	terminal_wait_text(t, "^[]11;rgb:ffff/ffff/ffff^[\\");
}

static void
test_restored(void **state)
{
	struct terminal *t = start_fixture(state);

	assert_true(terminal_mode(t, 1049, false));
	assert_true(terminal_mode(t, 1006, false));
	terminal_keys(t, "q");
	assert_int_equal(terminal_wait_exit(t), 3);
	terminal_assert_restored(t);
	assert_false(terminal_find(t, "size", NULL, NULL));
}

static void
test_waits_for_processes(void **state)
{
	struct terminal *t = start_fixture(state);

	terminal_wait_processes(t, 0);
	terminal_keys(t, "c");
	terminal_wait_processes(t, 1);
	terminal_barrier(t);
	terminal_keys(t, "o");
	terminal_wait_processes(t, 2);
}

static void
test_survivors_are_seen(void **state)
{
	struct terminal *t = start_fixture(state);

	terminal_keys(t, "o");
	terminal_wait_processes(t, 1);
	terminal_barrier(t);
	terminal_keys(t, "q");
	assert_int_equal(terminal_wait_exit(t), 3);
	terminal_wait_processes(t, 1);
}

static void
test_log_and_figures(void **state)
{
	struct terminal *t = start_fixture(state);
	size_t len;

	terminal_barrier(t);
	unsigned frames = terminal_figures(t).frames;
	terminal_keys(t, "a");
	terminal_barrier(t);
	terminal_wait_frames(t, frames + 1);
	assert_true(terminal_figures(t).peak_kib > 100);
	const char *log = terminal_log(t, &len);
	assert_non_null(memmem(log, len, "\033[?1049h", 8));
	terminal_assert_never(t, "\033]52;");
	terminal_keys(t, "L");
	terminal_barrier(t);
	assert_true(terminal_figures(t).bytes > 2000 * 40);
}

/* ---- a check that should fail does: this program starts itself with FAILURE and fails on purpose
 * ---- */
#define FAILURE "MCPANE_TEST_FAILURE"

static void
lose_patience(void)
{
	setenv("MCPANE_TEST_DEADLINE_MS", "100", 1);
}

static void
fail_text(struct terminal *t)
{
	lose_patience();
	terminal_wait_text(t, "not there");
}

static void
fail_gone(struct terminal *t)
{
	lose_patience();
	terminal_wait_gone(t, "size");
}

static void
fail_barrier(struct terminal *t)
{
	kill(terminal_pid(t), SIGSTOP);
	lose_patience();
	terminal_barrier(t);
}

static void
fail_restored(struct terminal *t)
{
	terminal_keys(t, "x");
	terminal_wait_exit(t);
	terminal_assert_restored(t);
}

static void
fail_settings(struct terminal *t)
{
	terminal_send(t, "\033", 1);
	kill(terminal_pid(t), SIGKILL);
	terminal_wait_exit(t);
	terminal_assert_restored(t);
}

static void
fail_processes(struct terminal *t)
{
	terminal_keys(t, "o");
	terminal_wait_processes(t, 1);
	terminal_barrier(t);
	terminal_keys(t, "q");
	terminal_wait_exit(t);
	lose_patience();
	terminal_wait_processes(t, 0);
}

static void
fail_exit(struct terminal *t)
{
	lose_patience();
	terminal_wait_exit(t);
}

static void
fail_never(struct terminal *t)
{
	terminal_assert_never(t, "\033[?1049h");
}

static void
fail_key(struct terminal *t)
{
	terminal_keys(t, "hyper-x");
}

static const struct {
	const char *name;
	void (*run)(struct terminal *t);
	const char *says;
} FAILURES[] = {
	{ "text", fail_text, "\"not there\" did not appear" },
	{ "gone", fail_gone, "\"size\" did not go away" },
	{ "barrier", fail_barrier, "the barrier was not answered" },
	{ "restored", fail_restored, "(mode 25) was left off" },
	{ "settings", fail_settings, "was left" },
	{ "processes", fail_processes, "1 processes, not 0:" },
	{ "exit", fail_exit, "the program did not end" },
	{ "never", fail_never, "the program wrote a forbidden sequence" },
	{ "key", fail_key, "no key is called hyper-x" },
};

static void
test_failures_fail(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(FAILURES); i++) {
		char failure[64];
		terminal_fixture("screenprog");
		snprintf(failure, sizeof(failure), FAILURE "=%s", FAILURES[i].name);
		*state = terminal_start(&(struct terminal_options){
		    .argv = ARGV(program_invocation_name, "terminal"), .env = ARGV(failure) });
		terminal_wait_text(*state, FAILURES[i].says);
		terminal_wait_text(*state, "screen of 24 x 80");
		assert_int_equal(terminal_wait_exit(*state), 255);
		terminal_close(*state);
		*state = NULL;
	}
}

/* Outside of a test cmocka ends the program where an assertion fails. */
static int
fail_on_purpose(const char *name)
{
	void *state = NULL;

	for (size_t i = 0; i < ARRAY_LEN(FAILURES); i++) {
		if (strcmp(FAILURES[i].name, name) == 0)
			FAILURES[i].run(start_fixture(&state));
	}
	return 0;
}

/* ---- escapes ---- */
static void
test_escapes(void **state)
{
	static const char bytes[] = "\033[?1049;25h\033Pq?25l\033\\\033[?25l\033[?2026h\033[?2026h"
				    "\033[?2026l\033[?2026l\033]0;a\033[?25h\033[4h\033[?h\033[?;h";
	struct escapes whole = { 0 }, split = { 0 };

	escapes_feed(&whole, bytes, sizeof(bytes) - 1);
	for (size_t i = 0; i < sizeof(bytes) - 1; i++)
		escapes_feed(&split, bytes + i, 1);
	assert_memory_equal(&whole, &split, sizeof(whole));
	assert_true(escapes_mode(&whole, 1049, false));
	assert_true(escapes_mode(&whole, 25, false));
	assert_false(escapes_mode(&whole, 4, false));
	assert_true(escapes_mode(&whole, 4711, true));
	assert_int_equal(whole.frames, 1);
}

TEST_FILE(terminal)
{
	const char *failure = getenv(FAILURE);

	if (failure)
		return fail_on_purpose(failure);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escapes),
		cmocka_unit_test_teardown(test_text_and_exit_code, teardown),
		cmocka_unit_test_teardown(test_everything_written_before_exit_is_read, teardown),
		cmocka_unit_test_teardown(test_killed_by_signal, teardown),
		cmocka_unit_test_teardown(test_environment, teardown),
		cmocka_unit_test_teardown(test_typing_into_a_cooked_terminal, teardown),
		cmocka_unit_test_teardown(test_hang_up, teardown),
		cmocka_unit_test_teardown(test_sgr_survives_being_split, teardown),
		cmocka_unit_test_teardown(test_less_end_to_end, teardown),
		cmocka_unit_test_teardown(test_cells, teardown),
		cmocka_unit_test_teardown(test_keys, teardown),
		cmocka_unit_test_teardown(test_barrier_orders, teardown),
		cmocka_unit_test_teardown(test_barrier_waits_for_a_resize, teardown),
		cmocka_unit_test_teardown(test_paste_and_mouse, teardown),
		cmocka_unit_test_teardown(test_replies, teardown),
		cmocka_unit_test_teardown(test_restored, teardown),
		cmocka_unit_test_teardown(test_waits_for_processes, teardown),
		cmocka_unit_test_teardown(test_survivors_are_seen, teardown),
		cmocka_unit_test_teardown(test_log_and_figures, teardown),
		cmocka_unit_test_teardown(test_failures_fail, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
