/* SPDX-License-Identifier: MIT */
/*
 * Our trees are values of cJSON's: the functions of libcjson that only read give the same answers
 * about them as about the trees that it parses. The documents are ours and those of the JSON Schema
 * test suite, in ../shared/data/json-schema-test-suite or JSON_SCHEMA_SUITE.
 */
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/print.h"
#include "json/rows.h"
#include "test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
same_text(char *ours, char *theirs)
{
	assert_true(ours && theirs);
	assert_string_equal(ours, theirs);
	cJSON_free(ours);
	cJSON_free(theirs);
}

static void
same_prints(const cJSON *ours, const cJSON *theirs)
{
	same_text(cJSON_Print(ours), cJSON_Print(theirs));
	same_text(cJSON_PrintUnformatted(ours), cJSON_PrintUnformatted(theirs));
	same_text(cJSON_PrintBuffered(ours, 1, true), cJSON_PrintBuffered(theirs, 1, true));
	char *text = cJSON_Print(theirs);
	int room = (int)strlen(text) + 64;
	char *into = mem_zalloc((size_t)room);
	assert_true(cJSON_PrintPreallocated((cJSON *)ours, into, room, true));
	assert_string_equal(into, text);
	cJSON_free(text);
	free(into);
}

static void
same_types(const cJSON *ours, const cJSON *theirs)
{
	static cJSON_bool (*const tests[])(const cJSON *) = { cJSON_IsInvalid, cJSON_IsFalse,
		cJSON_IsTrue, cJSON_IsBool, cJSON_IsNull, cJSON_IsNumber, cJSON_IsString,
		cJSON_IsArray, cJSON_IsObject, cJSON_IsRaw };

	for (size_t i = 0; i < ARRAY_LEN(tests); i++)
		assert_int_equal(tests[i](ours), tests[i](theirs));
	assert_int_equal(json_type(ours), json_type(theirs));
	assert_int_equal(ours->valueint, theirs->valueint);
	assert_true(ours->valuedouble == theirs->valuedouble);
	assert_true(cJSON_GetNumberValue(ours) == cJSON_GetNumberValue(theirs) ||
		    (isnan(cJSON_GetNumberValue(ours)) && isnan(cJSON_GetNumberValue(theirs))));
	assert_int_equal(!cJSON_GetStringValue(ours), !cJSON_GetStringValue(theirs));
	assert_int_equal(!ours->valuestring, !theirs->valuestring);
	if (theirs->valuestring)
		assert_string_equal(cJSON_GetStringValue(ours), theirs->valuestring);
	assert_int_equal(!ours->string, !theirs->string);
	if (theirs->string)
		assert_string_equal(ours->string, theirs->string);
}

/* More children than this are only walked, not looked up. */
#define FEW 64

/* The child that a look-up of ours found has to be in the place of the one that theirs found. */
static void
same_lookups(const cJSON *ours, const cJSON *theirs, const char *key)
{
	const cJSON *exact = cJSON_GetObjectItemCaseSensitive(theirs, key);
	const cJSON *like = cJSON_GetObjectItem(theirs, key);
	const cJSON *a = ours->child, *b = theirs->child;

	assert_int_equal(cJSON_HasObjectItem(ours, key), cJSON_HasObjectItem(theirs, key));
	assert_ptr_equal(json_get(ours, key), cJSON_GetObjectItemCaseSensitive(ours, key));
	for (; b; a = a->next, b = b->next) {
		assert_int_equal(a == cJSON_GetObjectItemCaseSensitive(ours, key), b == exact);
		assert_int_equal(a == cJSON_GetObjectItem(ours, key), b == like);
	}
}

static void
same_values(const cJSON *ours, const cJSON *theirs)
{
	int count = cJSON_GetArraySize(theirs), index = 0;
	const cJSON *a = ours->child, *b = theirs->child, *item;

	same_types(ours, theirs);
	assert_int_equal(cJSON_GetArraySize(ours), count);
	assert_int_equal(json_count(ours), count);
	assert_ptr_equal(json_first(ours), a);
	cJSON_ArrayForEach(item, ours)
	{
		assert_ptr_equal(item, a);
		assert_ptr_equal(
		    a->prev, index > 0 ? cJSON_GetArrayItem(ours, index - 1) : a->prev);
		if (count <= FEW)
			assert_ptr_equal(cJSON_GetArrayItem(ours, index), a);
		if (count <= FEW && b->string)
			same_lookups(ours, theirs, b->string);
		same_values(a, b);
		a = a->next;
		b = b->next;
		index++;
	}
	assert_int_equal(index, count);
	assert_null(cJSON_GetArrayItem(ours, count));
	assert_null(cJSON_GetObjectItem(ours, "no such key"));
	if (count > 0) /* the last, as cJSON finds it */
		assert_ptr_equal(ours->child->prev, cJSON_GetArrayItem(ours, count - 1));
}

static bool
has_only_doubles(const cJSON *node)
{
	const cJSON *child;

	cJSON_ArrayForEach(child, node) if (!has_only_doubles(child)) return false;
	return !cJSON_IsNumber(node) || json_number_is_double(node);
}

/* Nodes after ours in the block must not be looked up after the copy's. */
static void
check_duplicate(const cJSON *ours)
{
	cJSON *copy = cJSON_Duplicate(ours, true);
	struct buf text = BUF_INIT;

	assert_non_null(copy);
	same_values(ours, copy);
	json_print(&text, copy);
	if (has_only_doubles(ours)) {
		struct buf exact = BUF_INIT;
		json_print(&exact, ours);
		assert_string_equal(buf_text(&text), buf_text(&exact));
		assert_true(json_equal(ours, copy) && json_hash(ours) == json_hash(copy));
		buf_finish(&exact);
	}
	buf_finish(&text);
	cJSON_Delete(copy);
}

static void
check_text(const char *text, size_t len)
{
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	cJSON *theirs = cJSON_ParseWithLength(text, len);

	if (!doc || !theirs)
		fail_msg("%s: %.200s", doc ? "cJSON" : "we", text);
	const cJSON *ours = json_root(doc);
	cJSON *copy = cJSON_Duplicate(theirs, true);
	same_values(ours, theirs);
	same_prints(ours, theirs);
	for (int exact = 0; exact < 2; exact++) { /* false if there is an infinity */
		cJSON_bool equal = cJSON_Compare(theirs, copy, exact);
		assert_int_equal(cJSON_Compare(ours, theirs, exact), equal);
		assert_int_equal(cJSON_Compare(theirs, ours, exact), equal);
	}
	check_duplicate(ours);
	cJSON_Delete(copy);
	cJSON_Delete(theirs);
	json_doc_destroy(doc);
}

static void
test_our_documents(void **state)
{
	static const char *const texts[] = { "null", "true", "false", "\"\"", "[]", "{}", "[[],{}]",
		"{\"a\":{},\"b\":[]}", "0", "-0", "1.50", "1e2", "1e400", "-1e400", "1e-400",
		"2147483647", "2147483648", "-2147483648", "-2147483649", "9007199254740993",
		"123456789012345678901234567890", "0.1000000000000000055511151231257827",
		"[1.0,1,10e-1]", "[true,false,null]", "{\"n\":18446744073709551616}",
		"{\"a\":1,\"a\":2,\"A\":3}", "{\"A\":1,\"a\":2}", "{\"a\":[1],\"a\":{\"a\":1.0}}",
		"{\"\":1,\"\\u00e4\":2,\"\xc3\xa4\":3}", "\"\\ud83d\\ude00 \xe2\x82\xac\"",
		"[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u001f\"]", " [ 1 ,\n\t2 ] " };
	struct buf wide = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		check_text(texts[i], strlen(texts[i]));
	for (int object = 0; object < 2; object++) {
		buf_clear(&wide);
		for (int i = 0; i < 5000; i++)
			buf_addf(&wide,
			    object ? "%c\"k%d\":[%d,{\"x\":%d.0}]" : "%c[%d,%d,{\"x\":%d.0}]",
			    i        ? ','
			    : object ? '{'
				     : '[',
			    i, i, i);
		buf_add_char(&wide, object ? '}' : ']');
		check_text(buf_text(&wide), wide.len);
	}
	buf_finish(&wide);
}

static void
test_deep_nesting(void **state)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < 999; i++)
		buf_add_char(&text, '[');
	buf_add_str(&text, "{\"a\":1.0}"); /* cJSON_Compare() doubles its work at each object */
	for (int i = 0; i < 999; i++)
		buf_add_char(&text, ']');
	check_text(buf_text(&text), text.len);
	buf_finish(&text);
}

/* Texts that cJSON refuses or cuts: it still reads the tree that we make of them. */
static void
test_what_cjson_does_not_parse(void **state)
{
	static const char text[] =
	    "{\"\\ud800\":[\"a\\u0000b\",\"\xff\"],\"\\u0000\":"
	    "12345678901234567890123456789012345678901234567890123456789012345678901234567890}";
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);
	const cJSON *root = json_root(doc);

	assert_int_equal(cJSON_GetArraySize(root), 2);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(root->child, 0)), "a\xc0\x80"
										      "b");
	assert_true(cJSON_HasObjectItem(root, "\xed\xa0\x80"));
	assert_true(
	    cJSON_GetNumberValue(cJSON_GetObjectItem(root, "\xc0\x80")) ==
	    12345678901234567890123456789012345678901234567890123456789012345678901234567890.0);
	char *printed = cJSON_PrintUnformatted(root);
	assert_string_equal(printed, "{\"\xed\xa0\x80\":[\"a\xc0\x80"
				     "b\",\"\xef\xbf\xbd\"],\"\xc0\x80\":1.2345678901234568e+79}");
	cJSON_free(printed);
	check_duplicate(root);
	json_doc_destroy(doc);
}

/* To libcjson a lazy array is JSON that has not been parsed and whose text is elsewhere, never an
 * empty array. */
static void
test_a_lazy_array_is_raw(void **state)
{
	static const char text[] = "{\"rows\":[{\"a\":1},{\"a\":2}]}";
	struct json_doc *doc =
	    json_parse(text, strlen(text), &(struct json_options){ .lazy_bytes = 1 }, NULL);
	const cJSON *root = json_root(doc), *rows = json_get(root, "rows");

	assert_true(json_is_lazy(rows) && json_count(rows) == 2 && json_type(rows) == JSON_ARRAY);
	assert_true(cJSON_IsRaw(rows) && !cJSON_IsArray(rows));
	assert_null(cJSON_GetStringValue(rows));
	assert_null(cJSON_Print(root));
	assert_null(cJSON_Print(rows));
	cJSON *copy = cJSON_Duplicate(root, true);
	assert_false(json_is_lazy(copy->child));
	assert_int_equal(json_type(copy->child), JSON_ABSENT);
	assert_int_equal(json_count(copy->child), 0);
	assert_false(cJSON_Compare(root, copy, true));
	cJSON_Delete(copy);
	json_doc_destroy(doc);
}

static void
test_a_part_of_a_document(void **state)
{
	static const char text[] = "{\"a\":{\"x\":[1.0,{\"y\":1,\"y\":2}]}}";
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);
	struct json_doc *part = json_part(doc, json_get(json_root(doc), "a"));

	same_values(json_root(part), json_get(json_root(doc), "a"));
	assert_true(json_equal(json_root(part), json_get(json_root(doc), "a")));
	json_doc_destroy(doc);
	check_duplicate(json_root(part));
	json_doc_destroy(part);
}

/* Returns how many documents there were. */
static size_t
check_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	size_t count = 0;

	for (const struct dirent *e; dir && (e = readdir(dir));) {
		if (e->d_name[0] == '.')
			continue;
		char *path = mem_printf("%s/%s", folder, e->d_name);
		size_t len = strlen(e->d_name);
		if (len < 5 || strcmp(e->d_name + len - 5, ".json") != 0) {
			count += check_folder(path);
		} else {
			struct buf text = BUF_INIT;
			struct err err;
			assert_true(path_read_file(path, &text, &err));
			if (strstr(buf_text(&text), "\\u0000") == NULL) { /* cJSON cuts there */
				check_text(buf_text(&text), text.len);
				count++;
			}
			buf_finish(&text);
		}
		free(path);
	}
	if (dir)
		closedir(dir);
	return count;
}

static void
test_documents_of_the_suite(void **state)
{
	const char *given = getenv("JSON_SCHEMA_SUITE");
	const char *folder = given ? given : "../shared/data/json-schema-test-suite";
	size_t count = check_folder(folder);

	if (count == 0) {
		printf("SKIPPED: no JSON Schema test suite at %s\n", folder);
		skip();
	}
	printf("%zu documents\n", count);
	assert_true(count > 100);
}

TEST_FILE(cjson)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_our_documents),
		cmocka_unit_test(test_deep_nesting),
		cmocka_unit_test(test_what_cjson_does_not_parse),
		cmocka_unit_test(test_a_lazy_array_is_raw),
		cmocka_unit_test(test_a_part_of_a_document),
		cmocka_unit_test(test_documents_of_the_suite),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
