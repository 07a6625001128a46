#include "base/mem.h"

#include "base/substring.h"
#include "json/number.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* A search text, and the kinds of value that can contain it: numbers are printed only if the
 * text could be part of one. */
struct row_search {
	struct substring needle;
	bool in_numbers, in_null, in_true, in_false;
};

static bool
found_in(const struct row_search *s, const char *text)
{
	return substring_is_in(&s->needle, text, strlen(text));
}

static bool
value_matches(const struct row_search *s, const cJSON *value)
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

/* Keys count only inside a cell: below the columns, and in arrays. */
static bool
matches(const struct row_search *s, const cJSON *value, int depth)
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

static struct row_search *
search_create(const char *text)
{
	struct row_search *s = mem_zalloc(sizeof(*s));

	substring_init(&s->needle, text, strlen(text));
	s->in_numbers = text[strspn(text, "0123456789+-.eE")] == '\0';
	s->in_null = found_in(s, "null");
	s->in_true = found_in(s, "true");
	s->in_false = found_in(s, "false");
	return s;
}

static void
search_destroy(struct row_search *s)
{
	if (!s)
		return;
	substring_finish(&s->needle);
	free(s);
}

static bool
search_matches(const struct row_search *s, const char *key, const cJSON *row)
{
	return (key && found_in(s, key)) || matches(s, row, 0);
}

/* A sort or filter in progress. */
struct ordering {
	size_t row;                /* next to look at */
	struct row_search *search; /* NULL: show all rows */
	bool sorts;
	struct sorter sorter; /* the shown rows if they are sorted ... */
	uint32_t *order;      /* ... and if they are not */
	size_t shown;
};

void
ordering_drop(struct table *t)
{
	struct ordering *o = t->ordering;

	if (!o)
		return;
	search_destroy(o->search);
	sorter_finish(&o->sorter);
	free(o->order);
	free(o);
	t->ordering = NULL;
}

static void
ordering_begin(struct table *t)
{
	struct ordering *o = mem_zalloc(sizeof(*o));

	ordering_drop(t);
	t->ordering = o;
	o->search = t->filter ? search_create(t->filter) : NULL;
	o->sorts = t->sorted_by != SIZE_MAX;
	o->sorter.descending = t->descending;
	o->sorter.copies = !t->rows;
	if (!o->sorts)
		o->order = mem_alloc(t->row_count * sizeof(*o->order));
	else if (!o->search)
		sorter_reserve(&o->sorter, t->row_count);
	if (!t->finding)
		ordering_work(t, TABLE_SLICE);
}

static void
look_at(struct table *t, struct ordering *o, size_t index)
{
	const cJSON *row = o->search || o->sorts ? table_scan(t, index) : NULL;

	if (o->search && !search_matches(o->search, table_row_key(t, index), row))
		return;
	if (o->sorts)
		sorter_add(&o->sorter, table_cell_of(t, row, t->sorted_by), (uint32_t)index);
	else
		o->order[o->shown++] = (uint32_t)index;
}

static void
end(struct table *t, struct ordering *o)
{
	if (!o->sorts) {
		uint32_t *swap = t->order;
		t->order = o->order;
		o->order = swap;
	} else {
		o->shown = o->sorter.cells.len;
		for (size_t i = 0; i < o->shown; i++)
			t->order[i] = o->sorter.cells.items[i].row;
	}
	t->shown = o->shown;
	ordering_drop(t);
}

void
ordering_work(struct table *t, size_t rows)
{
	struct ordering *o = t->ordering;
	size_t left = t->row_count - o->row, stop = o->row + (left < rows ? left : rows);

	if (left > 0) {
		for (; o->row < stop; o->row++)
			look_at(t, o, o->row);
		rows -= rows < left ? rows : left;
	}
	if (o->row == t->row_count && (!o->sorts || sorter_work(&o->sorter, rows)))
		end(t, o);
}

unsigned
ordering_percent(const struct table *t)
{
	const struct ordering *o = t->ordering;
	unsigned looked = t->row_count > 0 ? (unsigned)(o->row * 100 / t->row_count) : 100;

	return o->sorts ? (looked + sorter_percent(&o->sorter)) / 2 : looked;
}

void
table_sort(struct table *t, size_t column, bool is_descending)
{
	t->sorted_by = column;
	t->descending = is_descending;
	ordering_begin(t);
}

void
table_filter(struct table *t, const char *text)
{
	free(t->filter);
	t->filter = text && *text ? mem_strdup(text) : NULL;
	ordering_begin(t);
}
