#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "one_stage.h"

#include <locale.h>
#include <string.h>

/* What asks before something is lost or sent: Enter is the safe answer. */

static size_t
calls_made(void)
{
	return server_calls_made(stage.server);
}

static const struct call *
shown(void)
{
	return workspace_call(workbench_workspace(stage.wb));
}

static void
test_call_with_missing_arguments(void **state)
{
	(void)state;
	stage_run(&stage, "tool update_order");
	stage_keys(&stage, "f5");
	see("╭ Call it anyway? ─");
	see("2 arguments are missing: order_id, status");
	see("The server marks this tool as destructive.");
	see("Enter Fix   y Call anyway   ←→ choose   Esc close");
	stage_keys(&stage, "enter");
	see_not("╭ Call it anyway?");
	assert_int_equal(calls_made(), 0);
	see("▌order_id");
	stage_keys(&stage, "f5 right enter");
	stage_settle(&stage, 1000);
	assert_int_equal(calls_made(), 1);
}

static void
test_call_with_a_wrong_argument(void **state)
{
	(void)state;
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
	(void)state;
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
	(void)state;
	stage_keys(&stage, "q");
	assert_true(stage.quit);
}

static void
test_q_closes_what_is_on_top(void **state)
{
	static const char *const overlays[] = { "f2", "f3", "w", "L", "T", "A", "f4", "S", "z" };
	(void)state;
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	for (size_t i = 0; i < sizeof(overlays) / sizeof(overlays[0]); i++) {
		stage_keys(&stage, overlays[i]);
		see_not("╭ Tools");
		stage_keys(&stage, "q");
		assert_false(stage.quit);
		see_not("╭ Quit?");
		see("╭ Tools");
	}
	stage_run(&stage, "pane structured"); /* what is open in a pane */
	stage_keys(&stage, "enter");
	see("Esc closes");
	stage_keys(&stage, "q");
	see_not("Esc closes");
	see_not("╭ Quit?");
}

static void
test_cancel_is_of_the_shown_call(void **state)
{
	(void)state;
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
	(void)state;
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
	(void)state;
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
	stage_keys(&stage, "H");
	see("╭ Calls, the newest first ─");
	see("{\"limit\":1}");
	stage_keys(&stage, "down enter");
	assert_string_equal(shown()->arguments, "{\"limit\":1}");
	see("call 1 of 2 H");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_set_up, stage_tear_down)
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		TEST(test_call_with_missing_arguments),
		TEST(test_call_with_a_wrong_argument),
		TEST(test_quit_asks_once_there_are_results),
		TEST(test_quit_without_results),
		TEST(test_q_closes_what_is_on_top),
		TEST(test_cancel_is_of_the_shown_call),
		TEST(test_cancelled_is_no_failure),
		TEST(test_two_calls_of_one_tool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
