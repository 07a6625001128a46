#include "base/mem.h"
#include "json/number.h"
#include "json/print.h"
#include "model/shape.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What a row is sorted by, taken out of the tree once. */
struct sort_key {
	uint32_t row;
	uint8_t rank; /* booleans, numbers, strings, containers; null and absent last */
	double number;
	const cJSON *cell;
};

static uint8_t
rank_of(enum json_type type)
{
	static const uint8_t ranks[] = {
		[JSON_ABSENT] = 6,
		[JSON_NULL] = 5,
		[JSON_BOOLEAN] = 0,
		[JSON_NUMBER] = 1,
		[JSON_STRING] = 2,
		[JSON_ARRAY] = 3,
		[JSON_OBJECT] = 4,
	};
	return ranks[type];
}

static int
compare_values(const struct sort_key *a, const struct sort_key *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->rank > 2)
		return 0;
	if (a->rank == 2)
		return strcmp(a->cell->valuestring, b->cell->valuestring);
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->rank == 1 && (a->cell->valuestring || b->cell->valuestring)
		   ? json_number_compare(a->cell, b->cell)
		   : 0;
}

static bool
is_last(const struct sort_key *k)
{
	return k->rank >= 5;
}

static int
ascending(const void *x, const void *y)
{
	const struct sort_key *a = x, *b = y;
	int order = compare_values(a, b);

	return order ? order : a->row < b->row ? -1 : 1;
}

static int
descending(const void *x, const void *y)
{
	const struct sort_key *a = x, *b = y;

	if (is_last(a) || is_last(b))
		return ascending(x, y);
	int order = compare_values(b, a);
	return order ? order : a->row < b->row ? -1 : 1;
}

static void
sort_shown(struct table *t)
{
	if (t->sorted_by == SIZE_MAX)
		return;
	struct sort_key *keys = mem_alloc(t->shown * sizeof(*keys));
	for (size_t i = 0; i < t->shown; i++) {
		const cJSON *cell = table_cell(t, t->order[i], t->sorted_by);
		enum json_type type = json_type(cell);
		keys[i] = (struct sort_key){ .row = t->order[i],
			.rank = rank_of(type),
			.number = type == JSON_BOOLEAN ? json_is_true(cell)
				  : cell               ? cell->valuedouble
						       : 0,
			.cell = cell };
	}
	qsort(keys, t->shown, sizeof(*keys), t->descending ? descending : ascending);
	for (size_t i = 0; i < t->shown; i++)
		t->order[i] = keys[i].row;
	free(keys);
}

static bool
cell_contains(const cJSON *cell, const char *text, struct buf *scratch)
{
	switch (json_type(cell)) {
	case JSON_ABSENT:
		return false;
	case JSON_STRING:
		return strcasestr(cell->valuestring, text) != NULL;
	default:
		buf_clear(scratch);
		json_print(scratch, cell);
		return strcasestr(buf_text(scratch), text) != NULL;
	}
}

static bool
row_contains(const struct table *t, size_t row, const char *text, struct buf *scratch)
{
	const char *key = table_row_key(t, row);

	if (key && strcasestr(key, text))
		return true;
	for (size_t c = 0; c < t->columns.len; c++)
		if (cell_contains(table_cell(t, row, c), text, scratch))
			return true;
	return false;
}

static void
renew_order(struct table *t)
{
	struct buf scratch = BUF_INIT;

	t->shown = 0;
	for (size_t i = 0; i < t->row_count; i++)
		if (!t->filter || row_contains(t, i, t->filter, &scratch))
			t->order[t->shown++] = (uint32_t)i;
	buf_finish(&scratch);
	sort_shown(t);
}

void
table_sort(struct table *t, size_t column, bool is_descending)
{
	t->sorted_by = column;
	t->descending = is_descending;
	renew_order(t);
}

void
table_filter(struct table *t, const char *text)
{
	free(t->filter);
	t->filter = text && *text ? mem_strdup(text) : NULL;
	renew_order(t);
}
