/* SPDX-License-Identifier: MIT */
/* A server of today: data in a text block, and no outputSchema. */
#include "e2e.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static void
test_csv_is_a_table(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("csv"));

	e2e_wait(t, "echo");
	e2e_run(t, "set text x");
	e2e_press(t, "f5");
	e2e_wait(t, "text block 1 as CSV");
	e2e_see(t, "table · 3 × 3");
	e2e_see(t, "no schema");
	e2e_press(t, "s s /");
	terminal_type(t, "user");
	e2e_press(t, "enter");
	e2e_see(t, "id▼");
	char *path = e2e_file(t, "out.csv", "");
	char line[200];
	snprintf(line, sizeof(line), "export! csv %s", path);
	e2e_run(t, line);
	e2e_file_has(path, "id,name,score\r\n2,User 2,14.50\r\n1,User 1,7.50\r\n");
	free(path);
	e2e_leave(t);
}

/* While a long text is read, keys work; then the table is there. */
static void
test_long_text(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("csv", "1000000"));

	e2e_wait(t, "echo");
	e2e_run(t, "set text x");
	e2e_press(t, "f5");
	e2e_wait(t, "1 000 000 × 3");
	e2e_run(t, "pane structured");
	e2e_press(t, "end");
	e2e_wait(t, "User 999999");
	e2e_press(t, "m");
	e2e_see(t, "0,User 0,0.50");
	e2e_leave(t);
}

/* An SDK wraps a tool's text into structuredContent: the table is there at once, and says where
 * from; B shows the string. Enter opens JSON in a cell, Esc goes back. */
static void
test_wrapped_json(void **state)
{
	struct terminal *t = e2e_bad(state, NULL, ARGV("wrapped-json"));

	e2e_wait(t, "echo");
	e2e_run(t, "set text x");
	e2e_press(t, "f5");
	e2e_wait(t, "JSON in structuredContent/result");
	e2e_see(t, "table · 2 × 3");
	e2e_run(t, "pane structured");
	e2e_press(t, "$ enter enter"); /* the record, then its field */
	e2e_see(t, "JSON in structuredContent/result/0/more");
	e2e_see(t, "age");
	e2e_press(t, "esc");
	e2e_see(t, "record · row 1 of 2");
	e2e_press(t, "right enter"); /* a string that is not JSON */
	e2e_see(t, "string of 4 bytes");
	e2e_press(t, "esc esc");
	e2e_see(t, "table · 2 × 3");
	e2e_press(t, "B");
	e2e_see_not(t, "JSON in structuredContent");
	e2e_press(t, "B");
	e2e_see(t, "text block 1 as JSON");
	e2e_press(t, "B");
	e2e_see(t, "JSON in structuredContent/result");
	e2e_leave(t);
}

TEST_FILE(text_data)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_csv_is_a_table, e2e_teardown),
		cmocka_unit_test_teardown(test_long_text, e2e_teardown),
		cmocka_unit_test_teardown(test_wrapped_json, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
