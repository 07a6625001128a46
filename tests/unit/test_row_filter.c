/* SPDX-License-Identifier: MIT */
/* Table filters: what counts as an expression, which rows pass, and where an error is. */
#include "base/mem.h"
#include "base/vec.h"
#include "data/table.h"
#include "quoted.h"
#include "schema/report.h"
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

static void
assert_rows(const char *rows)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < table.shown; i++)
		buf_addf(&out, "%s%u", i ? " " : "", table.order[i]);
	assert_string_equal(buf_text(&out), rows);
	buf_finish(&out);
}

/* In filters ' is not replaced. */
static void
assert_passes(const char *filter, const char *rows)
{
	struct filter_fault fault;

	if (table_filter_look(&table, filter, &fault) != FILTER_LOOK_EXPRESSION)
		fail_msg("%s is no expression: %s", filter, fault.text);
	table_filter(&table, filter);
	assert_rows(rows);
}

static const char goods[] =
    "[{'name':'apple','price':3,'stock':{'north':5,'south':0},'fresh':true},"
    "{'name':'Pear','price':12.50,'stock':{'north':0,'south':2},'fresh':false},"
    "{'name':'plum','price':null,'stock':null},"
    "{'name':'fig','price':'12.5','stock':{'north':1,'south':1},'fresh':true}]";

static void
test_comparisons(void **state)
{
	open_table(goods);
	assert_passes("price > 3", "1");
	assert_passes("price >= 3", "0 1");
	assert_passes("price < 12.5", "0");
	assert_passes("price <= 12.5", "0 1");
	assert_passes("price = 12.5", "1"); /* a string is not a number */
	assert_passes("price == 125e-1", "1");
	assert_passes("price = \"12.5\"", "3");
	assert_passes("price != 3", "1 2 3");
	assert_passes("price <> 3", "1 2 3");
	assert_passes("price = null", "2");
	assert_passes("fresh = missing", "2");
	assert_passes("fresh != missing", "0 1 3");
	assert_passes("fresh = true", "0 3");
	assert_passes("fresh and price > 0", "0");
	assert_passes("name = 'plum' or price and not fresh", "1 2");
	assert_passes("name < 'b'", "0 1"); /* by bytes: P comes before a */
	assert_passes("price < null", "");
	close_table();
}

static void
test_texts(void **state)
{
	open_table(goods);
	assert_passes("name ~ 'p'", "0 1 2");
	assert_passes("name ~ \"PL\"", "0 2");
	assert_passes("name !~ 'p'", "3");
	assert_passes("price ~ 12", "1 3");
	assert_passes("fresh !~ 'x'", "0 1 2 3"); /* a missing value contains nothing */
	assert_passes("'12.5'", "1 3");
	assert_passes("\"pl\" and name != 'plum'", "0");
	assert_passes("not 'pl' and price > 0", "1");
	close_table();
}

static void
test_words_and_brackets(void **state)
{
	open_table(goods);
	assert_passes("price > 3 or name = 'fig' and fresh", "1 3");
	assert_passes("(price > 3 or name = 'fig') and fresh", "3");
	assert_passes("not price > 3", "0 2 3");
	assert_passes("not (price > 3 or fresh)", "2");
	assert_passes("! fresh && price>3", "1");
	assert_passes("price=3 || price = 12.5", "0 1");
	assert_passes("PRICE = 3 OR Name = 'fig'", "0 3"); /* no column has these letters */
	assert_passes("not not not price = 3", "1 2 3");
	close_table();
}

static void
test_names_of_columns(void **state)
{
	open_table(goods);
	assert_passes("stock.north > 0", "0 3");
	assert_passes("stock.south > stock.north", "1");
	assert_passes("stock.north = null", "2"); /* null instead of the object */
	close_table();
	open_table("[{'a b':1,'and':2,'x>y':3},{'a b':2,'and':3,'x>y':4}]");
	assert_passes("`a b` = 2", "1");
	assert_passes("\"a b\" = 1", "0");
	assert_passes("`and` = 2 and `x>y` = 3", "0");
	assert_passes("2 = `a b` and `and` > 0", "1");
	close_table();
	open_table("{'north':{'n':1},'south':{'n':2}}");
	assert_passes("@key ~ 'nor'", "0");
	assert_passes("@key = 'south' and n = 2", "1");
	assert_passes("'sou'", "1");
	close_table();
	open_table("[[0,5],[1,0]]"); /* columns 0 and 1 */
	assert_passes("`0` = 0", "0");
	assert_passes("1 = 0", "1");
	close_table();
}

static void
test_exact_numbers(void **state)
{
	open_table("[{'n':9007199254740993},{'n':9007199254740992},{'n':1e400},{'n':-1e400}]");
	assert_passes("n > 9007199254740992", "0 2");
	assert_passes("n = 9007199254740993", "0");
	assert_passes("n = 10e399", "2");
	assert_passes("n < -1e399", "3");
	close_table();
}

static void
test_what_is_an_expression(void **state)
{
	static const struct {
		const char *filter;
		enum filter_look look;
	} cases[] = {
		{ "", FILTER_LOOK_TEXT },
		{ "apple", FILTER_LOOK_TEXT },
		{ "price", FILTER_LOOK_TEXT },
		{ "cost > 3", FILTER_LOOK_TEXT }, /* no such column */
		{ "a <b> c", FILTER_LOOK_TEXT },
		{ "not fresh", FILTER_LOOK_TEXT },
		{ "don't", FILTER_LOOK_TEXT },
		{ "\"never closed", FILTER_LOOK_TEXT },
		{ "\"price > 3\"", FILTER_LOOK_EXPRESSION }, /* a text in quotes */
		{ "price >", FILTER_LOOK_WRONG },
		{ "@invalid", FILTER_LOOK_EXPRESSION },
		{ "@invalid and", FILTER_LOOK_WRONG },
		{ "@selected or price = 3", FILTER_LOOK_EXPRESSION },
		{ "me@invalid.org", FILTER_LOOK_TEXT },
	};

	open_table(goods);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (table_filter_look(&table, cases[i].filter, NULL) != cases[i].look)
			fail_msg("%s", cases[i].filter);
	table_filter(&table, "PLUM");
	assert_rows("2");
	close_table();
}

static void
test_faults(void **state)
{
	static const struct {
		const char *filter, *text;
		size_t at, len;
	} cases[] = {
		{ "price > ", "a value is expected", 8, 0 },
		{ "price > plum", "a string needs quotes: \"plum\"", 8, 4 },
		{ "price > 3 and cost = 2", "no column is named cost", 14, 4 },
		{ "price > 3 and", "a column is expected", 13, 0 },
		{ "(price > 3", ") is expected", 10, 0 },
		{ "price > 3 name = 'x'", "and, or is expected", 10, 4 },
		{ "price > 'x", "the quote is not closed", 8, 2 },
		{ "price ~ null", "~ needs a string in quotes", 8, 4 },
		{ "price = 3 and 5", "an operator is expected: = != < <= > >= ~ !~", 15, 0 },
		{ "price = \"\\x\"", "this is not a JSON string", 8, 4 },
	};
	struct filter_fault fault;

	open_table(goods);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		if (table_filter_look(&table, cases[i].filter, &fault) != FILTER_LOOK_WRONG)
			fail_msg("%s is not wrong", cases[i].filter);
		assert_string_equal(fault.text, cases[i].text);
		assert_int_equal(fault.at, cases[i].at);
		assert_int_equal(fault.len, cases[i].len);
	}
	close_table();
}

static char *
repeated(const char *part, size_t count, const char *end)
{
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < count; i++)
		buf_add_str(&text, part);
	buf_add_str(&text, end);
	return buf_detach(&text);
}

static void
test_bounds(void **state)
{
	char *deep = repeated("(", 1000, "price = 3");
	char *many = repeated("price = 4 or ", 300, "price = 3");
	char *more = repeated("fresh or ", 300, "price = 3");
	char *huge = repeated("price = 4 or ", 1000, "price = 3");
	struct filter_fault fault;

	open_table(goods);
	assert_int_equal(table_filter_look(&table, deep, &fault), FILTER_LOOK_WRONG);
	assert_string_equal(fault.text, "this is nested too deep");
	assert_int_equal(table_filter_look(&table, more, &fault), FILTER_LOOK_WRONG);
	assert_string_equal(fault.text, "these are too many conditions");
	assert_int_equal(table_filter_look(&table, many, &fault), FILTER_LOOK_WRONG);
	assert_int_equal(table_filter_look(&table, huge, &fault), FILTER_LOOK_TEXT);
	close_table();
	free(deep);
	free(many);
	free(more);
	free(huge);
}

/* The filter written for a cell shows the rows with this value, for all names and values. */
static void
test_filter_of_a_cell(void **state)
{
	static const char *const values[] = { "'x'", "'a\\\"b\\\\'", "'\\u0000\\n'", "3", "1e400",
		"true", "null", "'@invalid'", "'\\ud800'" };
	static const char *const names[] = { "k", "a b", "and", "x = 3", "@selected", "true", "0",
		"" };

	for (size_t n = 0; n < ARRAY_LEN(names); n++) {
		for (size_t i = 0; i < ARRAY_LEN(values); i++) {
			char *value = mem_printf(
			    "[{'%s':%s},{'%s':'other'},{'y':1}]", names[n], values[i], names[n]);
			struct buf text = BUF_INIT;
			open_table(value);
			if (!table_filter_of_cell(&table, 0, 0, false, &text))
				fail_msg("%s", value);
			assert_passes(buf_text(&text), "0");
			buf_clear(&text);
			assert_true(table_filter_of_cell(&table, 0, 0, true, &text));
			assert_passes(buf_text(&text), "1 2");
			buf_finish(&text);
			close_table();
			free(value);
		}
	}
	open_table("[{'a':[1]},{'a':{}},{}]");
	struct buf text = BUF_INIT;
	assert_false(table_filter_of_cell(&table, 0, 0, false, &text));
	assert_true(table_filter_of_cell(&table, 2, 0, false, &text));
	assert_string_equal(buf_text(&text), "a = missing");
	buf_finish(&text);
	close_table();
}

static void
select_others(void)
{
	for (size_t i = 0; i < table.shown; i++)
		table_select(&table, i, i + 1, !row_set_has(&table.selected, table.order[i]));
}

static void
test_selected(void **state)
{
	open_table("[{'n':0},{'n':1},{'n':2},{'n':3},{'n':4}]");
	table_select(&table, 1, 3, true);
	assert_int_equal(table.selected.count, 2);
	assert_passes("@selected", "1 2");
	table_select_none(&table); /* the filter keeps the rows that were selected */
	table_sort(&table, &(struct sort_key){ .descending = true }, 1);
	assert_rows("2 1");
	select_others();
	assert_int_equal(table.selected.count, 2);
	table_filter(&table, NULL);
	table_select_matching(&table, "n >= 2");
	assert_int_equal(table.selected.count, 4);
	assert_false(row_set_has(&table.selected, 0));
	select_others();
	assert_int_equal(table.selected.count, 1);
	assert_true(row_set_has(&table.selected, 0));
	table_filter(&table, "n > 2"); /* only rows that are shown are added */
	table_select_matching(&table, "n < 4");
	assert_int_equal(table.selected.count, 2);
	close_table();
}

/* Rows with equal first keys are sorted by the second, each in either direction; otherwise the
 * order is stable. */
static void
test_several_keys(void **state)
{
	static const struct {
		struct sort_key keys[3];
		size_t count;
		const char *rows;
	} cases[] = {
		{ { { 0, false }, { 1, false } }, 2, "3 1 4 5 2 0" },
		{ { { 0, false }, { 1, true } }, 2, "1 4 3 0 2 5" },
		{ { { 0, true }, { 1, false } }, 2, "5 2 0 3 1 4" },
		{ { { 1, false }, { 0, false }, { 2, true } }, 3, "3 5 4 1 2 0" },
	};

	open_table("[{'a':'y','b':3,'c':1},{'a':'x','b':2,'c':1},{'a':'y','b':2,'c':1},"
		   "{'a':'x','b':1,'c':1},{'a':'x','b':2,'c':2},{'a':'y','b':1,'c':1}]");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		table_sort(&table, cases[i].keys, cases[i].count);
		assert_rows(cases[i].rows);
	}
	assert_int_equal(table_key_of(&table, 2), 2);
	table_filter(&table, "b = 2");
	assert_rows("4 1 2");
	close_table();
}

TEST_FILE(row_filter)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_comparisons),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_words_and_brackets),
		cmocka_unit_test(test_names_of_columns),
		cmocka_unit_test(test_exact_numbers),
		cmocka_unit_test(test_what_is_an_expression),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_filter_of_a_cell),
		cmocka_unit_test(test_selected),
		cmocka_unit_test(test_several_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
