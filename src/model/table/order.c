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

static void
search_init(struct row_search *s, const char *text)
{
	substring_init(&s->needle, text, strlen(text));
	s->in_numbers = text[strspn(text, "0123456789+-.eE")] == '\0';
	s->in_null = found_in(s, "null");
	s->in_true = found_in(s, "true");
	s->in_false = found_in(s, "false");
}

static bool
passes(const struct row_search *s, const char *key, const cJSON *row)
{
	return (key && found_in(s, key)) || matches(s, row, 0);
}

/* The keys of a job's reader are pointers of their own: with these, json_get() compares no text. */
static void
use_keys_of(struct column *c, const cJSON *row)
{
	for (int i = 0; i < c->depth; i++) {
		row = json_get(row, c->path[i]);
		if (!row)
			return;
		c->path[i] = row->string;
	}
}

static bool
add_cells(struct table *t, const struct row_search *search, struct sorter *sorter, struct job *job)
{
	struct column *c = &t->columns.items[t->sorted_by];

	for (size_t i = 0; i < t->row_count; i++) {
		const cJSON *row = table_scan(t, i);
		if (i % TABLE_ROWS_A_LOOK == 0) {
			if (!job_goes_on(job, i * 50 / t->row_count))
				return false;
			if (t->kind != TABLE_ARRAYS)
				use_keys_of(c, row);
		}
		if (!search || passes(search, table_row_key(t, i), row))
			sorter_add(sorter, table_cell_of(t, row, t->sorted_by), (uint32_t)i);
	}
	return true;
}

static void
sort_rows(struct table *t, const struct row_search *search, struct job *job)
{
	struct sorter sorter = { .descending = t->descending, .copies = !t->rows };

	if (add_cells(t, search, &sorter, job)) {
		t->shown = sorter.cells.len;
		t->order = sorter_sort(&sorter, job);
	}
	sorter_finish(&sorter);
}

static void
filter_rows(struct table *t, const struct row_search *search, struct job *job)
{
	t->order = mem_alloc(t->row_count * sizeof(*t->order));
	t->shown = 0;
	for (size_t i = 0; i < t->row_count; i++) {
		if (i % TABLE_ROWS_A_LOOK == 0 && !job_goes_on(job, i * 100 / t->row_count))
			return;
		if (!search || passes(search, table_row_key(t, i), table_scan(t, i)))
			t->order[t->shown++] = (uint32_t)i;
	}
}

void
rows_order(struct table *t, struct job *job)
{
	struct row_search search = { 0 };

	if (t->filter)
		search_init(&search, t->filter);
	const struct row_search *used = t->filter ? &search : NULL;
	if (t->sorted_by < t->columns.len)
		sort_rows(t, used, job);
	else
		filter_rows(t, used, job);
	if (t->filter)
		substring_finish(&search.needle);
}
