/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "test.h"
#include "ui/wrap.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* Rows with | between them. */
static void
expect(const char *text, int width, const char *expected)
{
	struct wrap w = { 0 };
	struct wrap_row row;
	struct buf out = BUF_INIT;

	wrap_set(&w, text, strlen(text), width);
	for (size_t i = 0; wrap_row_at(&w, i, &row); i++) {
		assert_true(row.start <= row.end && row.end <= w.len);
		if (i > 0)
			buf_add_char(&out, '|');
		buf_add(&out, text + row.start, row.end - row.start);
	}
	assert_string_equal(buf_text(&out), expected);
	assert_true(wrap_is_complete(&w));
	buf_finish(&out);
	wrap_finish(&w);
}

static void
test_words(void **state)
{
	expect("", 10, "");
	expect("hello", 10, "hello");
	expect("hello world", 11, "hello world");
	expect("hello world", 10, "hello|world");
	expect("hello world", 5, "hello|world");
	expect("hello world", 3, "hel|lo|wor|ld");
	expect("a bb ccc dddd", 4, "a bb|ccc|dddd");
	expect("one  two", 4, "one|two");
	expect("one     two", 3, "one|two");
	expect("   indented text", 10, "   indente|d text");
	expect("  in text", 5, "  in|text");
	expect("toolongword x", 4, "tool|ongw|ord|x");
	expect("abc", 0, "a|b|c");
	expect("abc", -7, "a|b|c");
}

static void
test_newlines(void **state)
{
	expect("a\nb", 10, "a|b");
	expect("a\n\nb\n", 10, "a||b");
	expect("\n", 10, "");
	expect("a\r\nb", 10, "a|b");
	expect("abc   \ndef", 3, "abc|def");
	expect("abc   ", 3, "abc");
	expect("abc\n   def", 6, "abc|   def");
}

static void
test_wide_and_odd(void **state)
{
	expect("日本語", 4, "日本|語");
	expect("日本語", 3, "日|本|語");
	expect("日本語", 1, "日|本|語");
	expect("ab日本", 5, "ab日|本");
	expect("e\xcc\x81"
	       "e\xcc\x81",
	    1, "e\xcc\x81|e\xcc\x81");
	expect("\xff\xfe", 1, "\xff|\xfe");
	expect("a\tb", 9, "a\tb");
	expect("a\tb", 8, "a|b");
	expect("\t\tx", 4, "\t|\t|x");
}

static void
test_drawing(void **state)
{
	struct wrap w = { 0 };
	struct grid g;
	struct buf out = BUF_INIT;
	static const char text[] = "first line\na\tb\n\033[31m end\n日本語";

	grid_init(&g, 10, 4);
	wrap_set(&w, text, strlen(text), 10);
	assert_int_equal(wrap_draw(&w, surface_whole(&g), style_of(ROLE_TEXT), 1), 3);
	grid_to_text(&g, &out);
	assert_string_equal(buf_text(&out), "a       b\n␛[31m end\n日本語\n\n");
	assert_int_equal(g.cells[10].style.ink, ROLE_MARK);
	/* past its end, as an estimate may be: the last rows */
	assert_int_equal(wrap_draw(&w, surface_whole(&g), style_of(ROLE_TEXT), 9), 4);
	assert_int_equal(
	    wrap_draw(&w, surface_sub(surface_whole(&g), 0, 0, 10, 0), style_of(ROLE_TEXT), 0), 0);
	buf_finish(&out);
	grid_finish(&g);
	wrap_finish(&w);
}

static void
test_huge_text_in_slices(void **state)
{
	enum { LINES = 100000, LINE = 21 };
	char *text = mem_alloc(LINES * LINE);
	struct wrap w = { 0 };
	struct wrap_row row;

	for (int i = 0; i < LINES; i++)
		memcpy(text + i * LINE, "twelve words or less\n", LINE);
	wrap_set(&w, text, LINES * LINE, 14);
	/* the top is there without looking at the rest */
	assert_true(wrap_row_at(&w, 3, &row));
	assert_int_equal(row.start, LINE + 13);
	assert_true(w.at < 200);
	assert_in_range(wrap_rows(&w), LINES, 3 * LINES);
	size_t slices = 1;
	while (!wrap_work(&w, SIZE_MAX, 65536))
		slices++;
	assert_in_range(slices, 30, 40);
	assert_int_equal(wrap_rows(&w), 2 * LINES);
	for (size_t i = 0; i < 2 * LINES; i += 777) {
		assert_true(wrap_row_at(&w, i, &row));
		assert_int_equal(row.start, i / 2 * LINE + (i % 2 ? 13 : 0));
	}
	assert_false(wrap_row_at(&w, 2 * LINES, &row));
	assert_false(wrap_row_at(&w, SIZE_MAX, &row));
	/* another width starts over, the same does not */
	wrap_set(&w, text, LINES * LINE, 14);
	assert_true(wrap_is_complete(&w));
	wrap_set(&w, text, LINES * LINE, 40);
	assert_int_equal(w.known, 0);
	wrap_finish(&w);
	free(text);
}

/* For any bytes: rows advance, cover all text that is not blank, and end. */
static void
test_noise(void **state)
{
	static const char *pieces[] = { "a", "word", " ", "  ", "\n", "\t", "\r\n", "日",
		"e\xcc\x81", "\xff", "\033[", "\xe2\x80\xae" };
	unsigned seed = 7;

	for (int round = 0; round < 300; round++) {
		struct buf text = BUF_INIT;
		struct wrap w = { 0 };
		struct wrap_row row;
		for (int i = 0; i < 60; i++) {
			seed = seed * 1103515245 + 12345;
			buf_add_str(&text, pieces[(seed >> 16) % (ARRAY_LEN(pieces))]);
		}
		wrap_set(&w, text.data, text.len, 1 + round % 13);
		size_t end = 0;
		for (size_t i = 0; wrap_row_at(&w, i, &row); i++) {
			assert_true(i <= text.len && row.start >= end && row.end >= row.start);
			for (size_t at = end; at < row.start; at++)
				assert_non_null(memchr(" \t\r\n", text.data[at], 4));
			end = row.end;
		}
		for (size_t at = end; at < text.len; at++)
			assert_non_null(memchr(" \t\r\n", text.data[at], 4));
		wrap_finish(&w);
		buf_finish(&text);
	}
}

/* A frame without a row for the text is whole: another would not show more of it. */
static void
test_no_row_to_reach(void **state)
{
	struct grid grid;
	struct wrap w = { 0 };

	grid_init(&grid, 10, 2);
	wrap_set(&w, "some text", 9, 10);
	assert_int_equal(wrap_reach(&w, surface_sub(surface_whole(&grid), 0, 1, 10, 0), 0), 0);
	assert_false(grid.unfinished);
	assert_int_equal(wrap_reach(&w, surface_whole(&grid), 0), 0);
	wrap_finish(&w);
	grid_finish(&grid);
}

TEST_FILE(wrap)
{
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_newlines),
		cmocka_unit_test(test_wide_and_odd),
		cmocka_unit_test(test_drawing),
		cmocka_unit_test(test_huge_text_in_slices),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_no_row_to_reach),
	};
	return cmocka_run_group_tests_name("wrap", tests, NULL, NULL);
}
