/* SPDX-License-Identifier: MIT */
/* The expressions of jq that outlive the program: the history, and the default of a tool. */
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>
#include <string.h>

static void
call_users(void)
{
	stage_run(&stage, "tool list_users");
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	stage_run(&stage, "pane structured");
}

/* Ends the program and starts it again. */
static void
restart(void)
{
	struct buf kept = BUF_INIT;

	workbench_add_queries(stage.wb, &kept);
	stage_close(&stage);
	stage_open(&stage, 120, 36);
	workbench_load_queries(stage.wb, buf_text(&kept));
	buf_finish(&kept);
}

static void
test_default(void **state)
{
	call_users();
	assert_true(stage_run(&stage, "jq-default .users[1].name"));
	see("╭⁴jq .users[1].name");
	see("its results begin with this expression, in later runs too");
	restart();
	call_users();
	see("╭⁴jq .users[1].name");
	see("Bob");
	stage_keys(&stage, "esc");
	see("╭⁴structuredContent");
	stage_run(&stage, "tool bad_rows"); /* of this tool only */
	stage_run(&stage, "call");
	stage_settle(&stage, 1000);
	see("╭⁴structuredContent");
	call_users();
	assert_true(stage_run(&stage, "jq-default"));
	see("its results begin without jq");
	restart();
	call_users();
	see("╭⁴structuredContent");
	stage_run(&stage, "jq .total");
	assert_true(stage_run(&stage, "jq-default")); /* the one in use */
	restart();
	call_users();
	see("╭⁴jq .total");
	assert_false(stage_run(&stage, "jq-default .x|\"token=abc\""));
}

static void
test_history(void **state)
{
	call_users();
	stage_keys(&stage, "|");
	stage_type(&stage, ".total");
	stage_keys(&stage, "enter esc |");
	stage_type(&stage, ".users");
	stage_keys(&stage, "enter");
	restart();
	call_users();
	stage_keys(&stage, "| up up");
	see("jq .total");
	stage_keys(&stage, "down");
	see("╭⁴jq .users");
}

/* The export contains the shown rows. */
static void
test_export(void **state)
{
	call_users();
	assert_true(stage_run(&stage, "jq .users[] | {id, up: (.name | ascii_upcase)}"));
	assert_true(stage_run(&stage, "export csv f"));
	assert_string_equal(
	    buf_text(&stage.written), "f\nid,up\r\n1,ALICE\r\n2,BOB\r\n3,CHARLIE\r\n");
	assert_true(stage_run(&stage, "jq .total"));
	assert_true(stage_run(&stage, "export json f"));
	assert_string_equal(buf_text(&stage.written), "f\n3\n");
}

/* The file may hold anything. */
static void
test_read_with_care(void **state)
{
	struct buf text = BUF_INIT, kept = BUF_INIT;

	buf_add_str(&text,
	    "history .a\nx\nhistory \nhistory .\033[2J\nhistory .a\ndefault a\t.b\n"
	    "default s\tt\t.b\ndefault \t\t\ndefault s\tt\t\nhistory \"token=abc\"\n");
	for (int i = 0; i < 400; i++)
		buf_add_str(&text, i ? "x" : "history ");
	workbench_load_queries(stage.wb, buf_text(&text));
	workbench_add_queries(stage.wb, &kept);
	assert_string_equal(buf_text(&kept), "default s\tt\t.b\nhistory .a\n");
	buf_clear(&text);
	buf_clear(&kept);
	for (int i = 0; i < 1000; i++)
		buf_addf(&text, "history .h%d\ndefault s\tt%d\t.d\n", i, i);
	workbench_load_queries(stage.wb, buf_text(&text));
	workbench_add_queries(stage.wb, &kept);
	assert_true(kept.len < 64 << 10);
	assert_non_null(strstr(buf_text(&kept), "history .h999\n"));
	assert_null(strstr(buf_text(&kept), "history .h0\n"));
	buf_finish(&text);
	buf_finish(&kept);
}

TEST_FILE(queries)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_default, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_history, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_export, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_read_with_care, stage_set_up, stage_tear_down),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
