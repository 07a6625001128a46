/* SPDX-License-Identifier: MIT */
/* Recipes on a server of others: recorded, run, paused, stepped, stopped and resumed on the screen,
 * run and tested by the command line, with a lock. */
#include "e2e.h"
#include "interop.h"
#include "program.h"
#include "test.h"

#include "base/mem.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

#define DIR "build/interop"
#define SERVER                 \
	"--", DIR "/run-node", \
	    DIR "/node_modules/@modelcontextprotocol/server-everything/dist/index.js", "stdio"

static char folder[] = "/tmp/mcpane-npm-recipes-XXXXXX";

static int
make_folder(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int
remove_folder(void **state)
{
	char *command = mem_printf("rm -rf %s", folder);
	int status = system(command);

	free(command);
	return status;
}

static char *
in_folder(const char *name)
{
	return mem_printf("%s/%s", folder, name);
}

static void
run_line(struct terminal *t, const char *command, const char *file)
{
	char *line = mem_printf("%s %s", command, file);

	e2e_run(t, line);
	free(line);
}

static void
call(struct terminal *t, const char *const *lines, const char *result)
{
	for (; *lines; lines++)
		e2e_run(t, *lines);
	e2e_press(t, "f5");
	e2e_wait(t, result);
}

static void
expect_run(int exit_code, const char *text, const char *const *argv)
{
	struct program p;

	program_run(&p, argv);
	if (p.exit_code != exit_code || !strstr(buf_text(&p.out), text))
		fail_msg("exit %d, not %d, or no %s\n%s\n%s", p.exit_code, exit_code, text,
		    buf_text(&p.out), buf_text(&p.err));
	program_free(&p);
}

static void
test_screen(void **state)
{
	char *file = in_folder("recorded.json");
	struct terminal *t = e2e_start(state, &(struct terminal_options){ .argv = ARGV(SERVER) });

	e2e_wait(t, "get-sum");
	e2e_run(t, "record");
	e2e_wait(t, "recording your calls");
	call(t, ARGV("tool echo", "set message \"one two\""), "Echo: one two");
	call(t, ARGV("tool trigger-long-running-operation", "set duration 1", "set steps 2"),
	    "operation completed");
	call(t, ARGV("tool get-sum", "set a 2", "set b 40"), "is 42");
	run_line(t, "record stop", file);
	e2e_wait(t, "wrote ");
	run_line(t, "run", file);
	e2e_wait(t, "1 passed");
	e2e_press(t, "Z"); /* while the second runs */
	e2e_wait(t, "paused · 2 passed");
	e2e_press(t, "Z");
	e2e_wait(t, "the recipe has ended: 3 passed, 0 failed, 0 skipped");
	run_line(t, "walk", file);
	e2e_wait(t, "paused · 0 passed");
	e2e_press(t, "+");
	e2e_wait(t, "paused · 1 passed");
	e2e_press(t, "x");
	e2e_wait(t, "the recipe was stopped");
	e2e_press(t, "R");
	e2e_wait(t, "the recipe has ended: 3 passed, 0 failed, 0 skipped");
	e2e_leave(t);
	expect_run(0, "3 passed, 0 failed", ARGV(terminal_program(), "run", file, SERVER));
	free(file);
}

/* The lock, with another text in the place of this one. */
static void
change(const char *lock, const char *from, const char *to)
{
	struct buf text = BUF_INIT, changed = BUF_INIT;

	assert_true(path_read_file(lock, &text, NULL));
	const char *at = strstr(buf_text(&text), from);
	assert_non_null(at);
	buf_add(&changed, text.data, (size_t)(at - text.data));
	buf_addf(&changed, "%s%s", to, at + strlen(from));
	assert_true(path_write_file(lock, changed.data, changed.len, NULL));
	buf_finish(&text);
	buf_finish(&changed);
}

static void
test_drift(void **state)
{
	static const char sum[] =
	    "{\"tests\":[{\"call\":\"get-sum\",\"arguments\":{\"a\":2,\"b\":40}},"
	    "{\"call\":\"get-structured-content\",\"arguments\":{\"location\":\"Chicago\"},"
	    "\"expect\":{\"verdict\":\"valid\"}}]}";
	char *file = in_folder("sum.json"), *lock = in_folder("lock.json");

	assert_true(path_write_file(file, sum, strlen(sum), NULL));
	expect_run(0, "", ARGV(terminal_program(), "snapshot", lock, SERVER));
	expect_run(0, "ok      the definitions are those of the lock",
	    ARGV(terminal_program(), "test", file, "--lock", lock, SERVER));
	change(lock, "Message to echo", "The message");
	expect_run(6, "2 passed, 1 failed",
	    ARGV(terminal_program(), "test", file, "--lock", lock, SERVER));
	change(lock, "\"get-sum\"", "\"get-total\"");
	expect_run(6, "breaking", ARGV(terminal_program(), "test", file, "--lock", lock, SERVER));
	free(file);
	free(lock);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(test_screen, e2e_teardown),
	cmocka_unit_test(test_drift),
};

TEST_FILE(npm_recipes)
{
	if (!interop_ready("sh tests/interop/install.sh " DIR, sizeof(tests) / sizeof(*tests)))
		return INTEROP_SKIPPED;
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
