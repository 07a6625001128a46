#include "fence.h"
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>
#include <string.h>

static enum pane_id
focused(void)
{
	return workbench_focused(stage.wb);
}

/* The number in a title is the digit for Alt, even while a field is edited. */
static void
test_numbers_go_to_panes(void **state)
{
	see("╭¹Tools");
	see("╭²list_users");
	stage_keys(&stage, "alt-2 down enter 7");
	assert_int_equal(focused(), PANE_form);
	stage_keys(&stage, "alt-3");
	assert_int_equal(focused(), PANE_content);
	stage_keys(&stage, "alt-6");
	see("╭⁶journal");
	stage_keys(&stage, "alt-4");
	see("╭⁴structuredContent");
	assert_int_equal(focused(), PANE_structured);
	stage_keys(&stage, "alt-1");
	assert_int_equal(focused(), PANE_tools);
	stage_resize(&stage, 80, 24);
	see("¹Tools  ²form  ³content  ⁴structuredContent  ⁵validation");
	stage_keys(&stage, "alt-5");
	see("╭⁵validation");
}

/* A resource has no structuredContent. */
static void
test_number_of_a_pane_that_does_not_apply(void **state)
{
	stage_keys(&stage, "] alt-4");
	see("structuredContent does not apply to the selection");
	assert_int_equal(focused(), PANE_tools);
}

TEST_FILE(keys)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_numbers_go_to_panes, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_number_of_a_pane_that_does_not_apply, stage_set_up, stage_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
