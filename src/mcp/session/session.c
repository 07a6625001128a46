#include "mcp/session.h"

#include "base/mem.h"
#include "mcp/era/era.h"
#include "mcp/request/request.h"
#include "mcp/server_request/server_request.h"

#include <stdlib.h>
#include <string.h>

static void
choose_version(struct session *s, const char *version)
{
	bool modern = version && strcmp(version, MODERN_VERSION) == 0;

	text_to_line(s->requested_version, sizeof(s->requested_version),
	    version && !modern ? version : LEGACY_VERSION);
	if (version && s->wanted_era == ERA_AUTO)
		s->wanted_era = modern ? ERA_MODERN : ERA_LEGACY;
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
	choose_version(s, options->version);
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
