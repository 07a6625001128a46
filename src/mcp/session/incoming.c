/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "json/number.h"
#include "json/print.h"
#include "mcp/era/era.h"
#include "mcp/request/request.h"
#include "mcp/server_request/server_request.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Only the first flaw is kept. */
static void __attribute__((format(printf, 2, 3)))
add_flaw(struct incoming *in, const char *format, ...)
{
	char text[sizeof(in->flaw)];

	if (in->flaw[0])
		return;
	FORMAT_INTO(text, format);
	text_to_line(in->flaw, sizeof(in->flaw), text);
}

/* Reads a request id of ours, which must be the same integer; 0 if it is not. */
static uint64_t
read_id(const cJSON *id)
{
	size_t number = 0;

	if (!cJSON_IsNumber(id) || !json_number_to_size(id, SIZE_MAX, &number))
		return 0;
	return number;
}

static struct request *
find_request(const struct session *s, const cJSON *id, bool by_token)
{
	return s->onlooker ? requests_find_watched(&s->requests, id, by_token, s->stream)
			   : requests_find_message(&s->requests, read_id(id));
}

static void
match_open(struct incoming *in, const struct request *r)
{
	in->id = r->rpc_id;
	in->request = r->id;
	in->method = r->method;
}

static void
explain_ended(struct session *s, struct incoming *in, uint64_t id)
{
	static const char *const how[] = {
		[REQUEST_ANSWERED] = "a second answer to this request",
		[REQUEST_CANCELLED] = "an answer after the request was cancelled",
		[REQUEST_TIMED_OUT] = "late reply: the request had timed out",
		[REQUEST_BROKEN] = "an answer after a transport error",
		[REQUEST_RESENT] = "an answer after the request was sent again",
	};
	const struct ended_message *ended = requests_find_ended(&s->requests, id);

	if (ended) {
		in->request = ended->request;
		in->method = ended->method;
		add_flaw(in, "%s", how[ended->how]);
	} else if (id > 0 && id <= s->requests.last_id) {
		add_flaw(in, "an answer to a request that ended long ago");
	} else {
		add_flaw(in, "does not answer any open request");
	}
}

static void
explain_string_id(struct session *s, struct incoming *in, const char *text)
{
	for (size_t i = 0; i < s->requests.len; i++) {
		uint64_t id = s->requests.items[i]->rpc_id;
		char number[24];
		snprintf(number, sizeof(number), "%" PRIu64, id);
		if (id && strcmp(number, text) == 0) {
			add_flaw(
			    in, "the id is the string \"%s\", the request's is the number", number);
			return;
		}
	}
	add_flaw(in, "does not answer any open request");
}

/* Is it the answer to a request that the user wrote? One of ours may have the same id, if the user
 * wanted that; then the stream of the answer decides. */
static bool
match_by_hand(struct session *s, struct incoming *in, const struct request *r)
{
	struct request_by_hand *h = requests_find_by_hand(&s->requests, in->message.id);

	if (!h || (r && s->stream != h->number))
		return false;
	in->method = h->method;
	in->request = h->number;
	if (h->answered)
		add_flaw(in, "a second answer to this request");
	h->answered = true;
	return true;
}

static void
inspect_answer(struct session *s, struct incoming *in)
{
	const struct message *m = &in->message;
	uint64_t id = read_id(m->id);
	const struct request *r = find_request(s, m->id, false);
	bool without_id = !m->id || cJSON_IsNull(m->id);

	if (match_by_hand(s, in, r))
		return;
	if (without_id && m->kind == MESSAGE_ERROR) /* while it is open, nothing else is */
		r = handshake_request(s);
	if (r) {
		match_open(in, r);
		if (m->kind != MESSAGE_RESULT)
			return;
		const char *flaw = r == handshake_request(s) ? s->era->handshake_flaw(m->result)
							     : s->era->result_flaw(m->result);
		if (flaw)
			add_flaw(in, "%s", flaw);
	} else if (s->onlooker) {
		add_flaw(in, "does not answer any open request");
	} else if (cJSON_IsString(m->id)) {
		explain_string_id(s, in, cJSON_GetStringValue(m->id));
	} else if (without_id) {
		add_flaw(in, "an error without an id");
	} else {
		explain_ended(s, in, id);
	}
}

static bool
is_notification(const char *method)
{
	return strncmp(method, "notifications/", strlen("notifications/")) == 0;
}

static void
inspect_progress(struct session *s, struct incoming *in)
{
	const cJSON *token = json_get(in->message.params, "progressToken");
	uint64_t id = read_id(token);
	const cJSON *value = json_get(in->message.params, "progress");
	const struct request *r = find_request(s, token, true);

	const struct request_by_hand *h = requests_find_by_hand(&s->requests, token);
	if (!r && h && !h->answered)
		return;
	if (!r) {
		const struct ended_message *ended =
		    s->onlooker ? NULL : requests_find_ended(&s->requests, id);
		if (ended)
			in->request = ended->request;
		add_flaw(in, ended ? "progress for a request that has ended"
				   : "progress for an unknown request");
		return;
	}
	in->id = r->rpc_id;
	in->request = r->id;
	if (!cJSON_IsNumber(value))
		add_flaw(in, "progress is not a number");
	else if (r->has_progress && value->valuedouble <= r->progress)
		add_flaw(in, "progress does not increase");
}

static void
inspect_call(struct session *s, struct incoming *in)
{
	const struct message *m = &in->message;
	const struct method *method = method_find(m->method);

	in->method = m->method;
	if (m->kind == MESSAGE_NOTIFICATION && strcmp(m->method, "notifications/progress") == 0)
		inspect_progress(s, in);
	if (!method) {
		if (m->kind == MESSAGE_REQUEST)
			add_flaw(in, "MCP has no such method");
		return;
	}
	if (is_notification(m->method) != (m->kind == MESSAGE_NOTIFICATION))
		add_flaw(in, m->id ? "a notification with an id" : "a request without an id");
	if (!(method->from & FROM_SERVER))
		add_flaw(in, "only a client may send %s", method->name);
	if (s->era && !(method->eras & (s->era->modern ? ERAS_MODERN : ERAS_LEGACY)))
		add_flaw(in, "%s does not exist in this protocol version", method->name);
	const char *flaw = subscription_flaw(s, m, &in->stray);
	if (flaw)
		add_flaw(in, "%s", flaw);
}

static void
announce(struct session *s, struct incoming *in, size_t dropped)
{
	struct buf id = BUF_INIT;

	if (in->message.id)
		json_print(&id, in->message.id);
	struct session_line event = {
		.direction = WIRE_RECEIVED,
		.bytes = in->bytes,
		.kind = in->message.kind,
		.method = in->method,
		.id = id.len > 0 ? buf_text(&id) : NULL,
		.request = in->request,
		.dropped = dropped,
		.flaw = in->flaw[0] ? in->flaw : NULL,
		.doc = in->doc,
	};
	s->events.on_line(s->user, &event);
	buf_finish(&id);
}

static void
act(struct session *s, struct incoming *in)
{
	struct request *r = requests_find_message(&s->requests, in->id);

	if (s->info.state == SESSION_CLOSED || in->stray)
		return;
	if (in->message.kind == MESSAGE_REQUEST || in->message.kind == MESSAGE_NOTIFICATION) {
		const struct method *method = method_find(in->message.method);
		message_fn *handle = method ? method->on_message : NULL;
		if (in->message.kind == MESSAGE_REQUEST) {
			if (s->era && s->era->modern)
				handle = server_request_out_of_place;
			else if (!handle || is_notification(in->message.method))
				handle = server_request_unknown;
			handle(s, &in->message);
		} else if (handle && is_notification(in->message.method)) {
			handle(s, &in->message);
		} else {
			s->events.on_notification(s->user, in->message.method, in->message.params);
		}
	} else if (r && r->internal) {
		internal_request_on_answer(s, r, in);
	} else if (r) {
		request_on_answer(s, in);
	}
}

/* A report of a time-out mentions these lines: one of them may be the missing answer. */
static void
count_unreadable(struct session *s, const struct incoming *in)
{
	char text[sizeof(s->info.unreadable.first)];

	if (s->info.unreadable.count++ > 0)
		return;
	size_t len = in->bytes->len < sizeof(text) ? in->bytes->len : sizeof(text);
	snprintf(text, sizeof(text), "%.*s", (int)len, in->bytes->data);
	text_to_line(s->info.unreadable.first, sizeof(s->info.unreadable.first), text);
}

static void take_batch(struct session *s, const cJSON *batch);

static void
take_line(struct session *s, struct raw_message *line, bool may_be_batch)
{
	struct incoming in = {
		.bytes = line->bytes, .doc = line->doc, .message.kind = MESSAGE_NOT_JSON
	};

	line->doc = NULL;
	if (in.doc) {
		message_classify(json_root(in.doc), &in.message);
		if (line->had_mark)
			add_flaw(
			    &in, "the line began with a byte order mark, which JSON must not have");
		const struct message *m = &in.message;
		if (m->flaw)
			add_flaw(&in, "%s", m->flaw);
		if (m->kind == MESSAGE_REQUEST || m->kind == MESSAGE_NOTIFICATION)
			inspect_call(s, &in);
		else if (m->kind == MESSAGE_RESULT || m->kind == MESSAGE_ERROR || m->id)
			inspect_answer(s, &in);
		else if (m->kind == MESSAGE_BATCH && strcmp(s->protocol, "2025-03-26") != 0)
			add_flaw(&in, "only 2025-03-26 has batches");
		if (json_flaws(in.doc)->count > 0) {
			const struct json_flaw *flaw = &json_flaws(in.doc)->items[0];
			add_flaw(&in, "%s (byte %zu)", json_flaw_text(flaw->kind), flaw->offset);
		}
	} else {
		add_flaw(&in, "%s", line->flaw);
		/* An unreadable response ends the owner's request: the server will not send
		 * another. */
		const struct request *r = requests_find_message(&s->requests, line->response_to);
		if (r && !r->internal)
			match_open(&in, r);
	}
	announce(s, &in, line->dropped);
	if (!in.doc || in.message.kind == MESSAGE_INVALID)
		count_unreadable(s, &in);
	if (!in.doc && in.id) {
		char text[sizeof(in.flaw) + 20];
		if (line->dropped > 0)
			snprintf(text, sizeof(text), "the answer is too long: %zu bytes",
			    in.bytes->len + line->dropped);
		else
			snprintf(text, sizeof(text), "the answer is %s", in.flaw);
		request_end(s, in.request, REQUEST_ANSWERED, REPLY_INVALID, &in, text);
	} else if (!in.doc) {
		/* A server that waits for a response must get one. */
		char error[sizeof(line->flaw) + 20];
		snprintf(error, sizeof(error), "Parse error: %s", line->flaw);
		if (line->request_id[0] && s->era && !s->era->modern &&
		    s->info.state == SESSION_READY)
			outgoing_refusal(s, NULL, line->request_id, ERROR_PARSE, error);
	} else if (in.message.kind != MESSAGE_BATCH) {
		act(s, &in);
	} else if (may_be_batch) {
		take_batch(s, json_root(in.doc));
	}
	json_doc_destroy(in.doc);
}

/* Each message of a batch is handled as if it came alone, so that replies can own their bytes. */
static void
take_batch(struct session *s, const cJSON *batch)
{
	for (const cJSON *element = json_first(batch); element; element = element->next) {
		struct buf text = BUF_INIT;
		struct raw_message line;
		json_print(&text, element);
		raw_message_init(&line, (struct frame_line){ .bytes = blob_take_buf(&text) });
		raw_message_read(&line, NULL);
		take_line(s, &line, false);
		raw_message_finish(&line);
	}
}

/* The request of another client that was carried by this. */
static uint64_t
stream_of_watched(const struct requests *t, uint64_t stream)
{
	for (size_t i = t->len; stream && i-- > 0;)
		if (t->items[i]->watched_stream == stream)
			return t->items[i]->rpc_id;
	return 0;
}

void
session_on_raw_message(struct session *s, struct raw_message *line, int64_t now_ms)
{
	s->now_ms = now_ms;
	s->stream = s->onlooker ? stream_of_watched(&s->requests, line->stream) : line->stream;
	s->in_session = line->in_session;
	take_line(s, line, true);
	raw_message_finish(line);
}

void
incoming_progress(struct session *s, const struct message *m)
{
	struct request *r = find_request(s, json_get(m->params, "progressToken"), true);

	if (!r || r->internal)
		return;
	const cJSON *value = json_get(m->params, "progress"), *total = json_get(m->params, "total");
	struct session_progress event = {
		.value = cJSON_IsNumber(value) ? value : NULL,
		.total = cJSON_IsNumber(total) ? total : NULL,
		.message = json_get_string(m->params, "message"),
	};
	request_restart(r, s->now_ms, s->timeout_ms);
	if (event.value) {
		r->has_progress = true;
		r->progress = value->valuedouble;
	}
	s->events.on_progress(s->user, r->id, &event);
}

/* Since 2026-07-28 a server cancels only subscriptions; before, only its own requests. */
void
incoming_cancelled(struct session *s, const struct message *m)
{
	if (!subscription_on_cancelled(s, m) && !server_request_cancelled(s, m))
		s->events.on_notification(s->user, m->method, m->params);
}
