/* What is said about an app that runs: its notes, and the findings that only its run shows. */
#include "model/findings.h"
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

/* ui/initialize is not the end of the handshake. */
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

/* An app that does not run gets no structuredContent. */
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

/* The oldest go, and the rest keep their ids. */
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

/* The bridge of an app that is gone is no journal. */
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

/* What goes out is of the bridge, too. */
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

TEST_FILE(app_inspector)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_silent_app_is_found, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_app_that_never_asks_is_found, stage_set_up, stage_tear_down),
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
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
