/* SPDX-License-Identifier: MIT */
/* Apps of the demo server in the pane, with the real engine: their drawing, user input, and
 * requests to the server. */
#include "base/clock.h"
#include "e2e.h"
#include "fixture.h"
#include "processes.h"
#include "real_engine.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static struct terminal *
open_app(void **state, const char *tool, const char *text)
{
	struct terminal *t = e2e_demo_sized(state, 40, 120);
	char command[80];

	snprintf(command, sizeof(command), "app %s", tool);
	e2e_run(t, command);
	e2e_wait(t, text);
	return t;
}

static void
test_sliders(void **state)
{
	struct terminal *t = open_app(state, "plan_budget", "Plan a budget of 3,000 EUR");

	e2e_see(t, "app ▸ plan-budget");
	e2e_see(t, "1,050 EUR");
	e2e_see(t, "All of it is planned.");
	e2e_wait(t, "━●─");                           /* a slider is text */
	e2e_wait(t, "[Share evenly]  [Full screen]"); /* in separate cells, set by the cell font */
	/* All at once, and yet one after the other. */
	e2e_press(t, "enter tab right");
	e2e_wait(t, "36 %");
	e2e_wait(t, "1 % too much");
	e2e_press(t, "ctrl-]");
	e2e_press(t, "alt-v"); /* the result of the call */
	e2e_see_not(t, "36 %");
	e2e_see(t, "content · for the model");
	e2e_press(t, "alt-v"); /* the app unchanged */
	e2e_wait(t, "36 %");
	e2e_leave(t);
}

/* Moving it draws nothing of the page. */
static void
wait_for_caret(struct terminal *t, int row, int col)
{
	for (int i = 0; i < 50 && !terminal_cell(t, row, col).reverse; i++)
		terminal_watch(t, 100);
	assert_true(terminal_cell(t, row, col).reverse);
	assert_false(terminal_cell(t, row, col + 1).reverse);
}

/* Its form changes an order: the app calls a destructive tool, which the user grants. */
static void
test_form(void **state)
{
	struct terminal *t = open_app(state, "edit_orders", "8 orders");
	int row, col;

	e2e_see(t, "ORD-1003");
	e2e_press(t, "enter tab tab tab h e l l o");
	e2e_wait(t, "Note     [hello");
	assert_true(terminal_find(t, "hello", &row, &col));
	e2e_press(t, "left left");
	wait_for_caret(t, row, col + 3);
	e2e_wait(t, "[Save]"); /* mcpane's form has a button Saved */
	assert_true(terminal_find(t, "[Save]", &row, &col));
	terminal_click(t, row, col + 1);
	e2e_wait(t, "The app wants to call the destructive tool");
	e2e_press(t, "ctrl-]");
	e2e_answer(t, "O");
	e2e_wait(t, "Saved: ORD-1001");
	e2e_see_not(t, "The app wants to");
	e2e_leave(t);
}

static void
choose_in_turn(struct terminal *t)
{
	static const char *const shown[] = { "ORD-1002 Bob ▾", "ORD-1001 Alice ▾" };

	for (int i = 0; i < 6; i++) {
		e2e_press(t, i % 2 ? "enter up enter" : "enter down enter");
		e2e_wait(t, shown[i % 2]);
	}
}

/* In a list, however fast the keys come, and with the mouse where the list opens. */
static void
test_select(void **state)
{
	struct terminal *t = open_app(state, "edit_orders", "8 orders");
	int row, col;

	e2e_press(t, "enter tab");
	choose_in_turn(t);
	assert_true(terminal_find(t, "Note", &row, &col));
	terminal_click(t, row, col + 12); /* a field whose box is above the middle of its row */
	e2e_press(t, "shift-tab shift-tab");
	choose_in_turn(t);
	e2e_press(t, "ctrl-]");
	e2e_leave(t);
}

/* It polls a tool that only apps may call. */
static void
test_polling(void **state)
{
	struct terminal *t = open_app(state, "watch_machine", "reading 1");

	e2e_see(t, "database");
	e2e_wait(t, "reading 2");
	e2e_wait(t, "reading 3");
	e2e_run(t, "app close");
	e2e_see(t, "content · for the model");
	e2e_leave(t);
}

/* A floating app keeps running while another tool is called. */
static void
test_floating(void **state)
{
	struct terminal *t = open_app(state, "watch_machine", "reading 1");

	e2e_run(t, "app pip");
	e2e_see(t, "structuredContent");
	e2e_run(t, "tool list_users");
	e2e_run(t, "call");
	e2e_wait(t, "Alt-V enters");
	e2e_wait(t, "reading 3");
	e2e_press(t, "alt-v");
	e2e_wait(t, "Ctrl-] leaves");
	e2e_press(t, "ctrl-]");
	e2e_run(t, "app full");
	e2e_wait(t, "this tool has no app");
	e2e_run(t, "app close");
	e2e_see_not(t, "reading");
	e2e_leave(t);
}

/* The engine starts when the user looks at a tool with an app, before the call. */
static void
test_engine_starts_ahead(void **state)
{
	struct terminal *t = e2e_demo_sized(state, 40, 120);
	struct processes all;
	pid_t pids[64];
	char name[64] = "";

	processes_init(&all, terminal_pid(t), "NONE=of these");
	e2e_run(t, "tool plan_budget");
	for (int64_t end = clock_now_ms() + 3 * fixture_deadline_ms(); !strstr(name, "chrom");) {
		assert_true(clock_now_ms() < end);
		terminal_watch(t, 20);
		size_t count = processes_find(&all, pids, 64);
		for (size_t i = 0; i < count && i < 64 && !strstr(name, "chrom"); i++)
			processes_name(pids[i], name, sizeof(name));
	}
	e2e_see(t, "Not called yet");
	e2e_leave(t);
}

#define TEST(name) cmocka_unit_test_teardown(test_##name, e2e_teardown)

/* The app's inspector: notes of its page, its facts, its messages; then the other policy. */
static void
test_inspector(void **state)
{
	struct terminal *t = open_app(state, "plan_budget", "Plan a budget of 3,000 EUR");

	e2e_press(t, "alt-d");
	e2e_wait(t, "inspector · plan-budget");
	e2e_see(t, "initialized after");
	e2e_see(t, "Chrome/");
	e2e_see(t, "strict; Alt-r");
	e2e_press(t, "alt-r");
	e2e_wait(t, "lax; Alt-r");
	e2e_wait(t, "initialized after");
	e2e_press(t, "alt-l");
	e2e_wait(t, "console · page of plan-budget");
	e2e_run(t, "next-journal bridge");
	e2e_wait(t, "journal · bridge of plan-budget");
	e2e_see(t, "ui/initialize");
	e2e_see(t, "ui/notifications/tool-result");
	e2e_leave(t);
}

/* Other looks at the page, and other surroundings for it. */
static void
test_looks_and_context(void **state)
{
	struct terminal *t = open_app(state, "plan_budget", "Plan a budget of 3,000 EUR");

	e2e_press(t, "alt-m");
	e2e_wait(t, "heading: Plan a budget of 3,000 EUR");
	e2e_see(t, "slider: ");
	e2e_press(t, "esc");
	e2e_press(t, "m");
	e2e_wait(t, "<!doctype html>");
	e2e_press(t, "m");
	e2e_wait(t, "All of it is planned.");
	e2e_run(t, "app-context size 40x20");
	e2e_run(t, "next-journal bridge");
	e2e_wait(t, "host-context-changed containerDimensions={\"width\": 320");
	e2e_leave(t);
}

TEST_FILE(apps)
{
	const struct CMUnitTest tests[] = {
		TEST(sliders),
		TEST(form),
		TEST(select),
		TEST(polling),
		TEST(inspector),
		TEST(looks_and_context),
		TEST(floating),
		TEST(engine_starts_ahead),
	};

	if (!real_engine_is_here())
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
