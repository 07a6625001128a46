/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "json/print.h"
#include "data/table.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct json_doc *doc;
static struct table_spots spots;
static struct table table;

static void
open_table(const char *value)
{
	doc = parse_quoted(value);
	shape_find(&spots, json_root(doc), NULL);
	table_init(&table, &spots.items[0], NULL);
}

static void
close_table(void)
{
	table_finish(&table);
	shape_finish(&spots);
	json_doc_destroy(doc);
}

/* SIZE_MAX: in document order. */
static void
sort_by(struct table *t, size_t column, bool descending)
{
	table_sort(t, &(struct sort_key){ column, descending }, 1);
}

static void
assert_order(const char *rows)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < table.shown; i++)
		buf_addf(&out, "%s%u", i ? " " : "", table.order[i]);
	assert_string_equal(buf_text(&out), rows);
	buf_finish(&out);
}

/* The rows of column `k`, ascending and descending. */
static void
assert_sorted(const char *value, const char *up, const char *down)
{
	open_table(value);
	size_t k = table_find_column(&table, "k");
	sort_by(&table, k, false);
	assert_order(up);
	sort_by(&table, k, true);
	assert_order(down);
	sort_by(&table, k, false); /* from any order */
	assert_order(up);
	close_table();
}

static void
test_numbers(void **state)
{
	assert_sorted("[{'k':10},{'k':9},{'k':-1},{'k':9.5},{'k':0}]", "2 4 1 3 0", "0 3 1 4 2");
	assert_sorted(
	    "[{'k':1e2},{'k':99},{'k':-1e-400},{'k':1E-400},{'k':0}]", "2 4 3 1 0", "0 1 3 4 2");
}

static void
test_exact_numbers(void **state)
{
	assert_sorted("[{'k':9007199254740993},{'k':9007199254740992},{'k':9007199254740994}]",
	    "1 0 2", "2 0 1");
	assert_sorted(
	    "[{'k':1e401},{'k':1e400},{'k':-1e400},{'k':2e400},{'k':5}]", "2 4 1 3 0", "0 3 1 4 2");
	assert_sorted("[{'k':0.1000000000000000000001},{'k':0.1},{'k':0.0999999999999999999999}]",
	    "2 1 0", "0 1 2");
}

/* Equal values keep the order of the document, also descending. */
static void
test_stable(void **state)
{
	assert_sorted("[{'k':1},{'k':1.0},{'k':10e-1},{'k':0},{'k':1}]", "3 0 1 2 4", "0 1 2 4 3");
	assert_sorted("[{'k':0},{'k':-0},{'k':-0.0},{'k':0}]", "0 1 2 3", "0 1 2 3");
	assert_sorted("[{'k':'b'},{'k':'a'},{'k':'b'},{'k':'a'}]", "1 3 0 2", "0 2 1 3");
	assert_sorted("[{'k':true},{'k':false},{'k':true}]", "1 0 2", "0 2 1");
	assert_sorted("[{'k':[2]},{'k':{'a':1}},{'k':[1]}]", "0 1 2", "0 1 2");
}

static void
test_null_and_absent_last(void **state)
{
	assert_sorted(
	    "[{},{'k':null},{'k':2},{},{'k':null},{'k':1}]", "5 2 1 4 0 3", "2 5 1 4 0 3");
	assert_sorted("[{'k':null},{}]", "0 1", "0 1");
}

static void
test_mixed_types(void **state)
{
	assert_sorted("[{'k':[1]},{'k':'1'},{'k':1},{'k':true},{'k':null},{},{'k':{}}]",
	    "3 2 1 0 6 4 5", "0 6 1 2 3 4 5");
}

static void
test_strings(void **state)
{
	assert_sorted(
	    "[{'k':'b'},{'k':''},{'k':'ab'},{'k':'a'},{'k':'B'},{'k':'é'},{'k':'\\u0000'}]",
	    "1 4 3 2 0 6 5", "5 6 0 2 3 4 1");
	/* the same in the first eight, and the first sixteen bytes */
	assert_sorted("[{'k':'12345678b'},{'k':'12345678'},{'k':'12345678a'},{'k':'1234567'},"
		      "{'k':'1234567890123456'},{'k':'12345678901234567'}]",
	    "3 1 4 5 2 0", "0 2 5 4 1 3");
}

/* Against the obvious way, for many values with long common beginnings. */
static int
compare(const void *x, const void *y)
{
	const cJSON *a = table_cell(&table, *(const uint32_t *)x, 0);
	const cJSON *b = table_cell(&table, *(const uint32_t *)y, 0);
	int order = strcmp(a->valuestring, b->valuestring);

	return order ? order : *(const uint32_t *)x < *(const uint32_t *)y ? -1 : 1;
}

static void
test_many_strings(void **state)
{
	static const char prefix[] =
	    "a very long common beginning of all the strings there are, so "
	    "long that it is not worth the while to go on, and on: ";
	enum { N = 3000 };
	uint32_t expected[N];
	struct buf value = BUF_INIT;
	unsigned seed = 7;

	buf_add_char(&value, '[');
	for (int i = 0; i < N; i++) {
		seed = seed * 1103515245 + 12345;
		buf_addf(&value, "%s{'k':'%.*s%u'}", i ? "," : "", (int)(seed >> 8) % 120, prefix,
		    seed >> 20);
		expected[i] = (uint32_t)i;
	}
	buf_add_char(&value, ']');
	open_table(buf_text(&value));
	qsort(expected, N, sizeof(*expected), compare);
	sort_by(&table, 0, false);
	assert_memory_equal(table.order, expected, sizeof(expected));
	close_table();
	buf_finish(&value);
}

static void
test_many_numbers(void **state)
{
	struct buf value = BUF_INIT;
	unsigned seed = 3;

	buf_add_char(&value, '[');
	for (int i = 0; i < 5000; i++) {
		seed = seed * 1103515245 + 12345;
		buf_addf(&value, "%s{'k':%d.%u}", i ? "," : "", (int)(seed >> 16) % 2001 - 1000,
		    seed >> 29);
	}
	buf_add_char(&value, ']');
	open_table(buf_text(&value));
	for (int is_descending = 0; is_descending < 2; is_descending++) {
		sort_by(&table, 0, is_descending != 0);
		for (size_t i = 1; i < table.shown; i++) {
			double a = table_cell(&table, table.order[i - 1], 0)->valuedouble;
			double b = table_cell(&table, table.order[i], 0)->valuedouble;
			assert_true(is_descending ? a >= b : a <= b);
			if (a == b)
				assert_true(table.order[i - 1] < table.order[i]);
		}
	}
	close_table();
	buf_finish(&value);
}

static void
test_back_to_document_order(void **state)
{
	open_table("[{'k':3},{'k':1},{'k':2}]");
	sort_by(&table, 0, true);
	assert_order("0 2 1");
	sort_by(&table, SIZE_MAX, false);
	assert_order("0 1 2");
	close_table();
	open_table("[]");
	sort_by(&table, 0, false);
	table_filter(&table, "x");
	assert_order("");
	close_table();
}

static void
assert_filtered(const char *value, const char *text, const char *rows)
{
	open_table(value);
	table_filter(&table, text);
	assert_order(rows);
	table_filter(&table, NULL);
	assert_int_equal(table.shown, table.row_count);
	assert_null(table.filter);
	close_table();
}

static void
test_filter(void **state)
{
	static const char rows[] =
	    "[{'a':'Apple','n':12},{'a':'pear','n':1200},{'a':null,'n':-3.5},"
	    "{'n':9007199254740993},{'a':true}]";

	assert_filtered(rows, "APP", "0");
	assert_filtered(rows, "12", "0 1");
	assert_filtered(rows, "-3.5", "2");
	assert_filtered(rows, "null", "2");
	assert_filtered(rows, "TRU", "4");
	assert_filtered(rows, "740993", "3");
	assert_filtered(rows, "e", "0 1 4");
	assert_filtered(rows, "n", "2"); /* column keys are not cells */
	assert_filtered(rows, "absent", "");
	assert_filtered(rows, "", "0 1 2 3 4");
}

static void
test_filter_deep(void **state)
{
	assert_filtered("[{'a':{'b':'x'}},{'a':{'c':'y'}}]", "x", "0");
	assert_filtered("[{'a':{'b':'x'}},{'a':{'c':'y'}}]", "b", "");
	assert_filtered("[{'a':[{'key':1}]},{'a':[2]}]", "KEY", "0");
	assert_filtered("[{'a':[{'key':1}]},{'a':[2]}]", "2", "1");
	assert_filtered("[{'a':{'b':{'c':{'d':{'inside':1}}}}},{'a':1}]", "side", "0");
	assert_filtered("[[{'k':1}],['v']]", "k", "0");
	assert_filtered("{'ann':{'x':1},'bob':{'x':2}}", "BO", "1");
	assert_filtered("['one','two',3]", "o", "0 1");
	/* a text that cannot be a number is not searched in numbers */
	assert_filtered("[1e400,10,'e4']", "E4", "0 2");
	assert_filtered("[1.5,15]", "1.5", "0");
}

static void
test_filter_and_sort(void **state)
{
	open_table("[{'k':3,'s':'x'},{'k':1,'s':'y'},{'k':2,'s':'x'},{'k':0,'s':'x'}]");
	sort_by(&table, 0, false);
	table_filter(&table, "x");
	assert_order("3 2 0");
	sort_by(&table, 0, true);
	assert_order("0 2 3");
	sort_by(&table, SIZE_MAX, false);
	assert_order("0 2 3");
	sort_by(&table, 0, false);
	table_filter(&table, NULL);
	assert_order("3 1 2 0");
	close_table();
}

TEST_FILE(table_order)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_exact_numbers),
		cmocka_unit_test(test_stable),
		cmocka_unit_test(test_null_and_absent_last),
		cmocka_unit_test(test_mixed_types),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_many_strings),
		cmocka_unit_test(test_many_numbers),
		cmocka_unit_test(test_back_to_document_order),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_filter_deep),
		cmocka_unit_test(test_filter_and_sort),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
