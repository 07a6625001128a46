#include "mcp/era/era.h"
#include "mcp/features/features.h"
#include "mcp/logging.h"
#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define META_LOG_LEVEL "io.modelcontextprotocol/logLevel"

const char *const log_level_names[LOG_LEVELS] = {
	[LOG_LEVEL_NONE] = "none",
	[LOG_LEVEL_DEBUG] = "debug",
	[LOG_LEVEL_INFO] = "info",
	[LOG_LEVEL_NOTICE] = "notice",
	[LOG_LEVEL_WARNING] = "warning",
	[LOG_LEVEL_ERROR] = "error",
	[LOG_LEVEL_CRITICAL] = "critical",
	[LOG_LEVEL_ALERT] = "alert",
	[LOG_LEVEL_EMERGENCY] = "emergency",
};

enum log_level
log_level_from_name(const char *name)
{
	for (size_t i = 1; name && i < LOG_LEVELS; i++)
		if (strcmp(log_level_names[i], name) == 0)
			return (enum log_level)i;
	return LOG_LEVEL_NONE;
}

static bool
is_declared(const struct session *s)
{
	return json_get(s->info.server_capabilities, "logging") != NULL;
}

static void
send_level(struct session *s)
{
	char members[40];
	struct request_args args = {
		.method = "logging/setLevel", .members = members, .internal = true
	};

	args.len = (size_t)snprintf(
	    members, sizeof(members), "\"level\":\"%s\"", log_level_names[s->info.log_level]);
	request_open(s, &args);
}

bool
session_set_log_level(struct session *s, enum log_level level, int64_t now_ms)
{
	s->now_ms = now_ms;
	if (s->info.state != SESSION_READY || !is_declared(s))
		return false;
	s->info.log_level = level;
	if (!s->era->modern && level != LOG_LEVEL_NONE)
		send_level(s);
	return true;
}

static void
level_on_ready(struct session *s)
{
	if (s->info.log_level != LOG_LEVEL_NONE && is_declared(s))
		send_level(s);
}

/* The stream of a subscription never carries log messages, so a level has no effect there. */
void
level_write_meta(const struct session *s, struct json_writer *meta, const char *method)
{
	if (s->era->modern && s->info.log_level != LOG_LEVEL_NONE &&
	    strcmp(method, "subscriptions/listen") != 0)
		json_write_member_string(meta, META_LOG_LEVEL, log_level_names[s->info.log_level]);
}

/* Periodic pings if the user wants them (2025-11-25/basic/utilities/ping.mdx). 2026-07-28 has no
 * ping. */

static void
ping_on_time(struct session *s)
{
	s->internal.ping_due_ms = time_add(s->now_ms, s->internal.ping_every_ms);
	if (!requests_find_internal(&s->requests, "ping"))
		request_open(s, &(struct request_args){ .method = "ping", .internal = true });
}

/* ---- all of them ---- */

void
internal_request_init(struct session *s, int64_t ping_every_ms)
{
	s->internal.listen_due_ms = s->internal.ping_due_ms = INT64_MAX;
	s->internal.ping_every_ms = ping_every_ms;
}

void
internal_request_finish(struct session *s)
{
	for (size_t i = 0; i < s->internal.watches.len; i++)
		free(s->internal.watches.items[i].key);
	free(s->internal.watches.items);
	s->internal = (struct internal_requests){ 0 };
}

void
internal_request_on_ready(struct session *s)
{
	s->internal.listen_failures = 0;
	if (s->onlooker)
		return;
	if (s->era->modern) {
		s->internal.listen_due_ms = s->now_ms;
		subscription_on_time(s);
		return;
	}
	level_on_ready(s);
	watch_on_ready(s);
	if (s->internal.ping_every_ms > 0)
		s->internal.ping_due_ms = time_add(s->now_ms, s->internal.ping_every_ms);
}

static void
fail(struct session *s, struct request *r, enum request_state how, const char *why, bool is_passing)
{
	const struct method *method = r->known;
	uint64_t id = r->id;

	requests_end(&s->requests, r, how);
	if (method->on_failure)
		method->on_failure(s, id, why, is_passing);
	else
		session_note(s, 0, "%s: %s", method->name, why);
}

void
internal_request_on_answer(struct session *s, struct request *r, struct incoming *in)
{
	const struct method *method = r->known;
	char text[SESSION_TEXT_MAX];

	if (r == handshake_request(s)) {
		handshake_on_answer(s, r, in);
	} else if (in->message.kind == MESSAGE_RESULT) {
		requests_end(&s->requests, r, REQUEST_ANSWERED);
		if (method->on_result)
			method->on_result(s, in->request);
	} else {
		text_of_error(&in->message, text, sizeof(text));
		fail(s, r, REQUEST_ANSWERED, text, false);
	}
}

void
internal_request_on_timeout(struct session *s, struct request *r)
{
	char text[200];

	if (r == handshake_request(s)) {
		handshake_on_timeout(s, r);
		return;
	}
	request_describe_timeout(s, r, text, sizeof(text));
	outgoing_cancel(s, r, text);
	fail(s, r, REQUEST_TIMED_OUT, text, true);
}

/* Is another attempt likely to succeed later? */
static bool
is_passing(const struct transport_error *error)
{
	return error->kind == TRANSPORT_BROKEN || error->kind == TRANSPORT_UNREACHABLE ||
	       (error->kind == TRANSPORT_STATUS && error->status >= 500);
}

void
internal_request_on_transport_error(
    struct session *s, struct request *r, const struct transport_error *error)
{
	char text[SESSION_TEXT_MAX];

	transport_error_describe(error, text, sizeof(text));
	fail(s, r, REQUEST_BROKEN, text, is_passing(error));
}

void
internal_request_close(struct session *s)
{
	for (size_t i = 0; i < s->requests.len;) {
		struct request *r = s->requests.items[i];
		if (r->internal)
			requests_end(&s->requests, r, REQUEST_CANCELLED);
		else
			i++;
	}
	s->internal.listen = s->internal.listen_old = 0;
	s->internal.listen_due_ms = s->internal.ping_due_ms = INT64_MAX;
}

int64_t
internal_request_next_time(const struct session *s)
{
	int64_t listen = s->internal.listen_due_ms, ping = s->internal.ping_due_ms;

	if (s->info.state != SESSION_READY)
		return INT64_MAX;
	return listen < ping ? listen : ping;
}

void
internal_request_on_time(struct session *s)
{
	if (s->info.state != SESSION_READY)
		return;
	if (s->internal.listen_due_ms <= s->now_ms)
		subscription_on_time(s);
	if (s->internal.ping_due_ms <= s->now_ms)
		ping_on_time(s);
}
