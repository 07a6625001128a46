/* SPDX-License-Identifier: MIT */
#include "base/map.h"
#include "json/number.h"
#include "json/pointer.h"
#include "table_view.h"

#include <string.h>

/* ---- search: a place is the number of a cell, counted row by row in the order shown ---- */

#define SLICE ((size_t)20000) /* cells searched at a time */
#define CELL_BYTES 64         /* a longer cell counts as several */

static bool
is_in_text(const struct substring *n, const cJSON *cell, size_t *done)
{
	char number[JSON_NUMBER_TEXT_MAX];
	struct buf text = BUF_INIT;
	const char *plain = cJSON_GetStringValue(cell);

	if (cJSON_IsNumber(cell))
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

/* The key of a map's row belongs to its first cell. */
static enum seek_result
seek_cell(const struct seekable *s, const struct substring *n, size_t *at)
{
	const struct table_view *v = s->of;
	const struct table *t = &v->table;
	size_t end = t->shown * t->place_count, done = 0;

	for (; *at < end && done < SLICE; ++*at) {
		size_t row = t->order[*at / t->place_count], place = *at % t->place_count;
		const char *key = place == 0 ? table_row_key(t, row) : NULL;
		if ((key && substring_is_in(n, key, strlen(key))) ||
		    is_in_text(n, table_cell(t, row, t->places[place]), &done))
			return SEEK_FOUND;
	}
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
	size_t shown = at / v->table.place_count;
	int line = 1; /* below the head */

	if (shown < v->list.top || shown - v->list.top >= (size_t)v->list.height)
		return -1;
	for (size_t i = v->list.top; i < shown; i++)
		line += table_row_lines(v, i);
	return line;
}

bool
table_view_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct table_view *v = state;
	const struct table *t = &v->table;

	if (v->spot >= v->spots.len || t->place_count == 0)
		return false;
	/* places become invalid when the rows, the columns or their order change */
	uint64_t version = hash_mix((uintptr_t)t->order, t->shown);
	for (size_t i = 0; i < t->key_count; i++)
		version = hash_mix(version, 2 * t->keys[i].column + t->keys[i].descending);
	for (size_t i = 0; i < t->place_count; i++)
		version = hash_mix(version, t->places[i]);
	*out = (struct seekable){
		.of = v,
		.version = version,
		.seek = seek_cell,
		.show = show_cell,
		.place = place_of_cursor,
		.row = row_of_cell,
	};
	return true;
}

/* ---- keys ---- */

/* Return false if there is no column to the left. */
static bool
move_column(struct table_view *v, int by)
{
	size_t place = table_view_place(v, v->column);
	bool moves = by < 0 ? place > 0 : place + 1 < v->table.place_count;

	if (moves)
		v->column = v->table.places[by < 0 ? place - 1 : place + 1];
	return moves || by > 0;
}

/* Return false if the cell was already selected. */
static bool
click(struct table_view *v, const struct key *key)
{
	size_t row = v->list.top, before = v->list.selected;
	int line = 0; /* the last of the row; 0: the head */

	if (key->y < 0 || key->y > v->lines.room)
		return true;
	for (; key->y > 0 && row < v->table.shown; row++) {
		line += table_row_lines(v, row);
		if (line >= key->y)
			break;
	}
	if (key->y > line)
		return true;
	if (key->y > 0)
		list_select(&v->list, row);
	for (size_t i = 0; i < v->slots.len; i++) {
		const struct table_slot *slot = &v->slots.items[i];
		if (key->x < slot->x || key->x >= slot->x + slot->width + GAP)
			continue;
		bool again = v->column == slot->column && v->list.selected == before;
		v->column = slot->column;
		if (key->y == 0)
			table_view_turn_column(
			    v, v->column, (key->mods & (MOD_CTRL | MOD_ALT)) != 0);
		return key->y == 0 || !again;
	}
	return true;
}

static bool
mouse(struct table_view *v, const struct key *key)
{
	switch (key->action) {
	case MOUSE_PRESS:
		return click(v, key);
	case MOUSE_WHEEL_UP:
		list_scroll(&v->list, -3);
		return true;
	case MOUSE_WHEEL_DOWN:
		list_scroll(&v->list, 3);
		return true;
	case MOUSE_WHEEL_LEFT:
		move_column(v, -1);
		return true;
	case MOUSE_WHEEL_RIGHT:
		move_column(v, 1);
		return true;
	default:
		return false;
	}
}

bool
table_view_key(void *state, const struct view_env *env, const struct key *key)
{
	struct table_view *v = state;
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;

	if (v->spot >= v->spots.len)
		return false;
	if (v->record.open && key->kind != KEY_MOUSE)
		return table_record_key(v, env, key);
	if (key->kind == KEY_ESCAPE && table_view_escape(v, env))
		return true;
	bool in_record = v->record.open && key->x >= v->record.x && key->y >= v->record.y;
	if (key->kind == KEY_MOUSE && in_record)
		return table_record_mouse(v, key);
	if (key->kind == KEY_MOUSE)
		return mouse(v, key);
	if ((key->kind == KEY_UP || key->kind == KEY_DOWN) && key->mods == MOD_SHIFT)
		table_select_step(v, key->kind == KEY_UP ? -1 : 1);
	else if (key->kind == KEY_LEFT || ch == 'h')
		return move_column(v, -1);
	else if (key->kind == KEY_RIGHT || ch == 'l')
		move_column(v, 1);
	else if (ch == '0')
		v->column = v->table.places[0];
	else if (ch == '$')
		v->column = v->table.places[v->table.place_count - 1];
	else
		return list_key(&v->list, key);
	return true;
}

/* ---- pointers ---- */

const cJSON *
table_view_selected(void *state, const struct view_env *env, struct buf *pointer)
{
	struct table_view *v = state;

	if (v->spot >= v->spots.len || v->list.selected >= v->table.shown)
		return NULL;
	size_t row = v->table.order[v->list.selected];
	size_t column = v->record.open ? v->record.field : v->column;
	const struct column *c = &v->table.columns.items[column];
	buf_add_str(pointer, v->spots.items[v->spot].pointer);
	bool is_joined = v->levels.len > 0 && table_view_level(v)->is_joined;
	if (is_joined && c->depth > 0)
		json_pointer_add_key(pointer, c->path[0]);
	if (v->table.kind == TABLE_MAP)
		json_pointer_add_key(pointer, table_row_key(&v->table, row));
	else if (v->table.kind != TABLE_RECORD)
		json_pointer_add_index(pointer, row);
	if (c->depth == 0) /* the row, even if its members are flattened into columns */
		return table_row(&v->table, row);
	if (v->table.kind == TABLE_ARRAYS)
		json_pointer_add_index(pointer, c->index);
	const cJSON *node = table_row(&v->table, row);
	for (int i = 0; i < c->depth && c->path[i] && !cJSON_IsNull(node); i++) {
		if (i > 0 || !is_joined)
			json_pointer_add_key(pointer, c->path[i]);
		node = json_get(node, c->path[i]);
	}
	return table_cell(&v->table, row, column);
}

static size_t
place_of_row(const struct table *t, size_t row)
{
	size_t shown = 0;

	while (shown < t->shown && t->order[shown] != row)
		shown++;
	return shown;
}

static void
select_cell(struct table_view *v, size_t row, size_t column)
{
	table_complete(&v->table);
	size_t shown = place_of_row(&v->table, row);

	if (shown == v->table.shown) { /* filtered away */
		table_view_filter(v, NULL);
		table_complete(&v->table);
		list_set_count(&v->list, v->table.shown);
		shown = place_of_row(&v->table, row);
	}
	list_select(&v->list, shown);
	table_view_select(v, column == SIZE_MAX ? v->table.places[0] : column);
	v->record.field = v->column;
}

/* Return whether the pointer leads to a row of the table, or into one. */
static bool
is_inside(const struct table_spot *spot, const char *pointer)
{
	size_t len = strlen(spot->pointer), index;
	struct buf token = BUF_INIT;

	if (strncmp(pointer, spot->pointer, len) != 0 || pointer[len] != '/')
		return false;
	pointer += len;
	bool found = json_pointer_next(&pointer, &token);
	if (found && spot->kind != TABLE_RECORD)
		found = spot->kind == TABLE_MAP
			    ? json_get(spot->node, buf_text(&token)) != NULL
			    : json_pointer_index(buf_text(&token), json_count(spot->node), &index);
	buf_finish(&token);
	return found;
}

/* Select the cell in the innermost table that has its row. */
bool
table_view_reveal(void *state, const struct view_env *env, const char *pointer)
{
	struct table_view *v = state;
	size_t row, column;

	bool in_sheet = false;
	for (size_t i = 0; i < v->levels.len; i++)
		in_sheet |= v->levels.items[i].sheet != NULL;
	if (in_sheet || (v->levels.len > 0 && !is_inside(&v->spots.items[v->spot], pointer))) {
		size_t outer = v->levels.items[0].spot;
		table_finish(&v->table);
		table_view_drop_levels(v);
		table_view_show(v, env, outer);
	}
	for (size_t i = v->spots.len; i-- > 0;) {
		size_t len = strlen(v->spots.items[i].pointer);
		if (!is_inside(&v->spots.items[i], pointer))
			continue;
		if (i != v->spot)
			table_view_show(v, env, i);
		if (!table_find_pointer(&v->table, pointer + len, &row, &column))
			continue;
		select_cell(v, row, column);
		return true;
	}
	return false;
}
