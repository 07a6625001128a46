#include "client/notices.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
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

/* Evicts a tenth at a time, so that not every message moves the array. */
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
		buf_add_str(&text, json_string(data));
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

void
logs_mark_seen(struct logs *l)
{
	l->unseen = 0;
}
