#include "base/mem.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets of rows ---- */

static size_t
set_bytes(size_t rows)
{
	return (rows / 64 + 1) * sizeof(uint64_t);
}

void
row_set_finish(struct row_set *s)
{
	free(s->bits);
	*s = (struct row_set){ 0 };
}

void
row_set_copy(struct row_set *to, const struct row_set *from, size_t rows)
{
	row_set_finish(to);
	if (from->count > 0)
		to->bits = memcpy(mem_alloc(set_bytes(rows)), from->bits, set_bytes(rows));
	to->count = from->count;
}

void
row_set_add(struct row_set *s, size_t row, size_t rows)
{
	if (!s->bits)
		s->bits = mem_zalloc(set_bytes(rows));
	s->count += !row_set_has(s, row);
	s->bits[row / 64] |= (uint64_t)1 << row % 64;
}

bool
row_set_equal(const struct row_set *a, const struct row_set *b, size_t rows)
{
	return a->count == b->count &&
	       (a->count == 0 || memcmp(a->bits, b->bits, set_bytes(rows)) == 0);
}

static void
row_set_remove(struct row_set *s, size_t row)
{
	if (!row_set_has(s, row))
		return;
	s->count--;
	s->bits[row / 64] &= ~((uint64_t)1 << row % 64);
}

/* ---- the user's selection ---- */

void
table_select(struct table *t, size_t from, size_t to, bool selected)
{
	for (size_t i = from; i < to && i < t->shown; i++) {
		if (selected)
			row_set_add(&t->selected, t->order[i], t->row_count);
		else
			row_set_remove(&t->selected, t->order[i]);
	}
}

void
table_select_none(struct table *t)
{
	job_drop(&t->pick_job);
	row_set_finish(&t->selected);
}

void
table_select_inverted(struct table *t)
{
	for (size_t i = 0; i < t->shown; i++) {
		if (row_set_has(&t->selected, t->order[i]))
			row_set_remove(&t->selected, t->order[i]);
		else
			row_set_add(&t->selected, t->order[i], t->row_count);
	}
}

void
table_take_picked(struct table *t, struct table *made)
{
	for (size_t i = 0; i < t->shown && made->selected.count > 0; i++)
		if (row_set_has(&made->selected, t->order[i]))
			row_set_add(&t->selected, t->order[i], t->row_count);
}
