/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/vec.h"
#include "data/chart.h"
#include "test.h"
#include "viewer.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static struct viewer view;

static void
open_view(const char *value, int width, int height)
{
	viewer_open(&view, VIEW_chart, value, NULL, width, height);
}

#define SALES                                                                                      \
	"{'sales':[{'country':'Portugal','sold':12,'back':2},{'country':'Germany','sold':9.5,"     \
	"'back':-3},{'country':'Peru','sold':null},{'country':'日本','sold':123456789012345678," \
	"'back':1}]}"

/* One bar per row with the exact value; rows without a number are named and counted. */
static void
test_bars(void **state)
{
	open_view("[{'k':'one','n':4},{'k':'second','n':8},{'k':'none','n':'x'},{'n':-2}]", 30, 6);
	assert_string_equal(viewer_text(&view), "▌   one      ███████▍ 4\n"
						" second      ███████████████ 8\n"
						"   none      │x\n"
						"  row 4  ████│-2\n"
						"\n"
						" one   n 4");
	assert_string_equal(
	    viewer_facts(&view), " | chart · bar · n by k · 4 rows · 1 row without a number");
	assert_string_equal(viewer_selected(&view), "/0/n 4");
	assert_true(viewer_keys(&view, "down down down"));
	assert_string_equal(viewer_selected(&view), "/3/n -2");
	viewer_close(&view);
	open_view(SALES, 60, 6);
	viewer_text(&view);
	assert_non_null(strstr(viewer_text(&view), "123456789012345678"));
	viewer_close(&view);
}

static void
test_line(void **state)
{
	open_view(
	    "[{'d':'2026-07-01','n':0},{'d':'2026-07-02','n':10},{'d':'2026-07-03','n':5}]", 40, 9);
	const char *text = viewer_text(&view);
	assert_non_null(strstr(text, "10┤"));
	assert_non_null(strstr(text, "1 Jul"));
	assert_non_null(strstr(text, "row 1   d 2026-07-01   n 0"));
	assert_true(viewer_keys(&view, "right right left"));
	assert_string_equal(viewer_selected(&view), "/1/n 10");
	assert_non_null(strstr(viewer_text(&view), "row 2   d 2026-07-02   n 10"));
	assert_true(viewer_mouse(&view, MOUSE_PRESS, 38, 3));
	assert_string_equal(viewer_selected(&view), "/2/n 5");
	/* a key draws it in ASCII: nothing of the plot is beyond it */
	assert_true(viewer_command(&view, "chart-style", "ascii"));
	for (const char *at = viewer_text(&view); *at; at++)
		assert_true((unsigned char)*at < 0x80);
	viewer_close(&view);
}

static void
test_commands(void **state)
{
	open_view(SALES, 60, 12);
	assert_true(viewer_command(&view, "chart-y", "back sold"));
	assert_true(viewer_command(&view, "kind", "stacked"));
	assert_string_equal(viewer_facts(&view),
	    "sales | chart · stacked · back, sold by country · 4 rows · 1 row without a number");
	assert_false(viewer_command(&view, "kind", "pie"));
	assert_non_null(strstr(buf_text(&view.text), "charts: line, area, bar"));
	assert_false(viewer_command(&view, "chart-y", "country"));
	assert_string_equal(buf_text(&view.text), "country has no numbers");
	assert_false(viewer_command(&view, "chart-x", "nowhere"));
	assert_string_equal(buf_text(&view.text), "no column is named nowhere");
	assert_true(viewer_command(&view, "remove-series", ""));
	assert_false(viewer_command(&view, "remove-series", ""));
	assert_true(viewer_command(&view, "add-series", ""));
	assert_true(viewer_command(&view, "chart-x", "sold"));
	assert_true(viewer_command(&view, "kind", "scatter"));
	assert_non_null(strstr(viewer_facts(&view), "back by sold"));
	/* another result of the same source keeps the choice */
	viewer_replace(&view, SALES);
	assert_non_null(strstr(viewer_facts(&view), "scatter · back by sold"));
	viewer_command(&view, "filter", "peru");
	assert_non_null(strstr(viewer_facts(&view), "1 of 4 rows"));
	viewer_close(&view);
	open_view("{'a':'text'}", 30, 3);
	assert_false(viewer_command(&view, "kind", "line"));
	assert_string_equal(viewer_text(&view), " this value has no array of nu…");
	viewer_close(&view);
}

/* Objects of numbers and of arrays have their own pointers. */
static void
test_turned(void **state)
{
	open_view("{'h':{'t':[1,2,3],'u':[4,5,6]}}", 40, 9);
	viewer_text(&view);
	assert_true(viewer_keys(&view, "right"));
	assert_string_equal(viewer_selected(&view), "/h/u/1 5");
	viewer_close(&view);
	open_view("{'a':1,'b':2.50}", 40, 9);
	viewer_text(&view);
	assert_true(viewer_keys(&view, "down"));
	assert_string_equal(viewer_selected(&view), "/b 2.50");
	viewer_close(&view);
}

/* Any kind of any data in any size and style stays in its rectangle. */
static void
test_every_size(void **state)
{
	static const char *const values[] = { SALES,
		"[{'t':'2026-07-01','n':1e308,'m':-1e308},{'t':'0000-01-01','n':1e999},"
		"{'t':'9999-12-31','n':4.9e-324}]",
		"[{'k':'a','n':1e308,'m':1e308},{'k':'b','n':-1e308,'m':-1e308}]", "[5]", "[5,5,5]",
		"[null,1]", "[[1,2],[3]]",
		"[{'\\u001b[31m\\u202e\\u0000':3,'\\u0007k':'\\u001b]0;"
		"x\\u0007日本語日本語日本語日本語'},"
		"{'\\u001b[31m\\u202e\\u0000':-3}]" };
	static const int widths[] = { 0, 1, 2, 5, 9, 23, 24, 25, 41, 80 };

	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		open_view(values[i], 1, 1);
		for (int n = 0; n < 9 * 3; n++) {
			for (size_t w = 0; w < ARRAY_LEN(widths); w++)
				for (int height = 0; height < 16; height += 1 + height / 8) {
					viewer_resize(&view, widths[w], height);
					viewer_text(&view);
					viewer_keys(&view, "right down");
					viewer_text(&view);
				}
			viewer_keys(&view, "home pgdn end left up");
			viewer_command(&view, n % 9 == 8 ? "chart-style" : "kind", "");
		}
		viewer_close(&view);
	}
}

/* ---- files ---- */

static struct buf file;
static struct err file_error;

static const char *
svg(void)
{
	struct view_env env = { .in = &view.in };
	struct drawing shapes = { .width = 0 };

	buf_clear(&file);
	bool ok = view_chart.picture(view.state, &env, &shapes, &file, &file_error) &&
		  drawing_write_svg(&shapes, &file, &file_error);
	drawing_finish(&shapes);
	return ok ? buf_text(&file) : NULL;
}

static const char *
text(void)
{
	struct view_env env = { .in = &view.in };

	buf_clear(&file);
	return view_chart.picture(view.state, &env, NULL, &file, &file_error) ? buf_text(&file)
									      : NULL;
}

static uint32_t
number_at(const char *bytes)
{
	const unsigned char *b = (const unsigned char *)bytes;

	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void
assert_png(uint32_t width, uint32_t height)
{
	struct view_env env = { .in = &view.in };
	struct drawing shapes = { .width = 0 };

	buf_clear(&file);
	assert_true(view_chart.picture(view.state, &env, &shapes, &file, &file_error));
	assert_true(drawing_write_png(&shapes, &file, &file_error));
	drawing_finish(&shapes);
	assert_true(file.len > 1000);
	assert_memory_equal(file.data, "\x89PNG\r\n\x1a\n", 8);
	assert_int_equal(number_at(file.data + 16), width);
	assert_int_equal(number_at(file.data + 20), height);
	assert_memory_equal(file.data + file.len - 8, "IEND", 4);
}

/* No name becomes markup, and every number is valid. */
static void
test_svg(void **state)
{
	open_view("[{'k':'</text><script>&\\'\\u001b[31m\\uffff\\u202e','n':4,'m<':1e308},"
		  "{'k':'b','n':-8,'m<':-1e308},{'k':null,'n':null}]",
	    40, 10);
	for (int n = 0; n < CHART_KIND_COUNT; n++) {
		assert_true(viewer_command(&view, "kind", chart_kinds[n].name));
		assert_non_null(svg());
		assert_null(strstr(svg(), "<script"));
		assert_null(strstr(svg(), "nan"));
		assert_null(strstr(svg(), "inf"));
		assert_null(strchr(svg(), 27));
		assert_null(strstr(svg(), "\xef\xbf\xbf"));
		assert_string_equal(svg() + file.len - 7, "</svg>\n");
		assert_png(
		    1800, chart_kinds[n].name[0] == 'b' || n == CHART_STACKED || n == CHART_HEAT
			      ? (n == CHART_BOX ? 2 * 198 : 2 * 176)
			      : 960);
	}
	assert_true(viewer_command(&view, "kind", "bar"));
	assert_non_null(strstr(svg(), "&lt;/text&gt;&lt;script&gt;&amp;"));
	viewer_close(&view);
	open_view("{'a':'text'}", 40, 10);
	assert_null(svg());
	assert_string_equal(file_error.text, "this value has no numbers to draw");
	viewer_close(&view);
}

/* Exports all rows without the cursor; the screen does not change. */
static void
test_text(void **state)
{
	open_view(SALES, 30, 3);
	viewer_keys(&view, "down down down");
	char *before = mem_strdup(viewer_text(&view));
	viewer_command(&view, "chart-y", "back");
	viewer_command(&view, "kind", "bar");
	assert_non_null(strstr(text(), "sales · chart · bar · back by country · 4 rows"));
	assert_non_null(strstr(text(), "Portugal"));
	assert_non_null(strstr(text(), "日本"));
	assert_null(strstr(text(), "▌"));
	viewer_command(&view, "kind", "heat");
	assert_non_null(strstr(text(), "@@@@"));
	viewer_command(&view, "chart-y", "sold");
	viewer_command(&view, "kind", "bar");
	assert_string_equal(viewer_text(&view), before);
	free(before);
	viewer_close(&view);
}

/* A file has the first 500 of a thousand rows, and says so. */
static void
test_many_rows(void **state)
{
	struct buf rows = BUF_INIT;

	for (int i = 0; i < 1000; i++)
		buf_addf(&rows, "%s{'k':'row%d','n':%d}", i ? "," : "[", i, i);
	buf_add_str(&rows, "]");
	open_view(buf_text(&rows), 40, 10);
	viewer_command(&view, "kind", "bar");
	assert_non_null(strstr(svg(), ">row499<"));
	assert_null(strstr(svg(), ">row500<"));
	assert_non_null(strstr(svg(), "the first 500 of 1 000 rows"));
	assert_non_null(strstr(text(), "row499"));
	assert_non_null(strstr(text(), "the first 500 lines of 1003"));
	buf_finish(&rows);
	viewer_close(&view);
}

/* A stack whose sum is not a finite number is drawn to the end. */
static void
test_huge_stack(void **state)
{
	open_view("[{'k':'a','n':1e308,'m':1e308},{'k':'b','n':1,'m':1}]", 30, 5);
	assert_true(viewer_command(&view, "kind", "stacked"));
	const char *text = viewer_text(&view);
	assert_non_null(strstr(text, "█\n"));
	viewer_close(&view);
}

/* Cells of any length take no more than a line of it. */
static void
test_long_names(void **state)
{
	struct buf value = BUF_INIT;

	buf_add_str(&value, "[{'k':'[");
	for (int i = 0; i < 1000; i++)
		buf_add_str(&value, "long ");
	buf_add_str(&value, "','n':4},{'k':'b','n':8}]");
	open_view(buf_text(&value), 200, 6);
	const char *text = viewer_text(&view);
	assert_non_null(strstr(text, "long long…\"   n 4"));
	viewer_close(&view);
	buf_finish(&value);
}

static void
test_never_first(void **state)
{
	struct json_doc *doc = json_parse("[1,2,3]", 7, NULL, NULL);
	struct view_input in = { .value = json_root(doc) };

	assert_true(view_serves(&view_chart, &in) > 0);
	assert_true(view_serves(&view_chart, &in) < view_serves(&view_json, &in));
	json_doc_destroy(doc);
}

TEST_FILE(view_chart)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bars),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_turned),
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_svg),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_many_rows),
		cmocka_unit_test(test_huge_stack),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_never_first),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	buf_finish(&file);
	return failed;
}
