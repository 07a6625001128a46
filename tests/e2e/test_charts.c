/* SPDX-License-Identifier: MIT */
/* Charts in the whole program: drawn by a key, read off, left for the row, and written to files. */
#include "base/path.h"
#include "e2e.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static void
open_chart(struct terminal *t)
{
	e2e_run(t, "tool search_orders");
	e2e_press(t, "f5");
	e2e_wait(t, "ORD-1003");
	e2e_run(t, "pane structured");
	e2e_press(t, "#");
	e2e_wait(t, "chart · line · items by placed");
}

static void
test_read_off(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);

	open_chart(t);
	e2e_see(t, "ORD-1001   placed 2026-07-01   items 1");
	e2e_press(t, "right right right");
	e2e_see(t, "ORD-1004   placed 2026-07-15   items 4");
	e2e_press(t, "#");
	e2e_wait(t, "chart · area");
	e2e_run(t, "chart bar");
	e2e_wait(t, "ORD-1007  █");
	e2e_press(t, "down down down down down down enter");
	e2e_wait(t, "table · 8 × ");
	e2e_see(t, "▌  ORD-1007");
	e2e_see(t, "mean 3.125"); /* of the column that was drawn */
	e2e_leave(t);
}

static void
export_as(struct terminal *t, const char *format, const char *path)
{
	char command[4200];

	snprintf(command, sizeof(command), "export! %s %s", format, path);
	e2e_run(t, command);
	e2e_wait(t, "wrote ");
	e2e_press(t, "right");
}

/* A hostile value is drawn, and its file is well-formed XML. */
static void
test_files(void **state)
{
	struct terminal *t = e2e_demo(state, NULL);
	char *svg = e2e_file(t, "chart.svg", NULL), *png = e2e_file(t, "chart.png", NULL),
	     *txt = e2e_file(t, "chart.txt", NULL);
	struct buf bytes = BUF_INIT;
	char check[4200];
	struct err err;

	open_chart(t);
	export_as(t, "svg", svg);
	e2e_file_has(svg, ">orders · chart · line · items by placed · 8 rows</text>");
	e2e_file_has(svg, "</svg>\n");
	snprintf(check, sizeof(check),
	    "python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' '%s'", svg);
	assert_int_equal(system(check), 0);
	export_as(t, "txt", txt);
	e2e_file_has(txt, "6 Jul");
	export_as(t, "png", png);
	assert_true(path_read_file(png, &bytes, &err));
	assert_true(bytes.len > 24);
	/* 1800 × 960 */
	assert_memory_equal(
	    bytes.data, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x07\x08\0\0\x03\xc0", 24);
	buf_finish(&bytes);
	e2e_run(t, "tool hostile");
	e2e_press(t, "f5");
	e2e_wait(t, "hostile");
	e2e_run(t, "pane structured");
	e2e_run(t, "chart bar");
	e2e_wait(t, "chart · bar");
	export_as(t, "svg", svg);
	assert_int_equal(system(check), 0);
	e2e_run(t, "export png /nonexistent/folder/x");
	e2e_see(t, "No such file");
	free(svg);
	free(png);
	free(txt);
	e2e_leave(t);
}

TEST_FILE(charts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_read_off, e2e_teardown),
		cmocka_unit_test_teardown(test_files, e2e_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
