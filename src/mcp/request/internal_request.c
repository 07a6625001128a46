/* SPDX-License-Identifier: MIT */
#include "mcp/era/era.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "mcp/session.h"
#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
		uint64_t id = send_subscribe(s, "resources/subscribe", key);
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

void
watch_on_failure(struct session *s, uint64_t id, const char *why, bool is_passing)
{
	struct watch *w = find_by_request(s, id);

	if (w) {
		w->request = 0;
		w->state = WATCH_REFUSED;
	}
	session_note(s, 0, "resources/%s: %s", w ? "subscribe" : "unsubscribe", why);
}

void
watch_on_result(struct session *s, uint64_t id)
{
	struct watch *w = find_by_request(s, id);

	if (!w)
		return;
	w->request = 0;
	w->state = WATCH_ON;
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

static bool
wants_anything(const struct session *s)
{
	for (size_t i = 0; i < LIST_COUNT; i++)
		if (wants_list(s, i))
			return true;
	return s->internal.watches.len > 0;
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
						 .method = "subscriptions/listen",
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
	s->internal.listen_due_ms = INT64_MAX;
	close_subscription(s, &s->internal.listen_old);
	if (!wants_anything(s)) {
		close_subscription(s, &s->internal.listen);
		return;
	}
	s->internal.listen_old = s->internal.listen;
	open_subscription(s);
}

/* ---- acknowledgment ---- */

static bool
has_string(const cJSON *list, const char *text)
{
	for (const cJSON *item = json_first(list); item; item = item->next)
		if (cJSON_GetStringValue(item) && strcmp(cJSON_GetStringValue(item), text) == 0)
			return true;
	return false;
}

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
		bool on = has_string(json_get(granted, parts[w->kind].member), w->key);
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
	const cJSON *id = json_get(json_get(m->params, "_meta"), META_SUBSCRIPTION);
	size_t number = 0;

	if (!cJSON_IsNumber(id) || !json_number_to_size(id, SIZE_MAX, &number))
		return 0;
	return number;
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

void
subscription_on_failure(struct session *s, uint64_t id, const char *why, bool is_passing)
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

void
subscription_on_result(struct session *s, uint64_t id)
{
	subscription_on_failure(s, id, "the server ended it", true);
}

bool
subscription_on_cancelled(struct session *s, const struct message *m)
{
	const cJSON *id = json_get(m->params, "requestId");
	size_t number = 0;

	if (!cJSON_IsNumber(id) || !json_number_to_size(id, SIZE_MAX, &number) || number == 0 ||
	    (number != s->internal.listen && number != s->internal.listen_old))
		return false;
	requests_end(&s->requests, requests_find(&s->requests, number), REQUEST_ANSWERED);
	subscription_on_failure(s, number, "the server cancelled it", true);
	return true;
}

/* ---- notifications ---- */

/* Does our filter ask for this notification? */
static bool
is_wanted(const struct session *s, const struct message *m)
{
	for (size_t i = 0; i < LIST_COUNT; i++)
		if (strcmp(m->method, lists[i].notification) == 0)
			return wants_list(s, i);
	for (size_t i = 0; i < PART_COUNT; i++) {
		if (strcmp(m->method, parts[i].notification) != 0)
			continue;
		const char *key = json_get_string(m->params, parts[i].key);
		return key && session_watch_state(s, (enum watch_kind)i, key) != WATCH_NONE;
	}
	return true;
}

static bool
is_by_subscription(const char *method)
{
	for (size_t i = 0; i < LIST_COUNT; i++)
		if (strcmp(method, lists[i].notification) == 0)
			return true;
	for (size_t i = 0; i < PART_COUNT; i++)
		if (strcmp(method, parts[i].notification) == 0)
			return true;
	return strcmp(method, "notifications/subscriptions/acknowledged") == 0;
}

const char *
subscription_flaw(const struct session *s, const struct message *m, bool *stray)
{
	bool is_acknowledgment = strstr(m->method, "acknowledged") != NULL;

	*stray = false;
	if (!s->era || !s->era->modern || !is_by_subscription(m->method))
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
	return is_wanted(s, m) ? NULL : "it was not subscribed to";
}

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
has_log_levels(const struct session *s)
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
	if (s->info.state != SESSION_READY || !has_log_levels(s))
		return false;
	s->info.log_level = level;
	if (!s->era->modern && level != LOG_LEVEL_NONE)
		send_level(s);
	return true;
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
	if (s->info.log_level != LOG_LEVEL_NONE && has_log_levels(s))
		send_level(s);
	/* subscribes again, before 2026-07-28 */
	for (size_t i = 0; i < s->internal.watches.len; i++) {
		struct watch *w = &s->internal.watches.items[i];
		w->state = WATCH_ASKED;
		w->request = send_subscribe(s, "resources/subscribe", w->key);
	}
	if (s->internal.ping_every_ms > 0)
		s->internal.ping_due_ms = time_add(s->now_ms, s->internal.ping_every_ms);
}

static void
fail_internal(
    struct session *s, struct request *r, enum request_state how, const char *why, bool is_passing)
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
		fail_internal(s, r, REQUEST_ANSWERED, text, false);
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
	fail_internal(s, r, REQUEST_TIMED_OUT, text, true);
}

void
internal_request_on_transport_error(
    struct session *s, struct request *r, const struct transport_error *error)
{
	char text[SESSION_TEXT_MAX];

	transport_error_describe(error, text, sizeof(text));
	/* Is another attempt likely to succeed later? */
	fail_internal(s, r, REQUEST_BROKEN, text,
	    (error->kind == TRANSPORT_BROKEN || error->kind == TRANSPORT_UNREACHABLE ||
		(error->kind == TRANSPORT_STATUS && error->status >= 500)));
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
	if (s->internal.ping_due_ms <= s->now_ms) {
		s->internal.ping_due_ms = time_add(s->now_ms, s->internal.ping_every_ms);
		if (!requests_find_internal(&s->requests, "ping"))
			request_open(
			    s, &(struct request_args){ .method = "ping", .internal = true });
	}
}
