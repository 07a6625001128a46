/* SPDX-License-Identifier: MIT */
#include "one_stage.h"
#include "test.h"

#include <string.h>

/* Until the first call the bottom bar also shows how to find all keys, next to those of the
 * pane. */

static const char welcome[] = "new here? ? help   Ctrl-P everything";

static int
set_up(void **state)
{
	stage_set_up(state);
	workbench_load_first_call(stage.wb, "");
	return 0;
}

static void
assert_kept(const char *expected)
{
	struct buf kept = BUF_INIT;

	workbench_add_first_call(stage.wb, &kept);
	assert_string_equal(buf_text(&kept), expected);
	buf_finish(&kept);
}

static void
test_beside_the_keys_of_each_pane(void **state)
{
	see(welcome);
	see(" F5 call   Enter form   ");
	stage_keys(&stage, "tab"); /* in a form ? is text */
	see("new here? F1 help   Ctrl-P everything");
	see("Enter choose");
	stage_keys(&stage, "tab");
	see(welcome);
	stage_keys(&stage, "f3"); /* an overlay needs the space for its own keys */
	see_not("new here?");
	stage_keys(&stage, "esc");
	see(welcome);
	assert_kept("");
}

/* Narrow: the keys of the pane come first. */
static void
test_narrow(void **state)
{
	stage_resize(&stage, 80, 24);
	see_not("new here?");
	see("Enter form");
	see("? help");
}

/* The words do not touch at any width. */
static void
test_apart_from_the_keys(void **state)
{
	for (int width = 100; width < 150; width++) {
		stage_resize(&stage, width, 30);
		see("  new here?");
	}
}

static void
test_ends_with_the_first_call(void **state)
{
	stage_keys(&stage, "f5");
	stage_settle(&stage, 1000);
	see_not("new here?");
	assert_kept("made\n");
	stage_keys(&stage, "esc");
	see_not("new here?");
}

static void
test_remembered(void **state)
{
	workbench_load_first_call(stage.wb, "made\n");
	see_not("new here?");
	assert_kept("made\n");
}

static void
test_its_keys_can_be_clicked(void **state)
{
	const char *screen = stage_text(&stage), *bar = strstr(screen, "new here?");
	int y = 0;

	assert_non_null(bar);
	for (const char *at = screen; at < bar; at++)
		y += *at == '\n';
	const char *line = bar;
	while (line > screen && line[-1] != '\n')
		line--;
	stage_click(&stage, (int)(bar - line) + 12, y);
	see("Help ─");
}

TEST_FILE(first_run)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_beside_the_keys_of_each_pane, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_narrow, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_apart_from_the_keys, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_ends_with_the_first_call, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_remembered, set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_its_keys_can_be_clicked, set_up, stage_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
