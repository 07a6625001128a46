#include "request.h"

#include "mcp/era/era.h"
#include "mcp/server_request/server_request.h"
#include "mcp/tasks.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int64_t
error_code(const cJSON *error)
{
	const cJSON *code = json_get(error, "code");

	if (json_type(code) != JSON_NUMBER ||
	    !(code->valuedouble > -1e15 && code->valuedouble < 1e15))
		return 0;
	return (int64_t)code->valuedouble;
}

static const char *
error_message(const cJSON *error)
{
	const char *message = json_get_string(error, "message");

	if (!message)
		message = json_string(error);
	return message ? message : "an error without a message";
}

void
text_of_error(const struct message *m, char *out, size_t size)
{
	char text[SESSION_TEXT_MAX];

	if (m->kind != MESSAGE_ERROR)
		snprintf(text, sizeof(text), "%s", m->flaw ? m->flaw : "not an answer");
	else
		snprintf(text, sizeof(text), "%.300s (%lld)", error_message(m->error),
		    (long long)error_code(m->error));
	text_to_line(out, size, text);
}

static void
hand_out(struct session *s, uint64_t owner, struct session_reply *reply, const char *text)
{
	if (reply->kind == REPLY_ERROR) {
		reply->code = error_code(reply->value);
		text = error_message(reply->value);
	}
	text_to_line(reply->text, sizeof(reply->text), text);
	in_flight_remove(s, owner);
	s->events.on_reply(s->user, owner, reply);
}

void
request_reply_waiting(
    struct session *s, struct in_flight *call, enum reply_kind kind, const char *text)
{
	struct blob *bytes = call->round.bytes;
	struct session_reply reply = {
		.kind = kind, .doc = call->round.doc, .bytes = bytes, .value = call->round.value
	};

	call->round.doc = NULL;
	call->round.bytes = NULL;
	hand_out(s, call->request, &reply, text);
	blob_unref(bytes);
}

void
request_reply(struct session *s, uint64_t id, enum pending_end how, enum reply_kind kind,
    struct incoming *in, const char *text)
{
	struct session_reply reply = { .kind = kind };
	const struct pending_request *r = pending_find(&s->pending, id);

	if (!r)
		return;
	uint64_t owner = r->owner;
	if (in) {
		reply.doc = in->doc;
		reply.bytes = in->bytes;
		reply.value = in->message.error ? in->message.error : in->message.result;
		in->doc = NULL;
	}
	pending_end(&s->pending, id, how);
	hand_out(s, owner, &reply, text);
}

/* Only tools/call may create a task. Results of tasks/get that say resultType "task", like examples
 * in SEP-2663, count as complete. */
static enum reply_kind
classify_task(const struct incoming *in, char *text, size_t size)
{
	const struct method *method = method_find(in->method);
	struct task task;

	if (method && strncmp(method->name, "tasks/", strlen("tasks/")) == 0)
		return REPLY_RESULT;
	if (!method || !(method->traits & MAY_BE_TASK))
		snprintf(text, size, "a task is not a valid result of this method");
	else if (!task_decode(&task, in->message.result))
		snprintf(text, size, "a task without a taskId");
	else
		return REPLY_TASK;
	return REPLY_INVALID;
}

void
request_on_answer(struct session *s, struct incoming *in)
{
	const struct message *m = &in->message;
	enum reply_kind kind = REPLY_RESULT;
	char text[SESSION_TEXT_MAX] = "";

	if (m->kind == MESSAGE_ERROR) {
		if (input_required_on_error(s, in))
			return;
		kind = REPLY_ERROR;
	} else if (m->kind == MESSAGE_INVALID) {
		kind = REPLY_INVALID;
		text_of_error(m, text, sizeof(text));
	} else {
		enum result_type type = s->era->classify(m->result);
		if (type == RESULT_INPUT_REQUIRED) {
			input_required_on_result(s, in);
			return;
		}
		if (type == RESULT_TASK)
			kind = classify_task(in, text, sizeof(text));
		if (type == RESULT_UNKNOWN) {
			const char *name = json_get_string(m->result, "resultType");
			kind = REPLY_INVALID;
			snprintf(text, sizeof(text), "unknown resultType %.100s",
			    name ? name : "(not a string)");
		}
	}
	s->renewals = 0;
	request_reply(s, in->id, PENDING_ANSWERED, kind, in, text);
}

/* While a server request waits for the user, the time-out starts again. */
static bool
waits_for_owner(const struct session *s, struct pending_request *r)
{
	if (!server_request_is_open(s, r->owner))
		return false;
	r->deadline_ms = pending_time_add(s->now_ms, s->timeout_ms);
	if (r->limit_ms < r->deadline_ms)
		r->limit_ms = r->deadline_ms;
	return true;
}

bool
session_describe_wait(const struct session *s, uint64_t request, char *out, size_t size)
{
	const struct pending_request *r = request ? pending_find_owner(&s->pending, request) : NULL;
	uint64_t id = r ? r->id : request ? 0 : s->handshake;

	return id && s->events.on_wait && s->events.on_wait(s->user, id, out, size);
}

static void
add_wait(struct session *s, uint64_t id, char *out, size_t size)
{
	size_t len = strlen(out);
	char wait[100];

	if (s->events.on_wait && s->events.on_wait(s->user, id, wait, sizeof(wait)))
		snprintf(out + len, size - len, " (%s)", wait);
}

void
text_of_timeout(struct session *s, uint64_t id, char *out, size_t size)
{
	snprintf(out, size, "no answer in %lld ms", (long long)s->timeout_ms);
	add_wait(s, id, out, size);
}

void
request_time_out(struct session *s, uint64_t id)
{
	if (request_is_internal(s, id)) {
		internal_request_on_timeout(s, id);
		return;
	}
	struct pending_request *r = pending_find(&s->pending, id);
	bool at_limit = r->limit_ms <= s->now_ms;
	char text[100], reply[200];

	if (waits_for_owner(s, r))
		return;

	snprintf(text, sizeof(text),
	    at_limit ? "not finished after %lld ms" : "no answer in %lld ms",
	    (long long)(at_limit ? s->max_timeout_ms : s->timeout_ms));
	snprintf(reply, sizeof(reply), "%s", text);
	add_wait(s, id, reply, sizeof(reply));
	outgoing_cancel(s, r, text);
	request_reply(s, id, PENDING_TIMED_OUT, REPLY_TIMED_OUT, NULL, reply);
}

bool
request_is_internal(const struct session *s, uint64_t id)
{
	const struct pending_request *r = pending_find(&s->pending, id);

	return r && r->kind != REQUEST_OWNERS;
}

void
request_end_all(struct session *s, enum reply_kind kind, const char *text)
{
	server_request_drop_all(s, 0, text);
	for (size_t i = s->in_flight.len; i-- > 0;)
		if (i < s->in_flight.len && s->in_flight.items[i].round.waiting)
			request_reply_waiting(s, &s->in_flight.items[i], kind, text);
	for (size_t i = 0; i < s->pending.len;) {
		uint64_t id = s->pending.items[i].id;
		if (request_is_internal(s, id)) {
			i++;
			continue;
		}
		request_reply(s, id, PENDING_LOST, kind, NULL, text);
		i = 0;
	}
}

void
request_close_all(struct session *s)
{
	internal_request_close(s);
	request_end_all(s, REPLY_CLOSED, "the server closed the connection");
}

/* Strips blanks and braces from the text of an object; false if it does not look like one. */
static bool
inside_braces(const char **json, size_t *len)
{
	while (*len > 0 && isspace((unsigned char)**json))
		(*json)++, (*len)--;
	while (*len > 0 && isspace((unsigned char)(*json)[*len - 1]))
		(*len)--;
	if (*len == 0)
		return true;
	if (*len < 2 || **json != '{' || (*json)[*len - 1] != '}')
		return false;
	(*json)++;
	*len -= 2;
	for (size_t i = 0; i < *len; i++)
		if (!isspace((unsigned char)(*json)[i]))
			return true;
	*len = 0;
	return true;
}

uint64_t
session_request(
    struct session *s, const char *method, const char *params_json, size_t len, int64_t now_ms)
{
	struct outgoing_request r = { .method = method, .members = params_json, .len = len };

	s->now_ms = now_ms;
	if (s->info.state != SESSION_READY)
		return 0;
	if (!params_json)
		r.members = "", r.len = 0;
	r.raw_params = !inside_braces(&r.members, &r.len);
	return in_flight_send(s, &r, false);
}

bool
session_tool_is_usable(const struct session *s, const cJSON *definition, char *why, size_t size)
{
	struct param_headers headers;

	if (!s->info.modern || s->transport != TRANSPORT_HTTP)
		return true;
	bool ok = param_headers_read(&headers, json_get(definition, "inputSchema"), why, size);
	param_headers_finish(&headers);
	return ok;
}

/* destructiveHint without idempotentHint: never sent again. */
static bool
is_non_idempotent(const cJSON *definition)
{
	const cJSON *hints = json_get(definition, "annotations");

	return json_is_true(json_get(hints, "destructiveHint")) &&
	       !json_is_true(json_get(hints, "idempotentHint"));
}

/* 2025-11-25: asks the server to keep the result for an hour. */
static void
write_task(struct json_writer *w)
{
	json_write_key(w, "task");
	json_write_object(w);
	json_write_member_int(w, "ttl", 3600 * 1000);
	json_write_object_end(w);
}

static bool
wants_task(const struct session *s, const cJSON *definition)
{
	enum task_support support = session_task_support(s, definition);

	return support == TASKS_REQUIRED || (support == TASKS_OPTIONAL && s->internal.prefer_tasks);
}

uint64_t
session_call(struct session *s, const struct session_call *call, int64_t now_ms)
{
	const cJSON *schema = json_get(call->definition, "inputSchema");
	struct buf members = BUF_INIT;
	struct param_headers headers;
	struct json_writer w;
	char why[160];

	s->now_ms = now_ms;
	if (s->info.state != SESSION_READY ||
	    !session_tool_is_usable(s, call->definition, why, sizeof(why)))
		return 0;
	param_headers_read(&headers, schema, why, sizeof(why));
	json_write_init(&w, &members);
	json_write_member_string(&w, "name", call->name);
	if (call->arguments && call->len > 0) {
		json_write_key(&w, "arguments");
		json_write_raw(&w, call->arguments, call->len);
	}
	if (wants_task(s, call->definition))
		write_task(&w);
	struct outgoing_request r = {
		.method = "tools/call",
		.members = buf_text(&members),
		.len = members.len,
		.headers = &headers,
	};
	uint64_t id = in_flight_send(s, &r, is_non_idempotent(call->definition));
	param_headers_finish(&headers);
	buf_finish(&members);
	return id;
}

/* The call has no request on the wire, so the server is not told. */
static bool
cancel_waiting(struct session *s, uint64_t request, const char *reason)
{
	struct in_flight *call = in_flight_find(s, request);

	if (!call || !call->round.waiting)
		return false;
	server_request_drop_all(s, request, "the call was cancelled");
	call = in_flight_find(s, request);
	if (call)
		request_reply_waiting(s, call, REPLY_CANCELLED, reason ? reason : "cancelled");
	return true;
}

bool
session_cancel(struct session *s, uint64_t request, const char *reason, int64_t now_ms)
{
	const struct pending_request *r = pending_find_owner(&s->pending, request);

	s->now_ms = now_ms;
	if (!r)
		return cancel_waiting(s, request, reason);
	if (request_is_internal(s, r->id))
		return false;
	const struct in_flight *call = in_flight_find(s, r->owner);
	uint64_t id = r->id;
	if (!call || !call->parked)
		outgoing_cancel(s, r, reason);
	server_request_drop_all(s, request, "the call was cancelled");
	request_reply(
	    s, id, PENDING_CANCELLED, REPLY_CANCELLED, NULL, reason ? reason : "cancelled");
	return true;
}
