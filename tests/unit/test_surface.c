/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "test.h"
#include "ui/surface.h"

#include <limits.h>
#include <locale.h>
#include <string.h>

static struct grid grid;

static int
set_up(void **state)
{
	grid_init(&grid, 20, 5);
	return 0;
}

static int
tear_down(void **state)
{
	grid_finish(&grid);
	return 0;
}

static void
assert_screen(const char *expected)
{
	struct buf out = BUF_INIT;

	grid_to_text(&grid, &out);
	/* rows at the end that are blank need not be written */
	while (out.len > 0 && out.data[out.len - 1] == '\n')
		buf_truncate(&out, out.len - 1);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static const struct cell *
at(int x, int y)
{
	return &grid.cells[y * grid.width + x];
}

/* Wide characters are always whole: a right half has a left one. */
static void
assert_whole(void)
{
	for (int y = 0; y < grid.height; y++)
		for (int x = 0; x < grid.width; x++)
			if (at(x, y)->ch == 0)
				assert_true(x > 0 && at(x - 1, y)->ch > 0x1000);
}

static void
test_text(void **state)
{
	struct surface s = surface_whole(&grid);
	assert_int_equal(surface_text(s, 2, 1, -1, style_of(ROLE_DIM), "hello"), 5);
	assert_screen("\n  hello");
	assert_int_equal(at(2, 1)->style.ink, ROLE_DIM);
	assert_int_equal(at(1, 1)->style.ink, ROLE_TEXT);
	assert_int_equal(surface_text(s, 0, 0, 0, style_of(ROLE_DIM), "hello"), 0);
	assert_int_equal(surface_text(s, 0, 5, -1, style_of(ROLE_DIM), "hello"), 0);
	assert_int_equal(surface_text(s, 0, -1, -1, style_of(ROLE_DIM), "hello"), 0);
	assert_int_equal(surface_text(s, 20, 0, -1, style_of(ROLE_DIM), "hello"), 0);
	assert_int_equal(surface_textn(s, 0, 0, style_of(ROLE_DIM), "abc", 2), 2);
	assert_int_equal(surface_textf(s, 0, 2, -1, style_of(ROLE_DIM), "%d of %s", 3, "x"), 6);
	assert_screen("ab\n  hello\n3 of x");
}

static void
test_ellipsis(void **state)
{
	struct surface s = surface_whole(&grid);
	assert_int_equal(surface_text(s, 0, 0, 5, style_of(ROLE_TEXT), "hello"), 5);
	assert_int_equal(surface_text(s, 0, 1, 4, style_of(ROLE_TEXT), "hello"), 4);
	assert_int_equal(surface_text(s, 0, 2, 1, style_of(ROLE_TEXT), "hello"), 1);
	assert_int_equal(surface_text(s, 16, 3, -1, style_of(ROLE_TEXT), "hello"), 4);
	assert_screen("hello\nhel…\n…\n                hel…");
}

static void
test_wide(void **state)
{
	struct surface s = surface_whole(&grid);
	assert_int_equal(surface_text(s, 0, 0, -1, style_of(ROLE_TEXT), "日本"), 4);
	assert_int_equal(at(0, 0)->ch, 0x65e5);
	assert_int_equal(at(1, 0)->ch, 0);
	assert_int_equal(at(2, 0)->ch, 0x672c);
	/* no room for a half: an odd column stays for the ellipsis, an even one costs a character
	 */
	assert_int_equal(surface_text(s, 0, 1, 3, style_of(ROLE_TEXT), "日本"), 3);
	assert_int_equal(surface_text(s, 0, 2, 4, style_of(ROLE_TEXT), "日本語"), 3);
	assert_screen("日本\n日…\n日…");
	assert_whole();
}

static void
test_overdrawing_half_of_wide(void **state)
{
	struct surface s = surface_whole(&grid);
	surface_text(s, 0, 0, -1, style_of(ROLE_TEXT), "日本語文");
	surface_put(s, 1, 0, style_of(ROLE_TEXT), 'x');
	surface_put(s, 4, 0, style_of(ROLE_TEXT), 'y');
	assert_screen(" x本y 文");
	assert_whole();
	surface_text(s, 3, 0, -1, style_of(ROLE_TEXT), "語");
	assert_screen(" x 語 文");
	assert_whole();
	/* a surface whose edge runs through wide characters */
	surface_text(s, 0, 1, -1, style_of(ROLE_TEXT), "日本語文");
	surface_clear(surface_sub(s, 1, 1, 4, 1), style_of(ROLE_TEXT));
	assert_screen(" x 語 文\n      文");
	assert_whole();
}

static void
test_clipping(void **state)
{
	struct surface s = surface_sub(surface_whole(&grid), 5, 1, 6, 2);
	surface_text(s, -2, 0, -1, style_of(ROLE_TEXT), "abcdef");
	surface_text(s, -1, 1, -1, style_of(ROLE_TEXT), "日本語");
	surface_repeat(s, -5, 2, 100, style_of(ROLE_TEXT), '!');
	surface_put(s, 6, 0, style_of(ROLE_TEXT), '!');
	assert_screen("\n     cdef\n      本語");
	assert_whole();
	surface_repeat(s, -5, 1, INT_MAX, style_of(ROLE_TEXT), '-');
	assert_screen("\n     cdef\n     ------");
	surface_restyle(s, -3, 0, INT_MAX, ROLE_SELECTION, ATTR_BOLD);
	assert_int_equal(at(4, 1)->style.ground, ROLE_NONE);
	assert_int_equal(at(5, 1)->style.ground, ROLE_SELECTION);
	assert_int_equal(at(10, 1)->style.attr, ATTR_BOLD);
	assert_int_equal(at(11, 1)->style.attr, 0);
}

static void
test_sub(void **state)
{
	struct surface s = surface_sub(surface_whole(&grid), 2, 1, 10, 3);
	struct surface t = surface_sub(s, -4, -4, 6, 5);
	assert_int_equal(t.x, 2);
	assert_int_equal(t.width, 2);
	assert_int_equal(t.y, 1);
	assert_int_equal(t.height, 1);
	t = surface_sub(s, 8, 2, INT_MAX, INT_MAX);
	assert_int_equal(t.width, 2);
	assert_int_equal(t.height, 1);
	t = surface_sub(s, 50, 50, 5, 5);
	assert_int_equal(t.width, 0);
	assert_int_equal(t.height, 0);
	t = surface_sub(s, 0, 0, -5, -5);
	assert_int_equal(t.width, 0);
	surface_clear(t, style_of(ROLE_TEXT));
	surface_text(t, 0, 0, -1, style_of(ROLE_TEXT), "x");
	assert_screen("");
}

static void
test_hostile(void **state)
{
	struct surface s = surface_whole(&grid);
	assert_int_equal(
	    surface_text(s, 0, 0, -1, style_on(ROLE_DIM, ROLE_BAR), "a\033[31mb\n"), 8);
	assert_int_equal(at(1, 0)->ch, 0x241b);
	assert_int_equal(at(1, 0)->style.ink, ROLE_MARK);
	assert_int_equal(at(1, 0)->style.ground, ROLE_BAR);
	assert_int_equal(at(0, 0)->style.ink, ROLE_DIM);
	assert_int_equal(at(7, 0)->style.ink, ROLE_MARK);
	assert_int_equal(surface_text(s, 0, 1, -1, style_of(ROLE_TEXT), "\xff\xc3"), 2);
	assert_int_equal(at(0, 1)->ch, 0xfffd);
	assert_int_equal(surface_text(s, 0, 2, -1, style_of(ROLE_TEXT), "e\xcc\x81x"), 2);
	assert_int_equal(at(0, 2)->marks[0], 0x301);
	for (int i = 0; i < grid.width * grid.height; i++)
		assert_true(grid.cells[i].ch == 0 || grid.cells[i].ch >= ' ');
}

static void
test_right(void **state)
{
	struct surface s = surface_whole(&grid);
	assert_int_equal(surface_text_right(s, 20, 0, -1, style_of(ROLE_TEXT), "right"), 5);
	assert_int_equal(surface_text_right(s, 8, 1, 4, style_of(ROLE_TEXT), "right"), 4);
	assert_int_equal(surface_text_right(s, 3, 2, -1, style_of(ROLE_TEXT), "right"), 3);
	assert_int_equal(surface_text_right(s, -3, 2, -1, style_of(ROLE_TEXT), "right"), 0);
	assert_screen("               right\n    rig…\nri…");
}

static void
test_ground_below(void **state)
{
	struct surface s = surface_whole(&grid);
	surface_clear(surface_sub(s, 0, 0, 20, 1), style_of(ROLE_BAR));
	surface_clear(surface_sub(s, 0, 1, 20, 1), style_on(ROLE_TEXT, ROLE_DIALOG));
	for (int y = 0; y < 3; y++) {
		surface_text(s, 0, y, -1, style_of(ROLE_DIM), "first");
		surface_text(s, 0, y, -1, style_of(ROLE_ACCENT), "second");
		assert_int_equal(at(0, y)->style.ground, ROLE_NONE);
	}
	assert_int_equal(at(0, 0)->under, ROLE_BAR);
	assert_int_equal(at(0, 1)->under, ROLE_DIALOG);
	surface_clear(s, style_of(ROLE_TEXT));
	assert_int_equal(at(0, 1)->under, ROLE_NONE);
}

static void
test_frame(void **state)
{
	struct surface s = surface_whole(&grid);
	struct surface in = surface_frame(s, true, "Title", "facts", ROLE_DIM);
	assert_int_equal(in.x, 2);
	assert_int_equal(in.y, 1);
	assert_int_equal(in.width, 16);
	assert_int_equal(in.height, 3);
	surface_text(in, 0, 0, -1, style_of(ROLE_TEXT), "aligned");
	assert_screen("╭ Title ─── facts ─╮\n│ aligned          │\n│                  │\n"
		      "│                  │\n╰──────────────────╯");
	assert_int_equal(at(0, 0)->style.ink, ROLE_FOCUS);
	assert_int_equal(at(2, 0)->style.ink, ROLE_TITLE);
	assert_int_equal(at(12, 0)->style.ink, ROLE_DIM);
	surface_frame(s, false, "A rather long title", "facts", ROLE_DIM);
	assert_int_equal(at(0, 0)->style.ink, ROLE_BORDER);
	surface_clear(surface_sub(s, 0, 1, 20, 4), style_of(ROLE_TEXT));
	assert_screen("╭ A rather long … ─╮");
	surface_frame(s, false, "Title", "facts that are long", ROLE_DIM);
	surface_clear(surface_sub(s, 0, 1, 20, 4), style_of(ROLE_TEXT));
	assert_screen("╭ Title ─ facts … ─╮");
}

static void
test_tiny_frames(void **state)
{
	for (int w = 0; w < 8; w++) {
		for (int h = 0; h < 4; h++) {
			struct surface s = surface_sub(surface_whole(&grid), 1, 1, w, h);
			struct surface in = surface_frame(s, w & 1, "title", "facts", ROLE_DIM);
			assert_true(in.width >= 0 && in.height >= 0);
			assert_true(w < 4 || h < 2 || in.width == w - 4);
			surface_select_row(in, 0, true);
			surface_scrollbar(in, true, 100, 50);
			assert_whole();
		}
	}
}

static void
test_select_and_scroll(void **state)
{
	struct surface in = surface_frame(surface_whole(&grid), true, NULL, NULL, ROLE_DIM);
	surface_text(in, 0, 1, -1, style_of(ROLE_DIM), "row");
	surface_select_row(in, 1, true);
	surface_scrollbar(in, true, 3, 0);
	assert_screen("╭──────────────────╮\n│                  │\n│▌row              │\n"
		      "│                  │\n╰──────────────────╯");
	assert_int_equal(at(2, 2)->style.ink, ROLE_DIM);
	assert_int_equal(at(2, 2)->style.ground, ROLE_SELECTION);
	assert_int_equal(at(18, 2)->style.ground, ROLE_SELECTION);
	assert_int_equal(at(19, 2)->style.ground, ROLE_NONE);
	surface_scrollbar(in, true, 9, 0);
	assert_int_equal(at(19, 1)->ch, 0x2503);
	assert_int_equal(at(19, 2)->ch, 0x2502);
	surface_scrollbar(in, true, SIZE_MAX, SIZE_MAX - 3);
	assert_int_equal(at(19, 3)->ch, 0x2503);
	surface_scrollbar(in, true, SIZE_MAX, SIZE_MAX);
	assert_int_equal(at(19, 4)->ch, 0x256f);
}

static void
test_empty_grid(void **state)
{
	struct grid none;
	struct buf out = BUF_INIT;
	grid_init(&none, 0, -4);
	surface_text(surface_whole(&none), 0, 0, -1, style_of(ROLE_TEXT), "x");
	surface_frame(surface_whole(&none), true, "t", "f", ROLE_DIM);
	grid_to_text(&none, &out);
	assert_int_equal(out.len, 0);
	buf_finish(&out);
	grid_finish(&none);
	grid_finish(NULL);
}

TEST_FILE(surface)
{
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_text, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_ellipsis, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_wide, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_overdrawing_half_of_wide, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_clipping, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sub, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hostile, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_right, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_ground_below, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_frame, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_tiny_frames, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_select_and_scroll, set_up, tear_down),
		cmocka_unit_test(test_empty_grid),
	};
	return cmocka_run_group_tests_name("surface", tests, NULL, NULL);
}
