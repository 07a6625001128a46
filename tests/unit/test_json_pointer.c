/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"
#include "test.h"

#include <string.h>

static const char document[] = "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"m~n\":8,"
			       "\"deep\":{\"rows\":[[],[{\"x\":{\"~1\":true}}]]},\"foo2\":null}";

static struct json_doc *
parse(const char *text)
{
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);

	assert_non_null(doc);
	return doc;
}

static void
assert_finds(const cJSON *root, const char *pointer, const char *expected)
{
	struct buf out = BUF_INIT;
	const cJSON *node = json_pointer_find(root, pointer);

	if (!expected) {
		assert_null(node);
		return;
	}
	assert_non_null(node);
	json_print(&out, node);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static void
test_find(void **state)
{
	struct json_doc *doc = parse(document);
	const cJSON *root = json_root(doc);

	assert_ptr_equal(json_pointer_find(root, ""), root);
	assert_finds(root, "/foo", "[\"bar\",\"baz\"]");
	assert_finds(root, "/foo/0", "\"bar\"");
	assert_finds(root, "/foo/1", "\"baz\"");
	assert_finds(root, "/", "0");
	assert_finds(root, "/a~1b", "1");
	assert_finds(root, "/c%d", "2");
	assert_finds(root, "/m~0n", "8");
	assert_finds(root, "/deep/rows/1/0/x/~01", "true");
	static const char *const nowhere[] = { "foo", "/foo/2", "/foo/01", "/foo/-", "/foo/-1",
		"/foo/", "/foo/0/0", "/foo/+1", "/foo/1x", "/foo/99999999999999999999999", "/m~n",
		"/m~2n", "/~", "/nope", "/foo//", "#/foo", "/FOO" };
	for (size_t i = 0; i < ARRAY_LEN(nowhere); i++)
		assert_finds(root, nowhere[i], NULL);
	assert_null(json_pointer_find(NULL, ""));
	json_doc_destroy(doc);
}

static void
test_tokens(void **state)
{
	struct buf token = BUF_INIT;
	const char *at = "/a~1b//~0/c";
	static const char *const expected[] = { "a/b", "", "~", "c" };
	for (size_t i = 0; i < 4; i++) {
		assert_true(json_pointer_next(&at, &token));
		assert_string_equal(buf_text(&token), expected[i]);
	}
	assert_false(json_pointer_next(&at, &token));
	assert_string_equal(at, "");
	at = "x";
	assert_false(json_pointer_next(&at, &token));
	at = "/a~";
	assert_false(json_pointer_next(&at, &token));
	assert_string_not_equal(at, "");
	buf_finish(&token);
}

/* Every node's pointer leads back to it. */
static void
assert_all_round_trip(const cJSON *root, const cJSON *node)
{
	struct buf pointer = BUF_INIT;

	assert_true(json_pointer_of(root, node, &pointer));
	assert_ptr_equal(json_pointer_find(root, buf_text(&pointer)), node);
	buf_finish(&pointer);
	for (const cJSON *child = json_first(node); child; child = child->next)
		assert_all_round_trip(root, child);
}

static void
test_pointer_of(void **state)
{
	struct json_doc *doc = parse(document), *other = parse("[1]");
	const cJSON *root = json_root(doc);
	struct buf pointer = BUF_INIT;

	assert_all_round_trip(root, root);
	assert_true(json_pointer_of(root, json_pointer_find(root, "/deep/rows/1/0/x"), &pointer));
	assert_string_equal(buf_text(&pointer), "/deep/rows/1/0/x");
	/* Appends; nothing where the node is not of this tree. */
	assert_true(json_pointer_of(root, json_pointer_find(root, "/foo/1"), &pointer));
	assert_string_equal(buf_text(&pointer), "/deep/rows/1/0/x/foo/1");
	assert_false(json_pointer_of(root, json_root(other), &pointer));
	assert_false(json_pointer_of(json_get(root, "foo"), json_get(root, "foo2"), &pointer));
	assert_false(json_pointer_of(NULL, root, &pointer));
	assert_string_equal(buf_text(&pointer), "/deep/rows/1/0/x/foo/1");
	buf_finish(&pointer);
	json_doc_destroy(doc);
	json_doc_destroy(other);
}

static void
test_add(void **state)
{
	struct buf pointer = BUF_INIT;

	json_pointer_add_key(&pointer, "a/b~c~1");
	json_pointer_add_index(&pointer, 0);
	json_pointer_add_key(&pointer, "");
	json_pointer_add_index(&pointer, 1234567);
	assert_string_equal(buf_text(&pointer), "/a~1b~0c~01/0//1234567");
	buf_finish(&pointer);
}

/* Unusual keys: each is found again by its own pointer. */
static void
test_awkward_keys(void **state)
{
	static const char *const keys[] = { "", "~", "/", "~1", "~0", "//", "~~", "0", "00", "-",
		"-1", "\\u0000", "\\ud800", "a\\u0000b", "\\u202e", "\\n", " ", "%20", "#", "\\\"",
		"\\\\" };
	struct buf text = BUF_INIT, pointer = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		buf_addf(&text, "%s\"%s\":{\"%s\":[%zu]}", i ? "," : "{", keys[i], keys[i], i);
	buf_add_char(&text, '}');
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	assert_non_null(doc);
	const cJSON *root = json_root(doc);
	assert_all_round_trip(root, root);
	for (const cJSON *m = json_first(root); m; m = m->next) {
		buf_clear(&pointer);
		json_pointer_add_key(&pointer, m->string);
		json_pointer_add_key(&pointer, json_first(m)->string);
		json_pointer_add_index(&pointer, 0);
		assert_ptr_equal(
		    json_pointer_find(root, buf_text(&pointer)), json_first(json_first(m)));
	}
	json_doc_destroy(doc);
	buf_finish(&text);
	buf_finish(&pointer);
}

/* A pointer names the first of equal keys. */
static void
test_duplicate_keys(void **state)
{
	static const char text[] = "{\"a\":{\"x\":1},\"a\":{\"y\":2}}";
	struct json_doc *doc = json_parse(text, sizeof(text) - 1, NULL, NULL);

	assert_finds(json_root(doc), "/a/x", "1");
	assert_finds(json_root(doc), "/a/y", NULL);
	json_doc_destroy(doc);
}

TEST_FILE(json_pointer)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_pointer_of),
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_awkward_keys),
		cmocka_unit_test(test_duplicate_keys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
