/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "stage.h"
#include "test.h"
#include "wire.h"
#include "workbench/state.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
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
	uint64_t call;

	return server_send_text(w->server, text, strlen(text), new_id, w->now_us, &call);
}

/* The bytes are sent as typed, and the answer is not reported as an error. */
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
	assert_true(send_text(&w, "]no JSON", false));
	assert_string_equal(wire_last(&w), "]no JSON");
	assert_non_null(newest(&w)->flaw);
	assert_true(send_text(&w, "{\"id\":\"a\",\"method\":\"x\"}", false));
	wire_say(&w, "{'jsonrpc':'2.0','id':'a','result':{}}");
	/* the journal links the answer to its request */
	assert_true(journal_is_second(newest(&w)));
	assert_null(newest(&w)->flaw);
	wire_say(&w, "{'jsonrpc':'2.0','id':'a','result':{}}");
	assert_non_null(strstr(newest(&w)->flaw, "second answer"));
	wire_close(&w);
}

/* A request that calls a tool is a call: shown, checked and counted. */
static void
test_a_call_by_hand(void **state)
{
	static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":900,\"method\":\"tools/call\","
				   "\"params\":{\"name\":\"typed\",\"arguments\":{\"a\":1}}}";
	struct wire w;
	uint64_t call;

	wire_open(&w, &legacy);
	wire_connect(&w, "{'name':'typed','inputSchema':{'type':'object'},"
			 "'outputSchema':{'type':'object','required':['n']}}");
	assert_true(server_send_text(w.server, text, strlen(text), false, w.now_us, &call));
	const struct call *c = server_find_call(w.server, call);
	assert_non_null(c);
	assert_string_equal(c->key, "typed");
	assert_string_equal(c->arguments, "{\"a\":1}");
	assert_int_equal(c->state, CALL_RUNNING);
	assert_int_equal(server_info(w.server)->calls_made, 1);
	assert_int_equal(journal_info(server_info(w.server)->journal)->by_hand, newest(&w)->id);
	w.now_us += (int64_t)3600 * 1000000; /* it does not time out */
	server_on_time(w.server, w.now_us);
	wire_say(&w, "{'jsonrpc':'2.0','id':900,'result':{'content':[],'structuredContent':{}}}");
	c = server_find_call(w.server, call);
	assert_int_equal(c->state, CALL_DONE);
	assert_int_equal(c->verdict.kind, VERDICT_INVALID);
	assert_int_equal(newest(&w)->verdict, VERDICT_INVALID);
	/* an error, an abandoned call, and a call that the server never answers */
	assert_true(server_send_text(w.server, text, strlen(text), true, w.now_us, &call));
	wire_answer(&w, "tools/call", "'error':{'code':-32602,'message':'no'}");
	assert_int_equal(server_find_call(w.server, call)->state, CALL_REFUSED);
	assert_int_equal(server_find_call(w.server, call)->error_code, -32602);
	assert_string_equal(server_find_call(w.server, call)->error_text, "no");
	assert_true(server_send_text(w.server, text, strlen(text), true, w.now_us, &call));
	assert_true(server_cancel(w.server, call, w.now_us));
	assert_int_equal(server_find_call(w.server, call)->state, CALL_CANCELLED);
	assert_true(server_send_text(w.server, text, strlen(text), true, w.now_us, &call));
	wire_end(&w, "exited with code 3");
	assert_int_equal(server_find_call(w.server, call)->state, CALL_DIED);
	wire_close(&w);
	/* what calls nothing is none */
	wire_open(&w, &legacy);
	wire_connect(&w, "{'name':'echo','inputSchema':{'type':'object'}}");
	assert_true(server_send_text(
	    w.server, "{\"id\":1,\"method\":\"ping\"}", 24, true, w.now_us, &call));
	assert_int_equal(call, 0);
	wire_close(&w);
}

static uint64_t
last_id(const struct wire *w)
{
	const char *id = strstr(wire_last(w), "\"id\":");

	assert_non_null(id);
	return strtoull(id + 5, NULL, 10);
}

/* Any ids may be typed: our own ids continue and skip them. */
static void
test_ids_stay_apart(void **state)
{
	struct wire w;
	char text[100];

	wire_open(&w, &legacy);
	wire_connect(&w, "{'name':'echo','inputSchema':{'type':'object'}}");
	wire_call(&w, "echo", "{}");
	uint64_t ours = last_id(&w);
	static const char *const large[] = { "9007199254740991", "18446744073709551615", "1e19",
		"-1" };
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		snprintf(text, sizeof(text), "{\"method\":\"ping\",\"id\":%s}", large[i]);
		assert_true(send_text(&w, text, false));
		snprintf(text, sizeof(text), "{'jsonrpc':'2.0','id':%s,'result':{}}", large[i]);
		wire_say(&w, text);
		assert_true(journal_is_second(newest(&w)));
		assert_null(newest(&w)->flaw);
	}
	/* ids that would be ours next */
	for (uint64_t id = ours + 1; id < ours + 40; id++) {
		snprintf(text, sizeof(text), "{\"method\":\"ping\",\"id\":%d}", (int)id);
		assert_true(send_text(&w, text, false));
	}
	uint64_t call = wire_call(&w, "echo", "{}");
	assert_true(last_id(&w) >= ours + 40 && last_id(&w) < ours + 200);
	snprintf(text, sizeof(text), "{'jsonrpc':'2.0','id':%d,'result':{}}", (int)ours + 1);
	wire_say(&w, text);
	assert_null(newest(&w)->flaw);
	snprintf(text, sizeof(text), "{'jsonrpc':'2.0','id':%d,'result':{'content':[]}}",
	    (int)last_id(&w));
	wire_say(&w, text);
	assert_int_equal(server_find_call(w.server, call)->state, CALL_DONE);
	wire_close(&w);
}

/* A failure of the transport is the outcome of the line, and of no other. */
static void
test_lost_on_the_way(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, "{'name':'echo','inputSchema':{'type':'object'}}");
	for (int i = 0; i < 2; i++) {
		assert_true(send_text(&w,
		    i ? "{\"id\":\"a\",\"method\":\"x\"}" : "{\"id\":1,\"method\":\"x\"}", false));
		const struct journal_entry *e = newest(&w);
		uint64_t id = e->id;
		assert_true(e->carried > 1);
		server_on_note(w.server, "POST x: 502 Bad Gateway", e->carried, w.now_us);
		assert_int_equal(journal_find(server_info(w.server)->journal, id)->http, id + 1);
		server_on_transport_error(w.server,
		    &(struct transport_error){ .kind = TRANSPORT_STATUS,
			.id = journal_find(server_info(w.server)->journal, id)->carried,
			.status = 502,
			.text = "HTTP 502 Bad Gateway" },
		    w.now_us);
		e = journal_find(server_info(w.server)->journal, id);
		assert_false(e->waits);
		assert_string_equal(e->ended, "HTTP 502 Bad Gateway");
	}
	wire_close(&w);
}

/* A message without a reply is shown by its own row only. */
static void
test_one_way_is_lost(void **state)
{
	static const char *const texts[] = { "{\"method\":\"notifications/x\"}", "]garbage",
		"{\"id\":7,\"result\":{}}" };
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, "{'name':'echo','inputSchema':{'type':'object'}}");
	const struct journal *j = server_info(w.server)->journal;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		assert_true(send_text(&w, texts[i], false));
		uint64_t id = newest(&w)->id, number = newest(&w)->carried;
		assert_true(number > 1);
		assert_false(newest(&w)->waits);
		assert_true(send_text(&w, texts[i], false)); /* the next one is another */
		server_on_note(w.server, "POST x: 400 Bad Request", number, w.now_us);
		assert_int_equal(journal_find(j, id)->http, newest(&w)->id);
		size_t lines = journal_info(j)->count;
		server_on_transport_error(w.server,
		    &(struct transport_error){ .kind = TRANSPORT_STATUS,
			.id = number,
			.status = 400,
			.text = "HTTP 400 Bad Request" },
		    w.now_us);
		assert_string_equal(journal_find(j, id)->ended, "HTTP 400 Bad Request");
		assert_null(journal_find(j, id + 1)->ended);
		assert_int_equal(journal_info(j)->count, lines);
	}
	wire_close(&w);
}

/* The headers of a call by hand are those of any call, and say what its body says. */
static void
test_headers_of_a_call(void **state)
{
	static const struct server_options http = { .session = { .era = ERA_MODERN,
							.transport = TRANSPORT_HTTP,
							.client_name = "t",
							.client_version = "1" } };
	static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				   "\"params\":{\"name\":\"%s\",\"arguments\":{\"a\":\"%s\"}}}";
	struct wire w;
	char text[200];

	wire_open(&w, &http);
	wire_connect(&w,
	    "{'name':'t','inputSchema':{'type':'object','properties':{'a':{'type':"
	    "'string','x-mcp-header':'A'},'b':{'type':'string','x-mcp-header':'B'}}}}");
	snprintf(text, sizeof(text), call, "t", "x");
	assert_true(send_text(&w, text, false));
	assert_string_equal(w.params, "A=x ");
	snprintf(text, sizeof(text), call, "t", "\303\244");
	assert_true(send_text(&w, text, true));
	assert_string_equal(w.params, "A==?base64?w6Q=?= ");
	snprintf(text, sizeof(text), call, "other", "x");
	assert_true(send_text(&w, text, false));
	assert_string_equal(w.params, "");
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
	/* a notification and a malformed text are sent unchanged */
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
	/* nor that of another one by the user, before its reply */
	assert_true(send_text(&w, good, false));
	assert_false(session_check_text(s, good, strlen(good), why, sizeof(why)));
	assert_non_null(strstr(why, "in flight"));
	wire_say(&w, "{'jsonrpc':'2.0','id':77,'result':{}}");
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
	assert_false(stage_run(&s, "record session /full")); /* told once, and over */
	assert_string_equal(workbench_message(s.wb),
	    "the recording has ended: cannot write /full: No space left on device");
	assert_true(stage_run(&s, "record session /f"));
	assert_memory_equal(buf_text(&s.written), "/f\n{\"mcpane\":\"session\"", 22);
	assert_false(stage_run(&s, "record session /g"));
	assert_true(stage_run(&s, "record session stop"));
	assert_false(stage_run(&s, "record session --with-secrets"));
	stage_close(&s);
}

/* The same request once more; a destructive one after a question. */
static void
test_lost_on_screen(void **state)
{
	struct stage s;

	stage_open(&s, 120, 36);
	assert_true(stage_run(&s, "send {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}"));
	const struct journal *j = server_info(s.server)->journal;
	server_on_transport_error(s.server,
	    &(struct transport_error){ .kind = TRANSPORT_STATUS,
		.id = journal_at(j, journal_info(j)->count - 1)->carried,
		.status = 400,
		.text = "HTTP 400 Bad Request" },
	    s.now_us);
	stage_run(&s, "wire");
	assert_non_null(strstr(stage_text(&s), "notifications/x ✗ HTTP 400 Bad Request"));
	stage_close(&s);
}

/* The line that was sent is selected, with its verdict, and its result is shown. */
static void
test_edited_call_on_screen(void **state)
{
	static const char edited[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				     "\"params\":{\"name\":\"list_users\",\"arguments\":"
				     "{\"role\":\"editor\"},\"_meta\":{"
				     "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
				     "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
	struct stage s;

	stage_open(&s, 120, 36);
	stage_run(&s, "tool list_users");
	stage_run(&s, "call");
	stage_settle(&s, 100);
	stage_run(&s, "tool slow"); /* another tool is shown meanwhile */
	stage_run(&s, "wire");
	stage_keys(&s, "end ctrl-e home");
	workbench_on_edited(s.wb, edited, strlen(edited), NULL, s.now_us);
	stage_settle(&s, 100);
	const char *line = strstr(stage_text(&s), "│▌");
	assert_non_null(line);
	assert_non_null(strstr(line, "list_users role=editor → 1 users"));
	assert_true(strstr(line, "list_users role=editor") < strchr(line, '\n'));
	assert_true(strstr(line, "✓") < strchr(line, '\n'));
	assert_non_null(strstr(stage_text(&s), "2 calls"));
	stage_run(&s, "wire");
	assert_non_null(strstr(stage_text(&s), "Bob"));
	assert_null(strstr(stage_text(&s), "Charlie"));
	assert_non_null(strstr(stage_text(&s), "call 2 of 2"));
	stage_close(&s);
}

static void
test_send_again(void **state)
{
	struct stage s;

	stage_open(&s, 120, 36);
	stage_run(&s, "tool list_users");
	stage_run(&s, "call");
	stage_settle(&s, 100);
	stage_run(&s, "wire");
	stage_run(&s, "filter tool:list_users");
	stage_keys(&s, "end .");
	stage_settle(&s, 100);
	assert_non_null(strstr(stage_text(&s), "2 lines of"));
	assert_null(strstr(stage_text(&s), "✗"));
	assert_int_equal(server_info(s.server)->calls, 2); /* it is a call like the first */
	stage_run(&s, "clear-find");
	stage_run(&s, "wire");
	stage_run(&s, "tool update_order");
	stage_run(&s, "set order_id \"A-1\"");
	stage_run(&s, "call!");
	stage_settle(&s, 100);
	stage_run(&s, "wire");
	stage_run(&s, "filter tool:update_order");
	stage_keys(&s, "end .");
	assert_non_null(strstr(stage_text(&s), "Call a destructive tool again?"));
	stage_keys(&s, "enter");
	stage_settle(&s, 100);
	assert_non_null(strstr(stage_text(&s), "1 line of"));
	stage_keys(&s, ". y");
	stage_settle(&s, 100);
	assert_non_null(strstr(stage_text(&s), "2 lines of"));
	stage_run(&s, "filter dir:server");
	stage_keys(&s, "end .");
	assert_non_null(strstr(workbench_message(s.wb), "only a message that mcpane sent"));
	stage_close(&s);
}

static bool stopped;

static unsigned
percent_of_work(const struct pane_work *work)
{
	return 35;
}

static void
stop_work(struct pane_work *work)
{
	stopped = true;
}

/* The bottom bar shows long work; quitting asks first, and Ctrl-C stops it. */
static void
test_long_work(void **state)
{
	struct pane_work work = {
		.text = "exporting the journal", .percent = percent_of_work, .stop = stop_work
	};
	struct stage s;

	stage_open(&s, 120, 36);
	s.wb->work = &work;
	assert_non_null(
	    strstr(stage_text(&s), "exporting the journal ███████░░░░░░░░░░░░░ 35 %  Ctrl-C stop"));
	stage_keys(&s, "q");
	assert_non_null(strstr(stage_text(&s), "Not done yet: exporting the journal."));
	stage_keys(&s, "esc");
	assert_false(s.quit);
	stage_keys(&s, "ctrl-c");
	assert_true(stopped);
	s.wb->work = NULL;
	stage_close(&s);
}

TEST_FILE(by_hand)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_goes_out_as_typed),
		cmocka_unit_test(test_a_call_by_hand),
		cmocka_unit_test(test_ids_stay_apart),
		cmocka_unit_test(test_lost_on_the_way),
		cmocka_unit_test(test_one_way_is_lost),
		cmocka_unit_test(test_headers_of_a_call),
		cmocka_unit_test(test_new_id),
		cmocka_unit_test(test_what_is_asked_about),
		cmocka_unit_test(test_on_screen),
		cmocka_unit_test(test_lost_on_screen),
		cmocka_unit_test(test_edited_call_on_screen),
		cmocka_unit_test(test_send_again),
		cmocka_unit_test(test_long_work),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
