#include "one_stage.h"
#include "test.h"

#include <string.h>

/* The first starts teach a few keys in the bottom bar, until some of them are used. */

static int
set_up(void **state)
{
	stage_set_up(state);
	workbench_load_known_keys(stage.wb, "");
	return 0;
}

static void
assert_known(const char *expected)
{
	struct buf known = BUF_INIT;

	workbench_add_known_keys(stage.wb, &known);
	assert_string_equal(buf_text(&known), expected);
	buf_finish(&known);
}

static void
test_three_keys(void **state)
{
	see(" F5 calls   / filters   Tab next pane   Ctrl-P everything   ? help   Esc hides this");
	stage_keys(&stage, "? esc");
	see(" F5 calls   / filters   Tab next pane   Ctrl-P everything   Esc hides this");
	assert_known("help\n");
	stage_run(&stage, "next-pane"); /* not by its key */
	assert_known("help\n");
	stage_keys(&stage, "ctrl-p esc");
	see("Esc hides this");
	stage_keys(&stage, "tab");
	see_not("Esc hides this");
	assert_known("next-pane\npalette\nhelp\n");
}

static void
test_dismissed(void **state)
{
	stage_keys(&stage, "tab");
	see("Esc hides this");
	stage_keys(&stage, "esc");
	see_not("Esc hides this");
	assert_known("call\nfind\nnext-pane\npalette\nhelp\n");
}

/* It is under no other line, and Esc means the other first. */
static void
test_what_is_open_goes_first(void **state)
{
	stage_keys(&stage, "/");
	stage_type(&stage, "user");
	see_not("Esc hides this");
	stage_keys(&stage, "enter");
	see_not("Esc hides this");
	stage_keys(&stage, "esc");
	see("Esc hides this");
	stage_run(&stage, "zoom");
	see_not("Esc hides this");
	stage_keys(&stage, "esc f3");
	see_not("Esc hides this");
	stage_keys(&stage, "esc");
	see(" F5 calls   Tab next pane");
	stage_run(&stage, "nonsense");
	see_not("Esc hides this");
	see("no command is named nonsense");
	stage_resize(&stage, 80, 24);
	stage_keys(&stage, "down");
	see(" F5 calls  Tab next pane  Ctrl-P everything  ? help  Esc hides this");
}

/* A result has keys of its own: they are not hidden under the lessons. */
static void
test_not_over_the_keys_of_a_result(void **state)
{
	stage_run(&stage, "pane structured");
	see_not("Esc hides this");
	see("F5 call   ");
	stage_keys(&stage, "esc");
	see(" F5 calls   / filters");
}

static void
test_remembered(void **state)
{
	workbench_load_known_keys(stage.wb, "find\nnonsense\n\nhelp\n");
	see(" F5 calls   Tab next pane   Ctrl-P everything   Esc hides this");
	stage_click(&stage, 2, 35);
	assert_known("call\nfind\nhelp\n");
	see_not("Esc hides this");
}

TEST_FILE(first_run)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_three_keys, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_dismissed, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_what_is_open_goes_first, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_not_over_the_keys_of_a_result, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_remembered, set_up, stage_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
