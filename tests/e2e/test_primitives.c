/* SPDX-License-Identifier: MIT */
/* Resources, prompts and servers' completions, in the whole program. */
#include "e2e.h"
#include "test.h"

static void
test_resources(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_wait(t, "Resources 7");
	e2e_press(t, "]");
	e2e_see(t, "▌welcome");
	e2e_press(t, "enter");
	e2e_wait(t, "Markdown · 1 block");
	e2e_run(t, "resource demo://users.json");
	e2e_wait(t, "╭⁴the resource as JSON");
	e2e_see(t, "Alice");
	e2e_run(t, "resource demo://nowhere");
	e2e_wait(t, "the server has no such resource");
	e2e_leave(t);
}

static void
test_links(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "prompt review_order");
	e2e_run(t, "set order_id \"1001\"");
	e2e_press(t, "f5");
	e2e_wait(t, "Review order 1001");
	e2e_run(t, "pane content");
	e2e_press(t, "n enter");
	e2e_wait(t, "Report of july");
	e2e_leave(t);
}

/* The answer comes while nothing is typed: the program's own clock sends the question. */
static void
test_proposals(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_wait(t, "Prompts 3");
	e2e_run(t, "prompt plan_trip");
	e2e_press(t, "enter");
	e2e_wait(t, "│ Austria");
	terminal_type(t, "j");
	terminal_wait_gone(t, "│ Austria");
	e2e_wait(t, "│ Japan");
	e2e_press(t, "tab");
	e2e_see(t, "country *   Japan");
	e2e_press(t, "tab");
	e2e_wait(t, "│ Kyoto");
	e2e_press(t, "down enter f5");
	e2e_wait(t, "Plan a weekend in Kyoto, Japan");
	e2e_leave(t);
}

static void
test_watched(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "resource demo://counter");
	e2e_wait(t, "tools were called 0 times");
	e2e_press(t, "W");
	e2e_wait(t, "◉");
	e2e_run(t, "tool list_users");
	e2e_press(t, "f5");
	e2e_wait(t, "Found 3 users");
	e2e_run(t, "pane tools");
	e2e_press(t, "]");
	e2e_wait(t, "changed on the server");
	e2e_press(t, "enter");
	e2e_wait(t, "tools were called 1 times");
	e2e_leave(t);
}

/* A server that has nothing but tools. */
static void
test_nothing_there(void **state)
{
	const char *const mode[] = { "good", NULL };
	struct terminal *t = e2e_bad(state, NULL, mode);

	e2e_wait(t, "▌echo");
	e2e_press(t, "]");
	e2e_see(t, "This server has no resources.");
	e2e_see(t, "The server does not declare any.");
	e2e_press(t, "]");
	e2e_see(t, "This server has no prompts.");
	e2e_press(t, "f5");
	e2e_see(t, "nothing is selected");
	e2e_press(t, "enter esc ]");
	e2e_see_not(t, "This server has no");
	e2e_leave(t);
}

#define TEST(name) cmocka_unit_test_teardown(test_##name, e2e_teardown)

TEST_FILE(primitives)
{
	const struct CMUnitTest tests[] = {
		TEST(resources),
		TEST(links),
		TEST(proposals),
		TEST(watched),
		TEST(nothing_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
