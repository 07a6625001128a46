#include "base/mem.h"
#include "table_priv.h"
#include "table_sort_priv.h"

#include <stdlib.h>

/* The rows in another order, while it is being found. */
struct ordering {
	size_t row;            /* looked at next */
	struct search *search; /* NULL: all rows are shown */
	bool sorts;
	struct sorter sorter; /* has the rows that are shown, where they are sorted ... */
	uint32_t *order;      /* ... and this where not */
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
