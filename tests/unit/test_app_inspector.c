/* SPDX-License-Identifier: MIT */
/* Facts about a running app: its notes, and the findings that only a running app shows. */
#include "client/findings.h"
#include "one_stage.h"
#include "stage_app.h"
#include "test.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#define HELLO                                                                     \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ui/initialize\",\"params\":{" \
	"\"appInfo\":{\"name\":\"a\",\"version\":\"1\"},\"appCapabilities\":{},"  \
	"\"protocolVersion\":\"2026-01-26\"}}"

static struct app *
open_app(void)
{
	stage_use_apps(&stage);
	stage_run(&stage, "app plan_budget");
	stage_settle(&stage, 100);
	struct app *a = server_app_at(stage.server, 0);
	assert_non_null(a);
	return a;
}

static bool
run_has(const struct app *a, const struct call *c, int64_t later_us, const char *id)
{
	struct findings f = { 0 };
	bool has = false;

	findings_of_run(&f, &(struct finding_run){ app_facts(a), c, stage.now_us + later_us });
	for (size_t i = 0; i < f.len; i++)
		has |= strcmp(f.items[i].kind->name, id) == 0;
	findings_finish(&f);
	return has;
}

static const struct call *
call_of(const struct app *a)
{
	return server_find_call(stage.server, app_facts(a)->call);
}

/* ui/initialize does not complete the handshake. */
static void
test_silent_app_is_found(void **state)
{
	struct app *a = open_app();

	assert_false(run_has(a, call_of(a), 60000000, "app-silent")); /* the bridge says when */
	stage_app_says(&stage, HELLO);
	assert_false(run_has(a, call_of(a), 1000000, "app-silent"));
	assert_true(run_has(a, call_of(a), 6000000, "app-silent"));
	stage_app_says(&stage, "{\"jsonrpc\":\"2.0\",\"method\":\"ui/notifications/initialized\"}");
	assert_false(run_has(a, call_of(a), 6000000, "app-silent"));
}

static void
test_app_that_never_asks_is_found(void **state)
{
	struct app *a = open_app();

	stage_settle(&stage, 40000);
	assert_true(run_has(a, call_of(a), 0, "app-silent"));
}

/* An app that is not running is not sent structuredContent. */
static void
test_withheld_result_is_found(void **state)
{
	struct app *a = open_app();

	assert_false(run_has(a, call_of(a), 0, "app-withheld"));
	app_reload(a, APP_CSP_KINDS, stage.now_us);
	stage_answer(&stage, "\"error\":{\"code\":-32602,\"message\":\"gone\"}");
	stage_settle(&stage, 100);
	assert_int_equal(app_facts(a)->life, APP_BROKEN);
	assert_true(run_has(a, call_of(a), 0, "app-withheld"));
	stage_run(&stage, "inspector");
	see("the app never gets it: it does not run");
}

static void
test_html_for_the_model_is_found(void **state)
{
	struct app *a = open_app();

	assert_false(run_has(a, call_of(a), 0, "app-data-in-content"));
	stage_answer(&stage,
	    "\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":"
	    "\"<!DOCTYPE html><p>x\"}],\"structuredContent\":{\"a\":1}}");
	stage_run(&stage, "call");
	stage_settle(&stage, 100);
	const struct call *c = workspace_call(workbench_workspace(stage.wb));
	assert_int_equal(c->state, CALL_DONE);
	assert_true(run_has(a, c, 0, "app-data-in-content"));
}

/* The oldest notes are dropped; the others keep their ids. */
static void
test_notes_keep_their_ids(void **state)
{
	struct app *a = open_app();
	char text[80];

	for (int i = 1; i <= 1002; i++) {
		snprintf(text, sizeof(text), "console error - note %d", i);
		stage_app_note(&stage, text);
	}
	const struct app_facts *f = app_facts(a);
	assert_int_equal(f->notes_dropped, 2);
	assert_int_equal(f->notes[0].id, 3);
	assert_int_equal(f->errors, 1002);
	stage_run(&stage, "console");
	see("note 1002");
	see("2 oldest dropped");
	stage_keys(&stage, "home");
	see("note 3 ");
	see_not("note 2 ");
	app_reload(a, APP_CSP_KINDS, stage.now_us);
	assert_int_equal(f->errors, 0);
}

/* A closed app has no bridge journal. */
static void
test_bridge_ends_with_its_app(void **state)
{
	struct app *a = open_app();

	stage_run(&stage, "next-journal bridge");
	see("journal · bridge of plan_budget");
	app_close(a, "test", stage.now_us);
	stage_settle(&stage, 2000);
	assert_null(server_app_at(stage.server, 0));
	see("tools/list");
	see_not("bridge of");
	stage_run(&stage, "next-journal");
	stage_run(&stage, "next-journal bridge");
	see("no app is open");
}

/* Sent messages belong to the bridge, too. */
static void
test_bridge_is_exported(void **state)
{
	open_app();
	stage_app_says(&stage, HELLO);
	stage_run(&stage, "next-journal bridge");
	stage_run(&stage, "export-journal jsonl /tmp/x");
	assert_non_null(strstr(buf_text(&stage.written), "ui/initialize"));
	assert_null(strstr(buf_text(&stage.written), "tools/list"));
}

/* ---- the context sent to the app ---- */

#define READY "{\"jsonrpc\":\"2.0\",\"method\":\"ui/notifications/initialized\"}"

/* Return the last message of the bridge. */
static const char *
last_sent(const struct app *a)
{
	const struct journal *log = app_facts(a)->log;

	return journal_at(log, journal_info(log)->count - 1)->bytes->data;
}

static void
test_context_is_told_at_once(void **state)
{
	struct app *a = open_app();

	stage_app_says(&stage, HELLO);
	stage_app_says(&stage, READY);
	stage_text(&stage);
	assert_true(stage_run(&stage, "app-context theme light"));
	assert_non_null(strstr(last_sent(a), "\"theme\":\"light\""));
	assert_null(strstr(last_sent(a), "locale"));
	assert_true(stage_run(&stage, "app-context locale de-AT"));
	assert_non_null(strstr(last_sent(a), "\"locale\":\"de-AT\""));
	assert_true(stage_run(&stage, "app-context size 40x10"));
	assert_non_null(strstr(last_sent(a), "\"width\":320,\"height\":160"));
	stage_text(&stage); /* its pane is larger: the size stays */
	assert_int_equal(app_facts(a)->cols, 40);
	assert_true(stage_run(&stage, "app-context reset"));
	assert_non_null(strstr(last_sent(a), "\"theme\":\"dark\""));
	assert_non_null(strstr(last_sent(a), "\"locale\":\"en-US\""));
	stage_text(&stage);
	assert_true(app_facts(a)->cols > 40);
}

static void
test_wrong_context_is_refused(void **state)
{
	static const char *const wrong[] = { "theme blue", "size 9x9", "size 80", "size 80x24x2",
		"size 9999x20", "locale ../x", "locale e", "display wide", "color red", "" };
	struct app *a = open_app();
	char line[80];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		snprintf(line, sizeof(line), "app-context %s", wrong[i]);
		if (stage_run(&stage, line))
			fail_msg("%s was taken", line);
	}
	assert_int_equal(app_facts(a)->pretense.theme, APP_AS_IT_IS);
	assert_int_equal(app_facts(a)->pretense.cols, 0);
}

/* ---- other looks ---- */

static void
test_page_as_text(void **state)
{
	open_app();
	stage_run(&stage, "app-source");
	see("<!doctype html>");
	stage_keys(&stage, "m");
	see_not("<!doctype html>");
	stage_keys(&stage, "alt-m");
	see("for a screen reader");
	see("page: Budget");
	see("  heading: Plan a budget  (level 2)");
	see("  slider: Rent = 35");
	stage_keys(&stage, "esc");
	see_not("slider: Rent");
}

/* Shown with all other messages, not only in the app's inspector. */
static void
test_run_is_in_the_findings_pane(void **state)
{
	open_app();
	stage_run(&stage, "findings");
	see_not("no ui/initialize within 30 s");
	stage_settle(&stage, 40000);
	see("no ui/initialize within 30 s");
	see("the app of a call");
	stage_keys(&stage, "enter");
	see("Findings");
	stage_run(&stage, "app close");
	stage_settle(&stage, 1000);
	stage_run(&stage, "findings");
	see_not("no ui/initialize within 30 s");
}

/* A picture comes when the engine has it. */
static void
test_picture_is_written(void **state)
{
	struct app *a = open_app();
	struct err err = { "" };

	assert_false(stage_run(&stage, "app-shot x.png")); /* nothing was drawn */
	assert_true(app_shoot(a, "x.png", &err));
	stage_text(&stage);
	assert_string_equal(buf_text(&stage.written), "x.png\n\x89PNG");
}

TEST_FILE(app_inspector)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_silent_app_is_found, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_app_that_never_asks_is_found, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_run_is_in_the_findings_pane, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_withheld_result_is_found, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_html_for_the_model_is_found, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_notes_keep_their_ids, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_bridge_ends_with_its_app, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_bridge_is_exported, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_context_is_told_at_once, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_wrong_context_is_refused, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_page_as_text, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_picture_is_written, stage_set_up, stage_tear_down),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
