#include "json/write.h"
#include "mcp/client_features.h"
#include "mcp/era/era.h"
#include "mcp/request/request.h"
#include "server_request.h"

#include <stdio.h>
#include <string.h>

/* Results that require input (2026-07-28, SEP-2322; before, the error -32042). Once all input
 * requests of a round are answered, the same method is sent again under a new id with the
 * inputResponses and the server's requestState. Until then the call has no request on the wire. */

/* ---- the retry ---- */

static bool
is_input_of(const struct server_request *q, uint64_t request)
{
	return q->request == request && !q->rpc_id;
}

static void
write_responses(struct session *s, struct json_writer *w, uint64_t request)
{
	json_write_member_object(w, "inputResponses");
	for (size_t i = 0; i < s->server_requests.len; i++) {
		const struct server_request *q = &s->server_requests.items[i];
		if (q->request != request || !q->key)
			continue;
		json_write_member_json(w, q->key, q->answer);
	}
	json_write_object_end(w);
}

static void
settle_all(struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->server_requests.len;) {
		const struct server_request *q = &s->server_requests.items[i];
		if (is_input_of(q, request))
			server_request_end(s, q->id,
			    server_request_outcome(q->method, q->answer, strlen(q->answer)), true);
		else
			i++;
	}
}

static void
leave_round(struct request *r)
{
	json_doc_destroy(r->input.doc);
	blob_unref(r->input.bytes);
	r->input.doc = NULL;
	r->input.bytes = NULL;
	r->input.value = NULL;
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
	if (!by_error && json_first(json_get(r->input.value, "inputRequests")))
		write_responses(s, &w, id);
	if (state) {
		json_write_member_value(&w, "requestState", state);
	}
	leave_round(r);
	request_resend(s, id, time_add(s->now_ms, r->input.left_ms));
	settle_all(s, id);
}

/* ---- answers ---- */

static bool
all_answered(const struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->server_requests.len; i++) {
		const struct server_request *q = &s->server_requests.items[i];
		if (is_input_of(q, request) && !q->answer)
			return false;
	}
	return true;
}

static bool
all_accepted(const struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->server_requests.len; i++) {
		const struct server_request *q = &s->server_requests.items[i];
		if (is_input_of(q, request) && q->answer &&
		    strcmp(server_request_outcome(q->method, q->answer, strlen(q->answer)),
			"accepted") != 0)
			return false;
	}
	return true;
}

static struct request *
find_waiting(const struct session *s, uint64_t id)
{
	struct request *r = requests_find(&s->requests, id);

	return r && r->state == REQUEST_NEEDS_INPUT ? r : NULL;
}

/* Ends the request without its input and drops its other input requests. */
static void
give_up(struct session *s, uint64_t id, enum reply_kind kind, const char *text)
{
	server_request_drop_all(s, id, "another input request of the call was refused");
	request_end(s, id, REQUEST_ANSWERED, kind, NULL, text);
}

/* Retries the request once none of its input requests is open. */
static void
proceed(struct session *s, uint64_t id)
{
	struct request *r = find_waiting(s, id);

	if (!r || r->input.asking)
		return;
	if (r->input.refused) {
		give_up(s, id, r->input.by_error ? REPLY_ERROR : REPLY_INPUT_REQUIRED,
		    "the input that the server required was refused");
	} else if (all_answered(s, id) && (!r->input.by_error || all_accepted(s, id))) {
		send_again(s, r);
	} else if (all_answered(s, id)) {
		settle_all(s, id);
		give_up(s, id, REPLY_ERROR, "");
	}
}

void
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
		const cJSON *params = by_error ? q : json_get(q, "params");
		server_request_add(
		    s, &(struct server_request_args){
			   .request = id,
			   .method = by_error ? "elicitation/create" : json_get_string(q, "method"),
			   .message = json_get_string(params, "message"),
			   .key = by_error ? NULL : q->string,
		       });
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

/* Why this is not a valid answer; NULL if it is. */
static const char *
find_result_flaw(const struct incoming *in)
{
	const struct method *method = method_find(in->method);
	const cJSON *requests = json_get(in->message.result, "inputRequests");

	if (!method || !(method->traits & MAY_WANT_INPUT))
		return "input_required is not a valid result of this method";
	if (requests && !cJSON_IsObject(requests))
		return "inputRequests is not an object";
	if (!json_first(requests) && !json_get(in->message.result, "requestState"))
		return "input_required without inputRequests or requestState";
	return NULL;
}

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
		const char *why = client_feature_flaw(s, method, json_get(q, "params"), &code);
		if (!why)
			continue;
		snprintf(text, size, "the server wants %.100s: %s",
		    method ? method : "a request without a method", why);
		return true;
	}
	return false;
}

static void
report_refused(struct session *s, const cJSON *requests, uint64_t request)
{
	for (const cJSON *q = json_first(requests); q; q = q->next) {
		const char *method = json_get_string(q, "method");
		server_request_report(
		    s, method ? method : "(no method)", json_get(q, "params"), "refused", request);
	}
}

void
input_required_on_result(struct session *s, struct incoming *in)
{
	const cJSON *requests = json_get(in->message.result, "inputRequests");
	const char *flaw = find_result_flaw(in);
	struct request *r = requests_find(&s->requests, in->request);
	char text[SESSION_TEXT_MAX] = "the server keeps asking for input";

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
	report_refused(s, requests, r->id);
	request_end(s, in->request, REQUEST_ANSWERED, REPLY_INPUT_REQUIRED, in, text);
}

/* ---- tasks ---- */

uint64_t
input_required_for_task(struct session *s, const char *task_id, struct blob *text)
{
	struct json_doc *doc = json_parse(text->data, text->len, NULL, NULL);
	const cJSON *value = doc ? json_root(doc) : NULL;
	const cJSON *requests = json_get(value, "inputRequests");
	char why[SESSION_TEXT_MAX];
	struct json_writer w;

	if (!requests || find_refusal(s, requests, why, sizeof(why))) {
		session_note(
		    s, 0, "a task requires input that cannot be given: %s", requests ? why : "");
		json_doc_destroy(doc);
		blob_unref(text);
		return 0;
	}
	struct request *r = requests_add(&s->requests, "tasks/update");
	uint64_t id = r->id;
	r->state = REQUEST_NEEDS_INPUT;
	r->may_resend = true;
	json_write_init(&w, &r->members);
	json_write_member_string(&w, "taskId", task_id);
	r->input.doc = doc;
	r->input.bytes = text;
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
