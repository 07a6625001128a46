/* SPDX-License-Identifier: MIT */
/* A server that another client uses: its lists, calls and questions are shown, and nothing is sent.
 */
#include "base/mem.h"
#include "client/server.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

struct scene {
	struct server *server;
	size_t sent;
	int64_t now_us;
	uint64_t exchange; /* of the next lines */
};

static void
on_send(void *user, const struct outbound *message)
{
	((struct scene *)user)->sent++;
}

static int
set_up(void **state)
{
	static const struct server_options options = { .session = { .onlooker = true } };
	struct scene *s = mem_zalloc(sizeof(*s));

	s->server = server_create("rec", "rec", &options, on_send, s);
	s->now_us = -5000000; /* before this machine was started */
	server_start(s->server, s->now_us);
	*state = s;
	return 0;
}

static int
tear_down(void **state)
{
	struct scene *s = *state;

	assert_int_equal(s->sent, 0);
	assert_int_equal(server_next_time(s->server), INT64_MAX);
	server_destroy(s->server);
	free(s);
	return 0;
}

/* One message with ' for ", a millisecond after the last. */
static void
line(struct scene *s, bool is_sent, const char *text)
{
	struct raw_message raw;
	char *json = mem_strdup(text);

	for (char *at = json; *at; at++)
		*at = *at == '\'' ? '"' : *at;
	raw_message_init(&raw, (struct frame_line){ .bytes = blob_from_bytes(json, strlen(json)),
				   .stream = s->exchange });
	raw.is_sent = is_sent;
	raw_message_read(&raw, NULL);
	s->now_us += 1000;
	server_on_raw_message(s->server, &raw, s->now_us);
	free(json);
}

#define sent(s, text) line((s), true, "{'jsonrpc':'2.0'," text "}")
#define received(s, text) line((s), false, "{'jsonrpc':'2.0'," text "}")

static void
shake_hands(struct scene *s)
{
	sent(s, "'id':'a','method':'initialize','params':{'protocolVersion':'2025-06-18',"
		"'capabilities':{}}");
	assert_int_equal(server_info(s->server)->phase, SERVER_STARTING);
	received(s, "'id':'a','result':{'protocolVersion':'2025-06-18','capabilities':{'tools':{}},"
		    "'serverInfo':{'name':'theirs','version':'7'}}");
	sent(s, "'method':'notifications/initialized'");
	assert_int_equal(server_info(s->server)->phase, SERVER_READY);
}

static const struct session_info *
session_of(const struct scene *s)
{
	return session_info(server_info(s->server)->session);
}

static const struct call *
last_call(const struct scene *s)
{
	size_t calls = server_info(s->server)->calls;

	assert_true(calls > 0);
	return server_call_at(s->server, calls - 1);
}

static void
test_legacy(void **state)
{
	struct scene *s = *state;

	shake_hands(s);
	assert_string_equal(session_of(s)->server_name, "theirs");
	assert_string_equal(session_of(s)->protocol, "2025-06-18");
	assert_false(session_of(s)->modern);
	/* the client asks for a page, and later for the next one */
	sent(s, "'id':1,'method':'tools/list'");
	received(s, "'id':1,'result':{'tools':[{'name':'one','inputSchema':{'type':'object'}}],"
		    "'nextCursor':'2'}");
	assert_int_equal(server_info(s->server)->lists[PRIMITIVE_TOOL].list.len, 1);
	sent(s, "'id':2,'method':'tools/list','params':{'cursor':'2'}");
	received(s, "'id':2,'result':{'tools':[{'name':'two','inputSchema':{'type':'object'},"
		    "'outputSchema':{'type':'object','required':['n']}}]}");
	assert_int_equal(server_info(s->server)->lists[PRIMITIVE_TOOL].list.len, 2);
	sent(s, "'id':'c-1','method':'tools/call','params':{'name':'two','arguments':{'x':1.0},"
		"'_meta':{'progressToken':'tok'}}");
	assert_int_equal(last_call(s)->state, CALL_RUNNING);
	received(s, "'method':'notifications/progress','params':{'progressToken':'tok',"
		    "'progress':1,'total':4}");
	assert_true(last_call(s)->progress_share > 0.2 && last_call(s)->progress_share < 0.3);
	received(s, "'id':'c-1','result':{'content':[],'structuredContent':{}}");
	assert_int_equal(last_call(s)->state, CALL_DONE);
	assert_string_equal(last_call(s)->key, "two");
	assert_string_equal(last_call(s)->arguments, "{\"x\":1.0}");
	assert_int_equal(last_call(s)->verdict.kind, VERDICT_INVALID);
	assert_int_equal(last_call(s)->ended_us - last_call(s)->started_us, 2000);
	/* lines that fit nothing are flaws in the journal, and change nothing */
	received(s, "'id':'c-1','result':{}");
	received(s, "'method':'notifications/tools/list_changed'");
	sent(s, "'id':99,'result':{}");
	line(s, true, "not JSON");
	assert_int_equal(server_info(s->server)->phase, SERVER_READY);
}

static void
test_modern(void **state)
{
	struct scene *s = *state;

	/* as our own client probes */
	sent(s, "'id':1,'method':'initialize','params':{}");
	received(s, "'id':1,'error':{'code':-32601,'message':'no'}");
	assert_int_equal(server_info(s->server)->phase, SERVER_STARTING);
	sent(s, "'id':2,'method':'server/discover','params':{}");
	received(s, "'id':2,'result':{'supportedVersions':['2026-07-28'],'capabilities':"
		    "{'tools':{}},'resultType':'complete','_meta':{"
		    "'io.modelcontextprotocol/serverInfo':{'name':'m','version':'1'}}}");
	assert_true(session_of(s)->modern);
	assert_string_equal(session_of(s)->server_name, "m");
	sent(s, "'id':3,'method':'tools/call','params':{'name':'ask'}");
	received(s, "'id':3,'result':{'resultType':'input_required','inputRequests':{}}");
	assert_int_equal(last_call(s)->state, CALL_INPUT);
	sent(s, "'id':4,'method':'resources/read','params':{'uri':'x://y'}");
	assert_string_equal(last_call(s)->uri, "x://y");
	sent(s, "'method':'notifications/cancelled','params':{'requestId':4}");
	assert_int_equal(last_call(s)->state, CALL_CANCELLED);
}

/* A stateless client needs no handshake, and a recording may begin in the middle. */
static void
test_middle(void **state)
{
	struct scene *s = *state;

	sent(s, "'id':3,'method':'tools/call','params':{'name':'t','_meta':{"
		"'io.modelcontextprotocol/protocolVersion':'2026-07-28'}}");
	assert_int_equal(server_info(s->server)->phase, SERVER_READY);
	assert_true(session_of(s)->modern);
	received(s, "'id':3,'result':{'content':[],'resultType':'complete'}");
	assert_int_equal(last_call(s)->state, CALL_DONE);
}

static void
test_questions(void **state)
{
	struct scene *s = *state;
	const struct journal *j = server_info(s->server)->journal;

	shake_hands(s);
	sent(s, "'id':1,'method':'tools/call','params':{'name':'t'}");
	received(s, "'id':'q','method':'elicitation/create','params':{'message':'Name?'}");
	assert_int_equal(server_info(s->server)->questions.len, 0); /* it was asked of another */
	sent(s, "'id':'q','result':{'action':'accept'}");
	const struct journal_entry *note = journal_at(j, journal_info(j)->count - 1);
	assert_string_equal(note->bytes->data, "elicitation/create: Name? (accepted)");
	received(s, "'method':'ping','id':5");
	received(s, "'method':'unknown/method','id':6");
	received(s, "'id':1,'result':{'content':[]}");
	assert_int_equal(last_call(s)->state, CALL_DONE);
}

/* Two clients of HTTP use the same ids: an answer is that of the request that it came upon. */
static void
test_two_clients(void **state)
{
	struct scene *s = *state;
	const struct call *a, *b;

	shake_hands(s);
	s->exchange = 7;
	sent(s, "'id':1,'method':'tools/call','params':{'name':'a','_meta':{'progressToken':1}}");
	a = last_call(s);
	s->exchange = 8;
	sent(s, "'id':1,'method':'tools/call','params':{'name':'b','_meta':{'progressToken':1}}");
	b = last_call(s);
	s->exchange = 7;
	received(s, "'method':'notifications/progress','params':{'progressToken':1,"
		    "'progress':1,'total':4}");
	assert_true(a->progress_share > 0.2 && a->progress_share < 0.3);
	received(s, "'id':1,'result':{'content':[]}");
	assert_int_equal(a->state, CALL_DONE);
	assert_int_equal(b->state, CALL_RUNNING);
	s->exchange = 9; /* on another stream: the only one is left */
	received(s, "'id':1,'result':{'content':[]}");
	assert_int_equal(b->state, CALL_DONE);
	s->exchange = 0;
}

static void
test_nothing_is_sent(void **state)
{
	struct scene *s = *state;
	struct err err = { "" };

	shake_hands(s);
	sent(s, "'id':1,'method':'tools/list'");
	received(s, "'id':1,'result':{'tools':[{'name':'one','inputSchema':{'type':'object'}}]}");
	const struct primitive *p = &server_info(s->server)->lists[PRIMITIVE_TOOL].list.items[0];
	assert_int_equal(server_ask(s->server, p, "{}", 2, s->now_us, &err), 0);
	assert_non_null(strstr(err.text, "a recording cannot answer calls"));
	assert_false(server_ping(s->server, s->now_us));
	assert_false(server_send_text(
	    s->server, "{\"id\":1,\"method\":\"ping\"}", 24, true, 0, &(uint64_t){ 0 }));
	server_relist(s->server, s->now_us);
	sent(s, "'id':2,'method':'tools/call','params':{'name':'one'}");
	assert_false(server_cancel(s->server, last_call(s)->id, s->now_us));
	server_on_time(s->server, INT64_MAX / 2);
	assert_int_equal(last_call(s)->state, CALL_RUNNING);
}

/* Again from the start: ids of calls and lines of the journal are new, so nothing is mistaken. */
static void
test_rewind(void **state)
{
	struct scene *s = *state;
	const struct journal *j = server_info(s->server)->journal;
	uint64_t call = 0, entry = 0;

	for (int round = 0; round < 3; round++) {
		shake_hands(s);
		sent(s, "'id':1,'method':'tools/list'");
		received(s, "'id':1,'result':{'tools':[{'name':'one','inputSchema':{}}]}");
		sent(s, "'id':2,'method':'tools/call','params':{'name':'one'}");
		received(s, "'method':'notifications/message','params':{'level':'info','data':1}");
		assert_int_equal(journal_info(j)->count, 7);
		assert_int_equal(server_info(s->server)->calls, 1);
		assert_true(last_call(s)->id > call && journal_at(j, 0)->id > entry);
		call = last_call(s)->id;
		entry = journal_at(j, 6)->id;
		server_on_closed(s->server, "exit code 3", s->now_us);
		assert_int_equal(last_call(s)->state, CALL_DIED);
		s->now_us = -5000000;
		server_rewind(s->server, s->now_us);
		assert_int_equal(journal_info(j)->count, 0);
		assert_int_equal(server_info(s->server)->calls, 0);
		assert_int_equal(server_info(s->server)->phase, SERVER_STARTING);
		assert_null(server_find_call(s->server, call));
	}
}

TEST_FILE(onlooker)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_legacy, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_modern, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_middle, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_questions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_two_clients, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nothing_is_sent, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rewind, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
