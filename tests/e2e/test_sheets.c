/* SPDX-License-Identifier: MIT */
/* Tables of a table, and the search in its cells. */
#include "e2e.h"
#include "test.h"

static struct terminal *
open_rows(void **state, const char *count)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_wait(t, "list_users");
	e2e_run(t, "tool rows");
	e2e_run(t, count);
	e2e_run(t, "call");
	e2e_wait(t, "table");
	e2e_run(t, "pane structured");
	e2e_press(t, "z");
	return t;
}

static void
test_into_a_group_and_back(void **state)
{
	struct terminal *t = open_rows(state, "set count 1000");

	e2e_wait(t, "1 000 × 4");
	e2e_press(t, "alt-i");
	e2e_wait(t, "rows ▸ statistics");
	e2e_see(t, "500500");
	e2e_press(t, "j enter alt-f");
	e2e_wait(t, "rows ▸ frequency of city");
	e2e_press(t, "enter");
	e2e_wait(t, "if city = ");
	e2e_see(t, "of 1 000 × 4");
	e2e_press(t, "esc");
	e2e_wait(t, "percent");
	e2e_press(t, "esc");
	e2e_wait(t, "1 000 × 4");
	e2e_leave(t);
}

/* A long table's sheet is made while keys work. */
static void
test_long_table(void **state)
{
	struct terminal *t = open_rows(state, "set count 200000");

	e2e_wait(t, "200 000 × 4");
	e2e_run(t, "group city, ok");
	e2e_wait(t, "rows ▸ groups of city, ok");
	e2e_see(t, "temp.max");
	e2e_leave(t);
}

/* The values of a joined table have the violations of the arrays, also in the detail. */
static void
test_joined_violations(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("bad-arrays"));

	e2e_wait(t, "arrays");
	e2e_press(t, "f5");
	e2e_wait(t, "1 violation");
	e2e_run(t, "pane structured");
	e2e_see(t, "Alt-J joins 2 arrays");
	e2e_press(t, "alt-j");
	e2e_wait(t, "table · 3 × 2");
	e2e_see(t, "load ✗1");
	e2e_press(t, "alt-e");
	e2e_wait(t, "1 of 3 × 2");
	e2e_see(t, "✗ bob");
	e2e_run(t, "column load");
	e2e_press(t, "enter enter");
	e2e_wait(t, "Esc closes");
	e2e_see(t, "▸ /load/1");
	e2e_see(t, "✗ string \"high\", expected a number");
	e2e_leave(t);
}

static void
test_search(void **state)
{
	struct terminal *t = open_rows(state, "set count 1000");

	e2e_wait(t, "1 000 × 4");
	e2e_press(t, "'");
	terminal_type(t, "lisbon");
	e2e_wait(t, "/lisbon 1 of ");
	e2e_press(t, "enter n n");
	e2e_wait(t, "/lisbon 3 of ");
	e2e_see(t, "1 000 × 4");
	e2e_press(t, "N");
	e2e_wait(t, "/lisbon 2 of ");
	e2e_press(t, "esc /");
	terminal_type(t, "lisbon");
	e2e_wait(t, "of 1 000 × 4");
	e2e_leave(t);
}

TEST_FILE(sheets)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_into_a_group_and_back, e2e_teardown),
		cmocka_unit_test_teardown(test_long_table, e2e_teardown),
		cmocka_unit_test_teardown(test_joined_violations, e2e_teardown),
		cmocka_unit_test_teardown(test_search, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
