/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/vec.h"
#include "json/equal.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct json_doc *
parse(const char *text)
{
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);

	assert_non_null(doc);
	return doc;
}

static bool
equal(const char *a, const char *b)
{
	struct json_doc *x = parse(a), *y = parse(b);
	bool same = json_equal(json_root(x), json_root(y));

	assert_int_equal(json_equal(json_root(y), json_root(x)), same);
	if (same)
		assert_true(json_hash(json_root(x)) == json_hash(json_root(y)));
	else
		assert_true(json_hash(json_root(x)) != json_hash(json_root(y)));
	json_doc_destroy(x);
	json_doc_destroy(y);
	/* The same of trees that cJSON made. */
	cJSON *p = cJSON_Parse(a), *q = cJSON_Parse(b);
	assert_true(p && q);
	assert_int_equal(json_equal(p, q), same);
	assert_int_equal(json_hash(p) == json_hash(q), same);
	cJSON_Delete(p);
	cJSON_Delete(q);
	return same;
}

static void
test_equal(void **state)
{
	static const char *const same[][2] = { { "1", "1.0" }, { "null", "null" }, { "[]", "[ ]" },
		{ "{}", "{ }" }, { "\"a\"", "\"\\u0061\"" }, { "[1,[2,{}]]", "[1.0,[2e0,{}]]" },
		{ "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}" },
		{ "{\"a\":{\"x\":[],\"y\":0},\"b\":[1]}", "{\"b\":[1],\"a\":{\"y\":-0,\"x\":[]}}" },
		/* Of duplicates the last one counts. */
		{ "{\"a\":1,\"a\":2}", "{\"a\":2}" }, { "{\"a\":2,\"a\":1}", "{\"a\":3,\"a\":1}" },
		{ "{\"a\":1,\"b\":2,\"a\":3}", "{\"b\":0,\"a\":3,\"b\":2}" } };
	static const char *const different[][2] = { { "1", "2" }, { "1", "\"1\"" },
		{ "null", "false" }, { "true", "false" }, { "[]", "{}" }, { "0", "false" },
		{ "\"a\"", "\"A\"" }, { "[1,2]", "[2,1]" }, { "[1]", "[1,1]" }, { "[[]]", "[]" },
		{ "{\"a\":1}", "{\"a\":2}" }, { "{\"a\":1}", "{\"b\":1}" }, { "{\"a\":1}", "{}" },
		{ "{\"a\":null}", "{}" }, { "{\"a\":1,\"b\":1}", "{\"a\":1}" },
		{ "{\"a\":1,\"a\":2}", "{\"a\":1}" }, { "{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":1}" },
		{ "{\"a\":1,\"b\":2,\"b\":3}", "{\"a\":1,\"b\":2,\"c\":3}" },
		{ "[[1],2]", "[1,[2]]" }, { "\"\"", "null" }, { "[null]", "[]" } };
	for (size_t i = 0; i < ARRAY_LEN(same); i++)
		if (!equal(same[i][0], same[i][1]))
			fail_msg("%s is not %s", same[i][0], same[i][1]);
	for (size_t i = 0; i < ARRAY_LEN(different); i++)
		if (equal(different[i][0], different[i][1]))
			fail_msg("%s is %s", different[i][0], different[i][1]);
}

static void
test_exact_numbers(void **state)
{
	struct json_doc *doc =
	    parse("[9007199254740992,9007199254740993,9007199254740993.0,1e400,1e401]");
	const cJSON *a = json_first(json_root(doc)), *b = a->next, *c = b->next, *d = c->next;

	assert_false(json_equal(a, b));
	assert_true(json_equal(b, c));
	assert_false(json_equal(d, d->next));
	json_doc_destroy(doc);
}

static void
test_absent(void **state)
{
	struct json_doc *doc = parse("null");
	assert_true(json_equal(NULL, NULL));
	assert_false(json_equal(NULL, json_root(doc)));
	assert_false(json_equal(json_root(doc), NULL));
	(void)json_hash(NULL);
	json_doc_destroy(doc);
}

/* An object of many keys, forwards or backwards. */
static struct json_doc *
large_object(int count, bool backwards)
{
	struct buf text = BUF_INIT;
	buf_add_char(&text, '{');
	for (int i = 0; i < count; i++)
		buf_addf(&text, "%s\"k%d\":[%d]", i ? "," : "", backwards ? count - 1 - i : i,
		    backwards ? count - 1 - i : i);
	buf_add_char(&text, '}');
	struct json_doc *doc = json_parse(text.data, text.len, NULL, NULL);
	buf_finish(&text);
	return doc;
}

static void
test_large_objects_in_any_order(void **state)
{
	for (int count = 1; count <= 100000; count *= 10) {
		struct json_doc *a = large_object(count, false), *b = large_object(count, true);
		struct json_doc *c = large_object(count + 1, true);
		assert_true(json_equal(json_root(a), json_root(b)));
		assert_true(json_hash(json_root(a)) == json_hash(json_root(b)));
		assert_false(json_equal(json_root(a), json_root(c)));
		json_doc_destroy(a);
		json_doc_destroy(b);
		json_doc_destroy(c);
	}
}

static void
test_depth(void **state)
{
	enum { DEPTH = 100000 };
	char *text = malloc(2 * DEPTH);
	memset(text, '[', DEPTH);
	memset(text + DEPTH, ']', DEPTH);
	struct json_options options = { .max_depth = DEPTH };
	struct json_doc *a = json_parse(text, 2 * DEPTH, &options, NULL);
	struct json_doc *b = json_parse(text, 2 * DEPTH, &options, NULL);
	struct json_doc *c = json_parse(text + 1, 2 * DEPTH - 2, &options, NULL);
	assert_true(json_equal(json_root(a), json_root(b)));
	assert_false(json_equal(json_root(a), json_root(c)));
	assert_true(json_hash(json_root(a)) == json_hash(json_root(b)));
	json_doc_destroy(a);
	json_doc_destroy(b);
	json_doc_destroy(c);
	free(text);
}

TEST_FILE(json_equal)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_exact_numbers),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_large_objects_in_any_order),
		cmocka_unit_test(test_depth),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
