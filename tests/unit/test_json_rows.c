/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/buf.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"
#include "test.h"

static struct json_doc *
parse(const char *text, size_t lazy_bytes, const char *in)
{
	const struct json_options options = { .lazy_bytes = lazy_bytes, .lazy_in = in };

	return json_parse(text, strlen(text), &options, NULL);
}

static void
test_an_array_over_the_bound_has_no_nodes(void **state)
{
	static const char text[] =
	    " {\"a\": [ {\"k\":1} , {\"k\":2.50,\"l\":[1,2]},3 ],\n\"b\":[1]}";
	struct json_doc *doc = parse(text, 20, NULL), *plain = parse(text, 0, NULL);
	const cJSON *a = json_get(json_root(doc), "a"), *b = json_get(json_root(doc), "b");
	struct buf out = BUF_INIT;

	assert_true(json_is_lazy(a));
	assert_int_equal(json_type(a), JSON_ARRAY);
	assert_int_equal(json_count(a), 3);
	assert_null(json_first(a));
	assert_null(json_pointer_find(json_root(doc), "/a/0"));
	assert_false(json_is_lazy(b));
	assert_int_equal(json_count(b), 1);
	json_print(&out, json_root(doc));
	assert_string_equal(
	    buf_text(&out), "{\"a\":[{\"k\":1},{\"k\":2.50,\"l\":[1,2]},3],\"b\":[1]}");
	assert_true(json_equal(json_root(doc), json_root(plain)));
	assert_true(json_hash(json_root(doc)) == json_hash(json_root(plain)));
	assert_true(json_doc_memory(doc) < json_doc_memory(plain) + 100);
	buf_finish(&out);
	json_doc_destroy(doc);
	json_doc_destroy(plain);
}

static void
test_a_reader_parses_what_it_is_asked_for(void **state)
{
	struct json_doc *doc = parse("[{\"k\":0},{\"k\":1},{\"k\":2},{\"k\":3}]", 1, NULL);
	struct json_reader *r = json_reader_create(json_root(doc), 2);

	const cJSON *third = json_reader_at(r, 3), *first = json_reader_at(r, 1);
	assert_int_equal(json_get(third, "k")->valueint, 3);
	assert_int_equal(json_get(first, "k")->valueint, 1);
	assert_ptr_equal(json_get(third, "k")->string, json_get(first, "k")->string);
	assert_ptr_equal(json_reader_at(r, 3), third);
	assert_null(json_reader_kept(r, 2));
	const cJSON *kept = json_reader_keep(r, 2);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(json_get(json_reader_at(r, i), "k")->valueint, (int)i);
	json_reader_forget(r);
	assert_ptr_equal(json_reader_kept(r, 2), kept);
	assert_int_equal(json_get(kept, "k")->valueint, 2);
	assert_null(kept->next);
	json_reader_destroy(r);
	json_doc_destroy(doc);
}

/* Arrays that turn out to be small are parsed again, and nothing is noted twice. */
/* Each alone, as json_get() finds it in the whole item. */
static void
test_members(void **state)
{
	struct json_doc *doc =
	    parse("[ {\"a\" : {\"b\":[1,{\"x\":\"]}\\\"\"}], \"k\":2.50 } , \"k\":null,\"k\":3},"
		  "{\"\\u006b\":\"escaped\",\"e\":{}}, 5, {\"s\":\"a,\\\\\",\"k\":\"last\" } ]",
		1, NULL);
	static const struct {
		size_t index;
		const char *keys[2];
		const char *value; /* NULL: absent */
	} cases[] = {
		{ 0, { "a", "k" }, "2.50" },
		{ 0, { "a", "b" }, "[1,{\"x\":\"]}\\\"\"}]" },
		{ 0, { "k", NULL }, "null" }, /* the first of them */
		{ 0, { "k", "q" }, "null" },
		{ 0, { "x", NULL }, NULL },
		{ 1, { "k", NULL }, "\"escaped\"" },
		{ 1, { "e", NULL }, "{}" },
		{ 1, { "e", "k" }, NULL },
		{ 2, { "k", NULL }, NULL },
		{ 3, { "k", NULL }, "\"last\"" },
		{ 3, { "k", "x" }, NULL },
	};
	struct json_reader *r = json_reader_create(json_root(doc), 1);

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct buf out = BUF_INIT;
		const cJSON *found = json_reader_member(
		    r, cases[i].index, cases[i].keys, 1 + (cases[i].keys[1] != NULL));
		if (found)
			json_print(&out, found);
		assert_string_equal(buf_text(&out), cases[i].value ? cases[i].value : "");
		buf_finish(&out);
	}
	json_reader_destroy(r);
	json_doc_destroy(doc);
}

static void
test_flaws_are_found_once_and_at_their_place(void **state)
{
	static const char text[] = "[[{\"a\":1,\n\"a\":2}],[\n\"\\ud800\",1,2,3,4,5,6,7,8,9],\n"
				   "[\"\\u0000\"]]";
	const struct json_options options = { .lazy_bytes = 25, .lazy_in = NULL };
	struct json_doc *plain = json_parse(text, strlen(text), NULL, NULL);
	struct json_doc *doc = json_parse(text, strlen(text), &options, NULL);

	assert_int_equal(json_flaws(plain)->count, 3);
	assert_int_equal(json_flaws(doc)->count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct json_flaw *a = &json_flaws(plain)->items[i],
				       *b = &json_flaws(doc)->items[i];
		assert_int_equal(a->kind, b->kind);
		assert_int_equal(a->offset, b->offset);
		assert_int_equal(a->line, b->line);
		assert_int_equal(a->column, b->column);
	}
	json_doc_destroy(doc);
	json_doc_destroy(plain);
}

static void
test_only_the_named_value_is_looked_at(void **state)
{
	static const char text[] = "{\"result\":{\"content\":[1,2,3],\"structuredContent\":"
				   "{\"rows\":[1,2,3],\"more\":{\"rows\":[1,2,3]}}}}";
	struct json_doc *doc = parse(text, 1, "/result/structuredContent");
	const cJSON *root = json_root(doc);

	assert_false(json_is_lazy(json_pointer_find(root, "/result/content")));
	assert_true(json_is_lazy(json_pointer_find(root, "/result/structuredContent/rows")));
	assert_true(json_is_lazy(json_pointer_find(root, "/result/structuredContent/more/rows")));
	json_doc_destroy(doc);
	doc = parse("{\"result\":{\"structuredContent\":[1,2,3]}}", 1, "/result/structuredContent");
	assert_true(json_is_lazy(json_pointer_find(json_root(doc), "/result/structuredContent")));
	json_doc_destroy(doc);
}

/* Items that are large themselves would be parsed again and again. */
static void
test_few_huge_items_are_nodes(void **state)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < 3; i++) {
		buf_add_str(&text, i ? ",\"" : "[\"");
		for (int k = 0; k < 20000; k++)
			buf_add_char(&text, 'x');
		buf_add_char(&text, '"');
	}
	buf_add_char(&text, ']');
	struct json_doc *doc = parse(buf_text(&text), 1, NULL);
	assert_false(json_is_lazy(json_root(doc)));
	assert_int_equal(json_count(json_root(doc)), 3);
	assert_int_equal(strlen(json_first(json_root(doc))->next->valuestring), 20000);
	json_doc_destroy(doc);
	buf_finish(&text);
}

/* The text has to stay: the doc sees to it. */
static void
test_the_blob_lives_as_long_as_the_doc(void **state)
{
	struct blob *blob = blob_from_bytes("[1,2,3]", 7);
	const struct json_options options = { .lazy_bytes = 1, .blob = blob };
	struct json_doc *doc = json_parse(blob->data, blob->len, &options, NULL);
	struct json_items it;
	int sum = 0;

	blob_unref(blob);
	for (json_items_init(&it, json_root(doc), NULL); it.item; json_items_next(&it))
		sum += it.item->valueint;
	json_items_finish(&it);
	assert_int_equal(sum, 6);
	json_doc_destroy(doc);
}

TEST_FILE(json_rows)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_array_over_the_bound_has_no_nodes),
		cmocka_unit_test(test_a_reader_parses_what_it_is_asked_for),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_flaws_are_found_once_and_at_their_place),
		cmocka_unit_test(test_only_the_named_value_is_looked_at),
		cmocka_unit_test(test_few_huge_items_are_nodes),
		cmocka_unit_test(test_the_blob_lives_as_long_as_the_doc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
