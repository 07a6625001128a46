/* SPDX-License-Identifier: MIT */
#include "client/question.h"

#include "base/mem.h"
#include "base/vec.h"
#include "test.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

static const char echo[] = "{'name':'echo','inputSchema':{'type':'object'}}";

static const char form[] =
    "{'jsonrpc':'2.0','id':'f','method':'elicitation/create','params':{'message':'Who?',"
    "'requestedSchema':{'type':'object','properties':{'name':{'type':'string','minLength':3},"
    "'sure':{'type':'boolean'},'size':{'type':'string','default':'M'}},"
    "'required':['name','sure']}}}";
static const char with_defaults[] =
    "{'jsonrpc':'2.0','id':'d','method':'elicitation/create','params':{'message':'Who?',"
    "'requestedSchema':{'type':'object','properties':{'name':{'type':'string'},"
    "'sure':{'type':'boolean','default':true},'kind':{'type':'string','const':'a'},"
    "'size':{'type':'string','default':'M'}},'required':['sure','kind']}}}";
static const char url[] = "{'jsonrpc':'2.0','id':'u','method':'elicitation/create','params':{"
			  "'mode':'url','message':'Pay','url':'https://a.example/','elicitationId':"
			  "'e1'}}";
static const char sampling[] =
    "{'jsonrpc':'2.0','id':'s','method':'sampling/createMessage','params':{'messages':[],"
    "'maxTokens':9}}";
static const char roots[] = "{'jsonrpc':'2.0','id':'r','method':'roots/list'}";

static struct server_options
options(void)
{
	return (struct server_options){ .session = { .era = ERA_LEGACY,
					    .can = { .elicitation_form = true,
						.elicitation_url = true,
						.sampling = true,
						.roots = true } } };
}

static void
open_wire(struct wire *w, const struct server_options *o)
{
	wire_open(w, o);
	wire_connect(w, echo);
}

static struct question *
only(const struct wire *w)
{
	assert_int_equal(server_info(w->server)->questions.len, 1);
	return server_info(w->server)->questions.items[0];
}

static void
assert_sent(const struct wire *w, const char *text)
{
	char *copy = mem_strdup(text);

	for (char *c = copy; *c; c++)
		if (*c == '\'')
			*c = '"';
	if (!strstr(wire_last(w), copy))
		fail_msg("%s\nis not in the last sent line:\n%s", copy, wire_last(w));
	free(copy);
}

static void
test_form_waits_and_is_answered(void **state)
{
	struct server_options o = options();
	struct buf result = BUF_INIT;
	struct wire w;

	open_wire(&w, &o);
	uint64_t call = wire_call(&w, "echo", "{}");
	uint64_t generation = server_generation(w.server);
	wire_say(&w, form);
	assert_true(server_generation(w.server) > generation);
	struct question *q = only(&w);
	assert_int_equal(q->kind, QUESTION_FORM);
	assert_int_equal(q->call, call);
	assert_string_equal(q->elicitation.message, "Who?");
	assert_false(q->sends_again);
	assert_true(form_set(q->form, "name", "Ada", FORM_EXTRA_ADDED, NULL));
	question_accept_form(q, &result);
	uint64_t id = q->id;
	assert_true(server_answer(w.server, id, buf_text(&result), result.len, w.now_us));
	assert_sent(&w, "{'action':'accept','content':{'name':'Ada','size':'M'}}");
	assert_int_equal(server_info(w.server)->questions.len, 0);
	assert_false(server_answer(w.server, id, "{}", 2, w.now_us));
	const struct call *c = server_find_call(w.server, call);
	assert_int_equal(c->server_requests.len, 1);
	assert_string_equal(c->server_requests.items[0], "elicitation/create: Who? (accepted)");
	buf_finish(&result);
	wire_close(&w);
}

static void
test_each_is_declined_as_its_kind_has_it(void **state)
{
	static const struct {
		const char *line, *declined, *dismissed;
	} rows[] = {
		{ form, "{'action':'decline'}", "{'action':'cancel'}" },
		{ url, "{'action':'decline'}", "{'action':'cancel'}" },
		{ sampling, "{'code':-1,'message':'User rejected sampling request'}", "'code':-1" },
		{ roots, "{'roots':[]}", "'code':-1" },
	};
	struct server_options o = options();
	struct wire w;

	open_wire(&w, &o);
	wire_call(&w, "echo", "{}");
	for (size_t i = 0; i < 4; i++) {
		wire_say(&w, rows[i].line);
		assert_true(server_decline(w.server, only(&w)->id, false, w.now_us));
		assert_sent(&w, rows[i].declined);
		wire_say(&w, rows[i].line);
		assert_true(server_decline(w.server, only(&w)->id, true, w.now_us));
		assert_sent(&w, rows[i].dismissed);
		assert_false(server_decline(w.server, 12345, true, w.now_us));
	}
	wire_close(&w);
}

static void
test_why_a_question_went(void **state)
{
	struct server_options o = options();
	struct wire w;

	open_wire(&w, &o);
	wire_call(&w, "echo", "{}");
	wire_say(&w, form);
	uint64_t id = only(&w)->id;
	assert_null(server_question_end(w.server, id));
	wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/cancelled',"
		     "'params':{'requestId':'f','reason':'too slow'}}");
	assert_int_equal(server_info(w.server)->questions.len, 0);
	assert_string_equal(server_question_end(w.server, id), "cancelled by the server: too slow");
	assert_null(server_question_end(w.server, 0));
	wire_say(&w, url);
	assert_null(server_question_end(w.server, only(&w)->id));
	wire_close(&w);
}

static void
test_questions_end_with_their_call_and_server(void **state)
{
	struct server_options o = options();
	struct wire w;

	open_wire(&w, &o);
	uint64_t call = wire_call(&w, "echo", "{}");
	wire_say(&w, form);
	assert_true(server_cancel(w.server, call, w.now_us));
	assert_int_equal(server_info(w.server)->questions.len, 0);
	wire_say(&w, url);
	wire_say(&w, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':"
		     "'u'}}");
	assert_int_equal(server_info(w.server)->questions.len, 0);
	wire_call(&w, "echo", "{}");
	wire_say(&w, sampling);
	wire_say(&w, roots);
	assert_int_equal(server_info(w.server)->questions.len, 2);
	wire_end(&w, "exited with code 3");
	assert_int_equal(server_info(w.server)->questions.len, 0);
	wire_close(&w);
}

static void
test_unseen_form(void **state)
{
	struct server_options o = options();
	struct wire w;

	o.answers = (struct answer_policy){ .unseen = true };
	open_wire(&w, &o);
	wire_say(&w, form);
	assert_sent(&w, "{'action':'decline'}");
	wire_say(&w, sampling);
	assert_sent(&w, "'code':-1");
	wire_close(&w);
	o.answers.elicit = ANSWER_CANCEL;
	open_wire(&w, &o);
	wire_say(&w, url);
	assert_sent(&w, "{'action':'cancel'}");
	wire_close(&w);
	o.answers.elicit = ANSWER_ACCEPT;
	open_wire(&w, &o);
	wire_say(&w, form); /* name and sure are required and have no defaults */
	assert_sent(&w, "{'action':'decline'}");
	wire_say(&w, with_defaults);
	assert_sent(&w, "{'action':'accept','content':{'sure':true,'kind':'a','size':'M'}}");
	wire_close(&w);
	o.answers.elicit = ANSWER_GUESS;
	open_wire(&w, &o);
	wire_say(&w, form);
	assert_sent(&w, "'action':'accept'");
	assert_sent(&w, "'sure':true");
	assert_sent(&w, "'size':'M'");
	assert_sent(&w, "'name':");
	wire_say(&w, url);
	assert_sent(&w, "{'action':'decline'}");
	wire_close(&w);
	o.answers.content = "{\"name\":\"Bob\"}";
	o.answers.sampling = "It rains.";
	open_wire(&w, &o);
	wire_say(&w, form);
	assert_sent(&w, "{'action':'accept','content':{'name':'Bob'}}");
	wire_say(&w, sampling);
	assert_sent(&w, "'content':{'type':'text','text':'It rains.'}");
	wire_close(&w);
}

static void
test_unseen_sampling_may_come_later(void **state)
{
	struct server_options o = options();
	struct wire w;

	o.answers = (struct answer_policy){ .unseen = true, .sampling_later = true };
	open_wire(&w, &o);
	wire_say(&w, sampling);
	assert_int_equal(only(&w)->kind, QUESTION_SAMPLING);
	wire_close(&w);
	o.answers = (struct answer_policy){ .sampling = "canned" };
	open_wire(&w, &o);
	wire_say(&w, sampling);
	assert_string_equal(only(&w)->draft, "canned");
	wire_close(&w);
}

static void
test_roots_need_consent_once(void **state)
{
	static const char *const given[] = { "/srv/a b" };
	struct server_options o = options();
	struct err err;
	struct wire w;

	o.answers = (struct answer_policy){ .roots = given, .root_count = 1 };
	open_wire(&w, &o);
	assert_false(server_change_root(w.server, "relative", true, w.now_us, &err));
	assert_true(server_change_root(w.server, "/home/ada", true, w.now_us, &err));
	assert_int_equal(wire_count(&w, "notifications/roots/list_changed"), 1);
	wire_say(&w, roots);
	uint64_t id = only(&w)->id;
	wire_say(&w, "{'jsonrpc':'2.0','id':'r2','method':'roots/list'}"); /* told as well */
	assert_true(server_change_root(w.server, "/tmp", true, w.now_us, &err));
	assert_true(server_change_root(w.server, "/tmp", false, w.now_us, &err));
	assert_int_equal(wire_count(&w, "notifications/roots/list_changed"), 1);
	assert_true(server_consent_to_roots(w.server, id, w.now_us));
	assert_sent(&w, "{'roots':[{'uri':'file:///srv/a%20b','name':'a%20b'},"
			"{'uri':'file:///home/ada','name':'ada'}]}");
	assert_true(server_change_root(w.server, "/srv/a b", false, w.now_us, &err));
	assert_false(server_change_root(w.server, "/srv/a b", false, w.now_us, &err));
	assert_int_equal(wire_count(&w, "notifications/roots/list_changed"), 2);
	wire_say(&w, roots);
	assert_int_equal(server_info(w.server)->questions.len, 0);
	assert_sent(&w, "{'roots':[{'uri':'file:///home/ada','name':'ada'}]}");
	wire_close(&w);
}

/* Servers ask at their start: without roots that lights no question for the whole session. */
static void
test_no_roots_need_no_consent(void **state)
{
	struct server_options o = options();
	struct err err;
	struct wire w;

	open_wire(&w, &o);
	wire_say(&w, roots);
	assert_int_equal(server_info(w.server)->questions.len, 0);
	assert_sent(&w, "{'roots':[]}");
	/* the user adds one by a command: that is the consent, and the server is notified */
	assert_true(server_change_root(w.server, "/srv", true, w.now_us, &err));
	assert_true(server_consent_to_roots(w.server, 0, w.now_us));
	assert_int_equal(wire_count(&w, "notifications/roots/list_changed"), 1);
	wire_say(&w, roots);
	assert_int_equal(server_info(w.server)->questions.len, 0);
	assert_sent(&w, "{'roots':[{'uri':'file:///srv','name':'srv'}]}");
	wire_close(&w);
	/* in a call the user is there, and may want to choose some */
	open_wire(&w, &o);
	wire_call(&w, "echo", "{}");
	wire_say(&w, roots);
	assert_int_equal(only(&w)->kind, QUESTION_ROOTS);
	wire_close(&w);
}

static void
test_visited_urls_send_the_call_again(void **state)
{
	struct server_options o = options();
	struct wire w;

	open_wire(&w, &o);
	uint64_t call = wire_call(&w, "echo", "{}");
	wire_answer(&w, "tools/call",
	    "'error':{'code':-32042,'message':'Log in','data':{'elicitations':[{'mode':'url',"
	    "'elicitationId':'e1','url':'https://a.example/','message':'Log in'}]}}");
	struct question *q = only(&w);
	assert_true(q->sends_again);
	assert_int_equal(q->call, call);
	assert_int_equal(server_find_call(w.server, call)->state, CALL_RUNNING);
	static const char done[] = "{'jsonrpc':'2.0','method':'notifications/elicitation/complete',"
				   "'params':{'elicitationId':'e1'}}";
	wire_say(&w, done); /* before it was opened: it is only noted */
	assert_true(only(&w)->completed);
	only(&w)->opened = true;
	wire_say(&w, done);
	assert_int_equal(server_info(w.server)->questions.len, 0);
	assert_int_equal(wire_count(&w, "tools/call"), 2);
	wire_say(&w, done); /* unknown now */
	const struct journal *j = server_info(w.server)->journal;
	const struct journal_entry *last = journal_at(j, journal_info(j)->count - 1);
	assert_int_equal(last->kind, JOURNAL_NOTE);
	assert_memory_equal(last->bytes->data,
	    "the server says that the elicitation e1 is complete", last->bytes->len);
	wire_answer(&w, "tools/call", "'result':{'content':[]}");
	assert_int_equal(server_find_call(w.server, call)->state, CALL_DONE);
	wire_close(&w);
}

static void
test_sampling_results(void **state)
{
	static const struct {
		const char *text, *result;
	} rows[] = {
		{ "hi", "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"hi\"},"
			"\"model\":\"by-hand\",\"stopReason\":\"endTurn\"}" },
		{ "{\"a\":1}", "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"{"
			       "\\\"a\\\":1}"
			       "\"},\"model\":\"by-hand\",\"stopReason\":\"endTurn\"}" },
		{ "{\"model\":\"m\",\"content\":[{\"type\":\"tool_use\"}]}",
		    "{\"role\":\"assistant\",\"stopReason\":\"toolUse\",\"model\":\"m\","
		    "\"content\":"
		    "[{\"type\":\"tool_use\"}]}" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out = BUF_INIT;
		question_sampling_result(rows[i].text, strlen(rows[i].text), &out);
		assert_string_equal(buf_text(&out), rows[i].result);
		buf_finish(&out);
	}
}

static const char *
flaw_of(const char *request, const char *result)
{
	struct json_doc *a = json_parse(request, strlen(request), NULL, NULL);
	struct json_doc *b = json_parse(result, strlen(result), NULL, NULL);
	struct sampling s;

	sampling_decode(&s, json_root(a));
	const char *flaw = sampling_result_flaw(&s, json_root(b));
	json_doc_destroy(a);
	json_doc_destroy(b);
	return flaw;
}

#define USE \
	"\"role\":\"assistant\",\"model\":\"m\",\"content\":[{\"type\":\"tool_use\",\"id\":\"1\","
static void
test_rules_of_sampling_results(void **state)
{
	static const char tooled[] = "{\"tools\":[{\"name\":\"t\"}]}";

	assert_null(flaw_of(tooled, "{" USE "\"name\":\"t\",\"input\":{}}]}"));
	assert_non_null(flaw_of(tooled, "{" USE "\"name\":\"u\",\"input\":{}}]}"));
	assert_non_null(flaw_of(tooled, "{" USE "\"name\":\"t\",\"input\":[]}]}"));
	assert_non_null(flaw_of("{}", "{" USE "\"name\":\"t\",\"input\":{}}]}"));
	assert_non_null(flaw_of("{\"tools\":[{\"name\":\"t\"}],\"toolChoice\":{\"mode\":\"none\"}}",
	    "{" USE "\"name\":\"t\",\"input\":{}}]}"));
	assert_non_null(flaw_of("{\"toolChoice\":{\"mode\":\"required\"}}",
	    "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"\"}"
	    "}"));
	assert_non_null(flaw_of("{}", "[]"));
	assert_non_null(flaw_of("{}", "{\"role\":\"user\",\"model\":\"m\",\"content\":[]}"));
	assert_non_null(flaw_of("{}", "{\"role\":\"assistant\",\"content\":[]}"));
	assert_non_null(flaw_of("{}", "{\"role\":\"assistant\",\"model\":\"m\"}"));
	assert_non_null(flaw_of("{}",
	    "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"tool_result\"}}"));
	assert_null(flaw_of("{}", "{\"role\":\"assistant\",\"model\":\"m\",\"content\":[]}"));
}

TEST_FILE(questions)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_form_waits_and_is_answered),
		cmocka_unit_test(test_each_is_declined_as_its_kind_has_it),
		cmocka_unit_test(test_why_a_question_went),
		cmocka_unit_test(test_questions_end_with_their_call_and_server),
		cmocka_unit_test(test_unseen_form),
		cmocka_unit_test(test_unseen_sampling_may_come_later),
		cmocka_unit_test(test_roots_need_consent_once),
		cmocka_unit_test(test_no_roots_need_no_consent),
		cmocka_unit_test(test_visited_urls_send_the_call_again),
		cmocka_unit_test(test_sampling_results),
		cmocka_unit_test(test_rules_of_sampling_results),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
