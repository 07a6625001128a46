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

struct search *
search_create(const char *text)
{
	struct search *s = mem_zalloc(sizeof(*s));

	needle_init(&s->needle, text, strlen(text));
	s->in_numbers = text[strspn(text, "0123456789+-.eE")] == '\0';
	s->in_null = found_in(s, "null");
	s->in_true = found_in(s, "true");
	s->in_false = found_in(s, "false");
	return s;
}

void
search_destroy(struct search *s)
{
	if (!s)
		return;
	needle_finish(&s->needle);
	free(s);
}

bool
search_matches(const struct search *s, const char *key, const cJSON *row)
{
	return (key && found_in(s, key)) || matches(s, row, 0);
}
