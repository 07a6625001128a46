#include "stage.h"
#include "test.h"
#include "wire.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

/* Messages that the user writes, past the forms. */

static const struct server_options legacy = {
	.session = { .era = ERA_LEGACY, .client_name = "t", .client_version = "1" }
};

static const struct journal_entry *
newest(const struct wire *w)
{
	const struct journal *j = server_info(w->server)->journal;

	return journal_at(j, journal_info(j)->count - 1);
}

static bool
send_text(struct wire *w, const char *text, bool new_id)
{
	return server_send_text(w->server, text, strlen(text), new_id, w->now_us);
}

/* The bytes go out as typed, and the answer is nobody's error. */
static void
test_goes_out_as_typed(void **state)
{
	static const char text[] = "{ \"jsonrpc\": \"2.0\",\n \"id\": 900, \"method\": \"ping\" }";
	struct wire w;

	wire_open(&w, &legacy);
	assert_false(send_text(&w, text, false)); /* not connected */
	wire_connect(&w, "{'name':'echo','inputSchema':{'type':'object'}}");
	assert_true(send_text(&w, text, false));
	assert_string_equal(
	    wire_last(&w), "{ \"jsonrpc\": \"2.0\",  \"id\": 900, \"method\": \"ping\" }");
	assert_true(newest(&w)->waits);
	wire_say(&w, "{'jsonrpc':'2.0','id':900,'result':{}}");
	assert_null(newest(&w)->flaw);
	assert_string_equal(newest(&w)->method, "ping");
	assert_true(journal_is_second(newest(&w)));
	wire_say(&w, "{'jsonrpc':'2.0','id':'x','result':{}}");
	assert_non_null(newest(&w)->flaw);
	/* no request of ours ever has that id */
	wire_call(&w, "echo", "{}");
	assert_non_null(strstr(wire_last(&w), "\"id\":901,"));
	assert_true(send_text(&w, "]no JSON", false));
	assert_string_equal(wire_last(&w), "]no JSON");
	assert_non_null(newest(&w)->flaw);
	assert_true(send_text(&w, "{\"id\":\"a\",\"method\":\"x\"}", false));
	wire_say(&w, "{'jsonrpc':'2.0','id':'a','result':{}}");
	assert_true(journal_is_second(newest(&w))); /* the journal knows what it answers */
	wire_close(&w);
}

static void
test_new_id(void **state)
{
	static const char text[] = "{\"id\":77,\"method\":\"tools/call\",\"params\":{\"n\":1.50,"
				   "\"_meta\":{\"progressToken\":77}}}";
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, "{'name':'echo','inputSchema':{'type':'object'}}");
	assert_true(send_text(&w, text, true));
	const char *id = newest(&w)->rpc_id;
	assert_string_not_equal(id, "77");
	char expected[200];
	snprintf(expected, sizeof(expected),
	    "{\"id\":%s,\"method\":\"tools/call\",\"params\":{\"n\":1.50,"
	    "\"_meta\":{\"progressToken\":%s}}}",
	    id, id);
	assert_string_equal(wire_last(&w), expected);
	/* a notification and a broken text stay as they are */
	assert_true(send_text(&w, "{\"method\":\"notifications/x\"}", true));
	assert_string_equal(wire_last(&w), "{\"method\":\"notifications/x\"}");
	assert_true(send_text(&w, "{\"id\":3,", true));
	assert_string_equal(wire_last(&w), "{\"id\":3,");
	wire_close(&w);
}

static void
test_what_is_asked_about(void **state)
{
	struct wire w;
	char why[200];

	wire_open(&w, &legacy);
	wire_connect(&w, "{'name':'echo','inputSchema':{'type':'object'}}");
	wire_call(&w, "echo", "{}");
	const struct session *s = server_info(w.server)->session;
	static const char *const odd[] = { "", "{", "[]", "7", "{\"id\":1}",
		"{\"method\":\"ping\",\"id\":1}" };
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		if (session_check_text(s, odd[i], strlen(odd[i]), why, sizeof(why)) || !why[0])
			fail_msg("%s", odd[i]);
	char open[100];
	snprintf(open, sizeof(open), "{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":%s}",
	    newest(&w)->rpc_id);
	assert_false(session_check_text(s, open, strlen(open), why, sizeof(why)));
	assert_non_null(strstr(why, "in flight"));
	static const char good[] = "{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":77}";
	assert_true(session_check_text(s, good, strlen(good), why, sizeof(why)));
	wire_close(&w);
}

/* By command, and by editing a message of the journal. */
static void
test_on_screen(void **state)
{
	struct stage s;

	stage_open(&s, 120, 36);
	assert_false(stage_run(&s, "send"));
	assert_true(
	    stage_run(&s, "send {\"jsonrpc\":\"2.0\",\"id\":\"mine\",\"method\":\"tools/list\"}"));
	stage_settle(&s, 100);
	stage_run(&s, "wire");
	stage_run(&s, "filter id:mine");
	assert_non_null(strstr(stage_text(&s), "tools/list → "));
	stage_run(&s, "clear-find");
	assert_true(stage_run(&s, "send nonsense"));
	assert_non_null(strstr(stage_text(&s), "not JSON"));
	stage_keys(&s, "esc");
	assert_null(strstr(stage_text(&s), "nonsense"));
	stage_run(&s, "send nonsense");
	stage_keys(&s, "y");
	stage_settle(&s, 100);
	assert_non_null(strstr(stage_text(&s), "nonsense"));
	stage_run(&s, "wire");
	stage_run(&s, "tool list_users");
	stage_run(&s, "call");
	stage_run(&s, "wire");
	stage_run(&s, "filter tool:list_users");
	stage_keys(&s, "end ctrl-e");
	char *name = strstr(buf_text(&s.edited), "list_users");
	assert_non_null(name);
	memcpy(name, "list_usurp", 10);
	workbench_on_edited(s.wb, s.edited.data, s.edited.len, NULL, s.now_us);
	stage_settle(&s, 100);
	stage_run(&s, "filter tool:list_usurp");
	assert_non_null(strstr(stage_text(&s), "Unknown tool: list_usurp"));
	workbench_on_edited(s.wb, "\n", 1, NULL, s.now_us);
	assert_non_null(strstr(workbench_message(s.wb), "nothing was sent"));
	stage_run(&s, "filter");
	assert_true(stage_run(&s, "export-journal jsonl /tmp/x y"));
	assert_memory_equal(buf_text(&s.written), "/tmp/x y\n{\"time\":", 17);
	assert_false(stage_run(&s, "export-journal har f"));
	assert_false(stage_run(&s, "export-journal jsonl"));
	assert_true(stage_run(&s, "export-journal --with-secrets jsonl f"));
	stage_close(&s);
}

TEST_FILE(by_hand)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_goes_out_as_typed),
		cmocka_unit_test(test_new_id),
		cmocka_unit_test(test_what_is_asked_about),
		cmocka_unit_test(test_on_screen),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
