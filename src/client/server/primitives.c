#include "server.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"
#include "json/write.h"
#include "mcp/invoke.h"
#include "client/history.h"

#include <stdlib.h>
#include <string.h>

/* Smaller results take about a millisecond, unless the schema makes them slow: those start again
 * as a job. */
#define CHECK_LATER_BYTES ((size_t)256 << 10)
#define CHECK_LATER_STEPS ((size_t)100000)

/* A result that is checked in a job. The job reads the call's trees and schema, so a call that
 * is evicted meanwhile is kept until the job ends. */
struct check {
	struct job job;        /* must come first */
	struct server *server; /* NULL if the call was evicted */
	struct call *call;
	struct report *report; /* NULL if the verdict needs none */
	struct findings findings;
	bool no_findings;
	struct skill_check skill; /* of a file of a skill, in place of a report */
};

static void
run(struct job *job)
{
	struct check *k = (struct check *)job;

	if (k->call->kind == PRIMITIVE_SKILL) {
		skill_verify(
		    &k->skill, json_root(k->call->definition), k->call->uri, &k->call->result);
		return;
	}
	struct verdict verdict = k->call->verdict;
	if (verdict.kind == VERDICT_CHECKING) {
		k->report = verdict_check(
		    &verdict, k->call->result.structured, &(struct check_options){ .job = job });
		verdict_end(&verdict, k->report);
	}
	if (!k->no_findings)
		findings_of_result(&k->findings,
		    &(struct finding_result){ .call = k->call, .verdict = &verdict, .job = job });
}

static void
done(struct job *job)
{
	struct check *k = (struct check *)job;
	struct server *s = k->server;
	struct call *c = k->call;

	c->check = NULL;
	if (s && !job_is_stopped(job)) {
		if (c->kind == PRIMITIVE_SKILL)
			c->skill = k->skill;
		c->findings = k->findings;
		c->reviewed = true;
		if (k->report) {
			verdict_end(&c->verdict, k->report);
			server_note_verdict(s, c);
		}
		server_keep_call(s, c);
		s->generation++;
		s->on_checked(s->jobs_user);
	} else {
		report_destroy(k->report);
		findings_finish(&k->findings);
		if (!s)
			call_destroy(c);
	}
	free(k);
}

static bool
judge_soon(const struct server *s, struct call *c)
{
	const struct check_options some = { .max_steps = CHECK_LATER_STEPS };

	if (c->raw && c->raw->len >= CHECK_LATER_BYTES)
		return false;
	if (c->kind == PRIMITIVE_SKILL) {
		call_check(c);
		return true;
	}
	if (c->verdict.kind == VERDICT_CHECKING) {
		struct report *report = verdict_check(&c->verdict, c->result.structured, &some);
		if (report_facts(report)->is_cut) {
			report_destroy(report);
			return false;
		}
		verdict_end(&c->verdict, report);
	}
	if (!s->options.no_findings)
		call_review(c);
	return true;
}

void
server_check(struct server *s, struct call *c)
{
	bool is_tool = c->kind == PRIMITIVE_TOOL && c->state == CALL_DONE;

	if (!is_tool && c->skill.state != SKILL_CHECKING)
		return;
	if (!s->submit)
		call_check(c);
	if (judge_soon(s, c) || !s->submit)
		return;
	struct check *k = mem_zalloc(sizeof(*k));
	*k = (struct check){ .job = { .run = run, .done = done },
		.server = s,
		.call = c,
		.no_findings = s->options.no_findings };
	c->check = k;
	s->submit(s->jobs_user, &k->job);
}

void
server_let_go(struct call *c)
{
	if (!c->check) {
		call_destroy(c);
		return;
	}
	c->check->server = NULL;
	job_stop(&c->check->job);
}

/* ---- the lists ---- */

void
server_lists_init(struct server *s)
{
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		lister_init(&s->listers[kind], (enum primitive_kind)kind);
	completer_init(&s->completer);
	server_skills_init(s);
}

void
server_lists_finish(struct server *s)
{
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		lister_finish(&s->listers[kind]);
	completer_finish(&s->completer);
	server_skills_finish(s);
}

/* A server is useless without its tools; the other lists may come later. */
static void
update_phase(struct server *s)
{
	if (s->info.phase == SERVER_LISTING && !lister_is_busy(&s->listers[PRIMITIVE_TOOL]))
		s->info.phase = SERVER_READY;
}

void
server_lists_start(struct server *s)
{
	completer_forget(&s->completer);
	s->skills.fresh_from = s->next_call;
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		if (!(s->options.skip_lists >> kind & 1))
			lister_start(&s->listers[kind], s->session, server_now_ms(s));
	update_phase(s);
}

bool
server_lists_on_reply(struct server *s, uint64_t request, struct session_reply *reply)
{
	bool used = false;

	for (int kind = 0; kind < PRIMITIVE_KINDS && !used; kind++)
		used = lister_on_reply(
		    &s->listers[kind], s->session, request, reply, server_now_ms(s));
	if (used) {
		update_phase(s);
		server_skills_on_list(s);
	}
	return used || server_skills_on_reply(s, request, reply) ||
	       completer_on_reply(&s->completer, request, reply) ||
	       server_ping_on_reply(s, request, reply);
}

static const struct {
	const char *method;
	enum primitive_kind kind;
} notices[] = {
	{ "notifications/tools/list_changed", PRIMITIVE_TOOL },
	{ "notifications/resources/list_changed", PRIMITIVE_RESOURCE },
	{ "notifications/resources/list_changed", PRIMITIVE_TEMPLATE },
	{ "notifications/prompts/list_changed", PRIMITIVE_PROMPT },
};

void
server_lists_on_notification(struct server *s, const char *method)
{
	for (size_t i = 0; i < ARRAY_LEN(notices); i++)
		if (!s->options.session.onlooker && strcmp(notices[i].method, method) == 0 &&
		    !(s->options.skip_lists >> notices[i].kind & 1))
			lister_on_changed(&s->listers[notices[i].kind], server_now_ms(s));
	if (strcmp(method, "notifications/resources/list_changed") == 0)
		s->skills.fresh_from = s->next_call;
	server_apps_on_notification(s, method);
}

int64_t
server_lists_next_time(const struct server *s)
{
	int64_t next = completer_next_time(&s->completer);

	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		int64_t time = lister_next_time(&s->listers[kind]);
		next = time < next ? time : next;
	}
	return next;
}

void
server_lists_on_time(struct server *s)
{
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		if (lister_next_time(&s->listers[kind]) <= server_now_ms(s))
			lister_on_time(&s->listers[kind], s->session, server_now_ms(s));
	completer_on_time(&s->completer, s->session, server_now_ms(s));
}

void
server_complete(
    struct server *s, const struct completion_question *question, int64_t delay_ms, int64_t now_us)
{
	s->now_us = now_us;
	if (question)
		completer_ask(&s->completer, question, delay_ms, server_now_ms(s));
	else
		completer_drop(&s->completer);
}

void
server_relist(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	if (s->session && session_info(s->session)->state == SESSION_READY)
		server_lists_start(s);
}

bool
server_is_listing(const struct server *s)
{
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		if (lister_is_busy(&s->listers[kind]))
			return true;
	return false;
}

uint64_t
server_lists_generation(const struct server *s)
{
	uint64_t generation = 0;

	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		generation += s->listers[kind].generation;
	return generation;
}

/* ---- calling ---- */

static uint64_t
add_call(struct server *s, const struct primitive *primitive, const char *arguments_json,
    size_t len, uint64_t request, struct buf *uri)
{
	struct json_doc *definition = json_part(primitive->doc, primitive->definition);
	struct buf plain = BUF_INIT;
	bool hides = secret_hide_values(&plain, arguments_json, len, SECRET_VALUES_GIVEN);
	struct call *c = call_create(s->next_call++, primitive->key, definition,
	    hides ? buf_text(&plain) : arguments_json, hides ? plain.len : len, s->now_us);

	buf_finish(&plain);
	c->kind = primitive->kind;
	c->request = request;
	c->stderr_from = s->stderr_bytes;
	if (primitive->kind != PRIMITIVE_TOOL)
		c->output_schema = NULL;
	if (uri->len > 0)
		c->uri = buf_detach(uri);
	s->info.calls_made++;
	s->info.calls++;
	*VEC_PUSH(&s->calls) = c;
	s->generation++;
	return c->id;
}

/* Before they are sent: what is written of them from then on, and what the server says, is without
 * its secrets. */
static void
note_secrets(const struct primitive *p, const char *arguments_json, size_t len)
{
	struct json_doc *doc = json_parse(arguments_json, len, NULL, NULL);

	if (doc)
		json_note_secrets(json_root(doc), NULL, json_get(p->definition, "inputSchema"));
	json_doc_destroy(doc);
}

uint64_t
server_ask(struct server *s, const struct primitive *primitive, const char *arguments_json,
    size_t len, int64_t now_us, struct err *err)
{
	struct buf uri = BUF_INIT;
	uint64_t request = 0, id = 0;

	s->now_us = now_us;
	if (!primitive->has_key)
		err_set(err, "its definition is broken: %s", primitive->problem);
	else if (s->options.session.onlooker)
		err_set(err, "a recording answers nobody: mcpane replay makes a server of it");
	else if (!s->session)
		err_set(err, "not connected");
	else {
		note_secrets(primitive, arguments_json, len);
		request = primitive_invoke(
		    s->session, primitive, arguments_json, len, &uri, server_now_ms(s), err);
	}
	if (request)
		id = add_call(s, primitive, arguments_json, len, request, &uri);
	buf_finish(&uri);
	return id;
}
