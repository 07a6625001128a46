/* SPDX-License-Identifier: MIT */
/* Findings, lenses and costs of a server and its results, on the whole screen. */
#include "e2e.h"
#include "test.h"

#include <string.h>

/* Moves down until the text is on the screen. */
static void
down_to(struct terminal *t, const char *text)
{
	for (int i = 0; i < 40 && !terminal_find(t, text, NULL, NULL); i++)
		e2e_press(t, "down");
	e2e_see(t, text);
}

/* A finding shows its reason and a fix; Enter goes to the bytes. */
static void
test_findings(void **state)
{
	struct terminal *t = e2e_demo_sized(state, 40, 120);

	e2e_run(t, "tool contradiction");
	e2e_press(t, "f5");
	e2e_wait(t, "Found 5 users");
	e2e_run(t, "findings");
	e2e_wait(t, "findings · definitions, results, apps");
	e2e_see(t, "the text says 5 users, the array has 3");
	down_to(t, "tool      contradiction");
	e2e_see(t, "about     the result of a call");
	e2e_see(t, "source    ");
	e2e_see(t, "fix       ");
	e2e_press(t, "y");
	e2e_wait(t, "copied ");
	e2e_press(t, "x");
	e2e_wait(t, "· 1 muted");
	e2e_see_not(t, "the text says 5 users, the array has 3");
	e2e_press(t, "u");
	e2e_wait(t, "the text says 5 users, the array has 3");
	e2e_see_not(t, "muted");
	e2e_press(t, "home");
	down_to(t, "tool      contradiction");
	e2e_press(t, "enter");
	e2e_wait(t, "Found 5 users");
	e2e_see_not(t, "findings · definitions, results, apps");
	e2e_leave(t);
}

/* For a definition Enter shows the place in it; control characters in its bytes never reach the
 * terminal. */
static void
test_finding_in_a_definition(void **state)
{
	struct terminal *t = e2e_demo_sized(state, 40, 120);

	e2e_run(t, "findings");
	e2e_wait(t, "this string has control characters");
	down_to(t, "tool      hostile");
	e2e_press(t, "enter");
	e2e_wait(t, "definition ▸ hostile");
	e2e_see(t, "␛]0;owned␇");
	terminal_assert_never(t, "\033]0;owned");
	e2e_leave(t);
}

/* Each lens shows what its reader gets, named clients with their source. */
static void
test_lenses(void **state)
{
	struct terminal *t = e2e_demo_sized(state, 40, 120);

	e2e_run(t, "tool bad_rows");
	e2e_press(t, "f5");
	e2e_wait(t, "✗ ");
	e2e_run(t, "lens");
	e2e_wait(t, "lenses · the result as other clients see it");
	e2e_wait(t, "▌✓ conversational host");
	e2e_see(t, "Gemini CLI");
	e2e_press(t, "down");
	e2e_see(t, "▌✓ programmatic host");
	e2e_see(t, "\"products\"");
	e2e_press(t, "down");
	e2e_see(t, "▌✗ strict validator");
	e2e_see(t, "structured content does not match the tool's output schema");
	e2e_run(t, "lens gemini-cli");
	e2e_wait(t, "▌✗ Gemini CLI");
	e2e_see(t, "google-gemini/gemini-cli at ");
	e2e_see(t, "MCP tool 'bad_rows' reported tool error");
	e2e_run(t, "lens claude-code");
	e2e_wait(t, "▌✓ Claude Code");
	e2e_see_not(t, "google-gemini");
	e2e_run(t, "lens nobody");
	e2e_wait(t, "no such lens:");
	e2e_press(t, "esc");
	e2e_see_not(t, "lenses · the result as other clients see it");
	e2e_leave(t);
}

/* The tokens that all definitions cost a model, by tool, in an order selected by a key. */
static void
test_costs(void **state)
{
	struct terminal *t = e2e_demo_sized(state, 40, 120);
	int tokens, name;

	e2e_press(t, "f3");
	e2e_wait(t, "overview ▸ demo");
	e2e_press(t, "end");
	e2e_wait(t, "plan_trip");
	e2e_see(t, "By tokens");
	assert_true(terminal_find(t, "plan_trip", &tokens, NULL));
	assert_true(terminal_find(t, "ask_form ", &name, NULL));
	assert_true(tokens < name); /* the dearest first */
	e2e_press(t, "s");
	e2e_wait(t, "By name");
	assert_true(terminal_find(t, "plan_trip", &tokens, NULL));
	assert_true(terminal_find(t, "ask_form ", &name, NULL));
	assert_true(name < tokens);
	e2e_press(t, "f3");
	e2e_see_not(t, "overview ▸ demo");
	e2e_leave(t);
}

TEST_FILE(judgement)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_findings, e2e_teardown),
		cmocka_unit_test_teardown(test_finding_in_a_definition, e2e_teardown),
		cmocka_unit_test_teardown(test_lenses, e2e_teardown),
		cmocka_unit_test_teardown(test_costs, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
