#include "base/vec.h"
#include "json/print.h"
#include "json/from_yaml.h"
#include "test.h"

#include <string.h>

/* YAML and the JSON it stands for. */
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
};

static void
test_values(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out = BUF_INIT;
		struct err err = { "" };
		struct json_doc *doc = yaml_parse(rows[i][0], strlen(rows[i][0]), &err);
		if (!doc)
			fail_msg("%s: %s", rows[i][0], err.text);
		json_print(&out, json_root(doc));
		assert_string_equal(buf_text(&out), rows[i][1]);
		json_doc_destroy(doc);
		buf_finish(&out);
	}
}

static const char *const refused[][2] = {
	{ "a: &x 1", "line 1: anchors are not read" },
	{ "a: b\nc: *x", "line 2: aliases are not read" },
	{ "? [a]\n: b", "line 1: a key is not a string" },
	{ "a: 1\nb: 2\na: 3", "a key is there twice" },
	{ "a: 1\n---\nb: 2", "line 2: a second document begins" },
	{ "a: [1, 2", "line 2: did not find expected ',' or ']'" },
	{ "\"a\\0b\": 1", "line 1: a key is not a string" },
};

static void
test_refused(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		struct err err = { "" };
		assert_null(yaml_parse(refused[i][0], strlen(refused[i][0]), &err));
		assert_string_equal(err.text, refused[i][1]);
	}
}

static void
test_bounds(void **state)
{
	struct buf deep = BUF_INIT, long_text = BUF_INIT;
	struct err err = { "" };

	for (int i = 0; i < 70; i++)
		buf_add_char(&deep, '[');
	assert_null(yaml_parse(buf_text(&deep), deep.len, &err));
	assert_string_equal(err.text, "line 1: nested too deeply");
	while (long_text.len <= YAML_MAX_BYTES)
		buf_add_str(&long_text, "# comment\n");
	assert_null(yaml_parse(buf_text(&long_text), long_text.len, &err));
	assert_string_equal(err.text, "longer than 1048576 bytes");
	buf_finish(&deep);
	buf_finish(&long_text);
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
