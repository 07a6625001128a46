/* SPDX-License-Identifier: MIT */
/* The apps that the authors of MCP Apps publish as examples, unmodified, in the real engine on a
 * terminal: read as text, clicked, typed into, dragged and resized, and what that makes their
 * servers answer. No letter of them may be hidden by another one. */
#include "e2e.h"
#include "host/app_house.h"
#include "interop.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIR "build/interop"

/* The app of a tool on the whole terminal, once it shows the text. */
static struct terminal *
open_app(void **state, const char *server, const char *tool, const char *text)
{
	char path[256], command[64];

	snprintf(path, sizeof(path),
	    DIR "/node_modules/@modelcontextprotocol/server-%s/dist/index.js", server);
	struct terminal *t = e2e_start(state,
	    &(struct terminal_options){
		.rows = 45, .cols = 120, .argv = ARGV("--", DIR "/run-node", path, "--stdio") });
	terminal_wait_text(t, tool);
	terminal_barrier(t);
	snprintf(command, sizeof(command), "app %s", tool);
	e2e_run(t, command);
	e2e_wait(t, "app ▸ ");
	e2e_run(t, "app full");
	e2e_wait(t, text);
	return t;
}

/* The cell `right` of where the text begins. */
static void
click(struct terminal *t, const char *text, int right)
{
	int row = 0, col = 0;

	e2e_wait(t, text);
	assert_true(terminal_find(t, text, &row, &col));
	terminal_click(t, row, col + right);
	terminal_barrier(t);
}

static void
take_keyboard(struct terminal *t)
{
	if (terminal_find(t, "leave the keyboard to mcpane", NULL, NULL))
		e2e_press(t, "ctrl-]");
}

/* Nothing is hidden, the app ends when it is asked to, and nothing stays. */
static void
leave(struct terminal *t)
{
	e2e_see_not(t, " hidden");
	e2e_see_not(t, " moved");
	take_keyboard(t);
	e2e_run(t, "app close");
	terminal_wait_gone(t, "app ▸ ");
	e2e_leave(t);
}

static const char *
text_behind(struct terminal *t, const char *label)
{
	static char found[1024];
	int row = 0;

	assert_true(terminal_find(t, label, &row, NULL));
	snprintf(
	    found, sizeof(found), "%.1000s", strstr(terminal_row(t, row), label) + strlen(label));
	return found;
}

struct change {
	const char *label;
	char before[1024];
};

static bool
has_changed(struct terminal *t, void *ctx)
{
	const struct change *c = ctx;

	return terminal_find(t, c->label, NULL, NULL) &&
	       strcmp(text_behind(t, c->label), c->before) != 0;
}

static struct change
remember(struct terminal *t, const char *label)
{
	struct change c = { .label = label };

	snprintf(c.before, sizeof(c.before), "%s", text_behind(t, label));
	return c;
}

static void
test_basic_vanillajs(void **state)
{
	struct terminal *t = open_app(state, "basic-vanillajs", "get-time", "Get Server Time");

	e2e_wait(t, "Server Time:20");
	e2e_see(t, "This is message text.");
	struct change time = remember(t, "Server Time:");
	click(t, "Get Server Time", 2);
	terminal_wait_until(t, has_changed, &time);
	click(t, "This is message text.", 4);
	e2e_press(t, "ctrl-home");
	terminal_type(t, "Grüße 日本. ");
	e2e_wait(t, "Grüße 日本. This is message text.");
	terminal_paste(t, "pasted ");
	e2e_wait(t, "Grüße 日本. pasted This is message text.");
	click(t, "Open Link", 2);
	e2e_wait(t, "The app wants to open https://modelcontextprotocol.io/");
	take_keyboard(t);
	e2e_answer(t, "X");
	e2e_see_not(t, "The app wants to");
	leave(t);
}

static void
test_budget_allocator(void **state)
{
	struct terminal *t = open_app(state, "budget-allocator", "get-budget-data", "Marketing");
	int row = 0, col = 0;

	e2e_wait(t, "25.0%");
	assert_true(terminal_find(t, "25.0%", &row, &col));
	terminal_drag(t, row, col - 40, row, col - 12);
	terminal_wait_gone(t, "25.0%");
	click(t, "$100,000", 2);
	e2e_wait(t, "$250,000");
	click(t, "$250,000", 2);
	terminal_wait_gone(t, "$100,000");
	leave(t);
}

static void
test_cohort_heatmap(void **state)
{
	struct terminal *t = open_app(state, "cohort-heatmap", "get-cohort-data", "Retention %");

	e2e_see(t, "Cohort Retention Analysis");
	e2e_wait(t, "M11");
	click(t, "Retention %", 2);
	e2e_wait(t, "Revenue");
	click(t, "Revenue", 2); /* the server computes other numbers */
	terminal_wait_gone(t, "Retention %");
	leave(t);
}

/* It shows what the host tells it. */
static void
test_debug(void **state)
{
	struct terminal *t = open_app(state, "debug", "debug-tool", "Event Log");

	e2e_wait(t, "ontoolresult: ");
	e2e_see(t, "connected: {\"success\":true}");
	e2e_wait(t, "dark");
	e2e_wait(t, "928px");
	e2e_run(t, "theme light");
	e2e_wait(t, "onhostcontextchanged: ");
	terminal_wait_gone(t, "dark ");
	terminal_resize(t, 45, 100);
	e2e_wait(t, "768px");
	leave(t);
}

/* It polls a tool that the model may not call. */
static void
test_system_monitor(void **state)
{
	struct terminal *t = open_app(state, "system-monitor", "get-system-info", "CPU USAGE");

	e2e_wait(t, "Stop");
	e2e_see(t, "MEMORY");
	struct change at = remember(t, "Stop");
	terminal_wait_until(t, has_changed, &at);
	click(t, "Stop", 1);
	e2e_wait(t, "Start");
	leave(t);
}

static void
test_scenario_modeler(void **state)
{
	struct terminal *t =
	    open_app(state, "scenario-modeler", "get-scenario-data", "12-MONTH PROJECTION");
	int row = 0, col = 0;

	e2e_see(t, "PARAMETERS");
	struct change rate = remember(t, "Growth Rate");
	assert_true(terminal_find(t, "Growth Rate", &row, &col));
	terminal_drag(t, row, col + 25, row, col + 45);
	terminal_wait_until(t, has_changed, &rate);
	leave(t);
}

#define TEST(name) cmocka_unit_test_teardown(test_##name, e2e_teardown)

static const struct CMUnitTest tests[] = {
	TEST(basic_vanillajs),
	TEST(budget_allocator),
	TEST(cohort_heatmap),
	TEST(debug),
	TEST(system_monitor),
	TEST(scenario_modeler),
};

TEST_FILE(npm_apps)
{
	if (!app_house_can_run(NULL)) {
		fputs("SKIPPED: needs chromium-headless-shell\n", stderr);
		return INTEROP_SKIPPED;
	}
	if (!interop_ready("sh tests/interop/install.sh " DIR, sizeof(tests) / sizeof(*tests)))
		return INTEROP_SKIPPED;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
