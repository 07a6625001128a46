/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "data/chart.h"
#include "quoted.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- scales ---- */

static const char *
ticks(enum chart_values values, double low, double high, size_t wanted)
{
	static char text[2000];
	struct buf out = BUF_INIT;
	struct chart_ticks t;

	chart_ticks_find(&t, values, (struct chart_range){ low, high }, wanted);
	for (size_t i = 0; i < t.len; i++) {
		buf_add_str(&out, i ? " " : "");
		chart_ticks_add(&t, i, &out);
	}
	snprintf(text, sizeof(text), "%s", buf_text(&out));
	buf_finish(&out);
	return text;
}

static void
test_ticks_of_numbers(void **state)
{
	assert_string_equal(ticks(CHART_NUMBERS, 0, 10, 5), "0 2 4 6 8 10");
	assert_string_equal(ticks(CHART_NUMBERS, 0, 1, 5), "0.0 0.2 0.4 0.6 0.8 1.0");
	assert_string_equal(ticks(CHART_NUMBERS, -3, 3, 3), "-2 0 2");
	assert_string_equal(ticks(CHART_NUMBERS, 0, 12000, 3), "0 5k 10k");
	assert_string_equal(ticks(CHART_NUMBERS, 0, 2500000, 5), "0 500k 1000k 1500k 2000k 2500k");
	assert_string_equal(ticks(CHART_NUMBERS, 1990, 2024, 4), "1990 2000 2010 2020");
	assert_string_equal(ticks(CHART_NUMBERS, 0, 4e-9, 2), "0 2e-09 4e-09");
	/* no span of doubles overflows */
	assert_string_equal(ticks(CHART_NUMBERS, -DBL_MAX, DBL_MAX, 4), "-1e+308 0 1e+308");
	assert_true(strlen(ticks(CHART_NUMBERS, 0, DBL_TRUE_MIN, 4)) > 0);
}

static void
test_ticks_of_times(void **state)
{
	const double day = 86400, year = 365.25 * day, from = 20635 * day; /* 2026-07-01 */

	assert_string_equal(ticks(CHART_TIMES, from, from + 2.5 * day, 4), "1 Jul 2 Jul 3 Jul");
	assert_string_equal(
	    ticks(CHART_TIMES, from, from + day, 5), "1 Jul 06:00 12:00 18:00 2 Jul");
	assert_string_equal(ticks(CHART_TIMES, from + 3600, from + 3660, 4),
	    "01:00:00 01:00:15 01:00:30 01:00:45 01:01:00");
	assert_string_equal(ticks(CHART_TIMES, from - 31 * day, from + 200 * day, 8),
	    "Jun Jul Aug Sep Oct Nov Dec 2027");
	assert_string_equal(ticks(CHART_TIMES, from - 20 * year, from, 4), "2010 2015 2020 2025");
	assert_string_equal(
	    ticks(CHART_TIMES, from, from + 0.25, 3), "00:00:00.0 00:00:00.1 00:00:00.2");
	/* whole weeks begin on Mondays */
	assert_string_equal(ticks(CHART_TIMES, from, from + 22 * day, 4), "6 Jul 13 Jul 20 Jul");
	assert_true(strlen(ticks(CHART_TIMES, -1e300, 1e300, 8)) < 400);
}

static void
test_ranges(void **state)
{
	struct chart_range r = chart_settled((struct chart_range){ 5, 5 });

	assert_true(r.low < 5 && r.high > 5);
	r = chart_settled((struct chart_range){ 0, 0 });
	assert_true(r.low < 0 && r.high > 0);
	r = chart_settled((struct chart_range){ DBL_MAX, -DBL_MAX }); /* nothing was seen */
	assert_true(r.low < r.high);
	r = chart_settled((struct chart_range){ DBL_MAX, DBL_MAX });
	assert_true(isfinite(r.low) && isfinite(r.high) && r.low < r.high);
	r = (struct chart_range){ -DBL_MAX, DBL_MAX };
	assert_true(fabs(chart_place(r, 0) - 0.5) < 1e-9);
	assert_true(fabs(chart_place(r, DBL_MAX) - 1) < 1e-9);
	r = chart_rounded((struct chart_range){ 3, 97 }, 5);
	assert_true(r.low == 0 && r.high == 100);
}

/* ---- charts of values ---- */

static struct {
	struct json_doc *doc;
	struct table_spots spots;
	struct chart_turned turned;
	struct table table;
	struct chart_columns columns;
	struct chart_choice choice;
	struct chart_reading reading;
	bool can;
} on;

static void
open_chart(const char *value)
{
	memset(&on, 0, sizeof(on));
	on.doc = parse_quoted(value);
	struct table_spot spot = { .kind = TABLE_OBJECTS };
	if (chart_turns(json_root(on.doc))) {
		chart_turn(&on.turned, json_root(on.doc));
		spot.node = json_root(on.turned.doc);
	} else {
		shape_find(&on.spots, json_root(on.doc), NULL);
		spot = on.spots.items[shape_best(&on.spots)];
	}
	table_init(&on.table, &spot, NULL);
	chart_columns_find(&on.columns, &on.table);
	on.can = chart_choose(&on.columns, &on.table, &on.choice);
	if (on.can)
		chart_read(&on.reading, &on.table, &on.columns, &on.choice, NULL);
}

static void
read_as(enum chart_kind kind)
{
	chart_choose_kind(&on.columns, kind, false, &on.choice);
	chart_reading_finish(&on.reading);
	chart_read(&on.reading, &on.table, &on.columns, &on.choice, NULL);
}

static void
close_chart(void)
{
	chart_reading_finish(&on.reading);
	chart_columns_finish(&on.columns);
	table_finish(&on.table);
	chart_turned_finish(&on.turned);
	shape_finish(&on.spots);
	json_doc_destroy(on.doc);
}

static const char *
name_of(size_t column)
{
	return column == SIZE_MAX ? "-" : on.table.columns.items[column].name;
}

/* "kind x: y y" */
static const char *
first_choice(const char *value)
{
	static char text[200];

	open_chart(value);
	int len = snprintf(text, sizeof(text),
	    "%s %s:", on.can ? chart_kinds[on.choice.kind].name : "none",
	    on.can ? name_of(on.choice.x) : "-");
	for (size_t i = 0; i < on.choice.y_count; i++)
		len += snprintf(
		    text + len, sizeof(text) - (size_t)len, " %s", name_of(on.choice.ys[i]));
	close_chart();
	return text;
}

static void
test_first_choice(void **state)
{
	static const struct {
		const char *value, *choice;
	} cases[] = {
		{ "[{'day':'2026-07-01','t':3},{'day':'2026-07-02','t':4}]", "line day: t" },
		{ "[{'at':'2026-07-01T10:00','id':7,'t':3,'u':5,'far':9000}]", "line at: t u" },
		{ "[{'name':'a','id':1,'n':3},{'name':'b','id':2,'n':4}]", "bar -: n" },
		{ "[{'x':1.5,'y':2},{'x':3,'y':9}]", "scatter x: y" },
		{ "[3,1,2]", "line -: value" },
		{ "[{'year':2001,'n':3},{'year':2002,'n':4}]", "line year: n" },
		{ "{'a':1,'b':2,'c':null}", "bar -: value" },
		{ "{'h':{'time':['2026-07-01','2026-07-02'],'t':[1,2],'r':[0,3]},'unit':'C'}",
		    "line time: t r" },
		{ "{'de':{'n':1},'pt':{'n':2}}", "bar -: n" },
		{ "[[1,2,3],[4,5,6]]", "line -: 0 1 2" },
		{ "[{'id':1},{'id':2}]", "line -: id" }, /* better than nothing */
		{ "[{'a':'x'},{'a':'NaN'}]", "none -:" },
		{ "[{'n':null},{}]", "none -:" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(first_choice(cases[i].value), cases[i].choice);
}

static void
test_long_arrays_are_distributions(void **state)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < 1000; i++)
		buf_addf(&text, "%c%d", i ? ',' : '[', i % 10);
	buf_add_char(&text, ']');
	open_chart(buf_text(&text));
	assert_int_equal(on.choice.kind, CHART_HISTOGRAM);
	const struct chart *c = &on.reading.chart;
	assert_int_equal(c->series[0].len, 10); /* no interval between integers */
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(c->series[0].items[i].high, 100);
	assert_int_equal(c->series[0].items[3].row, 3);
	close_chart();
	buf_finish(&text);
}

/* Values that are not numbers are counted. */
static void
test_left_out(void **state)
{
	open_chart(
	    "[{'s':'a','n':1,'m':2},{'n':null,'m':5},{'n':'NaN'},{},{'n':1e999,'m':3},{'n':-4}]");
	const struct chart *c = &on.reading.chart;
	read_as(CHART_LINE);
	assert_int_equal(c->rows, 6);
	assert_int_equal(c->left_out, 2);
	assert_int_equal(c->too_large, 1);
	assert_int_equal(c->series[0].numbers, 2);
	assert_int_equal(c->series[0].others, 4);
	assert_int_equal(c->series[1].numbers, 3);
	assert_true(isnan(c->series[0].items[1].high)); /* a gap in the line */
	close_chart();
}

static void
test_box(void **state)
{
	open_chart("[{'n':4},{'n':1},{'n':3},{'n':2},{'n':100}]");
	read_as(CHART_BOX);
	const double *five = on.reading.chart.series[0].five;
	assert_true(five[CHART_LEAST] == 1 && five[CHART_MOST] == 100);
	assert_true(five[CHART_QUARTER] == 2 && five[CHART_MEDIAN] == 3);
	assert_int_equal(on.reading.chart.series[0].most_row, 4);
	close_chart();
}

static void
test_stacks(void **state)
{
	open_chart("[{'k':'a','n':4,'m':-1},{'k':'b','n':5,'m':2}]");
	read_as(CHART_STACKED);
	assert_int_equal(on.choice.y_count, 2);
	assert_true(on.reading.chart.y.low == -1 && on.reading.chart.y.high == 7);
	close_chart();
}

/* No point of the picture is lost: each interval keeps its least and its most. */
static void
test_many_rows(void **state)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < 50000; i++)
		buf_addf(&text, "%s{'a':'x','n':%d}", i ? "," : "[",
		    i == 31234 ? 999
		    : i == 17  ? -5
			       : i % 7);
	buf_add_char(&text, ']');
	open_chart(buf_text(&text));
	read_as(CHART_LINE);
	const struct chart_series *s = &on.reading.chart.series[0];
	bool least = false, most = false;
	assert_true(on.reading.chart.reduced);
	assert_in_range(s->len, 1000, 5000);
	for (size_t i = 0; i < s->len; i++) {
		assert_true(i == 0 || s->items[i].x >= s->items[i - 1].x);
		most |= s->items[i].high == 999 && s->items[i].row == 31234;
		least |= s->items[i].high == -5 && s->items[i].row == 17;
	}
	assert_true(least && most);
	close_chart();
	buf_finish(&text);
}

/* A line follows its axis, independent of the order of the rows. */
static void
test_rows_out_of_order(void **state)
{
	open_chart("[{'t':'2026-07-03','n':3},{'t':'2026-07-01','n':1},{'t':'nonsense','n':9},"
		   "{'t':'2026-07-02','n':2},{'t':'2026-07-04','n':4},{'t':'2026-07-05','n':5}]");
	const struct chart_series *s = &on.reading.chart.series[0];
	assert_int_equal(on.choice.kind, CHART_LINE);
	assert_int_equal(s->len, 5);
	assert_int_equal(on.reading.chart.left_out, 1);
	for (size_t i = 0; i < 5; i++)
		assert_true(s->items[i].high == (double)i + 1);
	assert_int_equal(s->items[0].row, 1);
	close_chart();
}

/* Intervals stay finite although the range is wider than the largest double. */
static void
test_huge_intervals(void **state)
{
	static const char *const values[] = { "[-1.5e308,0,1.5e308]", "[-1.7e308,0,1.7e308]" };

	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		open_chart(values[i]);
		read_as(CHART_HISTOGRAM);
		const struct chart_series *s = &on.reading.chart.series[0];
		size_t used = 0;
		for (size_t n = 0; n < s->len; n++) {
			assert_true(isfinite(s->items[n].x));
			used += s->items[n].high > 0;
		}
		assert_true(used > 1);
		close_chart();
	}
}

/* The copied text has a limit, even with few items. */
static void
test_large_items_are_not_turned(void **state)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, "{'a':[1,2],'b':['");
	for (int i = 0; i < 3 << 20; i++)
		buf_add_str(&text, "abc");
	buf_add_str(&text, "','']}");
	struct json_doc *doc = parse_quoted(buf_text(&text));
	struct chart_turned turned;
	chart_turn(&turned, json_root(doc));
	assert_null(turned.doc);
	chart_turned_finish(&turned);
	json_doc_destroy(doc);
	buf_finish(&text);
}

static void
test_turned_pointers(void **state)
{
	struct buf pointer = BUF_INIT;

	open_chart("{'a~/b':{'x':[1,2],'y/':[3,4]}}");
	chart_turned_pointer(&on.turned, &on.table, 1, 1, &pointer);
	assert_string_equal(buf_text(&pointer), "/a~0~1b/y~1/1");
	close_chart();
	buf_clear(&pointer);
	open_chart("{'m':{'x y':1,'z':2}}");
	chart_turned_pointer(&on.turned, &on.table, 0, 1, &pointer);
	assert_string_equal(buf_text(&pointer), "/m/x y");
	close_chart();
	buf_finish(&pointer);
}

TEST_FILE(chart)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ticks_of_numbers),
		cmocka_unit_test(test_ticks_of_times),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_first_choice),
		cmocka_unit_test(test_long_arrays_are_distributions),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_box),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_many_rows),
		cmocka_unit_test(test_rows_out_of_order),
		cmocka_unit_test(test_huge_intervals),
		cmocka_unit_test(test_large_items_are_not_turned),
		cmocka_unit_test(test_turned_pointers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
