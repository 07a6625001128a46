#include "model/logs.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/substring.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

enum part { PART_ANY, PART_LEVEL, PART_LOGGER };

struct log_term {
	enum part part;
	bool negated;
	enum log_level least; /* for PART_LEVEL; NONE: compare as strings */
	struct substring text;
};

struct log_filter {
	struct log_term *items;
	size_t len, cap;
};

/* A level may be abbreviated; the first match counts. */
static enum log_level
level_beginning(const char *text, size_t len)
{
	for (int level = LOG_LEVEL_DEBUG; len > 0 && level < LOG_LEVELS; level++)
		if (strncmp(log_level_names[(enum log_level)level], text, len) == 0)
			return (enum log_level)level;
	return LOG_LEVEL_NONE;
}

static void
add_term(struct log_filter *f, const char *word, size_t len)
{
	static const char *const prefixes[] = {
		[PART_LEVEL] = "level:", [PART_LOGGER] = "logger:"
	};
	struct log_term t = { .part = PART_ANY };

	if (len > 1 && word[0] == '-') {
		t.negated = true;
		word++, len--;
	}
	for (int part = PART_LEVEL; part <= PART_LOGGER; part++) {
		size_t prefix = strlen(prefixes[part]);
		if (len < prefix || strncmp(word, prefixes[part], prefix) != 0)
			continue;
		t.part = (enum part)part;
		word += prefix, len -= prefix;
		break;
	}
	if (t.part == PART_LEVEL)
		t.least = level_beginning(word, len);
	substring_init(&t.text, word, len);
	*VEC_PUSH(f) = t;
}

struct log_filter *
log_filter_create(const char *text)
{
	struct log_filter *f = mem_zalloc(sizeof(*f));

	while (*text) {
		size_t len = strcspn(text, " ");
		if (len > 0)
			add_term(f, text, len);
		text += len + strspn(text + len, " ");
	}
	return f;
}

void
log_filter_destroy(struct log_filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->len; i++)
		substring_finish(&f->items[i].text);
	free(f->items);
	free(f);
}

static bool
is_in(const struct substring *n, const char *text)
{
	return text && substring_is_in(n, text, strlen(text));
}

static bool
holds(const struct log_term *t, const struct log_entry *e)
{
	switch (t->part) {
	case PART_LEVEL:
		return t->least == LOG_LEVEL_NONE ? is_in(&t->text, e->level_name)
						  : e->level >= t->least;
	case PART_LOGGER:
		return is_in(&t->text, e->logger ? e->logger : "");
	case PART_ANY:
		break;
	}
	return is_in(&t->text, e->level_name) || is_in(&t->text, e->logger) ||
	       substring_is_in(&t->text, e->data, e->data_len);
}

bool
log_filter_matches(const struct log_filter *f, const struct log_entry *e)
{
	for (size_t i = 0; i < f->len; i++)
		if (holds(&f->items[i], e) == f->items[i].negated)
			return false;
	return true;
}

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
	e.is_text = json_type(data) == JSON_STRING;
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
