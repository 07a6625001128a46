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

static void
write_responses(struct session *s, struct json_writer *w, uint64_t request)
{
	json_write_key(w, "inputResponses");
	json_write_object(w);
	for (size_t i = 0; i < s->server_requests.len; i++) {
		const struct server_request *q = &s->server_requests.items[i];
		if (q->request != request || !q->key)
			continue;
		json_write_key(w, q->key);
		json_write_raw(w, q->answer, strlen(q->answer));
	}
	json_write_object_end(w);
}

static void
settle_all(struct session *s, uint64_t request, const char *word)
{
	for (size_t i = 0; i < s->server_requests.len;) {
		struct server_request *q = &s->server_requests.items[i];
		if (q->request != request || q->rpc_id) {
			i++;
			continue;
		}
		server_request_settle(s, q->id,
		    word ? word : server_request_outcome(q->method, q->answer, strlen(q->answer)));
	}
}

static void
leave_round(struct in_flight *call)
{
	json_doc_destroy(call->round.doc);
	blob_unref(call->round.bytes);
	call->round.doc = NULL;
	call->round.bytes = NULL;
	call->round.value = NULL;
	call->round.waiting = call->round.refused = false;
}

static void
send_again(struct session *s, struct in_flight *call)
{
	const cJSON *state =
	    call->round.by_error ? NULL : json_get(call->round.value, "requestState");
	uint64_t request = call->request;
	struct buf members = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &members);
	if (call->len > 0)
		json_write_raw(&w, call->members, call->len);
	if (!call->round.by_error && json_first(json_get(call->round.value, "inputRequests")))
		write_responses(s, &w, request);
	if (state) {
		json_write_key(&w, "requestState");
		json_write_value(&w, state);
	}
	leave_round(call);
	struct outgoing_request again = {
		.method = call->method,
		.owner = request,
		.limit_ms = pending_time_add(s->now_ms, call->round.left_ms),
		.headers = &call->headers,
		.len = members.len,
	};
	again.members = in_flight_keep_last(call, buf_text(&members), members.len);
	outgoing_request(s, &again);
	buf_finish(&members);
	settle_all(s, request, NULL);
}

/* ---- answers ---- */

static bool
all_answered(const struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->server_requests.len; i++) {
		const struct server_request *q = &s->server_requests.items[i];
		if (q->request == request && !q->rpc_id && !q->answer)
			return false;
	}
	return true;
}

static bool
all_accepted(const struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->server_requests.len; i++) {
		const struct server_request *q = &s->server_requests.items[i];
		if (q->request == request && !q->rpc_id && q->answer &&
		    strcmp(server_request_outcome(q->method, q->answer, strlen(q->answer)),
			"accepted") != 0)
			return false;
	}
	return true;
}

/* Ends the call without its input and drops its other input requests. */
static void
give_up(struct session *s, uint64_t request, const char *text)
{
	struct in_flight *call = in_flight_find(s, request);
	bool by_error = call->round.by_error;

	server_request_drop_all(s, request, "another input request of the call was refused");
	call = in_flight_find(s, request);
	if (call && call->round.waiting)
		request_reply_waiting(s, call, by_error ? REPLY_ERROR : REPLY_INPUT_REQUIRED, text);
}

/* Retries the call once no input request is open. */
static void
proceed(struct session *s, uint64_t request)
{
	struct in_flight *call = in_flight_find(s, request);

	if (!call || !call->round.waiting || call->round.asking)
		return;
	if (call->round.refused) {
		give_up(s, request, "the input that the server required was refused");
		return;
	}
	if (!all_answered(s, request))
		return;
	if (call->round.by_error && !all_accepted(s, request)) {
		settle_all(s, request, NULL);
		give_up(s, request, "");
		return;
	}
	send_again(s, call);
}

static void
settle_refused(struct session *s, uint64_t question, const char *why)
{
	char text[200];

	snprintf(text, sizeof(text), "refused: %.180s", why);
	server_request_settle(s, question, text);
}

void
input_required_on_answer(struct session *s, uint64_t question, const char *why)
{
	const struct server_request *q = server_request_find(s, question);
	uint64_t request = q->request;

	if (why) {
		settle_refused(s, question, why);
		struct in_flight *call = in_flight_find(s, request);
		if (call)
			call->round.refused = true;
	}
	proceed(s, request);
}

/* ---- the start of a round ---- */

static void
enter_round(struct session *s, struct in_flight *call, struct incoming *in)
{
	const struct pending_request *r = pending_find(&s->pending, in->id);

	call->round.left_ms = r->limit_ms > s->now_ms ? r->limit_ms - s->now_ms : 1;
	if (r->limit_ms == INT64_MAX)
		call->round.left_ms = INT64_MAX;
	call->rounds++;
	call->round.waiting = true;
	call->round.refused = false;
	call->round.doc = in->doc;
	in->doc = NULL;
	call->round.bytes = blob_ref(in->bytes);
	call->round.value = in->message.error ? in->message.error : in->message.result;
	call->round.by_error = in->message.error != NULL;
	pending_end(&s->pending, in->id, PENDING_ANSWERED);
}

/* requests: the input requests of the round (by_error: only their params), in its own document. */
static void
ask_all(struct session *s, uint64_t request, const cJSON *requests, bool by_error)
{
	uint64_t first = s->server_requests.last_id + 1, id = first;

	for (const cJSON *q = json_first(requests); q; q = q->next) {
		const cJSON *params = by_error ? q : json_get(q, "params");
		const char *method = by_error ? "elicitation/create" : json_get_string(q, "method");
		server_request_add(s, &(struct server_request){
					  .request = request,
					  .method = (char *)method,
					  .message = (char *)json_get_string(params, "message"),
					  .key = by_error ? NULL : q->string,
				      });
	}
	in_flight_find(s, request)->round.asking = true;
	for (const cJSON *q = json_first(requests); q; q = q->next, id++) {
		/* the owner may have ended the call, which frees the document */
		struct in_flight *call = in_flight_find(s, request);
		if (!call || !call->round.waiting)
			return;
		if (call->round.refused)
			break;
		if (server_request_find(s, id))
			server_request_ask(s, id, by_error ? q : json_get(q, "params"));
	}
	struct in_flight *call = in_flight_find(s, request);
	if (call)
		call->round.asking = false;
	proceed(s, request);
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
	if (requests && json_type(requests) != JSON_OBJECT)
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
	struct in_flight *call = in_flight_find(s, in->request);
	uint64_t request = in->request;
	char text[SESSION_TEXT_MAX] = "the server keeps asking for input";

	if (flaw) {
		request_reply(s, in->id, PENDING_ANSWERED, REPLY_INVALID, in, flaw);
		return;
	}
	if (!find_refusal(s, requests, text, sizeof(text)) && call && !call->raw_params &&
	    call->rounds < MAX_INPUT_ROUNDS) {
		enter_round(s, call, in);
		ask_all(s, request, requests, false);
		return;
	}
	report_refused(s, requests, request);
	request_reply(s, in->id, PENDING_ANSWERED, REPLY_INPUT_REQUIRED, in, text);
}

/* ---- tasks ---- */

uint64_t
input_required_for_task(struct session *s, const char *task_id, struct blob *text)
{
	struct json_doc *doc = json_parse(text->data, text->len, NULL, NULL);
	const cJSON *value = doc ? json_root(doc) : NULL;
	const cJSON *requests = json_get(value, "inputRequests");
	struct buf members = BUF_INIT;
	char why[SESSION_TEXT_MAX];
	struct json_writer w;

	if (!requests || find_refusal(s, requests, why, sizeof(why))) {
		session_note(
		    s, 0, "a task requires input that cannot be given: %s", requests ? why : "");
		json_doc_destroy(doc);
		blob_unref(text);
		return 0;
	}
	json_write_init(&w, &members);
	json_write_member_string(&w, "taskId", task_id);
	struct in_flight *call = in_flight_add_waiting(s, "tasks/update", &members);
	uint64_t request = call->request;
	call->round = (struct input_round){
		.waiting = true,
		.doc = doc,
		.bytes = text,
		.value = value,
		.left_ms = s->max_timeout_ms,
	};
	ask_all(s, request, requests, false);
	return request;
}

/* ---- 2025-11-25: URLElicitationRequiredError ---- */

static bool
wants_urls(const struct session *s, const cJSON *error)
{
	const cJSON *code = json_get(error, "code");
	const cJSON *requests = json_get(json_get(error, "data"), "elicitations");

	if (json_type(code) != JSON_NUMBER || code->valuedouble != ERROR_URL_REQUIRED)
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
	struct in_flight *call = in_flight_find(s, in->request);
	const cJSON *error = in->message.error;
	uint64_t request = in->request;

	if (!call || call->raw_params || !call->method || s->era->modern ||
	    !s->can.elicitation_url || call->rounds >= MAX_INPUT_ROUNDS || !wants_urls(s, error))
		return false;
	enter_round(s, call, in);
	ask_all(s, request, json_get(json_get(error, "data"), "elicitations"), true);
	return true;
}
