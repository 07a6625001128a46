#include "server_parts_priv.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* ---- the log ---- */

const struct logs *
server_logs(const struct server *s)
{
	return &s->logs;
}

void
server_logs_seen(struct server *s)
{
	s->generation += s->logs.unseen > 0;
	logs_mark_seen(&s->logs);
}

void
server_logs_clear(struct server *s)
{
	logs_clear(&s->logs);
	s->generation++;
}

bool
server_set_log_level(struct server *s, enum log_level level, int64_t now_us)
{
	s->now_us = now_us;
	s->log_level = level;
	s->generation++;
	return s->session && session_set_log_level(s->session, level, server_now_ms(s));
}

enum log_level
server_log_level(const struct server *s)
{
	return s->log_level;
}

/* ---- watched resources ---- */

static struct server_watch *
find(const struct server *s, const char *uri)
{
	for (size_t i = 0; i < s->watches.len; i++)
		if (strcmp(s->watches.items[i].uri, uri) == 0)
			return &s->watches.items[i];
	return NULL;
}

bool
server_watch(struct server *s, const char *uri, bool on, int64_t now_us)
{
	struct server_watch *w = find(s, uri);

	s->now_us = now_us;
	s->generation++;
	if (on && !(s->session && session_can_watch(s->session, WATCH_RESOURCE)))
		return false;
	if (on && !w)
		*VEC_PUSH(&s->watches) = (struct server_watch){ .uri = mem_strdup(uri) };
	if (s->session)
		session_watch(s->session, WATCH_RESOURCE, uri, on, server_now_ms(s));
	if (!on && w) {
		free(w->uri);
		VEC_REMOVE(&s->watches, (size_t)(w - s->watches.items));
	}
	return true;
}

enum watch_state
server_watch_state(const struct server *s, const char *uri)
{
	return s->session ? session_watch_state(s->session, WATCH_RESOURCE, uri) : WATCH_NONE;
}

bool
server_watch_changed(const struct server *s, const char *uri)
{
	const struct server_watch *w = find(s, uri);

	for (size_t i = s->calls.len; w && i-- > 0;) {
		const struct call *c = s->calls.items[i];
		if (c->uri && strcmp(c->uri, uri) == 0)
			return w->updated_us > c->started_us;
	}
	return w && w->updated;
}

bool
server_watch_any_changed(const struct server *s)
{
	for (size_t i = 0; i < s->watches.len; i++)
		if (server_watch_changed(s, s->watches.items[i].uri))
			return true;
	return false;
}

/* ---- for the server ---- */

void
server_notices_on_ready(struct server *s)
{
	int64_t now_ms = server_now_ms(s);

	if (s->log_level != LOG_LEVEL_NONE && session_info(s->session)->log_level != s->log_level)
		session_set_log_level(s->session, s->log_level, now_ms);
	for (size_t i = 0; i < s->watches.len; i++)
		session_watch(s->session, WATCH_RESOURCE, s->watches.items[i].uri, true, now_ms);
}

void
server_notices_take(struct server *s, const char *method, const cJSON *params)
{
	const char *uri = json_get_string(params, "uri");

	if (strcmp(method, "notifications/message") == 0) {
		logs_add(&s->logs, params, s->now_us);
	} else if (uri && strcmp(method, "notifications/resources/updated") == 0) {
		struct server_watch *w = find(s, uri);
		if (w) {
			w->updated = true;
			w->updated_us = s->now_us;
		}
	}
}

void
server_notices_finish(struct server *s)
{
	for (size_t i = 0; i < s->watches.len; i++)
		free(s->watches.items[i].uri);
	free(s->watches.items);
	logs_finish(&s->logs);
}
