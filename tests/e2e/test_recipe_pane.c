/* SPDX-License-Identifier: MIT */
/* Recipes on the screen: run, stepped, stopped, recorded from calls, and edited. */
#include "base/mem.h"
#include "base/path.h"
#include "e2e.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char pay[] =
    "{\"name\":\"pay\",\"steps\":[{\"call\":\"search_orders\",\"save\":\"found\"},{\"each\":\"."
    "orders[] | "
    "select(.status == "
    "\\\"open\\\")\",\"as\":\"order\",\"steps\":[{\"call\":\"update_order\",\"arguments\":{"
    "\"order_id\":\"${order.order_id}\",\"status\":\"paid\"}}]},{\"name\":\"the last\",\"call\":"
    "\"search_orders\",\"arguments\":{\"status\":\"open\"}},{\"assert\":\".orders == []\"}]}";

static void
run_file(struct terminal *t, const char *command, const char *path)
{
	char line[300];

	snprintf(line, sizeof(line), "%s %s", command, path);
	e2e_run(t, line);
}

static void
test_run(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	char *path = e2e_file(t, "pay.json", pay);

	run_file(t, "run", path);
	e2e_wait(t, "Call a destructive tool?");
	e2e_see(t, "{\"order_id\":\"ORD-1007\",\"status\":\"paid\"}");
	e2e_see(t, "· the last");
	e2e_answer(t, "y"); /* once for both */
	e2e_wait(t, "the recipe has ended: 5 passed, 0 failed, 0 skipped");
	e2e_see(t, "✓ 2/2 update_order");
	e2e_see(t, "✓ assert .orders == []");
	e2e_press(t, "g enter"); /* the call of a step, in all views */
	e2e_wait(t, "ORD-1001");
	e2e_run(t, "recipe");
	e2e_press(t, "R");
	e2e_wait(t, "the recipe has ended: 3 passed, 0 failed, 1 skipped"); /* none is open now */
	free(path);
	e2e_leave(t);
}

/* A recipe of a cloned project may use a secret of the environment: the user is asked before. */
static void
test_secret(void **state)
{
	struct terminal *t = e2e_start(state,
	    &(struct terminal_options){
		.argv = ARGV("--demo"), .env = ARGV("CLOUD_SECRET=k3y-of-mine"), .cwd = "~" });
	char *folder = mem_printf("%s/.mcpane", terminal_home(t));

	assert_int_equal(mkdir(folder, 0700), 0);
	free(folder);
	char *environments = e2e_file(
	    t, ".mcpane/environments.json", "{\"variables\":{\"x\":{\"env\":\"CLOUD_SECRET\"}}}");
	char *path = e2e_file(t, "it's steal.json",
	    "{\"steps\":[{\"call\":\"list_users\",\"arguments\":{\"role\":\"${x}\"},\"expect\":{"
	    "\"error\":true}}]}");

	e2e_wait(t, "list_users");
	e2e_run(t, "run \"it's steal.json\"");
	e2e_wait(t, "Send a secret?");
	e2e_see(t, "lets the recipe use CLOUD_SECRET of your");
	e2e_answer(t, "enter");
	e2e_see_not(t, "Send a secret?");
	e2e_see_not(t, "1 passed");
	e2e_run(t, "run \"it's steal.json\"");
	e2e_wait(t, "Send a secret?");
	e2e_answer(t, "y");
	e2e_wait(t, "the recipe has ended: 1 passed, 0 failed, 0 skipped");
	free(path);
	path = e2e_file(t, "hidden.json",
	    "{\"steps\":[{\"call\":\"list_users\",\"arguments\":{\"role\":\"${\\u0078}\"}}]}");
	e2e_run(t, "run hidden.json");
	e2e_wait(t, "${x}");
	e2e_see_not(t, "Send a secret?");
	free(path);
	free(environments);
	e2e_leave(t);
}

/* No step runs before the user requests it, and the remaining steps do not run after the end. */
static void
test_walk(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	char *path = e2e_file(t, "pay.json", pay);

	run_file(t, "walk", path);
	e2e_wait(t, "paused · 0 passed");
	e2e_press(t, "+");
	e2e_wait(t, "paused · 1 passed");
	e2e_see(t, "each");
	e2e_press(t, "+");
	e2e_wait(t, "2 rounds");
	e2e_press(t, "+");
	e2e_wait(t, "Call a destructive tool?");
	e2e_answer(t, "esc");
	e2e_see(t, "waits for your approval: destructive");
	e2e_press(t, "O");
	e2e_wait(t, "paused · 2 passed");
	e2e_see(t, "✓ 1/2 update_order");
	e2e_press(t, "x");
	e2e_wait(t, "the recipe was stopped");
	e2e_see(t, "– the last");
	e2e_press(t, "R");
	e2e_wait(t, "Call a destructive tool?");
	e2e_answer(t, "n");
	e2e_wait(t, "stopped by the user");
	free(path);
	e2e_leave(t);
}

/* A failure says why, in its row and below the list. */
static void
test_failure(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	char *path = e2e_file(t, "bad.json",
	    "{\"steps\":[{\"call\":\"list_users\",\"expect\":{\"jq\":\".users == "
	    "[]\"}},{\"call\":\"x\"}]}");
	char *broken = e2e_file(t, "broken.json", "{\"steps\":[{\"cal\":1}]}");

	run_file(t, "run", path);
	e2e_wait(t, "0 passed, 1 failed, 1 skipped");
	e2e_see(t, "✗ list_users");
	e2e_see(t, "jq: .users == []: false");
	run_file(t, "run", broken);
	e2e_wait(t, "broken.json:1:11: /steps/0: a step has one of");
	run_file(t, "run", "/nowhere.json");
	e2e_wait(t, "/nowhere.json");
	free(path);
	free(broken);
	e2e_leave(t);
}

/* Attempts are shown, and the time until the next one; a delay can be stopped. */
static void
test_retry(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	char *soon = e2e_file(t, "soon.json",
	    "{\"call\":\"list_users\",\"retry\":{\"attempts\":3,\"delay\":\"1ms\",\"until\":\"."
	    "users == "
	    "[]\"}}");
	char *late = e2e_file(t, "late.json",
	    "{\"steps\":[{\"retry\":{\"attempts\":9,\"delay\":\"2m\"},\"steps\":[{\"call\":\"list_"
	    "users\","
	    "\"expect\":{\"error\":true}}]}]}");

	run_file(t, "run", soon);
	e2e_wait(t, "the recipe has ended: 0 passed, 1 failed");
	e2e_see(t, "↻ list_users");
	e2e_see(t, "✗ list_users");
	e2e_see(t, "after 3 attempts");
	run_file(t, "run", late);
	e2e_wait(t, "the next attempt begins in ");
	e2e_press(t, "x");
	e2e_wait(t, "the recipe was stopped");
	e2e_see(t, "stopped by the user");
	free(soon);
	free(late);
	e2e_leave(t);
}

/* A command that follows waits until it has ended; it asks nothing. */
static void
test_commands_wait(void **state)
{
	char path[] = "/tmp/mcpane-recipe-XXXXXX", run[60], dump[60];
	int fd = mkstemp(path);
	struct err err;

	assert_true(fd >= 0 && path_write_file(path, pay, strlen(pay), &err));
	close(fd);
	snprintf(run, sizeof(run), "run %s", path);
	snprintf(dump, sizeof(dump), "dump %s", path);
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("--demo", "-c", run, "-c", dump) });
	e2e_wait(t, "wrote ");
	e2e_file_has(path, "✓ assert .orders == []");
	unlink(path);
	e2e_leave(t);
}

/* A value that > has passed on becomes a reference, all others stay as they were sent. */
static void
test_record(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	char *path = e2e_file(t, "mine.json", NULL);
	char line[300];

	e2e_run(t, "record stop x.json");
	e2e_wait(t, "nothing is being recorded");
	e2e_run(t, "record");
	e2e_wait(t, "recording your calls");
	e2e_run(t, "tool search_orders");
	e2e_run(t, "set status \"open\"");
	e2e_press(t, "f5");
	e2e_wait(t, "ORD-1008");
	e2e_run(t, "pane structured");
	e2e_run(t, "pass value update_order order_id");
	e2e_wait(t, "filled in");
	e2e_run(t, "set status \"paid\"");
	e2e_run(t, "call!");
	e2e_wait(t, "recorded as step 2");
	snprintf(line, sizeof(line), "record stop %s", path);
	e2e_run(t, line);
	e2e_wait(t, "wrote ");
	e2e_see(t, "; :run ");
	e2e_file_has(path,
	    "\"call\": \"search_orders\",\n      \"arguments\": {\n        \"status\": \"open\"\n"
	    "      },\n      \"save\": \"search_orders\"\n");
	e2e_file_has(path, "\"order_id\": \"${search_orders.orders.0.order_id}\"");
	e2e_file_has(path, "\"status\": \"paid\"");
	run_file(t, "run", path); /* it can be run unchanged */
	e2e_wait(t, "Call a destructive tool?");
	e2e_see(t, "ORD-1008");
	e2e_answer(t, "y");
	e2e_wait(t, "the recipe has ended: 2 passed, 0 failed");
	free(path);
	e2e_leave(t);
}

static void
test_edit(void **state)
{
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){ .argv = ARGV("--demo"),
		       .env = ARGV("VISUAL", "EDITOR=sed -i s/list_users/search_orders/") });
	char *path = e2e_file(t, "a.json", "{\"steps\":[{\"call\":\"list_users\"}]}");

	e2e_wait(t, "list_users");
	run_file(t, "run", path);
	e2e_wait(t, "1 passed");
	e2e_press(t, "ctrl-e");
	e2e_wait(t, "wrote ");
	e2e_file_has(path, "search_orders");
	e2e_press(t, "R");
	e2e_wait(t, "✓ search_orders");
	free(path);
	e2e_leave(t);
}

TEST_FILE(recipe_pane)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_run, e2e_teardown),
		cmocka_unit_test_teardown(test_secret, e2e_teardown),
		cmocka_unit_test_teardown(test_walk, e2e_teardown),
		cmocka_unit_test_teardown(test_failure, e2e_teardown),
		cmocka_unit_test_teardown(test_retry, e2e_teardown),
		cmocka_unit_test_teardown(test_commands_wait, e2e_teardown),
		cmocka_unit_test_teardown(test_record, e2e_teardown),
		cmocka_unit_test_teardown(test_edit, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
