/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char echo[] = "{'name':'echo','inputSchema':{'type':'object'}}";
static const char typed[] = "{'name':'typed','inputSchema':{'type':'object'},"
			    "'outputSchema':{'type':'object','required':['n']}}";

static const struct server_options legacy = {
	.session = { .era = ERA_AUTO, .client_name = "t", .client_version = "1" }
};
static const struct server_options modern = {
	.session = { .era = ERA_MODERN, .client_name = "t", .client_version = "1" }
};

static const struct call *
call_of(const struct wire *w, uint64_t id)
{
	const struct call *c = server_find_call(w->server, id);

	assert_non_null(c);
	return c;
}

/* Return the journal's messages of a kind, oldest first, one per line. */
static void
assert_journalled(const struct wire *w, enum journal_kind kind, const char *expected)
{
	const struct journal *j = server_info(w->server)->journal;
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < journal_info(j)->count; i++) {
		const struct journal_entry *e = journal_at(j, i);
		if (e->kind != kind)
			continue;
		buf_add(&out, e->bytes->data, e->bytes->len);
		buf_add_char(&out, '\n');
	}
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static void
test_connect(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	assert_int_equal(server_info(w.server)->phase, SERVER_IDLE);
	assert_null(server_info(w.server)->session);
	assert_int_equal(server_next_time(w.server), INT64_MAX);
	server_on_time(w.server, 1);
	wire_start(&w);
	assert_int_equal(server_info(w.server)->phase, SERVER_STARTING);
	assert_int_equal(server_info(w.server)->connect_us, -1);
	wire_answer(&w, "initialize",
	    "'result':{'protocolVersion':'2025-11-25','capabilities':{'tools':{}},'serverInfo':{}"
	    "}");
	assert_int_equal(server_info(w.server)->phase, SERVER_LISTING);
	assert_int_equal(server_info(w.server)->connect_us, 1000);
	wire_answer(&w, "tools/list", "'result':{'tools':[{'name':'a','inputSchema':{}}]}");
	assert_int_equal(server_info(w.server)->phase, SERVER_READY);
	assert_int_equal(server_info(w.server)->lists[PRIMITIVE_TOOL].list.len, 1);
	assert_string_equal(server_info(w.server)->trouble, "");
	assert_string_equal(server_info(w.server)->name, "test");
	assert_string_equal(server_info(w.server)->label, "a test");
	wire_close(&w);
	server_destroy(NULL);
}

static void
test_server_without_tools(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_start(&w);
	wire_answer(&w, "initialize",
	    "'result':{'protocolVersion':'2025-11-25','capabilities':{},'serverInfo':{}}");
	assert_int_equal(server_info(w.server)->phase, SERVER_READY);
	assert_int_equal(wire_count(&w, "tools/list"), 0);
	wire_close(&w);
}

/* The same in both eras: arguments as typed, result judged, journal paired. */
static void
call_in(const struct server_options *options)
{
	struct wire w;

	wire_open(&w, options);
	wire_connect(&w, typed);
	assert_int_equal(server_info(w.server)->phase, SERVER_READY);
	assert_int_equal(session_info(server_info(w.server)->session)->modern, options == &modern);
	uint64_t before = server_generation(w.server);
	uint64_t id = wire_call(&w, "typed", "{\"n\":12345678901234567890}");
	assert_int_not_equal(id, 0);
	assert_non_null(strstr(wire_last(&w), "{\"n\":12345678901234567890}"));
	assert_int_equal(server_running(w.server), 1);
	assert_int_equal(call_of(&w, id)->state, CALL_RUNNING);
	assert_false(call_is_error(call_of(&w, id)));
	assert_int_equal(call_elapsed_us(call_of(&w, id), w.now_us + 7), 7);
	wire_answer(&w, "tools/call",
	    "'result':{'resultType':'complete','content':[],'structuredContent':{'n':1}}");
	const struct call *c = call_of(&w, id);
	assert_int_equal(c->state, CALL_DONE);
	assert_int_equal(c->verdict.kind, VERDICT_VALID);
	assert_int_equal(server_last_verdict(w.server, "typed"), VERDICT_VALID);
	assert_int_equal(server_last_verdict(w.server, "other"), VERDICT_NONE);
	assert_int_equal(call_elapsed_us(c, w.now_us + 99), 1000);
	assert_int_equal(server_running(w.server), 0);
	assert_true(server_generation(w.server) > before);
	const struct journal *j = server_info(w.server)->journal;
	const struct journal_entry *last = journal_at(j, journal_info(j)->count - 1);
	assert_string_equal(last->method, "tools/call");
	assert_int_equal(last->latency_us, 1000);
	assert_ptr_equal(last->bytes, c->raw);
	wire_close(&w);
}

static void
test_call_in_both_eras(void **state)
{
	call_in(&legacy);
	call_in(&modern);
}

/* A call that fails since this era has no requests to the client says what helps, if the other era
 * is there. */
static void
test_other_era_helps(void **state)
{
	static const char refused[] =
	    "'result':{'resultType':'complete','isError':true,'content':[{'type':'text',"
	    "'text':'roots/list: server-initiated requests are not supported in 2026-07-28'}]}";
	static const struct {
		const char *versions, *answer;
		bool helps;
	} cases[] = {
		{ "'2026-07-28','2025-11-25'", refused, true },
		{ "'2026-07-28'", refused, false },
		{ "'2026-07-28','2025-11-25'",
		    "'error':{'code':-32600,'message':\"Cannot send roots/list: this transport has "
		    "no back-channel for server-initiated requests.\"}",
		    true },
		{ "'2026-07-28','2025-11-25'", /* the Go SDK */
		    "'result':{'resultType':'complete','isError':true,'content':[{'type':'text',"
		    "'text':'roots/list cannot be sent while serving a request on protocol version "
		    "2026-07-28: return an InputRequests map instead'}]}",
		    true },
		{ "'2026-07-28','2025-11-25'", "'error':{'code':-32600,'message':'no'}", false },
		{ "'2026-07-28','2025-11-25'",
		    "'result':{'resultType':'complete','content':[{'type':'text',"
		    "'text':'server-initiated requests'}]}",
		    false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *hello = mem_printf("'result':{'resultType':'complete','supportedVersions':"
					 "[%s],'capabilities':{'tools':{}}}",
		    cases[i].versions);
		struct wire w;
		wire_open(&w, &modern);
		wire_start(&w);
		wire_answer(&w, "server/discover", hello);
		wire_answer(&w, "tools/list",
		    "'result':{'resultType':'complete','tools':[{'name':"
		    "'t','inputSchema':{'type':'object'}}]}");
		uint64_t id = wire_call(&w, "t", "{}");
		wire_answer(&w, "tools/call", cases[i].answer);
		const struct call *c = server_find_call(w.server, id);
		assert_int_equal(c->wants_legacy, cases[i].helps);
		assert_int_equal(call_explain(c) != NULL, cases[i].helps);
		wire_close(&w);
		free(hello);
	}
}

/* The same without such a text, if a server request came (the Go SDK's ping). */
static void
test_request_out_of_era(void **state)
{
	struct wire w;

	wire_open(&w, &modern);
	wire_start(&w);
	wire_answer(&w, "server/discover",
	    "'result':{'resultType':'complete','supportedVersions':['2026-07-28','2025-11-25'],"
	    "'capabilities':{'tools':{}}}");
	wire_answer(&w, "tools/list",
	    "'result':{'resultType':'complete','tools':[{'name':'t','inputSchema':{'type':'object'}"
	    "}]}");
	uint64_t id = wire_call(&w, "t", "{}");
	wire_say(&w, "{'jsonrpc':'2.0','id':1,'method':'ping'}");
	assert_non_null(strstr(wire_last(&w), "-32601"));
	assert_false(call_of(&w, id)->wants_legacy);
	wire_answer(&w, "tools/call",
	    "'result':{'resultType':'complete','isError':true,'content':[{'type':'text','text':"
	    "'ping failed'}]}");
	assert_true(call_of(&w, id)->wants_legacy);
	wire_close(&w);
}

static void
test_two_calls_at_once(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, echo);
	uint64_t a = wire_call(&w, "echo", "{}");
	uint64_t request_a = call_of(&w, a)->request;
	uint64_t b = wire_call(&w, "echo", "{}");
	assert_int_not_equal(a, b);
	assert_int_equal(server_running(w.server), 2);
	wire_answer(&w, "tools/call", "'result':{'content':[]}"); /* the second */
	assert_int_equal(call_of(&w, b)->state, CALL_DONE);
	assert_int_equal(call_of(&w, a)->state, CALL_RUNNING);
	char *late = mem_printf(
	    "{'jsonrpc':'2.0','id':%d,'error':{'code':-1,'message':'no'}}", (int)request_a);
	wire_say(&w, late);
	assert_int_equal(call_of(&w, a)->state, CALL_REFUSED);
	assert_int_equal(call_of(&w, a)->error_code, -1);
	assert_string_equal(call_of(&w, a)->error_text, "no");
	wire_say(&w, late); /* answered twice: nothing changes */
	assert_int_equal(call_of(&w, a)->state, CALL_REFUSED);
	free(late);
	assert_int_equal(server_info(w.server)->calls_made, 2);
	assert_ptr_equal(server_call_at(w.server, 0), call_of(&w, a));
	assert_null(server_call_at(w.server, 2));
	wire_close(&w);
}

static void
test_cancel(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, echo);
	uint64_t id = wire_call(&w, "echo", "{}");
	assert_false(server_cancel(w.server, id + 1, w.now_us));
	assert_true(server_cancel(w.server, id, w.now_us));
	assert_int_equal(wire_count(&w, "notifications/cancelled"), 1);
	assert_int_equal(call_of(&w, id)->state, CALL_CANCELLED);
	assert_int_equal(call_of(&w, id)->verdict.kind, VERDICT_CANCELLED);
	assert_false(server_cancel(w.server, id, w.now_us));
	wire_answer(&w, "tools/call", "'result':{'content':[]}"); /* too late */
	assert_int_equal(call_of(&w, id)->state, CALL_CANCELLED);
	wire_close(&w);
}

static void
test_progress_and_questions(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, echo);
	uint64_t id = wire_call(&w, "echo", "{}");
	char *line = mem_printf("{'jsonrpc':'2.0','method':'notifications/progress','params':"
				"{'progressToken':%d,'progress':1.50,'total':3,'message':'half'}}",
	    (int)call_of(&w, id)->request);
	wire_say(&w, line);
	free(line);
	assert_string_equal(call_of(&w, id)->progress, "1.50");
	assert_string_equal(call_of(&w, id)->progress_message, "half");
	assert_true(call_of(&w, id)->progress_share == 0.5);
	wire_say(&w, "{'jsonrpc':'2.0','id':'q','method':'elicitation/create',"
		     "'params':{'message':'Name?','requestedSchema':{}}}");
	assert_non_null(strstr(wire_last(&w), "\"id\":\"q\""));
	wire_answer(&w, "tools/call", "'result':{'content':[]}");
	assert_int_equal(call_of(&w, id)->state, CALL_DONE);
	/* of another call, and of none */
	wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/progress','params':"
		     "{'progressToken':999,'progress':1}}");
	wire_close(&w);
}

static void
test_timeout(void **state)
{
	struct server_options options = legacy;
	struct wire w;

	options.session.timeout_ms = 100;
	wire_open(&w, &options);
	wire_connect(&w, echo);
	uint64_t id = wire_call(&w, "echo", "{}");
	int64_t due_us = server_next_time(w.server);
	assert_int_equal(due_us, w.now_us + 100000);
	server_on_time(w.server, due_us - 1000);
	assert_int_equal(call_of(&w, id)->state, CALL_RUNNING);
	server_on_time(w.server, due_us);
	assert_int_equal(call_of(&w, id)->state, CALL_TIMED_OUT);
	assert_non_null(call_of(&w, id)->error_text);
	assert_int_equal(server_info(w.server)->phase, SERVER_READY);
	wire_close(&w);
}

static void
test_died_mid_call(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, typed);
	uint64_t id = wire_call(&w, "typed", "{}");
	wire_stderr(&w, "loading\npanic: no");
	wire_stderr(&w, " memory\n");
	wire_end(&w, "killed by SIGSEGV");
	const struct call *c = call_of(&w, id);
	assert_int_equal(server_info(w.server)->phase, SERVER_EXITED);
	assert_string_equal(server_info(w.server)->trouble, "killed by SIGSEGV");
	assert_int_equal(c->state, CALL_DIED);
	assert_true(call_is_error(c));
	assert_string_equal(
	    c->error_text, "the server ended before it answered: killed by SIGSEGV");
	assert_string_equal(c->stderr_tail, "loading\npanic: no memory\n");
	assert_int_equal(server_last_verdict(w.server, "typed"), VERDICT_NO_RESULT);
	assert_journalled(&w, JOURNAL_STDERR, "loading\npanic: no memory\n");
	assert_journalled(&w, JOURNAL_NOTE, "killed by SIGSEGV\n");
	assert_int_equal(wire_call(&w, "typed", "{}"), 0);
	assert_int_equal(server_running(w.server), 0);
	wire_end(&w, "again"); /* harmless */
	wire_close(&w);
}

/* The journal's entry of this number. */
static const struct journal_entry *
entry(const struct wire *w, size_t index)
{
	const struct journal_entry *e = journal_at(server_info(w->server)->journal, index);

	assert_non_null(e);
	return e;
}

static void
test_late_reply(void **state)
{
	struct wire w;
	char reply[200];

	wire_open(&w, &legacy);
	wire_connect(&w, typed);
	uint64_t id = wire_call(&w, "typed", "{}");
	uint64_t request = call_of(&w, id)->request;
	size_t sent = journal_info(server_info(w.server)->journal)->count - 1;
	w.now_us += 61000000;
	server_on_time(w.server, w.now_us);
	assert_int_equal(call_of(&w, id)->state, CALL_TIMED_OUT);
	assert_string_equal(call_of(&w, id)->error_text, "timed out after 60 s");
	w.now_us += 5000000;
	snprintf(reply, sizeof(reply),
	    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],\"structuredContent\":"
	    "{\"n\":1}}}",
	    entry(&w, sent)->rpc_id);
	wire_say(&w, reply);
	assert_int_equal(call_of(&w, id)->state, CALL_DONE);
	assert_int_equal(call_of(&w, id)->verdict.kind, VERDICT_VALID);
	assert_true(call_of(&w, id)->late_us >= 5000000);
	assert_null(call_of(&w, id)->error_text);
	assert_int_equal(server_last_verdict(w.server, "typed"), VERDICT_VALID);
	const struct journal_entry *late = journal_reply(entry(&w, sent));
	assert_non_null(late);
	assert_string_equal(late->flaw, "late reply: the request had timed out");
	assert_true(journal_is_second(late));
	assert_int_equal(call_of(&w, id)->reply, late->id);
	wire_say(&w, reply); /* once more: nothing changes */
	assert_int_equal(call_of(&w, id)->request, request);
	assert_int_equal(journal_reply(entry(&w, sent))->id, late->id);
	wire_close(&w);
}

/* A request that only tells the era of a server is no error in the journal. */
static void
test_era_probe(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_start(&w);
	wire_answer(&w, "initialize", "'error':{'code':-32601,'message':'Method not found'}");
	const struct journal_entry *probe = journal_reply(entry(&w, 0));
	assert_true(probe->is_error); /* perhaps it is one */
	wire_answer(&w, "server/discover",
	    "'result':{'resultType':'complete','supportedVersions':['2026-07-28'],"
	    "'capabilities':{},'ttlMs':0,'cacheScope':'public'}");
	assert_true(session_info(server_info(w.server)->session)->modern);
	probe = journal_reply(entry(&w, 0));
	assert_false(probe->is_error);
	assert_true(probe->is_probe);
	assert_string_equal(probe->brief, "era probe: modern");
	wire_close(&w);
	wire_open(&w, &legacy);
	wire_start(&w);
	wire_answer(&w, "initialize", "'error':{'code':-32601,'message':'Method not found'}");
	wire_answer(&w, "server/discover", "'error':{'code':-32601,'message':'Method not found'}");
	assert_true(journal_reply(entry(&w, 0))->is_error);
	wire_close(&w);
}

/* A call without an answer keeps the stderr lines written during it, and none from before. */
static void
test_stderr_since(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, echo);
	wire_stderr(&w, "before\n");
	uint64_t first = wire_call(&w, "echo", "{}");
	assert_string_equal(server_stderr_tail(w.server, call_of(&w, first)), "");
	wire_stderr(&w, "meanwhile\n");
	assert_string_equal(server_stderr_tail(w.server, call_of(&w, first)), "meanwhile\n");
	uint64_t second = wire_call(&w, "echo", "{}");
	assert_true(server_cancel(w.server, first, w.now_us));
	assert_string_equal(call_of(&w, first)->stderr_tail, "meanwhile\n");
	wire_answer(&w, "tools/call", "'result':{'content':[]}");
	wire_stderr(&w, "later\n");
	assert_string_equal(call_of(&w, first)->stderr_tail, "meanwhile\n");
	assert_int_equal(call_of(&w, second)->state, CALL_DONE);
	assert_null(call_of(&w, second)->stderr_tail);
	uint64_t third = wire_call(&w, "echo", "{}");
	for (int i = 0; i < 5000; i++)
		wire_stderr(&w, "line\n");
	assert_string_equal(
	    server_stderr_tail(w.server, call_of(&w, third)), server_stderr_tail(w.server, NULL));
	wire_close(&w);
}

static void
test_died_silently(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, echo);
	uint64_t done = wire_call(&w, "echo", "{}");
	wire_answer(&w, "tools/call", "'result':{'content':[]}");
	uint64_t id = wire_call(&w, "echo", "{}");
	wire_end(&w, "exited with code 0");
	assert_null(call_of(&w, id)->stderr_tail);
	assert_int_equal(call_of(&w, done)->state, CALL_DONE);
	wire_close(&w);
}

static void
test_died_at_start(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_start(&w);
	wire_stderr(&w, "cannot find module");
	wire_end(&w, "exited with code 1");
	assert_int_equal(server_info(w.server)->phase, SERVER_EXITED);
	assert_string_equal(server_info(w.server)->trouble, "exited with code 1");
	assert_string_equal(server_stderr_tail(w.server, NULL), "cannot find module");
	assert_journalled(&w, JOURNAL_STDERR, "cannot find module\n");
	wire_close(&w);
}

/* A refusal stays the reason when the process ends afterwards. */
static void
test_refused_handshake(void **state)
{
	struct wire w;

	wire_open(&w, &modern);
	wire_start(&w);
	wire_answer(&w, "server/discover", "'error':{'code':-32000,'message':'go away'}");
	assert_int_equal(server_info(w.server)->phase, SERVER_FAILED);
	assert_non_null(strstr(server_info(w.server)->trouble, "go away"));
	wire_end(&w, "exited with code 2");
	assert_int_equal(server_info(w.server)->phase, SERVER_FAILED);
	assert_non_null(strstr(server_info(w.server)->trouble, "go away"));
	wire_close(&w);
}

static void
test_spawn_failure(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	server_on_spawn_failed(w.server, "no such file", 5);
	assert_int_equal(server_info(w.server)->phase, SERVER_FAILED);
	assert_string_equal(server_info(w.server)->trouble, "no such file");
	assert_journalled(&w, JOURNAL_NOTE, "no such file\n");
	wire_connect(&w, echo); /* a later start works */
	assert_int_equal(server_info(w.server)->phase, SERVER_READY);
	assert_string_equal(server_info(w.server)->trouble, "");
	/* and a failing one ends the open calls */
	uint64_t id = wire_call(&w, "echo", "{}");
	server_on_spawn_failed(w.server, "gone", w.now_us);
	assert_int_equal(call_of(&w, id)->state, CALL_DIED);
	assert_string_equal(
	    call_of(&w, id)->error_text, "the server ended before it answered: gone");
	assert_int_equal(wire_call(&w, "echo", "{}"), 0);
	wire_close(&w);
}

static void
test_restart(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, echo);
	uint64_t id = wire_call(&w, "echo", "{}");
	wire_stderr(&w, "unfinished");
	wire_start(&w);
	assert_int_equal(call_of(&w, id)->state, CALL_DIED);
	assert_string_equal(
	    call_of(&w, id)->error_text, "the server ended before it answered: it was restarted");
	assert_string_equal(call_of(&w, id)->stderr_tail, "unfinished");
	assert_string_equal(server_stderr_tail(w.server, NULL), "");
	assert_int_equal(server_info(w.server)->phase, SERVER_STARTING);
	assert_int_equal(server_info(w.server)->lists[PRIMITIVE_TOOL].list.len,
	    1); /* until there is a new one */
	wire_answer(&w, "initialize",
	    "'result':{'protocolVersion':'2025-06-18','capabilities':{'tools':{}},'serverInfo':{}"
	    "}");
	wire_answer(&w, "tools/list", "'result':{'tools':[]}");
	assert_int_equal(server_info(w.server)->phase, SERVER_READY);
	assert_int_equal(server_info(w.server)->lists[PRIMITIVE_TOOL].list.len, 0);
	assert_journalled(&w, JOURNAL_NOTE, "started again\n");
	wire_close(&w);
}

/* While the list is on its way, too. */
static void
test_restart_while_listing(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	for (int i = 0; i < 3; i++) {
		wire_start(&w);
		wire_answer(&w, "initialize",
		    "'result':{'protocolVersion':'2025-11-25','capabilities':{'tools':{}},'"
		    "serverInfo':{}}");
		assert_int_equal(server_info(w.server)->phase, SERVER_LISTING);
	}
	wire_answer(&w, "tools/list", "'result':{'tools':[]}");
	assert_int_equal(server_info(w.server)->phase, SERVER_READY);
	assert_string_equal(server_info(w.server)->lists[PRIMITIVE_TOOL].error, "");
	wire_close(&w);
}

static void
test_relist(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	server_relist(w.server, 1); /* nothing yet */
	wire_connect(&w, echo);
	uint64_t before = server_info(w.server)->lists[PRIMITIVE_TOOL].generation;
	server_relist(w.server, w.now_us);
	assert_int_equal(wire_count(&w, "tools/list"), 2);
	wire_answer(&w, "tools/list", "'error':{'code':1,'message':'busy'}");
	assert_int_equal(server_info(w.server)->lists[PRIMITIVE_TOOL].list.len, 1);
	assert_non_null(strstr(server_info(w.server)->lists[PRIMITIVE_TOOL].error, "busy"));
	assert_true(server_info(w.server)->lists[PRIMITIVE_TOOL].generation > before);
	assert_int_equal(server_info(w.server)->phase, SERVER_READY);
	for (int i = 0; i < 20; i++)
		wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}");
	assert_int_equal(wire_count(&w, "tools/list"), 2);
	server_on_time(w.server, server_next_time(w.server));
	assert_int_equal(wire_count(&w, "tools/list"), 3);
	wire_close(&w);
}

static void
test_stderr_lines(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_start(&w);
	wire_stderr(&w, "one\n\ntw");
	wire_stderr(&w, "o");
	assert_journalled(&w, JOURNAL_STDERR, "one\n\n");
	wire_stderr(&w, "\nthree");
	assert_journalled(&w, JOURNAL_STDERR, "one\n\ntwo\n");
	wire_stderr(&w, "");
	wire_end(&w, "done");
	assert_journalled(&w, JOURNAL_STDERR, "one\n\ntwo\nthree\n");
	wire_close(&w);
}

static size_t
stderr_entries(const struct wire *w)
{
	const struct journal *j = server_info(w->server)->journal;
	size_t n = 0;

	for (size_t i = 0; i < journal_info(j)->count; i++)
		n += journal_at(j, i)->kind == JOURNAL_STDERR;
	return n;
}

/* A line as long as a part leaves no empty one behind, wherever the newline comes. */
static void
test_long_stderr_lines(void **state)
{
	char text[8194];
	struct wire w;

	memset(text, 'x', sizeof(text));
	for (size_t first = 4090; first <= 4100; first++) {
		wire_open(&w, &legacy);
		text[4096] = '\n';
		text[8193] = '\n';
		server_on_stderr(w.server, text, first, 1);
		server_on_stderr(w.server, text + first, sizeof(text) - first, 2);
		assert_int_equal(stderr_entries(&w), 2);
		text[4096] = 'x';
		server_on_stderr(w.server, text, first, 3);
		server_on_stderr(w.server, text + first, sizeof(text) - first, 4);
		assert_int_equal(stderr_entries(&w), 5); /* 4096 + 4096 + 1 */
		wire_close(&w);
	}
}

static void
test_endless_stderr(void **state)
{
	const size_t size = (size_t)1 << 20;
	char *text = mem_alloc(size);
	struct wire w;

	memset(text, 'e', size);
	wire_open(&w, &legacy);
	server_on_stderr(w.server, text, size, 1);
	assert_int_equal(stderr_entries(&w), 256);
	assert_int_equal(strlen(server_stderr_tail(w.server, NULL)), 16384);
	server_on_stderr(w.server, "\nlast words\n", 12, 2);
	assert_int_equal(stderr_entries(&w), 257);
	assert_string_equal(server_stderr_tail(w.server, NULL), "last words\n");
	free(text);
	wire_close(&w);
}

/* A tail begins with a whole line. */
static void
test_stderr_tail(void **state)
{
	struct wire w;
	char line[32];

	wire_open(&w, &legacy);
	for (int i = 0; i < 4000; i++) {
		snprintf(line, sizeof(line), "line %d\n", i);
		wire_stderr(&w, line);
		assert_memory_equal(server_stderr_tail(w.server, NULL), "line ", 5);
		assert_true(strlen(server_stderr_tail(w.server, NULL)) <= 16384);
	}
	assert_true(strlen(server_stderr_tail(w.server, NULL)) > 16000);
	wire_close(&w);
}

static void
test_bad_lines(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_start(&w);
	wire_say(&w, "Listening on port 8080");
	wire_say(&w, "");
	server_on_line(w.server, blob_from_bytes("\0\xff", 2), 77, w.now_us);
	wire_say(&w, "{'jsonrpc':'2.0','id':55,'result':{}}");
	assert_int_equal(server_info(w.server)->phase, SERVER_STARTING);
	const struct journal *j = server_info(w.server)->journal;
	size_t flaws = 0;
	for (size_t i = 0; i < journal_info(j)->count; i++)
		flaws += journal_at(j, i)->flaw != NULL;
	assert_int_equal(flaws, 4);
	assert_int_equal(journal_at(j, journal_info(j)->count - 2)->dropped, 77);
	wire_close(&w);
}

static void
test_is_error(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, echo);
	uint64_t id = wire_call(&w, "echo", "{}");
	wire_answer(&w, "tools/call", "'result':{'isError':true,'content':[]}");
	const struct journal *j = server_info(w.server)->journal;
	assert_true(journal_at(j, journal_info(j)->count - 1)->is_error);
	assert_int_equal(call_of(&w, id)->state, CALL_DONE);
	assert_true(call_is_error(call_of(&w, id)));
	wire_call(&w, "echo", "{}");
	assert_false(journal_at(j, journal_info(j)->count - 1)->is_error);
	wire_answer(&w, "tools/call", "'error':{'code':-1,'message':'no'}");
	assert_true(journal_at(j, journal_info(j)->count - 1)->is_error);
	wire_close(&w);
}

/* The oldest replies go; the newest and those running stay. */
static void
test_eviction(void **state)
{
	struct server_options options = legacy;
	struct wire w;

	options.calls_max_bytes = 20000;
	wire_open(&w, &options);
	wire_connect(&w, echo);
	uint64_t running = wire_call(&w, "echo", "{}");
	struct buf big = BUF_INIT;
	buf_add_str(&big, "'result':{'content':[{'type':'text','text':'");
	for (int i = 0; i < 1000; i++)
		buf_add_str(&big, "12345678");
	buf_add_str(&big, "'}]}");
	uint64_t id = 0;
	for (int i = 0; i < 20; i++) {
		id = wire_call(&w, "echo", "{}");
		wire_answer(&w, "tools/call", buf_text(&big));
		assert_int_equal(call_of(&w, id)->state, CALL_DONE);
		assert_true(server_info(w.server)->calls <= 4);
	}
	assert_int_equal(call_of(&w, running)->state, CALL_RUNNING);
	assert_null(server_find_call(w.server, running + 1));
	assert_int_equal(server_info(w.server)->calls_made, 21);
	buf_finish(&big);
	wire_close(&w);
}

static void
test_many_calls(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, echo);
	for (int i = 0; i < 1100; i++) {
		wire_call(&w, "echo", "{}");
		wire_answer(&w, "tools/call", "'result':{'content':[]}");
	}
	assert_int_equal(server_info(w.server)->calls, 1000);
	wire_close(&w);
}

static void
test_tool_without_name(void **state)
{
	struct wire w;

	wire_open(&w, &legacy);
	wire_connect(&w, "{'inputSchema':{}}, 7");
	const struct primitive_list *list = &server_info(w.server)->lists[PRIMITIVE_TOOL].list;
	assert_int_equal(list->len, 2);
	for (size_t i = 0; i < list->len; i++)
		assert_int_equal(server_ask(w.server, &list->items[i], "{}", 2, w.now_us, NULL), 0);
	wire_close(&w);
}

TEST_FILE(server)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_connect),
		cmocka_unit_test(test_server_without_tools),
		cmocka_unit_test(test_call_in_both_eras),
		cmocka_unit_test(test_other_era_helps),
		cmocka_unit_test(test_request_out_of_era),
		cmocka_unit_test(test_two_calls_at_once),
		cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_progress_and_questions),
		cmocka_unit_test(test_timeout),
		cmocka_unit_test(test_died_mid_call),
		cmocka_unit_test(test_late_reply),
		cmocka_unit_test(test_era_probe),
		cmocka_unit_test(test_stderr_since),
		cmocka_unit_test(test_died_silently),
		cmocka_unit_test(test_died_at_start),
		cmocka_unit_test(test_refused_handshake),
		cmocka_unit_test(test_spawn_failure),
		cmocka_unit_test(test_restart),
		cmocka_unit_test(test_restart_while_listing),
		cmocka_unit_test(test_relist),
		cmocka_unit_test(test_stderr_lines),
		cmocka_unit_test(test_long_stderr_lines),
		cmocka_unit_test(test_endless_stderr),
		cmocka_unit_test(test_stderr_tail),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_is_error),
		cmocka_unit_test(test_eviction),
		cmocka_unit_test(test_many_calls),
		cmocka_unit_test(test_tool_without_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
