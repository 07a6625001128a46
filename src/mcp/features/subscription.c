#include "base/vec.h"
#include "json/number.h"
#include "features.h"
#include "mcp/era/era.h"

#include <string.h>

/* In 2026-07-28 notifications need a subscription (basic/patterns/subscriptions.mdx): one internal
 * request that stays open as long as the session and never times out. */

#define META_SUBSCRIPTION "io.modelcontextprotocol/subscriptionId"
/* Changes of the filter within this time share one new subscription. */
#define GATHER_MS 20
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
	return json_is_true(
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
write_part(struct session *s, struct json_writer *w, enum watch_kind kind)
{
	bool any = false;

	for (size_t i = 0; i < s->internal.watches.len; i++) {
		struct watch *watch = &s->internal.watches.items[i];
		if (watch->kind != kind)
			continue;
		if (!any) {
			json_write_member_array(w, parts[kind].member);
		}
		any = true;
		json_write_string(w, watch->key);
		watch->state = WATCH_ASKED;
	}
	if (any)
		json_write_array_end(w);
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
	for (size_t i = 0; i < PART_COUNT; i++)
		write_part(s, &w, (enum watch_kind)i);
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

void
subscription_change(struct session *s)
{
	int64_t due = time_add(s->now_ms, GATHER_MS);

	if (due < s->internal.listen_due_ms)
		s->internal.listen_due_ms = due;
}

void
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
		if (json_string(item) && strcmp(json_string(item), text) == 0)
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
		if (!wants_list(s, i) || json_is_true(json_get(granted, lists[i].member)))
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

static void
refuse_all(struct session *s)
{
	for (size_t i = 0; i < s->internal.watches.len; i++)
		s->internal.watches.items[i].state = WATCH_REFUSED;
}

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
		refuse_all(s);
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
