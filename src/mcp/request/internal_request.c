/* SPDX-License-Identifier: MIT */
#include "mcp/session/internals.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The requests that the session sends for itself: the handshake, the subscriptions to
 * notifications, the log level and pings.
 */

#define SUBSCRIBE "resources/subscribe"
#define LISTEN "subscriptions/listen"
/* Bounds the requests and the size of the filter. */
#define WATCHES_MAX 1000
/* Changes of the filter within this time share one new subscription. */
#define GATHER_MS 20

static struct watch *
find_watch(const struct session *s, enum watch_kind kind, const char *key)
{
	for (size_t i = 0; i < s->internal.watches.len; i++) {
		struct watch *w = &s->internal.watches.items[i];
		if (w->kind == kind && strcmp(w->key, key) == 0)
			return w;
	}
	return NULL;
}

bool
session_can_watch(const struct session *s, enum watch_kind kind)
{
	const cJSON *resources = json_get(s->info.server_capabilities, "resources");

	if (s->info.state != SESSION_READY)
		return false;
	if (kind == WATCH_RESOURCE)
		return cJSON_IsTrue(json_get(resources, "subscribe"));
	return s->era->modern && session_extension(s, EXTENSION_TASKS);
}

enum watch_state
session_watch_state(const struct session *s, enum watch_kind kind, const char *key)
{
	const struct watch *w = find_watch(s, kind, key);

	return w ? w->state : WATCH_NONE;
}

static uint64_t
send_subscribe(struct session *s, const char *method, const char *uri)
{
	struct buf members = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &members);
	json_write_member_string(&w, "uri", uri);
	uint64_t id = request_open(s, &(struct request_args){ .method = method,
					  .members = buf_text(&members),
					  .len = members.len,
					  .internal = true });
	buf_finish(&members);
	return id;
}

/* the filter has changed */
static void
subscription_change(struct session *s)
{
	int64_t due = time_add(s->now_ms, GATHER_MS);

	if (due < s->internal.listen_due_ms)
		s->internal.listen_due_ms = due;
}

void
session_watch(struct session *s, enum watch_kind kind, const char *key, bool on, int64_t now_ms)
{
	struct watch *w = find_watch(s, kind, key);

	s->now_ms = now_ms;
	if (!on) {
		if (w) {
			char *old_key = w->key;
			bool is_legacy = !s->era->modern && w->kind == WATCH_RESOURCE;
			VEC_REMOVE(&s->internal.watches, (size_t)(w - s->internal.watches.items));
			if (s->info.state == SESSION_READY && is_legacy)
				send_subscribe(s, "resources/unsubscribe", old_key);
			else if (s->info.state == SESSION_READY)
				subscription_change(s);
			free(old_key);
		}
		return;
	}
	if (!session_can_watch(s, kind) || (!w && s->internal.watches.len == WATCHES_MAX) ||
	    (w && w->state != WATCH_REFUSED))
		return;
	if (!w) {
		w = VEC_PUSH(&s->internal.watches);
		*w = (struct watch){ .kind = kind, .key = mem_strdup(key) };
	}
	w->state = WATCH_ASKED;
	if (s->era->modern) {
		subscription_change(s);
	} else {
		uint64_t id = send_subscribe(s, SUBSCRIBE, key);
		w = find_watch(s, kind, key);
		if (w)
			w->request = id;
	}
}

static struct watch *
find_by_request(const struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->internal.watches.len; i++)
		if (s->internal.watches.items[i].request == request)
			return &s->internal.watches.items[i];
	return NULL;
}

/* In 2026-07-28 notifications need a subscription (basic/patterns/subscriptions.mdx): one internal
 * request that stays open as long as the session and never times out. */

#define META_SUBSCRIPTION "io.modelcontextprotocol/subscriptionId"
/* A subscription that ends is opened again after 1, 2, 4... seconds. One that lasted LASTING_MS
 * resets the delay. */
#define RETRY_MS 1000
#define RETRY_MAX_MS (60 * 1000)
#define RETRIES_MAX 8
#define LASTING_MS (30 * 1000)
#define MAX_RENEWALS 3

/* The booleans of the filter, and the capabilities that declare them. */
static const struct {
	const char *member, *capability, *notification;
} lists[] = {
	{ "toolsListChanged", "tools", "notifications/tools/list_changed" },
	{ "promptsListChanged", "prompts", "notifications/prompts/list_changed" },
	{ "resourcesListChanged", "resources", "notifications/resources/list_changed" },
};
#define LIST_COUNT ARRAY_LEN(lists)

/* The arrays of the filter. */
static const struct {
	const char *member, *notification, *key;
} parts[] = {
	[WATCH_RESOURCE] = { "resourceSubscriptions", "notifications/resources/updated", "uri" },
	[WATCH_TASK] = { "taskIds", "notifications/tasks", "taskId" },
};
#define PART_COUNT ARRAY_LEN(parts)

static bool
wants_list(const struct session *s, size_t list)
{
	return cJSON_IsTrue(
	    json_get(json_get(s->info.server_capabilities, lists[list].capability), "listChanged"));
}

static void
open_subscription(struct session *s)
{
	struct buf members = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &members);
	json_write_member_object(&w, "notifications");
	for (size_t i = 0; i < LIST_COUNT; i++)
		if (wants_list(s, i))
			json_write_member_bool(&w, lists[i].member, true);
	for (size_t kind = 0; kind < PART_COUNT; kind++) {
		bool any = false;
		for (size_t i = 0; i < s->internal.watches.len; i++) {
			struct watch *watch = &s->internal.watches.items[i];
			if (watch->kind != kind)
				continue;
			if (!any)
				json_write_member_array(&w, parts[kind].member);
			any = true;
			json_write_string(&w, watch->key);
			watch->state = WATCH_ASKED;
		}
		if (any)
			json_write_array_end(&w);
	}
	json_write_object_end(&w);
	s->internal.acknowledged = false;
	s->internal.listen_since_ms = s->now_ms;
	s->internal.listen = request_open(s, &(struct request_args){
						 .method = LISTEN,
						 .members = buf_text(&members),
						 .len = members.len,
						 .internal = true,
						 .never_expires = true,
					     });
	buf_finish(&members);
}

static void
close_subscription(struct session *s, uint64_t *id)
{
	struct request *r = *id ? requests_find(&s->requests, *id) : NULL;

	*id = 0;
	if (!r)
		return;
	outgoing_cancel(s, r, NULL);
	requests_end(&s->requests, r, REQUEST_CANCELLED);
}

static void
subscription_on_time(struct session *s)
{
	bool wanted = s->internal.watches.len > 0;

	s->internal.listen_due_ms = INT64_MAX;
	close_subscription(s, &s->internal.listen_old);
	for (size_t i = 0; i < LIST_COUNT; i++)
		wanted |= wants_list(s, i);
	if (!wanted) {
		close_subscription(s, &s->internal.listen);
		return;
	}
	s->internal.listen_old = s->internal.listen;
	open_subscription(s);
}

/* ---- acknowledgment ---- */

/* Compares the granted filter with the requested one. Returns the number of missing parts and the
 * name of one. */
static size_t
settle(struct session *s, const cJSON *granted, const char **missing)
{
	size_t count = 0;

	for (size_t i = 0; i < LIST_COUNT; i++) {
		if (!wants_list(s, i) || cJSON_IsTrue(json_get(granted, lists[i].member)))
			continue;
		*missing = lists[i].member;
		count++;
	}
	for (size_t i = 0; i < s->internal.watches.len; i++) {
		struct watch *w = &s->internal.watches.items[i];
		const cJSON *key = json_first(json_get(granted, parts[w->kind].member));
		while (key && !(cJSON_GetStringValue(key) &&
				  strcmp(cJSON_GetStringValue(key), w->key) == 0))
			key = key->next;
		bool on = key != NULL;
		w->state = on ? WATCH_ON : WATCH_REFUSED;
		if (on)
			continue;
		*missing = w->key;
		count++;
	}
	return count;
}

static uint64_t
read_subscription(const struct message *m)
{
	return read_request_id(json_get(json_get(m->params, "_meta"), META_SUBSCRIPTION));
}

void
subscription_on_acknowledged(struct session *s, const struct message *m)
{
	const char *missing = NULL;

	if (!s->internal.listen || read_subscription(m) != s->internal.listen)
		return;
	size_t count = settle(s, json_get(m->params, "notifications"), &missing);
	s->internal.acknowledged = true;
	if (count > 0)
		session_note(s, 0,
		    "subscriptions/listen: the server did not grant everything: "
		    "%.100s%s",
		    missing, count > 1 ? " and more" : "");
	close_subscription(s, &s->internal.listen_old);
	s->events.on_state(s->user);
}

/* ---- the end of a subscription ---- */

/* is_passing: the cause may pass, so another attempt may succeed. */
static void
subscription_on_end(struct session *s, uint64_t id, const char *why, bool is_passing)
{
	if (id != s->internal.listen) {
		s->internal.listen_old = s->internal.listen_old == id ? 0 : s->internal.listen_old;
		return;
	}
	s->internal.listen = 0;
	close_subscription(s, &s->internal.listen_old);
	if (s->now_ms - s->internal.listen_since_ms >= LASTING_MS)
		s->internal.listen_failures = 0;
	if (!is_passing || s->internal.listen_failures >= RETRIES_MAX) {
		for (size_t i = 0; i < s->internal.watches.len; i++)
			s->internal.watches.items[i].state = WATCH_REFUSED;
		session_note(s, 0, "subscriptions/listen: %s; not retried", why);
		s->events.on_state(s->user);
		return;
	}
	int64_t wait = RETRY_MS << s->internal.listen_failures++;
	wait = wait < RETRY_MAX_MS ? wait : RETRY_MAX_MS;
	s->internal.listen_due_ms = time_add(s->now_ms, wait);
	session_note(
	    s, 0, "subscriptions/listen: %s; again in %lld s", why, (long long)(wait / 1000));
}

bool
subscription_on_cancelled(struct session *s, const struct message *m)
{
	uint64_t id = read_request_id(json_get(m->params, "requestId"));

	if (id == 0 || (id != s->internal.listen && id != s->internal.listen_old))
		return false;
	requests_end(&s->requests, requests_find(&s->requests, id), REQUEST_ANSWERED);
	subscription_on_end(s, id, "the server cancelled it", true);
	return true;
}

/* ---- notifications ---- */

const char *
subscription_flaw(const struct session *s, const struct message *m, bool *stray)
{
	bool is_acknowledgment = strcmp(m->method, "notifications/subscriptions/acknowledged") == 0;
	bool by_subscription = is_acknowledgment, is_wanted = true;

	*stray = false;
	for (size_t i = 0; i < LIST_COUNT; i++) {
		if (strcmp(m->method, lists[i].notification) != 0)
			continue;
		by_subscription = true;
		is_wanted = wants_list(s, i);
	}
	for (size_t i = 0; i < PART_COUNT; i++) {
		if (strcmp(m->method, parts[i].notification) != 0)
			continue;
		const char *key = json_get_string(m->params, parts[i].key);
		by_subscription = true;
		is_wanted = key && find_watch(s, (enum watch_kind)i, key);
	}
	if (!s->era || !s->era->modern || !by_subscription)
		return NULL;
	uint64_t id = read_subscription(m);
	if (id == 0)
		return "it has no subscriptionId";
	if (id != s->internal.listen && id != s->internal.listen_old) {
		*stray = true;
		return "its subscription is not ours";
	}
	if (is_acknowledgment)
		return NULL;
	if (id == s->internal.listen && !s->internal.acknowledged)
		return "it came before the subscription was acknowledged";
	return is_wanted ? NULL : "it was not subscribed to";
}

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
	if (s->info.state != SESSION_READY || !json_get(s->info.server_capabilities, "logging"))
		return false;
	s->info.log_level = level;
	if (!s->era->modern && level != LOG_LEVEL_NONE)
		send_level(s);
	return true;
}

static void
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
	if (s->info.log_level != LOG_LEVEL_NONE && json_get(s->info.server_capabilities, "logging"))
		send_level(s);
	/* subscribes again, before 2026-07-28 */
	for (size_t i = 0; i < s->internal.watches.len; i++) {
		struct watch *w = &s->internal.watches.items[i];
		w->state = WATCH_ASKED;
		w->request = send_subscribe(s, SUBSCRIBE, w->key);
	}
	if (s->internal.ping_every_ms > 0)
		s->internal.ping_due_ms = time_add(s->now_ms, s->internal.ping_every_ms);
}

/* ---- the handshake negotiates the era: see mcp/session.h ---- */

static void
open_era(struct session *s, const struct era *era, bool with_envelope)
{
	struct buf members = BUF_INIT;
	struct json_writer w;

	s->era = era;
	s->info.modern = era->modern;
	s->info.state = SESSION_OPENING;
	json_write_init(&w, &members);
	if (era->write_handshake)
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

/* Over HTTP one message does not have to serve both eras. */
static void
try_era(struct session *s, bool modern)
{
	bool with_envelope = !modern && s->wanted_era == ERA_AUTO &&
			     s->transport == TRANSPORT_STDIO && !s->tried_legacy &&
			     !s->tried_modern;

	s->tried_modern |= modern;
	s->tried_legacy |= !modern;
	open_era(s, modern ? &era_modern : &era_legacy, with_envelope);
}

void
session_start(struct session *s, int64_t now_ms)
{
	bool modern_first = s->wanted_era == ERA_AUTO && s->transport == TRANSPORT_HTTP;

	s->now_ms = now_ms;
	if (s->info.state != SESSION_NEW || s->onlooker)
		return;
	try_era(s, s->wanted_era == ERA_MODERN || modern_first);
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
internal_request_fail(struct session *s)
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
	for (size_t i = 0; i < s->requests.len && s->info.state == SESSION_READY; i++) {
		struct request *r = s->requests.items[i];
		if (r->state != REQUEST_FORGOTTEN)
			continue;
		uint64_t id = r->id;
		session_note(s, id, "%s: sent again in the new session", r->method);
		request_resend(s, id, 0);
	}
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

/* Tries the other era; false if both were tried. */
static bool
try_other_era(struct session *s)
{
	if (s->wanted_era != ERA_AUTO || (s->tried_modern && s->tried_legacy))
		return false;
	try_era(s, !s->tried_modern);
	return true;
}

static void
open_legacy_version(struct session *s, const char *version)
{
	s->version_retried = true;
	snprintf(s->requested_version, sizeof(s->requested_version), "%s", version);
	try_era(s, false);
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
		try_era(s, true);
		return true;
	}
	if (!s->version_retried && common_legacy && !common_modern && s->wanted_era != ERA_MODERN) {
		open_legacy_version(s, common_legacy);
		return true;
	}
	if (s->info.speaks_both && !s->era->modern && s->wanted_era == ERA_AUTO) {
		/* server/discover promised it; the other era is not tried again */
		try_era(s, true);
		return true;
	}
	/* Only a server of 2026-07-28 or later sends these errors. */
	const cJSON *code = json_get(error, "code");
	bool is_modern = cJSON_IsNumber(code) && code->valuedouble <= ERROR_HEADER_MISMATCH &&
			 code->valuedouble >= ERROR_UNSUPPORTED_VERSION;
	return !(s->era->modern && is_modern) && try_other_era(s);
}

/* Some servers answer server/discover but need initialize: they list only legacy versions (the Go
 * SDK with sessions over HTTP), or they send requests. */
static bool
is_discovered_legacy(struct session *s, const cJSON *result)
{
	const struct session_capabilities *can = &s->can;
	const cJSON *declared = json_get(result, "capabilities");
	const char *common_legacy, *capability = NULL;
	bool common_modern;

	if (!s->era->modern)
		return false;
	find_common(json_get(result, "supportedVersions"), &common_modern, &common_legacy);
	s->info.speaks_both = common_modern && common_legacy;
	if (!common_legacy || s->version_retried || s->wanted_era != ERA_AUTO)
		return false;
	/* A client capability that the server declares as its own because its code sends such
	 * requests (mcp-go does). 2026-07-28 has no server requests. */
	if (common_modern && can->sampling && json_get(declared, "sampling"))
		capability = "sampling";
	else if (common_modern && (can->elicitation_form || can->elicitation_url) &&
		 json_get(declared, "elicitation"))
		capability = "elicitation";
	else if (common_modern && can->roots && json_get(declared, "roots"))
		capability = "roots";
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
	try_era(s, true);
	return true;
}

static void
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
		internal_request_fail(s);
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

static void
handshake_on_transport_error(
    struct session *s, struct request *r, const struct transport_error *error, const char *text)
{
	requests_end(&s->requests, r, REQUEST_BROKEN);
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
	internal_request_fail(s);
}

void
handshake_renew(struct session *s, const struct transport_error *error)
{
	if (s->renewals++ == MAX_RENEWALS) {
		snprintf(
		    s->failure, sizeof(s->failure), "the server forgets every session at once");
		internal_request_fail(s);
		return;
	}
	session_note(s, error->id,
	    "the server no longer knows the session (%.100s): initializing again",
	    error->text ? error->text : "lost");
	s->protocol[0] = '\0';
	s->info.state = SESSION_OPENING;
	server_request_drop_all(s, 0, "the server forgot the session");
	open_era(s, &era_legacy, false);
	s->events.on_state(s->user);
}

/* ---- all of them ---- */

static void
fail_internal(
    struct session *s, struct request *r, enum request_state how, const char *why, bool is_passing)
{
	const char *method = r->known->name;
	struct watch *w = find_by_request(s, r->id);
	uint64_t id = r->id;

	requests_end(&s->requests, r, how);
	if (w) {
		w->request = 0;
		w->state = WATCH_REFUSED;
	}
	if (strcmp(method, LISTEN) == 0)
		subscription_on_end(s, id, why, is_passing);
	else if (strcmp(method, SUBSCRIBE) == 0 && !w) /* the user no longer wants it */
		session_note(s, 0, "resources/unsubscribe: %s", why);
	else
		session_note(s, 0, "%s: %s", method, why);
}

void
internal_request_on_answer(struct session *s, struct request *r, struct incoming *in)
{
	struct watch *w = find_by_request(s, r->id);
	char text[SESSION_TEXT_MAX];

	if (r == handshake_request(s)) {
		handshake_on_answer(s, r, in);
	} else if (in->message.kind == MESSAGE_RESULT) {
		requests_end(&s->requests, r, REQUEST_ANSWERED);
		if (in->request == s->internal.listen || in->request == s->internal.listen_old) {
			subscription_on_end(s, in->request, "the server ended it", true);
		} else if (w) {
			w->request = 0;
			w->state = WATCH_ON;
		}
	} else {
		text_of_error(&in->message, text, sizeof(text));
		fail_internal(s, r, REQUEST_ANSWERED, text, false);
	}
}

void
internal_request_on_timeout(struct session *s, struct request *r)
{
	char text[200];

	request_describe_timeout(s, r, text, sizeof(text));
	if (r == handshake_request(s)) {
		/* It stays open: a slow server may still answer, and a late answer still counts. */
		r->deadline_ms = r->limit_ms = INT64_MAX;
		add_failure(s, s->era->handshake, text);
		internal_request_fail(s);
		return;
	}
	outgoing_cancel(s, r, text);
	fail_internal(s, r, REQUEST_TIMED_OUT, text, true);
}

void
internal_request_on_transport_error(
    struct session *s, struct request *r, const struct transport_error *error)
{
	char text[SESSION_TEXT_MAX];

	transport_error_describe(error, text, sizeof(text));
	if (r == handshake_request(s)) {
		handshake_on_transport_error(s, r, error, text);
		return;
	}
	/* Is another attempt likely to succeed later? */
	fail_internal(s, r, REQUEST_BROKEN, text,
	    (error->kind == TRANSPORT_BROKEN || error->kind == TRANSPORT_UNREACHABLE ||
		(error->kind == TRANSPORT_STATUS && error->status >= 500)));
}

void
internal_request_close(struct session *s)
{
	if (s->info.state == SESSION_OPENING)
		add_failure(s, s->era->handshake, "the server closed the connection");
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

void
internal_request_on_time(struct session *s)
{
	if (s->info.state != SESSION_READY)
		return;
	if (s->internal.listen_due_ms <= s->now_ms)
		subscription_on_time(s);
	/* Periodic pings if the user wants them (2025-11-25/basic/utilities/ping.mdx). 2026-07-28
	 * has no ping. */
	if (s->internal.ping_due_ms <= s->now_ms) {
		s->internal.ping_due_ms = time_add(s->now_ms, s->internal.ping_every_ms);
		if (!requests_find_internal(&s->requests, "ping"))
			request_open(
			    s, &(struct request_args){ .method = "ping", .internal = true });
	}
}
