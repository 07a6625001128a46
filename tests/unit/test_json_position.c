/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "json/pointer.h"
#include "test.h"

#include <string.h>

static const char TEXT[] = "{\n"
			   "  \"a\": [1, \"x\\\"]\", {\"b\" : null}],\r\n"
			   "\t\"c\\\\\": { },  \"a\": true,\n"
			   "\"d\":[],\"e\":[[\n"
			   "2]]} \n";

static void
test_nodes_are_found_in_one_pass(void **state)
{
	static const struct {
		const char *pointer;
		unsigned line, column;
	} PLACES[] = {
		{ "", 1, 1 },
		{ "/a", 2, 8 },
		{ "/a", 2, 8 },
		{ "/a/0", 2, 9 },
		{ "/a/1", 2, 12 },
		{ "/a/2", 2, 20 },
		{ "/a/2/b", 2, 27 },
		{ "/c\\", 3, 9 },
		{ "/d", 4, 5 },
		{ "/e/0", 4, 13 },
		{ "/e/0/0", 5, 1 },
	};
	enum { COUNT = ARRAY_LEN(PLACES) };
	struct json_doc *doc = json_parse(TEXT, strlen(TEXT), NULL, NULL);
	const cJSON *nodes[COUNT];
	struct json_position at[COUNT];

	assert_non_null(doc);
	for (size_t i = 0; i < COUNT; i++)
		nodes[i] = json_pointer_find(json_root(doc), PLACES[i].pointer);
	json_positions(TEXT, strlen(TEXT), json_root(doc), nodes, COUNT, at);
	for (size_t i = 0; i < COUNT; i++) {
		if (at[i].line != PLACES[i].line || at[i].column != PLACES[i].column)
			fail_msg("%s is at %u:%u", PLACES[i].pointer, at[i].line, at[i].column);
		assert_memory_equal(TEXT + at[i].offset,
		    json_type(nodes[i]) == JSON_OBJECT  ? "{"
		    : json_type(nodes[i]) == JSON_ARRAY ? "["
							: TEXT + at[i].offset,
		    1);
	}
	json_doc_destroy(doc);
}

/* The second of two equal keys has its own place. */
static void
test_duplicates_are_apart(void **state)
{
	struct json_doc *doc = json_parse("[{\"a\":1,\"a\":2}]", 15, NULL, NULL);
	const cJSON *second = json_first(json_first(json_root(doc)))->next;
	struct json_position at;

	json_positions("[{\"a\":1,\"a\":2}]", 15, json_root(doc), &second, 1, &at);
	assert_int_equal(at.column, 13);
	json_doc_destroy(doc);
}

static void
test_a_scalar_is_at_its_start(void **state)
{
	const char *text = " \n  -1e5";
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL), *other;
	const cJSON *nodes[2] = { json_root(doc), NULL };
	struct json_position at[2];

	other = json_parse("7", 1, NULL, NULL);
	nodes[1] = json_root(other); /* of another tree: not found */
	json_positions(text, strlen(text), json_root(doc), nodes, 2, at);
	assert_int_equal(at[0].line, 2);
	assert_int_equal(at[0].column, 3);
	assert_int_equal(at[0].offset, 4);
	assert_int_equal(at[1].line, 0);
	json_doc_destroy(doc);
	json_doc_destroy(other);
}

TEST_FILE(json_position)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nodes_are_found_in_one_pass),
		cmocka_unit_test(test_duplicates_are_apart),
		cmocka_unit_test(test_a_scalar_is_at_its_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
