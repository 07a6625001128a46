/* SPDX-License-Identifier: MIT */
#include "mcp/session/internals.h"

#include "base/mem.h"
#include "json/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A session that watches another client. Its requests are in the table like ours, under our ids, so
 * that messages of the server are handled as usual. Nothing is sent, and nothing times out.
 */

/* Bounds requests that were never answered; the oldest are dropped. */
#define WATCHED_MOST 512

/* The recording may begin anywhere. */
static void
assume_era(struct session *s, const struct message *m)
{
	bool modern = json_get(json_get(m->params, "_meta"), META_VERSION) != NULL;
	bool discovers = strcmp(m->method, era_modern.handshake) == 0;

	if (strcmp(m->method, era_legacy.handshake) == 0 ||
	    (discovers && s->info.state != SESSION_READY)) {
		s->era = discovers ? &era_modern : &era_legacy;
		s->info.state = SESSION_OPENING;
	} else if (s->info.state == SESSION_NEW || (modern && s->info.state != SESSION_READY)) {
		s->era = modern ? &era_modern : &era_legacy;
		s->info.state = SESSION_READY;
		text_to_line(s->protocol, sizeof(s->protocol), modern ? MODERN_VERSION : "unknown");
	} else {
		return;
	}
	s->info.modern = s->era->modern;
	s->events.on_state(s->user);
}

static struct request *
add_watched(struct session *s, const struct message *m, uint64_t stream)
{
	struct requests *t = &s->requests;
	bool shakes;

	assume_era(s, m);
	shakes = s->info.state == SESSION_OPENING && strcmp(m->method, s->era->handshake) == 0;
	if (shakes && handshake_request(s))
		requests_end(t, handshake_request(s), REQUEST_BROKEN);
	if (t->len >= WATCHED_MOST && !t->items[0]->internal)
		request_end(s, t->items[0]->id, REQUEST_BROKEN, REPLY_CLOSED, NULL,
		    "it was never answered");
	struct request *r = requests_add(t, m->method);
	r->internal = shakes;
	r->watched_id = json_text(m->id);
	r->watched_stream = stream;
	r->watched_token = json_text(json_get(json_get(m->params, "_meta"), "progressToken"));
	requests_send(t, r, INT64_MAX, INT64_MAX);
	return r;
}

void
session_on_sent(struct session *s, struct raw_message *line, int64_t now_ms)
{
	struct message m = { .kind = MESSAGE_NOT_JSON };
	const struct request *r = NULL;

	s->now_ms = now_ms;
	if (line->doc)
		message_classify(json_root(line->doc), &m);
	if (m.kind == MESSAGE_REQUEST)
		r = add_watched(s, &m, line->stream);
	char *id = json_text(m.id);
	struct session_line event = {
		.direction = WIRE_SENT,
		.bytes = line->bytes,
		.kind = m.kind,
		.method = m.method,
		.id = id,
		.request = r ? r->id : 0,
		.dropped = line->dropped,
		.flaw = line->doc ? m.flaw : line->flaw,
		.doc = line->doc,
	};
	s->events.on_line(s->user, &event);
	free(id);
	if (r && !r->internal) {
		s->events.on_watched(s->user, r->id, &m);
	} else if (m.kind == MESSAGE_RESULT || m.kind == MESSAGE_ERROR) {
		server_request_watch_answer(s, &m);
	} else if (m.kind == MESSAGE_NOTIFICATION &&
		   strcmp(m.method, "notifications/cancelled") == 0) {
		const struct request *watched = requests_find_watched(
		    &s->requests, (json_get(m.params, "requestId")), false, 0);
		if (watched && !watched->internal)
			request_end(
			    s, watched->id, REQUEST_CANCELLED, REPLY_CANCELLED, NULL, "cancelled");
	}
	raw_message_finish(line);
}

static void
copy_capabilities(struct session *s, const struct session_capabilities *from)
{
	size_t count = from->extension_count;

	s->can = *from;
	s->can.extensions = s->extensions = mem_zalloc((count + 1) * sizeof(*s->extensions));
	for (size_t i = 0; i < count; i++) {
		const struct session_extension *e = &from->extensions[i];
		strings_add(&s->extension_texts, e->id);
		s->extensions[i].id = s->extension_texts.items[s->extension_texts.len - 1];
		if (!e->settings)
			continue;
		strings_add(&s->extension_texts, e->settings);
		s->extensions[i].settings = s->extension_texts.items[s->extension_texts.len - 1];
	}
}

struct session *
session_create(
    const struct session_options *options, const struct session_events *events, void *user)
{
	struct session *s = mem_zalloc(sizeof(*s));
	const char *name = options->client_name, *version = options->client_version;

	s->info = (struct session_info){
		.failure = s->failure,
		.protocol = s->protocol,
		.server_name = "",
		.server_title = "",
		.server_version = "",
		.instructions = "",
		.client_capabilities = &s->can,
		.traceparent = s->traceparent,
	};
	s->events = *events;
	s->user = user;
	s->wanted_era = options->era;
	s->client_name = mem_strdup(name ? name : "mcpane");
	s->client_version = mem_strdup(version ? version : "0");
	session_set_timeouts(s, options->timeout_ms, options->max_timeout_ms);
	s->transport = options->transport;
	s->onlooker = options->onlooker;
	bool modern = options->version && strcmp(options->version, MODERN_VERSION) == 0;
	text_to_line(s->requested_version, sizeof(s->requested_version),
	    options->version && !modern ? options->version : LEGACY_VERSION);
	if (options->version && s->wanted_era == ERA_AUTO)
		s->wanted_era = modern ? ERA_MODERN : ERA_LEGACY;
	s->internal.listen_due_ms = s->internal.ping_due_ms = INT64_MAX;
	s->internal.ping_every_ms = options->ping_ms;
	copy_capabilities(s, &options->can);
	return s;
}

void
session_destroy(struct session *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->internal.watches.len; i++)
		free(s->internal.watches.items[i].key);
	free(s->internal.watches.items);
	requests_finish(&s->requests);
	server_request_finish(s);
	free(s->extensions);
	strings_finish(&s->extension_texts);
	buf_finish(&s->meta.members);
	json_doc_destroy(s->init_message);
	free(s->client_name);
	free(s->client_version);
	free(s);
}

void
session_set_meta(struct session *s, const char *members, size_t len, const uint8_t *seed)
{
	buf_clear(&s->meta.members);
	buf_add(&s->meta.members, members, len);
	s->meta.has_trace = seed != NULL;
	if (seed)
		memcpy(s->meta.seed, seed, sizeof(s->meta.seed));
}

void
session_set_timeouts(struct session *s, int64_t timeout_ms, int64_t max_timeout_ms)
{
	s->timeout_ms = timeout_ms > 0 ? timeout_ms : 60 * 1000;
	s->max_timeout_ms = max_timeout_ms > 0           ? max_timeout_ms
			    : s->timeout_ms > 600 * 1000 ? s->timeout_ms
							 : 600 * 1000;
}

void
session_on_line(struct session *s, struct blob *line, size_t dropped, int64_t now_ms)
{
	struct raw_message read;

	raw_message_init(&read, (struct frame_line){ .bytes = line, .dropped = dropped });
	raw_message_read(&read, NULL);
	session_on_raw_message(s, &read, now_ms);
}

void
session_on_closed(struct session *s, int64_t now_ms)
{
	s->now_ms = now_ms;
	if (s->info.state == SESSION_CLOSED)
		return;
	internal_request_close(s);
	s->info.state = SESSION_CLOSED;
	s->info.wants_sse = false;
	request_end_all(s, REPLY_CLOSED, "the server closed the connection");
	s->events.on_state(s->user);
}

void
session_extend_deadlines(struct session *s, int64_t ms)
{
	for (size_t i = 0; i < s->requests.len; i++) {
		struct request *r = s->requests.items[i];
		r->deadline_ms = time_add(r->deadline_ms, ms);
		r->limit_ms = time_add(r->limit_ms, ms);
	}
}

int64_t
session_next_time(const struct session *s)
{
	int64_t listen = s->internal.listen_due_ms, ping = s->internal.ping_due_ms;
	int64_t next = INT64_MAX;

	if (s->onlooker)
		return INT64_MAX;
	if (s->info.state == SESSION_READY)
		next = listen < ping ? listen : ping;
	for (size_t i = 0; i < s->requests.len; i++)
		if (s->requests.items[i]->deadline_ms < next)
			next = s->requests.items[i]->deadline_ms;
	return next;
}

void
session_on_time(struct session *s, int64_t now_ms)
{
	struct request *r;

	s->now_ms = now_ms;
	if (s->onlooker)
		return;
	while ((r = requests_expired(&s->requests, now_ms)))
		request_time_out(s, r);
	internal_request_on_time(s);
}

const struct session_info *
session_info(const struct session *s)
{
	return &s->info;
}

const cJSON *
session_extension(const struct session *s, const char *id)
{
	return json_get(json_get(s->info.server_capabilities, "extensions"), id);
}

size_t
session_open_requests(const struct session *s)
{
	size_t open = 0;

	for (size_t i = 0; i < s->requests.len; i++)
		open += !s->requests.items[i]->internal;
	return open;
}

/* ---- incoming messages ---- */

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

static struct request *
find_request(const struct session *s, const cJSON *id, bool by_token)
{
	return s->onlooker ? requests_find_watched(&s->requests, id, by_token, s->stream)
			   : requests_find_message(&s->requests, read_request_id(id));
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

static void
inspect_answer(struct session *s, struct incoming *in)
{
	const struct message *m = &in->message;
	const struct request *r = find_request(s, m->id, false);
	bool without_id = !m->id || cJSON_IsNull(m->id);
	struct request_by_hand *h = requests_find_by_hand(&s->requests, m->id);

	/* The answer to a request that the user wrote. One of ours may have the same id, if the
	 * user wanted that; then the stream of the answer decides. */
	if (h && (!r || s->stream == h->number)) {
		in->method = h->method;
		in->request = h->number;
		if (h->answered)
			add_flaw(in, "a second answer to this request");
		h->answered = true;
		return;
	}
	if (without_id && m->kind == MESSAGE_ERROR) /* while it is open, nothing else is */
		r = handshake_request(s);
	if (r) {
		in->id = r->rpc_id;
		in->request = r->id;
		in->method = r->method;
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
		explain_ended(s, in, read_request_id(m->id));
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
	const cJSON *value = json_get(in->message.params, "progress");
	const struct request *r = find_request(s, token, true);

	const struct request_by_hand *h = requests_find_by_hand(&s->requests, token);
	if (!r && h && !h->answered)
		return;
	if (!r) {
		const struct ended_message *ended =
		    s->onlooker ? NULL : requests_find_ended(&s->requests, read_request_id(token));
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
	char *id = json_text(in->message.id);
	struct session_line event = {
		.direction = WIRE_RECEIVED,
		.bytes = in->bytes,
		.kind = in->message.kind,
		.method = in->method,
		.id = id,
		.request = in->request,
		.dropped = dropped,
		.flaw = in->flaw[0] ? in->flaw : NULL,
		.doc = in->doc,
	};
	s->events.on_line(s->user, &event);
	free(id);
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
		if (r && !r->internal) {
			in.id = r->rpc_id;
			in.request = r->id;
			in.method = r->method;
		}
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

void
session_on_raw_message(struct session *s, struct raw_message *line, int64_t now_ms)
{
	const struct requests *t = &s->requests;

	s->now_ms = now_ms;
	s->stream = s->onlooker ? 0 : line->stream;
	/* An onlooker's stream is the request of the other client that was carried by it. */
	for (size_t i = t->len; s->onlooker && line->stream && !s->stream && i-- > 0;)
		if (t->items[i]->watched_stream == line->stream)
			s->stream = t->items[i]->rpc_id;
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

/* ---- texts ---- */

void
session_note(struct session *s, uint64_t request, const char *format, ...)
{
	char text[SESSION_TEXT_MAX], line[SESSION_TEXT_MAX];

	if (!s->events.on_note)
		return;
	FORMAT_INTO(text, format);
	text_to_line(line, sizeof(line), text);
	s->events.on_note(s->user, line, request);
}
