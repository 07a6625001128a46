#include "mcp/session.h"

#include "base/mem.h"
#include "mcp/era/era.h"
#include "mcp/request/request.h"
#include "mcp/server_request/server_request.h"

#include <stdlib.h>
#include <string.h>

static const char *const era_names[ERA_COUNT] = {
	[ERA_AUTO] = "auto",
	[ERA_MODERN] = "modern",
	[ERA_LEGACY] = "legacy",
};

const char *
session_era_name(enum session_era era)
{
	return era_names[era];
}

enum session_era
session_era_find(const char *name)
{
	int era = 0;

	while (era < ERA_COUNT && strcmp(era_names[era], name) != 0)
		era++;
	return (enum session_era)era;
}

static void
choose_version(struct session *s, const char *version)
{
	bool modern = version && strcmp(version, MODERN_VERSION) == 0;

	text_to_line(s->asked_version, sizeof(s->asked_version),
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
	};
	s->events = *events;
	s->user = user;
	s->wanted_era = options->era;
	s->client_name = mem_strdup(name ? name : "mcpane");
	s->client_version = mem_strdup(version ? version : "0");
	session_set_timeouts(s, options->timeout_ms, options->max_timeout_ms);
	s->transport = options->transport;
	choose_version(s, options->version);
	inner_init(s, options->ping_ms);
	capabilities_copy(&s->can, &options->can);
	return s;
}

void
session_destroy(struct session *s)
{
	if (!s)
		return;
	sent_finish(s);
	inner_finish(s);
	pending_finish(&s->pending);
	questions_finish(s);
	capabilities_finish(&s->can);
	json_doc_destroy(s->init_message);
	free(s->client_name);
	free(s->client_version);
	free(s);
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
	if (s->info.state == SESSION_NEW)
		handshake_start(s);
}

void
session_on_line(struct session *s, struct blob *line, size_t dropped, int64_t now_ms)
{
	struct wire_line read;

	wire_line_init(&read, line, dropped);
	wire_line_read(&read, NULL);
	session_on_wire_line(s, &read, now_ms);
}

void
session_on_wire_line(struct session *s, struct wire_line *line, int64_t now_ms)
{
	s->now_ms = now_ms;
	incoming_line(s, line);
	wire_line_finish(line);
}

void
session_on_lost(struct session *s, const struct lost *lost, int64_t now_ms)
{
	s->now_ms = now_ms;
	lost_take(s, lost);
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
	requests_close(s);
	s->events.on_state(s->user);
}

void
session_excuse(struct session *s, int64_t ms)
{
	pending_excuse(&s->pending, ms);
}

int64_t
session_next_time(const struct session *s)
{
	int64_t inner = inner_next_time(s), pending = pending_next_time(&s->pending);

	return inner < pending ? inner : pending;
}

void
session_on_time(struct session *s, int64_t now_ms)
{
	struct pending_request *r;

	s->now_ms = now_ms;
	while ((r = pending_expired(&s->pending, now_ms)))
		requests_time_out(s, r->id);
	inner_on_time(s);
}

const struct session_info *
session_info(const struct session *s)
{
	return &s->info;
}

size_t
session_open_requests(const struct session *s)
{
	size_t open = sent_waiting(s);

	for (size_t i = 0; i < s->pending.len; i++)
		open += s->pending.items[i].kind == REQUEST_OWNERS;
	return open;
}
