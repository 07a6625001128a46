#include "base/glyph.h"
#include "json/number.h"
#include "model/shape.h"
#include "schema/report.h"
#include "table_view.h"

#include <string.h>

/* A row as a record: each column on a line, hidden ones too, with what the schema says of it and
 * its violation. */

/* From this width on each field has its type and description, from this height on the selected one
 * has a line for them. */
#define ABOUT_FROM 70
#define FOOT_FROM 8

void
table_record_open(struct table_view *v)
{
	v->record.open = true;
	v->record.field = v->column;
	v->record.top = 0;
}

/* ---- a field ---- */

/* Of the cell, or in it. */
static bool
add_trouble(const struct table *t, size_t row, size_t column, struct buf *out)
{
	const cJSON *cell = t->report ? table_cell(t, row, column) : NULL;
	size_t index = table_violation_of(t, row, column);
	size_t below = cell && index == REPORT_NONE ? report_count_below(t->report, cell) : 0;

	if (index != REPORT_NONE) {
		buf_add_str(out, report_at(t->report, index)->warning ? "! " : "✗ ");
		report_cell(t->report, index, out);
	} else if (below > 0) {
		buf_addf(out, "✗ %zu violation%s inside", below, below == 1 ? "" : "s");
	}
	return out->len > 0;
}

/* "string · the name of the city" */
static void
add_about(
    const struct render_env *env, const struct table *t, size_t row, size_t column, struct buf *out)
{
	const cJSON *root = env->in->schema, *schema = t->columns.items[column].schema;
	const cJSON *cell = table_cell(t, row, column);

	if (schema)
		shape_add_type(root, schema, out);
	else if (cell)
		buf_add_str(out, json_type_name(json_type(cell)));
	static const char *const keywords[] = { "title", "description" };
	for (size_t i = 0; schema && i < 2; i++) {
		const char *text = json_string(shape_annotation(root, schema, keywords[i]));
		if (text)
			buf_addf(out, "%s%.400s", out->len > 0 ? " · " : "", text);
	}
}

static int
field_rows(const struct table *t, size_t row, size_t column)
{
	struct buf text = BUF_INIT;
	int rows = 1 + add_trouble(t, row, column, &text);

	buf_finish(&text);
	return rows;
}

static int
value_width(const cJSON *cell, int most)
{
	char buffer[JSON_NUMBER_TEXT_MAX];

	if (json_type(cell) != JSON_NUMBER)
		return most;
	int len = (int)strnlen(json_number_text(cell, buffer), (size_t)most);
	return len;
}

struct record_columns {
	int value, about; /* where they begin; about 0: not shown */
};

static int
draw_field(const struct table_view *v, const struct render_env *env, struct surface s, int y,
    size_t column, const struct record_columns *at)
{
	const struct table *t = &v->table;
	size_t row = t->order[v->list.selected];
	const cJSON *cell = table_cell(t, row, column);
	int room = (at->about > 0 ? at->about - GAP : s.width) - at->value;
	struct table_slot slot = {
		.column = column, .x = at->value, .width = value_width(cell, room)
	};
	struct buf text = BUF_INIT;
	bool missing = !cell && table_cell_is_missing(t, t->report, row, column);

	if (!cell && !missing)
		slot.width = 1;
	if (json_type(cell) == JSON_NULL && slot.width > 4)
		slot.width = 4;
	surface_spot(s, -1, y);
	if (column == v->record.field)
		surface_select_row(s, y, env->focused);
	surface_text(s, GUTTER, y, at->value - GUTTER - GAP, style_of(ROLE_KEY_NAME),
	    t->columns.items[column].name);
	table_draw_cell(v, env, s, y, row, &slot);
	if (at->about > 0) {
		add_about(env, t, row, column, &text);
		surface_text(s, at->about, y, -1, style_of(ROLE_DIM), buf_text(&text));
		buf_clear(&text);
	}
	bool troubled = add_trouble(t, row, column, &text);
	if (troubled)
		surface_text(s, at->value, y + 1, -1,
		    style_of(*buf_text(&text) == '!' ? ROLE_WARNING : ROLE_ERROR), buf_text(&text));
	buf_finish(&text);
	return 1 + troubled;
}

/* ---- the whole ---- */

/* Also without blank lines at the end while fields above are out of sight. */
static void
keep_field_in_sight(struct table_view *v, int height)
{
	size_t row = v->table.order[v->list.selected], top = v->record.field, end = top + 1;
	size_t wanted = v->record.top, count = v->table.columns.len;
	int rows = field_rows(&v->table, row, top);

	for (; top > 0 && top > wanted; top--) {
		rows += field_rows(&v->table, row, top - 1);
		if (rows > height)
			break;
	}
	for (; end < count && rows <= height; end++)
		rows += field_rows(&v->table, row, end);
	for (; top > 0 && end == count && rows <= height; top--) {
		rows += field_rows(&v->table, row, top - 1);
		if (rows > height)
			break;
	}
	v->record.top = top;
}

static struct record_columns
columns_of(const struct table_view *v, int width)
{
	struct record_columns at = { 0 };
	int names = 0;

	for (size_t i = 0; i < v->table.columns.len && names < width / 3; i++) {
		const char *name = v->table.columns.items[i].name;
		int columns = (int)glyph_columns(name, strnlen(name, 200));
		names = columns > names ? columns : names;
	}
	at.value = GUTTER + (names < width / 3 ? names : width / 3) + GAP;
	if (width >= ABOUT_FROM)
		at.about = at.value + (width - at.value) * 3 / 5;
	return at;
}

void
table_record_draw(struct table_view *v, const struct render_env *env, struct surface s)
{
	struct record_columns at = columns_of(v, s.width);
	struct buf text = BUF_INIT;
	size_t count = v->table.columns.len, row;

	if (v->list.selected >= v->table.shown || s.height < 1) {
		surface_text(s, GUTTER, 0, -1, style_of(ROLE_HINT), "there is no row");
		return;
	}
	row = v->table.order[v->list.selected];
	int foot = s.height >= FOOT_FROM ? 2 : 0;
	struct surface body = surface_sub(s, 0, 0, s.width, s.height - foot);
	keep_field_in_sight(v, body.height);
	int y = 0;
	for (size_t i = v->record.top; i < count && y < body.height; i++)
		y += draw_field(v, env, body, y, i, &at);
	surface_scrollbar(body, env->focused, count, v->record.top);
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

static void
move_row(struct table_view *v, bool down)
{
	size_t at = v->list.selected;

	if (down ? at + 1 < v->table.shown : at > 0)
		list_select(&v->list, down ? at + 1 : at - 1);
}

bool
table_record_mouse(struct table_view *v, const struct key *key)
{
	int y = key->y - v->record.y;

	if (key->action == MOUSE_WHEEL_UP || key->action == MOUSE_WHEEL_DOWN) {
		move_field(v, key->action == MOUSE_WHEEL_DOWN, 3);
		return true;
	}
	if (key->action != MOUSE_PRESS || v->list.selected >= v->table.shown)
		return true;
	for (size_t i = v->record.top; i < v->table.columns.len && y >= 0; i++) {
		int rows = field_rows(&v->table, v->table.order[v->list.selected], i);
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
table_record_key(struct table_view *v, const struct render_env *env, const struct key *key)
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
		v->record.open = false;
		return true;
	}
	for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++) {
		bool hit = key->kind == KEY_CHAR ? moves[i].ch && key->ch == moves[i].ch
						 : key->kind == moves[i].kind;
		if (!hit)
			continue;
		if (moves[i].rows)
			move_row(v, moves[i].down);
		else
			move_field(v, moves[i].down, moves[i].by);
		return true;
	}
	return false;
}
