/* SPDX-License-Identifier: MIT */
#include "server.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"
#include "client/history.h"
#include "json/print.h"
#include "json/write.h"
#include "mcp/primitive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the calls that are kept ---- */

enum verdict_kind
server_last_verdict(const struct server *s, const char *tool)
{
	for (size_t i = 0; i < s->verdicts.len; i++)
		if (strcmp(s->verdicts.items[i].tool, tool) == 0)
			return s->verdicts.items[i].kind;
	return VERDICT_NONE;
}

const struct call *
server_call_at(const struct server *s, size_t index)
{
	return index < s->calls.len ? s->calls.items[index] : NULL;
}

const struct call *
server_last_call(const struct server *s, enum primitive_kind kind, const char *key)
{
	for (size_t i = s->calls.len; i-- > 0;) {
		const struct call *c = s->calls.items[i];
		if (c->kind == kind && !c->is_past && strcmp(c->key, key) == 0)
			return c;
	}
	return NULL;
}

const struct call *
server_find_call(const struct server *s, uint64_t id)
{
	for (size_t i = s->calls.len; i-- > 0;)
		if (s->calls.items[i]->id == id)
			return s->calls.items[i];
	return NULL;
}

const struct call *
server_find_kept(const struct server *s, uint64_t id)
{
	for (size_t i = s->calls.len; id && i-- > 0;)
		if (s->calls.items[i]->kept == id)
			return s->calls.items[i];
	return NULL;
}

size_t
server_running(const struct server *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->calls.len; i++)
		n += s->calls.items[i]->state == CALL_RUNNING;
	return n;
}

/* The latest start of: the connection, a running call, a check of a result. */
int64_t
server_busy_since_us(const struct server *s)
{
	bool opening = s->info.phase > SERVER_IDLE && s->info.phase < SERVER_READY;
	int64_t since_us = opening ? s->started_us : INT64_MIN;

	for (size_t i = 0; i < s->calls.len; i++) {
		const struct call *c = s->calls.items[i];
		bool checking =
		    c->verdict.kind == VERDICT_CHECKING || c->skill.state == SKILL_CHECKING;
		int64_t began_us = c->state == CALL_RUNNING ? c->started_us
				   : checking               ? c->ended_us
							    : INT64_MIN;
		since_us = began_us > since_us ? began_us : since_us;
	}
	return since_us;
}

#define CALLS_KEPT 1000

static void
count_call(struct server *s, struct call *ended)
{
	size_t max = s->options.calls_max_bytes ? s->options.calls_max_bytes : (size_t)256 << 20;
	size_t i = 0;

	ended->held = call_memory(ended);
	s->calls_bytes += ended->held;
	while (i + 1 < s->calls.len && (s->calls_bytes > max || s->calls.len > CALLS_KEPT)) {
		struct call *c = s->calls.items[i];
		if (c->state == CALL_RUNNING) {
			i++;
			continue;
		}
		s->calls_bytes -= c->held;
		server_let_go(c);
		VEC_REMOVE(&s->calls, i);
		s->info.calls--;
	}
}

/* The latest verdict of a tool is that of the call that ended last. */
static void
note_verdict(struct server *s, const struct call *c, bool ended)
{
	struct verdict_note *note = NULL;

	for (size_t i = 0; i < s->verdicts.len && !note; i++)
		if (strcmp(s->verdicts.items[i].tool, c->key) == 0)
			note = &s->verdicts.items[i];
	if (!note) {
		note = VEC_PUSH(&s->verdicts);
		*note = (struct verdict_note){ .tool = mem_strdup(c->key) };
	}
	if (ended)
		note->call = c->id;
	if (note->call == c->id)
		note->kind = c->verdict.kind;
	journal_judge(s->journal, c->reply, c->verdict.kind);
}

static void
keep_call(struct server *s, struct call *c)
{
	if (s->options.keep && !c->is_past && c->kind != PRIMITIVE_SKILL)
		c->kept = s->options.keep(s->options.keep_user, s, c);
}

/* ---- checking results ---- */

/* Smaller results take about a millisecond. If the schema is slow, the check starts again as a job.
 */
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
	struct skill_check skill; /* of a file of a skill, instead of a report */
};

static void
check_run(struct job *job)
{
	struct check *k = (struct check *)job;

	if (k->call->kind == PRIMITIVE_SKILL) {
		skill_verify(
		    &k->skill, json_root(k->call->definition), k->call->uri, &k->call->result);
		return;
	}
	struct verdict verdict = k->call->verdict;
	if (verdict.kind == VERDICT_CHECKING) {
		k->report = schema_check(verdict.schema, k->call->result.structured,
		    &(struct check_options){ .job = job });
		verdict_end(&verdict, k->report);
	}
	if (!k->no_findings)
		findings_of_result(&k->findings,
		    &(struct finding_result){ .call = k->call, .verdict = &verdict, .job = job });
}

static void
check_done(struct job *job)
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
			note_verdict(s, c, false);
		}
		keep_call(s, c);
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
		struct report *report =
		    schema_check(c->verdict.schema, c->result.structured, &some);
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

/* Check a result that is CHECKING, at once or in a job. */
static void
check_result(struct server *s, struct call *c)
{
	bool is_tool = c->kind == PRIMITIVE_TOOL && c->state == CALL_DONE;

	if (!is_tool && c->skill.state != SKILL_CHECKING)
		return;
	if (!s->submit)
		call_check(c);
	if (judge_soon(s, c) || !s->submit)
		return;
	struct check *k = mem_zalloc(sizeof(*k));
	*k = (struct check){ .job = { .run = check_run, .done = check_done },
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

/* ---- making calls ---- */

struct new_call {
	enum primitive_kind kind;
	const char *key;
	struct json_doc *definition; /* taken; may be NULL */
	const char *arguments;
	size_t len;
	uint64_t request;
	char *uri; /* taken; NULL for a tool or prompt */
};

static struct call *
add_call(struct server *s, const struct new_call *n)
{
	struct buf plain = BUF_INIT;
	bool hides = secret_hide_values(&plain, n->arguments, n->len, SECRET_VALUES_GIVEN);
	struct call *c = call_create(s->next_call++, n->key, n->definition,
	    hides ? buf_text(&plain) : n->arguments, hides ? plain.len : n->len, s->now_us);

	buf_finish(&plain);
	c->kind = n->kind;
	c->request = n->request;
	c->uri = n->uri;
	c->stderr_from = s->stderr_bytes;
	if (c->kind != PRIMITIVE_TOOL)
		c->output_schema = NULL;
	s->info.calls_made++;
	s->info.calls++;
	*VEC_PUSH(&s->calls) = c;
	s->generation++;
	return c;
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
		err_set(err, "a recording cannot answer calls: mcpane replay makes a server of it");
	else if (!s->session)
		err_set(err, "not connected");
	else {
		/* from now on, the values of secrets are hidden in all records */
		struct json_doc *doc = json_parse(arguments_json, len, NULL, NULL);
		if (doc)
			json_note_secrets(
			    json_root(doc), NULL, json_get(primitive->definition, "inputSchema"));
		json_doc_destroy(doc);
		request = primitive_invoke(
		    s->session, primitive, arguments_json, &uri, server_now_ms(s), err);
	}
	if (request)
		id = add_call(s, &(struct new_call){ .kind = primitive->kind,
				     .key = primitive->key,
				     .definition = json_part(primitive->doc, primitive->definition),
				     .arguments = arguments_json,
				     .len = len,
				     .request = request,
				     .uri = uri.len > 0 ? buf_detach(&uri) : NULL })
			 ->id;
	buf_finish(&uri);
	return id;
}

/* ---- calls of a watched client, and calls written by hand ---- */

static const struct watched_call {
	const char *method, *key;
	enum primitive_kind kind;
} watched_calls[] = {
	{ "tools/call", "name", PRIMITIVE_TOOL },
	{ "prompts/get", "name", PRIMITIVE_PROMPT },
	{ "resources/read", "uri", PRIMITIVE_RESOURCE },
	{ NULL, NULL, PRIMITIVE_TOOL },
};

/* Adds the call that a message makes; NULL: it makes none. */
static struct call *
add_called(struct server *s, uint64_t request, const struct message *m)
{
	const struct watched_call *w = watched_calls;
	struct buf arguments = BUF_INIT, definition = BUF_INIT;

	while (w->method && strcmp(w->method, m->method) != 0)
		w++;
	const char *key = w->method ? json_get_string(m->params, w->key) : NULL;
	if (!key)
		return NULL;
	const struct primitive *p = primitive_list_find(&s->listers[w->kind].list, key, 0);
	const cJSON *given = json_get(m->params, "arguments");
	char *name = label_dup(key);
	struct new_call n = { .kind = w->kind, .key = name, .request = request };
	if (p) {
		n.definition = json_part(p->doc, p->definition);
	} else if (w->kind != PRIMITIVE_RESOURCE) { /* it is not listed */
		buf_add_str(&definition, "{\"name\":");
		json_print_string(&definition, name, strlen(name));
		buf_add_char(&definition, '}');
		n.definition = json_parse(buf_text(&definition), definition.len, NULL, NULL);
	}
	if (w->kind == PRIMITIVE_RESOURCE)
		n.uri = mem_strdup(key);
	if (given)
		json_print(&arguments, given);
	else
		buf_add_str(&arguments, "{}"); /* the same meaning */
	n.arguments = buf_text(&arguments);
	n.len = arguments.len;
	struct call *c = add_call(s, &n);
	buf_finish(&definition);
	buf_finish(&arguments);
	free(name);
	return c;
}

bool
server_send_text(
    struct server *s, const char *text, size_t len, bool new_id, int64_t now_us, uint64_t *call)
{
	struct session_text out = { .text = text, .len = len, .new_id = new_id };
	struct json_doc *doc = json_parse(text, len, NULL, NULL);

	const char *method = doc ? json_get_string(json_root(doc), "method") : NULL;
	const char *name = doc ? json_get_string(json_get(json_root(doc), "params"), "name") : NULL;

	s->now_us = now_us;
	if (method && name && strcmp(method, "tools/call") == 0) {
		const struct primitive *tool =
		    primitive_list_find(&s->listers[PRIMITIVE_TOOL].list, name, 0);
		out.definition = tool ? tool->definition : NULL;
	}
	json_doc_destroy(doc);
	s->sending = true;
	s->sent_call = 0;
	bool ok = s->session && session_send_text(s->session, &out, server_now_ms(s));
	s->sending = false;
	*call = s->sent_call;
	return ok;
}

/* ---- the end of a call ---- */

#define LINKING_MAX 100 /* calls searched for a link */

void
server_end_call(struct server *s, struct call *c, struct session_reply *reply)
{
	c->reply = journal_find_bytes(s->journal, reply->bytes);
	call_take_reply(c, reply, s->now_us);
	check_result(s, c);
	const struct session_info *session = session_info(s->session);
	c->wants_legacy = session->modern && session->speaks_both && !session->lacks_session &&
			  call_lacks_requests(c);
	if (c->state == CALL_DIED && s->end) {
		free(c->error_text);
		c->error_text = mem_printf("the %s ended before it answered: %s",
		    s->info.is_remote ? "connection" : "server", s->end);
	}
	if (!call_is_answered(c)) { /* after a crash the last lines of stderr explain it */
		const char *tail = server_stderr_tail(s, c->state == CALL_DIED ? NULL : c);
		if (*tail)
			c->stderr_tail = mem_strdup(tail);
	}
	if (c->uri && c->state == CALL_REFUSED) {
		/* results with this link get a finding */
		for (size_t i = s->calls.len, looked = 0; i-- > 0 && looked++ < LINKING_MAX;) {
			struct call *result = s->calls.items[i];
			if (result->kind == PRIMITIVE_TOOL && result->reviewed)
				findings_of_read(&result->findings, result, c);
		}
	}
	if (c->kind == PRIMITIVE_TOOL)
		note_verdict(s, c, true);
	server_apps_on_call_end(s, c);
	keep_call(s, c);
	count_call(s, c);
}

/* ---- calls with wrong headers ---- */

/*
 * If the server finds that the headers of a call do not match its body (-32020), the definition was
 * outdated. The tools are listed again, then the call is sent once more
 * (2026-07-28/basic/transports/streamable-http.mdx, "Client Behavior").
 */

#define REMEMBERED 64

static void
retry_now(struct server *s)
{
	const struct lister *tools = &s->listers[PRIMITIVE_TOOL];

	for (size_t i = 0; i < s->retries.len && !lister_is_busy(tools); i++) {
		if (!s->retries.items[i].waits)
			continue;
		s->retries.items[i].waits = false;
		struct session_reply refusal = { .kind = REPLY_ERROR,
			.code = ERROR_HEADER_MISMATCH };
		memcpy(refusal.text, s->retries.items[i].text, sizeof(refusal.text));
		struct call *c = server_mutable_call(s, s->retries.items[i].call);
		if (!c || c->state != CALL_RUNNING)
			continue;
		const struct primitive *tool = primitive_list_find(&tools->list, c->key, 0);
		if (tool && !tool->unusable)
			c->request = session_call(s->session,
			    &(struct session_call){ .name = c->key,
				.arguments = c->arguments,
				.len = strlen(c->arguments),
				.definition = tool->definition },
			    server_now_ms(s));
		if (!c->request)
			server_end_call(s, c, &refusal);
	}
}

static bool
retry_later(struct server *s, struct call *c, struct session_reply *reply)
{
	if (reply->kind != REPLY_ERROR || reply->code != ERROR_HEADER_MISMATCH ||
	    c->kind != PRIMITIVE_TOOL || !session_info(s->session)->modern ||
	    s->options.session.onlooker)
		return false;
	for (size_t i = 0; i < s->retries.len; i++)
		if (s->retries.items[i].call == c->id)
			return false;
	if (s->retries.len == REMEMBERED)
		VEC_REMOVE(&s->retries, 0);
	struct retry *r = VEC_PUSH(&s->retries);
	*r = (struct retry){ .call = c->id, .waits = true };
	memcpy(r->text, reply->text, sizeof(r->text));
	c->request = 0;
	server_note(s, "the server refused the headers of a call: tools/list, then the call again");
	if (!lister_is_busy(&s->listers[PRIMITIVE_TOOL]))
		lister_start(&s->listers[PRIMITIVE_TOOL], s->session, server_now_ms(s));
	retry_now(s);
	return true;
}

bool
server_cancel(struct server *s, uint64_t call, int64_t now_us)
{
	struct call *c = server_mutable_call(s, call);

	s->now_us = now_us;
	if (!c || c->state != CALL_RUNNING || s->options.session.onlooker)
		return false;
	const struct server_task *t = NULL;
	for (size_t i = 0; i < s->tasks.len && !t && !c->by_hand; i++)
		t = s->tasks.items[i]->call == call ? s->tasks.items[i] : NULL;
	if (t && server_task_cancel(s, t->id, now_us))
		return true;
	const char *ended = c->by_hand ? "given up; the server was not notified"
			    : t        ? "no longer waited for; its task may continue"
				       : NULL;
	for (size_t i = 0; i < s->retries.len && !ended; i++) {
		struct retry *r = &s->retries.items[i];
		if (r->call == call && r->waits) {
			r->waits = false;
			ended = CALL_CANCEL_REASON;
		}
	}
	if (!ended)
		return session_cancel(s->session, c->request, CALL_CANCEL_REASON, server_now_ms(s));
	struct session_reply reply = { .kind = REPLY_CANCELLED };
	snprintf(reply.text, sizeof(reply.text), "%s", ended);
	server_end_call(s, c, &reply);
	return true;
}

/* ---- calls of the history ---- */

/* The reply after which a call has this state. */
static const enum reply_kind reply_kinds[] = {
	[CALL_DONE] = REPLY_RESULT,
	[CALL_REFUSED] = REPLY_ERROR,
	[CALL_INVALID] = REPLY_INVALID,
	[CALL_TIMED_OUT] = REPLY_TIMED_OUT,
	[CALL_CANCELLED] = REPLY_CANCELLED,
	[CALL_DIED] = REPLY_CLOSED,
	[CALL_TRANSPORT_ERROR] = REPLY_TRANSPORT_ERROR,
	[CALL_INPUT] = REPLY_INPUT_REQUIRED,
};

static struct json_doc *
parse_reply(struct blob *bytes)
{
	const struct json_options options = {
		.blob = bytes,
		.lazy_bytes = (size_t)2 << 20,
		.lazy_in = "/result/structuredContent",
	};

	return bytes ? json_parse(bytes->data, bytes->len, &options, NULL) : NULL;
}

static void
take_reply(struct call *c, const struct history_call *h)
{
	struct blob *bytes = h->reply ? blob_from_bytes(h->reply, h->reply_len) : NULL;
	struct session_reply reply = { .kind = reply_kinds[h->state], .code = h->error_code };
	const char *member = reply.kind == REPLY_RESULT ? "result" : "error";

	reply.bytes = bytes;
	reply.doc = parse_reply(bytes);
	reply.value = reply.doc ? json_get(json_root(reply.doc), member) : NULL;
	snprintf(reply.text, sizeof(reply.text), "%s", h->error ? h->error : "");
	if (reply.kind == REPLY_RESULT && !reply.value) {
		reply.kind = REPLY_INVALID;
		snprintf(reply.text, sizeof(reply.text), "%s",
		    bytes
			? "the reply in the history cannot be read"
			: "the history has no reply: it was too large, or the program was killed");
	}
	call_take_reply(c, &reply, c->started_us + h->took_us);
	json_doc_destroy(reply.doc);
	blob_unref(bytes);
}

uint64_t
server_recall(struct server *s, const struct history_call *h, int64_t now_us)
{
	const struct call *there = server_find_kept(s, h->id);
	struct json_doc *definition =
	    h->definition ? json_parse(h->definition, strlen(h->definition), NULL, NULL) : NULL;

	if (there) {
		json_doc_destroy(definition);
		return there->id;
	}
	s->now_us = now_us;
	struct call *c = call_create(s->next_call++, h->key, definition, h->arguments,
	    strlen(h->arguments), HISTORY_STARTED_US(h->id) - journal_info(s->journal)->wall_us);
	c->kind = (enum primitive_kind)h->kind;
	c->uri = h->uri ? mem_strdup(h->uri) : NULL;
	c->kept = h->id;
	c->is_past = true;
	if (c->kind != PRIMITIVE_TOOL)
		c->output_schema = NULL;
	take_reply(c, h);
	s->info.calls++;
	*VEC_PUSH(&s->calls) = c;
	check_result(s, c);
	count_call(s, c);
	s->generation++;
	return c->id;
}

/* ---- events of the session ---- */

static void
on_watched(void *user, uint64_t request, const struct message *m)
{
	struct server *s = user;

	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		const char *method = primitive_kinds[kind].list_method;
		if (!method || strcmp(method, m->method) != 0)
			continue;
		lister_watch(&s->listers[kind], request, json_get(m->params, "cursor") != NULL);
		return;
	}
	add_called(s, request, m);
}

/* The latest call of this session's request in this state, or NULL. */
static struct call *
call_in_state(const struct server *s, uint64_t request, enum call_state state)
{
	for (size_t i = s->calls.len; request && i-- > 0;) {
		struct call *c = s->calls.items[i];
		/* an earlier session had the same numbers */
		if (c->request == request && c->state == state &&
		    (state == CALL_RUNNING || c->started_us >= s->started_us))
			return c;
	}
	return NULL;
}

/* End a call by a reply for which the session has no request. */
static void
end_by_line(struct server *s, struct call *c, const struct session_line *line)
{
	bool is_result = line->kind == MESSAGE_RESULT;
	struct session_reply reply = { .kind = is_result ? REPLY_RESULT : REPLY_ERROR,
		.doc = parse_reply(line->bytes),
		.bytes = line->bytes };

	reply.value = json_get(json_root(reply.doc), is_result ? "result" : "error");
	const cJSON *code = is_result ? NULL : json_get(reply.value, "code");
	const char *text = is_result ? NULL : json_get_string(reply.value, "message");
	if (cJSON_IsNumber(code))
		reply.code = (int64_t)code->valuedouble;
	text_to_line(reply.text, sizeof(reply.text), text ? text : "");
	server_end_call(s, c, &reply);
	json_doc_destroy(reply.doc);
}

static void
on_line_of_call(struct server *s, const struct session_line *line)
{
	const char *type = json_get_string(json_get(json_root(line->doc), "result"), "resultType");
	bool is_whole = line->kind == MESSAGE_ERROR ||
			(line->kind == MESSAGE_RESULT && (!type || strcmp(type, "complete") == 0));
	struct call *open = call_in_state(s, line->request, CALL_RUNNING);
	struct call *late = line->flaw ? call_in_state(s, line->request, CALL_TIMED_OUT) : NULL;

	if (is_whole && open && open->by_hand)
		end_by_line(s, open, line);
	else if (is_whole && late) {
		/* paired in the journal, and the call gets this reply after all */
		journal_pair_late(s->journal, line->request);
		late->late_us = s->now_us - late->ended_us;
		s->calls_bytes -= late->held;
		late->kept = 0; /* its row in the history is written again */
		end_by_line(s, late, line);
	}
}

static void
on_send(void *user, const struct outbound *message)
{
	struct server *s = user;

	s->on_send(s->user, message);
}

static void
on_line(void *user, const struct session_line *line)
{
	struct server *s = user;
	bool is_sent = line->direction == WIRE_SENT;
	const cJSON *root = json_root(line->doc);
	bool is_error = line->kind == MESSAGE_ERROR ||
			(line->kind == MESSAGE_RESULT &&
			    cJSON_IsTrue(json_get(json_get(root, "result"), "isError")));

	journal_add(s->journal, &(struct journal_args){
				    .kind = is_sent ? JOURNAL_SENT : JOURNAL_RECEIVED,
				    .message = line->kind,
				    .at_us = s->now_us,
				    .bytes = line->bytes,
				    .dropped = line->dropped,
				    .method = line->method,
				    .rpc_id = line->id,
				    .flaw = line->flaw,
				    .is_error = is_error,
				    .by_hand = s->sending && is_sent,
				    .request = is_sent ? line->request : 0,
				    .carried = line->carried,
				    .doc = line->doc,
				});
	s->generation++;
	if (s->sending && is_sent && root) {
		struct message m;
		message_classify(root, &m);
		struct call *c =
		    m.kind == MESSAGE_REQUEST ? add_called(s, line->request, &m) : NULL;
		s->sent_call = c ? c->id : 0;
		if (c)
			c->by_hand = true;
	}
	if (!is_sent && line->request && root)
		on_line_of_call(s, line);
}

static void
on_reply(void *user, uint64_t request, struct session_reply *reply)
{
	struct server *s = user;

	s->generation++;
	if (!reply_is_answer(reply->kind))
		journal_end(s->journal, request, reply->text);
	if (server_lists_on_reply(s, request, reply)) {
		retry_now(s);
		return;
	}
	if (server_tasks_on_reply(s, request, reply) || server_relay_on_reply(s, request, reply))
		return;
	struct call *c = call_in_state(s, request, CALL_RUNNING);
	if (c && !server_tasks_take_call(s, c, reply) && !retry_later(s, c, reply))
		server_end_call(s, c, reply);
}

static void
on_progress(void *user, uint64_t request, const struct session_progress *progress)
{
	struct server *s = user;
	struct call *c = call_in_state(s, request, CALL_RUNNING);

	if (c)
		call_on_progress(c, progress);
	else
		server_relay_on_progress(s, request, progress);
	s->generation++;
}

void
server_note_request(struct server *s, uint64_t call, const struct session_server_request *request)
{
	struct call *c = server_mutable_call(s, call);

	if (c)
		call_on_server_request(c, request);
	server_note(s, "%s%s%s (%s)", request->method, request->message ? ": " : "",
	    request->message ? request->message : "", request->answer);
}

static void
on_server_request(void *user, const struct session_server_request *request)
{
	struct server *s = user;
	const struct call *c = call_in_state(s, request->request, CALL_RUNNING);

	server_note_request(s, c ? c->id : 0, request);
}

static bool
on_question(void *user, const struct session_question *question)
{
	struct server *s = user;
	struct call *c = call_in_state(s, question->request, CALL_RUNNING);

	return server_on_question(s, question, c ? c->id : s->asking_for);
}

static void
on_note(void *user, const char *text, uint64_t request)
{
	server_note(user, "%s", text);
}

static bool
on_wait(void *user, uint64_t id, char *out, size_t size)
{
	struct server *s = user;

	return s->options.on_wait && s->options.on_wait(s->options.wait_user, id, out, size);
}

const struct session_events server_session_events = {
	.on_send = on_send,
	.on_line = on_line,
	.on_state = server_on_state,
	.on_reply = on_reply,
	.on_progress = on_progress,
	.on_server_request = on_server_request,
	.on_question = on_question,
	.on_question_gone = server_on_question_gone,
	.on_notification = server_on_notification,
	.on_watched = on_watched,
	.on_note = on_note,
	.on_wait = on_wait,
};
