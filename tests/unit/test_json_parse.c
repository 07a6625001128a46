/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/doc.h"
#include "json/print.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct json_doc *
parse(const char *text)
{
	struct json_error error = { 0 };
	/* An exact copy without a NUL, so that a sanitizer sees a read past the end. */
	size_t len = strlen(text);
	char *copy = malloc(len ? len : 1);
	memcpy(copy, text, len);
	struct json_doc *doc = json_parse(copy, len, NULL, &error);
	free(copy);
	if (!doc)
		print_message("%s: %u:%u %s\n", text, error.line, error.column, error.text);
	return doc;
}

static void
assert_prints(const char *text, const char *expected)
{
	struct json_doc *doc = parse(text);
	struct buf out = BUF_INIT;

	assert_non_null(doc);
	json_print(&out, json_root(doc));
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
	json_doc_destroy(doc);
}

static void
assert_same(const char *text)
{
	assert_prints(text, text);
}

static void
assert_fails(const char *text, unsigned line, unsigned column, const char *why)
{
	struct json_error error = { 0 };
	size_t len = strlen(text);
	char *copy = malloc(len ? len : 1);
	memcpy(copy, text, len);
	struct json_doc *doc = json_parse(copy, len, NULL, &error);
	free(copy);
	if (doc)
		fail_msg("accepted: %s", text);
	assert_string_equal(error.text, why);
	assert_int_equal(error.line, line);
	assert_int_equal(error.column, column);
	assert_null(json_parse(text, len, NULL, NULL));
}

static void
test_values(void **state)
{
	static const char *const same[] = {
		"null",
		"true",
		"false",
		"0",
		"-0",
		"1",
		"-1",
		"1.5",
		"\"\"",
		"\"a\"",
		"[]",
		"{}",
		"[[]]",
		"[{}]",
		"{\"a\":{}}",
		"[1,2,3]",
		"{\"a\":1,\"b\":[true,false,null]}",
		"{\"\":{\"\":[]}}",
		"[[],[],{}]",
		"\"\\\"\\\\\"",
		"\"\\b\\f\\n\\r\\t\\u0001\\u001f\"",
		"\"\x7f\"",
		"\"Grüße, 世界 🎉\"",
	};
	for (size_t i = 0; i < ARRAY_LEN(same); i++)
		assert_same(same[i]);
	assert_prints(" \t\r\n[ 1 , { \"a\" : 2 , \"b\" : [ ] } ]\n", "[1,{\"a\":2,\"b\":[]}]");
	assert_prints("\"\\/\\u0041\\u00e9\\u20AC\\ud83c\\uDF89\"", "\"/Aé€🎉\"");
}

static void
test_numbers_keep_their_text(void **state)
{
	static const char *const same[] = {
		"1.0",
		"1e5",
		"1E5",
		"1e+5",
		"1E-5",
		"12345678901234567890",
		"0.10",
		"-0.0",
		"-0",
		"0.30000000000000004",
		"9007199254740991",
		"9007199254740993",
		"1e400",
		"-1e400",
		"1e-400",
		"1.7976931348623157e308",
		"0.1",
		"0.00001",
		"0.0000000001",
		"123456789012345",
		"1234567890123456",
		"0.123456789012345",
		"0.1234567890123456",
		"99999.9999999999",
		"100",
		"1000000000000000",
		"2147483647",
		"2147483648",
		"-2147483649",
		"93.27",
		"0.5",
		"3.141592653589793238462643383279502884197",
		"0e0",
		"1.5e300",
		"-123456.789",
	};
	for (size_t i = 0; i < ARRAY_LEN(same); i++) {
		assert_same(same[i]);
		char text[256];
		snprintf(text, sizeof(text), "{\"a\":[%s,%s]}", same[i], same[i]);
		assert_same(text);
		struct json_doc *doc = parse(same[i]);
		assert_true(json_root(doc)->valuedouble == strtod(same[i], NULL));
		json_doc_destroy(doc);
	}
}

static void
test_numbers_of_all_shapes_convert_right(void **state)
{
	uint64_t random = 88172645463325252u;
	for (int i = 0; i < 200000; i++) {
		char text[64];
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		double value;
		memcpy(&value, &random, sizeof(value));
		switch (i % 4) {
		case 0:
			if (value != value || value - value != 0)
				continue;
			snprintf(text, sizeof(text), "%.17g", value);
			break;
		case 1:
			snprintf(text, sizeof(text), "%.*f", (int)(random % 18),
			    (double)(int64_t)random / 1e14);
			break;
		case 2:
			snprintf(text, sizeof(text), "%llu.%llu",
			    (unsigned long long)(random % 100000),
			    (unsigned long long)(random >> 20));
			break;
		default:
			snprintf(text, sizeof(text), "%lld", (long long)(random >> (random & 63)));
		}
		struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);
		assert_non_null(doc);
		double got = json_root(doc)->valuedouble, right = strtod(text, NULL);
		if (memcmp(&got, &right, sizeof(got)) != 0)
			fail_msg("%s: %.17g, not %.17g", text, got, right);
		struct buf out = BUF_INIT;
		json_print(&out, json_root(doc));
		assert_string_equal(buf_text(&out), text);
		buf_finish(&out);
		json_doc_destroy(doc);
	}
}

static void
test_errors(void **state)
{
	assert_fails("", 1, 1, "empty");
	assert_fails("  \n ", 2, 2, "ends where a value is expected");
	assert_fails("[1,", 1, 4, "ends where a value is expected");
	assert_fails("[1", 1, 3, "ends inside an array");
	assert_fails("{\"a\":1", 1, 7, "ends inside an object");
	assert_fails("{", 1, 2, "ends inside an object");
	assert_fails("{\"a\"", 1, 5, "expected ':' after the key");
	assert_fails("{a:1}", 1, 2, "expected a key in double quotes");
	assert_fails("{\"a\":1,}", 1, 8, "a comma before '}'");
	assert_fails("{,}", 1, 2, "expected a key in double quotes");
	assert_fails("[1,]", 1, 4, "a comma before ']'");
	assert_fails("[,1]", 1, 2, "expected a value, found ','");
	assert_fails("[1 2]", 1, 4, "expected ',' or ']'");
	assert_fails("[1}", 1, 3, "expected ',' or ']'");
	assert_fails("{\"a\":1]", 1, 7, "expected ',' or '}'");
	assert_fails("{\n\"a\":\n  nul}", 3, 3, "expected a value, found nul");
	assert_fails("nullx", 1, 5, "more text after the value");
	assert_fails("1 2", 1, 3, "more text after the value");
	assert_fails("NaN", 1, 1, "expected a value, found NaN");
	assert_fails("'a'", 1, 1, "strings are written in double quotes");
	assert_fails("+1", 1, 1, "a number does not start with '+'");
	assert_fails(".5", 1, 1, "a number does not start with '.'");
	assert_fails("-.5", 1, 2, "expected a digit after '-'");
	assert_fails("-", 1, 2, "expected a digit after '-'");
	assert_fails("01", 1, 1, "a number has no leading zeros");
	assert_fails("-01", 1, 2, "a number has no leading zeros");
	assert_fails("1.", 1, 3, "expected a digit after the decimal point");
	assert_fails("1.e1", 1, 3, "expected a digit after the decimal point");
	assert_fails("1e", 1, 3, "expected a digit in the exponent");
	assert_fails("1e+", 1, 4, "expected a digit in the exponent");
	assert_fails("0x10", 1, 2, "more text after the value");
	assert_fails("\"abc", 1, 1, "a string without a closing quote");
	assert_fails("\"abc\\\"", 1, 1, "a string without a closing quote");
	assert_fails("\"abc\\", 1, 5, "ends inside a string");
	assert_fails("\"a\nb\"", 1, 3, "control character 0x0a in a string; write \\u000a");
	assert_fails("\"\\x\"", 1, 2, "'\\x' is not an escape");
	assert_fails("\"\\u12\"", 1, 2, "\\u needs four hexadecimal digits");
	assert_fails("\"\\uZZZZ\"", 1, 2, "\\u needs four hexadecimal digits");
	assert_fails("\"\\\xc3\xa9\"", 1, 2, "a backslash that starts no escape");
	assert_fails("\xef\xbb\xbf{}", 1, 1, "expected a value; is this a byte order mark?");
	assert_fails("// x", 1, 1, "expected a value; JSON has no comments");
	assert_fails("\x01", 1, 1, "expected a value, found byte 0x01");
	assert_null(json_parse("1\0", 2, NULL, NULL));
}

static void
test_every_cut_is_an_error(void **state)
{
	static const char text[] =
	    "{\"k\\u0041\":[1.5e3,true,{\"a\":\"\\ud83c\\udf89 ü\"},null],\"b\":{}}";
	struct json_doc *whole = parse(text);
	assert_non_null(whole);
	json_doc_destroy(whole);
	for (size_t len = 0; len < strlen(text); len++) {
		char *copy = malloc(len ? len : 1);
		memcpy(copy, text, len);
		struct json_error error;
		assert_null(json_parse(copy, len, NULL, &error));
		assert_true(error.offset <= len);
		free(copy);
	}
}

static void
test_depth(void **state)
{
	struct json_error error;
	char *text = malloc(200000);
	memset(text, '[', 100000);
	memset(text + 100000, ']', 100000);

	assert_null(json_parse(text, 200000, NULL, &error));
	assert_string_equal(error.text, "nested deeper than 1000");
	assert_int_equal(error.column, 1001);
	struct json_doc *doc = json_parse(text + 99000, 2000, NULL, &error);
	assert_non_null(doc);
	json_doc_destroy(doc);
	assert_null(json_parse(text + 98999, 2002, NULL, &error));

	/* A larger depth limit works, because nothing recurses. */
	struct json_options deep = { .max_depth = 100000 };
	doc = json_parse(text, 200000, &deep, &error);
	assert_non_null(doc);
	struct buf out = BUF_INIT;
	json_print(&out, json_root(doc));
	assert_int_equal(out.len, 200000);
	assert_memory_equal(out.data, text, 200000);
	buf_finish(&out);
	json_doc_destroy(doc);
	free(text);
}

static void
assert_flaw(const struct json_doc *doc, size_t index, enum json_flaw_kind kind, unsigned line,
    unsigned column)
{
	const struct json_flaw *flaw = &json_flaws(doc)->items[index];

	assert_true(index < json_flaws(doc)->len);
	assert_int_equal(flaw->kind, kind);
	assert_int_equal(flaw->line, line);
	assert_int_equal(flaw->column, column);
}

static void
test_flaws(void **state)
{
	struct json_doc *doc =
	    parse("{\n\"a\\u0000b\": 1, \"a\": \"\\ud800\",\n \"b\": \"x\xff\xc0\x80y\",\n"
		  "\"a\": 2, \"c\": \"\\udc00\\ud83c\\u0041\" }");
	assert_non_null(doc);
	assert_int_equal(json_flaws(doc)->count, 8);
	assert_int_equal(json_flaws(doc)->len, 8);
	assert_flaw(doc, 0, JSON_FLAW_NUL, 2, 3);
	assert_flaw(doc, 1, JSON_FLAW_LONE_SURROGATE, 2, 22);
	assert_flaw(doc, 2, JSON_FLAW_INVALID_UTF8, 3, 9);
	assert_flaw(doc, 3, JSON_FLAW_INVALID_UTF8, 3, 10);
	assert_flaw(doc, 4, JSON_FLAW_INVALID_UTF8, 3, 11);
	assert_flaw(doc, 5, JSON_FLAW_DUPLICATE_KEY, 4, 1);
	assert_flaw(doc, 6, JSON_FLAW_LONE_SURROGATE, 4, 15);
	assert_flaw(doc, 7, JSON_FLAW_LONE_SURROGATE, 4, 21);
	const cJSON *root = json_root(doc);
	assert_string_equal(root->child->string, "a\xc0\x80"
						 "b");
	assert_string_equal(json_get_string(root, "a"), "\xed\xa0\x80");
	assert_string_equal(json_get_string(root, "b"), "x\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdy");
	assert_string_equal(json_get_string(root, "c"), "\xed\xb0\x80\xed\xa0\xbc"
							"A");
	struct buf out = BUF_INIT;
	json_print(&out, root);
	assert_string_equal(buf_text(&out), "{\"a\\u0000b\":1,\"a\":\"\\ud800\",\"b\":"
					    "\"x\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdy\",\"a\":2,"
					    "\"c\":\"\\udc00\\ud83cA\"}");
	buf_finish(&out);
	json_doc_destroy(doc);
	/* what only looks like the other half is text */
	doc = parse("[\"\\udfff\",\"\\ud83f\\udfff\",\"\\ue000\"]");
	assert_int_equal(json_flaws(doc)->count, 1);
	assert_string_equal(cJSON_GetStringValue(json_root(doc)->child->next), "\U0001ffff");
	json_doc_destroy(doc);
	doc = parse("\"\\ud83cxudc00\"");
	assert_string_equal(cJSON_GetStringValue(json_root(doc)), "\xed\xa0\xbcxudc00");
	json_doc_destroy(doc);
}

static void
test_flaws_are_bounded(void **state)
{
	struct json_options few = { .max_flaws = 3 };
	static const char text[] = "[\"\xff\xff\xff\xff\xff\"]";
	struct json_doc *doc = json_parse(text, strlen(text), &few, NULL);
	assert_int_equal(json_flaws(doc)->count, 5);
	assert_int_equal(json_flaws(doc)->len, 3);
	json_doc_destroy(doc);
}

static size_t
duplicates(const char *text)
{
	struct json_doc *doc = parse(text);
	assert_non_null(doc);
	size_t count = json_flaws(doc)->count;
	for (size_t i = 0; i < json_flaws(doc)->len; i++)
		assert_int_equal(json_flaws(doc)->items[i].kind, JSON_FLAW_DUPLICATE_KEY);
	json_doc_destroy(doc);
	return count;
}

static void
test_duplicate_keys(void **state)
{
	assert_int_equal(duplicates("{\"a\":1,\"b\":2}"), 0);
	assert_int_equal(duplicates("{\"a\":1,\"a\":2}"), 1);
	assert_int_equal(duplicates("{\"a\":1,\"a\":2,\"a\":3}"), 2);
	assert_int_equal(duplicates("{\"ab\":1,\"a\\u0062\":2}"), 1);
	assert_int_equal(duplicates("{\"a\\u0062\":1,\"ab\":2}"), 1);
	assert_int_equal(duplicates("{\"\":1,\"\":2}"), 1);
	assert_int_equal(duplicates("[{\"a\":1},{\"a\":1}]"), 0);
	/* An inner object uses the key between the outer one's two. */
	assert_int_equal(duplicates("{\"a\":{\"a\":1},\"a\":2}"), 1);
	assert_int_equal(duplicates("{\"a\":{\"a\":{\"a\":{}},\"b\":0},\"b\":2}"), 0);
	assert_int_equal(
	    duplicates("{\"a\":{\"a\":{\"a\":{}},\"a\":0},\"b\":{\"a\":1},\"a\":2}"), 2);
	assert_int_equal(duplicates("{\"a\":[{\"a\":1},{\"a\":2,\"a\":3}],\"a\":2}"), 2);
}

static void
test_many_keys_are_not_quadratic(void **state)
{
	struct buf text = BUF_INIT;
	buf_add_char(&text, '{');
	for (int i = 0; i < 200000; i++)
		buf_addf(&text, "%s\"key%d\":%d", i ? "," : "", i % 199990, i);
	buf_add_char(&text, '}');
	struct json_doc *doc = json_parse(text.data, text.len, NULL, NULL);
	assert_non_null(doc);
	assert_int_equal(json_flaws(doc)->count, 10);
	assert_int_equal(json_count(json_root(doc)), 200000);
	json_doc_destroy(doc);
	buf_finish(&text);
}

static void
test_tree_is_cjson(void **state)
{
	struct json_doc *doc = parse("{\"a\":[1,2,3],\"b\":true,\"A\":\"x\",\"c\":[{\"a\":null}]}");
	const cJSON *root = json_root(doc), *a = json_get(root, "a");

	assert_int_equal(json_count(root), 4);
	assert_int_equal(json_count(a), 3);
	assert_ptr_equal(json_first(a)->prev, json_first(a)->next->next);
	assert_null(json_first(a)->next->next->next);
	assert_ptr_equal(json_first(a)->next->prev, json_first(a));
	assert_true(cJSON_IsObject(root) && cJSON_IsArray(a));
	assert_true(cJSON_IsTrue(json_get(root, "b")));
	assert_string_equal(json_get_string(root, "A"), "x");
	assert_null(json_get_string(root, "b"));
	assert_null(json_get(root, "x"));
	assert_null(json_get(NULL, "x"));
	assert_null(json_get(a, "x"));
	assert_int_equal(json_type(json_get(root, "x")), JSON_ABSENT);
	const cJSON *inner = json_first(json_get(root, "c"));
	assert_int_equal(json_type(inner->child), JSON_NULL);
	assert_ptr_equal(inner->child->string, a->string); /* one key, one pointer */
	assert_true(json_doc_memory(doc) > 0);
	json_doc_destroy(doc);
	json_doc_destroy(NULL);
	assert_null(json_root(NULL));
}

static void
test_trees_made_by_cjson(void **state)
{
	cJSON *tree = cJSON_CreateObject();
	cJSON_AddNumberToObject(tree, "n", 0.1 + 0.2);
	cJSON *array = cJSON_AddArrayToObject(tree, "a");
	cJSON_AddItemToArray(array, cJSON_CreateTrue());
	cJSON_AddItemToArray(array, cJSON_CreateNull());
	assert_int_equal(json_count(array), 2);
	struct buf out = BUF_INIT;
	json_print(&out, tree);
	assert_string_equal(buf_text(&out), "{\"n\":0.30000000000000004,\"a\":[true,null]}");
	buf_finish(&out);
	cJSON_Delete(tree);
}

static void
test_strings_of_all_lengths(void **state)
{
	/* Every length and place of the odd byte around the eight that are looked at together. */
	static const char *const odd[] = { "\\n", "ü", "\\u0001", "🎉", "\\\\" };
	for (size_t len = 0; len < 40; len++)
		for (size_t at = 0; at <= len; at++)
			for (size_t k = 0; k < 5; k++) {
				char text[256];
				snprintf(text, sizeof(text), "{\"%.*s%s%.*s\":\"%.*s%s%.*s\"}",
				    (int)at, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
				    odd[k], (int)(len - at),
				    "0123456789012345678901234567890123456789", (int)at,
				    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", odd[k],
				    (int)(len - at), "0123456789012345678901234567890123456789");
				assert_same(text);
			}
}

/* Bytes that are not UTF-8 are found wherever they stand among wide characters. */
static void
assert_flaws(const char *text, size_t len)
{
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	size_t bad = 0;

	for (size_t at = 1; at < len - 1;) {
		uint32_t cp;
		size_t used = utf8_decode(text + at, len - 1 - at, &cp);
		bad += used == 0;
		at += used ? used : 1;
	}
	assert_non_null(doc);
	assert_int_equal(json_flaws(doc)->count, bad);
	struct buf out = BUF_INIT;
	json_print(&out, json_root(doc));
	if (bad == 0)
		assert_true(out.len == len && memcmp(buf_text(&out), text, len) == 0);
	buf_finish(&out);
	json_doc_destroy(doc);
}

static void
test_wide_characters(void **state)
{
	static const char thirds[] = "a\x7f\x80\x9f\xa0\xbf\xc3\xe2\xff";
	static const char *const before[] = { "", "\xcc\x81", "\xcc\x81\xcc\x81\xe2\x82\xac" };

	for (unsigned first = 0x80; first <= 0xff; first++)
		for (unsigned second = 0x7f; second <= 0xff; second++)
			for (size_t i = 0; i < 27; i++) {
				char text[32];
				snprintf(text, sizeof(text), "\"%s%c%c%c\xcc\x82\xcc\x83\xcc\x84\"",
				    before[i % 3], (int)first, (int)second, thirds[i / 3]);
				assert_flaws(text, strlen(text));
			}
}

/* A part outlives the doc it was made of, be it copied or shared. */
static void
assert_part(size_t bytes)
{
	struct buf text = BUF_INIT, out = BUF_INIT;

	buf_add_str(&text, "[0,{\"k\":[1.50,null,{}],\"text\":\"");
	for (size_t i = 0; i < bytes; i++)
		buf_add_char(&text, 'x');
	buf_add_str(&text, "\"},2]");
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	const cJSON *node = json_first(json_root(doc))->next;
	struct json_doc *part = json_part(doc, node), *again = json_part(part, json_root(part));
	bool shared = json_root(part) == node;
	assert_int_equal(shared, bytes > 1 << 20);
	assert_true(json_doc_memory(part) > bytes);
	if (shared)
		assert_true(json_doc_memory(again) > json_doc_memory(doc));
	json_doc_destroy(doc);
	json_doc_destroy(part);
	json_print(&out, json_root(again));
	assert_int_equal(out.len, text.len - strlen("[0,,2]"));
	assert_memory_equal(buf_text(&out), buf_text(&text) + 3, out.len);
	assert_int_equal(json_count(json_root(again)), 2);
	assert_string_equal(json_root(again)->child->prev->string, "text");
	json_doc_destroy(again);
	buf_finish(&text);
	buf_finish(&out);
}

static void
test_parts(void **state)
{
	assert_null(json_part(NULL, NULL));
	assert_part(0);
	assert_part(1000);
	assert_part(2 << 20);
}

TEST_FILE(json_parse)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_numbers_keep_their_text),
		cmocka_unit_test(test_numbers_of_all_shapes_convert_right),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_every_cut_is_an_error),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_flaws),
		cmocka_unit_test(test_flaws_are_bounded),
		cmocka_unit_test(test_duplicate_keys),
		cmocka_unit_test(test_many_keys_are_not_quadratic),
		cmocka_unit_test(test_tree_is_cjson),
		cmocka_unit_test(test_trees_made_by_cjson),
		cmocka_unit_test(test_strings_of_all_lengths),
		cmocka_unit_test(test_wide_characters),
		cmocka_unit_test(test_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
