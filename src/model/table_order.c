#include "base/mem.h"
#include "base/needle.h"
#include "json/number.h"
#include "model/table.h"

#include <stdlib.h>
#include <string.h>

/* ---- sorting ---- */

enum rank { RANK_BOOLEAN, RANK_NUMBER, RANK_STRING, RANK_CONTAINER, RANK_NULL, RANK_ABSENT };

/* What a row is sorted by, taken out of the tree once. */
struct sort_key {
	uint64_t prefix; /* in order as far as it goes: the double's, the first bytes of a string */
	const cJSON *cell;
	uint32_t row;
	uint8_t rank;
};

/* Doubles in order as unsigned integers; -0 is 0. */
static uint64_t
prefix_of_number(double value)
{
	uint64_t bits;

	value += 0.0;
	memcpy(&bits, &value, sizeof(bits));
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static uint64_t
prefix_of_string(const char *text)
{
	uint64_t prefix = 0;

	for (int i = 0; i < 8; i++) {
		prefix = prefix << 8 | (unsigned char)*text;
		text += *text != '\0';
	}
	return prefix;
}

static struct sort_key
key_of(const cJSON *cell, uint32_t row)
{
	struct sort_key key = { .cell = cell, .row = row };

	switch (json_type(cell)) {
	case JSON_BOOLEAN:
		key.rank = RANK_BOOLEAN;
		key.prefix = json_is_true(cell);
		break;
	case JSON_NUMBER:
		key.rank = RANK_NUMBER;
		key.prefix = prefix_of_number(cell->valuedouble);
		break;
	case JSON_STRING:
		key.rank = RANK_STRING;
		key.prefix = prefix_of_string(cell->valuestring);
		break;
	case JSON_NULL:
		key.rank = RANK_NULL;
		break;
	case JSON_ABSENT:
		key.rank = RANK_ABSENT;
		break;
	default:
		key.rank = RANK_CONTAINER;
	}
	return key;
}

static int
compare_values(const struct sort_key *a, const struct sort_key *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->prefix != b->prefix)
		return a->prefix < b->prefix ? -1 : 1;
	if (a->rank == RANK_STRING)
		return a->prefix & 0xff ? strcmp(a->cell->valuestring, b->cell->valuestring) : 0;
	if (a->rank == RANK_NUMBER && (a->cell->valuestring || b->cell->valuestring))
		return json_number_compare(a->cell, b->cell);
	return 0;
}

static int
by_row(const struct sort_key *a, const struct sort_key *b)
{
	return a->row < b->row ? -1 : a->row > b->row;
}

static int
ascending(const void *x, const void *y)
{
	const struct sort_key *a = x, *b = y;
	int order = compare_values(a, b);

	return order ? order : by_row(a, b);
}

static int
descending(const void *x, const void *y)
{
	const struct sort_key *a = x, *b = y;

	if (a->rank >= RANK_NULL || b->rank >= RANK_NULL)
		return ascending(x, y);
	int order = compare_values(b, a);
	return order ? order : by_row(a, b);
}

static void
sort_shown(struct table *t)
{
	if (t->sorted_by == SIZE_MAX)
		return;
	struct sort_key *keys = mem_alloc(t->shown * sizeof(*keys));
	for (size_t i = 0; i < t->shown; i++)
		keys[i] = key_of(table_cell(t, t->order[i], t->sorted_by), t->order[i]);
	qsort(keys, t->shown, sizeof(*keys), t->descending ? descending : ascending);
	for (size_t i = 0; i < t->shown; i++)
		t->order[i] = keys[i].row;
	free(keys);
}

static int
compare_rows(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return a < b ? -1 : a > b;
}

void
table_sort(struct table *t, size_t column, bool is_descending)
{
	t->sorted_by = column;
	t->descending = is_descending;
	if (column == SIZE_MAX)
		qsort(t->order, t->shown, sizeof(*t->order), compare_rows);
	else
		sort_shown(t);
}

/* ---- filtering ---- */

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
	sort_shown(t);
}
