/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "json/print.h"
#include "json/from_yaml.h"
#include "test.h"

#include <string.h>

/* YAML and its JSON equivalent. */
static const char *const rows[][2] = {
	{ "", "null" },
	{ "a", "\"a\"" },
	{ "name: x\ndescription: a b c # no\n", "{\"name\":\"x\",\"description\":\"a b c\"}" },
	{ "a: 1\nb: -02\nc: +3\nd: 0x1F\ne: 0o17\nf: 1.\ng: .5\nh: 1e3\ni: -0.50",
	    "{\"a\":1,\"b\":-2,\"c\":3,\"d\":31,\"e\":15,\"f\":1,\"g\":0.5,\"h\":1e3,\"i\":-0."
	    "50}" },
	{ "[1.2.3, 1e, 0x, 0xg, -, +, ., e1, 1_000, 2026-01-01, .inf, 0x12345678901234567]",
	    "[\"1.2.3\",\"1e\",\"0x\",\"0xg\",\"-\",\"+\",\".\",\"e1\",\"1_000\",\"2026-01-01\","
	    "\".inf\",\"0x12345678901234567\"]" },
	{ "[true, False, null, ~, yes, no, 'true', \"1\", !!str 1, NULL]",
	    "[true,false,null,null,\"yes\",\"no\",\"true\",\"1\",\"1\",null]" },
	{ "12345678901234567890123: 1.000000000000000000001",
	    "{\"12345678901234567890123\":1.000000000000000000001}" },
	{ "a:\n  - b: 1\n    c: [d, {e: f}]\n  - \n",
	    "{\"a\":[{\"b\":1,\"c\":[\"d\",{\"e\":\"f\"}]},null]}" },
	{ "a: |\n  one\n  two\nb: >-\n  three\n  four\n",
	    "{\"a\":\"one\\ntwo\\n\",\"b\":\"three four\"}" },
	{ "a: \"x\\0y\\u00e9\"", "{\"a\":\"x\\u0000y\xc3\xa9\"}" },
	{ "a: 1\r\nb: 2\r\n", "{\"a\":1,\"b\":2}" },
	{ "\xef\xbb\xbf[&a x, &b {c: *a}, *b, &a [*b], *a]",
	    "[\"x\",{\"c\":\"x\"},{\"c\":\"x\"},[{\"c\":\"x\"}],[{\"c\":\"x\"}]]" },
};

static void
test_values(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out = BUF_INIT;
		struct json_error why = { 0 };
		struct json_doc *doc = yaml_parse(rows[i][0], strlen(rows[i][0]), &why);
		if (!doc)
			fail_msg("%s: %s", rows[i][0], why.text);
		json_print(&out, json_root(doc));
		assert_string_equal(buf_text(&out), rows[i][1]);
		json_doc_destroy(doc);
		buf_finish(&out);
	}
}

static const struct {
	const char *yaml, *text;
	unsigned line, column;
} refused[] = {
	{ "a: b\nc: *x", "an alias of no value", 2, 4 },
	{ "a: &a [*a]", "an alias in its own value", 1, 8 },
	{ "? [a]\n: b", "a key is not a string", 1, 3 },
	{ "a: &a b\n*a : 1", "a key is not a string", 2, 1 },
	{ "a: 1\nb: 2\na: 3", "a key is there twice", 1, 1 },
	{ "a: 1\n---\nb: 2", "a second document begins", 2, 1 },
	{ "a: [1, 2", "did not find expected ',' or ']'", 2, 1 },
	{ "\"a\\0b\": 1", "a key is not a string", 1, 1 },
};

static void
test_refused(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		struct json_error why = { 0 };
		assert_null(yaml_parse(refused[i].yaml, strlen(refused[i].yaml), &why));
		assert_string_equal(why.text, refused[i].text);
		assert_int_equal(why.line, refused[i].line);
		assert_int_equal(why.column, refused[i].column);
	}
}

static void
assert_too_much(struct buf *yaml, const char *text)
{
	struct json_error why = { 0 };

	assert_null(yaml_parse(buf_text(yaml), yaml->len, &why));
	assert_string_equal(why.text, text);
	buf_clear(yaml);
}

static void
test_bounds(void **state)
{
	struct buf yaml = BUF_INIT;

	for (int i = 0; i < 70; i++)
		buf_add_char(&yaml, '[');
	assert_too_much(&yaml, "nested too deeply");
	while (yaml.len <= YAML_MAX_BYTES)
		buf_add_str(&yaml, "# comment\n");
	assert_too_much(&yaml, "longer than 16 MiB");
	for (int i = 0; i < 1001; i++)
		buf_addf(&yaml, "- &a%d 1\n", i);
	assert_too_much(&yaml, "more than 1000 anchors");
	buf_add_str(&yaml, "- &a0 [1]\n");
	for (int i = 1; i < 30; i++)
		buf_addf(&yaml, "- &a%d [*a%d, *a%d, *a%d]\n", i, i - 1, i - 1, i - 1);
	assert_too_much(&yaml, "its aliases are too long");
	buf_finish(&yaml);
}

TEST_FILE(from_yaml)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
