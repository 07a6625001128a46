/* SPDX-License-Identifier: MIT */
#include "diff_pane.h"

#include "base/glyph.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The looks of a diff: rows of both sides in one table, a tree of the nodes, and two texts. */

const enum role diff_roles[2] = { ROLE_REMOVED, ROLE_ADDED };
static const enum role diff_cell_roles[2] = { ROLE_REMOVED_CELL, ROLE_ADDED_CELL };

/* Bytes of a value on a line. */
enum { BRIEF = 300, INDENT = 2 };

/* The role of a whole line; ROLE_NONE: none. */
static enum role
diff_node_role(const struct diff_node *n)
{
	if (n->kind == DIFF_ADDED)
		return ROLE_ADDED;
	return n->kind == DIFF_REMOVED ? ROLE_REMOVED : ROLE_NONE;
}

/* ---- two values on one line ---- */

/* Write both values briefly; long strings that begin alike from before their difference on. */
static void
write_pair(struct buf texts[2], const cJSON *a, const cJSON *b, int max_cols)
{
	enum { BEFORE = 8, LOOKED_AT = 64 << 10 /* bytes, at each frame */ };
	const cJSON *values[2] = { a, b };

	texts[0] = texts[1] = (struct buf)BUF_INIT;
	if (cJSON_GetStringValue(a) && cJSON_GetStringValue(b)) {
		const char *strings[2] = { a->valuestring, b->valuestring };
		const size_t lens[2] = { strnlen(strings[0], LOOKED_AT),
			strnlen(strings[1], LOOKED_AT) };
		struct diff_span span = diff_span(strings, lens);
		size_t most = max_cols > 0 ? (size_t)max_cols / 2 : 0;
		if (span.from > BEFORE && (lens[0] > most || lens[1] > most)) {
			size_t from = span.from - BEFORE;
			while (from > 0 && ((unsigned char)strings[0][from] & 0xc0) == 0x80)
				from--;
			for (int i = 0; i < 2; i++) {
				buf_add_str(&texts[i], "…");
				buf_add(&texts[i], strings[i] + from,
				    strnlen(strings[i] + from, BRIEF));
			}
			return;
		}
	}
	for (int i = 0; i < 2; i++)
		view_value_cut(values[i], BRIEF, &texts[i]);
}

static int
diff_looks_columns_of(const struct buf *text)
{
	return (int)glyph_columns(buf_text(text), text->len);
}

/* The new value matters most: it gets half of the columns, and those that the old value leaves. */
int
diff_draw_pair(struct surface s, const cJSON *a, const cJSON *b, bool cursor)
{
	struct buf texts[2];
	int x = 0;

	write_pair(texts, a, b, s.width);
	int room = s.width - 3, old = diff_looks_columns_of(&texts[0]),
	    new = diff_looks_columns_of(&texts[1]);
	if (old + new > room && old > room / 2)
		old = new < room - room / 2 ? room - new : room / 2;
	for (int i = 0; i < 2; i++) {
		struct style style = cursor ? style_on(ROLE_CURSOR, ROLE_CURSOR)
					    : style_on(diff_cell_roles[i], diff_cell_roles[i]);
		style.attr = cursor ? ATTR_IN_ROW : 0;
		int left = i == 0 ? old : s.width;
		x += surface_textn(
		    surface_sub(s, x, 0, left, 1), 0, 0, style, buf_text(&texts[i]), texts[i].len);
		if (i == 0)
			x += surface_text(s, x, 0, 3, cursor ? style : style_of(ROLE_DIM), " → ");
	}
	buf_finish(&texts[0]);
	buf_finish(&texts[1]);
	return x;
}

/*
 * ---- the table ----
 *
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

/* A row of a lazy array may go, and with it the names of its members: only kept rows have columns.
 */
static void
measure_row(struct diff_pane *p, uint32_t row)
{
	const struct diff_node *n = &p->diff->items[row];
	struct buf text = BUF_INIT;

	for (int side = 0; side < 2; side++)
		for (const cJSON *m = json_first(n->side[side]); m; m = m->next) {
			struct diff_column *c = find_column(&p->table, m->string);
			if (!c)
				continue;
			view_value_cut(m, WIDTH_MOST * 2, &text);
			widen(c, diff_looks_columns_of(&text));
			buf_clear(&text);
			c->numeric |= json_type(m) == JSON_NUMBER;
		}
	for (uint32_t i = row + 1; n->kind == DIFF_INSIDE && i < n->end;
	     i = p->diff->items[i].end) {
		const struct diff_node *m = &p->diff->items[i];
		struct diff_column *c = m->changes > 0 ? find_column(&p->table, m->key) : NULL;
		if (!c)
			continue;
		c->changes++;
		struct buf texts[2];
		write_pair(texts, m->side[0], m->side[1], 60);
		widen(c, diff_looks_columns_of(&texts[0]) + 3 +
			     diff_looks_columns_of(&texts[1])); /* "old → new" */
		buf_finish(&texts[0]);
		buf_finish(&texts[1]);
	}
	buf_finish(&text);
}

static bool
is_changed_at(const struct diff_pane *p, size_t row, size_t column)
{
	const struct diff_node *n = &p->diff->items[p->table.rows.items[row]];

	if (n->kind != DIFF_INSIDE)
		return column == 0 && diff_is_change(n);
	return cell_at(p, p->table.rows.items[row], p->table.columns.items[column].name).differs;
}

/* by 0: the first one in the selected row. */
static bool
table_step(struct diff_pane *p, int by)
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
	const struct diff_array *array = diff_array_of(p->diff, node);
	uint32_t end = p->diff->items[node].end;
	size_t measured = 0;
	t->columns.len = 0;
	if (array->key)
		find_column(t, array->key);
	/* Changes are counted in all rows; widths are measured in some. */
	for (uint32_t i = node + 1; i < end; i = p->diff->items[i].end)
		if (p->diff->items[i].side[1] && measured++ < SAMPLE)
			measure_row(p, i);
	for (uint32_t i = node + 1; i < end; i = p->diff->items[i].end)
		if (p->diff->items[i].changes > 0 && measured++ < 4 * SAMPLE)
			measure_row(p, i);
	t->column = t->first = 0;
	list_select(&t->list, 0);
	if (t->rows.len > 0 && p->diff->items[t->rows.items[0]].kind == DIFF_INSIDE)
		table_step(p, 0);
}

static uint32_t
table_selected(const struct diff_pane *p)
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

/* Places of a search are cells, row by row. */
static enum seek_result
seek_cell(const struct seekable *s, const struct substring *n, size_t *at)
{
	const struct diff_pane *p = s->with;
	const struct diff_table_look *t = &p->table;
	size_t columns = t->columns.len;

	for (size_t done = 0; *at / columns < t->rows.len; ++*at) {
		struct buf text = BUF_INIT;
		for (int side = 0; side < 2; side++) {
			const cJSON *row = diff_side(p->diff, t->rows.items[*at / columns], side);
			view_value_cut(json_get(row, t->columns.items[*at % columns].name),
			    WIDTH_MOST * 4, &text);
			buf_add_char(&text, '\n');
		}
		bool found = substring_is_in(n, buf_text(&text), text.len);
		buf_finish(&text);
		if (found)
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
	if (!value) {
		surface_text(s, 0, 0, -1, cursor ? style : style_of(ROLE_ABSENT), "·");
		return;
	}
	struct buf text = BUF_INIT;
	view_value_cut(value, WIDTH_MOST * 4, &text);
	int columns = diff_looks_columns_of(&text);
	bool pads = c->numeric && json_type(value) == JSON_NUMBER && columns < s.width;
	surface_textn(s, pads ? s.width - columns : 0, 0, style, buf_text(&text), text.len);
	buf_finish(&text);
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
diff_looks_draw_head(
    const struct diff_pane *p, struct surface s, uint32_t row, size_t column, bool cursor)
{
	const struct diff_column *c = &p->table.columns.items[column];
	struct style style = style_of(c->changes > 0 ? ROLE_TITLE : ROLE_COLUMN);

	if (c->numeric && (int)glyph_columns(c->name, strlen(c->name)) < s.width)
		surface_text_right(s, s.width, 0, s.width, style, c->name);
	else
		surface_text(s, 0, 0, -1, style, c->name);
}

static void
table_draw(struct diff_pane *p, bool focused, struct surface s)
{
	struct diff_table_look *t = &p->table;
	struct surface body = surface_sub(s, 0, 1, s.width, s.height - 1);

	if (t->columns.len == 0 || s.height < 2)
		return;
	list_set_height(&t->list, body.height);
	/* Place the key, then the columns from `first` on that fit. */
	if (t->first == 0)
		t->first = 1;
	if (t->column > 0 && t->column < t->first)
		t->first = t->column;
	for (; t->to_column && t->column > t->first; t->first++) {
		int used = MARK + t->columns.items[0].width + GAP;
		for (size_t i = t->first; i <= t->column; i++)
			used += t->columns.items[i].width + GAP;
		if (used - GAP <= s.width)
			break;
	}
	t->to_column = false;
	each_column(p, s, 0, t->node, false, diff_looks_draw_head);
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

/* ---- the tree: a line for each node ---- */

static void
flush_rest(struct diff_tree_look *t, uint32_t *rest, int depth)
{
	if (*rest > 0)
		*VEC_PUSH(&t->lines) = (struct diff_tree_line){ 0, *rest, depth };
	*rest = 0;
}

void
diff_tree_make(struct diff_pane *p)
{
	struct diff_tree_look *t = &p->tree;
	struct {
		uint32_t *items;
		size_t len, cap;
	} open = { 0 }; /* the ends of the open nodes */
	uint32_t rest = 0, next;

	t->lines.len = 0;
	for (uint32_t i = 0; i < p->diff->len; i = next) {
		const struct diff_node *n = &p->diff->items[i];
		while (open.len > 0 && open.items[open.len - 1] <= i) {
			flush_rest(t, &rest, (int)open.len);
			open.len--;
		}
		next = i + 1;
		if (n->changes == 0 && !p->all && i > 0) {
			rest++;
			next = n->end;
			continue;
		}
		flush_rest(t, &rest, (int)open.len);
		*VEC_PUSH(&t->lines) = (struct diff_tree_line){ i, 0, (int)open.len };
		if (n->end > i + 1)
			*VEC_PUSH(&open) = n->end;
	}
	for (; open.len > 0; open.len--)
		flush_rest(t, &rest, (int)open.len);
	free(open.items);
	list_set_count(&t->list, t->lines.len);
	p->made++;
}

static uint32_t
tree_selected(const struct diff_pane *p)
{
	const struct diff_tree_look *t = &p->tree;

	return t->list.selected < t->lines.len && t->lines.items[t->list.selected].rest == 0
		   ? t->lines.items[t->list.selected].node
		   : 0;
}

void
diff_tree_select(struct diff_pane *p, uint32_t node)
{
	const struct diff_tree_look *t = &p->tree;
	size_t found = 0;

	for (size_t i = 0; i < t->lines.len; i++) { /* a rest line has no node */
		if (t->lines.items[i].rest > 0)
			continue;
		if (t->lines.items[i].node > node)
			break;
		found = i;
	}
	list_select(&p->tree.list, found);
}

static bool
tree_step(struct diff_pane *p, int by)
{
	struct diff_tree_look *t = &p->tree;

	for (size_t i = t->list.selected; (by > 0 ? ++i : --i) < t->lines.len;) {
		const struct diff_tree_line *line = &t->lines.items[i];
		if (line->rest > 0 || !diff_is_change(&p->diff->items[line->node]))
			continue;
		list_select(&t->list, i);
		return true;
	}
	return false;
}

static void
tree_row_text(const struct seekable *s, size_t row, struct buf *out)
{
	const struct diff_pane *p = s->with;
	const struct diff_tree_line *line = &p->tree.lines.items[row];
	const struct diff_node *n = &p->diff->items[line->node];

	if (line->rest > 0)
		return;
	const struct diff_array *array = line->node > 0 ? diff_array_of(p->diff, n->parent) : NULL;
	if (n->key)
		buf_addf(out, "%s\n", n->key);
	for (int side = 0; side < 2; side++) {
		const cJSON *value = diff_side(p->diff, line->node, side);
		if (array && array->key)
			view_value_cut(json_get(value, array->key), 80, out);
		buf_add_char(out, '\n');
		if (n->kind != DIFF_INSIDE)
			view_value_cut(value, BRIEF, out);
		buf_add_char(out, '\n');
	}
}

/* The key's value for a row of a table, the name of a member, the number of an item. */
static int
draw_name(const struct diff_pane *p, struct surface s, int x, int y, uint32_t index, enum role role)
{
	const struct diff_node *n = &p->diff->items[index];
	const struct diff_array *array = index > 0 ? diff_array_of(p->diff, n->parent) : NULL;
	int start = x;

	if (index == 0)
		return 0;
	if (n->key)
		return surface_text(
			   s, x, y, s.width / 2, style_of(role ? role : ROLE_KEY_NAME), n->key) +
		       2;
	if (!array || !array->key) {
		uint32_t at = n->at[1] != DIFF_NOWHERE ? n->at[1] : n->at[0];
		return surface_textf(s, x, y, -1, style_of(role ? role : ROLE_DIM), "%u", at) + 2;
	}
	int side = n->at[1] != DIFF_NOWHERE;
	const cJSON *value = json_get(diff_side(p->diff, index, side), array->key);
	x += surface_text(s, x, y, s.width / 4, style_of(role ? role : ROLE_DIM), array->key) + 1;
	struct buf text = BUF_INIT;
	view_value_cut(value, 80, &text);
	x += surface_text(s, x, y, s.width / 3, style_of(role ? role : ROLE_KEY_NAME),
		 text.len > 0 ? buf_text(&text) : "·") +
	     2;
	buf_finish(&text);
	return x - start;
}

static void
draw_node(const struct diff_pane *p, struct surface s, int x, int y, uint32_t index)
{
	const struct diff_node *n = &p->diff->items[index];
	enum role role = diff_node_role(n);
	const cJSON *a = diff_side(p->diff, index, 0), *b = diff_side(p->diff, index, 1);
	struct buf text = BUF_INIT;

	x += draw_name(p, s, x, y, index, role);
	if (n->moved)
		x += surface_textf(s, x, y, -1, style_of(ROLE_ACCENT), "moved from %u to %u",
			 n->at[0], n->at[1]) +
		     2;
	if (n->kind == DIFF_CHANGED) {
		diff_draw_pair(surface_sub(s, x, y, s.width, 1), a, b, false);
	} else if (n->kind == DIFF_INSIDE) {
		const struct diff_array *array = diff_array_of(p->diff, index);
		bool object = json_type(n->side[0]) == JSON_OBJECT;
		size_t counts[2] = { json_count(n->side[0]), json_count(n->side[1]) };
		buf_addf(&text, object ? "{%zu}" : "[%zu]", counts[0]);
		if (counts[0] != counts[1])
			buf_addf(&text, object ? " → {%zu}" : " → [%zu]", counts[1]);
		buf_addf(&text, "  %s change%s", units_count(n->changes).text, plural(n->changes));
		if (array && array->is_table)
			buf_addf(&text, ", rows %s %s", array->key ? "by" : "in order",
			    array->key ? array->key : "");
		surface_text(s, x, y, -1, style_of(ROLE_DIM), buf_text(&text));
	} else {
		a = n->kind == DIFF_ADDED ? b : a;
		view_value_cut(a, BRIEF, &text);
		enum role value = n->kind == DIFF_SAME ? ROLE_HINT : role;
		surface_text(s, x, y, -1, style_of(value), buf_text(&text));
	}
	buf_finish(&text);
}

static void
tree_draw(struct diff_pane *p, bool focused, struct surface s)
{
	struct diff_tree_look *t = &p->tree;

	list_set_height(&t->list, s.height);
	for (int y = 0; y < s.height && t->list.top + (size_t)y < t->lines.len; y++) {
		size_t row = t->list.top + (size_t)y;
		const struct diff_tree_line *line = &t->lines.items[row];
		int x = 2 + line->depth * INDENT;
		if (row == t->list.selected)
			surface_select_row(s, y, focused);
		surface_spot(s, -1, y);
		if (line->rest > 0) {
			surface_textf(s, x, y, -1, style_of(ROLE_HINT), "… %s the same",
			    units_count(line->rest).text);
			continue;
		}
		const struct diff_node *n = &p->diff->items[line->node];
		enum role role = diff_node_role(n);
		surface_text(s, 0, y, 1, style_of(role ? role : ROLE_ACCENT), diff_mark(n));
		draw_node(p, s, x, y, line->node);
	}
	surface_scrollbar(s, focused, t->lines.len, t->list.top);
}

/* ---- the text: strings unchanged, all else as formatted JSON ---- */

enum { BYTES_MOST = 4 << 20, BESIDE_FROM = 100, CONTEXT = 3 };

static void
write_side(struct diff_text_look *t, int side, const cJSON *value, bool as_string)
{
	struct buf *out = &t->texts[side];

	buf_clear(out);
	if (as_string && cJSON_GetStringValue(value)) {
		size_t len = strlen(value->valuestring);
		t->is_cut |= len > BYTES_MOST;
		buf_add(out, value->valuestring, len < BYTES_MOST ? len : BYTES_MOST);
	} else if (value) {
		t->is_cut |= !json_print_some(out, value, 2, BYTES_MOST, NULL);
	}
	buf_add_str(out, "");
}

void
diff_text_make(struct diff_pane *p, uint32_t node)
{
	struct diff_text_look *t = &p->text;
	const cJSON *a = diff_side(p->diff, node, 0), *b = diff_side(p->diff, node, 1);
	bool strings = (!a || cJSON_GetStringValue(a)) && (!b || cJSON_GetStringValue(b));

	t->node = node;
	t->is_cut = t->made = false;
	write_side(t, 0, a, strings);
	write_side(t, 1, b, strings);
	const char *texts[2] = { buf_text(&t->texts[0]), buf_text(&t->texts[1]) };
	const size_t lens[2] = { t->texts[0].len, t->texts[1].len };
	diff_lines_finish(&t->lines);
	diff_lines_make(&t->lines, texts, lens, NULL);
	list_select(&t->list, 0);
}

static void
push_row(struct diff_text_look *t, size_t line, size_t rest, int side)
{
	*VEC_PUSH(&t->rows) = (struct diff_text_row){ (uint32_t)line, (uint32_t)rest, side };
}

/* Push equal lines: all, or only a few around the differences. */
static void
push_same(struct diff_text_look *t, size_t from, size_t end, bool all)
{
	size_t head = from > 0 ? CONTEXT : 0, tail = end < t->lines.len ? CONTEXT : 0;

	if (all || end - from <= head + tail + 1) {
		head = end - from;
		tail = 0;
	}
	for (size_t i = from; i < from + head; i++)
		push_row(t, i, 0, -1);
	if (from + head + tail < end)
		push_row(t, from + head, end - from - head - tail, -1);
	for (size_t i = end - tail; i < end; i++)
		push_row(t, i, 0, -1);
}

static void
make_rows(struct diff_pane *p)
{
	struct diff_text_look *t = &p->text;

	t->rows.len = 0;
	for (size_t i = 0, end; i < t->lines.len; i = end) {
		bool same = t->lines.items[i].same;
		for (end = i; end < t->lines.len && t->lines.items[end].same == same;)
			end++;
		if (same) {
			push_same(t, i, end, p->all);
			continue;
		}
		/* Below each other, the lines of the first side come first. */
		for (int side = 0; side < (t->beside ? 1 : 2); side++)
			for (size_t at = i; at < end; at++)
				if (t->beside || t->lines.items[at].at[side] != DIFF_NOWHERE)
					push_row(t, at, 0, t->beside ? -1 : side);
	}
	t->made = true;
	p->made++;
	list_set_count(&t->list, t->rows.len);
}

static bool
is_change(const struct diff_text_look *t, size_t row)
{
	return t->rows.items[row].rest == 0 && !t->lines.items[t->rows.items[row].line].same;
}

/* To the first line of the next change. */
static bool
text_step(struct diff_pane *p, int by)
{
	struct diff_text_look *t = &p->text;
	size_t i = t->list.selected;

	while ((by > 0 ? ++i : --i) < t->rows.len)
		if (is_change(t, i) && (i == 0 || !is_change(t, i - 1))) {
			list_select(&t->list, i);
			return true;
		}
	return false;
}

static uint32_t
text_selected(const struct diff_pane *p)
{
	return p->look == LOOK_TEXT ? p->text.node : 0;
}

static void
text_row_text(const struct seekable *s, size_t row, struct buf *out)
{
	const struct diff_text_look *t = s->of;
	const struct diff_text_row *at = &t->rows.items[row];
	const struct diff_line *line = &t->lines.items[at->line];

	for (int side = 0; side < 2 && at->rest == 0; side++) {
		size_t len;
		if (line->at[side] == DIFF_NOWHERE || at->side == !side)
			continue;
		const char *text = diff_line_text(&t->lines, side, line->at[side], &len);
		buf_add(out, text, len);
		buf_add_char(out, '\n');
	}
}

static void
draw_number(struct surface s, int x, int y, int columns, uint32_t line)
{
	char text[24];

	if (line == DIFF_NOWHERE)
		return;
	snprintf(text, sizeof(text), "%u", line + 1);
	surface_text_right(s, x + columns, y, columns, style_of(ROLE_HINT), text);
}

/* A changed line: the part that differs from its other side on a ground. */
static void
draw_line(const struct diff_text_look *t, struct surface s, const struct diff_line *line, int side)
{
	const char *texts[2] = { "", "" };
	size_t lens[2] = { 0, 0 };
	bool both = line->at[0] != DIFF_NOWHERE && line->at[1] != DIFF_NOWHERE;

	if (line->at[side] == DIFF_NOWHERE)
		return;
	for (int i = 0; i < 2; i++)
		if (line->at[i] != DIFF_NOWHERE)
			texts[i] = diff_line_text(&t->lines, i, line->at[i], &lens[i]);
	if (line->same || !both) {
		struct style style = style_of(line->same ? ROLE_TEXT : diff_roles[side]);
		surface_textn(s, 0, 0, style, texts[side], lens[side]);
		return;
	}
	struct diff_span span = diff_span(texts, lens);
	const char *text = texts[side];
	int x = surface_textn(s, 0, 0, style_of(diff_roles[side]), text, span.from);
	x += surface_textn(s, x, 0, style_on(diff_cell_roles[side], diff_cell_roles[side]),
	    text + span.from, span.ends[side] - span.from);
	surface_textn(s, x, 0, style_of(diff_roles[side]), text + span.ends[side],
	    lens[side] - span.ends[side]);
}

static void
draw_beside(const struct diff_text_look *t, struct surface s, int y, int numbers,
    const struct diff_line *line)
{
	int half = s.width / 2;

	for (int side = 0; side < 2; side++) {
		int x = side * half + (side > 0);
		draw_number(s, x, y, numbers, line->at[side]);
		const char *mark = line->same || line->at[side] == DIFF_NOWHERE ? " "
				   : side == 0                                  ? "-"
										: "+";
		surface_text(s, x + numbers + 1, y, 1, style_of(diff_roles[side]), mark);
		draw_line(t, surface_sub(s, x + numbers + 3, y, half - numbers - 5, 1), line, side);
	}
	surface_put(s, half - 1, y, style_of(ROLE_BORDER), 0x2502);
}

static void
draw_below(const struct diff_text_look *t, struct surface s, int y, int numbers,
    const struct diff_text_row *row)
{
	const struct diff_line *line = &t->lines.items[row->line];
	int side = row->side < 0 ? 1 : row->side;

	draw_number(s, 0, y, numbers, line->same || side == 0 ? line->at[0] : DIFF_NOWHERE);
	draw_number(
	    s, numbers + 1, y, numbers, line->same || side == 1 ? line->at[1] : DIFF_NOWHERE);
	const char *mark = row->side == 0 ? "-" : row->side == 1 ? "+" : " ";
	surface_text(s, 2 * numbers + 2, y, 1, style_of(diff_roles[side]), mark);
	int x = 2 * numbers + 4;
	draw_line(t, surface_sub(s, x, y, s.width - x, 1), line, side);
}

static void
text_draw(struct diff_pane *p, bool focused, struct surface s)
{
	struct diff_text_look *t = &p->text;
	size_t counts[2] = { t->lines.texts[0].count, t->lines.texts[1].count };
	bool beside = s.width >= BESIDE_FROM && !p->below && counts[0] > 0 && counts[1] > 0;
	int numbers = snprintf(NULL, 0, "%zu", counts[0] > counts[1] ? counts[0] : counts[1]);

	if (!t->made || beside != t->beside) {
		t->beside = beside;
		make_rows(p);
		if (t->rows.len > 0 && !is_change(t, t->list.selected))
			text_step(p, 1);
	}
	list_set_height(&t->list, s.height);
	for (int y = 0; y < s.height && t->list.top + (size_t)y < t->rows.len; y++) {
		size_t at = t->list.top + (size_t)y;
		const struct diff_text_row *row = &t->rows.items[at];
		if (at == t->list.selected)
			surface_select_row(s, y, focused);
		surface_spot(s, -1, y);
		if (row->rest > 0)
			surface_textf(
			    s, 2, y, -1, style_of(ROLE_HINT), "… %u lines the same", row->rest);
		else if (t->beside)
			draw_beside(t, s, y, numbers, &t->lines.items[row->line]);
		else
			draw_below(t, s, y, numbers, row);
	}
	surface_scrollbar(s, focused, t->rows.len, t->list.top);
}

/* ---- all looks ---- */

const struct diff_look_ops diff_looks[DIFF_LOOKS] = {
	[LOOK_TABLE] = { "table", table_draw, table_step, table_selected },
	[LOOK_TREE] = { "tree", tree_draw, tree_step, tree_selected },
	[LOOK_TEXT] = { "text", text_draw, text_step, text_selected },
	[LOOK_WORDS] = { "definition", NULL, NULL, text_selected },
};

struct seekable
diff_seek(struct diff_pane *p)
{
	switch (p->look) {
	case LOOK_TABLE:
		return (struct seekable){
			.of = p->table.columns.len > 0 ? &p->table : NULL,
			.with = p,
			.seek = seek_cell,
			.show = show_cell,
			.place = place_of_cell,
			.row = row_of_cell,
			.y = p->top + 1,
		};
	case LOOK_TREE:
		return seek_list(&p->tree.list, p->top, &p->tree, p, tree_row_text);
	case LOOK_TEXT:
		return seek_list(&p->text.list, p->top, &p->text, p, text_row_text);
	default:
		return seek_page(&p->words);
	}
}

void
diff_looks_finish(struct diff_pane *p)
{
	free(p->table.columns.items);
	free(p->table.rows.items);
	p->table = (struct diff_table_look){ .node = DIFF_NOWHERE };
	free(p->tree.lines.items);
	p->tree = (struct diff_tree_look){ 0 };
	diff_lines_finish(&p->text.lines);
	buf_finish(&p->text.texts[0]);
	buf_finish(&p->text.texts[1]);
	free(p->text.rows.items);
	p->text = (struct diff_text_look){ .node = DIFF_NOWHERE };
}
