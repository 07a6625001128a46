/* SPDX-License-Identifier: MIT */
#include "mcp/session/internals.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"
#include "mcp/client_features.h"
#include "mcp/content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest message in a report. */
#define MESSAGE_MAX 300
#define MAX_SERVER_REQUESTS 64
#define MAX_INPUT_ROUNDS 10

/* ---- what the client accepts ---- */

static const char *
elicitation_refusal(const struct session *s, const cJSON *params, int *code)
{
	struct elicitation e;

	elicitation_decode(&e, params);
	*code = ERROR_INVALID_PARAMS;
	if (e.mode == ELICITATION_FORM && !s->can.elicitation_form)
		return "Form elicitation was not declared";
	if (e.mode == ELICITATION_URL && !s->can.elicitation_url)
		return "URL elicitation was not declared";
	return elicitation_flaw(&e);
}

static const char *
sampling_refusal(const struct session *s, const cJSON *params, int *code)
{
	struct sampling wanted;

	sampling_decode(&wanted, params);
	*code = s->can.sampling ? ERROR_INVALID_PARAMS : ERROR_METHOD_NOT_FOUND;
	if (!s->can.sampling)
		return "Sampling was not declared";
	if ((wanted.tools || wanted.tool_choice) && !s->can.sampling_tools)
		return "Tools in sampling were not declared";
	return sampling_flaw(&wanted);
}

static const char *
roots_refusal(const struct session *s, const cJSON *params, int *code)
{
	*code = ERROR_METHOD_NOT_FOUND;
	return s->can.roots ? NULL : "Roots not supported";
}

/* A request that a client may declare to accept. */
static const struct client_feature {
	const char *method;
	const char *(*refusal)(const struct session *s, const cJSON *params, int *code);
	const char *decline, *cancel; /* results without the user's input; NULL: an error */
} features[] = {
	{ "elicitation/create", elicitation_refusal, "{\"action\":\"decline\"}",
	    "{\"action\":\"cancel\"}" },
	{ "sampling/createMessage", sampling_refusal, NULL, NULL },
	{ "roots/list", roots_refusal, "{\"roots\":[]}", NULL },
};

static const struct client_feature *
find_feature(const char *method)
{
	for (size_t i = 0; method && i < ARRAY_LEN(features); i++)
		if (strcmp(features[i].method, method) == 0)
			return &features[i];
	return NULL;
}

/* Why the client refuses this request, and the error code for it; NULL if it accepts. */
static const char *
find_flaw(const struct session *s, const char *method, const cJSON *params, int *code)
{
	const struct client_feature *feature = find_feature(method);

	*code = ERROR_METHOD_NOT_FOUND;
	return feature ? feature->refusal(s, params, code) : "Method not found";
}

/* ---- the table ---- */

/* Copies the texts. rpc_id and key: as in struct server_request. */
static struct server_request *
server_request_add(struct session *s, uint64_t request, const char *method, const cJSON *params,
    const char *rpc_id, const char *key)
{
	const char *message = json_get_string(params, "message");
	struct server_request *q = VEC_PUSH(&s->server_requests);

	*q = (struct server_request){
		.id = ++s->server_requests.last_id,
		.request = request,
		.method = mem_strdup(method),
		.rpc_id = mem_strdup(rpc_id),
		.key = mem_strdup(key),
	};
	if (message)
		q->message = mem_strndup(message, strnlen(message, MESSAGE_MAX));
	return q;
}

/* The pointer is valid until the next add or remove. */
static struct server_request *
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

/* Removes it and reports its outcome: how it was answered, or why it is gone. */
static void
server_request_end(struct session *s, uint64_t id, const char *outcome, bool is_answered)
{
	struct server_request *found = server_request_find(s, id);

	if (!found)
		return;
	struct server_request q = *found;
	VEC_REMOVE(&s->server_requests, (size_t)(found - s->server_requests.items));
	if (is_answered && q.rpc_id) {
		/* The server is not charged for the time it waited for the user. */
		for (size_t i = 0; i < s->requests.len; i++) {
			struct request *r = s->requests.items[i];
			if (!r->internal && r->rpc_id && (!q.request || r->id == q.request))
				request_renew_deadline(r, s->now_ms, s->timeout_ms);
		}
	}
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

/* Passes it to on_question; declines politely if the owner does not want it. */
static void
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

	if (s->events.on_question && s->events.on_question(s->user, &event))
		return;
	q = server_request_find(s, id);
	if (!q)
		return;
	const char *result = find_feature(q->method)->decline;
	if (result)
		session_answer(s, id, result, strlen(result), s->now_ms);
	else
		session_refuse(s, id, -1, "User rejected sampling request", s->now_ms);
}

/* ---- requests that end without an answer ---- */

void
server_request_drop_all(struct session *s, uint64_t request, const char *why)
{
	for (size_t i = s->server_requests.len; i-- > 0;) {
		if (i >= s->server_requests.len ||
		    (request && s->server_requests.items[i].request != request))
			continue;
		const struct server_request *q = &s->server_requests.items[i];
		/* Until 2025-11-25 the server waits for a response, so it gets one that means
		 * "dismissed". */
		bool must_answer = q->rpc_id && s->info.state == SESSION_READY;
		const char *result = must_answer ? find_feature(q->method)->cancel : NULL;
		if (result)
			outgoing_answer(
			    s, q->method, q->rpc_id, MESSAGE_RESULT, result, strlen(result));
		else if (must_answer)
			outgoing_refusal(s, q->method, q->rpc_id, -1, "The request was cancelled");
		server_request_end(s, q->id, why, false);
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

/* Return the outcome that a result means: "accepted", "declined", "answered". */
static const char *
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

/* Requests of the server (2025-11-25:client/). Those for undeclared capabilities are refused at
 * once with the error the specification requires; the others go to the owner. */

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
		/* Only these methods make a server ask; open list requests and the like do not
		 * count. */
		if (!(!r->internal && r->rpc_id && r->known &&
			((r->known->traits & MAY_WANT_INPUT) ||
			    strcmp(r->method, "tasks/result") == 0)))
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

static void
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
	char *id = json_text(m->id);

	outgoing_answer(s, m->method, id, MESSAGE_RESULT, "{}", 2);
	free(id);
}

/* ---- incoming requests ---- */

static void
refuse(struct session *s, const struct message *m, int code, const char *text, const char *why)
{
	char *id = json_text(m->id), answer[120];

	outgoing_refusal(s, m->method, id, code, text);
	free(id);
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
	const char *why = s->onlooker ? NULL : find_flaw(s, m->method, m->params, &code);

	if (!why && s->server_requests.len >= MAX_SERVER_REQUESTS) {
		code = ERROR_INTERNAL;
		why = "Too many requests are open";
	}
	if (why) {
		refuse(s, m, code, why, why);
		return;
	}
	char *id = json_text(m->id);
	if (find_by_rpc_id(s, id))
		session_note(s, 0, "the server uses the id %.60s for two open requests", id);
	const struct server_request *q =
	    server_request_add(s, find_owner(s, m->params), m->method, m->params, id, NULL);
	free(id);
	if (!s->onlooker)
		server_request_ask(s, q->id, m->params);
}

void
server_request_watch_answer(struct session *s, const struct message *m)
{
	char *id = json_text(m->id), *result = json_text(m->result);
	const struct server_request *q = server_request_find(s, id ? find_by_rpc_id(s, id) : 0);

	if (q)
		server_request_end(s, q->id,
		    result ? server_request_outcome(q->method, result, strlen(result)) : "refused",
		    true);
	free(id);
	free(result);
}

/* The server no longer wants a response. */
bool
server_request_cancelled(struct session *s, const struct message *m)
{
	const cJSON *wanted = json_get(m->params, "requestId");
	const char *reason = json_get_string(m->params, "reason");
	char why[160];

	if (!wanted)
		return false;
	char *id = json_text(wanted);
	uint64_t found = find_by_rpc_id(s, id);
	free(id);
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
	char *id = json_text(m->id);

	if (answers)
		outgoing_refusal(s, m->method, id, ERROR_METHOD_NOT_FOUND,
		    "Method not found: 2026-07-28 has no server requests");
	free(id);
	s->events.on_server_request(s->user, &event);
}

void
server_request_unknown(struct session *s, const struct message *m)
{
	refuse(s, m, ERROR_METHOD_NOT_FOUND, "Method not found", "unknown method");
}

/* Results that require input (2026-07-28, SEP-2322; before, the error -32042). Once all input
 * requests of a round are answered, the same method is sent again under a new id with the
 * inputResponses and the server's requestState. Until then the call has no request on the wire. */

/* ---- the retry ---- */

static void
settle_all(struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->server_requests.len;) {
		const struct server_request *q = &s->server_requests.items[i];
		if (q->request == request && !q->rpc_id)
			server_request_end(s, q->id,
			    server_request_outcome(q->method, q->answer, strlen(q->answer)), true);
		else
			i++;
	}
}

static void
send_again(struct session *s, struct request *r)
{
	bool by_error = r->input.by_error;
	const cJSON *state = by_error ? NULL : json_get(r->input.value, "requestState");
	uint64_t id = r->id;
	struct json_writer w;

	buf_clear(&r->last);
	json_write_init(&w, &r->last);
	if (r->members.len > 0)
		json_write_raw(&w, buf_text(&r->members), r->members.len);
	if (!by_error && json_first(json_get(r->input.value, "inputRequests"))) {
		json_write_member_object(&w, "inputResponses");
		for (size_t i = 0; i < s->server_requests.len; i++) {
			const struct server_request *q = &s->server_requests.items[i];
			if (q->request != id || !q->key)
				continue;
			json_write_member_json(&w, q->key, q->answer);
		}
		json_write_object_end(&w);
	}
	if (state) {
		json_write_member_value(&w, "requestState", state);
	}
	json_doc_destroy(r->input.doc);
	blob_unref(r->input.bytes);
	r->input.doc = NULL;
	r->input.bytes = NULL;
	r->input.value = NULL;
	request_resend(s, id, time_add(s->now_ms, r->input.left_ms));
	settle_all(s, id);
}

/* ---- answers ---- */

static struct request *
find_waiting(const struct session *s, uint64_t id)
{
	struct request *r = requests_find(&s->requests, id);

	return r && r->state == REQUEST_NEEDS_INPUT ? r : NULL;
}

/* Retries the request once none of its input requests is open. */
static void
proceed(struct session *s, uint64_t id)
{
	struct request *r = find_waiting(s, id);
	bool accepted = true;

	if (!r || r->input.asking)
		return;
	if (r->input.refused) {
		enum reply_kind kind = r->input.by_error ? REPLY_ERROR : REPLY_INPUT_REQUIRED;
		server_request_drop_all(s, id, "another input request of the call was refused");
		request_end(s, id, REQUEST_ANSWERED, kind, NULL,
		    "the input that the server required was refused");
		return;
	}
	for (size_t i = 0; i < s->server_requests.len; i++) {
		const struct server_request *q = &s->server_requests.items[i];
		if (q->request != id || q->rpc_id)
			continue;
		if (!q->answer)
			return;
		if (r->input.by_error &&
		    strcmp(server_request_outcome(q->method, q->answer, strlen(q->answer)),
			"accepted") != 0)
			accepted = false;
	}
	if (accepted) {
		send_again(s, r);
	} else {
		settle_all(s, id);
		server_request_drop_all(s, id, "another input request of the call was refused");
		request_end(s, id, REQUEST_ANSWERED, REPLY_ERROR, NULL, "");
	}
}

/* An input request was answered or, if why is not NULL, refused. */
static void
input_required_on_answer(struct session *s, uint64_t question, const char *why)
{
	uint64_t id = server_request_find(s, question)->request;
	char text[200];

	if (why) {
		snprintf(text, sizeof(text), "refused: %.180s", why);
		server_request_end(s, question, text, true);
		struct request *r = find_waiting(s, id);
		if (r)
			r->input.refused = true;
	}
	proceed(s, id);
}

/* ---- the start of a round ---- */

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
		outgoing_answer(s, q->method, q->rpc_id, MESSAGE_RESULT, result_json, len);
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

static void
enter_round(struct session *s, struct request *r, struct incoming *in)
{
	r->input.left_ms = r->limit_ms == INT64_MAX  ? INT64_MAX
			   : r->limit_ms > s->now_ms ? r->limit_ms - s->now_ms
						     : 1;
	r->rounds++;
	r->input.refused = false;
	r->input.doc = in->doc;
	in->doc = NULL;
	r->input.bytes = blob_ref(in->bytes);
	r->input.value = in->message.error ? in->message.error : in->message.result;
	r->input.by_error = in->message.error != NULL;
	requests_leave_wire(&s->requests, r, REQUEST_ANSWERED);
	r->state = REQUEST_NEEDS_INPUT;
}

/* requests: the input requests of the round (by_error: only their params), in its own document,
 * which ends with the request. */
static void
ask_all(struct session *s, struct request *r, const cJSON *requests)
{
	bool by_error = r->input.by_error;
	uint64_t first = s->server_requests.last_id + 1, question = first, id = r->id;

	for (const cJSON *q = json_first(requests); q; q = q->next) {
		if (by_error)
			server_request_add(s, id, "elicitation/create", q, NULL, NULL);
		else
			server_request_add(s, id, json_get_string(q, "method"),
			    json_get(q, "params"), NULL, q->string);
	}
	r->input.asking = true;
	for (const cJSON *q = json_first(requests); q; q = q->next, question++) {
		r = find_waiting(s, id);
		if (!r) /* the owner has ended it */
			return;
		if (r->input.refused)
			break;
		if (server_request_find(s, question))
			server_request_ask(s, question, by_error ? q : json_get(q, "params"));
	}
	r = find_waiting(s, id);
	if (r)
		r->input.asking = false;
	proceed(s, id);
}

/* ---- 2026-07-28: input_required ---- */

/* True if the input requests cannot be passed to the owner; text says why. */
static bool
find_refusal(const struct session *s, const cJSON *requests, char *text, size_t size)
{
	if (json_count(requests) + s->server_requests.len > MAX_SERVER_REQUESTS) {
		snprintf(text, size, "the server sends %zu input requests at once",
		    json_count(requests));
		return true;
	}
	for (const cJSON *q = json_first(requests); q; q = q->next) {
		const char *method = json_get_string(q, "method");
		int code;
		const char *why = find_flaw(s, method, json_get(q, "params"), &code);
		if (!why)
			continue;
		snprintf(text, size, "the server wants %.100s: %s",
		    method ? method : "a request without a method", why);
		return true;
	}
	return false;
}

void
input_required_on_result(struct session *s, struct incoming *in)
{
	const struct method *method = method_find(in->method);
	const cJSON *requests = json_get(in->message.result, "inputRequests");
	const char *flaw = NULL;
	struct request *r = requests_find(&s->requests, in->request);
	char text[SESSION_TEXT_MAX] = "the server keeps asking for input";

	if (!method || !(method->traits & MAY_WANT_INPUT))
		flaw = "input_required is not a valid result of this method";
	else if (requests && !cJSON_IsObject(requests))
		flaw = "inputRequests is not an object";
	else if (!json_first(requests) && !json_get(in->message.result, "requestState"))
		flaw = "input_required without inputRequests or requestState";
	if (flaw) {
		request_end(s, r->id, REQUEST_ANSWERED, REPLY_INVALID, in, flaw);
		return;
	}
	if (!find_refusal(s, requests, text, sizeof(text)) && r->may_resend && !r->raw_params &&
	    r->rounds < MAX_INPUT_ROUNDS) {
		enter_round(s, r, in);
		ask_all(s, r, requests);
		return;
	}
	for (const cJSON *q = json_first(requests); q; q = q->next) {
		const char *wanted = json_get_string(q, "method");
		server_request_report(
		    s, wanted ? wanted : "(no method)", json_get(q, "params"), "refused", r->id);
	}
	request_end(s, in->request, REQUEST_ANSWERED, REPLY_INPUT_REQUIRED, in, text);
}

/* ---- tasks ---- */

uint64_t
session_answer_task(struct session *s, const char *task_id, const cJSON *requests, int64_t now_ms)
{
	struct buf text = BUF_INIT;
	struct json_writer w;
	char why[SESSION_TEXT_MAX];

	s->now_ms = now_ms;
	if (s->info.state != SESSION_READY || !json_first(requests))
		return 0;
	json_write_init(&w, &text);
	json_write_object(&w);
	json_write_member_value(&w, "inputRequests", requests);
	json_write_object_end(&w);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	const cJSON *value = doc ? json_root(doc) : NULL;
	requests = json_get(value, "inputRequests");
	if (!requests || find_refusal(s, requests, why, sizeof(why))) {
		session_note(
		    s, 0, "a task requires input that cannot be given: %s", requests ? why : "");
		json_doc_destroy(doc);
		buf_finish(&text);
		return 0;
	}
	struct request *r = requests_add(&s->requests, "tasks/update");
	uint64_t id = r->id;
	r->state = REQUEST_NEEDS_INPUT;
	r->may_resend = true;
	json_write_init(&w, &r->members);
	json_write_member_string(&w, "taskId", task_id);
	r->input.doc = doc;
	r->input.bytes = blob_take_buf(&text);
	r->input.value = value;
	r->input.left_ms = s->max_timeout_ms;
	ask_all(s, r, requests);
	return id;
}

/* ---- 2025-11-25: URLElicitationRequiredError ---- */

static bool
wants_urls(const struct session *s, const cJSON *error)
{
	const cJSON *code = json_get(error, "code");
	const cJSON *requests = json_get(json_get(error, "data"), "elicitations");

	if (!cJSON_IsNumber(code) || code->valuedouble != ERROR_URL_REQUIRED)
		return false;
	if (json_type(requests) != JSON_ARRAY || !json_first(requests) ||
	    json_count(requests) + s->server_requests.len > MAX_SERVER_REQUESTS)
		return false;
	for (const cJSON *q = json_first(requests); q; q = q->next) {
		struct elicitation e;
		elicitation_decode(&e, q);
		if (e.mode != ELICITATION_URL || elicitation_flaw(&e))
			return false;
	}
	return true;
}

bool
input_required_on_error(struct session *s, struct incoming *in)
{
	struct request *r = requests_find(&s->requests, in->request);
	const cJSON *error = in->message.error;

	if (!r->may_resend || r->raw_params || !r->known || s->era->modern ||
	    !s->can.elicitation_url || r->rounds >= MAX_INPUT_ROUNDS || !wants_urls(s, error))
		return false;
	enter_round(s, r, in);
	ask_all(s, r, json_get(json_get(error, "data"), "elicitations"));
	return true;
}
