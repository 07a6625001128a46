/* SPDX-License-Identifier: MIT */
/* Tests of the fence that other tests put around a pane. */
#include "fence.h"
#include "test.h"

#include <locale.h>
#include <string.h>

static struct grid grid;
static struct surface inside;

static void
assert_seen(const char *expected)
{
	struct buf why = BUF_INIT;

	assert_int_equal(fence_broken(inside, &why), *expected != '\0');
	assert_string_equal(buf_text(&why), expected);
	buf_finish(&why);
	fence_raise(inside);
}

static struct surface
grown(int columns, int rows)
{
	return (struct surface){ .grid = &grid,
		.x = inside.x - columns,
		.y = inside.y - rows,
		.width = inside.width + 2 * columns,
		.height = inside.height + 2 * rows };
}

static void
test_what_may_be_drawn(void **state)
{
	assert_seen("");
	surface_text(inside, 0, 0, -1, style_of(ROLE_TEXT), "far longer than the rectangle is");
	surface_text(inside, -3, 1, -1, style_of(ROLE_TEXT), "日本日本日本日本");
	surface_clear(inside, style_of(ROLE_ERROR));
	surface_text(inside, 0, 0, -1, style_of(ROLE_TEXT), "e\xcc\x81");
	surface_select_row(inside, 2, true);
	surface_scrollbar(inside, true, 100, 50);
	assert_seen("");
	surface_select_row(surface_sub(inside, 2, 1, 3, 2), 0, false);
	surface_scrollbar(surface_sub(inside, 2, 1, 3, 2), false, 100, 50);
	assert_seen("");
}

static void
test_cells_outside(void **state)
{
	static const struct style text = { .ink = ROLE_TEXT };

	surface_put(grown(1, 0), 0, 0, text, 'x');
	assert_seen("U+0078 was drawn outside, at -1,0 of 8 x 4");
	surface_put(grown(0, 1), 3, 0, text, 'x');
	assert_seen("U+0078 was drawn outside, at 3,-1 of 8 x 4");
	surface_put(grown(0, 1), 7, 5, text, ' '); /* a blank too */
	assert_seen("U+0020 was drawn outside, at 7,4 of 8 x 4");
	surface_put(grown(1, 0), 9, 3, text, 'x');
	assert_seen("U+0078 was drawn outside, at 8,3 of 8 x 4");
	surface_restyle(grown(0, 1), 0, 0, 1, ROLE_SELECTION, 0);
	assert_seen("U+0020 was drawn outside, at 0,-1 of 8 x 4");
	surface_select_row(grown(1, 0), 1, true);
	assert_seen("U+258c was drawn outside, at -2,1 of 8 x 4");
	surface_scrollbar(grown(1, 0), true, 100, 0);
	assert_seen("U+2503 was drawn outside, at 10,0 of 8 x 4");
}

static void
test_rows(void **state)
{
	struct cell *last = &grid.cells[(inside.y + 1) * grid.width + inside.x + inside.width - 1];

	last->ch = 0x65e5; /* as a surface never does it */
	assert_seen("row 1 has 9 columns in a width of 8");
	last->ch = 0;
	assert_seen("half a wide character at 7,1");
	last[-3].ch = 0x65e5;
	assert_seen("half a wide character at 5,1");
}

static int
set_up(void **state)
{
	grid_init(&grid, 16, 8);
	inside = surface_sub(surface_whole(&grid), 4, 2, 8, 4);
	fence_raise(inside);
	return 0;
}

static int
tear_down(void **state)
{
	grid_finish(&grid);
	return 0;
}

TEST_FILE(fence)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_what_may_be_drawn, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cells_outside, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rows, set_up, tear_down),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
