/* SPDX-License-Identifier: MIT */
#include "json/print.h"
#include "test.h"

#include <string.h>

static struct json_doc *
parse(const char *text)
{
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);

	assert_non_null(doc);
	return doc;
}

static void
assert_pretty(const char *text, int indent, const char *expected)
{
	struct json_doc *doc = parse(text);
	struct buf out = BUF_INIT;

	json_print_pretty(&out, json_root(doc), indent);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
	json_doc_destroy(doc);
}

static void
test_pretty(void **state)
{
	assert_pretty("1", 2, "1");
	assert_pretty("[]", 2, "[]");
	assert_pretty("{}", 2, "{}");
	assert_pretty("[1,[2],{}]", 2, "[\n  1,\n  [\n    2\n  ],\n  {}\n]");
	assert_pretty("{\"a\":{\"b\":1.0},\"c\":[]}", 4,
	    "{\n    \"a\": {\n        \"b\": 1.0\n    },\n    \"c\": []\n}");
	assert_pretty("[[[]]]", 0, "[\n[\n[]\n]\n]");
}

static void
assert_brief(const char *text, size_t max, const char *expected)
{
	struct json_doc *doc = parse(text);
	struct buf out = BUF_INIT;

	json_print_brief(&out, json_root(doc), max);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
	json_doc_destroy(doc);
}

static void
test_brief(void **state)
{
	assert_brief("{\"a\":[1,2],\"b\":\"x\"}", 100, "{\"a\": [1, 2], \"b\": \"x\"}");
	assert_brief("\"hello\"", 7, "\"hello\"");
	assert_brief("\"hello\"", 6, "\"hello…");
	assert_brief("\"hello world\"", 4, "\"hel…");
	assert_brief("[1,2,3,4,5]", 5, "[1, 2…");
	assert_brief("\"éé\"", 2, "\"…"); /* never cuts a character */
	assert_brief("\"éé\"", 3, "\"é…");
	assert_brief("12345678901234567890", 5, "12345…");
	assert_brief("[[[[1]]]]", 3, "[[[…");
	assert_brief("[]", 0, "…");
	assert_brief("\"a\\nb\"", 10, "\"a\\nb\"");
}

static void
test_brief_of_a_large_value_is_cheap(void **state)
{
	struct buf text = BUF_INIT, out = BUF_INIT;
	buf_add_char(&text, '[');
	for (int i = 0; i < 100000; i++)
		buf_addf(&text, "%s\"%0100d\"", i ? "," : "", i);
	buf_add_char(&text, ']');
	struct json_doc *doc = json_parse(text.data, text.len, NULL, NULL);
	for (int i = 0; i < 100000; i++) {
		buf_clear(&out);
		json_print_brief(&out, json_root(doc), 40);
	}
	assert_int_equal(out.len, 40 + strlen("…"));
	json_doc_destroy(doc);
	buf_finish(&text);
	buf_finish(&out);
}

static void
assert_string(const char *text, size_t len, const char *expected)
{
	struct buf out = BUF_INIT;

	json_print_string(&out, text, len);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static void
test_strings(void **state)
{
	assert_string("", 0, "\"\"");
	assert_string("a\"b\\c", 5, "\"a\\\"b\\\\c\"");
	assert_string("\b\f\n\r\t\x01\x1f\x7f/", 9, "\"\\b\\f\\n\\r\\t\\u0001\\u001f\x7f/\"");
	assert_string("a\0b", 3, "\"a\\u0000b\"");
	assert_string("\xc0\x80", 2, "\"\\u0000\"");
	assert_string("\xed\xa0\x80\xed\xbf\xbf", 6, "\"\\ud800\\udfff\"");
	assert_string("\xed\x9f\xbf", 3, "\"\xed\x9f\xbf\"");
	assert_string("\xff"
		      "a\xe2\x82",
	    4,
	    "\"\xef\xbf\xbd"
	    "a\xef\xbf\xbd\xef\xbf\xbd\"");
	assert_string("ü世🎉", 9, "\"ü世🎉\"");
	assert_string("\xe2\x80\xa8", 3, "\"\xe2\x80\xa8\"");
}

static void
test_a_bound_stops_it(void **state)
{
	struct json_doc *doc = parse("[\"aaaaaaaaaa\",\"bbbbbbbbbb\",1,2,3]");
	struct buf out;
	buf_init(&out, 16);
	json_print(&out, json_root(doc));
	assert_true(out.overflowed);
	assert_true(out.len <= 16);
	buf_finish(&out);
	json_doc_destroy(doc);
}

static void
test_cjson_trees(void **state)
{
	cJSON *tree = cJSON_CreateObject();
	struct buf out = BUF_INIT;
	cJSON_AddStringToObject(tree, "s", "x\"");
	cJSON_AddNumberToObject(tree, "n", 9007199254740991.0);
	cJSON_AddNullToObject(tree, "z");
	cJSON_AddArrayToObject(tree, "e");
	json_print(&out, tree);
	assert_string_equal(
	    buf_text(&out), "{\"s\":\"x\\\"\",\"n\":9007199254740991,\"z\":null,\"e\":[]}");
	/* A node inside a tree is printed without its following siblings. */
	buf_clear(&out);
	json_print(&out, tree->child);
	assert_string_equal(buf_text(&out), "\"x\\\"\"");
	buf_clear(&out);
	json_print(&out, NULL);
	assert_string_equal(buf_text(&out), "");
	buf_finish(&out);
	cJSON_Delete(tree);
}

TEST_FILE(json_print)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pretty),
		cmocka_unit_test(test_brief),
		cmocka_unit_test(test_brief_of_a_large_value_is_cheap),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_a_bound_stops_it),
		cmocka_unit_test(test_cjson_trees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
