/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

/* `/` in every pane: filters lists and tables, searches everything else, and takes all keys. */

static void
call(const char *tool)
{
	char line[64];

	snprintf(line, sizeof(line), "tool %s", tool);
	assert_true(stage_run(&stage, line));
	assert_true(stage_run(&stage, "call!"));
	stage_settle(&stage, 2000);
}

static const char *const everywhere[] = { "pane tools", "pane form", "pane content",
	"pane structured", "view tree", "view json", "view table", "detail", "pane validation",
	"wire", "open-message", "schema", "as-json", "logs", "tasks", "skills", "overview",
	"server", "authorization", "questions", "help", "calls" };

static void
test_typed_text_is_no_command(void **state)
{
	call("list_users");
	for (size_t i = 0; i < ARRAY_LEN(everywhere); i++) {
		assert_true(stage_run(&stage, everywhere[i]));
		if (workbench_types(stage.wb, workbench_focused(stage.wb)))
			stage_keys(&stage, "esc");
		stage_keys(&stage, "/");
		stage_type(&stage, "quxHOTz1:S");
		see(" /quxHOTz1:S ");
		assert_false(stage.quit);
		stage_keys(&stage, "esc");
		see_not("quxHOTz1:S");
		see_not("nothing to search here");
		if (stage.wb->dialog)
			stage_keys(&stage, "esc");
	}
	see_not("╭ Calls");
}

/* Also where the pane handles keys itself: a form's preview and its menus. */
static void
test_nothing_to_search(void **state)
{
	stage_run(&stage, "tool list_users");
	stage_keys(&stage, "esc p");
	see("arguments · ");
	stage_keys(&stage, "/");
	stage_type(&stage, "q");
	assert_false(stage.quit);
}

static void
test_tree(void **state)
{
	call("nested");
	stage_run(&stage, "pane structured");
	stage_run(&stage, "view tree");
	stage_keys(&stage, "/");
	stage_type(&stage, "nick");
	see("1 of 4");
	see("▌");
	stage_keys(&stage, "enter n");
	see("/nick 2 of 4 ✕");
	stage_keys(&stage, "N N");
	see("/nick 4 of 4 ✕");
	stage_keys(&stage, "v"); /* the same search in another view */
	see("of 4 ✕");
	stage_keys(&stage, "esc");
	see_not("of 4 ✕");
}

/* Folded text is found by its content. */
static void
test_folded_tree(void **state)
{
	call("nested");
	stage_run(&stage, "pane structured");
	stage_run(&stage, "view tree");
	stage_run(&stage, "goto /people");
	stage_keys(&stage, "left");
	see_not("Initech");
	stage_keys(&stage, "/");
	stage_type(&stage, "initech");
	see("/initech 1 of 1 ✕");
	stage_keys(&stage, "enter right n");
	see("Initech");
	see("/initech 1 of 1 ✕");
}

static void
test_texts(void **state)
{
	static const struct {
		const char *command, *text, *count;
	} rows[] = {
		{ "schema", "role", "1 of " },
		{ "overview", "protocol", "1 of " },
		{ "help", "theme", "1 of " },
		{ "pane content", "users", "1 of " },
		{ "pane form", "limit", "1 of 1" },
		{ "pane content", "zzz", "nothing found" },
	};
	call("list_users");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		stage_run(&stage, "pane form");
		stage_run(&stage, rows[i].command);
		if (workbench_types(stage.wb, workbench_focused(stage.wb)))
			stage_keys(&stage, "esc");
		stage_keys(&stage, "/");
		stage_type(&stage, rows[i].text);
		see(rows[i].count);
		stage_keys(&stage, "esc esc");
	}
}

/* The last line of a text of megabytes. */
static void
test_far_into_a_huge_text(void **state)
{
	struct buf members = BUF_INIT;

	buf_add_str(&members, "\"result\":{\"content\":[],\"structuredContent\":{\"a\":[0");
	for (unsigned i = 1; i < 300000; i++)
		buf_addf(&members, ",%u", i);
	buf_add_str(&members, "],\"z\":\"needle\"}}");
	stage_answer(&stage, buf_text(&members));
	buf_finish(&members);
	call("list_users");
	stage_run(&stage, "pane structured");
	stage_run(&stage, "view json");
	stage_keys(&stage, "/");
	stage_type(&stage, "needle");
	see("1 of 1");
	see("\"z\": \"needle\"");
	stage_keys(&stage, "esc /");
	stage_type(&stage, "29999");
	see("1 of 13"); /* 29999, 129999, 229999, 29999x: the next from the cursor, on the last line
			 */
	stage_keys(&stage, "enter N N");
	see("12 of 13");
	see("299998,");
}

/* n means the next table, link or finding again when no search is on. */
static void
test_bracket_goes_through_tables(void **state)
{
	call("nested");
	stage_run(&stage, "pane structured");
	see("1 of 4 tables");
	stage_keys(&stage, "]");
	see("2 of 4 tables");
	stage_keys(&stage, "[ [");
	see("4 of 4 tables");
}

static void
test_filter_is_seen_and_cleared(void **state)
{
	call("rows");
	stage_run(&stage, "pane structured");
	stage_keys(&stage, "/");
	stage_type(&stage, "lima");
	stage_keys(&stage, "enter");
	see("/lima ✕");
	stage_keys(&stage, "/"); /* typing replaces it */
	stage_type(&stage, "zzz");
	see("/zzz ✕");
	see("no row matches the filter: Esc shows all");
	stage_keys(&stage, "esc"); /* the line; the filter is the one of before */
	see("/lima ✕");
	stage_keys(&stage, "esc");
	see_not("/lima");
	stage_keys(&stage, "esc");
	assert_true(strstr(stage_text(&stage), "▌rows") != NULL);
}

/* One thing at a time, from the top: the line, the filter or search, the overlay, the zoom. */
static void
test_escape_peels(void **state)
{
	call("rows");
	stage_run(&stage, "pane structured");
	stage_keys(&stage, "z");
	stage_run(&stage, "filter lima");
	stage_keys(&stage, "f3 /");
	stage_type(&stage, "tool");
	see("╭ overview ▸ demo  /tool 1 of ");
	see(" /tool ");
	stage_keys(&stage, "enter /");
	stage_keys(&stage, "esc"); /* the line */
	see("╭ overview ▸ demo  /tool 1 of ");
	stage_keys(&stage, "esc"); /* the search */
	see("╭ overview ▸ demo ─");
	stage_keys(&stage, "esc"); /* the overlay */
	see("rows  /lima ✕");
	see_not("╭¹Tools");
	stage_keys(&stage, "esc"); /* the filter */
	see_not("/lima");
	see_not("╭¹Tools");
	stage_keys(&stage, "enter");
	see("record · row 1 of");
	stage_keys(&stage, "enter");
	see("Esc closes");
	stage_keys(&stage, "esc"); /* the item open in the pane */
	see_not("Esc closes");
	stage_keys(&stage, "esc");
	see_not("record ·");
	see_not("╭¹Tools");
	stage_keys(&stage, "esc"); /* the zoom */
	see("╭¹Tools");
	see("Enter open");
	stage_keys(&stage, "esc"); /* to the form that made the call */
	see("Enter edit");
	stage_keys(&stage, "esc"); /* letters are commands */
	see("J JSON");
	stage_keys(&stage, "esc"); /* to the list */
	see("Enter form");
	stage_keys(&stage, "esc esc");
	assert_false(stage.quit);
}

static void
test_call_again_keeps_filter_and_sort(void **state)
{
	call("rows");
	stage_run(&stage, "pane structured");
	stage_run(&stage, "sort id desc");
	stage_run(&stage, "filter lima");
	stage_keys(&stage, "f5");
	stage_settle(&stage, 2000);
	see("/lima ✕");
	see("id▼");
	call("search_orders"); /* another tool has its own */
	see_not("/lima");
	see_not("id▼");
}

/* The running calls that Ctrl-C lists: names, states and arguments. */
static void
test_calls(void **state)
{
	call("list_users");
	for (int i = 0; i < 3; i++) {
		stage_run(&stage, i == 1 ? "tool ask" : "tool slow");
		stage_run(&stage, "call");
	}
	stage_run(&stage, "tool rows");
	stage_keys(&stage, "ctrl-c /");
	stage_type(&stage, "slow");
	see("╭ Cancel which call?  /slow 1 of 2 ✕ ─");
	stage_keys(&stage, "enter n");
	see("2 of 2");
	see("n next");
	stage_keys(&stage, "/");
	stage_type(&stage, "quux");
	see("nothing found");
	stage_keys(&stage, "esc esc"); /* the line, then the search */
	see("╭ Cancel which call? ─");
	stage_keys(&stage, "esc");
	assert_null(stage.wb->dialog);
	stage_keys(&stage, "f1"); /* its search is another one */
	see("╭ Help ─");
	see_not("/slow");
}

/* A question without a form whose text is longer than its box. */
static void
test_questions(void **state)
{
	stage_resize(&stage, 60, 14);
	call("ask_url");
	stage_text(&stage);
	stage.now_us += 1000000; /* it has been seen */
	assert_int_equal(stage.wb->overlay, PANE_questions);
	stage_keys(&stage, "/");
	stage_type(&stage, "was fetched");
	see("1 of 1  ");
	see("was fetched");
	stage_keys(&stage, "enter esc");
	assert_int_equal(stage.wb->overlay, PANE_questions);
	see_not("✕");
	stage_keys(&stage, "/");
	stage_type(&stage, "host:");
	see("Host:");
	see("1 of 1");
}

TEST_FILE(find)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_typed_text_is_no_command, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_nothing_to_search, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_tree, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_folded_tree, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_texts, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_far_into_a_huge_text, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_bracket_goes_through_tables, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_filter_is_seen_and_cleared, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_calls, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_questions, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_escape_peels, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_call_again_keeps_filter_and_sort, stage_set_up, stage_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
