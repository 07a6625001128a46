/* SPDX-License-Identifier: MIT */
/* The structured pane shows the data in text blocks, and never as structuredContent. */
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#define TEXT(quoted) "{\"type\":\"text\",\"text\":" quoted "}"
#define RESULT(...) "\"result\":{\"resultType\":\"complete\",\"content\":[" __VA_ARGS__ "]}"
#define USERS                                                                                      \
	TEXT("\"[{\\\"id\\\":1,\\\"name\\\":\\\"Ada\\\"},{\\\"id\\\":2,\\\"name\\\":\\\"Bob\\\"}]" \
	     "\"")
#define CSV TEXT("\"k,v\\n1,one\\n2,two\"")
#define TWO_TABLES                                                                            \
	TEXT("\"See:\\n\\n# Cities\\n\\n|city|\\n|---|\\n|Rome|\\n\\nand\\n\\n# Colors\\n\\n" \
	     "|color|\\n|---|\\n|mauve|\\n|teal|\\n\"")
#define PROSE TEXT("\"See:\\n\\n|color|\\n|---|\\n|mauve|\\n\"")

static void
call(const char *tool, const char *result)
{
	char line[100];

	snprintf(line, sizeof(line), "tool %s", tool);
	stage_run(&stage, line);
	stage_answer(&stage, result);
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
}

static void
test_data_is_shown_and_focused(void **state)
{
	call("mixed_content", RESULT(TEXT("\"Two users\"") "," USERS));
	see("text block 2 as JSON");
	see_not("structuredContent ▸");
	see("no schema");
	assert_int_equal(stage.wb->focus, PANE_structured);
	stage_keys(&stage, "m");
	assert_int_equal(stage.wb->focus, PANE_content);
	stage_keys(&stage, "m");
	assert_int_equal(stage.wb->focus, PANE_structured);
	see("text block 2 as JSON");
}

static void
test_blocks_are_chosen(void **state)
{
	call("mixed_content", RESULT(USERS "," CSV "," PROSE));
	see("text block 1 as JSON");
	stage_keys(&stage, "B");
	see("text block 2 as CSV");
	see("two");
	stage_keys(&stage, "B");
	see("1 table in text block 3");
	stage_keys(&stage, "B");
	see("text block 1 as JSON");
	assert_true(stage_run(&stage, "data 2"));
	see("text block 2 as CSV");
	assert_false(stage_run(&stage, "data x"));
	assert_false(stage_run(&stage, "block 4"));
	/* the choice lasts for the tool */
	call("mixed_content", RESULT(USERS "," CSV));
	see("text block 2 as CSV");
	/* a filter is the block's own */
	stage_run(&stage, "filter two");
	see("1 of 2");
	stage_run(&stage, "data 1");
	see("Ada");
	see("Bob");
}

static void
test_structured_content_comes_first(void **state)
{
	call("bad_rows", RESULT(USERS));
	see("text block 1 as JSON");
	call("bad_rows", "\"result\":{\"resultType\":\"complete\",\"content\":[" USERS
			 "],\"structuredContent\":{\"products\":[{\"id\":\"x\"}]}}");
	see("structuredContent ▸ products");
	stage_keys(&stage, "B");
	see("text block 1 as JSON");
	see("Ada");
	/* a jump to a violation leads back */
	stage_run(&stage, "next-error");
	see("structuredContent ▸ products");
	stage_keys(&stage, "B B");
	see("structuredContent ▸ products");
}

/* The text keeps the focus, because it is for reading; its tables are next to it, with all their
 * keys. */
static void
test_tables_in_prose(void **state)
{
	call("mixed_content", RESULT(PROSE "," CSV)); /* data that is all of its text comes first */
	see("text block 2 as CSV");
	assert_int_equal(stage.wb->focus, PANE_structured);
	call("mixed_content", RESULT(PROSE));
	see("1 table in text block 1 ─");
	see("mauve");
	assert_int_equal(stage.wb->focus, PANE_content);
	stage_keys(&stage, "m");
	assert_int_equal(stage.wb->focus, PANE_structured);
	stage_keys(&stage, "m");
	assert_int_equal(stage.wb->focus, PANE_content);
	call("mixed_content", RESULT(TWO_TABLES));
	see("2 tables in text block 1 ▸ Cities");
	see("1 of 2 tables");
	stage_keys(&stage, "m ]");
	see("2 tables in text block 1 ▸ Colors");
	see("2 of 2 tables");
	stage_run(&stage, "filter mau");
	see("mauve");
	see("1 of 2");
	call("mixed_content", RESULT(TEXT("\"Hello, world\\nGoodbye, moon\"")));
	see("absent");
	assert_false(stage_run(&stage, "data"));
	see("no text block is JSON");
}

/* @ and > use the block that the pane shows. */
static void
test_it_is_passed_on(void **state)
{
	call("list_users", RESULT(PROSE "," CSV));
	see("text block 2 as CSV");
	stage_run(&stage, "tool update_order");
	stage_run(&stage, "field note");
	stage_keys(&stage, "enter");
	stage_type(&stage, "@list_users[].v");
	stage_settle(&stage, 1000);
	see("2 values");
	see("two");
	stage_keys(&stage, "esc esc");
	call("list_users", RESULT(TEXT("\"three\"")));
	stage_run(&stage, "tool update_order");
	stage_run(&stage, "field note");
	stage_keys(&stage, "enter ctrl-u");
	stage_type(&stage, "@list_users");
	stage_settle(&stage, 1000);
	see("1 value");
	see("three");
}

/* Each value has a limit. */
static void
test_a_large_value_is_not_passed_on(void **state)
{
	struct buf result = BUF_INIT;

	buf_add_str(&result, "\"result\":{\"resultType\":\"complete\",\"content\":[],"
			     "\"structuredContent\":{\"a\":\"");
	for (int i = 0; i < (1 << 20) + 1; i++)
		buf_add_char(&result, 'x');
	buf_add_str(&result, "\"}}");
	call("mixed_content", buf_text(&result));
	stage_run(&stage, "pane structured");
	stage_run(&stage, "goto /a");
	assert_false(stage_run(&stage, "pass"));
	see("a value over 1 MiB cannot be passed on");
	buf_finish(&result);
}

static void
test_broken_json_is_told(void **state)
{
	call("mixed_content", RESULT(TEXT("\"{\\\"a\\\":[1,\"") "," CSV));
	see("text block 2 as CSV");
	call("mixed_content", RESULT(TEXT("\"ok\"") "," TEXT("\"{\\\"a\\\":[1,\"")));
	see("text block 2 begins as JSON, but at line 1, column 9");
}

static void
read_resource(const char *mime, const char *text)
{
	char result[400];

	snprintf(result, sizeof(result),
	    "\"result\":{\"resultType\":\"complete\",\"contents\":[{\"uri\":\"demo://x\","
	    "\"mimeType\":\"%s\",\"text\":%s}]}",
	    mime, text);
	stage_answer(&stage, result);
	stage_run(&stage, "resource demo://x"); /* reads it */
	stage_settle(&stage, 1000);
}

/* The type of a resource says whether to look. */
static void
test_resources(void **state)
{
	static const char csv[] = "\"k,v\\n1,one\\n2,two\"";

	read_resource("text/csv", csv);
	see("the resource as CSV");
	see("table · 2 × 2");
	read_resource("text/plain", csv);
	see_not("the resource as");
	read_resource("application/json", "\"[{\\\"a\\\":1\"");
	see("the resource as data");
	see("begins as JSON, but at line 1");
}

static void
test_errors_stay_text(void **state)
{
	call("mixed_content",
	    "\"result\":{\"resultType\":\"complete\",\"isError\":true,\"content\":[" TEXT(
		"\"{\\\"code\\\":7}\"") "]}");
	see("text block 1 as JSON");
	assert_int_equal(stage.wb->focus, PANE_content);
}

static void
test_export_and_pointers(void **state)
{
	call("mixed_content", RESULT(CSV));
	assert_true(stage_run(&stage, "export json /tmp/x"));
	assert_non_null(strstr(buf_text(&stage.written), "\"v\": \"two\""));
	assert_true(stage_run(&stage, "goto /1/v"));
	assert_false(stage_run(&stage, "goto /2"));
	call("mixed_content", RESULT(TEXT("\"none\"")));
	assert_false(stage_run(&stage, "export json /tmp/x"));
	see("there is no data to export");
}

/* A declared outputSchema may have been meant for the text. */
static void
test_the_schema_was_meant_for_it(void **state)
{
	call("list_users", RESULT(TEXT("\"{\\\"users\\\":[],\\\"total\\\":0}\"")));
	see("missing");
	see("the JSON in text block 1 would conform, but clients look for it");
	call("list_users", RESULT(TEXT("\"{\\\"users\\\":[]}\"")));
	see("the JSON in text block 1 would not conform either: 1 violation:");
	call("list_users", RESULT(TEXT("\"none\"")));
	see("missing");
	see_not("would");
}

TEST_FILE(text_blocks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_it_is_passed_on, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_a_large_value_is_not_passed_on, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_data_is_shown_and_focused, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_blocks_are_chosen, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_structured_content_comes_first, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_tables_in_prose, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_broken_json_is_told, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_resources, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_errors_stay_text, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_export_and_pointers, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_the_schema_was_meant_for_it, stage_set_up, stage_tear_down),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
