/* SPDX-License-Identifier: MIT */
#include "server.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "client/notices.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

static size_t
entry_bytes(const struct log_entry *e)
{
	return sizeof(*e) + e->data_len + strlen(e->level_name) +
	       (e->logger ? strlen(e->logger) : 0);
}

static void
entry_finish(struct log_entry *e)
{
	free(e->level_name);
	free(e->logger);
	free(e->data);
}

void
logs_clear(struct logs *l)
{
	for (size_t i = 0; i < l->len; i++)
		entry_finish(&l->items[i]);
	l->len = l->bytes = l->unseen = 0;
}

void
logs_finish(struct logs *l)
{
	logs_clear(l);
	free(l->items);
	*l = (struct logs){ 0 };
}

/* Evict a tenth at a time, because each eviction moves the array. */
static void
make_room(struct logs *l)
{
	size_t gone = 0;

	if (l->len < LOGS_MAX && l->bytes <= LOGS_MAX_BYTES)
		return;
	while (gone + 1 < l->len && (l->len - gone > LOGS_MAX - LOGS_MAX / 10 ||
					l->bytes > LOGS_MAX_BYTES - LOGS_MAX_BYTES / 10)) {
		l->bytes -= entry_bytes(&l->items[gone]);
		entry_finish(&l->items[gone++]);
	}
	l->len -= gone;
	l->evicted += gone;
	memmove(l->items, l->items + gone, l->len * sizeof(*l->items));
}

void
logs_add(struct logs *l, const cJSON *params, int64_t now_us)
{
	const char *level = json_get_string(params, "level");
	const cJSON *data = json_get(params, "data");
	struct log_entry e = { .id = ++l->last_id, .at_us = now_us };
	struct buf text = BUF_INIT;

	e.level = log_level_from_name(level);
	e.level_name = label_dup(level ? level : "");
	e.logger = label_dup(json_get_string(params, "logger"));
	e.is_text = cJSON_IsString(data);
	if (e.is_text)
		buf_add_str(&text, cJSON_GetStringValue(data));
	else if (data)
		json_print(&text, data);
	e.data_len = text.len;
	e.data = buf_detach(&text);
	if (!e.data)
		e.data = mem_strdup("");
	l->bytes += entry_bytes(&e);
	l->unseen += e.level >= LOG_LEVEL_WARNING;
	*VEC_PUSH(l) = e;
	make_room(l);
}

const struct log_entry *
logs_find(const struct logs *l, uint64_t id)
{
	uint64_t first = l->len > 0 ? l->items[0].id : 0;

	return l->len > 0 && id >= first && id - first < l->len ? &l->items[id - first] : NULL;
}

/* ---- the log of a server ---- */

void
server_logs_seen(struct server *s)
{
	s->generation += s->logs.unseen > 0;
	s->logs.unseen = 0;
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
	s->info.log_level = level;
	s->generation++;
	return s->session && session_set_log_level(s->session, level, server_now_ms(s));
}

/* ---- watched resources ---- */

static struct server_watch *
find_watch(const struct server *s, const char *uri)
{
	for (size_t i = 0; i < s->watches.len; i++)
		if (strcmp(s->watches.items[i].uri, uri) == 0)
			return &s->watches.items[i];
	return NULL;
}

bool
server_watch(struct server *s, const char *uri, bool on, int64_t now_us)
{
	struct server_watch *w = find_watch(s, uri);

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
	const struct server_watch *w = find_watch(s, uri);

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

/* ---- events of the session ---- */

void
server_notices_on_ready(struct server *s)
{
	int64_t now_ms = server_now_ms(s);

	if (s->info.log_level != LOG_LEVEL_NONE &&
	    session_info(s->session)->log_level != s->info.log_level)
		session_set_log_level(s->session, s->info.log_level, now_ms);
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
		struct server_watch *w = find_watch(s, uri);
		if (w) {
			w->updated = true;
			w->updated_us = s->now_us;
		}
	}
}
