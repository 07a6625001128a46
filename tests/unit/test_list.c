/* SPDX-License-Identifier: MIT */
#include "test.h"
#include "ui/list.h"

static void
assert_list(const struct list *l, size_t selected, size_t top)
{
	assert_int_equal(l->selected, selected);
	assert_int_equal(l->top, top);
}

static bool
press(struct list *l, const char *name)
{
	struct key key;

	assert_true(key_from_name(&key, name));
	return list_key(l, &key);
}

static void
test_moving(void **state)
{
	struct list l = { 0 };
	list_set_height(&l, 5);
	list_set_count(&l, 20);
	list_move(&l, 4);
	assert_list(&l, 4, 0);
	list_move(&l, 1);
	assert_list(&l, 5, 1);
	list_move(&l, PTRDIFF_MAX);
	assert_list(&l, 19, 15);
	list_move(&l, -1);
	assert_list(&l, 18, 15);
	list_move(&l, PTRDIFF_MIN);
	assert_list(&l, 0, 0);
	list_page(&l, 1);
	assert_list(&l, 4, 4);
	list_page(&l, 1);
	assert_list(&l, 8, 8);
	list_page(&l, -1);
	assert_list(&l, 4, 4);
	list_page(&l, 10);
	assert_list(&l, 19, 15);
	list_select(&l, 99);
	assert_list(&l, 19, 15);
}

static void
test_counts(void **state)
{
	struct list l = { 0 };
	size_t row;
	list_set_height(&l, 5);
	list_move(&l, 1);
	list_page(&l, -1);
	assert_list(&l, 0, 0);
	assert_false(list_row_at(&l, 0, &row));
	list_set_count(&l, 100);
	list_select(&l, 50);
	assert_list(&l, 50, 46);
	list_set_count(&l, 49);
	assert_list(&l, 48, 44);
	list_set_count(&l, 3);
	assert_list(&l, 2, 0);
	list_set_count(&l, 0);
	assert_list(&l, 0, 0);
	list_set_count(&l, SIZE_MAX);
	list_select(&l, SIZE_MAX);
	assert_list(&l, SIZE_MAX - 1, SIZE_MAX - 5);
	list_move(&l, 1);
	assert_list(&l, SIZE_MAX - 1, SIZE_MAX - 5);
}

static void
test_heights(void **state)
{
	struct list l = { 0 };
	list_set_height(&l, 10);
	list_set_count(&l, 100);
	list_select(&l, 95);
	assert_list(&l, 95, 86);
	list_set_height(&l, 3);
	assert_list(&l, 95, 93);
	list_set_height(&l, 50);
	assert_list(&l, 95, 50);
	list_set_height(&l, 0);
	assert_list(&l, 95, 95);
	list_move(&l, 1);
	assert_list(&l, 96, 96);
	list_set_height(&l, -3);
	assert_list(&l, 96, 96);
}

static int
lines_of_row(const void *user, size_t row)
{
	size_t *asked = (size_t *)user;

	++*asked;
	return row % 10 == 9 ? 4 : 1;
}

/* Rows of several lines: the selected one is whole, and no others are asked for. */
static void
test_lines(void **state)
{
	struct list l = { 0 };
	size_t asked = 0;

	list_set_count(&l, 1000000);
	list_set_lines(&l, 5, lines_of_row, &asked);
	assert_list(&l, 0, 0);
	assert_int_equal(l.height, 5);
	list_select(&l, 9);
	list_set_lines(&l, 5, lines_of_row, &asked);
	assert_list(&l, 9, 8);
	assert_int_equal(l.height, 2);
	list_move(&l, 1);
	list_set_lines(&l, 5, lines_of_row, &asked);
	assert_list(&l, 10, 9);
	list_page(&l, -1);
	list_set_lines(&l, 5, lines_of_row, &asked);
	assert_list(&l, 9, 8);
	list_select(&l, SIZE_MAX);
	list_set_lines(&l, 5, lines_of_row, &asked);
	assert_list(&l, 999999, 999998);
	list_set_count(&l, 9);
	list_set_lines(&l, 5, lines_of_row, &asked);
	assert_list(&l, 8, 4);
	list_set_lines(&l, 100, lines_of_row, &asked); /* no blank lines at the end */
	assert_list(&l, 8, 0);
	list_set_count(&l, 1000000);
	list_select(&l, 9);
	list_set_lines(&l, 2, lines_of_row, &asked); /* lower than the row */
	assert_list(&l, 9, 9);
	assert_int_equal(l.height, 1);
	assert_true(asked < 120);
}

static void
test_wheel(void **state)
{
	struct list l = { 0 };
	list_set_height(&l, 5);
	list_set_count(&l, 20);
	list_scroll(&l, 3);
	assert_list(&l, 3, 3);
	list_select(&l, 6);
	list_scroll(&l, -2);
	assert_list(&l, 5, 1);
	list_scroll(&l, 100);
	assert_list(&l, 15, 15);
	list_scroll(&l, -100);
	assert_list(&l, 4, 0);
}

static void
test_keys(void **state)
{
	struct list l = { 0 };
	list_set_height(&l, 10);
	list_set_count(&l, 100);
	assert_true(press(&l, "down") && press(&l, "j") && press(&l, "up"));
	assert_list(&l, 1, 0);
	assert_true(press(&l, "k"));
	assert_true(press(&l, "ctrl-d"));
	assert_list(&l, 5, 0);
	assert_true(press(&l, "ctrl-u"));
	assert_true(press(&l, "G"));
	assert_list(&l, 99, 90);
	assert_true(press(&l, "home"));
	assert_true(press(&l, "end"));
	assert_true(press(&l, "g"));
	assert_true(press(&l, "pgdn"));
	assert_list(&l, 9, 9);
	assert_true(press(&l, "pgup"));
	assert_list(&l, 0, 0);
	assert_false(press(&l, "x"));
	assert_false(press(&l, "ctrl-j"));
	assert_false(press(&l, "alt-down"));
	assert_false(press(&l, "enter"));
}

static void
test_row_at(void **state)
{
	struct list l = { 0 };
	size_t row;
	list_set_height(&l, 5);
	list_set_count(&l, 7);
	list_select(&l, 6);
	assert_true(list_row_at(&l, 0, &row));
	assert_int_equal(row, 2);
	assert_true(list_row_at(&l, 4, &row));
	assert_int_equal(row, 6);
	assert_false(list_row_at(&l, 5, &row));
	assert_false(list_row_at(&l, -1, &row));
	list_set_count(&l, 3);
	assert_false(list_row_at(&l, 3, &row));
}

TEST_FILE(list)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moving),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_heights),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_wheel),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_row_at),
	};
	return cmocka_run_group_tests_name("list", tests, NULL, NULL);
}
