#include "base/mem.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* The rows that pass the filter, sorted. */

struct ordering {
	struct table *table;
	const struct row_filter *filter; /* NULL: all rows pass */
	struct sorter sorters[SORT_KEYS_MAX];
	uint32_t *rows; /* those that pass */
	size_t len;
};

/* Numbers in the sorters are places in `rows`. */
static void
take_row(struct ordering *o, size_t row)
{
	struct table *t = o->table;

	if (o->filter && !row_filter_passes(o->filter, t, row))
		return;
	for (size_t k = 0; k < t->key_count; k++)
		sorter_add(
		    &o->sorters[k], table_scan_cell(t, row, t->keys[k].column), (uint32_t)o->len);
	o->rows[o->len++] = (uint32_t)row;
}

static bool
take_rows(struct ordering *o, struct job *job)
{
	size_t count = o->table->row_count, share = o->table->key_count > 0 ? 50 : 100;

	for (size_t i = o->table->heading; i < count; i++) {
		if (i % TABLE_ROWS_A_LOOK == 0 && !job_goes_on(job, i * share / count))
			return false;
		take_row(o, i);
	}
	return true;
}

/* By the last key first: sorting keeps the order of equal rows. */
static void
sort_rows(struct ordering *o, struct job *job)
{
	size_t count = o->table->key_count;
	uint32_t *order = NULL;

	for (size_t k = count; k-- > 0 && !job_is_stopped(job);) {
		struct sorter *s = &o->sorters[k];
		s->progress = 50 + (count - 1 - k) * 50 / count;
		s->share = 40 / count;
		if (order)
			sorter_arrange(s, order);
		free(order);
		order = sorter_sort(s, job);
	}
	for (size_t i = 0; order && i < o->len; i++)
		order[i] = o->rows[order[i]];
	if (order) {
		free(o->rows);
		o->rows = order;
	}
}

void
rows_order(struct table *t, const struct row_filter *filter, struct job *job)
{
	struct ordering o = { .table = t, .filter = filter };

	for (size_t k = 0; k < t->key_count; k++)
		o.sorters[k] =
		    (struct sorter){ .descending = t->keys[k].descending, .copies = !t->rows };
	o.rows = mem_alloc(t->row_count * sizeof(*o.rows));
	if (take_rows(&o, job) && t->key_count > 0 && o.len > 0)
		sort_rows(&o, job);
	t->order = o.rows;
	t->shown = o.len;
	for (size_t k = 0; k < t->key_count; k++)
		sorter_finish(&o.sorters[k]);
}
