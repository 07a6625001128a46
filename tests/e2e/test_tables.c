/* SPDX-License-Identifier: MIT */
/* A long table in the whole program: filtered by an expression while it is typed, sorted by two
 * columns, rows selected, and these written and copied. */
#include "e2e.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
open_rows(struct terminal *t, const char *count)
{
	char command[40];

	snprintf(command, sizeof(command), "set count %s", count);
	e2e_run(t, "tool rows");
	e2e_run(t, command);
	e2e_press(t, "f5");
	e2e_wait(t, " measurements");
	e2e_run(t, "pane structured");
	e2e_run(t, "zoom");
}

static void
test_filter_to_file(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	char *csv = e2e_file(t, "rows.csv", NULL);
	char command[4200];

	open_rows(t, "1000");
	e2e_press(t, "/");
	terminal_type(t, "temp > 30 and city = Li");
	e2e_wait(t, "a string needs quotes");
	e2e_press(t, "backspace backspace");
	terminal_type(t, "\"Lima\"");
	e2e_wait(t, "expression");
	e2e_press(t, "enter");
	e2e_wait(t, "if temp > 30 and city = \"Lima\" ✕");
	e2e_run(t, "sort ok, temp desc");
	e2e_see(t, "ok▲ temp▼");
	e2e_see(t, "ok1▲");
	e2e_press(t, "space shift-down");
	e2e_see(t, "2 selected");
	snprintf(command, sizeof(command), "export csv %s", csv);
	e2e_run(t, command);
	e2e_see(t, "2 of 1 000 rows (selected)");
	e2e_file_has(csv, "id,city,temp,ok\r\n");
	e2e_file_has(csv, ",Lima,");
	e2e_press(t, "alt-y");
	e2e_wait(t, "copied, 2 of 1 000 rows (selected)");
	e2e_press(t, "esc");
	e2e_wait(t, "2 selected · table · 1 000 × 4");
	e2e_press(t, "u");
	e2e_see_not(t, "selected");
	free(csv);
	e2e_leave(t);
}

/* In a job: keys work meanwhile, and the next filter stops the previous job. */
static void
test_filter_of_many_rows(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	open_rows(t, "300000");
	e2e_run(t, "filter temp > 100 or city ~ 'nowhere'");
	e2e_run(t, "filter id >= 299998 or @selected");
	e2e_wait(t, "3 of 300 000");
	e2e_press(t, "ctrl-a");
	e2e_see(t, "3 selected");
	e2e_run(t, "select id < 10");
	e2e_press(t, "esc");
	e2e_wait(t, "3 selected · table · 300 000 × 4");
	e2e_run(t, "select id < 10");
	e2e_wait(t, "12 selected");
	e2e_leave(t);
}

/* Only the rows on the screen are asked for their lines. */
static void
test_wrapped_column(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	int row, col, next;

	open_rows(t, "1000000");
	e2e_run(t, "narrower city");
	e2e_press(t, "alt-w");
	e2e_run(t, "row 500000");
	e2e_wait(t, "row 500 000");
	assert_true(terminal_find(t, "500000", &row, &col)); /* Lon, don */
	terminal_wheel(t, row, col, 2);
	terminal_barrier(t);
	assert_true(terminal_find(t, "500001", &row, &col));
	assert_true(terminal_find(t, "500002", &next, &col));
	assert_true(next > row + 1);
	terminal_click(t, next - 1, col); /* the last line of the row */
	e2e_wait(t, "row 500 001");
	e2e_press(t, "enter");
	e2e_wait(t, "record · row 500 001");
	e2e_press(t, "esc G");
	e2e_wait(t, "row 1 000 000");
	e2e_see(t, "1000000");
	e2e_run(t, "wrap-column city");
	e2e_see(t, " 999981 ");
	e2e_leave(t);
}

static void
assert_begins(const char *path, const char *text)
{
	char begin[100] = "";
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	assert_int_equal(fread(begin, 1, strlen(text), f), strlen(text));
	fclose(f);
	assert_string_equal(begin, text);
}

/* In a job: the cursor moves meanwhile, and Ctrl-C leaves no file. */
static void
test_export_of_many_rows(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	char *csv = e2e_file(t, "rows.csv", NULL), *other = e2e_file(t, "rows.jsonl", NULL);
	char command[4200];

	open_rows(t, "1000000");
	e2e_run(t, "sort temp");
	e2e_wait(t, "  631  Seoul");
	snprintf(command, sizeof(command), ":export csv %s\r", csv);
	terminal_type(t, command);
	terminal_wait_text(t, "Ctrl-C stop"); /* a barrier would wait for the job */
	terminal_keys(t, "down down");
	terminal_wait_text(t, "row 3");
	terminal_keys(t, "ctrl-c");
	e2e_wait(t, "the export was stopped: nothing was written");
	snprintf(command, sizeof(command), ":export jsonl %s\r:filter id < 10\r", other);
	terminal_type(t, command); /* the file has the rows of before */
	e2e_wait(t, "9 of 1 000 000");
	assert_begins(other, "{\"id\":631,\"city\":\"Seoul\"");
	assert_int_equal(access(csv, F_OK), -1);
	free(csv);
	free(other);
	e2e_leave(t);
}

TEST_FILE(tables)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_filter_to_file, e2e_teardown),
		cmocka_unit_test_teardown(test_filter_of_many_rows, e2e_teardown),
		cmocka_unit_test_teardown(test_wrapped_column, e2e_teardown),
		cmocka_unit_test_teardown(test_export_of_many_rows, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
