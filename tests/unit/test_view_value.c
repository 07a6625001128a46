/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "quoted.h"
#include "view/views.h"
#include "test.h"

#include <locale.h>
#include <string.h>

static void
assert_text(const char *value, const char *expected)
{
	struct json_doc *doc = parse_quoted(value);
	struct buf out = BUF_INIT, screen = BUF_INIT;
	struct grid grid;

	view_value_text(json_root(doc), &out);
	assert_string_equal(buf_text(&out), expected);
	/* and drawn the same */
	grid_init(&grid, 60, 1);
	view_value(surface_whole(&grid), 0, 0, -1, json_root(doc), ROLE_NONE);
	grid_to_text(&grid, &screen);
	assert_memory_equal(buf_text(&screen), expected, strlen(expected));
	grid_finish(&grid);
	buf_finish(&out);
	buf_finish(&screen);
	json_doc_destroy(doc);
}

static void
test_text(void **state)
{
	assert_text("'plain'", "plain");
	assert_text("''", "\"\"");
	assert_text("'null'", "\"null\"");
	assert_text("null", "null");
	assert_text("'3'", "\"3\"");
	assert_text("3", "3");
	assert_text("12345678901234567890.10", "12345678901234567890.10");
	assert_text("true", "true");
	assert_text("'true'", "\"true\"");
	assert_text("' x'", "\" x\"");
	assert_text("[1,'a']", "[1, \"a\"]");
	assert_text("{'a':[]}", "{\"a\": []}");
}

static const struct {
	const char *value;
	enum view_id best;
} bests[] = {
	{ "[{'a':1}]", VIEW_table },
	{ "{'users':[{'a':1}],'total':1}", VIEW_table },
	{ "{'a':{'x':1},'b':{'x':2}}", VIEW_table },
	{ "[[1,2]]", VIEW_table },
	{ "{'a':1}", VIEW_cards },
	{ "['a','b']", VIEW_table },
	{ "{'result':['a','b']}", VIEW_table },
	{ "{'tags':['a','b'],'n':1}", VIEW_cards },
	{ "{}", VIEW_tree },
	{ "3", VIEW_tree },
	{ "null", VIEW_tree },
};

static void
test_best(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(bests); i++) {
		struct json_doc *doc = parse_quoted(bests[i].value);
		struct view_input in = { .value = json_root(doc) };
		assert_int_equal(views_best(&in), bests[i].best);
		json_doc_destroy(doc);
	}
	struct view_input absent = { 0 };
	views_best(&absent);
}

static void
test_roles(void **state)
{
	struct json_doc *doc = parse_quoted("[null,true,1,'s',[],{}]");
	static const enum role roles[] = { ROLE_NULL_VALUE, ROLE_BOOLEAN, ROLE_NUMBER, ROLE_TEXT,
		ROLE_DIM, ROLE_DIM };
	const cJSON *v = json_first(json_root(doc));

	assert_int_equal(view_value_role(NULL), ROLE_ABSENT);
	for (size_t i = 0; i < 6; i++, v = v->next) {
		assert_int_equal(view_value_role(v), roles[i]);
		assert_int_equal(view_style(v, ROLE_NONE).ink, roles[i]);
		assert_int_equal(view_style(v, ROLE_ERROR_CELL).ink, ROLE_ERROR_CELL);
		assert_int_equal(view_ground(NULL, v), ROLE_NONE);
	}
	json_doc_destroy(doc);
}

TEST_FILE(view_value)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_best),
		cmocka_unit_test(test_roles),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
