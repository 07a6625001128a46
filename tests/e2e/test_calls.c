/* SPDX-License-Identifier: MIT */
/* Calls that take their time, end badly or are prepared elsewhere. */
#include <signal.h>

#include "base/vec.h"
#include "base/mem.h"
#include "base/path.h"
#include "e2e.h"
#include "test.h"

#include <stdlib.h>
#include <sys/stat.h>

static void
test_clock_progress_and_cancel(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool slow");
	e2e_run(t, "set seconds 30");
	e2e_run(t, "set steps 600");
	e2e_press(t, "f5");
	e2e_see(t, "running");
	e2e_see(t, "Ctrl-C cancels");
	e2e_see(t, "1 running");
	e2e_wait(t, "1/600");
	e2e_wait(t, "4/600"); /* the clock runs without keys */
	e2e_see(t, "reading the recipe");
	e2e_press(t, "ctrl-c");
	e2e_wait(t, "cancelled");
	e2e_see_not(t, "running");
	e2e_run(t, "wire");
	e2e_see(t, "notifications/cancelled");
	e2e_see(t, "notifications/progress");
	e2e_press(t, "w ctrl-c");
	e2e_see(t, "no call is running (q quits)");
	e2e_leave(t);
}

static void
test_two_calls_at_once(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool slow");
	e2e_run(t, "set seconds 20");
	e2e_press(t, "f5");
	e2e_run(t, "tool bad_rows");
	e2e_press(t, "f5");
	e2e_wait(t, "6 violations");
	e2e_see(t, "1 running");
	e2e_run(t, "tool slow");
	e2e_run(t, "set seconds 0.2");
	e2e_run(t, "call");
	e2e_see(t, "2 running");
	e2e_wait(t, "Done: 10 steps");
	e2e_see(t, "1 running");
	e2e_press(t, "ctrl-c"); /* the shown call is over: which of the others? */
	e2e_see(t, "Cancel which call?");
	e2e_press(t, "enter");
	e2e_wait(t, "3 calls");
	e2e_leave(t);
}

static void
test_quit_asks_while_calls_run(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool slow");
	e2e_run(t, "set seconds 600");
	e2e_press(t, "f5");
	e2e_press(t, "esc esc q");
	e2e_see(t, "╭ Quit? ─");
	e2e_see(t, "1 call is still running.");
	e2e_press(t, "esc");
	e2e_see_not(t, "Quit?");
	e2e_press(t, "q");
	e2e_answer(t, "enter"); /* the safe one */
	e2e_see_not(t, "Quit?");
	e2e_press(t, "q y"); /* it was not read yet */
	e2e_see(t, "press it again");
	e2e_answer(t, "");
	terminal_keys(t, "y");
	assert_int_equal(terminal_wait_exit(t), 0);
	terminal_assert_restored(t);
	terminal_wait_processes(t, 0);
}

static void
test_server_dies_and_is_restarted(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool crash");
	e2e_press(t, "f5");
	e2e_see(t, "Call a destructive tool?");
	e2e_answer(t, "y");
	e2e_wait(t, "the server ended before it answered");
	e2e_see(t, "last lines of stderr:");
	e2e_see(t, "✗");
	e2e_press(t, "f5");
	e2e_see(t, "not connected: R restarts it");
	e2e_press(t, "esc esc R");
	e2e_wait(t, "demo ●");
	e2e_run(t, "tool list_users");
	e2e_press(t, "f5");
	e2e_wait(t, "Charlie");
	e2e_press(t, "w");
	e2e_see(t, "started again");
	terminal_wait_processes(t, 1);
	e2e_leave(t);
}

/* A dead server is reported with its exit code or signal and its last lines. */
static void
test_deaths_of_other_servers(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("dies-mid-call"));

	e2e_wait(t, "echo");
	e2e_run(t, "tool users");
	e2e_press(t, "f5");
	e2e_wait(t, "exit code 4");
	e2e_see(t, "badserver: assertion failed: row != NULL");
	e2e_teardown(state);

	t = e2e_bad(state, NULL, ARGV("killed-by-signal"));
	e2e_wait(t, "echo");
	e2e_run(t, "tool users");
	e2e_press(t, "f5");
	e2e_wait(t, "SIGSEGV");
	e2e_teardown(state);

	t = e2e_bad(state, NULL, ARGV("closes-output"));
	e2e_wait(t, "echo");
	e2e_run(t, "tool users");
	e2e_press(t, "f5");
	e2e_wait(t, "the server ended before it answered: exit code 0");
	e2e_leave(t);
}

static void
test_error_reply_and_is_error(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("error-reply"));

	e2e_wait(t, "echo");
	e2e_run(t, "tool users");
	e2e_press(t, "f5");
	e2e_wait(t, "The disk is full");
	e2e_see(t, "-32000");
	e2e_see(t, "\"free\": 0");
	e2e_teardown(state);

	t = e2e_bad(state, NULL, ARGV("is-error"));
	e2e_wait(t, "echo");
	e2e_run(t, "tool users");
	e2e_press(t, "f5");
	e2e_wait(t, "✗ isError: the tool reports that it failed");
	e2e_see(t, "No such user");
}

/* Requests that the server sends meanwhile wait for the user, in order. */
static void
test_requests_of_the_server_wait(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("asks"));

	e2e_wait(t, "echo");
	e2e_run(t, "tool echo");
	e2e_run(t, "set text \"x\"");
	e2e_press(t, "f5");
	e2e_wait(t, "1 of 3");
	e2e_see(t, "asks: form elicitation");
	e2e_see(t, "Your name?");
	e2e_press(t, "f8");
	e2e_see(t, "asks: sampling");
	e2e_press(t, "f8");
	e2e_see(t, "asks: roots");
	e2e_press(t, "f8");
	e2e_wait(t, "elicitation/create");
	terminal_wait_gone(t, "running");
	e2e_see(t, "sampling/createMessage");
	e2e_see(t, "roots/list");
	e2e_teardown(state);

	t = e2e_demo(state, NULL);
	e2e_run(t, "tool ask");
	e2e_press(t, "f5");
	e2e_wait(t, "Which color?");
	e2e_press(t, "f8");
	terminal_wait_gone(t, "running");
	e2e_see(t, "asked for");
	e2e_leave(t);
}

static void
edit(struct terminal *t, const char *line)
{
	terminal_keys(t, "ctrl-e");
	terminal_wait_text(t, "editing:");
	terminal_type(t, line);
	terminal_keys(t, "enter");
	terminal_wait_gone(t, "leave the keyboard");
	terminal_barrier(t);
}

static void
test_editor(void **state)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--demo"),
				 .env = ARGV("VISUAL", "EDITOR=sh tests/fixtures/editor.sh") });

	e2e_wait(t, "list_users");
	edit(t, "{\"limit\": 2}");
	e2e_press(t, "f5");
	e2e_wait(t, "table · 2 × 3");
	edit(t, "fail");
	e2e_see(t, "the editor failed; the arguments are as before");
	edit(t, "{\"limit\": ");
	e2e_see(t, "it is not valid JSON");
	edit(t, "{\"limit\":1,\"role\":\"viewer\"}");
	e2e_press(t, "f5");
	e2e_wait(t, "table · 1 × 3");
	terminal_wait_processes(t, 1);
	e2e_leave(t);
}

/* With "editor screen" the editor has the whole terminal, and signals that are typed are for it. */
static void
test_editor_and_signals(void **state)
{
	char folder[] = "/tmp/mcpane-test-XXXXXX";
	struct err err;

	assert_non_null(mkdtemp(folder));
	char *config = mem_printf("XDG_CONFIG_HOME=%s", folder);
	char *below = mem_printf("%s/mcpane", folder), *path = mem_printf("%s/config", below);
	assert_int_equal(mkdir(below, 0700), 0);
	assert_true(path_write_file(path, "editor screen\n", 14, &err));
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("--demo"),
		       .env = ARGV("VISUAL", "EDITOR=sh tests/fixtures/editor.sh", config) });

	e2e_wait(t, "list_users");
	terminal_keys(t, "ctrl-e");
	terminal_wait_gone(t, "stdio");
	terminal_wait_text(t, "editing:");
	assert_false(terminal_mode(t, 1049, false)); /* the main screen is the editor's */
	assert_false(terminal_mode(t, 1006, false));
	terminal_keys(t, "ctrl-c");
	terminal_wait_text(t, "the editor failed");
	terminal_keys(t, "ctrl-e");
	terminal_wait_gone(t, "stdio");
	terminal_wait_text(t, "editing:");
	terminal_wait_processes(t, 2);
	kill(terminal_pid(t), SIGTERM);
	assert_int_equal(terminal_wait_exit(t), 128 + SIGTERM);
	terminal_wait_processes(t, 0);
	terminal_assert_restored(t);
	assert_int_equal(unlink(path) | rmdir(below) | rmdir(folder), 0);
	free(config);
	free(below);
	free(path);
}

static void
test_editor_that_is_not_there(void **state)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--demo"),
				 .env = ARGV("VISUAL", "EDITOR=/nonexistent/editor") });

	e2e_wait(t, "list_users");
	e2e_press(t, "ctrl-e");
	e2e_see(t, "cannot start the editor");
	e2e_leave(t);
}

/* $EDITOR is a shell command, as in git. */
static void
test_editor_with_quotes(void **state)
{
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("--demo"),
		       .env = ARGV("VISUAL", "EDITOR=env 'A=b c' sh tests/fixtures/editor.sh") });

	e2e_wait(t, "list_users");
	edit(t, "{\"limit\": 2}");
	e2e_press(t, "f5");
	e2e_wait(t, "table · 2 × 3");
	e2e_leave(t);
	e2e_teardown(state);
	t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("--demo"),
		       .env = ARGV("VISUAL", "EDITOR=A=b; A=$A sh tests/fixtures/editor.sh") });
	e2e_wait(t, "list_users");
	edit(t, "{\"limit\": 1}");
	e2e_press(t, "f5");
	e2e_wait(t, "table · 1 × 3");
	e2e_leave(t);
	e2e_teardown(state);
	t = e2e_start(state, &(struct terminal_options){ .argv = ARGV("--demo"),
				 .env = ARGV("VISUAL", "EDITOR=/nonexistent/editor -x") });
	e2e_wait(t, "list_users");
	terminal_keys(t, "ctrl-e");
	e2e_wait(t, "cannot start the editor /nonexistent/editor -x: the shell cannot run it");
	e2e_leave(t);
}

static bool
is_back(struct terminal *t, void *ctx)
{
	return terminal_mode(t, 1049, false) && terminal_find(t, "the editor failed", NULL, NULL);
}

static void
test_editor_that_ends_at_once(void **state)
{
	struct terminal *t = e2e_start(state,
	    &(struct terminal_options){ .argv = ARGV("--demo"), .env = ARGV("VISUAL=false") });

	terminal_wait_text(t, "list_users");
	for (int i = 0; i < 20; i++) {
		terminal_keys(t, "ctrl-e");
		terminal_wait_until(t, is_back, NULL);
		e2e_press(t, "down");
		e2e_see_not(t, "the editor failed");
	}
	e2e_leave(t);
}

static void
test_json_in_place(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool list_users");
	e2e_run(t, "set limit 50");
	e2e_press(t, "esc J");
	e2e_see(t, "\"limit\": 50");
	e2e_press(t, "ctrl-end");
	terminal_keys(t, "up end backspace backspace");
	terminal_type(t, "1");
	terminal_barrier(t);
	e2e_see(t, "\"limit\": 1");
	e2e_press(t, "f5");
	e2e_wait(t, "table · 1 × 3");
	e2e_leave(t);
}

static void
test_commands_at_start_run_in_order(void **state)
{
	struct terminal *t = e2e_demo(state,
	    ARGV("-c", "tool slow", "-c", "set seconds 0.1", "-c", "call", "-c", "tool list_users",
		"-c", "call", "-c", "pane structured", "-c", "sort name desc"));
	int charlie, alice;

	e2e_wait(t, "2 calls");
	e2e_wait(t, "Charlie");
	assert_true(terminal_find(t, "Charlie", &charlie, NULL));
	assert_true(terminal_find(t, "Alice", &alice, NULL));
	assert_true(charlie < alice);
	e2e_run(t, "tool slow");
	e2e_see(t, "Done: 10 steps");
	e2e_leave(t);
}

static void
test_eras(void **state)
{
	static const struct {
		const char *era, *version;
	} eras[] = { { "auto", "2026-07-28" }, { "modern", "2026-07-28" },
		{ "legacy", "2025-11-25" } };

	for (size_t i = 0; i < ARRAY_LEN(eras); i++) {
		struct terminal *t = e2e_demo(state, ARGV("--era", eras[i].era));
		e2e_see(t, eras[i].version);
		e2e_press(t, "f5");
		e2e_wait(t, "✓ valid");
		e2e_teardown(state);
	}
	struct terminal *t = e2e_bad(state, ARGV("--era", "modern"), ARGV("good"));
	e2e_wait(t, "R restarts it");
	e2e_leave(t);
}

/* A result of many megabytes is read and checked while keys work. */
static void
test_a_big_result_holds_nothing_up(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool rows");
	e2e_run(t, "set count 300000");
	e2e_run(t, "call");
	for (int i = 0; i < 20; i++)
		e2e_press(t, "tab"); /* each waits for its frame */
	e2e_wait(t, "300 000 ×");
	e2e_wait(t, "✓ valid");
	e2e_run(t, "call");
	e2e_run(t, "restart"); /* at any age */
	e2e_run(t, "echo-is-no-command");
	e2e_wait(t, "no command is named");
	e2e_leave(t);
}

static const char *const stages[] = { "running", "being parsed", "checking", "300 000 ×" };
enum { STAGES = ARRAY_LEN(stages) };

/* One may be over before it was seen. */
static bool
has_come_to(struct terminal *t, void *ctx)
{
	for (int i = *(int *)ctx; i < STAGES; i++)
		if (terminal_find(t, stages[i], NULL, NULL))
			return true;
	return false;
}

static void
test_quit_while_a_result_is_read(void **state)
{
	for (int i = 0; i < STAGES; i++) {
		struct terminal *t = e2e_demo(
		    state, ARGV("-c", "tool rows", "-c", "set count 300000", "-c", "call"));
		terminal_wait_until(t, has_come_to, &i);
		e2e_leave(t);
		e2e_teardown(state);
	}
}

/* A server of both eras whose tools send requests: one key repeats the call where that works. */
static void
test_repeats_in_the_legacy_era(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("two-eras"));

	e2e_wait(t, "roots");
	e2e_press(t, "O");
	e2e_see(t, "the call shown does not need the legacy era");
	e2e_press(t, "f5");
	e2e_wait(t, "O calls again in it");
	e2e_press(t, "O");
	e2e_wait(t, "no roots");
	e2e_press(t, "R"); /* the era stays */
	e2e_press(t, "f5");
	e2e_wait(t, "no roots");
	e2e_leave(t);
}

TEST_FILE(calls)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_clock_progress_and_cancel, e2e_teardown),
		cmocka_unit_test_teardown(test_two_calls_at_once, e2e_teardown),
		cmocka_unit_test_teardown(test_quit_asks_while_calls_run, e2e_teardown),
		cmocka_unit_test_teardown(test_server_dies_and_is_restarted, e2e_teardown),
		cmocka_unit_test_teardown(test_deaths_of_other_servers, e2e_teardown),
		cmocka_unit_test_teardown(test_error_reply_and_is_error, e2e_teardown),
		cmocka_unit_test_teardown(test_requests_of_the_server_wait, e2e_teardown),
		cmocka_unit_test_teardown(test_editor, e2e_teardown),
		cmocka_unit_test_teardown(test_editor_that_ends_at_once, e2e_teardown),
		cmocka_unit_test_teardown(test_editor_and_signals, e2e_teardown),
		cmocka_unit_test_teardown(test_editor_that_is_not_there, e2e_teardown),
		cmocka_unit_test_teardown(test_editor_with_quotes, e2e_teardown),
		cmocka_unit_test_teardown(test_json_in_place, e2e_teardown),
		cmocka_unit_test_teardown(test_commands_at_start_run_in_order, e2e_teardown),
		cmocka_unit_test_teardown(test_eras, e2e_teardown),
		cmocka_unit_test_teardown(test_a_big_result_holds_nothing_up, e2e_teardown),
		cmocka_unit_test_teardown(test_quit_while_a_result_is_read, e2e_teardown),
		cmocka_unit_test_teardown(test_repeats_in_the_legacy_era, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
