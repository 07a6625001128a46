/* SPDX-License-Identifier: MIT */
/* Forms with alternatives in their schema, on the real program: variants, maps, sent values. */
#include "e2e.h"
#include "test.h"

static void
test_variants(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool draw_shape");
	e2e_see(t, "radius *");
	e2e_press(t, "down down down enter");
	terminal_type(t, "kept");
	e2e_press(t, "esc up up up enter");
	e2e_see(t, "Polygon");
	e2e_press(t, "r enter"); /* by its letter */
	e2e_see(t, "width *");
	e2e_see_not(t, "radius *");
	e2e_see(t, "kept");
	e2e_press(t, "down down");
	terminal_type(t, "2.50");
	e2e_press(t, "tab");
	terminal_type(t, "4");
	e2e_press(t, "f5");
	e2e_wait(t, "A rectangle of area 10.00");
	e2e_run(t, "wire");
	e2e_press(t, "end enter");
	e2e_see(t, "\"kind\": \"rectangle\",");
	e2e_see(t, "\"width\": 2.50,");
	e2e_see(t, "\"name\": \"kept\"");
	e2e_see_not(t, "radius");
	e2e_leave(t);
}

static void
test_what_is_set_chooses(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool draw_shape");
	e2e_run(t, "set shape {\"kind\":\"polygon\",\"points\":[{\"x\":0,\"y\":0}]}");
	e2e_see(t, "points *");
	e2e_press(t, "f5"); /* too few points: said at their field, and asked */
	e2e_wait(t, "Call it anyway?");
	e2e_press(t, "esc");
	e2e_see(t, "at least 3 items");
	e2e_run(t, "set shape.kind circle");
	e2e_see(t, "radius *");
	e2e_run(t, "set fill {\"r\":1,\"g\":2,\"b\":3}");
	e2e_see(t, "RGB");
	e2e_run(t, "call");
	e2e_wait(t, "A circle of area 3.14");
	e2e_leave(t);
}

static void
test_names_of_a_map(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool draw_shape");
	e2e_run(t, "set labels {}");
	e2e_press(t, "end up up enter");
	terminal_type(t, "title");
	e2e_press(t, "enter");
	terminal_type(t, "A circle");
	e2e_press(t, "esc c");
	terminal_type(t, "caption");
	e2e_press(t, "enter f5");
	e2e_wait(t, "A circle of area 3.14");
	e2e_see(t, "caption");
	e2e_run(t, "wire");
	e2e_press(t, "end enter");
	e2e_see(t, "\"caption\": \"A circle\"");
	e2e_leave(t);
}

static void
test_files_and_preview(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool draw_shape");
	e2e_run(t, "file shape.name LICENSE");
	e2e_see(t, "bytes as text");
	e2e_run(t, "file shape.name base64 LICENSE");
	e2e_see(t, "bytes as base64");
	e2e_run(t, "file shape.name /dev/zero");
	e2e_see(t, "not a regular file");
	e2e_run(t, "set shape {\"kind\":\"circle\",\"radius\":9007199254740993.10}");
	e2e_press(t, "esc p");
	e2e_see(t, "\"radius\": 9007199254740993.10");
	e2e_press(t, "esc");
	e2e_see(t, "radius *");
	e2e_leave(t);
}

/* A tuple, a union in one row, an enum: the sent values are the shown ones. */
static void
test_parts(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool plan_trip");
	e2e_press(t, "enter B y space c enter"); /* by its title */
	e2e_see(t, "By car  car");
	e2e_press(t, "down down down enter down");
	terminal_type(t, "48.10");
	e2e_press(t, "tab");
	terminal_type(t, "11");
	e2e_press(t, "tab");
	terminal_type(t, "12.50");
	e2e_see(t, "number ");
	e2e_press(t, "esc ~");
	e2e_see(t, "string ");
	e2e_press(t, "down esc a");
	e2e_see(t, "bicycle");
	e2e_press(t, "down enter");
	terminal_type(t, "2");
	e2e_press(t, "esc p");
	e2e_see(t, "\"budget\": \"12.50\",");
	e2e_see(t, "\"adult\": 2");
	e2e_see(t, "48.10,");
	e2e_press(t, "esc");
	e2e_run(t, "set email a@example.com");
	e2e_run(t, "call!");
	e2e_wait(t, "A trip by car, 2 adult");
	e2e_leave(t);
}

/* Dates and times: changed by keys and by text, and checked while typing. */
static void
test_dates(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool plan_trip");
	e2e_run(t, "set by \"train\"");
	e2e_press(t, "down enter");
	terminal_type(t, "2026-12-31");
	e2e_press(t, "up");
	e2e_see(t, "2027-01-01"); /* the day, into the next year */
	e2e_press(t, "home up down down");
	e2e_see(t, "2026-01-01");
	e2e_press(t, "enter");
	terminal_type(t, "2026-02-30T10:00:00Z");
	e2e_press(t, "esc");
	e2e_see(t, "✗ expected a date and time");
	e2e_press(t, "enter ctrl-u");
	terminal_type(t, "2016-12-31T23:59:60Z");
	e2e_press(t, "left up");
	e2e_see(t, "2017-01-01T00:00:00Z"); /* after a leap second */
	e2e_press(t, "left left left left left left up");
	e2e_see(t, "2017-01-01T01:00:00Z");
	e2e_press(t, "esc p");
	e2e_see(t, "\"day\": \"2026-01-01\"");
	e2e_see(t, "\"back\": \"2017-01-01T01:00:00Z\"");
	e2e_press(t, "esc enter ctrl-u ctrl-n esc p"); /* now */
	e2e_see_not(t, "2017-01-01");
	e2e_see(t, "\"back\": \"20");
	e2e_press(t, "esc");
	e2e_leave(t);
}

/* Menus of choices: titles with their values, typing filters, several can be ticked. */
static void
test_menus(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool plan_trip");
	e2e_press(t, "enter");
	e2e_see(t, "By train  train");
	e2e_see(t, "By car    car · Asks for a plate");
	terminal_type(t, "CAR");
	e2e_press(t, "down");
	e2e_see(t, "By car  car");
	e2e_see_not(t, "By train");
	e2e_press(t, "backspace backspace backspace");
	e2e_see(t, "By train  train");
	terminal_type(t, "nothing");
	e2e_press(t, "down");
	e2e_see(t, "no choice contains this text");
	e2e_press(t, "esc esc"); /* the text, then the menu: nothing is chosen */
	e2e_see_not(t, "By train");
	e2e_run(t, "set by \"train\"");
	e2e_run(t, "set extras []");
	e2e_press(t, "home down down down down down down enter");
	e2e_see(t, "[ ] A meal");
	e2e_press(t, "space");
	e2e_see(t, "[x] A meal");
	terminal_type(t, "fi"); /* within a title, or a value */
	e2e_press(t, "space");
	e2e_see(t, "[x] Wi-Fi");
	e2e_see_not(t, "A quiet place");
	e2e_press(t, "esc down down");
	e2e_see(t, "[x] A meal");
	e2e_see(t, "[ ] A quiet place");
	e2e_press(t, "enter esc p");
	e2e_see(t, "\"extras\": [");
	e2e_see(t, "\"meal\",");
	e2e_see(t, "\"wifi\"");
	e2e_press(t, "esc");
	e2e_leave(t);
}

/* Typing into a focused form fills it in: no letter acts as a command on any field, and none is
 * lost. */
static void
test_typing_runs_no_command(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool search_orders");
	e2e_press(t, "down"); /* from a choice to a text */
	terminal_type(t, "Alice rwqXC/:?;>12");
	terminal_barrier(t);
	e2e_see(t, "Alice rwqXC/:?;>12");
	e2e_see_not(t, "1 call");
	e2e_press(t, "tab"); /* the default is selected */
	terminal_type(t, "7");
	e2e_press(t, "enter"); /* the button: its letters do nothing either */
	terminal_type(t, "rqC");
	terminal_barrier(t);
	e2e_see(t, "letters are text in a form");
	e2e_see_not(t, "1 call");
	e2e_press(t, "home");
	terminal_type(t, "op"); /* the choice that begins so */
	e2e_press(t, "enter down");
	terminal_type(t, "Ivan"); /* replaces the value */
	e2e_press(t, "f5");
	e2e_wait(t, "1 call");
	e2e_run(t, "wire");
	e2e_press(t, "end enter");
	e2e_see(t, "\"status\": \"open\",");
	e2e_see(t, "\"customer\": \"Ivan\",");
	e2e_see(t, "\"limit\": 7");
	e2e_leave(t);
}

/* From a text field through a choice, a switch and an array: Tab never leaves the form, and the
 * bottom bar says so. */
static void
test_tab_through_all_kinds(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool update_order");
	e2e_see(t, "Tab pane");
	terminal_type(t, "ORD-1001");
	e2e_press(t, "tab");
	e2e_see(t, "Tab next field");
	terminal_type(t, "sh");
	e2e_press(t, "tab");
	terminal_type(t, "a note");
	e2e_press(t, "tab");
	terminal_type(t, "wr"); /* on the switch */
	e2e_press(t, "tab");
	terminal_type(t, "0.5");
	e2e_press(t, "tab tab tab enter"); /* the tags */
	e2e_see(t, "Enter add");
	e2e_press(t, "enter");
	terminal_type(t, "urgent");
	terminal_barrier(t);
	e2e_see_not(t, "1 call");
	e2e_press(t, "ctrl-r");
	e2e_answer(t, "y"); /* it is destructive */
	e2e_wait(t, "1 call");
	e2e_run(t, "wire");
	e2e_press(t, "end enter");
	e2e_see(t, "\"status\": \"shipped\",");
	e2e_see(t, "\"note\": \"a note\",");
	e2e_see(t, "\"discount\": 0.5,");
	e2e_see(t, "\"urgent\"");
	e2e_leave(t);
}

/* Esc makes letters commands; after moving on they are text again. The bottom bar shows the
 * mode. */
static void
test_letters_are_commands_after_esc(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool search_orders");
	e2e_see(t, "Esc commands");
	e2e_press(t, "esc");
	e2e_see(t, "J JSON");
	e2e_press(t, "p");
	e2e_see(t, "arguments · 2 bytes");
	e2e_press(t, "p down");
	e2e_see(t, "Esc commands");
	terminal_type(t, "w");
	e2e_press(t, "esc w");
	e2e_see(t, "tools/list"); /* the journal */
	e2e_press(t, "w");
	e2e_see_not(t, "tools/list");
	e2e_press(t, "esc esc"); /* out of the form */
	e2e_see(t, "? help");
	e2e_leave(t);
}

/* The next field is open for typing, and past dates nothing changes. */
static void
test_field_after_field(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool plan_trip");
	e2e_press(t, "down");
	terminal_type(t, "2026-12-31");
	e2e_press(t, "tab up");
	e2e_see(t, "day         2026-12-31");
	e2e_press(t, "down down down down");
	e2e_see(t, "day         2026-12-31");
	e2e_see(t, "back        omitted");
	e2e_leave(t);
}

TEST_FILE(forms)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_variants, e2e_teardown),
		cmocka_unit_test_teardown(test_what_is_set_chooses, e2e_teardown),
		cmocka_unit_test_teardown(test_names_of_a_map, e2e_teardown),
		cmocka_unit_test_teardown(test_parts, e2e_teardown),
		cmocka_unit_test_teardown(test_dates, e2e_teardown),
		cmocka_unit_test_teardown(test_menus, e2e_teardown),
		cmocka_unit_test_teardown(test_files_and_preview, e2e_teardown),
		cmocka_unit_test_teardown(test_typing_runs_no_command, e2e_teardown),
		cmocka_unit_test_teardown(test_tab_through_all_kinds, e2e_teardown),
		cmocka_unit_test_teardown(test_letters_are_commands_after_esc, e2e_teardown),
		cmocka_unit_test_teardown(test_field_after_field, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
