/* SPDX-License-Identifier: MIT */
#include "diff_pane.h"

#include "base/glyph.h"
#include "base/vec.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

/*
 * Rows of both sides in one table: those of the second in its order, and what went where it stood.
 * A row is a node of the diff; its cells are members, compared when they are drawn.
 */
enum { COLUMNS_MOST = 200, SAMPLE = 400, WIDTH_MOST = 40, GAP = 2, MARK = 2, LATER = -1 };
enum { SEEK_CELLS = 1000 }; /* in one go */

struct changed_cell {
	const cJSON *sides[2];
	bool differs;
};

static struct changed_cell
cell_at(const struct diff_pane *p, uint32_t row, const char *name)
{
	const struct diff_node *n = &p->diff->items[row];
	struct changed_cell c = { { json_get(diff_side(p->diff, row, 0), name), NULL }, false };

	c.sides[1] = json_get(diff_side(p->diff, row, 1), name);
	for (uint32_t i = row + 1; n->kind == DIFF_INSIDE && i < n->end; i = p->diff->items[i].end)
		if (p->diff->items[i].changes > 0 && strcmp(p->diff->items[i].key, name) == 0)
			c.differs = true;
	return c;
}

/* ---- which tables there are ---- */

uint32_t
diff_main_table(const struct diff *d)
{
	uint32_t best = DIFF_NOWHERE;

	for (size_t i = 0; i < d->arrays.len; i++) {
		const struct diff_array *a = &d->arrays.items[i];
		if (a->is_table &&
		    (best == DIFF_NOWHERE || d->items[a->node].changes > d->items[best].changes))
			best = a->node;
	}
	return best;
}

uint32_t
diff_next_table(const struct diff *d, uint32_t node, int by)
{
	size_t count = d->arrays.len, at = 0;

	while (at < count && d->arrays.items[at].node < node)
		at++;
	for (size_t tried = 0; tried < count; tried++) {
		at = by > 0 ? (at + 1) % count : (at + count - 1) % count;
		if (d->arrays.items[at].is_table)
			return d->arrays.items[at].node;
	}
	return DIFF_NOWHERE;
}

/* ---- columns and rows ---- */

static struct diff_column *
find_column(struct diff_table_look *t, const char *name)
{
	for (size_t i = 0; i < t->columns.len; i++)
		if (strcmp(t->columns.items[i].name, name) == 0)
			return &t->columns.items[i];
	if (t->columns.len >= COLUMNS_MOST)
		return NULL;
	struct diff_column *c = VEC_PUSH(&t->columns);
	*c = (struct diff_column){ .name = name, .width = (int)glyph_columns(name, strlen(name)) };
	return c;
}

static void
widen(struct diff_column *c, int columns)
{
	if (columns > c->width)
		c->width = columns < WIDTH_MOST ? columns : WIDTH_MOST;
}

static int
value_columns(const cJSON *value)
{
	struct buf text = BUF_INIT;

	view_value_cut(value, WIDTH_MOST * 2, &text);
	int columns = (int)glyph_columns(buf_text(&text), text.len);
	buf_finish(&text);
	return columns;
}

/* A row of a lazy array may go, and with it the names of its members: only kept rows have columns.
 */
static void
measure_row(struct diff_pane *p, uint32_t row)
{
	const struct diff_node *n = &p->diff->items[row];

	for (int side = 0; side < 2; side++)
		for (const cJSON *m = json_first(n->side[side]); m; m = m->next) {
			struct diff_column *c = find_column(&p->table, m->string);
			if (!c)
				continue;
			widen(c, value_columns(m));
			c->numeric |= json_type(m) == JSON_NUMBER;
		}
	for (uint32_t i = row + 1; n->kind == DIFF_INSIDE && i < n->end;
	     i = p->diff->items[i].end) {
		const struct diff_node *m = &p->diff->items[i];
		struct diff_column *c = m->changes > 0 ? find_column(&p->table, m->key) : NULL;
		if (!c)
			continue;
		c->changes++;
		widen(c, diff_pair_columns(m->side[0], m->side[1]));
	}
}

/* Changes are counted in all rows; widths are measured in some. */
static void
make_columns(struct diff_pane *p)
{
	struct diff_table_look *t = &p->table;
	const struct diff_array *array = diff_array_of(p->diff, t->node);
	uint32_t end = p->diff->items[t->node].end;
	size_t measured = 0;

	t->columns.len = 0;
	if (array->key)
		find_column(t, array->key);
	for (uint32_t i = t->node + 1; i < end; i = p->diff->items[i].end)
		if (p->diff->items[i].side[1] && measured++ < SAMPLE)
			measure_row(p, i);
	for (uint32_t i = t->node + 1; i < end; i = p->diff->items[i].end)
		if (p->diff->items[i].changes > 0 && measured++ < 4 * SAMPLE)
			measure_row(p, i);
}

void
diff_table_make(struct diff_pane *p, uint32_t node)
{
	struct diff_table_look *t = &p->table;
	bool same = t->node == node && t->columns.len > 0;

	t->node = node;
	t->rows.len = 0;
	if (node == DIFF_NOWHERE)
		return;
	for (uint32_t i = node + 1; i < p->diff->items[node].end; i = p->diff->items[i].end)
		if (p->all || p->diff->items[i].changes > 0)
			*VEC_PUSH(&t->rows) = i;
	list_set_count(&t->list, t->rows.len);
	p->made++;
	if (same)
		return;
	make_columns(p);
	t->column = t->first = 0;
	list_select(&t->list, 0);
	if (t->rows.len > 0 && p->diff->items[t->rows.items[0]].kind == DIFF_INSIDE)
		diff_table_step(p, 0);
}

void
diff_table_finish(struct diff_table_look *t)
{
	free(t->columns.items);
	free(t->rows.items);
	*t = (struct diff_table_look){ .node = DIFF_NOWHERE };
}

/* ---- to a change ---- */

static bool
is_changed_at(const struct diff_pane *p, size_t row, size_t column)
{
	const struct diff_node *n = &p->diff->items[p->table.rows.items[row]];

	if (n->kind != DIFF_INSIDE)
		return column == 0 && diff_is_change(n);
	return cell_at(p, p->table.rows.items[row], p->table.columns.items[column].name).differs;
}

/* by 0: the first one in the selected row. */
bool
diff_table_step(struct diff_pane *p, int by)
{
	struct diff_table_look *t = &p->table;
	size_t row = t->list.selected, columns = t->columns.len;
	ptrdiff_t column = by == 0 ? LATER : (ptrdiff_t)t->column;

	while (row < t->rows.len && columns > 0) {
		for (column += by < 0 ? -1 : 1; column >= 0 && column < (ptrdiff_t)columns;
		     column += by < 0 ? -1 : 1)
			if (is_changed_at(p, row, (size_t)column)) {
				list_select(&t->list, row);
				t->column = (size_t)column;
				t->to_column = true;
				return true;
			}
		if (by == 0)
			return false;
		row += by < 0 ? (size_t)-1 : 1;
		column = by < 0 ? (ptrdiff_t)columns : LATER;
		while (row < t->rows.len && p->diff->items[t->rows.items[row]].changes == 0)
			row += by < 0 ? (size_t)-1 : 1;
	}
	return false;
}

uint32_t
diff_table_selected(const struct diff_pane *p)
{
	const struct diff_table_look *t = &p->table;

	if (t->list.selected >= t->rows.len || t->columns.len == 0)
		return t->node != DIFF_NOWHERE ? t->node : 0;
	uint32_t row = t->rows.items[t->list.selected];
	const struct diff_node *n = &p->diff->items[row];
	for (uint32_t i = row + 1; n->kind == DIFF_INSIDE && i < n->end; i = p->diff->items[i].end)
		if (strcmp(p->diff->items[i].key, t->columns.items[t->column].name) == 0)
			return i;
	return row;
}

bool
diff_table_key(struct diff_pane *p, const struct key *key)
{
	struct diff_table_look *t = &p->table;
	size_t last = t->columns.len > 0 ? t->columns.len - 1 : 0, before = t->column;

	uint32_t letter = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;
	if (letter == 'h' || (key->kind == KEY_LEFT && key->mods == 0))
		t->column -= t->column > 0;
	else if (letter == 'l' || (key->kind == KEY_RIGHT && key->mods == 0))
		t->column += t->column < last;
	else if (letter == '0')
		t->column = 0;
	else if (letter == '$')
		t->column = last;
	else
		return list_key(&t->list, key);
	t->to_column |= before != t->column;
	return true;
}

/* ---- searching: places are cells, row by row ---- */

static bool
cell_has(const struct diff_pane *p, uint32_t row, const char *name, const struct substring *n)
{
	struct buf text = BUF_INIT;

	for (int side = 0; side < 2; side++) {
		view_value_cut(
		    json_get(diff_side(p->diff, row, side), name), WIDTH_MOST * 4, &text);
		buf_add_char(&text, '\n');
	}
	bool has = substring_is_in(n, buf_text(&text), text.len);
	buf_finish(&text);
	return has;
}

static enum seek_result
seek_cell(const struct seekable *s, const struct substring *n, size_t *at)
{
	const struct diff_pane *p = s->with;
	const struct diff_table_look *t = &p->table;
	size_t columns = t->columns.len;

	for (size_t done = 0; *at / columns < t->rows.len; ++*at) {
		if (cell_has(
			p, t->rows.items[*at / columns], t->columns.items[*at % columns].name, n))
			return SEEK_FOUND;
		if (++done > SEEK_CELLS)
			return SEEK_MORE;
	}
	return SEEK_DONE;
}

static void
show_cell(const struct seekable *s, size_t at)
{
	struct diff_table_look *t = s->of;

	list_select(&t->list, at / t->columns.len);
	t->column = at % t->columns.len;
	t->to_column = true;
}

static size_t
place_of_cell(const struct seekable *s)
{
	const struct diff_table_look *t = s->of;

	return t->list.selected * t->columns.len + t->column;
}

static int
row_of_cell(const struct seekable *s, size_t at)
{
	const struct diff_table_look *t = s->of;
	size_t row = at / t->columns.len;

	return row < t->list.top || row - t->list.top >= (size_t)t->list.height
		   ? -1
		   : s->y + (int)(row - t->list.top);
}

struct seekable
diff_table_seek(struct diff_pane *p)
{
	return (struct seekable){
		.of = p->table.columns.len > 0 ? &p->table : NULL,
		.with = p,
		.seek = seek_cell,
		.show = show_cell,
		.place = place_of_cell,
		.row = row_of_cell,
		.y = p->top + 1,
	};
}

/* ---- drawing ---- */

/* Place the key, then the columns from `first` on that fit. */
static void
place_columns(struct diff_table_look *t, int width)
{
	if (t->first == 0)
		t->first = 1;
	if (t->column > 0 && t->column < t->first)
		t->first = t->column;
	for (; t->to_column && t->column > t->first; t->first++) {
		int used = MARK + t->columns.items[0].width + GAP;
		for (size_t i = t->first; i <= t->column; i++)
			used += t->columns.items[i].width + GAP;
		if (used - GAP <= width)
			break;
	}
	t->to_column = false;
}

static void
draw_value(struct surface cell, const struct diff_column *c, const cJSON *value, struct style style)
{
	struct buf text = BUF_INIT;

	view_value_cut(value, WIDTH_MOST * 4, &text);
	int columns = (int)glyph_columns(buf_text(&text), text.len);
	bool pads = c->numeric && json_type(value) == JSON_NUMBER && columns < cell.width;
	surface_textn(cell, pads ? cell.width - columns : 0, 0, style, buf_text(&text), text.len);
	buf_finish(&text);
}

static void
draw_cell(const struct diff_pane *p, struct surface s, uint32_t row, size_t column, bool cursor)
{
	const struct diff_column *c = &p->table.columns.items[column];
	const struct diff_node *n = &p->diff->items[row];
	struct changed_cell cell = cell_at(p, row, c->name);
	const cJSON *value = cell.sides[1] ? cell.sides[1] : cell.sides[0];
	enum role role = diff_node_role(n);
	struct style style = cursor ? style_on(ROLE_CURSOR, ROLE_CURSOR)
			     : role ? style_of(role)
				    : style_of(view_value_role(value));

	style.attr = cursor ? ATTR_IN_ROW : 0;
	if (cursor)
		surface_repeat(s, 0, 0, s.width, style, ' ');
	if (cell.differs && cell.sides[0] && cell.sides[1]) {
		diff_draw_pair(s, cell.sides[0], cell.sides[1], cursor);
		return;
	}
	if (cell.differs && !cursor) /* a member that only one of them has */
		style = style_on(
		    diff_cell_roles[cell.sides[1] != NULL], diff_cell_roles[cell.sides[1] != NULL]);
	if (!value)
		surface_text(s, 0, 0, -1, cursor ? style : style_of(ROLE_ABSENT), "·");
	else
		draw_value(s, c, value, style);
}

/* Draws a cell, or the head of a column. */
typedef void column_fn(
    const struct diff_pane *p, struct surface s, uint32_t row, size_t column, bool cursor);

/* Call draw for each column on the screen. */
static void
each_column(const struct diff_pane *p, struct surface s, int y, uint32_t row, bool selected,
    column_fn *draw)
{
	const struct diff_table_look *t = &p->table;
	int x = MARK;

	for (size_t i = 0; i < t->columns.len && x < s.width; i = i == 0 ? t->first : i + 1) {
		struct surface cell = surface_sub(s, x, y, t->columns.items[i].width, 1);
		draw(p, cell, row, i, selected && i == t->column);
		x += cell.width + GAP;
	}
}

static void
draw_head(const struct diff_pane *p, struct surface s, uint32_t row, size_t column, bool cursor)
{
	const struct diff_column *c = &p->table.columns.items[column];
	struct style style = style_of(c->changes > 0 ? ROLE_TITLE : ROLE_COLUMN);

	if (c->numeric && (int)glyph_columns(c->name, strlen(c->name)) < s.width)
		surface_text_right(s, s.width, 0, s.width, style, c->name);
	else
		surface_text(s, 0, 0, -1, style, c->name);
}

void
diff_table_draw(struct diff_pane *p, bool focused, struct surface s)
{
	struct diff_table_look *t = &p->table;
	struct surface body = surface_sub(s, 0, 1, s.width, s.height - 1);

	if (t->columns.len == 0 || s.height < 2)
		return;
	list_set_height(&t->list, body.height);
	place_columns(t, s.width);
	each_column(p, s, 0, t->node, false, draw_head);
	for (int y = 0; y < body.height && t->list.top + (size_t)y < t->rows.len; y++) {
		size_t at = t->list.top + (size_t)y;
		const struct diff_node *n = &p->diff->items[t->rows.items[at]];
		enum role role = diff_node_role(n);
		if (at == t->list.selected)
			surface_select_row(body, y, focused);
		surface_spot(body, -1, y);
		const char *mark = n->kind == DIFF_INSIDE ? "~" : diff_mark(n);
		surface_text(body, 0, y, 1, style_of(role ? role : ROLE_ACCENT), mark);
		each_column(
		    p, body, y, t->rows.items[at], focused && at == t->list.selected, draw_cell);
	}
	surface_scrollbar(body, focused, t->rows.len, t->list.top);
}
