/* SPDX-License-Identifier: MIT */
/* From a result to the next call, and calls as code. */
#include "e2e.h"
#include "test.h"

#include "base/mem.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct terminal *
open_orders(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_wait(t, "list_users");
	e2e_run(t, "tool search_orders");
	e2e_run(t, "call");
	e2e_wait(t, "structuredContent ▸ orders");
	e2e_run(t, "pane structured");
	return t;
}

/* A cell becomes the argument of the tool that asks for it, and that is called. */
static void
test_a_cell_into_a_form(void **state)
{
	struct terminal *t = open_orders(state);

	e2e_press(t, "j >");
	e2e_wait(t, "Pass on to which field?");
	e2e_see(t, "ORD-1002");
	e2e_press(t, "enter");
	e2e_wait(t, "filled in: F5 calls");
	e2e_see(t, "²update_order");
	e2e_see(t, "▌order_id");
	e2e_see(t, "ORD-1002");
	e2e_see_not(t, "\"ORD-1002\""); /* a text, not its JSON */
	e2e_press(t, "enter backspace");
	terminal_type(t, "3");
	e2e_press(t, "esc");
	e2e_see(t, "ORD-1003");
	e2e_see_not(t, "not JSON");
	e2e_press(t, "esc u");
	e2e_run(t, "tool search_orders");
	e2e_run(t, "pass update_order order_id");
	e2e_wait(t, "filled in: F5 calls");
	e2e_run(t, "set status shipped");
	e2e_run(t, "call!");
	e2e_wait(t, "delivered → shipped");
	e2e_leave(t);
}

/* The text of the menu narrows it; a URI is read. */
static void
test_menu_narrows(void **state)
{
	struct terminal *t = open_orders(state);

	e2e_press(t, ">");
	e2e_wait(t, "update_order");
	e2e_press(t, "r e v i e w");
	e2e_wait(t, "2 fields ");
	e2e_press(t, "enter");
	e2e_wait(t, "²review_order");
	e2e_see(t, "ORD-1001");
	e2e_leave(t);
}

/* The selected rows, once each, after a question; the table that comes of it is one like others. */
static void
test_once_for_each_row(void **state)
{
	struct terminal *t = open_orders(state);

	e2e_press(t, "space space space >");
	e2e_wait(t, "● 3 selected rows");
	e2e_see(t, "each a string");
	e2e_press(t, "enter");
	e2e_wait(t, "the first of 3 values is filled in");
	e2e_run(t, "set status shipped");
	e2e_press(t, "f5");
	e2e_wait(t, "Call it once for each value?");
	e2e_see(t, "update_order would be called 3 times");
	e2e_answer(t, "y");
	e2e_wait(t, "3 calls: 3 done · table");
	e2e_see(t, "ORD-1003");
	e2e_run(t, "sort input desc");
	e2e_wait(t, "input▼");
	char *file = e2e_file(t, "batch.csv", NULL);
	char *line = mem_printf("export csv %s", file);
	e2e_run(t, line);
	e2e_wait(t, "batch.csv, ");
	free(line);
	e2e_file_has(file, "input,state,ms,verdict,result.order.order_id");
	free(file);
	e2e_press(t, "m"); /* the call of the first row */
	e2e_wait(t, "ORD-1003: ");
	e2e_press(t, "H");
	e2e_wait(t, "4 calls");
	e2e_leave(t);
}

/* Failed calls stay in the table and can be repeated without the others. Ctrl-C stops running
 * calls. */
static void
test_failures_and_stop(void **state)
{
	struct terminal *t = open_orders(state);

	e2e_run(t, "pass column update_order status");
	e2e_wait(t, "values is filled in");
	e2e_run(t, "set order_id ORD-9999"); /* does not exist */
	e2e_press(t, "f5");
	e2e_wait(t, "Call it once for each value?");
	e2e_answer(t, "y");
	e2e_wait(t, "8 calls: 8 failed");
	e2e_press(t, "r");
	e2e_wait(t, "update_order would be called 8 times");
	e2e_answer(t, "n");
	e2e_run(t, "tool rows");
	e2e_run(t, "set count 100");
	e2e_run(t, "call");
	e2e_wait(t, "100 × 4");
	e2e_run(t, "set parallel 1");
	e2e_run(t, "pass column slow seconds");
	e2e_wait(t, "slow would be called 100 times");
	e2e_answer(t, "y");
	e2e_wait(t, "slow, once for each value");
	e2e_press(t, "ctrl-c");
	e2e_wait(t, "1 failed, 99 not called; F5 calls again what failed");
	e2e_press(t, "f5");
	e2e_wait(t, "slow would be called 100 times");
	e2e_answer(t, "y");
	e2e_wait(t, "slow, once for each value");
	e2e_press(t, "esc"); /* in another pane F5 calls the tool of the form */
	e2e_press(t, "ctrl-c");
	e2e_wait(t, "not called; Alt-b, then F5 calls again what failed");
	e2e_press(t, "alt-b f5");
	e2e_wait(t, "slow would be called ");
	e2e_answer(t, "n");
	e2e_leave(t);
}

/* A server as others write them: data in a text, many tools alike. */
static void
test_real_life(void **state)
{
	struct terminal *t = e2e_start(
	    state, &(struct terminal_options){
		       .argv = ARGV("--", "python3", "../shared/data/real-life/server.py") });

	e2e_wait(t, "json_text");
	e2e_run(t, "call");
	e2e_wait(t, "text block 1 as JSON");
	e2e_run(t, "pane structured");
	e2e_run(t, "column user.login");
	e2e_run(t, "filter number < 3");
	e2e_run(t, "pass column github_list_issues_0 owner");
	e2e_wait(t, "the first of 3 values is filled in");
	e2e_run(t, "set repo mcpane");
	e2e_press(t, "f5"); /* a read-only tool needs no confirmation */
	e2e_wait(t, "3 calls: 3 done");
	e2e_see(t, "gamma");
	e2e_leave(t);
}

/* Fields of another server that is connected are offered as its own, and its form opens. */
static void
test_to_another_server(void **state)
{
	char *text = mem_printf("{\"mcpServers\":{"
				"\"shop\":{\"command\":\"%s\",\"args\":[\"--serve-demo\"]},"
				"\"stock\":{\"command\":\"%s\",\"args\":[\"--serve-demo\"]}}}",
	    terminal_program(), terminal_program());
	char path[] = "/tmp/mcpane-two-XXXXXX";
	struct err err;

	close(mkstemp(path));
	assert_true(path_write_file(path, text, strlen(text), &err));
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){ .argv = ARGV("--config", path) });
	e2e_wait(t, "stock");
	e2e_run(t, "server stock");
	e2e_wait(t, "list_users");
	e2e_run(t, "server shop");
	e2e_wait(t, "list_users");
	e2e_run(t, "tool search_orders");
	e2e_run(t, "call");
	e2e_wait(t, "structuredContent ▸ orders");
	e2e_run(t, "pane structured");
	e2e_press(t, ">");
	e2e_wait(t, "string, required on stock");
	terminal_type(t, "update_order order_id");
	e2e_wait(t, "2 fields ");
	e2e_press(t, "down enter");
	e2e_wait(t, "filled in: F5 calls");
	e2e_see(t, "²update_order");
	e2e_run(t, "server shop"); /* it was the other one */
	e2e_wait(t, "²search_orders");
	e2e_leave(t);
	unlink(path);
	free(text);
}

/* The form offers the output of jq for another call's result; an outdated result is requested
 * again. */
static void
test_references(void **state)
{
	struct terminal *t = open_orders(state);

	e2e_run(t, "tool update_order");
	e2e_run(t, "field order_id");
	e2e_press(t, "enter");
	terminal_type(t, "@sea");
	e2e_wait(t, "@search_orders");
	e2e_press(t, "tab");
	terminal_type(t, ".orders[] | select(.status == \"open\") | .order_id");
	e2e_wait(t, "2 values");
	e2e_see(t, "ORD-1007");
	e2e_press(t, "down down enter");
	e2e_wait(t, "ORD-1008");
	e2e_see_not(t, "2 values");
	e2e_see(t, "1 call ");
	e2e_press(t, "esc up enter ctrl-u");
	terminal_type(t, "@search_orders(0s).orders[].order_id");
	e2e_wait(t, "8 values");
	e2e_see(t, "2 calls "); /* at any age */
	e2e_press(t, "esc ctrl-u");
	terminal_type(t, "@search_orders(5x)");
	e2e_wait(t, "an age is a number and s, m, h or d");
	e2e_press(t, "ctrl-u");
	terminal_type(t, "@list_users.a");
	e2e_wait(t, "no result of list_users yet");
	e2e_press(t, "ctrl-u");
	terminal_type(t, "@search_orders.nothing[");
	e2e_wait(t, "jq: ");
	e2e_leave(t);
}

/* All values at once are a batch. */
static void
test_all_values_of_a_reference(void **state)
{
	struct terminal *t = open_orders(state);

	e2e_run(t, "tool get_weather_data");
	e2e_run(t, "field location");
	e2e_press(t, "enter");
	e2e_press(t, "ctrl-u"); /* its default */
	terminal_type(t, "@search_orders.orders[].customer.country");
	e2e_wait(t, "all of them: a call for each");
	e2e_press(t, "down pgdn pgdn enter");
	e2e_wait(t, "8 calls: 8 done");
	e2e_leave(t);
}

/* Only tools that say that they read are called again without a question. */
static void
test_reference_to_a_tool_that_writes(void **state)
{
	struct terminal *t = open_orders(state);

	e2e_run(t, "pass update_order order_id");
	e2e_run(t, "set status shipped");
	e2e_run(t, "call!");
	e2e_wait(t, "2 calls");
	e2e_run(t, "field note");
	e2e_press(t, "enter");
	terminal_type(t, "@update_order(0s).order.order_id");
	e2e_wait(t, "too old; not marked read-only: call update_order");
	e2e_see(t, "2 calls");
	e2e_leave(t);
}

static void
test_a_call_as_code(void **state)
{
	struct terminal *t = open_orders(state);

	e2e_press(t, "H");
	e2e_wait(t, "1 call ─");
	e2e_press(t, "y");
	e2e_wait(t, "Copy the call as");
	e2e_press(t, "c enter");
	e2e_wait(t, "copied the command line of mcpane");
	e2e_run(t, "copy-as curl");
	e2e_wait(t, "curl speaks HTTP, which this server does not use");
	e2e_leave(t);
}

TEST_FILE(chain)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_a_cell_into_a_form, e2e_teardown),
		cmocka_unit_test_teardown(test_menu_narrows, e2e_teardown),
		cmocka_unit_test_teardown(test_once_for_each_row, e2e_teardown),
		cmocka_unit_test_teardown(test_failures_and_stop, e2e_teardown),
		cmocka_unit_test_teardown(test_real_life, e2e_teardown),
		cmocka_unit_test_teardown(test_to_another_server, e2e_teardown),
		cmocka_unit_test_teardown(test_references, e2e_teardown),
		cmocka_unit_test_teardown(test_all_values_of_a_reference, e2e_teardown),
		cmocka_unit_test_teardown(test_reference_to_a_tool_that_writes, e2e_teardown),
		cmocka_unit_test_teardown(test_a_call_as_code, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
