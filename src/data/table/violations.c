#include "base/vec.h"
#include "schema/report.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* The violations of rows and columns. The values of a joined table are copies, which the report
 * does not know: those of the arrays are noted by row and column. */

/* A violation of an object whose members have columns of their own counts in all of these. */
static bool
is_in_column(
    const struct table *t, const struct column *c, const struct report_step *way, size_t len)
{
	if (len == 0 || c->depth == 0)
		return len == 0 && c->depth == 0;
	if (t->kind == TABLE_ARRAYS)
		return !way[0].key && way[0].index == c->index;
	for (int i = 0; i < c->depth && (size_t)i < len; i++)
		if (!way[i].key ||
		    (way[i].key != c->path[i] && strcmp(way[i].key, c->path[i]) != 0))
			return false;
	return true;
}

static void
count_one(struct table *t, size_t index)
{
	struct report_step way[1 + COLUMN_DEPTH]; /* the row, then keys */
	size_t row = t->kind != TABLE_RECORD;
	size_t len = report_way(t->report, index, t->node, way, row + COLUMN_DEPTH);

	if (len == REPORT_NONE || len < row)
		return;
	size_t number = row > 0 ? way[0].index : 0;
	if (number < t->row_count)
		row_set_add(&t->invalid, number, t->row_count);
	if (report_at(t->report, index)->warning)
		return;
	len = len > row + COLUMN_DEPTH ? COLUMN_DEPTH : len - row;
	for (size_t i = 0; i < t->columns.len; i++)
		if (is_in_column(t, &t->columns.items[i], way + row, len))
			t->columns.items[i].wrong++;
}

/* ---- of joined arrays ---- */

/* The way is the name of the array, the row, then keys in the item. */
static void
note_one(struct table *t, size_t index)
{
	struct report_step way[2 + COLUMN_DEPTH];
	size_t len = report_way(t->report, index, t->arrays, way, 2 + COLUMN_DEPTH);

	if (len == REPORT_NONE || len < 2 || !way[0].key || way[1].key ||
	    way[1].index >= t->row_count)
		return;
	size_t row = way[1].index, keys = len - 1;
	way[1] = way[0];
	for (size_t i = 0; i < t->columns.len; i++) {
		struct column *c = &t->columns.items[i];
		size_t most = keys < COLUMN_DEPTH ? keys : COLUMN_DEPTH;
		if (!is_in_column(t, c, way + 1, most))
			continue;
		row_set_add(&t->invalid, row, t->row_count);
		c->wrong += !report_at(t->report, index)->warning;
		*VEC_PUSH(&t->wrong) = (struct table_wrong){ .row = row,
			.column = i,
			.violation = index,
			.is_inside = keys > (size_t)c->depth };
	}
}

/* A violation of the cell before those in it. */
static int
compare_wrong(const void *a, const void *b)
{
	const struct table_wrong *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	if (x->is_inside != y->is_inside)
		return x->is_inside ? 1 : -1;
	return (x->violation > y->violation) - (x->violation < y->violation);
}

const struct table_wrong *
table_wrong_at(const struct table *t, size_t row, size_t column, size_t *count)
{
	size_t from = 0, to = t->wrong.len;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const struct table_wrong *w = &t->wrong.items[middle];
		bool before = w->row != row ? w->row < row : w->column < column;
		*(before ? &from : &to) = before ? middle + 1 : middle;
	}
	const struct table_wrong *first = t->wrong.items ? t->wrong.items + from : NULL;
	*count = 0;
	while (from + *count < t->wrong.len && first[*count].row == row &&
	       first[*count].column == column)
		++*count;
	return *count > 0 ? first : NULL;
}

void
violations_count(struct table *t)
{
	size_t kept = t->report ? report_facts(t->report)->kept : 0;

	for (size_t i = 0; i < t->columns.len; i++)
		t->columns.items[i].wrong = 0;
	t->wrong.len = 0;
	for (size_t i = 0; i < kept; i++) {
		if (t->arrays)
			note_one(t, i);
		else
			count_one(t, i);
	}
	if (t->wrong.len > 0)
		qsort(t->wrong.items, t->wrong.len, sizeof(*t->wrong.items), compare_wrong);
}
