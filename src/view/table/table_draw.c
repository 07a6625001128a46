#include "base/glyph.h"
#include "base/mem.h"
#include "json/number.h"
#include "data/chart.h"
#include "table_view.h"

#include <math.h>
#include <string.h>

#define MISSING "⟨missing⟩"
/* Numbers are shown whole up to this width, whatever the sample measured. */
#define NUMBER_WIDTH_MAX 60
/* In a lower table every row is for data. */
#define FACTS_FROM 8

/* ---- the report on a cell ---- */

/* A violation of an object with flattened members marks all their columns. */
static uint32_t
ground_on_the_way(
    const struct table *t, const struct report *report, size_t row, const struct column *c)
{
	const cJSON *node = table_row(t, row);
	uint32_t ground = ROLE_NONE;

	for (int i = 0; i + 1 < c->depth && ground == ROLE_NONE; i++) {
		node = json_get(node, c->path[i]);
		ground = view_ground(report, node);
	}
	return ground;
}

/* Of a joined table. */
static struct cell_mark
mark_of_wrong(const struct table *t, size_t row, size_t column, const cJSON *cell)
{
	struct cell_mark m = { .ground = ROLE_NONE };
	size_t count;
	const struct table_wrong *w = table_wrong_at(t, row, column, &count);

	if (!w)
		return m;
	const struct violation *first = report_at(t->report, w->violation);
	m.missing = !cell && !w->is_inside && first->missing;
	m.ground =
	    first->warning && count == 1 && !w->is_inside ? ROLE_WARNING_CELL : ROLE_ERROR_CELL;
	return m;
}

struct cell_mark
table_cell_mark(const struct table *t, const struct report *report, size_t row, size_t column)
{
	const cJSON *cell = table_cell(t, row, column);
	struct cell_mark m = { .ground = ROLE_NONE };
	const char *key = NULL;

	if (!report || report_facts(report)->kept == 0)
		return m;
	if (t->arrays)
		return mark_of_wrong(t, row, column, cell);
	if (cell) {
		m.ground = view_ground(report, cell);
		if (m.ground == ROLE_NONE && report_count_below(report, cell) > 0)
			m.ground = ROLE_ERROR_CELL;
	} else {
		const cJSON *holder = table_holder(t, row, column, &key);
		m.missing = holder && report_find_missing(report, holder, key) != REPORT_NONE;
		if (m.missing)
			m.ground = ROLE_ERROR_CELL;
	}
	if (m.ground == ROLE_NONE)
		m.ground = ground_on_the_way(t, report, row, &t->columns.items[column]);
	return m;
}

/* ---- cells ---- */

/* The position of the decimal point; the length if none. */
static int
before_point(const char *text, int len)
{
	const char *point = strpbrk(text, "eE") ? NULL : strchr(text, '.');

	return point ? (int)(point - text) : len;
}

int
table_place_number(const struct column *c, const char *text, int *pad)
{
	int len = (int)strnlen(text, NUMBER_WIDTH_MAX);
	int after = len - before_point(text, len);
	int behind = c->fraction > after ? c->fraction - after : 0;

	*pad = c->width > len + behind ? c->width - len - behind : 0;
	return len + behind;
}

static void
draw_number(
    struct surface s, int x, int y, const struct column *c, const cJSON *cell, uint32_t ground)
{
	char buffer[JSON_NUMBER_TEXT_MAX];
	const char *text = json_number_text(cell, buffer);
	int pad;

	table_place_number(c, text, &pad);
	surface_text(s, x + pad, y, c->width - pad, view_style(cell, ground), text);
}

/* ---- arrays of numbers ---- */

/* Points of one, so that a row costs the same whatever it holds; the rest is a "…". */
#define SPARK_POINTS 512
/* Fewer numbers are better read than seen. */
#define SPARK_FROM 4

struct spark {
	double values[SPARK_POINTS]; /* NAN: null, or too large */
	size_t len, numbers;
	struct chart_range range;
	bool more;
};

/* False: it is not one of numbers alone. */
static bool
read_spark(struct spark *p, const cJSON *array)
{
	const cJSON *item = json_first(array);

	p->range = (struct chart_range){ INFINITY, -INFINITY };
	for (p->len = p->numbers = 0; item && p->len < SPARK_POINTS; item = item->next) {
		bool too_large = false;
		double *value = &p->values[p->len++];
		if (!chart_number(item, value, &too_large)) {
			if (json_type(item) != JSON_NULL && !too_large)
				return false;
			*value = NAN;
			continue;
		}
		p->numbers++;
		p->range.low = fmin(p->range.low, *value);
		p->range.high = fmax(p->range.high, *value);
	}
	p->more = item != NULL;
	return p->numbers >= SPARK_FROM;
}

/* A cell has the largest of its points: no peak is lost. */
static void
draw_spark(struct surface s, int x, int y, int width, const struct spark *p, struct style style)
{
	enum { EIGHTHS = 8 };
	struct chart_range range = chart_settled(p->range);
	size_t cells = (size_t)(width - p->more);

	cells = cells < p->len ? cells : p->len;
	for (size_t i = 0; i < cells; i++) {
		double most = NAN;
		for (size_t n = i * p->len / cells; n < (i + 1) * p->len / cells; n++)
			most = fmax(most, p->values[n]);
		if (!isnan(most))
			surface_put(s, x + (int)i, y, style,
			    0x2581 + (uint32_t)(chart_place(range, most) * (EIGHTHS - 0.01)));
	}
	if (p->more)
		surface_put(s, x + (int)cells, y, style, 0x2026);
}

/* Of an array that would be cut the shape of its numbers says more. */
static bool
draw_array(struct surface s, int x, int y, int width, const cJSON *array, struct style style)
{
	struct buf text = BUF_INIT;
	struct spark spark;

	view_value_text(array, &text);
	bool fits = glyph_columns(buf_text(&text), text.len) <= (size_t)width;
	buf_finish(&text);
	if (fits || width < SPARK_FROM || !read_spark(&spark, array))
		return false;
	draw_spark(s, x, y, width, &spark, style);
	return true;
}

static void
draw_value(
    struct surface s, int x, int y, const struct column *c, const cJSON *cell, uint32_t ground)
{
	enum json_type type = json_type(cell);
	struct style style = view_style(cell, ground);

	if (type == JSON_NUMBER)
		draw_number(s, x, y, c, cell, ground);
	else if (type == JSON_OBJECT && c->spread && json_first(cell))
		surface_text(s, x, y, c->width, style, "{…}");
	else if (type == JSON_ARRAY && draw_array(s, x, y, c->width, cell, style))
		;
	else if (c->numeric && type == JSON_NULL)
		surface_text_right(s, x + c->width, y, c->width, style, "null");
	else
		view_value(s, x, y, c->width, cell, ground);
}

/* The cursor has its own background on valid cells; invalid ones are reversed. */
void
table_draw_cell(const struct table_view *v, const struct view_env *env, struct surface s, int y,
    size_t row, const struct table_slot *slot)
{
	size_t column = slot->column;
	struct column of_slot = v->table.columns.items[column];
	const struct column *c = &of_slot;
	int x = slot->x;
	of_slot.width = slot->width;
	const cJSON *cell = table_cell(&v->table, row, column);
	struct cell_mark m = table_cell_mark(&v->table, env->in->report, row, column);
	uint8_t attr = slot->cursor && m.ground != ROLE_NONE ? ATTR_REVERSE : 0;

	attr |= slot->cursor ? ATTR_IN_ROW : 0;
	if (slot->cursor && m.ground == ROLE_NONE)
		m.ground = ROLE_CURSOR;
	struct style style = view_style(NULL, m.ground);
	int lines = slot->lines > 1 ? slot->lines : 1;
	struct surface box = surface_sub(s, x, y, c->width, lines);
	for (int i = 0; m.ground != ROLE_NONE && i < lines; i++)
		surface_repeat(s, x, y + i, c->width, style, ' ');
	if (m.missing)
		surface_text(s, x, y, c->width, style, MISSING);
	else if (json_type(cell) == JSON_NULL && slot->follows &&
		 table_cell_is_told(&v->table, row, column))
		; /* one null for the object, not one for each of its members */
	else if (lines > 1 && c->wraps &&
		 table_cell_lines(cell, c->width, v->lines.most, &box, m.ground) > 1)
		; /* drawn */
	else if (cell)
		draw_value(s, x, y, c, cell, m.ground);
	else if (c->depth > 0)
		surface_text(s, c->numeric ? x + c->width - 1 : x, y, 1, style, "·");
	for (int i = 0; m.ground != ROLE_NONE && i < lines; i++)
		surface_restyle(s, x, y + i, c->width, m.ground, attr);
}

/* ---- the whole ---- */

/* The line behind the frozen columns. */
void
table_draw_freeze(const struct table_view *v, struct surface s, int y)
{
	if (v->frozen_slots == 0)
		return;
	const struct table_slot *last = &v->slots.items[v->frozen_slots - 1];
	surface_text(s, last->x + last->width + 1, y, 1, style_of(ROLE_BORDER), "│");
}

/* ✗ has violations, ● is selected, ⊗ both. */
static void
draw_marks(
    const struct table_view *v, const struct view_env *env, struct surface s, int y, size_t row)
{
	const struct report *report = env->in->report;
	bool wrong = v->table.arrays
			 ? row_set_has(&v->table.invalid, row)
			 : report && report_count_below(report, table_row(&v->table, row)) > 0;
	bool selected = row_set_has(&v->table.selected, row);

	if (wrong || selected)
		surface_text(s, 0, y, 1, style_of(wrong ? ROLE_ERROR : ROLE_ACCENT),
		    !wrong      ? "●"
		    : !selected ? "✗"
				: "⊗");
}

/* Returns its lines. */
static int
draw_row(
    const struct table_view *v, const struct view_env *env, struct surface s, int y, size_t shown)
{
	size_t row = v->table.order[shown];
	int lines = table_row_lines(v, shown);

	surface_spot(s, -1, y);
	for (int i = y; i < y + lines && i < s.height && shown == v->list.selected; i++)
		surface_select_row(s, i, env->focused);
	draw_marks(v, env, s, y, row);
	if (v->table.kind == TABLE_MAP)
		surface_text(s, GUTTER, y, v->label_width - GAP, style_of(ROLE_KEY_NAME),
		    table_row_key(&v->table, row));
	for (size_t i = 0; i < v->slots.len; i++) {
		struct table_slot slot = v->slots.items[i];
		slot.cursor = env->focused && slot.column == v->column && shown == v->list.selected;
		slot.lines = lines;
		table_draw_cell(v, env, s, y, row, &slot);
	}
	for (int i = y; i < y + lines && i < s.height; i++)
		table_draw_freeze(v, s, i);
	return lines;
}

/* Members outside the rows are below the last one, and keep a line if there are many rows. */
static struct surface
place_beside(const struct table_view *v, struct surface body)
{
	int shown = v->table.shown > 0 ? table_lines(v, body.height) : 1;
	int room = shown < body.height ? body.height - shown : 0;
	int rows = body.height > 1 ? table_beside_rows(v, room) : 0;
	int gap = rows > 0 && rows < room;

	return surface_sub(
	    body, 0, rows < room ? shown + gap : body.height - rows, body.width, rows);
}

/* The lines of rows out of sight are not known: they are taken for those in sight. */
static void
draw_scrollbar(const struct table_view *v, const struct view_env *env, struct surface body)
{
	size_t count = v->table.shown, top = v->list.top, rows = (size_t)v->list.height;
	size_t lines = body.height > 0 ? (size_t)body.height : 0;

	if (rows > 0 && rows < lines && rows < count) {
		count = count * lines / rows;
		top = top * lines / rows;
	}
	surface_scrollbar(body, env->focused, count, top);
}

static void
draw_table(struct table_view *v, const struct view_env *env, struct surface s)
{
	bool facts = !env->printed && s.height >= FACTS_FROM && table_facts_draw(v, env, s, -1);
	struct surface body = surface_sub(s, 0, 1, s.width, s.height - 1 - facts);
	struct surface beside = place_beside(v, body);
	if (beside.height > 0)
		body.height = beside.y - body.y;
	table_wrap_fit(v, env, s.width, body.height);
	table_head_draw(v, env, s);
	size_t row = v->list.top;
	for (int y = 0; y < body.height && row < v->table.shown; row++)
		y += draw_row(v, env, body, y, row);
	if (v->table.shown == 0)
		surface_text(body, GUTTER, 0, -1, style_of(ROLE_HINT),
		    v->table.filter ? "no row matches the filter: Esc shows all"
				    : "no rows: the array is empty");
	draw_scrollbar(v, env, body);
	if (beside.height > 0)
		table_beside_draw(v, env, beside);
	if (facts)
		table_facts_draw(v, env, s, s.height - 1);
}

/* A record is beside its table from this width on, or below it from this height on; else in place
 * of it. */
#define BESIDE_FROM 100
#define BELOW_FROM 24

/* Draws the table in its part; the rest is for the record. */
static struct surface
draw_table_of_record(struct table_view *v, const struct view_env *env, struct surface s)
{
	if (s.width >= BESIDE_FROM) {
		int left = s.width / 2;
		draw_table(v, env, surface_sub(s, 0, 0, left, s.height));
		for (int y = 0; y < s.height; y++)
			surface_text(s, left, y, 1, style_of(ROLE_BORDER), "│");
		return surface_sub(s, left + 2, 0, s.width - left - 2, s.height);
	}
	if (s.height < BELOW_FROM)
		return s;
	int wanted = 2 + table_lines(v, s.height);
	int top = wanted < s.height / 2 ? wanted : s.height / 2;
	draw_table(v, env, surface_sub(s, 0, 0, s.width, top));
	surface_repeat(s, 0, top, s.width, style_of(ROLE_BORDER), 0x2500);
	return surface_sub(s, 0, top + 1, s.width, s.height - top - 1);
}

/* The members outside the rows are below a record that hides its table; returns the rest. */
static struct surface
draw_below_record(struct table_view *v, const struct view_env *env, struct surface s)
{
	enum { FOOT = 2, LEAST = 4 };
	int needed = FOOT;

	if (v->list.selected < v->table.shown)
		needed += table_record_rows(v, v->table.order[v->list.selected], s.width, s.height);
	int room = needed < s.height ? s.height - needed : 0;
	int rows = s.height >= LEAST ? table_beside_rows(v, room) : 0;
	if (rows > 0)
		table_beside_draw(v, env, surface_sub(s, 0, s.height - rows, s.width, rows));
	return surface_sub(s, 0, 0, s.width, s.height - rows);
}

void
table_view_draw(void *state, const struct view_env *env, struct surface s)
{
	struct table_view *v = state;

	if (v->spot >= v->spots.len) {
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT),
		    "this value contains no array: v shows it as a tree");
		return;
	}
	if (!v->record.open) {
		draw_table(v, env, s);
		return;
	}
	struct surface record = table_is_card(v) ? s : draw_table_of_record(v, env, s);
	if (record.height == s.height && record.width == s.width)
		record = draw_below_record(v, env, s);
	v->record.x = record.x - s.x;
	v->record.y = record.y - s.y;
	v->record.height = record.height;
	table_record_draw(v, env, record);
}
