/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "one_stage.h"
#include "test.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

/* Confirmations before something is lost or sent: Enter selects the safe answer. */

static size_t
calls_made(void)
{
	return server_info(stage.server)->calls_made;
}

static const struct call *
shown(void)
{
	return workspace_call(workbench_workspace(stage.wb));
}

static void
test_call_with_missing_arguments(void **state)
{
	stage_run(&stage, "tool update_order");
	stage_keys(&stage, "f5");
	see("╭ Call it anyway? ─");
	see("2 arguments are missing: order_id, status");
	see("The server marks update_order as destructive.");
	see("Enter Fix   y Call anyway   ←→ choose   Esc close");
	stage_keys(&stage, "enter");
	see_not("╭ Call it anyway?");
	assert_int_equal(calls_made(), 0);
	see("▌order_id");
	stage_keys(&stage, "f5 right enter");
	stage_settle(&stage, 1000);
	assert_int_equal(calls_made(), 1);
}

/* An overlay does not hide the result of a call that is made there. */
static void
test_call_closes_an_overlay(void **state)
{
	static const char *const overlays[] = { "logs", "tasks", "overview" };

	stage_run(&stage, "tool list_users");
	for (size_t i = 0; i < ARRAY_LEN(overlays); i++) {
		stage_run(&stage, overlays[i]);
		see_not("Charlie");
		stage_keys(&stage, "f5");
		stage_settle(&stage, 1000);
		assert_int_equal(calls_made(), i + 1);
		see("Charlie");
	}
}

/* A text longer than the screen can be scrolled to its end. */
static void
test_long_text_scrolls(void **state)
{
	stage_resize(&stage, 56, 8);
	stage_run(&stage, "tool update_order");
	stage_keys(&stage, "f5");
	see("Call it anyway?");
	see("PgDn: there is more");
	see_not("is asked once.");
	stage_keys(&stage, "end");
	see("is asked once.");
	stage_keys(&stage, "home /");
	stage_type(&stage, "asked once");
	see("1 of 1");
	see("is asked once.");
	stage_keys(&stage, "enter n"); /* the next match, not "no" */
	see("is asked once.");
	stage_keys(&stage, "esc");
	see("Enter Fix");
	stage_keys(&stage, "n");
	assert_int_equal(calls_made(), 0);
	stage_keys(&stage, "f5"); /* the search is over */
	see_not("✕");
	stage_keys(&stage, "esc");
	see_not("anyway");
}

/* Marked in the list and in the title; asked once, with no as the default. */
static void
test_destructive_tool_asks_once(void **state)
{
	see("update_order †");
	see_not("list_users †");
	stage_run(&stage, "tool update_order");
	see("╭²update_order † ─");
	stage_run(&stage, "set order_id \"ORD-1003\"");
	stage_run(&stage, "set status \"paid\"");
	stage_keys(&stage, "f5");
	see("╭ Call a destructive tool? ─");
	see("The server marks update_order as destructive.");
	stage_keys(&stage, "enter");
	see_not("╭ Call a destructive tool?");
	assert_int_equal(calls_made(), 0);
	stage_keys(&stage, "f5 y");
	stage_settle(&stage, 1000);
	assert_int_equal(calls_made(), 1);
	stage_keys(&stage, "f5");
	stage_settle(&stage, 1000);
	assert_int_equal(calls_made(), 2);
	stage_run(&stage, "tool crash"); /* another tool */
	stage_run(&stage, "call");
	see("╭ Call a destructive tool? ─");
	stage_keys(&stage, "n");
	assert_int_equal(calls_made(), 2);
	stage_run(&stage, "call!");
	assert_int_equal(calls_made(), 3);
}

/* Commands given at the start have decided. */
static void
test_destructive_tool_in_a_queue(void **state)
{
	workbench_enqueue(stage.wb, "tool update_order");
	workbench_enqueue(stage.wb, "set order_id \"ORD-1003\"");
	workbench_enqueue(stage.wb, "set status \"paid\"");
	workbench_enqueue(stage.wb, "call");
	workbench_advance(stage.wb, stage.now_us);
	see_not("╭ Call a destructive tool?");
	assert_int_equal(calls_made(), 1);
}

static void
test_call_with_a_wrong_argument(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "set limit 100000");
	stage_keys(&stage, "f5");
	see("limit: expected at most 500");
	stage_keys(&stage, "esc");
	assert_int_equal(calls_made(), 0);
	stage_keys(&stage, "f5 y");
	assert_int_equal(calls_made(), 1);
}

static void
test_quit_asks_once_there_are_results(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_keys(&stage, "q");
	see("╭ Quit? ─");
	see("The results of 1 call will be lost.");
	stage_keys(&stage, "enter");
	see_not("╭ Quit?");
	assert_false(stage.quit);
	stage_keys(&stage, "q y");
	assert_true(stage.quit);
}

static void
test_quit_without_results(void **state)
{
	stage_keys(&stage, "q");
	assert_true(stage.quit);
}

static void
test_q_closes_what_is_on_top(void **state)
{
	static const char *const overlays[] = { "f2", "f3", "w", "L", "T", "A", "S", "z" };
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	for (size_t i = 0; i < ARRAY_LEN(overlays); i++) {
		stage_keys(&stage, overlays[i]);
		see_not("╭¹Tools");
		stage_keys(&stage, "q");
		assert_false(stage.quit);
		see_not("╭ Quit?");
		see("╭¹Tools");
	}
	stage_keys(&stage, "f4"); /* a box over the others */
	see("╭ questions");
	stage_keys(&stage, "q");
	see_not("╭ questions");
	see_not("╭ Quit?");
	stage_run(&stage, "pane structured"); /* content open in a pane */
	stage_keys(&stage, "enter enter");
	see("Esc closes");
	stage_keys(&stage, "q");
	see_not("Esc closes");
	see("record ·");
	stage_keys(&stage, "q");
	see_not("record ·");
	see_not("╭ Quit?");
}

static void
test_cancel_is_of_the_shown_call(void **state)
{
	stage_run(&stage, "tool slow");
	stage_run(&stage, "call");
	stage_run(&stage, "tool list_users");
	stage_keys(&stage, "ctrl-c");
	see("╭ Cancel which call? ─");
	see("slow");
	assert_int_equal(server_running(stage.server), 1);
	stage_keys(&stage, "esc");
	assert_int_equal(server_running(stage.server), 1);
	stage_keys(&stage, "ctrl-c enter");
	assert_string_equal(workbench_message(stage.wb), "cancelled slow");
	assert_int_equal(server_running(stage.server), 0);
	assert_false(stage_run(&stage, "cancel"));
	assert_string_equal(workbench_message(stage.wb), "no call is running (q quits)");
}

static void
test_cancelled_is_no_failure(void **state)
{
	stage_run(&stage, "tool slow");
	stage_run(&stage, "call");
	stage_keys(&stage, "ctrl-c");
	see("– cancelled after");
	see_not("✗ cancelled");
	see_not("cancelled by the user");
	see_not("⚠");
}

static void
test_two_calls_of_one_tool(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "set limit 1");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "set limit 2");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	assert_string_equal(shown()->arguments, "{\"limit\":2}");
	see("call 2 of 2 H");
	stage_run(&stage, "tool rows");
	stage_keys(&stage, "esc H");
	see(" history · calls, newest first ─");
	see("{\"limit\":1}");
	stage_keys(&stage, "down enter");
	assert_string_equal(shown()->arguments, "{\"limit\":1}");
	see("call 1 of 2 H");
}

/* The start page of the help explains every verdict mark of the list. */
static void
test_help_begins_with_the_marks(void **state)
{
	stage_keys(&stage, "?");
	const char *screen = stage_text(&stage), *begin = strstr(screen, "│ Marks");
	assert_non_null(begin);
	const char *end = strstr(begin, "│ Tools:");
	assert_non_null(end);
	for (int kind = 0; kind < VERDICT_COUNT; kind++) {
		const char *mark = strstr(begin, verdict_looks[(enum verdict_kind)kind].mark);
		assert_true(mark && mark < end);
	}
	stage_keys(&stage, "x"); /* no other key closes it, and none gets through */
	see("╭ Help");
	stage_keys(&stage, "esc");
	see_not("╭ Help");
}

/* Words in a title can be clicked. */
static void
test_titles_are_clicked(void **state)
{
	const char *screen = stage_text(&stage), *at = strstr(screen, "definition F2");
	int x = 0;

	assert_non_null(at);
	for (const char *c = at; c > screen && c[-1] != '\n'; c--)
		x += (c[-1] & 0xc0) != 0x80;
	stage_click(&stage, x + 1, 1);
	see("╭⁷definition");
	see("F2 closes");
	stage_keys(&stage, "q");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane structured");
	stage_run(&stage, "filter ali");
	screen = stage_text(&stage);
	at = strstr(screen, "/ali ✕");
	assert_non_null(at);
	int y = 0;
	x = 0;
	for (const char *c = screen; c < at; c++) {
		y += *c == '\n';
		x = *c == '\n' ? 0 : x + ((*c & 0xc0) != 0x80);
	}
	stage_click(&stage, x + 5, y);
	see_not("/ali");
	see("Bob");
}

static void
test_goto_checks_before_it_shows(void **state)
{
	static const char *const nowhere[] = { "/nope", "/users/99", "/users/0/nope", "/users/x",
		"nope", "/users/0/id/x" };

	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "view json");
	for (size_t i = 0; i < ARRAY_LEN(nowhere); i++) {
		char line[64];
		snprintf(line, sizeof(line), "goto %s", nowhere[i]);
		assert_false(stage_run(&stage, line));
		see("json · ");
	}
	assert_true(stage_run(&stage, "goto /users/1/name"));
}

static void
test_export_says_what_a_filter_hides(void **state)
{
	stage_run(&stage, "tool rows");
	stage_run(&stage, "set count 3000");
	stage_run(&stage, "call");
	stage_settle(&stage, 2000);
	stage_run(&stage, "filter lima");
	assert_true(stage_run(&stage, "export csv /f.csv"));
	assert_non_null(strstr(workbench_message(stage.wb), " of 3 000 rows (filtered)"));
}

TEST_FILE(dialogs)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_set_up, stage_tear_down)
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		TEST(test_call_with_missing_arguments),
		TEST(test_call_closes_an_overlay),
		TEST(test_long_text_scrolls),
		TEST(test_destructive_tool_asks_once),
		TEST(test_destructive_tool_in_a_queue),
		TEST(test_call_with_a_wrong_argument),
		TEST(test_quit_asks_once_there_are_results),
		TEST(test_quit_without_results),
		TEST(test_q_closes_what_is_on_top),
		TEST(test_cancel_is_of_the_shown_call),
		TEST(test_cancelled_is_no_failure),
		TEST(test_two_calls_of_one_tool),
		TEST(test_help_begins_with_the_marks),
		TEST(test_titles_are_clicked),
		TEST(test_goto_checks_before_it_shows),
		TEST(test_export_says_what_a_filter_hides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
