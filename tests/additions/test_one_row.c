/* SPDX-License-Identifier: MIT */
/* docs/ARCHITECTURE.md, "Where to add things": what build.sh adds by these steps alone is in the
 * program then, in every place that comes from a row. */
#include "base/buf.h"
#include "base/path.h"
#include "base/vec.h"
#include "e2e.h"
#include "program.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "build/additions"
#define PROGRAM FOLDER "/build/mcpane"

static void
write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void
expect(int exit_code, const char *const *argv, const char *out, const char *err)
{
	struct program p = { 0 };

	program_run(&p, argv);
	if (!strstr(buf_text(&p.out), out) || !strstr(buf_text(&p.err), err))
		fail_msg("no \"%s\" or no \"%s\" in:\n%s%s", out, err, buf_text(&p.out),
		    buf_text(&p.err));
	assert_int_equal(p.exit_code, exit_code);
	program_free(&p);
}

static void
test_subcommand(void **state)
{
	expect(0, ARGV(PROGRAM, "--help"), "  mcpane added \n", "");
	expect(0, ARGV(PROGRAM, "added"), "said by the added subcommand\n", "");
	expect(1, ARGV(PROGRAM, "added", "--json"), "", "--json");
}

static void
test_keyword(void **state)
{
	write_text(FOLDER "/schema.json", "{\"items\": {\"evenBytes\": true}}");
	write_text(FOLDER "/wrong.json", "{\"evenBytes\": 1}");
	write_text(FOLDER "/good.json", "[\"four\", 3]");
	write_text(FOLDER "/bad.json", "[\"three\"]");
	expect(0, ARGV(PROGRAM, "check", FOLDER "/schema.json", FOLDER "/good.json"),
	    "good.json: valid", "");
	expect(7, ARGV(PROGRAM, "check", FOLDER "/schema.json", FOLDER "/bad.json"),
	    "bad.json:1:2: /0: string \"three\", expected an even number of bytes "
	    "(/items/evenBytes)",
	    "");
	expect(
	    1, ARGV(PROGRAM, "check", FOLDER "/wrong.json", FOLDER "/bad.json"), "", "/evenBytes");
}

static void
test_finding_about_a_schema(void **state)
{
	write_text(FOLDER "/schema.json", "{\"items\": {\"x-added\": true}}");
	write_text(FOLDER "/good.json", "[]");
	expect(0, ARGV(PROGRAM, "check", FOLDER "/schema.json", FOLDER "/good.json"), "valid",
	    "/items/x-added: warning: found by the added row");
}

/* A server that asks by the added method, and answers a ping once it has its own answer. */
static const char SERVER[] =
    "id() { printf %s \"$1\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/'; }\n"
    "read -r line\n"
    "printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}\\n' \"$(id "
    "\"$line\")\"\n"
    "printf '{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"added/question\"}\\n'\n"
    "ping= answer=\n"
    "while read -r line; do\n"
    "	case $line in\n"
    "	*'\"id\":\"q\"'*) answer=$line ;;\n"
    "	*'\"method\":\"ping\"'*) ping=$(id \"$line\") ;;\n"
    "	esac\n"
    "	[ \"$ping\" ] && [ \"$answer\" ] || continue\n"
    "	printf %s \"$answer\" >" FOLDER "/answer\n"
    "	printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\\n' \"$ping\"\n"
    "	ping=\n"
    "done\n";

static void
test_method(void **state)
{
	struct buf answer = BUF_INIT;
	struct err err;

	write_text(FOLDER "/server.sh", SERVER);
	expect(0, ARGV(PROGRAM, "ping", "--era", "legacy", "--", "sh", FOLDER "/server.sh"),
	    "ping in", "");
	assert_true(path_read_file(FOLDER "/answer", &answer, &err));
	assert_string_equal(
	    buf_text(&answer), "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{\"added\":true}}");
	buf_finish(&answer);
}

static void
test_finding_about_a_handshake(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "overview");
	e2e_see(t, "judged by the added row");
	e2e_leave(t);
}

static void
test_theme(void **state)
{
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--theme", "added", "--demo"),
				 .env = ARGV("COLORTERM=truecolor") });

	e2e_wait(t, "list_users");
	assert_int_equal(e2e_cell(t, "list_users_before").bg, TERMINAL_RGB | 0x010203);
	e2e_run(t, "theme dark");
	assert_int_not_equal(e2e_cell(t, "list_users_before").bg, TERMINAL_RGB | 0x010203);
	e2e_run(t, "theme added");
	assert_int_equal(e2e_cell(t, "list_users_before").bg, TERMINAL_RGB | 0x010203);
	e2e_leave(t);
}

static void
test_pane(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "added");
	e2e_see(t, "an added pane ─");
	e2e_see(t, "drawn by the added pane");
	e2e_run(t, "added");
	e2e_see_not(t, "drawn by the added pane");
	e2e_run(t, "pane added");
	e2e_see(t, "drawn by the added pane");
	terminal_type(t, ":added");
	e2e_wait(t, "show or hide the added pane");
	e2e_press(t, "esc esc");
	e2e_leave(t);
}

static void
test_view(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_press(t, "f5");
	e2e_wait(t, "Charlie");
	e2e_run(t, "view added");
	e2e_see(t, "drawn by the added view, turned 0 times");
	e2e_see_not(t, "Charlie");
	e2e_run(t, "pane structured");
	e2e_press(t, "ctrl-g");
	e2e_see(t, "turned 1 times");
	e2e_run(t, "turn-added");
	e2e_see(t, "turned 2 times");
	e2e_run(t, "view table");
	e2e_see(t, "Charlie");
	e2e_leave(t);
}

TEST_FILE(one_row)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_subcommand),
		cmocka_unit_test(test_keyword),
		cmocka_unit_test(test_finding_about_a_schema),
		cmocka_unit_test(test_method),
		cmocka_unit_test_teardown(test_finding_about_a_handshake, e2e_teardown),
		cmocka_unit_test_teardown(test_theme, e2e_teardown),
		cmocka_unit_test_teardown(test_pane, e2e_teardown),
		cmocka_unit_test_teardown(test_view, e2e_teardown),
	};

	if (system("sh tests/additions/build.sh " FOLDER) != 0)
		return 1;
	setenv("MCPANE", PROGRAM, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
