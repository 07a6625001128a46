/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "fence.h"
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>
#include <string.h>

static enum pane_id
focused(void)
{
	stage_text(&stage); /* a frame moves it to a result that has arrived */
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

static void
test_right_enters_left_goes_back(void **state)
{
	stage_keys(&stage, "right");
	assert_int_equal(focused(), PANE_form);
	see("▌role");
	stage_keys(&stage, "right left left"); /* they choose a role, round and round */
	assert_int_equal(focused(), PANE_form);
	stage_keys(&stage, "down left"); /* a number has no use for it */
	assert_int_equal(focused(), PANE_tools);
	stage_keys(&stage, "l end right left left"); /* nor has the first button */
	assert_int_equal(focused(), PANE_tools);
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	assert_int_equal(focused(), PANE_structured);
	stage_keys(&stage, "right left");
	assert_int_equal(focused(), PANE_structured);
	stage_keys(&stage, "left");
	assert_int_equal(focused(), PANE_tools);
	stage_run(&stage, "view tree");
	stage_run(&stage, "pane structured");
	stage_keys(&stage, "down left"); /* to the parent */
	assert_int_equal(focused(), PANE_structured);
	stage_keys(&stage, "home left left"); /* folds, then goes */
	assert_int_equal(focused(), PANE_tools);
	stage_run(&stage, "pane validation");
	stage_keys(&stage, "h");
	assert_int_equal(focused(), PANE_tools);
	stage_keys(&stage, "w left"); /* an overlay stays */
	see("╭⁶journal");
}

/* Unread input is read. */
static void
test_right_on_a_resource(void **state)
{
	stage_keys(&stage, "] right");
	stage_settle(&stage, 1000);
	see("Markdown · 1 block");
	assert_int_equal(focused(), PANE_content);
	stage_keys(&stage, "left right");
	stage_settle(&stage, 1000);
	see("1 call ");
	assert_int_equal(focused(), PANE_content);
}

/* A call moves the focus to the first pane that says something, at every size; Esc brings it back
 * to where it was, then to the list. */
static void
test_call_moves_the_focus(void **state)
{
	static const int sizes[][2] = { { 200, 60 }, { 120, 36 }, { 120, 24 }, { 80, 24 } };

	for (size_t i = 0; i < 4; i++) {
		stage_resize(&stage, sizes[i][0], sizes[i][1]);
		stage_run(&stage, "tool list_users");
		stage_keys(&stage, "f5");
		stage_settle(&stage, 1000);
		assert_int_equal(focused(), PANE_structured);
		stage_keys(&stage, "tab"); /* validation */
		stage_keys(&stage, "esc");
		assert_int_equal(focused(), PANE_form);
		stage_keys(&stage, "esc esc");
		assert_int_equal(focused(), PANE_tools);
		stage_keys(&stage, "f5");
		stage_settle(&stage, 1000);
		stage_keys(&stage, "esc");
		assert_int_equal(focused(), PANE_tools);
	}
	stage_run(&stage, "tool fail"); /* no structuredContent */
	stage_run(&stage, "pane structured");
	stage_keys(&stage, "f5");
	stage_settle(&stage, 1000);
	assert_int_equal(focused(), PANE_content);
}

/* A result that comes late does not pull the focus out of the user's hands. */
static void
test_late_result_leaves_the_focus(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_keys(&stage, "f5 alt-1");
	stage_settle(&stage, 1000);
	see("Alice");
	assert_int_equal(focused(), PANE_tools);
}

/* Pressing an unbound key shows a note; the next key removes it. */
static void
test_unbound_key_says_so(void **state)
{
	stage_keys(&stage, "Z");
	see(" Z does nothing here · ? shows the keys");
	stage_keys(&stage, "f12");
	see(" F12 does nothing here");
	stage_keys(&stage, "down");
	see_not("does nothing");
	stage_keys(&stage, "left"); /* an arrow may go nowhere */
	see_not("does nothing");
	stage_run(&stage, "tool slow");
	stage_keys(&stage, "enter 7"); /* text */
	see_not("does nothing");
}

static void
test_unbound_key_says_so_everywhere(void **state)
{
	static const char *const everywhere[] = { "pane tools", "pane form", "pane content",
		"pane structured", "pane validation", "journal", "definition", "logs", "tasks",
		"skills", "overview", "server", "authorization", "questions", "help", "calls",
		"remove-server 1", "palette" };

	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	for (size_t i = 0; i < ARRAY_LEN(everywhere); i++) {
		stage_run(&stage, everywhere[i]);
		stage_keys(&stage, "f12");
		see("F12 does nothing here");
		if (strcmp(everywhere[i], "palette") != 0) {
			stage_keys(&stage, "alt-&");
			see("Alt-& does nothing here");
		}
		stage_keys(&stage, "up");
		see_not("does nothing here");
		if (stage.wb->dialog || stage.wb->overlay >= 0)
			stage_keys(&stage, "esc");
		assert_null(stage.wb->dialog);
	}
}

static size_t
calls(void)
{
	return server_info(stage.server)->calls_made;
}

/* A letter does what its F key does; in a text field Ctrl-R does what F5 does. */
static void
test_letters_for_function_keys(void **state)
{
	stage_keys(&stage, "r");
	assert_int_equal(calls(), 1);
	stage_keys(&stage, "D");
	see("╭⁷definition");
	stage_keys(&stage, "D");
	see_not("╭⁷definition");
	stage_run(&stage, "tool slow");
	stage_keys(&stage, "enter 7 ctrl-r");
	assert_int_equal(calls(), 2);
	stage_run(&stage, "cancel");
	stage_run(&stage, "tool ask_sampling");
	stage_keys(&stage, "r");
	stage_settle(&stage, 1000);
	see("sampling");
	stage.now_us += 500000; /* a new question must be seen for a while */
	stage_type(&stage, "Rome");
	stage_keys(&stage, "ctrl-r"); /* the answer, not another call */
	stage_settle(&stage, 1000);
	see("Rome");
	assert_int_equal(stage.wb->overlay, -1);
	assert_int_equal(calls(), 3);
}

/* Types the letters that stand before the text after a key has put them there. */
static void
pick_after(const char *key, const char *text)
{
	char label[3] = "";

	stage_keys(&stage, key);
	const char *screen = stage_text(&stage), *at = strstr(screen, text);
	if (!at || at == screen)
		fail_msg("\"%s\" is not on the screen:\n%s", text, screen);
	for (int i = 0; i < 2 && at > screen && at[-1] >= 'a' && at[-1] <= 'z'; i++)
		memmove(label + 1, label, 1), label[0] = *--at;
	stage_type(&stage, label);
}

static void
pick(const char *text)
{
	pick_after("alt-;", text);
}

/* A letter does the same as a click on it. */
static void
test_letters_on_controls(void **state)
{
	const struct workspace *ws = workbench_workspace(stage.wb);

	pick("slow  ");
	assert_string_equal(workspace_primitive(ws)->name, "slow");
	assert_int_equal(focused(), PANE_tools);
	pick("steps ");
	assert_int_equal(focused(), PANE_form);
	see("▌steps");
	pick("esources 7"); /* its letter stands on the R */
	see("▌welcome");
	pick("ools 31");
	pick("list_users ");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	pick("    3  Charlie"); /* a row of the table */
	assert_int_equal(focused(), PANE_structured);
	see("▌    3  Charlie");
	pick("alidation"); /* a title */
	assert_int_equal(focused(), PANE_validation);
	pick(" journal"); /* a hint, under two letters */
	see("╭⁶journal");
	stage_keys(&stage, "esc");
	stage_resize(&stage, 80, 24);
	pick("form "); /* a tab */
	assert_int_equal(focused(), PANE_form);
}

/* q and Esc close the topmost item only. */
static void
test_q_and_escape_close_one_thing(void **state)
{
	static const char *const over[] = { "journal", "definition", "logs", "tasks", "skills",
		"overview", "server", "authorization", "questions", "history", "help",
		"remove-server 1" };
	static const char *const keys[] = { "q", "esc" };

	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	for (size_t i = 0; i < ARRAY_LEN(over) * ARRAY_LEN(keys); i++) {
		bool dialog = i / 2 >= 10;
		if (dialog)
			stage_run(&stage, "overview");
		stage_run(&stage, over[i / 2]);
		stage_keys(&stage, keys[i % 2]);
		assert_null(stage.wb->dialog);
		assert_false(stage.quit);
		if (dialog)
			assert_int_equal(stage.wb->overlay, PANE_overview);
		if (stage.wb->overlay >= 0)
			stage_keys(&stage, keys[i % 2]);
		assert_int_equal(stage.wb->overlay, -1);
	}
}

/* Without colors, too: a ground, not only weight. */
static void
test_shown_list_stands_out(void **state)
{
	static const char *const keys[] = { "]", "enter" };
	static const uint32_t grounds[] = { ROLE_SELECTION, ROLE_SELECTION_DIM };

	for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
		stage_keys(&stage, keys[k]);
		stage_text(&stage);
		const struct cell *row = stage.grid.cells + stage.grid.width;
		int at = 0;
		while (row[at].ch != 'R')
			at++;
		assert_int_equal(row[at].style.ground, grounds[k]);
		assert_int_not_equal(row[3].style.ground, grounds[k]);
	}
}

/* On a link, as a click: the first selects it, the second reads it. */
static void
test_letters_on_links(void **state)
{
	const struct workspace *ws = workbench_workspace(stage.wb);

	stage_resize(&stage, 120, 48);
	stage_run(&stage, "tool mixed_content");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane content");
	stage_keys(&stage, "z");
	see("▌resource_link");
	pick("resource        application/octet");
	see("▌resource        application/octet");
	pick("resource        text/markdown");
	see("▌resource        text/markdown");
	assert_int_equal(workspace_call(ws)->kind, PRIMITIVE_TOOL);
	pick("resource        text/markdown");
	stage_settle(&stage, 1000);
	assert_string_equal(workspace_call(ws)->uri, "demo://notes/1");
}

/* The letters stand only on its entries: the controls below an open menu are out of reach. */
static void
test_letters_on_a_menu(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_keys(&stage, "enter");
	pick_after("alt-;", "editor ");
	see_not("│ editor ");
	see("role       editor");
	stage_keys(&stage, "enter alt-;");
	assert_int_equal(stage.wb->pick.len, 4);
	stage_keys(&stage, "esc");
	see("│▌editor ");            /* still open */
	stage_keys(&stage, "alt-z"); /* any other chord closes it */
	see_not("│▌editor ");
}

/* The buttons of a question without fields. */
static void
test_letters_on_buttons_of_questions(void **state)
{
	stage_run(&stage, "tool ask_url");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_text(&stage);
	stage.now_us += 1000000;
	assert_int_equal(stage.wb->overlay, PANE_questions);
	pick("Decline F8");
	stage_settle(&stage, 1000);
	assert_int_equal(server_info(stage.server)->questions.len, 0);
}

/* The letters may come before a frame; Esc and any other key leave. */
static void
test_letters_without_a_frame(void **state)
{
	stage_keys(&stage, "; g");
	see("▌list_users_before");
	stage_keys(&stage, "; esc down");
	see("▌get_weather_data");
	stage_keys(&stage, "; 7");
	see("▌get_weather_data");
	stage_keys(&stage, "; m 7"); /* half of a label */
	see("▌get_weather_data");
	stage_resize(&stage, 15, 5);
	stage_text(&stage);
	stage_keys(&stage, ";");
	assert_null(stage.wb->dialog);
}

TEST_FILE(keys)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_numbers_go_to_panes, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_number_of_a_pane_that_does_not_apply, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_right_enters_left_goes_back, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_right_on_a_resource, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_call_moves_the_focus, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_late_result_leaves_the_focus, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_unbound_key_says_so, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_unbound_key_says_so_everywhere, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_q_and_escape_close_one_thing, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_shown_list_stands_out, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_letters_on_links, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_letters_on_a_menu, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_letters_on_buttons_of_questions, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_letters_for_function_keys, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_letters_on_controls, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_letters_without_a_frame, stage_set_up, stage_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
