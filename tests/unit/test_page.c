/* SPDX-License-Identifier: MIT */
#include "test.h"
#include "ui/page.h"

#include <locale.h>
#include <string.h>

static struct page page;
static struct grid grid;

static int
set_up(void **state)
{
	page = (struct page){ 0 };
	grid_init(&grid, 24, 4);
	return 0;
}

static int
tear_down(void **state)
{
	page_finish(&page);
	grid_finish(&grid);
	return 0;
}

/* Inside of a frame at the grid's edge. */
static void
assert_drawn(const char *expected)
{
	struct surface all = surface_whole(&grid);
	struct buf text = BUF_INIT;

	surface_clear(all, style_of(ROLE_TEXT));
	page_draw(&page, surface_sub(all, 0, 0, 20, 4), ROLE_NONE, false);
	for (int y = 0; y < 4; y++)
		surface_repeat(all, 20, y, 4, style_of(ROLE_TEXT), ' ');
	grid_to_text(&grid, &text);
	assert_string_equal(buf_text(&text), expected);
	buf_finish(&text);
}

static bool
press(const char *name)
{
	struct key key;

	assert_true(key_from_name(&key, name));
	return page_key(&page, &key);
}

static void
test_empty(void **state)
{
	assert_drawn("\n\n\n\n");
	assert_true(page.read);
	assert_true(press("down"));
	assert_int_equal(page_rows(&page, 20), 0);
}

static void
test_nothing_is_cut(void **state)
{
	page_head(&page, "Head");
	page_row(&page, 6, "key", ROLE_TEXT, "one two three four");
	page_text(&page, 2, ROLE_TEXT, "aaaaaaaaaaaaaaaaaaaaaaa");
	assert_int_equal(page_rows(&page, 20), 5);
	assert_drawn("Head\nkey   one two three\n      four\n  aaaaaaaaaaaaaaaaaa\n");
	assert_false(page.read);
	assert_true(press("down"));
	assert_drawn("key   one two three\n      four\n  aaaaaaaaaaaaaaaaaa\n  aaaaa\n");
	assert_true(page.read);
	assert_true(press("down")); /* the end holds */
	assert_drawn("key   one two three\n      four\n  aaaaaaaaaaaaaaaaaa\n  aaaaa\n");
	assert_true(press("g"));
	assert_int_equal(page.top, 0);
	assert_true(press("G"));
	assert_int_equal(page.top, 1);
	assert_false(press("x"));
}

/* A row that begins above the window shows the rest of itself. */
static void
test_begins_within_an_item(void **state)
{
	page_text(&page, 0, ROLE_TEXT, "1\n2\n3\n4\n5\n6\n7");
	page_gap(&page);
	page_text(&page, 0, ROLE_TEXT, "end");
	assert_drawn("1\n2\n3\n4\n");
	press("down");
	press("down");
	assert_drawn("3\n4\n5\n6\n");
	press("end");
	assert_drawn("6\n7\n\nend\n");
	page_clear(&page);
	page_text(&page, 0, ROLE_TEXT, "less");
	assert_drawn("less\n\n\n\n");
	assert_int_equal(page.top, 0);
}

/* If every row must be read, none can be skipped: not by End, not by keys before the frame, and not
 * on a screen too small to show any. */
static void
test_in_order(void **state)
{
	struct surface all = surface_whole(&grid);

	page.in_order = true;
	page_text(&page, 2, ROLE_TEXT, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11");
	page_draw(&page, surface_sub(all, 0, 0, 20, 0), ROLE_NONE, false);
	press("G");
	page_draw(&page, surface_sub(all, 0, 0, 3, 4), ROLE_NONE, false); /* one column of text */
	press("G");
	assert_int_equal(page.seen, 0);
	assert_drawn("  1\n  2\n  3\n  4\n");
	press("G");
	press("G");
	press("pgdn");
	assert_drawn("  5\n  6\n  7\n  8\n");
	press("g");
	press("G");
	assert_drawn("  8\n  9\n  10\n  11\n");
	assert_true(page.read);
	page_clear(&page);
	assert_false(page.read);
}

/* Rows that were seen at one width are not other rows at the next. */
static void
test_seen_at_another_width(void **state)
{
	struct surface all = surface_whole(&grid);

	page.in_order = true;
	page_text(&page, 0, ROLE_TEXT, "one");
	page_text(&page, 0, ROLE_TEXT, "aaaa bbbb cccc dddd eeee ffff gggg hhhh");
	assert_drawn("one\naaaa bbbb cccc dddd\neeee ffff gggg hhhh\n\n");
	assert_true(page.read);
	page.read = false;
	page.seen = page.seen_items = 0;
	page_draw(&page, surface_sub(all, 0, 0, 20, 2), ROLE_NONE, false);
	page_draw(&page, surface_sub(all, 0, 0, 4, 2), ROLE_NONE, false);
	assert_int_equal(page.seen_items, 1);
	assert_int_equal(page.seen, 2);
	assert_false(page.read);
}

static void
test_as_text(void **state)
{
	struct buf out = BUF_INIT;

	page_head(&page, "Head");
	page_row(&page, 6, "key", ROLE_TEXT, "value");
	page_gap(&page);
	page_text(&page, 2, ROLE_DIM, "text");
	page_to_text(&page, &out);
	assert_string_equal(buf_text(&out), "Head\nkey: value\n\ntext\n");
	buf_finish(&out);
}

/* A slice a frame, until all of it is known; then the same text is not wrapped again. */
static void
test_long_text(void **state)
{
	enum { LINES = 300000 };
	struct buf text = BUF_INIT;
	size_t frames = 1;

	for (int i = 0; i < LINES; i++)
		buf_addf(&text, "row %d\n", i);
	page_text(&page, 0, ROLE_TEXT, buf_text(&text));
	assert_drawn("row 0\nrow 1\nrow 2\nrow 3\n");
	assert_true(grid.unfinished && !page.read);
	press("end");
	assert_false(page.read);
	for (; page.unfinished; frames++)
		page_draw(&page, surface_sub(surface_whole(&grid), 0, 0, 20, 4), ROLE_NONE, false);
	assert_in_range(frames, 6, 9);
	assert_drawn("row 299996\nrow 299997\nrow 299998\nrow 299999\n");
	/* written again, with another row before it */
	page_clear(&page);
	page_head(&page, "head");
	page_text(&page, 0, ROLE_TEXT, buf_text(&text));
	grid.unfinished = false;
	assert_drawn("row 299995\nrow 299996\nrow 299997\nrow 299998\n");
	assert_false(grid.unfinished || page.unfinished);
	press("end");
	assert_drawn("row 299996\nrow 299997\nrow 299998\nrow 299999\n");
	/* another text of the same length */
	text.data[4] = '7';
	page_clear(&page);
	page_text(&page, 0, ROLE_TEXT, buf_text(&text));
	press("home");
	assert_drawn("row 7\nrow 1\nrow 2\nrow 3\n");
	assert_true(grid.unfinished);
	buf_finish(&text);
}

TEST_FILE(page)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_empty, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nothing_is_cut, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_begins_within_an_item, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_in_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_seen_at_another_width, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_as_text, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_long_text, set_up, tear_down),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
