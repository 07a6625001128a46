/* SPDX-License-Identifier: MIT */
#include "pane/workspace.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOOL(name, properties) \
	"{'name':'" name       \
	"','inputSchema':{'type':'object','required':['x','y'],'properties':{" properties "}}}"

static const struct server_options options = {
	.session = { .era = ERA_LEGACY, .client_name = "t", .client_version = "1" }
};
static struct wire wire;
static struct workspace ws;

static int
set_up(void **state)
{
	wire_open(&wire, &options);
	workspace_init(&ws);
	workspace_set_server(&ws, wire.server);
	return 0;
}

static int
tear_down(void **state)
{
	workspace_finish(&ws);
	wire_close(&wire);
	return 0;
}

static void
relist(const char *tools)
{
	char text[2000];

	server_relist(wire.server, wire.now_us);
	snprintf(text, sizeof(text), "'result':{'tools':[%s]}", tools);
	wire_answer(&wire, "tools/list", text);
	workspace_sync(&ws);
}

static void
assert_arguments(const char *expected)
{
	struct buf out = BUF_INIT;

	form_to_json(ws.desk->form, &out);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static void
test_nothing(void **state)
{
	struct workspace empty;

	workspace_init(&empty);
	workspace_sync(&empty);
	assert_null(workspace_primitive(&empty));
	assert_null(workspace_call(&empty));
	assert_int_equal(workspace_primitive_index(&empty), SIZE_MAX);
	assert_false(workspace_select(&empty, PRIMITIVE_TOOL, 0));
	assert_false(workspace_select_name(&empty, PRIMITIVE_TOOL, "x"));
	workspace_show_call(&empty, 1);
	workspace_set_server(&empty, NULL);
	workspace_finish(&empty);
	workspace_sync(&ws); /* a server without a list */
	assert_null(workspace_primitive(&ws));
}

static void
test_first_tool_is_selected(void **state)
{
	wire_connect(&wire, TOOL("a", "") "," TOOL("b", ""));
	uint64_t before = workspace_generation(&ws);
	workspace_sync(&ws);
	assert_true(workspace_generation(&ws) > before);
	assert_string_equal(workspace_primitive(&ws)->name, "a");
	assert_int_equal(workspace_primitive_index(&ws), 0);
	before = workspace_generation(&ws);
	workspace_sync(&ws);
	assert_int_equal(workspace_generation(&ws), before);
	assert_true(workspace_select_name(&ws, PRIMITIVE_TOOL, "b"));
	assert_int_equal(workspace_primitive_index(&ws), 1);
	assert_false(workspace_select_name(&ws, PRIMITIVE_TOOL, "c"));
	assert_false(workspace_select(&ws, PRIMITIVE_TOOL, 2));
	assert_string_equal(workspace_primitive(&ws)->name, "b");
}

static void
test_selection_is_kept(void **state)
{
	wire_connect(&wire, TOOL("a", "") "," TOOL("b", "") "," TOOL("c", ""));
	workspace_sync(&ws);
	workspace_select_name(&ws, PRIMITIVE_TOOL, "b");
	relist(TOOL("new", "") "," TOOL("c", "") "," TOOL("b", ""));
	assert_string_equal(workspace_primitive(&ws)->name, "b");
	assert_int_equal(workspace_primitive_index(&ws), 2);
	relist(TOOL("c", "")); /* gone, and not forgotten */
	assert_null(workspace_primitive(&ws));
	assert_int_equal(workspace_primitive_index(&ws), SIZE_MAX);
	assert_string_equal(ws.desk->key, "b");
	relist(TOOL("b", ""));
	assert_int_equal(workspace_primitive_index(&ws), 0);
}

static void
test_values_are_carried_over(void **state)
{
	wire_connect(&wire, TOOL("a", "'x':{'type':'string'}") "," TOOL("b", ""));
	workspace_sync(&ws);
	assert_true(form_set(ws.desk->form, "x", "\"typed\"", FORM_EXTRA_ADDED, NULL));
	/* each tool has its own form */
	workspace_select_name(&ws, PRIMITIVE_TOOL, "b");
	assert_arguments("{}");
	workspace_select_name(&ws, PRIMITIVE_TOOL, "a");
	assert_arguments("{\"x\":\"typed\"}");
	/* the same definition: the same form */
	struct form *form = ws.desk->form;
	relist(TOOL("a", "'x':{'type':'string'}"));
	assert_ptr_equal(ws.desk->form, form);
	relist(TOOL("a", "'y':{'type':'integer','default':7},'x':{'type':'string'}"));
	assert_ptr_not_equal(ws.desk->form, form);
	struct field *x = form_find(ws.desk->form, "x");
	assert_non_null(x);
	struct buf out = BUF_INIT;
	form_to_json(ws.desk->form, &out);
	assert_non_null(strstr(buf_text(&out), "\"x\":\"typed\""));
	buf_finish(&out);
}

/* Nothing was typed: the new definition's defaults, not those of the old one. */
static void
test_untouched_form_is_renewed(void **state)
{
	wire_connect(&wire, TOOL("a", "'x':{'type':'integer','default':1}"));
	workspace_sync(&ws);
	assert_arguments("{\"x\":1}");
	relist(TOOL("a", "'y':{'type':'integer','default':2}"));
	assert_arguments("{\"y\":2}");
	assert_true(form_set(ws.desk->form, "y", "3", FORM_EXTRA_ADDED, NULL));
	relist(TOOL("a", "'y':{'type':'integer','default':4}"));
	assert_arguments("{\"y\":3}");
	relist(TOOL("a", "'y':{'type':'integer','default':5}"));
	assert_arguments("{\"y\":3}");
}

static void
test_duplicates(void **state)
{
	wire_connect(&wire, TOOL("a", "'x':{'type':'integer','default':1}") "," TOOL(
				"b", "") "," TOOL("a", "'y':{'type':'integer','default':2}"));
	workspace_sync(&ws);
	assert_arguments("{\"x\":1}");
	assert_true(workspace_select(&ws, PRIMITIVE_TOOL, 2));
	assert_int_equal(workspace_primitive_index(&ws), 2);
	assert_int_equal(ws.desk->nth, 1);
	assert_arguments("{\"y\":2}");
	assert_true(workspace_select_name(&ws, PRIMITIVE_TOOL, "a"));
	assert_int_equal(workspace_primitive_index(&ws), 0);
}

static void
test_broken_tool(void **state)
{
	wire_connect(&wire, "{'name':'a','inputSchema':'none'},7,{}");
	workspace_sync(&ws);
	for (size_t i = 0; i < 3; i++) {
		assert_true(workspace_select(&ws, PRIMITIVE_TOOL, i));
		assert_int_equal(ws.desk->form != NULL, i == 0); /* JSON, without a usable schema */
		assert_int_equal(workspace_primitive_index(&ws), i);
	}
	relist(TOOL("a", ""));
	workspace_select(&ws, PRIMITIVE_TOOL, 0);
	assert_non_null(ws.desk->form);
}

static void
test_calls(void **state)
{
	wire_connect(&wire, TOOL("a", "") "," TOOL("b", ""));
	workspace_sync(&ws);
	assert_null(workspace_call(&ws));
	uint64_t id = wire_call(&wire, "a", "{}");
	workspace_show_call(&ws, id);
	assert_int_equal(workspace_call(&ws)->id, id);
	workspace_select_name(&ws, PRIMITIVE_TOOL, "b");
	assert_null(workspace_call(&ws));
	workspace_select_call(&ws, server_find_call(wire.server, id));
	assert_string_equal(ws.desk->key, "a");
	assert_int_equal(workspace_call(&ws)->id, id);
	workspace_show_call(&ws, 999);
	assert_null(workspace_call(&ws));
}

static void
test_another_server(void **state)
{
	struct wire other;

	wire_connect(&wire, TOOL("a", ""));
	workspace_sync(&ws);
	workspace_show_call(&ws, wire_call(&wire, "a", "{}"));
	uint64_t before = workspace_generation(&ws);
	wire_open(&other, &options);
	workspace_set_server(&ws, other.server);
	assert_true(workspace_generation(&ws) > before);
	assert_null(workspace_primitive(&ws));
	assert_null(workspace_call(&ws));
	wire_connect(&other, TOOL("z", ""));
	workspace_sync(&ws);
	assert_string_equal(workspace_primitive(&ws)->name, "z");
	workspace_set_server(&ws, wire.server);
	workspace_sync(&ws);
	assert_string_equal(workspace_primitive(&ws)->name, "a");
	wire_close(&other);
}

TEST_FILE(workspace)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_first_tool_is_selected, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_selection_is_kept, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_values_are_carried_over, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_untouched_form_is_renewed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_duplicates, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_broken_tool, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_calls, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_another_server, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
