#include "base/map.h"
#include "json/number.h"
#include "json/print.h"
#include "table_view.h"

#include <string.h>

/* Search in the cells of a table: a place is a cell, counted row by row as they are shown. */

/* Bytes, or cells, that are looked at in one go. */
#define SLICE ((size_t)20000)
#define CELL_BYTES 64 /* a longer one counts as several */

static bool
is_in_text(const struct substring *n, const cJSON *cell, size_t *done)
{
	char number[JSON_NUMBER_TEXT_MAX];
	struct buf text = BUF_INIT;
	const char *plain = json_string(cell);

	if (json_type(cell) == JSON_NUMBER)
		plain = json_number_text(cell, number);
	if (!plain && cell)
		view_value_text(cell, &text);
	if (!plain)
		plain = buf_text(&text);
	size_t len = strlen(plain);
	bool found = len >= n->len && substring_is_in(n, plain, len);
	buf_finish(&text);
	*done += 1 + len / CELL_BYTES;
	return found;
}

/* In the key of a map's row, which the first cell stands for, or in the cell. */
static bool
is_in_cell(const struct table *t, const struct substring *n, size_t at, size_t *done)
{
	size_t row = t->order[at / t->place_count], place = at % t->place_count;
	const char *key = place == 0 ? table_row_key(t, row) : NULL;

	return (key && substring_is_in(n, key, strlen(key))) ||
	       is_in_text(n, table_cell(t, row, t->places[place]), done);
}

static enum seek_result
seek_cell(const struct seekable *s, const struct substring *n, size_t *at)
{
	const struct table_view *v = s->of;
	const struct table *t = &v->table;
	size_t end = t->shown * t->place_count, done = 0;

	for (; *at < end && done < SLICE; ++*at)
		if (is_in_cell(t, n, *at, &done))
			return SEEK_FOUND;
	return *at < end ? SEEK_MORE : SEEK_DONE;
}

static void
show_cell(const struct seekable *s, size_t at)
{
	struct table_view *v = s->of;

	if (at / v->table.place_count >= v->table.shown)
		return;
	list_select(&v->list, at / v->table.place_count);
	table_view_select(v, v->table.places[at % v->table.place_count]);
	v->record.field = v->column;
}

static size_t
place_of_cursor(const struct seekable *s)
{
	const struct table_view *v = s->of;
	size_t place = table_view_place(v, v->column);

	return v->list.selected * v->table.place_count + (place == SIZE_MAX ? 0 : place);
}

static int
row_of_cell(const struct seekable *s, size_t at)
{
	const struct table_view *v = s->of;
	int line = table_line_of(v, at / v->table.place_count);

	return line < 0 ? -1 : 1 + line;
}

/* Places are void if other rows or columns are shown, or the same in another order. */
static uint64_t
version_of(const struct table_view *v)
{
	const struct table *t = &v->table;
	uint64_t hash = hash_mix((uintptr_t)t->order, t->shown);

	for (size_t i = 0; i < t->key_count; i++)
		hash = hash_mix(hash, 2 * t->keys[i].column + t->keys[i].descending);
	for (size_t i = 0; i < t->place_count; i++)
		hash = hash_mix(hash, t->places[i]);
	return hash;
}

bool
table_view_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct table_view *v = state;

	if (v->spot >= v->spots.len || v->table.place_count == 0)
		return false;
	*out = (struct seekable){
		.of = v,
		.version = version_of(v),
		.seek = seek_cell,
		.show = show_cell,
		.place = place_of_cursor,
		.row = row_of_cell,
	};
	return true;
}
