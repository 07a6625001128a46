/* SPDX-License-Identifier: MIT */
/* Elicitation at a shell prompt: asks field by field on a terminal, and refuses without one. */
#include "program.h"
#include "terminal.h"
#include "test.h"

#include <string.h>

static struct terminal *
start(const char *tool)
{
	return terminal_start(
	    &(struct terminal_options){ .argv = ARGV(terminal_program(), "call", "--demo", tool) });
}

static void
answer(struct terminal *t, const char *question, const char *line)
{
	terminal_wait_text(t, question);
	terminal_type(t, line);
	terminal_type(t, "\r");
}

/* Types, choices by number, a default that Enter keeps, a value that is refused. */
static void
test_form(void **state)
{
	struct terminal *t = start("ask_form");

	answer(t, "Name: string, 2", "x");
	answer(t, "expected at least 2 characters", "Ann");
	answer(t, "email: string, format email", "-");
	answer(t, "site: string", "");
	answer(t, "Enter keeps 2026-08-01", "");
	answer(t, "at: string", "");
	answer(t, "Enter keeps 3", "7");
	answer(t, "weight: number", "");
	answer(t, "express: boolean", "n");
	answer(t, "3 L", "3");
	answer(t, "2 Green", "2");
	answer(t, "2 card", "1 2");
	answer(t, "1* Monday", "");
	answer(t, "2 France", "Germany");
	answer(t, "y sends this, n declines, c cancels", "y");
	terminal_wait_text(t, "the server requested: elicitation/create");
	terminal_wait_text(t, "(accepted)");
	terminal_wait_text(t, "\"pieces\": 7,");
	terminal_wait_text(t, "\"express\": false,");
	terminal_wait_text(t, "\"size\": \"L\",");
	terminal_wait_text(t, "\"color\": \"#0f0\",");
	assert_int_equal(terminal_wait_exit(t), 0);
	terminal_close(t);
}

static void
end_by(const char *tool, const char *question, const char *typed, const char *outcome)
{
	struct terminal *t = start(tool);

	terminal_wait_text(t, question);
	terminal_type(t, typed);
	terminal_wait_text(t, outcome);
	assert_int_equal(terminal_wait_exit(t), 0);
	terminal_close(t);
}

static void
test_other_ends(void **state)
{
	end_by("ask_form", "Name: string", ":decline\r", "(declined)");
	end_by("ask_form", "Name: string", ":cancel\r", "(cancelled)");
	end_by("ask_form", "Name: string", "\x04", "(cancelled)");
	end_by("ask_url", "y agrees to visit it", "n\r", "(declined)");
	end_by("ask_url", "punycode", "y\r", "(accepted)");
}

/* A URL that must not be opened cannot be accepted by any answer. */
static void
test_unsafe_url(void **state)
{
	struct terminal *t = terminal_start(
	    &(struct terminal_options){ .argv = ARGV(terminal_program(), "call", "echo", "--",
					    terminal_fixture("badserver"), "asks-url") });

	terminal_wait_text(t, "it cannot be opened: ");
	terminal_wait_text(t, "javascript:alert(1)");
	answer(t, "mcpane: n declines, c cancels", "y");
	terminal_type(t, "n\r");
	terminal_wait_text(t, "(declined)");
	assert_int_equal(terminal_wait_exit(t), 0);
	assert_false(terminal_find(t, "(accepted)", NULL, NULL));
	terminal_close(t);
}

/* Without a terminal, or with --elicit, as ever. */
static void
test_not_asked(void **state)
{
	const char *argv[] = { terminal_program(), "call", "--demo", "ask_form", NULL };
	struct program p = { 0 };

	program_run(&p, argv);
	assert_non_null(strstr(buf_text(&p.err), "(declined)"));
	assert_null(strstr(buf_text(&p.err), "asks:"));
	program_free(&p);
	struct terminal *t = terminal_start(&(struct terminal_options){
	    .argv = ARGV(terminal_program(), "call", "--demo", "ask_form", "--elicit", "cancel") });
	terminal_wait_text(t, "(cancelled)");
	assert_int_equal(terminal_wait_exit(t), 0);
	terminal_close(t);
}

TEST_FILE(cli_ask)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_form),
		cmocka_unit_test(test_other_ends),
		cmocka_unit_test(test_unsafe_url),
		cmocka_unit_test(test_not_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
