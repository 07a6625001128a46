/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/units.h"
#include "json/number.h"
#include "data/shape.h"
#include "schema/report.h"
#include "table_view.h"

#include <string.h>

/* A row as a record: each column, also a hidden one, is a field with its type and description from
 * the schema, and its violation. A card is a record without its table. */

#define ABOUT_FROM 70 /* width from which fields have their type and description */
#define FOOT_FROM 8   /* height from which they are below the record, for the selected field */
#define INDENT 2

/* ---- a field ---- */

/* Add the violation of the cell, or the number of those inside it. */
static bool
add_violation(const struct table *t, size_t row, size_t column, struct buf *out)
{
	const cJSON *cell = t->report ? table_cell(t, row, column) : NULL;
	size_t index = table_violation_of(t, row, column);
	size_t below = 0;

	if (cell && index == REPORT_NONE && !table_wrong_at(t, row, column, &below))
		below = report_count_below(t->report, cell);
	if (index != REPORT_NONE) {
		buf_add_str(out, report_at(t->report, index)->warning ? "! " : "✗ ");
		report_cell(t->report, index, out);
	} else if (below > 0) {
		buf_addf(out, "✗ %zu violation%s inside", below, plural(below));
	}
	return out->len > 0;
}

/* Add "string · the name of the city". */
static void
add_about(
    const struct view_env *env, const struct table *t, size_t row, size_t column, struct buf *out)
{
	const cJSON *root = env->in->schema, *schema = t->columns.items[column].schema;
	const cJSON *cell = table_cell(t, row, column);

	if (schema)
		shape_add_type(root, schema, out);
	else if (cell)
		buf_add_str(out, json_type_name(json_type(cell)));
	static const char *const keywords[] = { "title", "description" };
	for (size_t i = 0; schema && i < 2; i++) {
		const char *text =
		    cJSON_GetStringValue(shape_annotation(root, schema, keywords[i]));
		if (text)
			buf_addf(out, "%s%.400s", out->len > 0 ? " · " : "", text);
	}
}

/* ---- nested objects are sections, long strings have more than one line ---- */

#define TEXT_ROWS_MAX 8 /* of a string or number; Enter shows all of it */

/* Return the lines before the field, one for each object that begins with it. */
static int
section_rows(const struct table *t, size_t column)
{
	const struct column *c = &t->columns.items[column];
	int shared = 0;

	if (t->kind == TABLE_ARRAYS || c->depth < 2)
		return 0;
	while (column > 0 && shared < c->depth - 1 && shared < c[-1].depth &&
	       strcmp(c->path[shared], c[-1].path[shared]) == 0)
		shared++;
	return c->depth - 1 - shared;
}

static const char *
field_label(const struct table *t, const struct column *c, int *indent)
{
	bool nested = t->kind != TABLE_ARRAYS && c->depth > 1;

	*indent = nested ? INDENT * (c->depth - 1) : 0;
	return nested ? c->path[c->depth - 1] : c->name;
}

static int
lines_of(const cJSON *cell, int room, struct surface *s, uint32_t ground)
{
	bool is_text = !cell || cJSON_IsString(cell) || cJSON_IsNumber(cell);

	return is_text ? table_cell_lines(cell, room, TEXT_ROWS_MAX, s, ground) : 1;
}

static int
field_rows(const struct table_view *v, size_t row, size_t column)
{
	const struct table *t = &v->table;
	struct buf text = BUF_INIT;
	int rows = section_rows(t, column) + add_violation(t, row, column, &text);

	buf_finish(&text);
	return rows + lines_of(table_cell(t, row, column), v->record.room, NULL, 0);
}

struct record_columns {
	int value, about; /* where they begin; about 0: not shown */
	int room;         /* for a value */
};

/* Return the lines of the value. */
static int
draw_field_value(const struct table_view *v, const struct view_env *env, struct surface s, int y,
    size_t column, const struct record_columns *at)
{
	const struct table *t = &v->table;
	size_t row = t->order[v->list.selected];
	const cJSON *cell = table_cell(t, row, column);
	struct cell_mark mark = table_cell_mark(t, t->report, row, column);
	struct table_slot slot = { .column = column, .x = at->value, .width = at->room };
	char buffer[JSON_NUMBER_TEXT_MAX];

	if (cJSON_IsNumber(cell))
		slot.width = (int)strnlen(json_number_text(cell, buffer), (size_t)at->room);
	else if (!cell && !mark.missing)
		slot.width = 1;
	else if (cJSON_IsNull(cell) && slot.width > 4)
		slot.width = 4;
	struct surface value = surface_sub(s, at->value, y, at->room, s.height - y);
	int rows = lines_of(cell, at->room, &value, mark.ground);
	if (rows > 1)
		return rows;
	bool list = json_type(cell) == JSON_ARRAY;
	if (json_count(cell) > 0 && (list || !t->columns.items[column].spread)) {
		int count = 1 + surface_textf(s, slot.x, y, -1, style_of(ROLE_DIM),
				    list ? "[%zu]" : "{%zu}", json_count(cell));
		slot.x += count;
		slot.width -= count;
	}
	if (slot.width > 0)
		table_draw_cell(v, env, s, y, row, &slot);
	return 1;
}

static int
draw_field(const struct table_view *v, const struct view_env *env, struct surface s, int y,
    size_t column, const struct record_columns *at)
{
	const struct table *t = &v->table;
	const struct column *c = &t->columns.items[column];
	size_t row = t->order[v->list.selected];
	struct buf text = BUF_INIT;
	int indent, top = y;

	for (int left = section_rows(t, column); left > 0; left--, y++) {
		int depth = c->depth - 1 - left;
		surface_text(
		    s, GUTTER + INDENT * depth, y, -1, style_of(ROLE_COLUMN), c->path[depth]);
	}
	surface_spot(s, -1, y);
	if (column == v->record.field)
		surface_select_row(s, y, env->focused);
	const char *label = field_label(t, c, &indent);
	surface_text(s, GUTTER + indent, y, at->value - GUTTER - GAP - indent,
	    style_of(ROLE_KEY_NAME), label);
	if (at->about > 0)
		add_about(env, t, row, column, &text);
	surface_text(s, at->about, y, -1, style_of(ROLE_DIM), buf_text(&text));
	buf_clear(&text);
	y += draw_field_value(v, env, s, y, column, at);
	if (add_violation(t, row, column, &text))
		surface_text(s, at->value, y++, -1,
		    style_of(*buf_text(&text) == '!' ? ROLE_WARNING : ROLE_ERROR), buf_text(&text));
	buf_finish(&text);
	return y - top;
}

/* ---- the record ---- */

/* Leave no blank lines at the end while fields above are out of sight. */
static void
keep_field_in_sight(struct table_view *v, int height)
{
	size_t row = v->table.order[v->list.selected], top = v->record.field, end = top + 1;
	size_t wanted = v->record.top, count = v->table.columns.len;
	int rows = field_rows(v, row, top);

	for (; top > 0 && top > wanted; top--) {
		rows += field_rows(v, row, top - 1);
		if (rows > height)
			break;
	}
	for (; end < count && rows <= height; end++)
		rows += field_rows(v, row, end);
	for (; top > 0 && end == count && rows <= height; top--) {
		rows += field_rows(v, row, top - 1);
		if (rows > height)
			break;
	}
	v->record.top = top;
}

/* The columns are the same for all rows, so that nothing moves from one row to the next. The values
 * leave their spare width to the descriptions. */
static struct record_columns
table_record_columns_of(const struct table_view *v, int width)
{
	enum { VALUES_LEAST = 14, COUNT = 5 /* "[12] " before the items */ };
	struct record_columns at = { 0 };
	int names = 0, values = VALUES_LEAST;

	for (size_t i = 0; i < v->table.columns.len; i++) {
		int indent;
		const struct column *c = &v->table.columns.items[i];
		const char *name = field_label(&v->table, c, &indent);
		int columns = indent + (int)glyph_columns(name, strnlen(name, 200));
		names = columns > names ? columns : names;
		values = c->longest + COUNT > values ? c->longest + COUNT : values;
	}
	at.value = GUTTER + (names < width / 3 ? names : width / 3) + GAP;
	int most = (width - at.value) * 3 / 5;
	if (width >= ABOUT_FROM)
		at.about = at.value + (values < most ? values : most);
	at.room = (at.about > 0 ? at.about - GAP : width) - at.value;
	return at;
}

int
table_record_rows(struct table_view *v, size_t row, int width, int most)
{
	int rows = 0;

	v->record.room = table_record_columns_of(v, width).room;
	for (size_t i = 0; i < v->table.columns.len && rows < most; i++)
		rows += field_rows(v, row, i);
	return rows;
}

void
table_record_draw(struct table_view *v, const struct view_env *env, struct surface s)
{
	struct record_columns at = table_record_columns_of(v, s.width);
	struct buf text = BUF_INIT;
	size_t count = v->table.columns.len, row;

	if (v->list.selected >= v->table.shown || s.height < 1) {
		surface_text(s, GUTTER, 0, -1, style_of(ROLE_HINT), "there is no row");
		return;
	}
	row = v->table.order[v->list.selected];
	int foot = s.height >= FOOT_FROM && !env->printed ? 2 : 0;
	v->record.room = at.room;
	struct surface body = surface_sub(s, 0, 0, s.width, s.height - foot);
	keep_field_in_sight(v, body.height);
	int y = 0;
	size_t i = v->record.top;
	for (; i < count && y < body.height; i++)
		y += draw_field(v, env, body, y, i, &at);
	/* an estimate: a field out of sight may have several rows */
	size_t rows = v->record.top + (size_t)y + (count - i);
	surface_scrollbar(body, env->focused, rows, v->record.top);
	if (foot > 0) {
		add_about(env, &v->table, row, v->record.field, &text);
		surface_text(s, GUTTER, (y < body.height ? y : body.height) + 1, -1,
		    style_of(ROLE_DIM), buf_text(&text));
	}
	buf_finish(&text);
}

/* ---- keys ---- */

static void
select_field(struct table_view *v, size_t field)
{
	v->record.field = field;
	if (table_view_place(v, field) != SIZE_MAX)
		v->column = field;
}

static void
move_field(struct table_view *v, bool down, size_t by)
{
	size_t last = v->table.columns.len - 1, at = v->record.field;

	if (down)
		select_field(v, by < last - at ? at + by : last);
	else
		select_field(v, by < at ? at - by : 0);
}

bool
table_record_mouse(struct table_view *v, const struct key *key)
{
	int y = key->y - v->record.y;

	if (key->action == MOUSE_WHEEL_UP || key->action == MOUSE_WHEEL_DOWN) {
		move_field(v, key->action == MOUSE_WHEEL_DOWN, 3);
		return true;
	}
	if (key->action != MOUSE_PRESS || v->list.selected >= v->table.shown ||
	    y >= v->record.height)
		return true;
	for (size_t i = v->record.top; i < v->table.columns.len && y >= 0; i++) {
		int rows = field_rows(v, v->table.order[v->list.selected], i);
		if (y < rows) {
			bool again = i == v->record.field;
			select_field(v, i);
			return !again;
		}
		y -= rows;
	}
	return true;
}

bool
table_record_key(struct table_view *v, const struct view_env *env, const struct key *key)
{
	static const struct {
		enum key_kind kind;
		uint32_t ch;
		bool down, rows;
		size_t by;
	} moves[] = {
		{ KEY_UP, 'k', false, false, 1 },
		{ KEY_DOWN, 'j', true, false, 1 },
		{ KEY_PAGE_UP, 0, false, false, 10 },
		{ KEY_PAGE_DOWN, 0, true, false, 10 },
		{ KEY_HOME, 'g', false, false, SIZE_MAX },
		{ KEY_END, 'G', true, false, SIZE_MAX },
		{ KEY_LEFT, 'h', false, true, 1 },
		{ KEY_RIGHT, 'l', true, true, 1 },
	};

	if (key->mods != 0)
		return false;
	if (key->kind == KEY_ESCAPE) {
		v->record.open = table_is_card(v);
		return !v->record.open;
	}
	bool page = key->kind == KEY_PAGE_UP || key->kind == KEY_PAGE_DOWN;
	if (page && table_is_card(v) && v->table.shown > 1) {
		list_move(&v->list, key->kind == KEY_PAGE_DOWN ? 1 : -1);
		return true;
	}
	for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++) {
		bool hit = key->kind == KEY_CHAR ? moves[i].ch && key->ch == moves[i].ch
						 : key->kind == moves[i].kind;
		if (!hit)
			continue;
		if (moves[i].rows)
			list_move(&v->list, moves[i].down ? 1 : -1);
		else
			move_field(v, moves[i].down, moves[i].by);
		return true;
	}
	return false;
}
