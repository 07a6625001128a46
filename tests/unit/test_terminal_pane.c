/* SPDX-License-Identifier: MIT */
/* The terminal pane with scripted programs. */
#include "one_stage.h"
#include "test.h"

#include <locale.h>
#include <string.h>

static void
test_shell_and_command(void **state)
{
	stage_run(&stage, "terminal");
	assert_string_equal(buf_text(&stage.started), ""); /* the host knows the shell */
	stage_run(&stage, "terminal make -j2");
	assert_string_equal(buf_text(&stage.started), "sh -c make -j2");
	assert_int_equal(stage.program_size.width, 116);
	assert_int_equal(stage.program_size.height, 32);
	stage_text(&stage);
	assert_int_equal(stage.program_size.width, 116); /* as drawn */
}

/* The program receives every key but one, including bound keys and Esc. */
static void
test_keyboard_is_the_programs(void **state)
{
	stage_run(&stage, "terminal cat");
	stage_keys(&stage, "q esc ctrl-c ctrl-q f5 : tab");
	assert_string_equal(buf_text(&stage.typed), "q\033\003\021\033[15~:\t");
	assert_false(stage.quit);
	see("leave the keyboard");
	stage_keys(&stage, "ctrl-]");
	see_not("leave the keyboard");
	stage_keys(&stage, "x");
	stage_keys(&stage, "enter x");
	assert_string_equal(buf_text(&stage.typed), "q\033\003\021\033[15~:\tx");
	stage_run(&stage, "send-key ctrl-]");
	assert_true(strchr(buf_text(&stage.typed), '\035') != NULL);
}

static void
test_leaving_key_is_bound(void **state)
{
	struct err err;

	assert_true(workbench_bind(stage.wb, "unbind terminal ctrl-]", &err));
	assert_true(workbench_bind(stage.wb, "bind terminal f12 leave-terminal", &err));
	stage_run(&stage, "terminal cat");
	see("F12 leave the keyboard");
	stage_keys(&stage, "ctrl-]");
	assert_string_equal(buf_text(&stage.typed), "\035");
	stage_keys(&stage, "f12");
	see_not("leave the keyboard");
}

static void
test_hidden_and_shown(void **state)
{
	stage_run(&stage, "terminal cat");
	stage_program(&stage, "hello there");
	see("hello there");
	stage_keys(&stage, "ctrl-] esc");
	see_not("hello there");
	assert_int_equal(stage.programs, 1);
	stage_program(&stage, " again");
	stage_run(&stage, "terminal");
	see("hello there again");
	see("leave the keyboard");
}

/* The one before comes back, and at last the pane that was covered. */
static void
test_programs_lie_on_one_another(void **state)
{
	stage_keys(&stage, "w");
	stage_run(&stage, "terminal first");
	struct terminal_listener first = stage.program;
	stage_program(&stage, "one");
	stage_run(&stage, "terminal second");
	stage_program(&stage, "two");
	see("2 programs");
	see("two");
	stage_program_ends(&stage, 0);
	see("one");
	first.on_end(first.user, 0, "exit code 0");
	see("journal");
	see_not("leave the keyboard");
	assert_int_equal(stage.programs, 0);
	for (int i = 0; i < 8; i++)
		assert_true(stage_run(&stage, "terminal more"));
	assert_false(stage_run(&stage, "terminal more"));
	see("8 programs run in the terminal pane");
}

static void
test_failure_stays(void **state)
{
	stage_run(&stage, "terminal false");
	stage_program(&stage, "last words");
	stage_program_ends(&stage, 3);
	see("exit code 3 · Enter closes");
	see("last words");
	stage_keys(&stage, "enter");
	see_not("last words");
	assert_int_equal(stage.programs, 0);
}

static void
test_scrolling(void **state)
{
	stage_run(&stage, "terminal cat");
	stage_program(&stage, "top line\r\n");
	for (int i = 0; i < 100; i++)
		stage_program(&stage, "filler\r\n");
	see_not("top line");
	stage_keys(&stage, "ctrl-] g");
	see("top line");
	see("lines back");
	stage_keys(&stage, "enter");
	see_not("top line");
}

static void
test_title_is_harmless(void **state)
{
	stage_run(&stage, "terminal cat");
	stage_program(&stage, "\033]2;a\xe2\x80\xae"
			      "b\007\007");
	see("cat — a");
	see("bell");
	assert_null(strstr(stage_text(&stage), "\xe2\x80\xae"));
}

TEST_FILE(terminal_pane)
{
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, stage_set_up, stage_tear_down)
		T(test_shell_and_command),
		T(test_keyboard_is_the_programs),
		T(test_leaving_key_is_bound),
		T(test_hidden_and_shown),
		T(test_programs_lie_on_one_another),
		T(test_failure_stays),
		T(test_scrolling),
		T(test_title_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
