/* From a result to the next call, and calls as code. */
#include "e2e.h"
#include "test.h"

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
	e2e_wait(t, "filled in; u takes it back");
	e2e_see(t, "²update_order");
	e2e_see(t, "▌order_id");
	e2e_see(t, "ORD-1002");
	e2e_press(t, "u");
	e2e_run(t, "tool search_orders");
	e2e_run(t, "pass update_order order_id");
	e2e_wait(t, "filled in; u takes it back");
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
		cmocka_unit_test_teardown(test_a_call_as_code, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
