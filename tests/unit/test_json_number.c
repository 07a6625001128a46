/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/vec.h"
#include "json/number.h"
#include "test.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct json_doc *
parse(const char *text)
{
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);

	assert_non_null(doc);
	return doc;
}

static int
compare(const char *a, const char *b)
{
	struct json_doc *x = parse(a), *y = parse(b);
	int order = json_number_compare(json_root(x), json_root(y));
	int reverse = json_number_compare(json_root(y), json_root(x));
	bool same_hash = json_number_hash(json_root(x)) == json_number_hash(json_root(y));

	assert_true((order > 0) == (reverse < 0) && (order == 0) == (reverse == 0));
	if (order == 0)
		assert_true(same_hash);
	json_doc_destroy(x);
	json_doc_destroy(y);
	return order;
}

static void
test_order_is_exact(void **state)
{
	/* From small to large; each is less than all that follow. */
	static const char *const order[] = { "-1e1000000000000000002", "-1e1000000000000000001",
		"-1e1000000", "-1e400", "-12345678901234567891", "-12345678901234567890", "-10",
		"-1.5", "-1", "-0.1", "-1e-400", "0", "1e-1000000", "1e-400", "1e-399", "0.1",
		"0.10000000000000000001", "0.3", "0.30000000000000004", "1",
		"1.0000000000000000000000000001", "9", "10", "11", "9007199254740992",
		"9007199254740993", "12345678901234567890", "12345678901234567890.5", "1e300",
		"1e400", "2e400", "1e1000000", "1e1000001", "1e999999999999999999",
		"10e999999999999999999", "1e1000000000000000001", "1e1000000000000000002",
		"0.1e2000000000000000001", "1e10000000000000000000000000000000000000001",
		"1e10000000000000000000000000000000000000002" };
	size_t count = ARRAY_LEN(order);
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++) {
			int expected = (i > j) - (i < j), got = compare(order[i], order[j]);
			if ((got > 0) - (got < 0) != expected)
				fail_msg("%s against %s: %d", order[i], order[j], got);
		}
}

static void
test_equal_values(void **state)
{
	static const char *const same[][2] = { { "1", "1.0" }, { "1", "10e-1" }, { "1", "0.1e1" },
		{ "0", "-0" }, { "0", "0.000" }, { "0", "0e99999999999999999999" },
		{ "100", "1e2" }, { "-2.50", "-25e-1" }, { "1e400", "10e399" }, { "0.5", "5e-1" },
		{ "120", "1.2e+2" }, { "9007199254740993", "9007199254740993.0" },
		{ "0.10", "0.1" }, { "1e-7", "0.0000001" },
		{ "10e999999999999999999", "1e1000000000000000000" },
		{ "1e1000000000000000001", "0.01e+001000000000000000003" },
		{ "1e-1000000000000000000000000001", "100e-1000000000000000000000000003" },
		{ "123456789012345", "123456789012345.000" } };
	for (size_t i = 0; i < ARRAY_LEN(same); i++)
		if (compare(same[i][0], same[i][1]) != 0)
			fail_msg("%s is not %s", same[i][0], same[i][1]);
}

static void
test_integers(void **state)
{
	static const struct {
		const char *text;
		bool integer;
	} cases[] = { { "0", true }, { "-0.0", true }, { "1", true }, { "1.0", true },
		{ "1.5", false }, { "10e-1", true }, { "15e-1", false }, { "1e400", true },
		{ "1e-400", false }, { "1e1000000000000000001", true },
		{ "1e-1000000000000000001", false }, { "0e-1000000000000000001", true },
		{ "1e1000000", true }, { "1e-1000000", false }, { "0.1", false },
		{ "12345678901234567890", true }, { "12345678901234567890.1", false },
		{ "9007199254740993.0", true }, { "1.5e1", true }, { "1.55e1", false } };
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_doc *doc = parse(cases[i].text);
		if (json_number_is_integer(json_root(doc)) != cases[i].integer)
			fail_msg("%s", cases[i].text);
		json_doc_destroy(doc);
	}
	cJSON *infinite = cJSON_CreateNumber(INFINITY);
	assert_false(json_number_is_integer(infinite));
	cJSON_Delete(infinite);
}

static enum json_answer
multiple(const char *a, const char *b)
{
	struct json_doc *x = parse(a), *y = parse(b);
	enum json_answer answer = json_number_is_multiple(json_root(x), json_root(y));

	json_doc_destroy(x);
	json_doc_destroy(y);
	return answer;
}

static void
test_multiples(void **state)
{
	static const struct {
		const char *a, *b;
		enum json_answer answer;
	} cases[] = { { "10", "5", JSON_YES }, { "10", "3", JSON_NO }, { "0", "7", JSON_YES },
		{ "-10", "5", JSON_YES }, { "4.5", "1.5", JSON_YES },
		{ "0.0075", "0.0001", JSON_YES }, { "0.00751", "0.0001", JSON_NO },
		{ "19.99", "0.01", JSON_YES }, { "1.1", "0.1", JSON_YES },
		{ "0.3", "0.1", JSON_YES }, { "1e308", "0.123456789", JSON_NO },
		{ "1e308", "0.5", JSON_YES }, { "1e1000000", "7", JSON_NO },
		{ "1e1000000", "8", JSON_YES }, { "7e1000000", "7", JSON_YES },
		{ "1e-1000000", "1", JSON_NO }, { "3e1000000000000000001", "3", JSON_YES },
		{ "1e1000000000000000001", "3", JSON_NO },
		{ "1e1000000000000000001", "1e1000000000000000002", JSON_NO },
		{ "1e1000000000000000002", "1e1000000000000000001", JSON_YES },
		{ "1e10000000000000000000000", "3", JSON_TOO_HARD },
		{ "1e-10000000000000000000000", "3", JSON_NO },
		{ "1e999999999999999999", "3", JSON_NO },
		{ "12345678901234567890", "10", JSON_YES },
		{ "12345678901234567891", "10", JSON_NO }, { "9007199254740993", "2", JSON_NO },
		{ "9007199254740992", "2", JSON_YES }, { "1", "2", JSON_NO }, { "5", "0", JSON_NO },
		{ "152415787532388367501905199875019052100", "12345678901234567890", JSON_YES },
		{ "152415787532388367501905199875019052101", "12345678901234567890", JSON_NO },
		{ "15241578753238836750495351562536198787501905199875019052100",
		    "123456789012345678901234567890", JSON_YES },
		{ "15241578753238836750495351562536198787501905199875019052101",
		    "123456789012345678901234567890", JSON_NO },
		{ "1e5000", "123456789012345678901", JSON_TOO_HARD },
		{ "3e4000", "123456789012345678901", JSON_NO },
		{ "123456789012345678901e4000", "123456789012345678901", JSON_YES } };
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (multiple(cases[i].a, cases[i].b) != cases[i].answer)
			fail_msg("%s of %s: %d", cases[i].a, cases[i].b,
			    multiple(cases[i].a, cases[i].b));
}

static void
test_multiples_of_large_numbers(void **state)
{
	/* k * m is a multiple of m, k * m + 1 is not, for m of many digits (a repunit-like one). */
	char m[200] = "", product[200] = "";
	for (int digits = 20; digits < 180; digits += 7) {
		for (int i = 0; i < digits; i++) {
			m[i] = i % 2 ? '1' : '4';
			product[i] = i % 2 ? '2' : '8'; /* times 2: no carry */
		}
		m[digits - 1] = '3';
		product[digits - 1] = '6';
		m[digits] = product[digits] = '\0';
		assert_int_equal(multiple(product, m), JSON_YES);
		product[digits - 1] = '7';
		assert_int_equal(multiple(product, m), JSON_NO);
	}
}

static void
test_text_of_doubles(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = { { 0, "0" }, { -0.0, "-0" }, { 1, "1" }, { -1.5, "-1.5" }, { 0.1, "0.1" },
		{ 0.1 + 0.2, "0.30000000000000004" }, { 1e21, "1e+21" }, { 1e300, "1e+300" },
		{ 5e-324, "5e-324" }, { 1.7976931348623157e308, "1.7976931348623157e+308" },
		{ 9007199254740991, "9007199254740991" }, { 123456789012345, "123456789012345" },
		{ 0.000001, "0.000001" }, { 93.27, "93.27" }, { NAN, "null" },
		{ INFINITY, "null" } };
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		cJSON *number = cJSON_CreateNumber(cases[i].value);
		char buffer[JSON_NUMBER_TEXT_MAX];
		assert_string_equal(json_number_text(number, buffer), cases[i].text);
		if (isfinite(cases[i].value))
			assert_true(strtod(buffer, NULL) == cases[i].value);
		cJSON_Delete(number);
	}
}

static void
test_text_of_many_doubles_reads_back(void **state)
{
	uint64_t random = 88172645463325252u;
	cJSON *number = cJSON_CreateNumber(0);
	for (int i = 0; i < 100000; i++) {
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		double value;
		memcpy(&value, &random, sizeof(value));
		if (i % 2)
			value = (double)(int64_t)random / (double)(UINT64_C(1) << random % 64);
		if (!isfinite(value))
			continue;
		number->valuedouble = value;
		char buffer[JSON_NUMBER_TEXT_MAX];
		const char *text = json_number_text(number, buffer);
		assert_true(strlen(text) < JSON_NUMBER_TEXT_MAX - 1);
		assert_true(json_is_number_text(text, strlen(text)));
		if (strtod(text, NULL) != value)
			fail_msg("%s is not %.17g", text, value);
	}
	cJSON_Delete(number);
}

static void
test_is_number_text(void **state)
{
	static const char *const good[] = { "0", "-0", "1", "-1", "10", "1.5", "0.5", "1e5", "1E+5",
		"1e-05", "-1.50e10", "123456789012345678901234567890" };
	static const char *const bad[] = { "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+",
		"1.e5", "1 ", " 1", "1a", "0x1", "Infinity", "NaN", "1,5", "--1", "1e5.0", "1..5" };
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		assert_true(json_is_number_text(good[i], strlen(good[i])));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(json_is_number_text(bad[i], strlen(bad[i])));
	assert_true(json_is_number_text("12x", 2));
	assert_false(json_is_number_text("12e", 3));
}

static void
test_to_size(void **state)
{
	static const struct {
		const char *text;
		size_t max;
		bool ok;
		size_t value;
	} cases[] = { { "0", 0, true, 0 }, { "1", 0, false, 0 }, { "-0", 5, true, 0 },
		{ "-1", 5, false, 0 }, { "5", 5, true, 5 }, { "6", 5, false, 0 },
		{ "1e2", 100, true, 100 }, { "1.5", 5, false, 0 }, { "5.0", 5, true, 5 },
		{ "10", 9, false, 0 }, { "12", 9, false, 0 }, { "1e1000000", SIZE_MAX, false, 0 },
		{ "18446744073709551615", SIZE_MAX, true, SIZE_MAX },
		{ "18446744073709551616", SIZE_MAX, false, 0 },
		{ "1e19", SIZE_MAX, true, (size_t)1e19 },
		{ "99999999999999999999", SIZE_MAX, false, 0 }, { "true", 5, false, 0 },
		{ "\"1\"", 5, false, 0 } };
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_doc *doc = parse(cases[i].text);
		size_t value = 0;
		if (json_number_to_size(json_root(doc), cases[i].max, &value) != cases[i].ok)
			fail_msg("%s", cases[i].text);
		assert_int_equal(value, cases[i].value);
		json_doc_destroy(doc);
	}
	size_t value;
	assert_false(json_number_to_size(NULL, 5, &value));
}

static void
test_a_decimal_comma_changes_nothing(void **state)
{
	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		return; /* not installed here */
	struct json_doc *doc = parse("[1.5e300,0.1,12345678901234567890.25]");
	assert_true(json_first(json_root(doc))->valuedouble == 1.5e300);
	cJSON *number = cJSON_CreateNumber(1.5e300);
	char buffer[JSON_NUMBER_TEXT_MAX];
	assert_string_equal(json_number_text(number, buffer), "1.5e+300");
	cJSON_Delete(number);
	json_doc_destroy(doc);
	setlocale(LC_NUMERIC, "C");
}

TEST_FILE(json_number)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_is_exact),
		cmocka_unit_test(test_equal_values),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_multiples),
		cmocka_unit_test(test_multiples_of_large_numbers),
		cmocka_unit_test(test_text_of_doubles),
		cmocka_unit_test(test_text_of_many_doubles_reads_back),
		cmocka_unit_test(test_is_number_text),
		cmocka_unit_test(test_to_size),
		cmocka_unit_test(test_a_decimal_comma_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
