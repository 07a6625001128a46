/* SPDX-License-Identifier: MIT */
#include "mcp/session.h"

#include "base/mem.h"
#include "json/print.h"
#include "mcp/era/era.h"
#include "mcp/request/request.h"
#include "mcp/server_request/server_request.h"

#include <stdlib.h>
#include <string.h>

/*
 * A session that watches another client. Its requests are in the table like ours, under our ids, so
 * that messages of the server are handled as usual. Nothing is sent, and nothing times out.
 */

/* Bounds requests that were never answered; the oldest are dropped. */
#define WATCHED_MOST 512

static char *
text_of(const cJSON *node)
{
	struct buf text = BUF_INIT;

	if (!node)
		return NULL;
	json_print(&text, node);
	return buf_detach(&text);
}

/* Return the era that this method opens; NULL: not a handshake. */
static const struct era *
era_of_handshake(const struct session *s, const char *method)
{
	if (strcmp(method, era_legacy.handshake) == 0)
		return &era_legacy;
	if (strcmp(method, era_modern.handshake) == 0 && s->info.state != SESSION_READY)
		return &era_modern;
	return NULL;
}

/* The recording may begin anywhere. */
static void
assume_era(struct session *s, const struct message *m)
{
	const struct era *era = era_of_handshake(s, m->method);
	bool modern = json_get(json_get(m->params, "_meta"), META_VERSION) != NULL;

	if (era) {
		s->era = era;
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
	r->watched_id = text_of(m->id);
	r->watched_stream = stream;
	r->watched_token = text_of(json_get(json_get(m->params, "_meta"), "progressToken"));
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
	char *id = text_of(m.id);
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
	internal_request_init(s, options->ping_ms);
	capabilities_copy(s, &options->can);
	return s;
}

void
session_destroy(struct session *s)
{
	if (!s)
		return;
	internal_request_finish(s);
	requests_finish(&s->requests);
	server_request_finish(s);
	capabilities_finish(s);
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
session_start(struct session *s, int64_t now_ms)
{
	s->now_ms = now_ms;
	if (s->info.state == SESSION_NEW && !s->onlooker)
		handshake_start(s);
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
session_on_transport_error(struct session *s, const struct transport_error *error, int64_t now_ms)
{
	s->now_ms = now_ms;
	transport_error_take(s, error);
}

void
session_on_closed(struct session *s, int64_t now_ms)
{
	s->now_ms = now_ms;
	if (s->info.state == SESSION_CLOSED)
		return;
	if (s->info.state == SESSION_OPENING)
		handshake_on_closed(s);
	s->info.state = SESSION_CLOSED;
	s->info.wants_sse = false;
	internal_request_close(s);
	request_end_all(s, REPLY_CLOSED, "the server closed the connection");
	s->events.on_state(s->user);
}

void
session_extend_deadlines(struct session *s, int64_t ms)
{
	requests_extend_deadlines(&s->requests, ms);
}

int64_t
session_next_time(const struct session *s)
{
	int64_t internal = internal_request_next_time(s);
	int64_t expiry = requests_next_time(&s->requests);

	if (s->onlooker)
		return INT64_MAX;
	return internal < expiry ? internal : expiry;
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
