#include "base/mem.h"
#include "base/vec.h"
#include "table_view.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What the user wants of the columns: by name, so that it holds for the next result too. */

struct taking {
	bool taken[COLUMNS_MAX + 1];
	size_t next; /* where to look first: the names tend to be in the order of the columns */
};

/* Two columns may have the same name. */
static size_t
take_column(struct taking *k, const struct table *t, const char *name)
{
	for (size_t n = 0; n < t->columns.len; n++) {
		size_t i = (k->next + n) % t->columns.len;
		if (k->taken[i] || strcmp(t->columns.items[i].name, name) != 0)
			continue;
		k->taken[i] = true;
		k->next = i + 1;
		return i;
	}
	return SIZE_MAX;
}

static struct column_wish *
wish_of(struct table_view *v, size_t column)
{
	for (size_t i = 0; i < v->chosen.wishes.len; i++)
		if (v->chosen.wishes.items[i].column == column)
			return &v->chosen.wishes.items[i];
	return NULL;
}

/* ---- what stays while others scroll ---- */

static size_t
find_name(const struct table_view *v, const char *name)
{
	for (size_t i = 0; i < v->table.place_count; i++)
		if (strcasecmp(v->table.columns.items[v->table.places[i]].name, name) == 0)
			return v->table.places[i];
	return SIZE_MAX;
}

/* The column that tells which row it is. The key of a map's row is always there. */
static size_t
column_of_names(const struct table_view *v)
{
	static const char *const names[] = { "id", "name", "key", "title" };
	size_t found = SIZE_MAX;

	if (v->table.kind == TABLE_MAP || v->table.kind == TABLE_SCALARS)
		return SIZE_MAX;
	for (size_t i = 0; i < ARRAY_LEN(names) && found == SIZE_MAX; i++)
		found = find_name(v, names[i]);
	return found == SIZE_MAX ? v->table.places[0] : found;
}

/* ---- the columns shown ---- */

static size_t *
places_in_order(const struct table_view *v, const struct taking *k, size_t *count)
{
	const struct table *t = &v->table;
	size_t *places = mem_alloc(t->columns.len * sizeof(*places));
	bool hidden[COLUMNS_MAX + 1] = { false };

	*count = 0;
	for (size_t i = 0; i < v->chosen.wishes.len; i++) {
		const struct column_wish *w = &v->chosen.wishes.items[i];
		if (w->column == SIZE_MAX)
			continue;
		hidden[w->column] = w->hidden;
		if (v->chosen.moved && !w->hidden)
			places[(*count)++] = w->column;
	}
	for (size_t i = 0; i < t->columns.len; i++)
		if (!hidden[i] && !(v->chosen.moved && k->taken[i]))
			places[(*count)++] = i;
	if (*count == 0) /* a result that has only hidden ones */
		for (; *count < t->columns.len; ++*count)
			places[*count] = *count;
	return places;
}

/* A hidden column cannot have the cursor. */
static void
keep_cursor(struct table_view *v)
{
	const struct table *t = &v->table;
	size_t place = 0;

	while (place + 1 < t->place_count && t->places[place] < v->column)
		place++;
	if (table_view_place(v, v->column) == SIZE_MAX)
		v->column = t->places[place];
	if (v->first >= t->place_count)
		v->first = 0;
	if (v->record.field >= t->columns.len)
		v->record.field = 0;
}

void
table_view_arrange(struct table_view *v)
{
	struct table *t = &v->table;
	struct taking k = { .next = 0 };
	size_t count;

	for (size_t i = 0; i < v->chosen.wishes.len; i++)
		v->chosen.wishes.items[i].column =
		    take_column(&k, t, v->chosen.wishes.items[i].name);
	size_t *places = places_in_order(v, &k, &count);
	table_arrange(t, places, count);
	size_t names = column_of_names(v);
	for (size_t i = 0; i < t->columns.len; i++) {
		t->columns.items[i].frozen = i == names;
		t->columns.items[i].asked = 0;
		t->columns.items[i].wraps = false;
	}
	for (size_t i = 0; i < v->chosen.wishes.len; i++) {
		const struct column_wish *w = &v->chosen.wishes.items[i];
		if (w->column == SIZE_MAX)
			continue;
		struct column *c = &t->columns.items[w->column];
		c->asked = w->width;
		c->wraps = w->wraps;
		c->frozen = w->freeze == FREEZE_YES || (c->frozen && w->freeze != FREEZE_NO);
	}
	keep_cursor(v);
}

size_t
table_view_place(const struct table_view *v, size_t column)
{
	for (size_t i = 0; i < v->table.place_count; i++)
		if (v->table.places[i] == column)
			return i;
	return SIZE_MAX;
}

/* ---- wishes ---- */

static int
compare_columns(const void *a, const void *b)
{
	const struct column_wish *left = a, *right = b;

	return (left->column > right->column) - (left->column < right->column);
}

struct column_wish *
table_view_wish(struct table_view *v)
{
	const struct table *t = &v->table;

	for (size_t i = 0; i < t->columns.len; i++)
		if (!wish_of(v, i))
			*VEC_PUSH(&v->chosen.wishes) =
			    (struct column_wish){ .name = mem_strdup(t->columns.items[i].name),
				    .column = i };
	return wish_of(v, v->column);
}

/* Hidden columns may stand between the two places. */
void
table_view_move(struct table_view *v, size_t place)
{
	table_view_wish(v);
	if (!v->chosen.moved) /* in the order of the columns from now on */
		qsort(v->chosen.wishes.items, v->chosen.wishes.len, sizeof(*v->chosen.wishes.items),
		    compare_columns);
	v->chosen.moved = true;
	struct column_wish *a = wish_of(v, v->column);
	struct column_wish *b = wish_of(v, v->table.places[place]);
	struct column_wish moving = *a;
	for (; a < b; a++)
		a[0] = a[1];
	for (; a > b; a--)
		a[0] = a[-1];
	*b = moving;
	table_view_arrange(v);
}

void
table_view_select(struct table_view *v, size_t column)
{
	v->column = column;
	if (table_view_place(v, column) != SIZE_MAX)
		return;
	table_view_wish(v)->hidden = false;
	table_view_arrange(v);
}

void
table_view_forget_wishes(struct table_view *v)
{
	for (size_t i = 0; i < v->chosen.wishes.len; i++)
		free(v->chosen.wishes.items[i].name);
	free(v->chosen.wishes.items);
	v->chosen.wishes.items = NULL;
	for (size_t i = 0; i < v->chosen.folded.len; i++)
		free(v->chosen.folded.items[i]);
	free(v->chosen.folded.items);
	v->chosen.folded.items = NULL;
	v->chosen.folded.len = v->chosen.folded.cap = 0;
	v->chosen.wishes.len = v->chosen.wishes.cap = 0;
	v->chosen.moved = false;
}
