/* SPDX-License-Identifier: MIT */
#include "json/splice.h"
#include "test.h"

#include <string.h>

#define PATH(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void
assert_set(const char *text, const char *const *path, const char *value, const char *expected)
{
	struct buf out = BUF_INIT;
	struct err err = { "" };

	if (!json_splice_set(text, strlen(text), path, value, &out, &err))
		fail_msg("%s: %s", text, err.text);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static void
assert_removed(const char *text, const char *const *path, const char *expected)
{
	struct buf out = BUF_INIT;
	struct err err = { "" };

	if (!json_splice_set(text, strlen(text), path, NULL, &out, &err))
		fail_msg("%s: %s", text, err.text);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static void
assert_refused(const char *text, const char *const *path, const char *value, const char *why)
{
	struct buf out = BUF_INIT;
	struct err err = { "" };
	bool ok = json_splice_set(text, strlen(text), path, value, &out, &err);

	assert_false(ok);
	assert_string_equal(err.text, why);
	assert_int_equal(out.len, 0);
	buf_finish(&out);
}

static void
test_insert(void **state)
{
	assert_set("{}", PATH("a"), "1", "{\n  \"a\": 1\n}");
	assert_set("{\n}\n", PATH("a"), "1", "{\n  \"a\": 1\n}\n");
	assert_set("{\"a\":1}", PATH("b"), "2", "{\"a\":1, \"b\": 2}");
	assert_set("{\n\t\"a\": 1\n}", PATH("b"), "2", "{\n\t\"a\": 1,\n\t\"b\": 2\n}");
	assert_set("{\n    \"a\": 1,\n}", PATH("b"), "2", "{\n    \"a\": 1,\n    \"b\": 2,\n}");
	assert_set("{ \"a\": 1\n}", PATH("b"), "2", "{ \"a\": 1,\n  \"b\": 2\n}");
	assert_set("{\n  \"a\": 1 // why\n  /* and so */\n}", PATH("b"), "2",
	    "{\n  \"a\": 1, // why\n  /* and so */\n  \"b\": 2\n}");
	assert_set("{\n  // nothing yet\n}", PATH("b"), "2", "{\n  // nothing yet\n  \"b\": 2\n}");
	assert_set("{ /* x */ }", PATH("b"), "2", "{ /* x */\n  \"b\": 2\n}");
	assert_set("\xef\xbb\xbf{}", PATH("b"), "2", "\xef\xbb\xbf{\n  \"b\": 2\n}");
}

static void
test_deeper(void **state)
{
	assert_set("{\n  \"s\": {\n    \"x\": {\n      \"k\": [1]\n    }\n  }\n}\n", PATH("s", "y"),
	    "{\n  \"k\": 2\n}",
	    "{\n  \"s\": {\n    \"x\": {\n      \"k\": [1]\n    },\n    \"y\": {\n      \"k\": 2\n"
	    "    }\n  }\n}\n");
	assert_set("{}", PATH("s", "y"), "{\n  \"k\": 2\n}",
	    "{\n  \"s\": {\n    \"y\": {\n      \"k\": 2\n    }\n  }\n}");
	assert_set("{\"s\":{\"x\":{\"k\":1e400}}}", PATH("s", "x", "d"), "true",
	    "{\"s\":{\"x\":{\"k\":1e400, \"d\": true}}}");
}

static void
test_replace(void **state)
{
	assert_set("{\"a\":{\"b\":[1,{\"c\":\"}\"}], \"d\":2}}", PATH("a", "b"), "null",
	    "{\"a\":{\"b\":null, \"d\":2}}");
	assert_set("{\"a\": \"x\\\"y\" /*c*/ }", PATH("a"), "1", "{\"a\": 1 /*c*/ }");
	/* keys are compared unescaped */
	assert_set("{\"\\u0061\":1}", PATH("a"), "2", "{\"\\u0061\":2}");
}

/* An array index, and values inside the item; the number of items never changes. */
static void
test_items(void **state)
{
	assert_set("{\"a\":[1, 2 /*two*/,3,],\"b\":[]}", PATH("a", "1"), "\"x\"",
	    "{\"a\":[1, \"x\" /*two*/,3,],\"b\":[]}");
	assert_set("{\"a\":[[],[{\"k\":\"]\"},{\"k\":1}]]}", PATH("a", "1", "1", "k"), "2",
	    "{\"a\":[[],[{\"k\":\"]\"},{\"k\":2}]]}");
	assert_set("{\"a\":[{}]}", PATH("a", "0", "k"), "1", "{\"a\":[{\n  \"k\": 1\n}]}");
	assert_removed("{\"a\":[{\"k\":1,\"l\":2}]}", PATH("a", "0", "k"), "{\"a\":[{\"l\":2}]}");
	assert_refused("{\"a\":[1]}", PATH("a", "1"), "2", "its array has no item 1");
	assert_refused("{\"a\":[1,2]}", PATH("a", "01"), "2", "its array has no item 01");
	assert_refused("{\"a\":[]}", PATH("a", "k", "l"), "2", "its array has no item k");
	assert_refused("{\"a\":[1]}", PATH("a", "0", "k"), "2", "0 is not an object");
	assert_refused("{\"a\":[1]}", PATH("a", "0"), NULL, "items of an array are not removed");
}

static void
test_remove(void **state)
{
	assert_removed("{\"a\":1}", PATH("a"), "{}");
	assert_removed("{\"a\":1,\"b\":2}", PATH("a"), "{\"b\":2}");
	assert_removed("{\"a\":1,\"b\":2}", PATH("b"), "{\"a\":1}");
	assert_removed("{\n  \"a\": 1, // one\n  \"b\": 2, // two\n  \"c\": 3 // three\n}",
	    PATH("b"), "{\n  \"a\": 1, // one\n  \"c\": 3 // three\n}");
	assert_removed("{\n  \"a\": 1, // one\n  \"c\": 3 // three\n}\n", PATH("c"),
	    "{\n  \"a\": 1 // one\n}\n");
	assert_removed("{\"s\":{\"x\":{},\"y\":[1,2,],}}", PATH("s", "y"), "{\"s\":{\"x\":{},}}");
}

static void
test_refused(void **state)
{
	assert_refused("{", PATH("a"), "1", "line 1 column 2: ends inside an object");
	assert_refused("[1]", PATH("a"), "1", "it is not an object");
	assert_refused("{\"a\":1}", PATH("a", "b"), "1", "a is not an object");
	assert_refused("{\"a\":1}", PATH("b"), NULL, "there is no b in it");
	assert_refused("{\"a\":{}}", PATH("a", "b"), NULL, "there is no b in it");
	assert_refused("{}", PATH("a", "b"), NULL, "there is no a in it");
	assert_refused("", PATH("a"), "1", "line 1 column 1: empty");
	/* of two equal keys the other one would come to light */
	assert_refused("{\"a\":1,\"a\":2}", PATH("a"), NULL,
	    "it is written in a way that only you can change");
	assert_refused(
	    "{}", PATH("a"), "no json", "it is written in a way that only you can change");
}

TEST_FILE(json_splice)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_insert),
		cmocka_unit_test(test_deeper),
		cmocka_unit_test(test_replace),
		cmocka_unit_test(test_items),
		cmocka_unit_test(test_remove),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
