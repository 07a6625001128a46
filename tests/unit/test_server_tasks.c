/* SPDX-License-Identifier: MIT */
/* Calls that become tasks, in both forms: polled, asked, cancelled, kept. */
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "client/tasks.h"
#include "pane_alone.h"
#include "quoted.h"
#include "test.h"
#include "wire.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct session_extension extension = { "io.modelcontextprotocol/tasks", NULL };
static const struct server_options modern = {
	.session = { .era = ERA_MODERN,
	    .can = { .elicitation_form = true, .extensions = &extension, .extension_count = 1 } },
	.answers = { .unseen = true },
};
static const struct server_options legacy = { .session = { .era = ERA_LEGACY } };

#define WORKING(id)                                                                       \
	"'result':{'resultType':'task','taskId':'" id "','status':'working','createdAt':" \
	"'2026-11-01T00:00:00Z','ttlMs':60000,'pollIntervalMs':2000,'statusMessage':'halfway'}"

static const struct call *
call_of(struct wire *w, uint64_t id)
{
	return server_find_call(w->server, id);
}

static const struct server_task *
task_of(struct wire *w, const char *id)
{
	for (size_t i = 0; i < server_info(w->server)->tasks; i++) {
		const struct server_task *t = server_task_at(w->server, i);
		if (strcmp(t->id, id) == 0)
			return t;
	}
	fail_msg("no task %s", id);
	return NULL;
}

static void
pass(struct wire *w, int64_t ms)
{
	w->now_us += ms * 1000;
	server_on_time(w->server, w->now_us);
}

static uint64_t
begin(struct wire *w)
{
	wire_open(w, &modern);
	wire_connect(w, "{'name':'t','inputSchema':{'type':'object'}}");
	uint64_t id = wire_call(w, "t", "{}");
	wire_answer(w, "tools/call", WORKING("T1"));
	assert_int_equal(call_of(w, id)->state, CALL_RUNNING);
	assert_string_equal(call_of(w, id)->task, "task T1 · working · halfway");
	assert_int_equal(server_info(w->server)->tasks, 1);
	return id;
}

static void
test_polled_to_its_end(void **state)
{
	struct wire w;
	uint64_t id = begin(&w);

	assert_int_equal(server_next_time(w.server), w.now_us + 2000 * 1000);
	pass(&w, 1999);
	assert_int_equal(wire_count(&w, "tasks/get"), 0);
	pass(&w, 1);
	assert_int_equal(wire_count(&w, "tasks/get"), 1);
	assert_non_null(strstr(wire_last(&w), "\"taskId\":\"T1\""));
	wire_answer(&w, "tasks/get",
	    "'result':{'resultType':'complete','taskId':'T1','status':'working','ttlMs':null,"
	    "'pollIntervalMs':50}");
	pass(&w, 50);
	wire_answer(&w, "tasks/get",
	    "'result':{'resultType':'task','taskId':'T1','status':'completed','ttlMs':null,"
	    "'result':{'content':[{'type':'text','text':'all done'}]}}");
	const struct call *c = call_of(&w, id);
	assert_int_equal(c->state, CALL_DONE);
	assert_string_equal(c->result.blocks[0].text, "all done");
	assert_int_equal(server_next_time(w.server), INT64_MAX);
	assert_int_equal(task_of(&w, "T1")->status, TASK_COMPLETED);
	wire_close(&w);
}

static void
test_ends_that_are_none(void **state)
{
	static const struct {
		const char *end;
		enum call_state state;
		const char *text;
	} rows[] = {
		{ "'status':'failed','error':{'code':-32603,'message':'Boom'}", CALL_REFUSED,
		    "Boom" },
		{ "'status':'failed'", CALL_REFUSED, "the task failed" },
		{ "'status':'cancelled','statusMessage':'no more'", CALL_CANCELLED, "no more" },
		{ "'status':'cancelled'", CALL_CANCELLED, "the server cancelled the task" },
		{ "'status':'completed'", CALL_INVALID, "the task completed without a result" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct wire w;
		uint64_t id = begin(&w);
		char *answer =
		    mem_printf("'result':{'resultType':'complete','taskId':'T1',%s}", rows[i].end);
		pass(&w, 2000);
		wire_answer(&w, "tasks/get", answer);
		assert_int_equal(call_of(&w, id)->state, rows[i].state);
		assert_string_equal(call_of(&w, id)->error_text, rows[i].text);
		free(answer);
		wire_close(&w);
	}
}

/* A server that forgot the task, a server that answers nonsense. */
static void
test_lost(void **state)
{
	struct wire w;
	uint64_t id = begin(&w);

	pass(&w, 2000);
	wire_answer(&w, "tasks/get", "'error':{'code':-32602,'message':'Unknown task'}");
	assert_int_equal(call_of(&w, id)->state, CALL_REFUSED);
	assert_string_equal(task_of(&w, "T1")->trouble, "Unknown task");
	assert_true(server_task_forget(w.server, "T1"));
	assert_false(server_task_forget(w.server, "T1"));
	wire_close(&w);
	id = begin(&w);
	pass(&w, 2000);
	wire_answer(&w, "tasks/get", "'result':{'resultType':'complete'}");
	assert_true(call_of(&w, id)->state != CALL_RUNNING);
	wire_close(&w);
}

static void
test_only_tool_calls(void **state)
{
	struct wire w;

	wire_open(&w, &modern);
	wire_connect(&w, "{'name':'t','inputSchema':{'type':'object'}}");
	uint64_t id = wire_call(&w, "t", "{}");
	wire_answer(&w, "tools/call", "'result':{'resultType':'task','status':'working'}");
	assert_int_equal(call_of(&w, id)->state, CALL_INVALID);
	server_relist(w.server, w.now_us);
	wire_answer(&w, "tools/list", WORKING("T9"));
	assert_int_equal(server_info(w.server)->tasks, 0);
	assert_non_null(strstr(
	    server_info(w.server)->lists[PRIMITIVE_TOOL].error, "a task is not a valid result"));
	wire_close(&w);
}

static void
test_cancelled(void **state)
{
	struct wire w;
	uint64_t id = begin(&w);

	assert_true(server_cancel(w.server, id, w.now_us));
	assert_int_equal(wire_count(&w, "tasks/cancel"), 1);
	assert_int_equal(wire_count(&w, "notifications/cancelled"), 0);
	assert_string_equal(call_of(&w, id)->task, "task T1 · working, asked to end · halfway");
	wire_answer(&w, "tasks/cancel", "'error':{'code':-32603,'message':'not now'}");
	assert_string_equal(call_of(&w, id)->task, "task T1 · working · halfway");
	const struct journal *j = server_info(w.server)->journal;
	const struct blob *note = journal_at(j, journal_info(j)->count - 1)->bytes;
	assert_int_equal(note->len, strlen("tasks/cancel: not now"));
	assert_memory_equal(note->data, "tasks/cancel: not now", note->len);
	assert_true(server_task_cancel(w.server, "T1", w.now_us));
	wire_answer(&w, "tasks/cancel", "'result':{'resultType':'complete'}");
	assert_int_equal(wire_count(&w, "tasks/get"), 1);
	wire_answer(
	    &w, "tasks/get", "'result':{'resultType':'complete','taskId':'T1','status':'working'}");
	assert_int_equal(call_of(&w, id)->state, CALL_RUNNING);
	/* the server takes its time: the second time the call is let go */
	assert_true(server_cancel(w.server, id, w.now_us));
	assert_int_equal(call_of(&w, id)->state, CALL_CANCELLED);
	pass(&w, 2000);
	wire_answer(&w, "tasks/get",
	    "'result':{'resultType':'complete','taskId':'T1','status':'cancelled'}");
	assert_int_equal(task_of(&w, "T1")->status, TASK_CANCELLED);
	assert_false(server_task_cancel(w.server, "T1", w.now_us));
	wire_close(&w);
}

/* Nothing is asked here, so it is refused politely; but each key only once. */
static void
test_asks_for_input(void **state)
{
	static const char asks[] =
	    "'result':{'resultType':'complete','taskId':'T1','status':'input_required',"
	    "'inputRequests':{'name':{'method':'elicitation/create','params':{'mode':'form',"
	    "'message':'Name?','requestedSchema':{'type':'object','properties':{}}}}}}";
	struct wire w;
	uint64_t id = begin(&w);

	pass(&w, 2000);
	wire_answer(&w, "tasks/get", asks);
	assert_int_equal(wire_count(&w, "tasks/update"), 1);
	assert_non_null(strstr(wire_last(&w),
	    "\"taskId\":\"T1\",\"inputResponses\":{\"name\":{\"action\":\"decline\"}}"));
	assert_int_equal(call_of(&w, id)->state, CALL_RUNNING);
	wire_answer(&w, "tasks/update", "'result':{'resultType':'complete'}");
	pass(&w, 1000);
	wire_answer(&w, "tasks/get", asks);
	assert_int_equal(wire_count(&w, "tasks/update"), 1);
	wire_close(&w);
}

/* A question for the user is linked to its call. */
static void
test_question_of_a_call(void **state)
{
	struct server_options o = modern;
	struct wire w;

	o.answers = (struct answer_policy){ 0 };
	wire_open(&w, &o);
	wire_connect(&w, "{'name':'t','inputSchema':{'type':'object'}}");
	uint64_t id = wire_call(&w, "t", "{}");
	wire_answer(&w, "tools/call", WORKING("T1"));
	pass(&w, 2000);
	wire_answer(&w, "tasks/get",
	    "'result':{'resultType':'complete','taskId':'T1','status':'input_required',"
	    "'inputRequests':{'name':{'method':'elicitation/create','params':{'mode':'form',"
	    "'message':'Name?','requestedSchema':{'type':'object','properties':{}}}}}}");
	assert_int_equal(server_info(w.server)->questions.len, 1);
	assert_int_equal(server_info(w.server)->questions.items[0]->call, id);
	wire_close(&w);
}

/* Requests that the client cannot answer, and refused ones: otherwise the task would wait
 * forever. */
static void
test_input_refused(void **state)
{
	static const char asks[] =
	    "'result':{'resultType':'complete','taskId':'T1','status':'input_required',"
	    "'inputRequests':{'a':{'method':'sampling/createMessage','params':{}}}}";
	struct wire w;
	uint64_t id = begin(&w);

	pass(&w, 2000);
	wire_answer(&w, "tasks/get", asks);
	assert_int_equal(wire_count(&w, "tasks/update"), 0);
	assert_int_equal(wire_count(&w, "tasks/cancel"), 1);
	assert_int_equal(call_of(&w, id)->state, CALL_INPUT);
	wire_answer(&w, "tasks/cancel", "'result':{'resultType':'complete'}");
	wire_answer(&w, "tasks/get", asks);
	assert_int_equal(wire_count(&w, "tasks/cancel"), 1);
	wire_close(&w);
}

/* The end may come unasked. */
static void
test_pushed(void **state)
{
	struct wire w;
	uint64_t id = begin(&w);

	wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/tasks','params':{'taskId':'T1',"
		     "'status':'completed','result':{'content':[]}}}");
	assert_int_equal(call_of(&w, id)->state, CALL_DONE);
	wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/tasks','params':{'taskId':'T1',"
		     "'status':'completed','result':{'content':[]}}}");
	wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/tasks','params':{'taskId':'T7'}}");
	wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/tasks'}");
	assert_int_equal(server_info(w.server)->tasks, 1);
	wire_close(&w);
}

/* The server ends, and is started again: the call is over, its task is not. */
static void
test_outlives_the_session(void **state)
{
	struct buf kept = BUF_INIT;
	struct wire w;
	uint64_t id = begin(&w);

	wire_end(&w, "gone");
	assert_int_equal(call_of(&w, id)->state, CALL_DIED);
	server_tasks_save(w.server, &kept);
	assert_string_equal(buf_text(&kept),
	    "[{\"taskId\":\"T1\",\"tool\":\"t\",\"status\":\"working\",\"createdAt\":"
	    "\"2026-11-01T00:00:00Z\",\"ttlMs\":60000}]");
	wire_close(&w);

	struct json_doc *doc = json_parse(buf_text(&kept), kept.len, NULL, NULL);
	wire_open(&w, &modern);
	server_tasks_load(w.server, json_root(doc));
	server_tasks_load(w.server, json_root(doc));
	server_tasks_load(w.server, NULL);
	json_doc_destroy(doc);
	buf_finish(&kept);
	assert_int_equal(server_info(w.server)->tasks, 1);
	assert_string_equal(task_of(&w, "T1")->created, "2026-11-01T00:00:00Z");
	wire_connect(&w, "{'name':'t','inputSchema':{'type':'object'}}");
	pass(&w, 0);
	assert_int_equal(wire_count(&w, "tasks/get"), 1);
	wire_answer(&w, "tasks/get",
	    "'result':{'resultType':'complete','taskId':'T1','status':'completed',"
	    "'result':{'content':[],'structuredContent':7}}");
	const struct server_task *t = task_of(&w, "T1");
	assert_int_equal(t->status, TASK_COMPLETED);
	assert_non_null(json_get(t->value, "structuredContent"));
	wire_close(&w);
}

/* ---- 2025-11-25 ---- */

static uint64_t
begin_legacy(struct wire *w, const char *support)
{
	wire_open(w, &legacy);
	wire_start(w);
	wire_answer(w, "initialize",
	    "'result':{'protocolVersion':'2025-11-25','capabilities':{'tools':{},'tasks':{'list':"
	    "{},'cancel':{},'requests':{'tools':{'call':{}}}}},'serverInfo':{'name':'s','version':"
	    "'1'}}");
	char *tools =
	    mem_printf("'result':{'tools':[{'name':'t','inputSchema':{'type':'object'},'execution':"
		       "{'taskSupport':'%s'}}]}",
		support);
	wire_answer(w, "tools/list", tools);
	free(tools);
	return wire_call(w, "t", "{}");
}

static void
test_legacy(void **state)
{
	struct wire w;
	uint64_t id = begin_legacy(&w, "required");

	assert_non_null(strstr(wire_last(&w), "\"task\":{\"ttl\":3600000}"));
	wire_answer(&w, "tools/call",
	    "'result':{'task':{'taskId':'L1','status':'working','ttl':60000,'pollInterval':500}}");
	assert_int_equal(call_of(&w, id)->state, CALL_RUNNING);
	pass(&w, 500);
	wire_answer(&w, "tasks/get",
	    "'result':{'taskId':'L1','status':'working','ttl':60000,'pollInterval':500}");
	wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/tasks/status','params':{'taskId':"
		     "'L1','status':'completed','ttl':60000}}");
	assert_int_equal(wire_count(&w, "tasks/result"), 1);
	wire_answer(&w, "tasks/result",
	    "'result':{'content':[{'type':'text','text':'x'}],'_meta':{"
	    "'io.modelcontextprotocol/related-task':{'taskId':'L1'}}}");
	assert_int_equal(call_of(&w, id)->state, CALL_DONE);
	wire_close(&w);
}

static void
test_legacy_input_and_error(void **state)
{
	struct wire w;
	uint64_t id = begin_legacy(&w, "required");

	wire_answer(&w, "tools/call",
	    "'result':{'task':{'taskId':'L1','status':'input_required','ttl':null}}");
	assert_int_equal(wire_count(&w, "tasks/result"), 1);
	wire_answer(&w, "tasks/result", "'error':{'code':-32000,'message':'It broke'}");
	assert_int_equal(call_of(&w, id)->state, CALL_REFUSED);
	assert_string_equal(call_of(&w, id)->error_text, "It broke");
	wire_close(&w);
}

static void
test_legacy_support(void **state)
{
	struct wire w;

	begin_legacy(&w, "forbidden");
	assert_null(strstr(wire_last(&w), "\"task\":"));
	assert_false(server_prefer_tasks(
	    w.server, server_info(w.server)->lists[PRIMITIVE_TOOL].list.items[0].definition, true));
	wire_close(&w);
	begin_legacy(&w, "optional");
	assert_null(strstr(wire_last(&w), "\"task\":"));
	assert_true(server_prefer_tasks(
	    w.server, server_info(w.server)->lists[PRIMITIVE_TOOL].list.items[0].definition, true));
	wire_call(&w, "t", "{}");
	assert_non_null(strstr(wire_last(&w), "\"task\":"));
	wire_close(&w);
}

static void
test_legacy_list(void **state)
{
	struct wire w;

	begin_legacy(&w, "optional");
	assert_true(server_list_tasks(w.server, w.now_us));
	assert_false(server_list_tasks(w.server, w.now_us));
	wire_answer(&w, "tasks/list",
	    "'result':{'tasks':[{'taskId':'A','status':'completed','ttl':1},{'taskId':'B',"
	    "'status':'odd'},{},7]}");
	assert_int_equal(server_info(w.server)->tasks, 2);
	assert_int_equal(task_of(&w, "B")->status, TASK_UNKNOWN);
	assert_true(server_task_refresh(w.server, "A", w.now_us));
	wire_answer(&w, "tasks/result", "'result':{'content':[]}");
	assert_non_null(task_of(&w, "A")->value);
	wire_close(&w);
}

/* ---- the pane ---- */

static void
test_pane(void **state)
{
	struct buf why = BUF_INIT;
	struct workspace ws;
	struct wire w;
	struct view_env env = { .ws = &ws, .why = &why, .focused = true };
	struct view pane;

	workspace_init(&ws);
	view_init(&pane, &pane_tasks);
	assert_true(pane_alone_shows(&pane, &env, "no server is connected"));
	pane_alone_act(&pane, &env, "cancel-task", "");
	assert_non_null(strstr(buf_text(&why), "cannot be cancelled"));
	begin(&w);
	workspace_set_server(&ws, w.server);
	env.now_us = w.now_us;
	assert_true(pane_alone_shows(&pane, &env, "T1  halfway"));
	pane_alone_act(&pane, &env, "filter-tasks", "-state:work");
	assert_true(pane_alone_shows(&pane, &env, "nothing matches"));
	pane_alone_act(&pane, &env, "filter-tasks", "STATE:work halfway");
	assert_true(pane_alone_shows(&pane, &env, "T1  halfway"));
	pane_alone_act(&pane, &env, "filter-tasks", "halfway");
	pane_alone_act(&pane, &env, "open-task", "");
	assert_true(pane_alone_shows(&pane, &env, "The task has not finished."));
	pane_alone_act(&pane, &env, "cancel-task", "");
	assert_true(pane_alone_shows(&pane, &env, "cancelling"));
	wire_answer(&w, "tasks/cancel", "'result':{'resultType':'complete'}");
	wire_answer(&w, "tasks/get",
	    "'result':{'resultType':'complete','taskId':'T1','status':'completed',"
	    "'result':{'content':[],'structuredContent':{'rows':3}}}");
	/* the filter follows the task: it has ended */
	assert_true(pane_alone_shows(&pane, &env, "nothing matches"));
	pane_alone_act(&pane, &env, "filter-tasks", "-nothing");
	pane_alone_act(&pane, &env, "open-task", "");
	assert_true(pane_alone_shows(&pane, &env, "\"rows\": 3"));
	buf_clear(&why);
	pane_alone_act(&pane, &env, "list-tasks", "");
	assert_string_equal(buf_text(&why), "this server cannot list tasks");
	pane_alone_act(&pane, &env, "forget-task", "");
	assert_true(pane_alone_shows(&pane, &env, "No tasks."));
	/* from an earlier run: opening it asks for it; keys work while it is open */
	struct json_doc *kept = parse_quoted("[{'taskId':'T9','tool':'t','status':'completed'}]");
	size_t asked = wire_count(&w, "tasks/get");
	pane_tasks.sync(pane.state, &env);
	server_tasks_load(w.server, json_root(kept));
	pane_tasks.sync(pane.state, &env);
	pane_alone_act(&pane, &env, "open-task", "");
	assert_int_equal(wire_count(&w, "tasks/get"), asked + 1);
	pane_alone_act(&pane, &env, "open-task", "");
	pane_alone_act(&pane, &env, "open-task", "");
	assert_true(pane_alone_shows(&pane, &env, "waiting for the response"));
	wire_answer(&w, "tasks/get", "'error':{'code':-32602,'message':'Task not found'}");
	assert_true(pane_alone_shows(&pane, &env, "Task not found"));
	assert_true(pane_tasks.key(pane.state, &env, &(struct key){ .kind = KEY_CHAR, .ch = 'f' }));
	assert_int_equal(wire_count(&w, "tasks/get"), asked + 2);
	json_doc_destroy(kept);
	buf_finish(&why);
	view_finish(&pane);
	workspace_finish(&ws);
	wire_close(&w);
}

/* Servers created one after the other in the same memory: each shows its own result. */
static void
test_pane_of_other_servers(void **state)
{
	struct workspace ws;
	struct wire w;
	struct view_env env = { .ws = &ws, .focused = true };
	struct view pane;

	workspace_init(&ws);
	view_init(&pane, &pane_tasks);
	for (int i = 0; i < 8; i++) {
		char answer[200], shown[20];
		begin(&w);
		workspace_set_server(&ws, w.server);
		env.now_us = w.now_us;
		snprintf(answer, sizeof(answer),
		    "'result':{'resultType':'complete','taskId':'T1','status':'completed',"
		    "'result':{'content':[],'structuredContent':{'rows':%d}}}",
		    i);
		pass(&w, 2000);
		wire_answer(&w, "tasks/get", answer);
		pane_tasks.sync(pane.state, &env);
		if (!pane_tasks.captures(pane.state))
			pane_alone_act(&pane, &env, "open-task", "");
		snprintf(shown, sizeof(shown), "\"rows\": %d", i);
		assert_true(pane_alone_shows(&pane, &env, shown));
		workspace_set_server(&ws, NULL);
		wire_close(&w);
	}
	view_finish(&pane);
	workspace_finish(&ws);
}

TEST_FILE(server_tasks)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_polled_to_its_end),
		cmocka_unit_test(test_ends_that_are_none),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_only_tool_calls),
		cmocka_unit_test(test_cancelled),
		cmocka_unit_test(test_asks_for_input),
		cmocka_unit_test(test_question_of_a_call),
		cmocka_unit_test(test_input_refused),
		cmocka_unit_test(test_pushed),
		cmocka_unit_test(test_outlives_the_session),
		cmocka_unit_test(test_legacy),
		cmocka_unit_test(test_legacy_input_and_error),
		cmocka_unit_test(test_legacy_support),
		cmocka_unit_test(test_legacy_list),
		cmocka_unit_test(test_pane),
		cmocka_unit_test(test_pane_of_other_servers),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
