/* SPDX-License-Identifier: MIT */
/* Large results are checked by jobs; here the test runs them. */
#include "base/mem.h"
#include "base/vec.h"
#include "test.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

#define BIG ((size_t)300000)

static const char typed[] = "{'name':'typed','inputSchema':{'type':'object'},"
			    "'outputSchema':{'type':'object','required':['n']}}";
static const struct server_options modern = {
	.session = { .era = ERA_MODERN, .client_name = "t", .client_version = "1" }
};

struct queue {
	struct job **items;
	size_t len, cap, told;
};

static void
submit(void *user, struct job *job)
{
	*VEC_PUSH((struct queue *)user) = job;
}

static void
on_checked(void *user)
{
	((struct queue *)user)->told++;
}

static void
run_first(struct queue *q)
{
	struct job *job = q->items[0];

	VEC_REMOVE(q, 0);
	if (!job_is_stopped(job))
		job->run(job);
	job->done(job);
}

static void
open(struct wire *w, struct queue *q)
{
	*q = (struct queue){ 0 };
	wire_open(w, &modern);
	server_use_jobs(w->server, submit, on_checked, q);
	wire_connect(w, typed);
}

static void
close(struct wire *w, struct queue *q)
{
	wire_close(w);
	while (q->len > 0)
		run_first(q);
	free(q->items);
}

static uint64_t
call(struct wire *w, const char *member, size_t len)
{
	char *pad = mem_alloc(len + 1);
	uint64_t id = wire_call(w, "typed", "{}");

	memset(pad, 'x', len);
	pad[len] = '\0';
	char *answer = mem_printf("'result':{'resultType':'complete','content':[],"
				  "'structuredContent':{%s'pad':'%s'}}",
	    member, pad);
	wire_answer(w, "tools/call", answer);
	free(answer);
	free(pad);
	return id;
}

static enum verdict_kind
verdict(const struct wire *w, uint64_t id)
{
	return server_find_call(w->server, id)->verdict.kind;
}

static void
test_a_small_result_is_judged_at_once(void **state)
{
	struct queue q;
	struct wire w;

	open(&w, &q);
	uint64_t id = call(&w, "'n':1,", 10);
	assert_int_equal(verdict(&w, id), VERDICT_VALID);
	assert_int_equal(q.len, 0);
	close(&w, &q);
}

/* Its schema goes through a long text a thousand times. */
static void
test_a_small_one_that_takes_long_later(void **state)
{
	struct buf slow = BUF_INIT;
	struct queue q;
	struct wire w;

	buf_add_str(&slow, "{'name':'typed','inputSchema':{'type':'object'},'outputSchema':{"
			   "'required':['n'],'properties':{'pad':{'allOf':[{}");
	for (int i = 0; i < 1000; i++)
		buf_addf(&slow, ",{'minLength':%d}", 200000 + i);
	buf_add_str(&slow, "]}}}}");
	q = (struct queue){ 0 };
	wire_open(&w, &modern);
	server_use_jobs(w.server, submit, on_checked, &q);
	wire_connect(&w, buf_text(&slow));
	buf_finish(&slow);
	uint64_t id = call(&w, "", 100000);
	assert_int_equal(verdict(&w, id), VERDICT_CHECKING);
	assert_int_equal(q.len, 1);
	run_first(&q);
	assert_int_equal(verdict(&w, id), VERDICT_INVALID);
	assert_int_equal(q.told, 1);
	close(&w, &q);
}

static void
test_a_big_one_later(void **state)
{
	struct queue q;
	struct wire w;

	open(&w, &q);
	uint64_t id = call(&w, "'m':1,", BIG);
	const struct call *c = server_find_call(w.server, id);
	assert_int_equal(c->state, CALL_DONE);
	assert_int_equal(c->verdict.kind, VERDICT_CHECKING);
	assert_non_null(c->verdict.schema);
	assert_null(c->verdict.report);
	assert_int_equal(server_last_verdict(w.server, "typed"), VERDICT_CHECKING);
	uint64_t before = server_generation(w.server);
	run_first(&q);
	assert_int_equal(c->verdict.kind, VERDICT_INVALID);
	assert_int_equal(report_facts(c->verdict.report)->violations, 1);
	assert_int_equal(server_last_verdict(w.server, "typed"), VERDICT_INVALID);
	assert_true(server_generation(w.server) > before);
	assert_int_equal(q.told, 1);
	close(&w, &q);
}

static void
test_nothing_to_check_is_known_at_once(void **state)
{
	struct queue q;
	struct wire w;

	open(&w, &q);
	char *big = mem_zalloc(BIG + 1);
	memset(big, 'x', BIG);
	uint64_t id = wire_call(&w, "typed", "{}");
	char *answer = mem_printf("'result':{'resultType':'complete','isError':true,"
				  "'content':[{'type':'text','text':'%s'}]}",
	    big);
	wire_answer(&w, "tools/call", answer);
	assert_int_equal(verdict(&w, id), VERDICT_NOT_APPLIED);
	assert_int_equal(q.len, 1); /* the search for findings comes later */
	assert_int_equal(server_find_call(w.server, id)->findings.len, 0);
	run_first(&q);
	assert_int_equal(verdict(&w, id), VERDICT_NOT_APPLIED);
	assert_int_equal(server_find_call(w.server, id)->findings.len, 1);
	free(answer);
	free(big);
	close(&w, &q);
}

/* The tool has the verdict of the newest answer, in any order of arrival. */
static void
test_the_newest_verdict_stands(void **state)
{
	struct queue q;
	struct wire w;

	open(&w, &q);
	uint64_t first = call(&w, "'m':1,", BIG), second = call(&w, "'n':1,", 1);
	assert_int_equal(server_last_verdict(w.server, "typed"), VERDICT_VALID);
	run_first(&q);
	assert_int_equal(verdict(&w, first), VERDICT_INVALID);
	assert_int_equal(verdict(&w, second), VERDICT_VALID);
	assert_int_equal(server_last_verdict(w.server, "typed"), VERDICT_VALID);
	close(&w, &q);
}

static void
test_a_call_may_be_evicted_meanwhile(void **state)
{
	struct server_options options = modern;
	struct queue q = { 0 };
	struct wire w;

	options.calls_max_bytes = 1000;
	wire_open(&w, &options);
	server_use_jobs(w.server, submit, on_checked, &q);
	wire_connect(&w, typed);
	uint64_t first = call(&w, "'m':1,", BIG), second = call(&w, "'n':1,", BIG);
	assert_null(server_find_call(w.server, first));
	assert_int_equal(q.len, 2);
	assert_true(job_is_stopped(q.items[0]));
	assert_false(job_is_stopped(q.items[1]));
	q.items[0]->run(q.items[0]); /* as when it was under way */
	run_first(&q);
	assert_int_equal(q.told, 0);
	run_first(&q);
	assert_int_equal(verdict(&w, second), VERDICT_VALID);
	close(&w, &q);
}

static void
test_the_server_may_go_meanwhile(void **state)
{
	struct queue q;
	struct wire w;

	for (int runs = 0; runs < 2; runs++) {
		open(&w, &q);
		call(&w, "'m':1,", BIG);
		if (runs)
			q.items[0]->run(q.items[0]);
		close(&w, &q);
		assert_int_equal(q.told, 0);
	}
}

/* The program ends: a job stopped while its server exists leaves no verdict. */
static void
test_a_stopped_check_gives_no_verdict(void **state)
{
	struct queue q;
	struct wire w;

	open(&w, &q);
	uint64_t id = call(&w, "'m':1,", BIG);
	job_stop(q.items[0]);
	run_first(&q);
	assert_int_equal(verdict(&w, id), VERDICT_CHECKING);
	assert_int_equal(q.told, 0);
	close(&w, &q);
}

static bool
has_finding(const struct wire *w, uint64_t id, const char *name)
{
	const struct findings *f = &server_find_call(w->server, id)->findings;
	size_t i = 0;

	while (i < f->len && strcmp(f->items[i].kind->name, name) != 0)
		i++;
	return i < f->len;
}

static void
read_resource(struct wire *w, const char *uri, const char *answer)
{
	char *text = mem_printf("{\"uri\":\"%s\",\"name\":\"n\"}", uri);
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);
	struct primitive p;

	primitive_decode(&p, PRIMITIVE_RESOURCE, doc, json_root(doc));
	assert_int_not_equal(server_ask(w->server, &p, "{}", 2, 0, NULL), 0);
	wire_answer(w, "resources/read", answer);
	json_doc_destroy(doc);
	free(text);
}

/* The user follows a link of a result, and the server refuses to read it. */
static void
test_a_refused_link_is_a_finding(void **state)
{
	struct queue q;
	struct wire w;

	open(&w, &q);
	uint64_t id = wire_call(&w, "typed", "{}");
	wire_answer(&w, "tools/call",
	    "'result':{'resultType':'complete','structuredContent':{'n':1},'content':["
	    "{'type':'resource_link','name':'n','uri':'a:b'}]}");
	read_resource(&w, "a:other", "'error':{'code':-32602,'message':'gone'}");
	assert_false(has_finding(&w, id, "link-refused"));
	read_resource(
	    &w, "a:b", "'result':{'resultType':'complete','contents':[{'uri':'a:b','text':'x'}]}");
	assert_false(has_finding(&w, id, "link-refused"));
	read_resource(&w, "a:b", "'error':{'code':-32602,'message':'gone'}");
	assert_true(has_finding(&w, id, "link-refused"));
	close(&w, &q);
}

/* A program that shows no findings does not look for them. */
static void
test_no_findings(void **state)
{
	struct server_options options = modern;
	struct wire w;

	for (int i = 0; i < 2; i++) {
		options.no_findings = i > 0;
		wire_open(&w, &options);
		wire_connect(&w, typed);
		uint64_t id = call(&w, "'m':1,", 10);
		assert_int_equal(verdict(&w, id), VERDICT_INVALID);
		assert_int_equal(has_finding(&w, id, "structured-invalid"), i == 0);
		wire_close(&w);
	}
}

TEST_FILE(server_check)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_small_result_is_judged_at_once),
		cmocka_unit_test(test_a_small_one_that_takes_long_later),
		cmocka_unit_test(test_a_big_one_later),
		cmocka_unit_test(test_nothing_to_check_is_known_at_once),
		cmocka_unit_test(test_the_newest_verdict_stands),
		cmocka_unit_test(test_a_call_may_be_evicted_meanwhile),
		cmocka_unit_test(test_the_server_may_go_meanwhile),
		cmocka_unit_test(test_a_stopped_check_gives_no_verdict),
		cmocka_unit_test(test_a_refused_link_is_a_finding),
		cmocka_unit_test(test_no_findings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
