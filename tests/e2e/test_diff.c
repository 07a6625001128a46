/* SPDX-License-Identifier: MIT */
/* `mcpane diff` and `mcpane snapshot`, as a script in CI uses them. */
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "e2e.h"
#include "program.h"
#include "terminal.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/mcpane-diff-XXXXXX";

static int
set_up(void **state)
{
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : 1;
}

static int
tear_down(void **state)
{
	static const char *const files[] = { "a.json", "b.json", "server.json" };

	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		unlink(files[i]);
	return chdir("/") != 0 || rmdir(folder) != 0;
}

static void
put(const char *path, const char *text)
{
	struct err err;

	if (!path_write_file(path, text, strlen(text), &err))
		fail_msg("%s", err.text);
}

/* words are split at blanks. */
static void
run(const char *line, int exit_code, const char *out, const char *err)
{
	char *words = mem_strdup(line), *rest = NULL;
	const char *argv[20] = { terminal_program() };
	struct program p = { 0 };
	size_t n = 1;

	for (char *w = strtok_r(words, " ", &rest); w && n < 19; w = strtok_r(NULL, " ", &rest))
		argv[n++] = w;
	program_start(&p, argv);
	program_finish(&p, "", 0);
	if (p.exit_code != exit_code)
		fail_msg("%s: exit %d, not %d\n%.2000s\n%.2000s", line, p.exit_code, exit_code,
		    buf_text(&p.out), buf_text(&p.err));
	if (!strstr(buf_text(&p.out), out))
		fail_msg("%s: no \"%s\" in\n%.2000s", line, out, buf_text(&p.out));
	if (!strstr(buf_text(&p.err), err))
		fail_msg("%s: no \"%s\" in\n%.2000s", line, err, buf_text(&p.err));
	program_wait_processes(&p, 0);
	program_free(&p);
	free(words);
}

static void
test_results(void **state)
{
	put("a.json",
	    "{\"result\":{\"content\":[],\"structuredContent\":{\"o\":[{\"id\":1,\"s\":\"a\"},"
	    "{\"id\":2,\"s\":\"b\"}]}},\"validation\":{\"status\":\"valid\"}}");
	put("b.json",
	    "{\"result\":{\"content\":[],\"structuredContent\":{\"o\":[{\"id\":2,\"s\":\"c\"}]}},"
	    "\"validation\":{\"status\":\"invalid\"}}");
	run("diff a.json b.json", 6,
	    "- structuredContent.o[id=1]: {\"id\": 1, \"s\": \"a\"}\n"
	    "~ structuredContent.o[id=2].s: \"b\" → \"c\"\n"
	    "1 removed, 1 changed; rows of structuredContent.o are matched by id\n",
	    "");
	run("diff a.json b.json --json", 6,
	    "{\"change\":\"changed\",\"path\":\"/structuredContent/o/0/s\","
	    "\"pathBefore\":\"/structuredContent/o/1/s\",\"before\":\"b\",\"after\":\"c\"}",
	    "");
	run("diff --key s ./a.json ./b.json", 6, "matched by s", "");
	run("diff --key none a.json b.json", 6, "matched by id",
	    "no table that differs has none; it could be id, s");
	run("diff a.json a.json", 0, "no difference\n", "");
	run("diff a.json a.json --json", 0, "\"different\":false", "");
	run("diff a.json b.json --breaking", 1, "", "--breaking: only two snapshots");
}

/* Two calls on the real screen: the new row, the unchanged rows, and the export. */
static void
test_on_the_screen(void **state)
{
	/* on a narrow screen the diff replaces the result */
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){
		       .argv = (const char *[]){ "--demo", NULL }, .rows = 36, .cols = 90 });
	struct buf text = BUF_INIT;

	e2e_wait(t, "list_users");
	e2e_run(t, "tool search_orders");
	e2e_run(t, "set limit 3");
	e2e_run(t, "call");
	e2e_wait(t, "ORD-1003");
	e2e_run(t, "set limit 4");
	e2e_run(t, "call");
	e2e_wait(t, "ORD-1004");
	e2e_press(t, "d");
	e2e_wait(t, "1 added");
	e2e_wait(t, "+ ORD-1004");
	e2e_see_not(t, "ORD-1001");
	e2e_press(t, "alt-q");
	e2e_wait(t, "ORD-1001");
	char *write = mem_printf("write %s/b.json", folder);
	e2e_run(t, write);
	e2e_wait(t, "wrote");
	assert_true(path_read_file("b.json", &text, NULL));
	assert_non_null(strstr(buf_text(&text), "+ orders[order_id=ORD-1004]: {"));
	assert_non_null(strstr(buf_text(&text), "1 added; rows of orders are matched by order_id"));
	buf_finish(&text);
	free(write);
	e2e_leave(t);
	e2e_teardown(state);
	*state = NULL;
}

static void
test_what_cannot_be_compared(void **state)
{
	put("a.json", "{");
	run("diff a.json", 1, "", "with what?");
	run("diff a.json a.json a.json", 1, "", "unexpected");
	run("diff a.json none.json", 1, "", "a.json:1:2: ");
	run("diff none.json a.json", 1, "", "none.json");
	run("diff --demo a.json", 1, "", "a.json:1:2: ");
	run("snapshot --demo", 1, "", "the file is missing");
	run("snapshot --demo none/server.json", 1, "", "none/server.json");
}

static void
test_a_server_and_its_snapshot(void **state)
{
	struct buf text = BUF_INIT;
	struct err err;

	run("snapshot --demo ./server.json", 0, "./server.json: 31 tools", "");
	run("diff --demo ./server.json", 0, "no difference\n", "");
	assert_true(path_read_file("server.json", &text, &err));
	buf_replace(&text, "\"maximum\": 500,", "\"maximum\": 900,");
	put("b.json", buf_text(&text));
	run("diff --demo b.json", 6, "  breaking       limit: maximum 900 → 500\n", "");
	run("diff --demo b.json --breaking", 6, "breaking changes", "");
	run("diff b.json server.json --breaking", 6, "limit: maximum 900 → 500", "");
	run("diff server.json b.json", 6, "  informational  limit: maximum 500 → 900\n", "");
	run("diff server.json b.json --breaking", 0, "maximum 500 → 900", "");
	run("diff server.json b.json --json", 6,
	    "{\"class\":\"informational\",\"subject\":\"tool list_users\"", "");
	run("snapshot --demo -", 0, "\n  \"snapshot\": 1,\n", "");
	put("a.json", "[1]");
	run("diff --demo a.json", 1, "", "a.json is not a snapshot: mcpane snapshot writes one\n");
	put("a.json", "{}");
	run("diff --demo a.json", 1, "", "a.json is not a snapshot");
	put("a.json", "{\"tools\":[]}"); /* a list of the server is one, too */
	run("diff --demo a.json", 6, "tool list_users\n", "");
	buf_finish(&text);
}

TEST_FILE(diff)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_results, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_on_the_screen, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_cannot_be_compared, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_server_and_its_snapshot, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
