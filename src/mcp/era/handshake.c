/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "era.h"
#include "mcp/request/request.h"
#include "mcp/server_request/server_request.h"

#include <stdio.h>
#include <string.h>

/* Negotiates the era: see mcp/session.h. */

static void
open_era(struct session *s, const struct era *era, bool with_envelope)
{
	struct buf members = BUF_INIT;
	struct json_writer w;

	s->era = era;
	s->info.modern = era->modern;
	s->info.state = SESSION_OPENING;
	json_write_init(&w, &members);
	era->write_handshake(s, &w);
	request_open(s, &(struct request_args){
			    .method = era->handshake,
			    .members = buf_text(&members),
			    .len = members.len,
			    .with_envelope = with_envelope,
			    .internal = true,
			});
	buf_finish(&members);
}

struct request *
handshake_request(const struct session *s)
{
	return s->era ? requests_find_internal(&s->requests, s->era->handshake) : NULL;
}

static void
open_modern(struct session *s)
{
	s->tried_modern = true;
	open_era(s, &era_modern, false);
}

/* Over HTTP one message does not have to serve both eras. */
static void
open_legacy(struct session *s)
{
	bool with_envelope = s->wanted_era == ERA_AUTO && s->transport == TRANSPORT_STDIO &&
			     !s->tried_legacy && !s->tried_modern;

	s->tried_legacy = true;
	open_era(s, &era_legacy, with_envelope);
}

void
handshake_start(struct session *s)
{
	bool modern_first = s->wanted_era == ERA_AUTO && s->transport == TRANSPORT_HTTP;

	if (s->wanted_era == ERA_MODERN || modern_first)
		open_modern(s);
	else
		open_legacy(s);
	s->events.on_state(s->user);
}

/* The text of an earlier attempt comes first; a repeated reason is given once. */
static void
add_failure(struct session *s, const char *method, const char *why)
{
	char before[SESSION_TEXT_MAX];
	size_t method_len = strcspn(s->failure, ":");
	const char *old = s->failure + method_len;

	memcpy(before, s->failure, sizeof(before));
	if (!before[0])
		snprintf(s->failure, sizeof(s->failure), "%s: %s", method, why);
	else if (strncmp(old, ": ", 2) == 0 && strcmp(old + 2, why) == 0)
		snprintf(s->failure, sizeof(s->failure), "%.*s and %s: %.300s", (int)method_len,
		    before, method, why);
	else
		snprintf(s->failure, sizeof(s->failure), "%.300s; %s: %s", before, method, why);
}

static void
fail(struct session *s)
{
	s->info.state = SESSION_FAILED;
	s->events.on_state(s->user);
	request_end_all(
	    s, REPLY_TRANSPORT_ERROR, "the session was lost, and no new one could be opened");
}

/* A label of the server's Implementation. */
static const char *
label_of(struct session *s, const char *key)
{
	const char *label = json_label(s->init_message, json_get_string(s->info.server_info, key));

	return label ? label : "";
}

static void
succeed(struct session *s, struct incoming *in)
{
	const cJSON *result = in->message.result;
	const char *instructions = json_get_string(result, "instructions");
	struct session_info *info = &s->info;

	json_doc_destroy(s->init_message);
	s->init_message = in->doc;
	in->doc = NULL;
	s->era->read_init_result(s, result);
	info->server_name = label_of(s, "name");
	info->server_title = label_of(s, "title");
	info->server_version = label_of(s, "version");
	info->server_capabilities = json_get(result, "capabilities");
	info->instructions = instructions ? instructions : "";
	info->init_result = result;
	info->wants_sse = false;
	s->failure[0] = '\0';
	s->info.state = SESSION_READY;
	if (!s->era->modern)
		outgoing_notification(s, "notifications/initialized");
	internal_request_on_ready(s);
	s->events.on_state(s->user);
	retry_forgotten(s);
}

/* Finds the versions that both sides support. */
static void
find_common(const cJSON *supported, bool *modern, const char **legacy)
{
	*modern = false;
	*legacy = NULL;
	for (const cJSON *v = json_first(supported); v; v = v->next) {
		const char *version = cJSON_GetStringValue(v);
		if (version && strcmp(version, MODERN_VERSION) == 0)
			*modern = true;
		const char *known = era_legacy_version(version);
		if (known && (!*legacy || strcmp(known, *legacy) > 0))
			*legacy = known;
	}
}

/* Only a server of 2026-07-28 or later sends these errors. */
static bool
is_modern_error(const cJSON *error)
{
	const cJSON *code = json_get(error, "code");

	return cJSON_IsNumber(code) && code->valuedouble <= ERROR_HEADER_MISMATCH &&
	       code->valuedouble >= ERROR_UNSUPPORTED_VERSION;
}

/* Tries the other era; false if both were tried. */
static bool
try_other_era(struct session *s)
{
	if (s->wanted_era != ERA_AUTO || (s->tried_modern && s->tried_legacy))
		return false;
	if (s->tried_modern)
		open_legacy(s);
	else
		open_modern(s);
	return true;
}

static void
open_legacy_version(struct session *s, const char *version)
{
	s->version_retried = true;
	snprintf(s->requested_version, sizeof(s->requested_version), "%s", version);
	open_legacy(s);
}

/* Tries another way to open the session after an error. False: no way is left. */
static bool
try_again(struct session *s, const cJSON *error)
{
	const char *common_legacy;
	bool common_modern;

	find_common(json_get(json_get(error, "data"), "supported"), &common_modern, &common_legacy);
	if (!s->version_retried && common_modern && s->era->modern) {
		s->version_retried = true;
		open_modern(s);
		return true;
	}
	if (!s->version_retried && common_legacy && !common_modern && s->wanted_era != ERA_MODERN) {
		open_legacy_version(s, common_legacy);
		return true;
	}
	if (s->info.speaks_both && !s->era->modern && s->wanted_era == ERA_AUTO) {
		open_modern(s); /* server/discover promised it; the other era is not tried again */
		return true;
	}
	return !(s->era->modern && is_modern_error(error)) && try_other_era(s);
}

/* Finds a client capability that the server declares as its own because its code sends such
 * requests (mcp-go does). 2026-07-28 has no server requests. */
static const char *
find_requested_capability(const struct session *s, const cJSON *capabilities)
{
	const struct session_capabilities *can = &s->can;

	if (can->sampling && json_get(capabilities, "sampling"))
		return "sampling";
	if ((can->elicitation_form || can->elicitation_url) &&
	    json_get(capabilities, "elicitation"))
		return "elicitation";
	return can->roots && json_get(capabilities, "roots") ? "roots" : NULL;
}

/* Some servers answer server/discover but need initialize: they list only legacy versions (the Go
 * SDK with sessions over HTTP), or they send requests. */
static bool
is_discovered_legacy(struct session *s, const cJSON *result)
{
	const char *common_legacy, *capability = NULL;
	bool common_modern;

	if (!s->era->modern)
		return false;
	find_common(json_get(result, "supportedVersions"), &common_modern, &common_legacy);
	s->info.speaks_both = common_modern && common_legacy;
	if (!common_legacy || s->version_retried || s->wanted_era != ERA_AUTO)
		return false;
	if (common_modern)
		capability = find_requested_capability(s, json_get(result, "capabilities"));
	if (common_modern && !capability)
		return false;
	if (capability)
		session_note(s, 0,
		    "the server sends %s requests, which need the legacy era: initialize, %s",
		    capability, common_legacy);
	s->needs_session = capability && s->transport == TRANSPORT_HTTP;
	open_legacy_version(s, common_legacy);
	return true;
}

/* Over HTTP a server without a session cannot tell whom to send a request, so the legacy era has no
 * advantage. */
static bool
opened_no_session(struct session *s)
{
	if (!s->needs_session || s->in_session || s->era->modern)
		return false;
	s->needs_session = false;
	s->info.lacks_session = true;
	session_note(s, 0,
	    "initialize opened no session, without which the server cannot send requests: "
	    "back to " MODERN_VERSION);
	open_modern(s);
	return true;
}

void
handshake_on_answer(struct session *s, struct request *r, struct incoming *in)
{
	const struct message *m = &in->message;
	char text[160];

	requests_end(&s->requests, r, REQUEST_ANSWERED);
	if (m->kind == MESSAGE_RESULT) {
		if (s->onlooker || (!is_discovered_legacy(s, m->result) && !opened_no_session(s)))
			succeed(s, in);
		return;
	}
	text_of_error(m, text, sizeof(text));
	add_failure(s, s->era->handshake, text);
	if (!s->onlooker && !try_again(s, m->error))
		fail(s);
}

/* The request stays open: a slow server may still answer, and a late answer still counts. */
void
handshake_on_timeout(struct session *s, struct request *r)
{
	char text[200];

	r->deadline_ms = r->limit_ms = INT64_MAX;
	request_describe_timeout(s, r, text, sizeof(text));
	add_failure(s, s->era->handshake, text);
	fail(s);
}

void
handshake_on_closed(struct session *s)
{
	add_failure(s, s->era->handshake, "the server closed the connection");
}

/* Statuses of a server that does not know the method, in contrast to a failing server. */
static bool
is_unknown_to_server(const struct transport_error *error)
{
	static const int statuses[] = { 400, 404, 405, 406, 415, 422, 500, 501 };

	if (error->kind != TRANSPORT_STATUS)
		return error->kind == TRANSPORT_BROKEN;
	if (error->status >= 200 && error->status < 300) /* accepted, but not answered */
		return true;
	for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
		if (statuses[i] == error->status)
			return true;
	return false;
}

void
handshake_on_transport_error(
    struct session *s, struct request *r, const struct transport_error *error)
{
	char text[SESSION_TEXT_MAX];

	requests_end(&s->requests, r, REQUEST_BROKEN);
	transport_error_describe(error, text, sizeof(text));
	add_failure(s, s->era->handshake, text);
	if (s->era->modern && is_unknown_to_server(error) && try_other_era(s))
		return;
	if (is_unknown_to_server(error) && opened_no_session(s))
		return;
	/* 2026-07-28/basic/transports/streamable-http, "HTTP+SSE Transport (2024-11-05)". */
	s->info.wants_sse =
	    !s->era->modern && !s->renewals &&
	    (error->kind == TRANSPORT_STATUS &&
		(error->status == 400 || error->status == 404 || error->status == 405));
	fail(s);
}

void
handshake_renew(struct session *s)
{
	s->protocol[0] = '\0';
	s->info.state = SESSION_OPENING;
	server_request_drop_all(s, 0, "the server forgot the session");
	open_era(s, &era_legacy, false);
	s->events.on_state(s->user);
}

void
handshake_give_up(struct session *s, const char *why)
{
	snprintf(s->failure, sizeof(s->failure), "%s", why);
	fail(s);
}
