#include "base/mem.h"
#include "base/needle.h"
#include "json/number.h"
#include "table_priv.h"

#include <stdlib.h>
#include <string.h>

/* What is looked for, and which kinds of value can have it at all: numbers are only printed when
 * the text could be a part of one. */
struct search {
	struct needle needle;
	bool in_numbers, in_null, in_true, in_false;
};

static bool
found_in(const struct search *s, const char *text)
{
	return needle_is_in(&s->needle, text, strlen(text));
}

static void
search_init(struct search *s, const char *text)
{
	needle_init(&s->needle, text, strlen(text));
	s->in_numbers = text[strspn(text, "0123456789+-.eE")] == '\0';
	s->in_null = found_in(s, "null");
	s->in_true = found_in(s, "true");
	s->in_false = found_in(s, "false");
}

static bool
value_matches(const struct search *s, const cJSON *value)
{
	char number[JSON_NUMBER_TEXT_MAX];

	switch (json_type(value)) {
	case JSON_NULL:
		return s->in_null;
	case JSON_BOOLEAN:
		return json_is_true(value) ? s->in_true : s->in_false;
	case JSON_NUMBER:
		return s->in_numbers && found_in(s, json_number_text(value, number));
	case JSON_STRING:
		return found_in(s, value->valuestring);
	default:
		return false;
	}
}

/* Keys count where they are part of what a cell shows: below the columns, and in arrays. */
static bool
matches(const struct search *s, const cJSON *value, int depth)
{
	bool object = json_type(value) == JSON_OBJECT, keys = object && depth >= COLUMN_DEPTH;

	if (!json_first(value))
		return value_matches(s, value);
	for (const cJSON *m = json_first(value); m; m = m->next)
		if ((keys && found_in(s, m->string)) ||
		    matches(s, m, object ? depth + 1 : COLUMN_DEPTH))
			return true;
	return false;
}

void
table_filter(struct table *t, const char *text)
{
	struct search s;

	free(t->filter);
	t->filter = text && *text ? mem_strdup(text) : NULL;
	t->shown = 0;
	search_init(&s, t->filter ? t->filter : "");
	for (size_t i = 0; i < t->row_count; i++) {
		const char *key = t->filter ? table_row_key(t, i) : NULL;
		if (!t->filter || (key && found_in(&s, key)) || matches(&s, t->rows[i], 0))
			t->order[t->shown++] = (uint32_t)i;
	}
	needle_finish(&s.needle);
	table_sort_shown(t);
}
