#include "server_request.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "mcp/era/era.h"
#include "mcp/request/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest message in a report. */
#define MESSAGE_MAX 300

struct server_request *
server_request_add(struct session *s, const struct server_request_args *args)
{
	struct server_request *q = VEC_PUSH(&s->server_requests);

	*q = (struct server_request){
		.id = ++s->server_requests.last_id,
		.request = args->request,
		.method = mem_strdup(args->method),
		.rpc_id = mem_strdup(args->rpc_id),
		.key = mem_strdup(args->key),
	};
	if (args->message)
		q->message = mem_strndup(args->message, strnlen(args->message, MESSAGE_MAX));
	return q;
}

struct server_request *
server_request_find(struct session *s, uint64_t id)
{
	for (size_t i = 0; i < s->server_requests.len; i++)
		if (s->server_requests.items[i].id == id)
			return &s->server_requests.items[i];
	return NULL;
}

static void
finish_question(struct server_request *q)
{
	free(q->method);
	free(q->message);
	free(q->rpc_id);
	free(q->key);
	free(q->answer);
}

void
server_request_finish(struct session *s)
{
	for (size_t i = 0; i < s->server_requests.len; i++)
		finish_question(&s->server_requests.items[i]);
	free(s->server_requests.items);
	s->server_requests.items = NULL;
	s->server_requests.len = s->server_requests.cap = 0;
}

bool
server_request_is_open(const struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->server_requests.len; i++)
		if (s->server_requests.items[i].request == request ||
		    !s->server_requests.items[i].request)
			return true;
	return false;
}

/* The server is not charged for the time it waited for the user. */
static void
renew_deadlines(struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->requests.len; i++) {
		struct request *r = s->requests.items[i];
		if (!r->internal && r->rpc_id && (!request || r->id == request))
			request_renew_deadline(r, s->now_ms, s->timeout_ms);
	}
}

void
server_request_end(struct session *s, uint64_t id, const char *outcome, bool is_answered)
{
	struct server_request *found = server_request_find(s, id);

	if (!found)
		return;
	struct server_request q = *found;
	VEC_REMOVE(&s->server_requests, (size_t)(found - s->server_requests.items));
	if (is_answered && q.rpc_id)
		renew_deadlines(s, q.request);
	s->events.on_server_request(s->user, &(struct session_server_request){
						 .method = q.method,
						 .message = q.message,
						 .answer = outcome,
						 .request = q.request,
					     });
	if (!is_answered && s->events.on_question_gone)
		s->events.on_question_gone(s->user, id, outcome);
	finish_question(&q);
}

/* ---- requests ---- */

static void
refuse_politely(struct session *s, uint64_t id)
{
	const struct server_request *q = server_request_find(s, id);

	if (!q)
		return;
	const char *result = client_feature_find(q->method)->decline;
	if (result)
		session_answer(s, id, result, strlen(result), s->now_ms);
	else
		session_refuse(s, id, -1, "User rejected sampling request", s->now_ms);
}

void
server_request_ask(struct session *s, uint64_t id, const cJSON *params)
{
	const struct server_request *q = server_request_find(s, id);
	struct session_question event = {
		.id = id,
		.method = method_find(q->method)->name,
		.params = params,
		.key = q->key,
		.request = q->request,
		.sends_again = !q->rpc_id,
	};

	if (!s->events.on_question || !s->events.on_question(s->user, &event))
		refuse_politely(s, id);
}

/* ---- requests that end without an answer ---- */

/* Until 2025-11-25 the server waits for a response, so it gets one that means "dismissed". */
static void
dismiss(struct session *s, const struct server_request *q)
{
	if (!q->rpc_id || s->info.state != SESSION_READY)
		return;
	const char *result = client_feature_find(q->method)->cancel;
	if (result)
		outgoing_answer(s, q->method, q->rpc_id, result, strlen(result));
	else
		outgoing_refusal(s, q->method, q->rpc_id, -1, "The request was cancelled");
}

void
server_request_drop_all(struct session *s, uint64_t request, const char *why)
{
	for (size_t i = s->server_requests.len; i-- > 0;) {
		if (i >= s->server_requests.len ||
		    (request && s->server_requests.items[i].request != request))
			continue;
		dismiss(s, &s->server_requests.items[i]);
		server_request_end(s, s->server_requests.items[i].id, why, false);
	}
}

/* ---- answers ---- */

void
session_roots_changed(struct session *s, int64_t now_ms)
{
	s->now_ms = now_ms;
	if (s->info.state == SESSION_READY && !s->era->modern && s->can.roots)
		outgoing_notification(s, "notifications/roots/list_changed");
}

const char *
server_request_outcome(const char *method, const char *json, size_t len)
{
	static const char *const words[][2] = { { "accept", "accepted" }, { "decline", "declined" },
		{ "cancel", "cancelled" } };
	struct json_doc *doc = json_parse(json, len, NULL, NULL);
	const char *action = doc ? json_get_string(json_root(doc), "action") : NULL;
	const char *word = "answered";

	for (size_t i = 0; action && i < 3 && strcmp(method, "elicitation/create") == 0; i++)
		if (strcmp(action, words[i][0]) == 0)
			word = words[i][1];
	json_doc_destroy(doc);
	return word;
}

bool
session_answer(
    struct session *s, uint64_t question, const char *result_json, size_t len, int64_t now_ms)
{
	struct server_request *q = server_request_find(s, question);

	s->now_ms = now_ms;
	if (!q || q->answer)
		return false;
	if (q->rpc_id) {
		const char *word = server_request_outcome(q->method, result_json, len);
		outgoing_answer(s, q->method, q->rpc_id, result_json, len);
		server_request_end(s, question, word, true);
		return true;
	}
	q->answer = mem_strndup(result_json, len);
	input_required_on_answer(s, question, NULL);
	return true;
}

bool
session_refuse(struct session *s, uint64_t question, int code, const char *text, int64_t now_ms)
{
	struct server_request *q = server_request_find(s, question);

	s->now_ms = now_ms;
	if (!q || q->answer)
		return false;
	if (!q->rpc_id) {
		input_required_on_answer(s, question, text);
		return true;
	}
	outgoing_refusal(s, q->method, q->rpc_id, code, text);
	server_request_end(s, question, "refused", true);
	return true;
}

/* Requests of the server (2025-11-25:client/). Those for undeclared capabilities are refused at
 * once with the error the specification requires; the others go to the owner. */

/* Only these methods make a server ask; open list requests and the like do not count. */
static bool
may_ask(const struct request *r)
{
	return !r->internal && r->rpc_id && r->known &&
	       ((r->known->traits & MAY_WANT_INPUT) || strcmp(r->method, "tasks/result") == 0);
}

/* Finds our call that it belongs to: by its progress token, by its stream, or because only one call
 * is open. */
static uint64_t
find_owner(const struct session *s, const cJSON *params)
{
	const cJSON *token = json_get(json_get(params, "_meta"), "progressToken");
	uint64_t only = 0, by_stream = 0;
	size_t calls = 0;

	for (size_t i = 0; i < s->requests.len; i++) {
		const struct request *r = s->requests.items[i];
		if (!may_ask(r))
			continue;
		if (cJSON_IsNumber(token) && token->valuedouble == (double)r->rpc_id)
			return r->id;
		if (r->rpc_id == s->stream)
			by_stream = r->id;
		only = r->id;
		calls++;
	}
	if (by_stream)
		return by_stream;
	return calls == 1 && !token ? only : 0;
}

void
server_request_report(struct session *s, const char *method, const cJSON *params,
    const char *answer, uint64_t request)
{
	struct session_server_request event = {
		.method = method,
		.message = json_get_string(params, "message"),
		.answer = answer,
		.request = request ? request : find_owner(s, params),
	};

	s->events.on_server_request(s->user, &event);
}

void
server_request_ping(struct session *s, const struct message *m)
{
	struct buf id = BUF_INIT;

	json_print(&id, m->id);
	outgoing_answer(s, m->method, buf_text(&id), "{}", 2);
	buf_finish(&id);
}

/* ---- incoming requests ---- */

static void
refuse(struct session *s, const struct message *m, int code, const char *text, const char *why)
{
	struct buf id = BUF_INIT;
	char answer[120];

	json_print(&id, m->id);
	outgoing_refusal(s, m->method, buf_text(&id), code, text);
	buf_finish(&id);
	snprintf(answer, sizeof(answer), "refused: %s", why);
	server_request_report(s, m->method, m->params, answer, 0);
}

static uint64_t
find_by_rpc_id(const struct session *s, const char *rpc_id)
{
	for (size_t i = 0; i < s->server_requests.len; i++) {
		const struct server_request *q = &s->server_requests.items[i];
		if (q->rpc_id && strcmp(q->rpc_id, rpc_id) == 0)
			return q->id;
	}
	return 0;
}

void
server_request_take(struct session *s, const struct message *m)
{
	int code = 0;
	const char *why = s->onlooker ? NULL : client_feature_flaw(s, m->method, m->params, &code);
	struct buf id = BUF_INIT;

	if (!why && s->server_requests.len >= MAX_SERVER_REQUESTS) {
		code = ERROR_INTERNAL;
		why = "Too many requests are open";
	}
	if (why) {
		refuse(s, m, code, why, why);
		return;
	}
	json_print(&id, m->id);
	if (find_by_rpc_id(s, buf_text(&id)))
		session_note(
		    s, 0, "the server uses the id %.60s for two open requests", buf_text(&id));
	const struct server_request *q =
	    server_request_add(s, &(struct server_request_args){
				      .method = m->method,
				      .message = json_get_string(m->params, "message"),
				      .rpc_id = buf_text(&id),
				      .request = find_owner(s, m->params),
				  });
	buf_finish(&id);
	if (!s->onlooker)
		server_request_ask(s, q->id, m->params);
}

void
server_request_watch_answer(struct session *s, const struct message *m)
{
	struct buf id = BUF_INIT, result = BUF_INIT;

	if (m->id)
		json_print(&id, m->id);
	if (m->result)
		json_print(&result, m->result);
	const struct server_request *q = server_request_find(s, find_by_rpc_id(s, buf_text(&id)));
	if (q)
		server_request_end(s, q->id,
		    m->result ? server_request_outcome(q->method, buf_text(&result), result.len)
			      : "refused",
		    true);
	buf_finish(&id);
	buf_finish(&result);
}

/* The server no longer wants a response. */
bool
server_request_cancelled(struct session *s, const struct message *m)
{
	const cJSON *wanted = json_get(m->params, "requestId");
	const char *reason = json_get_string(m->params, "reason");
	struct buf id = BUF_INIT;
	char why[160];

	if (!wanted)
		return false;
	json_print(&id, wanted);
	uint64_t found = find_by_rpc_id(s, buf_text(&id));
	buf_finish(&id);
	snprintf(why, sizeof(why), "cancelled by the server%s%.100s", reason ? ": " : "",
	    reason ? reason : "");
	if (found)
		server_request_end(s, found, why, false);
	return found != 0;
}

/* In 2026-07-28 a server must not send requests, and a client no responses
 * (basic/transports/stdio.mdx). But the tool that asks would wait until the call times out, so over
 * stdio it gets an error. Over HTTP nothing connects a response with the tool. */
void
server_request_out_of_place(struct session *s, const struct message *m)
{
	bool answers = s->transport == TRANSPORT_STDIO;
	struct session_server_request event = {
		.method = m->method,
		.message = json_get_string(m->params, "message"),
		.answer = answers ? "refused: 2026-07-28 has no server requests"
				  : "not answered: 2026-07-28 has no server requests",
		.request = find_owner(s, m->params),
		.out_of_era = true,
	};
	struct buf id = BUF_INIT;

	json_print(&id, m->id);
	if (answers)
		outgoing_refusal(s, m->method, buf_text(&id), ERROR_METHOD_NOT_FOUND,
		    "Method not found: 2026-07-28 has no server requests");
	buf_finish(&id);
	s->events.on_server_request(s->user, &event);
}

void
server_request_unknown(struct session *s, const struct message *m)
{
	refuse(s, m, ERROR_METHOD_NOT_FOUND, "Method not found", "unknown method");
}
