/* SPDX-License-Identifier: MIT */
#include "mcp/session/internals.h"

#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"
#include "mcp/content.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t
time_add(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static void
free_request(struct request *r)
{
	free(r->method);
	free(r->watched_id);
	free(r->watched_token);
	buf_finish(&r->members);
	buf_finish(&r->last);
	param_headers_finish(&r->headers);
	json_doc_destroy(r->input.doc);
	blob_unref(r->input.bytes);
	free(r);
}

void
requests_finish(struct requests *t)
{
	for (size_t i = 0; i < t->len; i++)
		free_request(t->items[i]);
	for (size_t i = 0; t->by_hand && i < REQUESTS_REMEMBERED; i++) {
		free(t->by_hand[i].id);
		free(t->by_hand[i].method);
	}
	free(t->by_hand);
	free(t->items);
	*t = (struct requests){ 0 };
}

uint64_t
read_request_id(const cJSON *id)
{
	size_t number = 0;

	if (!cJSON_IsNumber(id) || !json_number_to_size(id, SIZE_MAX, &number))
		return 0;
	return number;
}

uint64_t
requests_next_id(struct requests *t)
{
	for (size_t i = 0; i <= REQUESTS_REMEMBERED; i++) {
		bool used = false;
		t->last_id++;
		for (size_t k = 0; t->by_hand && k < REQUESTS_REMEMBERED && !used; k++)
			used = t->by_hand[k].rpc_id == t->last_id;
		if (!used)
			break;
	}
	return t->last_id;
}

struct request *
requests_add(struct requests *t, const char *method)
{
	struct request *r = mem_zalloc(sizeof(*r));

	*r = (struct request){
		.id = requests_next_id(t),
		.method = mem_strdup(method),
		.known = method_find(method),
		.deadline_ms = INT64_MAX,
		.limit_ms = INT64_MAX,
	};
	*VEC_PUSH(t) = r;
	return r;
}

struct request *
requests_find(const struct requests *t, uint64_t id)
{
	for (size_t i = 0; i < t->len; i++)
		if (t->items[i]->id == id)
			return t->items[i];
	return NULL;
}

struct request *
requests_find_message(const struct requests *t, uint64_t rpc_id)
{
	for (size_t i = 0; rpc_id != 0 && i < t->len; i++)
		if (t->items[i]->rpc_id == rpc_id)
			return t->items[i];
	return NULL;
}

struct request *
requests_find_watched(const struct requests *t, const cJSON *id, bool by_token, uint64_t rpc_id)
{
	struct request *found = NULL;
	char *text = json_text(id);

	for (size_t i = text ? t->len : 0; i-- > 0;) {
		struct request *r = t->items[i];
		const char *of = by_token ? r->watched_token : r->watched_id;
		bool first = rpc_id && r->rpc_id == rpc_id;
		if (of && (!found || first) && strcmp(of, text) == 0)
			found = r;
	}
	free(text);
	return found;
}

struct request *
requests_find_internal(const struct requests *t, const char *method)
{
	for (size_t i = 0; i < t->len; i++)
		if (t->items[i]->internal && strcmp(t->items[i]->method, method) == 0)
			return t->items[i];
	return NULL;
}

void
requests_send(struct requests *t, struct request *r, int64_t deadline_ms, int64_t limit_ms)
{
	if (r->rpc_id)
		requests_leave_wire(t, r, REQUEST_RESENT);
	r->rpc_id = r->state == REQUEST_NEW ? r->id : requests_next_id(t);
	r->state = REQUEST_SENT;
	r->limit_ms = limit_ms;
	r->deadline_ms = deadline_ms < limit_ms ? deadline_ms : limit_ms;
	r->has_progress = false;
}

void
requests_leave_wire(struct requests *t, struct request *r, enum request_state how)
{
	if (!r->rpc_id)
		return;
	struct ended_message *e = &t->ended[t->next_ended];
	t->next_ended = (t->next_ended + 1) % REQUESTS_REMEMBERED;
	*e = ((struct ended_message){ .rpc_id = r->rpc_id, .request = r->id, .how = how });
	utf8_copy(e->method, sizeof(e->method), r->method);
	r->rpc_id = 0;
	r->state = how;
	r->deadline_ms = r->limit_ms = INT64_MAX;
}

void
requests_end(struct requests *t, struct request *r, enum request_state how)
{
	requests_leave_wire(t, r, how);
	for (size_t i = 0; i < t->len; i++) {
		if (t->items[i] != r)
			continue;
		VEC_REMOVE(t, i);
		free_request(r);
		return;
	}
}

const struct ended_message *
requests_find_ended(const struct requests *t, uint64_t rpc_id)
{
	for (size_t i = 0; rpc_id != 0 && i < REQUESTS_REMEMBERED; i++)
		if (t->ended[i].rpc_id == rpc_id)
			return &t->ended[i];
	return NULL;
}

struct request *
requests_expired(const struct requests *t, int64_t now_ms)
{
	struct request *first = NULL;

	for (size_t i = 0; i < t->len; i++) {
		struct request *r = t->items[i];
		if (r->deadline_ms <= now_ms && (!first || r->rpc_id < first->rpc_id))
			first = r;
	}
	return first;
}

void
request_renew_deadline(struct request *r, int64_t now_ms, int64_t timeout_ms)
{
	r->deadline_ms = time_add(now_ms, timeout_ms);
	if (r->limit_ms < r->deadline_ms)
		r->limit_ms = r->deadline_ms;
}

void
request_restart(struct request *r, int64_t now_ms, int64_t timeout_ms)
{
	int64_t deadline = time_add(now_ms, timeout_ms);

	r->deadline_ms = deadline < r->limit_ms ? deadline : r->limit_ms;
}

static int64_t
error_code(const cJSON *error)
{
	const cJSON *code = json_get(error, "code");

	if (!cJSON_IsNumber(code) || !(code->valuedouble > -1e15 && code->valuedouble < 1e15))
		return 0;
	return (int64_t)code->valuedouble;
}

static const char *
error_message(const cJSON *error)
{
	const char *message = json_get_string(error, "message");

	if (!message)
		message = cJSON_GetStringValue(error);
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

/* ---- sending ---- */

static void
transmit(struct session *s, struct request *r, const struct request_args *args)
{
	int64_t deadline = time_add(s->now_ms, s->timeout_ms);
	int64_t limit = args->limit_ms ? args->limit_ms : time_add(s->now_ms, s->max_timeout_ms);

	if (args->never_expires)
		deadline = limit = INT64_MAX;
	requests_send(&s->requests, r, deadline, limit);
	outgoing_request(s, r, args);
}

uint64_t
request_open(struct session *s, const struct request_args *args)
{
	if (s->onlooker)
		return 0;
	struct request *r = requests_add(&s->requests, args->method);
	uint64_t id = r->id;
	r->internal = args->internal;
	r->raw_params = args->raw_params;
	r->non_idempotent = args->non_idempotent;
	/* Over stdio before 2026-07-28, only -32042 (visit a URL first) leads to another attempt.
	 */
	r->may_resend =
	    !r->internal &&
	    (s->transport == TRANSPORT_HTTP || s->info.modern ||
		(s->can.elicitation_url && r->known && (r->known->traits & MAY_WANT_INPUT)));
	if (r->may_resend)
		buf_add(&r->members, args->members, args->len);
	if (args->headers) {
		r->headers = *args->headers;
		*args->headers = (struct param_headers){ 0 };
	}
	transmit(s, r, args);
	return id;
}

void
request_resend(struct session *s, uint64_t id, int64_t limit_ms)
{
	struct request *r = requests_find(&s->requests, id);

	if (!r || !r->may_resend)
		return;
	const struct buf *members = r->last.len > 0 ? &r->last : &r->members;
	transmit(s, r,
	    &(struct request_args){ .members = buf_text(members),
		.len = members->len,
		.limit_ms = limit_ms ? limit_ms : r->limit_ms });
}

/* ---- the reply ---- */

void
request_end(struct session *s, uint64_t id, enum request_state how, enum reply_kind kind,
    struct incoming *in, const char *text)
{
	struct request *r = requests_find(&s->requests, id);
	struct session_reply reply = { .kind = kind };

	if (!r)
		return;
	if (in) {
		reply.doc = in->doc;
		reply.bytes = blob_ref(in->bytes);
		reply.value = in->message.error ? in->message.error : in->message.result;
		in->doc = NULL;
	} else if (r->state == REQUEST_NEEDS_INPUT) {
		reply.doc = r->input.doc;
		reply.bytes = r->input.bytes;
		reply.value = r->input.value;
		r->input.doc = NULL;
		r->input.bytes = NULL;
	}
	if (kind == REPLY_ERROR) {
		reply.code = error_code(reply.value);
		text = error_message(reply.value);
	}
	text_to_line(reply.text, sizeof(reply.text), text);
	requests_end(&s->requests, r, how);
	s->events.on_reply(s->user, id, &reply);
	json_doc_destroy(reply.doc);
	blob_unref(reply.bytes);
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
		if (!s->onlooker && input_required_on_error(s, in))
			return;
		kind = REPLY_ERROR;
	} else if (m->kind == MESSAGE_INVALID) {
		kind = REPLY_INVALID;
		text_of_error(m, text, sizeof(text));
	} else {
		enum result_type type = s->era->classify(m->result);
		if (type == RESULT_INPUT_REQUIRED && s->onlooker) {
			kind = REPLY_INPUT_REQUIRED;
			snprintf(text, sizeof(text), "the client was asked for input");
		} else if (type == RESULT_INPUT_REQUIRED) {
			input_required_on_result(s, in);
			return;
		}
		if (type == RESULT_TASK && !s->onlooker)
			kind = classify_task(in, text, sizeof(text));
		if (type == RESULT_UNKNOWN) {
			const char *name = json_get_string(m->result, "resultType");
			kind = REPLY_INVALID;
			snprintf(text, sizeof(text), "unknown resultType %.100s",
			    name ? name : "(not a string)");
		}
	}
	s->renewals = 0;
	request_end(s, in->request, REQUEST_ANSWERED, kind, in, text);
}

/* The owner hears first of the requests that wait for input, the newest first; then of the others
 * in the order they were sent. */
static struct request *
find_next_to_end(const struct requests *t)
{
	struct request *first = NULL;

	for (size_t i = t->len; i-- > 0;)
		if (t->items[i]->state == REQUEST_NEEDS_INPUT)
			return t->items[i];
	for (size_t i = 0; i < t->len; i++) {
		struct request *r = t->items[i];
		if (!r->internal && (!first || r->rpc_id < first->rpc_id))
			first = r;
	}
	return first;
}

void
request_end_all(struct session *s, enum reply_kind kind, const char *text)
{
	struct request *r;

	server_request_drop_all(s, 0, text);
	while ((r = find_next_to_end(&s->requests)))
		request_end(s, r->id, REQUEST_BROKEN, kind, NULL, text);
}

/* ---- time-outs ---- */

bool
session_describe_wait(const struct session *s, uint64_t request, char *out, size_t size)
{
	const struct request *r =
	    request ? requests_find(&s->requests, request) : handshake_request(s);

	return r && r->rpc_id && s->events.on_wait &&
	       s->events.on_wait(s->user, r->rpc_id, out, size);
}

static void
add_wait(struct session *s, const struct request *r, char *out, size_t size)
{
	size_t len = strlen(out);
	char wait[100];

	if (s->events.on_wait && s->events.on_wait(s->user, r->rpc_id, wait, sizeof(wait)))
		snprintf(out + len, size - len, " (%s)", wait);
	len = strlen(out);
	if (s->info.unreadable.count > 0)
		snprintf(out + len, size - len,
		    "; %s line%s of the server %s not JSON-RPC%s: %.63s",
		    units_count(s->info.unreadable.count).text, plural(s->info.unreadable.count),
		    s->info.unreadable.count == 1 ? "was" : "were",
		    s->info.unreadable.count == 1 ? "" : ", the first", s->info.unreadable.first);
}

/* "timed out after 60 s" */
static void
add_limit(char *out, size_t size, const char *words, int64_t ms)
{
	bool whole = ms % 1000 == 0;

	snprintf(out, size, "%s %lld %s", words, (long long)(whole ? ms / 1000 : ms),
	    whole ? "s" : "ms");
}

void
request_describe_timeout(struct session *s, const struct request *r, char *out, size_t size)
{
	add_limit(out, size, "timed out after", s->timeout_ms);
	add_wait(s, r, out, size);
}

void
request_time_out(struct session *s, struct request *r)
{
	bool at_limit = r->limit_ms <= s->now_ms;
	char text[100], reply[200];

	if (r->internal) {
		internal_request_on_timeout(s, r);
		return;
	}
	/* While a server request waits for the user, the time-out starts again. */
	for (size_t i = 0; i < s->server_requests.len; i++) {
		uint64_t request = s->server_requests.items[i].request;
		if (request == r->id || !request) {
			request_renew_deadline(r, s->now_ms, s->timeout_ms);
			return;
		}
	}
	add_limit(text, sizeof(text), at_limit ? "not finished after" : "timed out after",
	    at_limit ? s->max_timeout_ms : s->timeout_ms);
	snprintf(reply, sizeof(reply), "%s", text);
	add_wait(s, r, reply, sizeof(reply));
	uint64_t id = r->id;
	outgoing_cancel(s, r, text);
	request_end(s, id, REQUEST_TIMED_OUT, REPLY_TIMED_OUT, NULL, reply);
}

/* ---- commands of the owner ---- */

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
	struct request_args args = { .method = method, .members = params_json, .len = len };

	s->now_ms = now_ms;
	if (s->info.state != SESSION_READY)
		return 0;
	args.raw_params = params_json && !inside_braces(&args.members, &args.len);
	return request_open(s, &args);
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
	enum task_support support = session_task_support(s, call->definition);
	if (support == TASKS_REQUIRED || (support == TASKS_OPTIONAL && s->internal.prefer_tasks)) {
		/* 2025-11-25: asks the server to keep the result for an hour. */
		json_write_member_object(&w, "task");
		json_write_member_int(&w, "ttl", 3600 * 1000);
		json_write_object_end(&w);
	}
	/* destructiveHint without idempotentHint: never sent again. */
	const cJSON *hints = json_get(call->definition, "annotations");
	uint64_t id = request_open(
	    s, &(struct request_args){
		   .method = "tools/call",
		   .members = buf_text(&members),
		   .len = members.len,
		   .headers = &headers,
		   .non_idempotent = cJSON_IsTrue(json_get(hints, "destructiveHint")) &&
				     !cJSON_IsTrue(json_get(hints, "idempotentHint")),
	       });
	buf_finish(&members);
	return id;
}

bool
session_cancel(struct session *s, uint64_t request, const char *reason, int64_t now_ms)
{
	struct request *r = requests_find(&s->requests, request);

	s->now_ms = now_ms;
	if (!r || r->internal)
		return false;
	if (r->state == REQUEST_SENT) /* else the server does not know it */
		outgoing_cancel(s, r, reason);
	server_request_drop_all(s, request, "the call was cancelled");
	request_end(
	    s, request, REQUEST_CANCELLED, REPLY_CANCELLED, NULL, reason ? reason : "cancelled");
	return true;
}

/*
 * Transport errors, and the requests that are sent again after them. In the modern era, a request
 * whose answer broke off is sent again under a new id (2026-07-28/changelog, major change 9). In
 * the legacy era, a server that forgot the session gets a new initialize
 * (2025-11-25/basic/transports, "Session Management"), then the read-only requests again.
 */

#define MAX_REISSUES 2
void
transport_error_describe(const struct transport_error *error, char *out, size_t size)
{
	const char *text = error->text ? error->text : "lost";
	char line[SESSION_TEXT_MAX];

	if (error->kind == TRANSPORT_FORBIDDEN)
		snprintf(line, sizeof(line), "not authorized: %s", text);
	else if (error->kind == TRANSPORT_STATUS && error->body_len > 0)
		snprintf(line, sizeof(line), "%.300s: %.*s", text,
		    (int)(error->body_len < 200 ? error->body_len : 200), error->body);
	else
		snprintf(line, sizeof(line), "%s", text);
	text_to_line(out, size, line);
}

static bool
only_reads(const struct request *r)
{
	return r->known && (r->known->traits & ONLY_READS);
}

static void
end_broken(struct session *s, struct request *r, const char *text)
{
	request_end(s, r->id, REQUEST_BROKEN, REPLY_TRANSPORT_ERROR, NULL, text);
}

static void
on_broken(struct session *s, struct request *r, const char *text)
{
	/* Retries are few: a stream that breaks every time is a defect the user has to see. */
	int max = only_reads(r) ? MAX_REISSUES : 1;
	if (!(s->info.state == SESSION_READY && s->info.modern && r->may_resend &&
		!r->non_idempotent && r->reissued < max)) {
		char why[SESSION_TEXT_MAX];
		snprintf(why, sizeof(why), "%.200s%s", text,
		    r->may_resend && r->non_idempotent
			? "; not sent again because the tool is destructive"
			: "");
		end_broken(s, r, why);
		return;
	}
	uint64_t id = r->id;
	r->reissued++;
	session_note(s, id, "%s: %.200s; sent again under a new id", r->method, text);
	request_resend(s, id, 0);
}

void
session_on_transport_error(struct session *s, const struct transport_error *error, int64_t now_ms)
{
	struct request_by_hand *h = requests_by_hand_of(&s->requests, error->id);
	struct request *r = requests_find_message(&s->requests, error->id);
	bool is_handshake = r && r == handshake_request(s);
	/* The server did not handle this request because it forgot the session. */
	bool forgotten = error->kind == TRANSPORT_SESSION && !s->info.modern && !is_handshake;
	char text[SESSION_TEXT_MAX];

	s->now_ms = now_ms;
	if (s->info.state == SESSION_CLOSED || (error->id && !r && !h))
		return;
	transport_error_describe(error, text, sizeof(text));
	if (h) {
		/* A request that the user wrote. */
		struct session_reply reply = { .kind = REPLY_TRANSPORT_ERROR };
		h->answered = true;
		text_to_line(reply.text, sizeof(reply.text), text);
		s->events.on_reply(s->user, h->number, &reply);
	}
	if (r && r->internal) {
		internal_request_on_transport_error(s, r, error);
	} else if (r && forgotten && r->may_resend && only_reads(r) && r->reissued < MAX_REISSUES) {
		r->reissued++;
		r->state = REQUEST_FORGOTTEN;
	} else if (r && forgotten) {
		end_broken(s, r,
		    "the server forgot the session. A new one is opened, but this request was not "
		    "sent again because it might take effect twice");
	} else if (r && error->kind == TRANSPORT_BROKEN) {
		on_broken(s, r, text);
	} else if (r) {
		end_broken(s, r, text);
	} else if (!h && !forgotten) {
		session_note(s, 0, "a message did not reach the server: %s", text);
	}
	if (forgotten && s->info.state == SESSION_READY)
		handshake_renew(s, error);
}
