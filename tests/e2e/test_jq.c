/* SPDX-License-Identifier: MIT */
/* The query line in the whole program, with jq in separate processes. */
#include "e2e.h"
#include "test.h"

static void
test_query(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool list_users");
	e2e_press(t, "f5");
	e2e_wait(t, "Charlie");
	e2e_run(t, "pane structured");
	e2e_press(t, "|");
	terminal_type(t, ".users[] | .na");
	e2e_wait(t, "name  string");
	e2e_press(t, "tab");
	e2e_wait(t, "3 results");
	e2e_wait(t, "╭⁴jq .users[] | .name");
	e2e_press(t, "enter");
	terminal_wait_gone(t, "Enter keep");
	e2e_press(t, "f5"); /* the next result goes through it too */
	e2e_wait(t, "call 2 of 2");
	e2e_wait(t, "╭⁴jq .users[] | .name");
	e2e_press(t, "esc");
	e2e_wait(t, "╭⁴structuredContent");
	e2e_leave(t);
}

/* An endless expression is stopped by the next key, and blocks nothing. */
static void
test_endless(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool list_users");
	e2e_press(t, "f5");
	e2e_wait(t, "Charlie");
	e2e_run(t, "pane structured");
	e2e_press(t, "|");
	terminal_type(t, "[range(1e12)]");
	e2e_wait(t, "   …");
	terminal_type(t, " | nosuch");
	e2e_wait(t, "nosuch/0 is not defined");
	e2e_press(t, "esc");
	e2e_wait(t, "╭⁴structuredContent");
	e2e_leave(t);
}

/* A command that follows on the command line has the result of jq, not the value before it. */
static void
test_commands_wait(void **state)
{
	struct terminal *t = e2e_demo(state,
	    ARGV("-c", "tool list_users", "-c", "call", "-c", "jq .users[1:]", "-c", "export csv"));

	e2e_wait(t, "copied, 2 rows, 46 bytes");
	e2e_leave(t);
}

TEST_FILE(jq)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_query, e2e_teardown),
		cmocka_unit_test_teardown(test_endless, e2e_teardown),
		cmocka_unit_test_teardown(test_commands_wait, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
