#include "mcp/watch.h"

#include "base/mem.h"
#include "base/vec.h"
#include "features.h"
#include "mcp/era/era.h"

#include <stdlib.h>
#include <string.h>

/* Bounds the requests and the size of the filter. */
#define WATCHES_MAX 1000

static struct watch *
find(const struct session *s, enum watch_kind kind, const char *key)
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
		return json_is_true(json_get(resources, "subscribe"));
	return s->era->modern && session_extension(s, EXTENSION_TASKS);
}

enum watch_state
session_watch_state(const struct session *s, enum watch_kind kind, const char *key)
{
	const struct watch *w = find(s, kind, key);

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

static void
turn_off(struct session *s, struct watch *w)
{
	char *key = w->key;
	bool is_legacy = !s->era->modern && w->kind == WATCH_RESOURCE;

	VEC_REMOVE(&s->internal.watches, (size_t)(w - s->internal.watches.items));
	if (s->info.state == SESSION_READY && is_legacy)
		send_subscribe(s, "resources/unsubscribe", key);
	else if (s->info.state == SESSION_READY)
		subscription_change(s);
	free(key);
}

void
session_watch(struct session *s, enum watch_kind kind, const char *key, bool on, int64_t now_ms)
{
	struct watch *w = find(s, kind, key);

	s->now_ms = now_ms;
	if (!on) {
		if (w)
			turn_off(s, w);
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
		w = find(s, kind, key);
		if (w)
			w->request = id;
	}
}

void
watch_on_ready(struct session *s)
{
	for (size_t i = 0; i < s->internal.watches.len; i++) {
		struct watch *w = &s->internal.watches.items[i];
		w->state = WATCH_ASKED;
		w->request = send_subscribe(s, "resources/subscribe", w->key);
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
