/* SPDX-License-Identifier: MIT */
/* The main job on the demo server: browse, fill a form, call, see the result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "e2e.h"
#include "test.h"

#define DARK_ERROR_GROUND (TERMINAL_RGB | 0x3d1418)

static struct terminal *
start_in_color(void **state)
{
	struct terminal *t = e2e_start(state, &(struct terminal_options){ .argv = ARGV("--demo"),
						  .env = ARGV("COLORTERM=truecolor") });

	e2e_wait(t, "list_users");
	return t;
}

/* Text in the part right of the list of tools. */
static bool
right_has(struct terminal *t, const char *text)
{
	int col;

	for (int row = 0; row < 36; row++)
		if (terminal_find_in_row(t, row, text, &col) && col > 30)
			return true;
	return false;
}

static void
test_first_screen(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_see(t, "mcpane");
	e2e_see(t, "demo 0.3.0 · 2026-07-28 · stdio");
	e2e_see(t, "Tools 31");
	e2e_see(t, "Returns a list of users in the system.");
	e2e_see(t, "hints: read-only · idempotent");
	e2e_see(t, "called yet");
	e2e_see(t, "content · for the model");
	e2e_see(t, "structuredContent");
	e2e_see(t, "validation");
	e2e_see(t, "╭");
	e2e_leave(t);
}

/* The same home folder for one start after another, as a user has it. */
static struct terminal *
start_at(void **state, const char *home)
{
	char *setting = mem_printf("XDG_STATE_HOME=%s", home);
	struct terminal *t =
	    e2e_start(state, &(struct terminal_options){
				 .argv = ARGV("--demo"), .env = ARGV(setting), .first = true });

	free(setting);
	e2e_wait(t, "list_users");
	return t;
}

static void
test_first_start_tells_where_the_keys_are(void **state)
{
	char home[] = "/tmp/mcpane-first-XXXXXX";

	assert_non_null(mkdtemp(home));
	struct terminal *t = start_at(state, home);
	e2e_see(t, " F5 call   Enter form "); /* the keys of the pane are there, too */
	e2e_see(t, "new here? ? help ");
	e2e_leave(t);
	e2e_teardown(state);
	t = start_at(state, home);
	e2e_see(t, "new here?");
	e2e_press(t, "f5");
	e2e_wait(t, "Alice");
	e2e_see_not(t, "new here?");
	e2e_leave(t);
	e2e_teardown(state);
	t = start_at(state, home);
	e2e_see_not(t, "new here?");
	e2e_see(t, "? help");
	e2e_leave(t);
	char *command = mem_printf("rm -r %s", home);
	assert_int_equal(system(command), 0);
	free(command);
}

static void
test_a_chosen_theme_stays(void **state)
{
	char home[] = "/tmp/mcpane-theme-XXXXXX";

	assert_non_null(mkdtemp(home));
	struct terminal *t = start_at(state, home);
	e2e_press(t, "ctrl-p");
	terminal_type(t, "theme nord");
	terminal_barrier(t);
	e2e_press(t, "enter");
	e2e_run(t, "set theme");
	e2e_see(t, "theme: nord");
	e2e_leave(t);
	e2e_teardown(state);
	t = start_at(state, home);
	e2e_run(t, "set theme");
	e2e_see(t, "theme: nord");
	e2e_run(t, "theme auto");
	e2e_leave(t);
	e2e_teardown(state);
	t = start_at(state, home);
	e2e_run(t, "set theme");
	e2e_see(t, "theme: chosen by the terminal's background");
	e2e_leave(t);
	char *command = mem_printf("rm -r %s", home);
	assert_int_equal(system(command), 0);
	free(command);
}

static void
test_browse_by_arrows(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_press(t, "down down");
	e2e_see(t, "▌get_weather_data");
	e2e_see(t, "▌location");
	e2e_press(t, "end");
	e2e_press(t, "home");
	e2e_see(t, "▌list_users ");
	e2e_press(t, "j j j k");
	e2e_see(t, "▌get_weather_data");
}

static void
test_filter(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	terminal_keys(t, "/");
	terminal_type(t, "search_or");
	terminal_barrier(t);
	e2e_see(t, "Tools 1 of 31");
	e2e_see(t, "search_orders");
	e2e_see_not(t, "bad_rows");
	/* a filter owns the keyboard: q is a letter, and nothing is left */
	e2e_press(t, "q");
	e2e_see(t, "nothing matches");
	e2e_press(t, "backspace enter enter");
	e2e_see(t, "▌status");
	e2e_press(t, "esc esc esc esc");
	e2e_see(t, "mcpane"); /* Esc never quits */
	e2e_leave(t);
}

/* A tool, a theme and a command by a few letters; used entries come first in the next run. */
static void
test_palette(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	terminal_keys(t, "ctrl-p");
	terminal_type(t, "seaor");
	terminal_barrier(t);
	e2e_see(t, "Find anything");
	e2e_see(t, "▌tool     search_orders");
	e2e_press(t, "enter");
	e2e_see_not(t, "Find anything");
	e2e_see(t, "²search_orders");
	terminal_keys(t, "ctrl-p");
	terminal_type(t, "jrn\r");
	terminal_barrier(t);
	e2e_see(t, "⁶journal");
	terminal_keys(t, "ctrl-p");
	terminal_type(t, "q"); /* a letter here */
	terminal_barrier(t);
	e2e_see(t, "> q");
	e2e_press(t, "esc");
	e2e_leave(t);
}

static void
test_completion(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	terminal_keys(t, ":");
	terminal_type(t, "expo\t csv tests/scr");
	terminal_barrier(t);
	e2e_see(t, "export csv tests/screen/");
	terminal_keys(t, "tab");
	terminal_type(t, "test_s");
	terminal_barrier(t);
	e2e_see(t, "export csv tests/screen/test_screens.c");
	e2e_press(t, "esc :");
	terminal_type(t, "set role \t\t");
	terminal_keys(t, "enter");
	terminal_barrier(t);
	e2e_see(t, "role       editor");
	e2e_leave(t);
}

static void
test_fill_and_call(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool search_orders");
	e2e_press(t, "right"); /* the enum: open, paid, ... */
	e2e_see(t, "open");
	e2e_press(t, "down");
	terminal_type(t, "Charlie");
	e2e_press(t, "down");
	terminal_type(t, "7");
	e2e_press(t, "f5");
	e2e_wait(t, "Found 1 order");
	e2e_see(t, "ORD-1007");
	e2e_see(t, "customer.name");
	e2e_see(t, "250.00");
	e2e_see(t, "✓ valid");
	e2e_run(t, "wire");
	e2e_see(t, "tools/call");
	e2e_press(t, "end enter");
	e2e_see(t, "\"status\": \"open\",");
	e2e_see(t, "\"customer\": \"Charlie\",");
	e2e_see(t, "\"limit\": 7");
	e2e_leave(t);
}

/* The best match is selected with each letter, so it is what F5 calls; Esc undoes all of it. */
static void
test_filter_selects_the_best_match(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool bad_rows"); /* matches, and comes before the better one in the list */
	e2e_run(t, "pane tools");
	e2e_press(t, "/");
	terminal_type(t, "rows");
	terminal_barrier(t);
	e2e_see(t, "▌rows ");
	e2e_see(t, "²rows ");
	e2e_press(t, "esc");
	e2e_see(t, "▌bad_rows");
	e2e_see(t, "²bad_rows");
	e2e_press(t, "/");
	terminal_type(t, "rows");
	e2e_press(t, "enter f5");
	e2e_wait(t, "1 call");
	e2e_see(t, "²rows ");
	e2e_run(t, "wire");
	e2e_press(t, "end enter");
	e2e_see(t, "\"name\": \"rows\",");
	e2e_leave(t);
}

/* Typed arguments that were not sent are lost only after a question; sent ones are kept in the
 * journal. */
static void
test_quitting_asks_for_unsent_forms(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool list_users");
	e2e_run(t, "set limit 2");
	e2e_press(t, "f5");
	e2e_wait(t, "1 call");
	e2e_run(t, "tool update_order");
	terminal_type(t, "ORD-1003");
	e2e_press(t, "esc esc q");
	e2e_see(t, "Quit?");
	e2e_see(t, "Your input for update_order was not sent");
	e2e_press(t, "esc");
	e2e_run(t, "reset-all");
	e2e_run(t, "record");
	e2e_run(t, "tool list_users");
	e2e_press(t, "f5");
	e2e_wait(t, "2 calls");
	e2e_run(t, "quit");
	e2e_see(t, "The recording of 1 step is not written");
	e2e_see_not(t, "filled in for");
	e2e_press(t, "esc");
	e2e_run(t, "record cancel");
	terminal_keys(t, "alt-x");
	terminal_type(t, "quit");
	terminal_keys(t, "enter");
	assert_int_equal(terminal_wait_exit(t), 0);
}

/* A file that is there is replaced after a question alone. */
static void
test_files_are_not_replaced_silently(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	char *table = e2e_file(t, "t.csv", "mine"), *recipe = e2e_file(t, "r.json", "mine");
	char *reply = e2e_file(t, "reply.json", "mine");
	char *lines[] = { mem_printf("export csv %s", table), mem_printf("record stop %s", recipe),
		mem_printf("write %s", reply) };
	static const char *const wanted[] = { "id,name,role", "list_users", "Alice" };
	const char *const paths[] = { table, recipe, reply };

	e2e_run(t, "record");
	e2e_run(t, "tool list_users");
	e2e_press(t, "f5");
	e2e_wait(t, "Charlie");
	for (size_t i = 0; i < 3; i++) {
		e2e_run(t, i == 2 ? "pane validation" : "pane structured");
		e2e_run(t, lines[i]);
		e2e_see(t, "Replace the file?");
		e2e_answer(t, "enter");
		e2e_file_has(paths[i], "mine");
		e2e_run(t, lines[i]);
		e2e_answer(t, "y");
		e2e_wait(t, "wrote ");
		e2e_file_has(paths[i], wanted[i]);
		free(lines[i]);
	}
	free(table);
	free(recipe);
	free(reply);
	e2e_leave(t);
}

/* A call from an overlay shows its result; a failure to show it is reported. */
static void
test_calls_and_pastes_are_seen(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_press(t, "f3 f5");
	e2e_wait(t, "Charlie");
	terminal_paste(t, "pasted");
	e2e_wait(t, "nothing takes a paste here");
	e2e_run(t, "pane tools");
	e2e_press(t, "W");
	e2e_see(t, "watching tells you when a resource changes");
	e2e_leave(t);
}

static void
test_tool_is_selected_when_it_is_listed(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("slow-start", "3000"));

	e2e_wait(t, "mcpane");
	e2e_run(t, "tool sum"); /* not the first one */
	e2e_wait(t, "²sum");
	e2e_leave(t);
}

static void
test_three_states_of_a_field(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool update_order");
	terminal_type(t, "ORD-1003");
	terminal_keys(t, "enter right");
	e2e_press(t, "down esc");
	terminal_keys(t, "o o");
	terminal_barrier(t);
	e2e_see(t, "null");
	e2e_run(t, "set reference 12345678901234567890");
	e2e_run(t, "set discount 0.10");
	e2e_press(t, "f5");
	e2e_answer(t, "y");
	e2e_wait(t, "ORD-1003: ");
	e2e_run(t, "pane structured");
	e2e_run(t, "view json");
	e2e_press(t, "end");
	e2e_see(t, "\"note\": null");
	e2e_see(t, "12345678901234567890");
	e2e_see(t, "0.10");
	e2e_see_not(t, "\"ship_to\"");
	e2e_see_not(t, "\"tags\"");
}

static void
test_bad_input_is_marked_and_may_be_sent(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool search_orders");
	e2e_run(t, "set limit 1000");
	e2e_press(t, "f5");
	e2e_see(t, "Call it anyway?");
	e2e_see(t, "limit: expected");
	e2e_answer(t, "n");
	e2e_see_not(t, "Call it anyway?");
	e2e_see(t, "called yet");
	e2e_press(t, "f5");
	e2e_answer(t, "y");
	e2e_wait(t, "isError");
	e2e_see(t, "1 call");
}

static void
test_sort_and_cell_detail(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	int first, second;

	e2e_press(t, "f5");
	e2e_wait(t, "Charlie");
	e2e_run(t, "pane structured");
	e2e_run(t, "sort name desc");
	assert_true(terminal_find(t, "Charlie", &first, NULL));
	assert_true(terminal_find(t, "Alice", &second, NULL));
	assert_true(first < second);
	e2e_run(t, "sort name");
	assert_true(terminal_find(t, "Charlie", &first, NULL));
	assert_true(terminal_find(t, "Alice", &second, NULL));
	assert_true(first > second);
	e2e_run(t, "goto /users/1/role");
	e2e_press(t, "enter");
	e2e_see(t, "record · row 2 of 3");
	e2e_press(t, "enter");
	e2e_see(t, "structuredContent ▸ /users/1/role");
	e2e_see(t, "editor");
	e2e_press(t, "esc esc v");
	e2e_see(t, "tree");
	e2e_press(t, "v");
	e2e_see(t, "\"Bob\"");
	e2e_press(t, "v");
	e2e_see(t, "chart · ");
	e2e_press(t, "v");
	e2e_see(t, "card · 1 of 3");
	e2e_press(t, "v");
	e2e_see(t, "table · 3 × 3");
}

static void
assert_cell_in_error(struct terminal *t, const char *text)
{
	int row, col;

	e2e_see(t, text);
	for (row = 0; row < 36; row++) {
		if (!terminal_find_in_row(t, row, text, &col))
			continue;
		if (terminal_cell(t, row, col).bg == DARK_ERROR_GROUND)
			return;
	}
	terminal_fail(t, HERE, "%s is not on the ground of errors", text);
}

static void
test_violations_are_marked_where_they_are(void **state)
{
	static const char *const cells[] = { "\"3\"", "-4.00", "⟨missing⟩", "7.105", "mauve",
		"March 12" };
	struct terminal *t = start_in_color(state);

	e2e_run(t, "tool bad_rows");
	e2e_press(t, "f5");
	e2e_wait(t, "✗ 6 violations of outputSchema (2020-12)");
	for (size_t i = 0; i < ARRAY_LEN(cells); i++)
		assert_cell_in_error(t, cells[i]);
	assert_int_not_equal(e2e_cell(t, "119.00").bg, DARK_ERROR_GROUND);
	e2e_see(t, "/products/2/id");
	e2e_see(t, "schema /properties/products/items/properties/id/type");
}

static void
test_jump_from_violation_to_cell(void **state)
{
	struct terminal *t = start_in_color(state);

	e2e_run(t, "tool bad_rows");
	e2e_press(t, "f5");
	e2e_wait(t, "✗ 6 violations");
	e2e_run(t, "pane validation");
	e2e_press(t, "home down down enter");
	e2e_press(t, "enter enter");
	e2e_see(t, "structuredContent ▸ /products/4/name");
	e2e_press(t, "esc esc e"); /* from there on */
	e2e_see(t, "4 of 6: /products/5/price");
	e2e_press(t, "e e e");
	e2e_see(t, "1 of 6: /products/2/id");
	e2e_press(t, "E");
	e2e_see(t, "6 of 6: /products/6/added");
	e2e_press(t, "enter enter");
	e2e_see(t, "structuredContent ▸ /products/6/added");
}

static void
test_every_verdict_looks_different(void **state)
{
	static const struct {
		const char *tool, *seen;
	} verdicts[] = {
		{ "list_users", "✓ valid" },
		{ "list_users_before", "no outputSchema" },
		{ "test_call", "missing" },
		{ "fail", "isError" },
		{ "contradiction", "✓ valid" },
		{ "array_result", "table · " },
		{ "scalar_result", "✓ valid" },
	};
	struct terminal *t = e2e_demo(state, NULL);

	for (size_t i = 0; i < ARRAY_LEN(verdicts); i++) {
		terminal_keys(t, "alt-x");
		terminal_type(t, "tool ");
		terminal_type(t, verdicts[i].tool);
		terminal_keys(t, "enter f5");
		terminal_wait_gone(t, "called yet");
		e2e_wait(t, verdicts[i].seen);
		terminal_wait_gone(t, "running");
	}
	e2e_leave(t);
}

static void
test_content_blocks(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_run(t, "tool mixed_content");
	e2e_press(t, "f5");
	e2e_wait(t, "image/png");
	e2e_run(t, "pane content");
	e2e_press(t, "z");
	e2e_see(t, "audio/");
	e2e_see(t, "link");
	e2e_see(t, "priority");
	e2e_press(t, "z");
	e2e_see(t, "Tools 31");
}

static void
test_journal_has_pairs_and_raw_bytes(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_press(t, "f5");
	e2e_wait(t, "Charlie");
	e2e_press(t, "w");
	e2e_see(t, "request → reply");
	e2e_press(t, "end enter");
	e2e_see(t, "← result tools/call · formatted");
	e2e_see(t, "\"text\": \"Found 3 users\"");
	e2e_press(t, "v");
	e2e_see(t, "exact bytes");
	e2e_see(t, "\"text\":\"Found 3");
	e2e_press(t, "%");
	e2e_see(t, "→ request tools/call");
	e2e_press(t, "%");
	e2e_see(t, "← result tools/call");
	e2e_press(t, "esc /");
	terminal_type(t, "method:tools/list dir:out");
	e2e_press(t, "enter");
	e2e_see(t, "tools/list");
	e2e_see_not(t, "server/discover");
	e2e_press(t, "w");
	e2e_see(t, "Tools 31");
}

static void
test_definition_and_help(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	e2e_press(t, "f2");
	e2e_see(t, "inputSchema");
	e2e_see(t, "outputSchema");
	e2e_press(t, "v");
	e2e_see(t, "\"idempotentHint\": true");
	e2e_press(t, "f2");
	e2e_see_not(t, "\"idempotentHint\"");
	e2e_press(t, "?");
	e2e_see(t, "fill in the form, or read the resource");
	e2e_press(t, "esc");
	e2e_see_not(t, "fill in the form, or read the resource");
	e2e_run(t, "pane structured");
	e2e_press(t, "?");
	e2e_see(t, "show the next view, or the named one");
	e2e_press(t, "esc");
	e2e_leave(t);
}

static void
test_prompt_completes(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	terminal_type(t, ":bad_row");
	e2e_press(t, "enter");
	e2e_see(t, "no command is named bad_row");
	terminal_type(t, ":too");
	terminal_barrier(t);
	e2e_see(t, "select a tool");
	e2e_press(t, "tab");
	terminal_type(t, " bad");
	e2e_press(t, "tab enter");
	assert_true(right_has(t, "bad_rows"));
	terminal_type(t, ":");
	e2e_press(t, "up");
	e2e_see(t, ":tool bad_rows");
	e2e_press(t, "esc");
	e2e_leave(t);
}

static void
test_export_and_dump(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	char *csv = e2e_file(t, "users.csv", NULL), *dump = e2e_file(t, "screen.txt", NULL);
	char command[4200];

	e2e_press(t, "f5");
	e2e_wait(t, "Charlie");
	snprintf(command, sizeof(command), "export csv %s", csv);
	e2e_run(t, command);
	e2e_see(t, "wrote ");
	e2e_file_has(csv, "id,name,role");
	e2e_file_has(csv, "2,Bob,editor");
	snprintf(command, sizeof(command), "dump %s", dump);
	e2e_run(t, command);
	e2e_file_has(dump, "╭¹Tools 31");
	e2e_file_has(dump, "Charlie");
	e2e_run(t, "dump /nonexistent/folder/x");
	e2e_see(t, "No such file");
	free(csv);
	free(dump);
}

/* The export of a large journal runs while keys work; a script waits for it. */
static void
test_export_of_a_large_journal(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	char *path = e2e_file(t, "journal.jsonl", NULL);
	char *line = mem_printf("export-journal jsonl %s", path);

	e2e_run(t, "tool rows");
	e2e_run(t, "set count 6000");
	e2e_press(t, "f5");
	e2e_wait(t, "6000 measurements");
	e2e_run(t, line);
	e2e_wait(t, "wrote ");
	e2e_file_has(path, "\"method\":\"tools/call\"");
	e2e_file_has(path, "6000 measurements");
	e2e_leave(t);
	e2e_teardown(state);
	free(line);
	free(path);
	path = mem_printf("/tmp/mcpane-test-%d.jsonl", (int)getpid());
	line = mem_printf("export-journal jsonl %s", path);
	t = e2e_start(state, &(struct terminal_options){
				 .argv = ARGV("--demo", "-c", "tool rows", "-c", "set count 6000",
				     "-c", "call", "-c", line, "-c", "quit") });
	assert_int_equal(terminal_wait_exit(t), 0);
	e2e_file_has(path, "6000 measurements");
	unlink(path);
	free(line);
	free(path);
}

TEST_FILE(workbench)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_first_screen, e2e_teardown),
		cmocka_unit_test_teardown(test_first_start_tells_where_the_keys_are, e2e_teardown),
		cmocka_unit_test_teardown(test_a_chosen_theme_stays, e2e_teardown),
		cmocka_unit_test_teardown(test_browse_by_arrows, e2e_teardown),
		cmocka_unit_test_teardown(test_filter, e2e_teardown),
		cmocka_unit_test_teardown(test_palette, e2e_teardown),
		cmocka_unit_test_teardown(test_completion, e2e_teardown),
		cmocka_unit_test_teardown(test_fill_and_call, e2e_teardown),
		cmocka_unit_test_teardown(test_filter_selects_the_best_match, e2e_teardown),
		cmocka_unit_test_teardown(test_quitting_asks_for_unsent_forms, e2e_teardown),
		cmocka_unit_test_teardown(test_files_are_not_replaced_silently, e2e_teardown),
		cmocka_unit_test_teardown(test_calls_and_pastes_are_seen, e2e_teardown),
		cmocka_unit_test_teardown(test_tool_is_selected_when_it_is_listed, e2e_teardown),
		cmocka_unit_test_teardown(test_three_states_of_a_field, e2e_teardown),
		cmocka_unit_test_teardown(test_bad_input_is_marked_and_may_be_sent, e2e_teardown),
		cmocka_unit_test_teardown(test_sort_and_cell_detail, e2e_teardown),
		cmocka_unit_test_teardown(test_violations_are_marked_where_they_are, e2e_teardown),
		cmocka_unit_test_teardown(test_jump_from_violation_to_cell, e2e_teardown),
		cmocka_unit_test_teardown(test_every_verdict_looks_different, e2e_teardown),
		cmocka_unit_test_teardown(test_content_blocks, e2e_teardown),
		cmocka_unit_test_teardown(test_journal_has_pairs_and_raw_bytes, e2e_teardown),
		cmocka_unit_test_teardown(test_definition_and_help, e2e_teardown),
		cmocka_unit_test_teardown(test_prompt_completes, e2e_teardown),
		cmocka_unit_test_teardown(test_export_and_dump, e2e_teardown),
		cmocka_unit_test_teardown(test_export_of_a_large_journal, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
