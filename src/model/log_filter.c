#include "model/logs.h"

#include "base/mem.h"
#include "base/needle.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum part { PART_ANY, PART_LEVEL, PART_LOGGER };

struct term {
	enum part part;
	bool negated;
	enum log_level least; /* of PART_LEVEL; NONE: compared as text */
	struct needle text;
};

struct log_filter {
	struct term *items;
	size_t len, cap;
};

/* A level may be typed half: the first that begins so. */
static enum log_level
level_beginning(const char *text, size_t len)
{
	for (int level = LOG_LEVEL_DEBUG; len > 0 && level < LOG_LEVELS; level++)
		if (strncmp(log_level_name((enum log_level)level), text, len) == 0)
			return (enum log_level)level;
	return LOG_LEVEL_NONE;
}

static void
add_term(struct log_filter *f, const char *word, size_t len)
{
	static const char *const prefixes[] = {
		[PART_LEVEL] = "level:", [PART_LOGGER] = "logger:"
	};
	struct term t = { .part = PART_ANY };

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
	needle_init(&t.text, word, len);
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
		needle_finish(&f->items[i].text);
	free(f->items);
	free(f);
}

static bool
is_in(const struct needle *n, const char *text)
{
	return text && needle_is_in(n, text, strlen(text));
}

static bool
holds(const struct term *t, const struct log_entry *e)
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
	       needle_is_in(&t->text, e->data, e->data_len);
}

bool
log_filter_matches(const struct log_filter *f, const struct log_entry *e)
{
	for (size_t i = 0; i < f->len; i++)
		if (holds(&f->items[i], e) == f->items[i].negated)
			return false;
	return true;
}
