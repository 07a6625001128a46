/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/units.h"
#include "data/chart.h"
#include "data/shape.h"
#include "json/number.h"
#include "json/pointer.h"
#include "table_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MISSING "⟨missing⟩"
#define NUMBER_WIDTH_MAX 60 /* numbers are shown whole up to this width */
/* Heights of a table from which a line for the column is shown, and its statistics. */
#define FACTS_FROM 8
#define STATS_FROM 12

/* ---- the report on a cell ---- */

static struct cell_mark
joined_cell_mark(const struct table *t, size_t row, size_t column, const cJSON *cell)
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

/* Return the ground of a value with a violation, or with one inside it. report may be NULL. */
static uint32_t
ground_of(const struct report *report, const cJSON *value)
{
	uint32_t ground = view_ground(report, value);
	bool marks = ground == ROLE_NONE && report && report_count_below(report, value) > 0;

	return marks ? ROLE_ERROR_CELL : ground;
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
		return joined_cell_mark(t, row, column, cell);
	if (cell) {
		m.ground = ground_of(report, cell);
	} else {
		const cJSON *holder = table_holder(t, row, column, &key);
		m.missing = holder && report_find_missing(report, holder, key) != REPORT_NONE;
		if (m.missing)
			m.ground = ROLE_ERROR_CELL;
	}
	/* a violation of an object that is spread over columns marks all of them */
	const struct column *c = &t->columns.items[column];
	const cJSON *node = table_row(t, row);
	for (int i = 0; i + 1 < c->depth && m.ground == ROLE_NONE; i++) {
		node = json_get(node, c->path[i]);
		m.ground = view_ground(report, node);
	}
	return m;
}

/* ---- cells ---- */

int
table_place_number(const struct column *c, const char *text, int *pad)
{
	int len = (int)strnlen(text, NUMBER_WIDTH_MAX);
	const char *point = strpbrk(text, "eE") ? NULL : strchr(text, '.');
	int fraction = point ? len - (int)(point - text) : 0; /* with the point */
	int width = len + (c->fraction > fraction ? c->fraction - fraction : 0);

	*pad = c->width > width ? c->width - width : 0;
	return width;
}

/* ---- arrays of numbers ---- */

/* Points drawn of an array, to bound the cost of a row; "…" follows if there are more. */
#define SPARK_POINTS 512
#define SPARK_FROM 4 /* fewer numbers are shown as text */

struct spark {
	double values[SPARK_POINTS]; /* NAN: null, or too large */
	size_t len, numbers;
	struct chart_range range;
	bool more;
};

/* Return false unless the array has only numbers and nulls. */
static bool
read_spark(struct spark *p, const cJSON *array)
{
	const cJSON *item = json_first(array);

	p->range = (struct chart_range){ INFINITY, -INFINITY };
	for (p->len = p->numbers = 0; item && p->len < SPARK_POINTS; item = item->next) {
		bool too_large = false;
		double *value = &p->values[p->len++];
		if (!chart_number(item, value, &too_large)) {
			if (!cJSON_IsNull(item) && !too_large)
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

/* Draw the curve of an array of numbers whose text does not fit. A screen cell shows the largest of
 * its points, so that no peak is lost. */
static bool
draw_spark(struct surface s, int x, int y, int width, const cJSON *array, struct style style)
{
	enum { EIGHTHS = 8 };
	struct buf text = BUF_INIT;
	struct spark spark;

	view_value_text(array, &text);
	bool fits = glyph_columns(buf_text(&text), text.len) <= (size_t)width;
	buf_finish(&text);
	if (fits || width < SPARK_FROM || !read_spark(&spark, array))
		return false;
	struct chart_range range = chart_settled(spark.range);
	size_t cells = (size_t)(width - spark.more);
	cells = cells < spark.len ? cells : spark.len;
	for (size_t i = 0; i < cells; i++) {
		double most = NAN;
		for (size_t n = i * spark.len / cells; n < (i + 1) * spark.len / cells; n++)
			most = fmax(most, spark.values[n]);
		if (!isnan(most))
			surface_put(s, x + (int)i, y, style,
			    0x2581 + (uint32_t)(chart_place(range, most) * (EIGHTHS - 0.01)));
	}
	if (spark.more)
		surface_put(s, x + (int)cells, y, style, 0x2026);
	return true;
}

static void
draw_value(
    struct surface s, int x, int y, const struct column *c, const cJSON *cell, uint32_t ground)
{
	enum json_type type = json_type(cell);
	struct style style = view_style(cell, ground);
	char buffer[JSON_NUMBER_TEXT_MAX];

	if (type == JSON_NUMBER) {
		const char *text = json_number_text(cell, buffer);
		int pad;
		table_place_number(c, text, &pad);
		surface_text(s, x + pad, y, c->width - pad, style, text);
	} else if (type == JSON_OBJECT && c->spread && json_first(cell)) {
		surface_text(s, x, y, c->width, style, "{…}");
	} else if (c->numeric && type == JSON_NULL) {
		surface_text_right(s, x + c->width, y, c->width, style, "null");
	} else if (type != JSON_ARRAY || !draw_spark(s, x, y, c->width, cell, style)) {
		view_value(s, x, y, c->width, cell, ground);
	}
}

/* The cursor has a separate background on valid cells; invalid ones are reversed. */
void
table_draw_cell(const struct table_view *v, const struct view_env *env, struct surface s, int y,
    size_t row, const struct table_slot *slot)
{
	size_t column = slot->column;
	struct column of_slot = v->table.columns.items[column], *c = &of_slot;
	int x = slot->x;
	c->width = slot->width;
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
	else if (cJSON_IsNull(cell) && slot->follows && table_cell_is_told(&v->table, row, column))
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

/* The line after the frozen columns. */
static void
draw_freeze(const struct table_view *v, struct surface s, int y)
{
	if (v->frozen_slots == 0)
		return;
	const struct table_slot *last = &v->slots.items[v->frozen_slots - 1];
	surface_text(s, last->x + last->width + 1, y, 1, style_of(ROLE_BORDER), "│");
}

/* ---- heads ---- */

int
table_print_wrong(const struct table_view *v, const struct column *c, char *text, size_t size)
{
	const struct report *r = v->table.report;
	bool more =
	    r && report_facts(r)->violations + report_facts(r)->warnings > report_facts(r)->kept;

	if (c->wrong == 0)
		return 0;
	snprintf(text, size, "✗%zu%s", c->wrong, more ? "+" : "");
	return (int)glyph_columns(text, strlen(text));
}

static const cJSON *
annotation(const struct view_env *env, const struct column *c, const char *keyword)
{
	return c->schema ? shape_annotation(env->in->schema, c->schema, keyword) : NULL;
}

/* Return the columns used from x on; the sort mark follows. */
static int
draw_column_name(const struct table_view *v, const struct view_env *env, struct surface s, int x,
    const struct column *c)
{
	struct style style = style_of(ROLE_COLUMN);
	char count[32] = "";
	int name = label_columns(c->name), wrong = table_print_wrong(v, c, count, sizeof(count));
	int whole = name + (wrong > 0 ? 1 + wrong : 0);

	if (cJSON_IsTrue(annotation(env, c, "deprecated")))
		style = style_of(ROLE_WARNING);
	style.attr = ATTR_BOLD;
	if (whole > c->width) {
		wrong = 0;
		whole = name;
	}
	int start = c->numeric && whole < c->width ? x + c->width - whole : x;
	int used = surface_text(s, start, 0, c->width - (start - x), style, c->name);
	if (wrong > 0)
		used +=
		    1 + surface_text(s, start + used + 1, 0, wrong, style_of(ROLE_ERROR), count);
	return start - x + used;
}

/* Draw "▲", or "2▲" if there are several keys, over the end of a name that leaves no room. */
static void
draw_order(const struct table_view *v, struct surface s, const struct table_slot *slot, int used)
{
	size_t key = table_key_of(&v->table, slot->column);
	char mark[32];

	if (key == SIZE_MAX)
		return;
	bool counts = v->table.key_count > 1;
	/* without a digit, zero is empty */
	snprintf(mark, sizeof(mark), "%.*zu%s", counts ? 1 : 0, counts ? key + 1 : 0,
	    v->table.keys[key].descending ? "▼" : "▲");
	int last = slot->width + GAP - 1 - (1 + counts);
	int x = used < last ? used : last;
	surface_text(s, slot->x + (x > 0 ? x : 0), 0, 1 + counts, style_of(ROLE_ACCENT), mark);
}

static void
table_draw_draw_head(const struct table_view *v, const struct view_env *env, struct surface s)
{
	int x = GUTTER + v->label_width;

	for (size_t i = 0; i < v->slots.len; i++) {
		const struct table_slot *slot = &v->slots.items[i];
		struct column c = v->table.columns.items[slot->column];
		c.width = slot->width;
		if (v->cut_right && slot->x + c.width == s.width)
			c.width--; /* for the mark of more columns */
		bool counts = v->table.key_count > 1 && label_columns(c.name) < c.width &&
			      table_key_of(&v->table, slot->column) != SIZE_MAX;
		c.width -= counts; /* for the number of the key */
		int mark = draw_column_name(v, env, s, slot->x, &c);
		c.width += counts;
		surface_spot(s, slot->x, 0);
		draw_order(v, s, slot, mark);
		if (slot->column == v->column && env->focused)
			surface_restyle(s, slot->x, 0, c.width, ROLE_NONE, ATTR_UNDERLINE);
		x = slot->x + slot->width + GAP;
	}
	if (!v->cut_right && v->table.empty)
		surface_textf(s, x, 0, -1, style_of(ROLE_HINT), "+%zu empty: %s",
		    v->table.empty_count, v->table.empty);
	if (v->first > 0)
		surface_text(s, 0, 0, 1, style_of(ROLE_ACCENT), "‹");
	draw_freeze(v, s, 0);
	if (v->cut_right)
		surface_text(s, s.width - 1, 0, 1, style_of(ROLE_ACCENT), "›");
}

/* ---- the line for the selected column ---- */

size_t
table_violation_of(const struct table *t, size_t row, size_t column)
{
	const char *key;

	if (!t->report)
		return REPORT_NONE;
	size_t count;
	const struct table_wrong *wrong = table_wrong_at(t, row, column, &count);
	if (wrong && !wrong->is_inside)
		return wrong->violation;
	const cJSON *cell = table_cell(t, row, column);
	if (cell)
		return report_find(t->report, cell);
	const cJSON *holder = table_holder(t, row, column, &key);
	return holder ? report_find_missing(t->report, holder, key) : REPORT_NONE;
}

static bool
draw_cell_violation(const struct table_view *v, const struct column *c, struct surface s, int y)
{
	const struct table *t = &v->table;
	struct buf text = BUF_INIT;

	if (v->list.selected >= t->shown)
		return false;
	size_t index = table_violation_of(t, t->order[v->list.selected], v->column);
	if (index == REPORT_NONE)
		return false;
	bool warning = report_at(v->table.report, index)->warning;
	int x = GUTTER;
	x += surface_text(s, x, y, s.width / 2, style_of(ROLE_COLUMN), c->name) + 2;
	report_cell(v->table.report, index, &text);
	surface_text(s, x, y, -1, style_of(warning ? ROLE_WARNING : ROLE_ERROR), buf_text(&text));
	buf_finish(&text);
	return true;
}

static void
add_some(struct buf *out, size_t count, const char *what)
{
	if (count == 0)
		return;
	buf_add_str(out, out->len > 0 ? " · " : "");
	units_add_count(out, count);
	buf_addf(out, " %s", what);
}

/* "800 numbers · 12 null · 90 distinct · 0.5 to 99 · mean 12.25" */
static void
add_stats(const struct column_stats *s, struct buf *out)
{
	if (!s->done) {
		buf_add_str(out, "counting …");
		return;
	}
	const struct number_stats *n = &s->numbers;
	add_some(out, n->count, n->count == 1 ? "number" : "numbers");
	add_some(out, s->strings, s->strings == 1 ? "string" : "strings");
	add_some(out, s->empty, "empty");
	add_some(out, s->trues, "true");
	add_some(out, s->booleans - s->trues, "false");
	add_some(out, s->containers, s->containers == 1 ? "array or object" : "arrays or objects");
	add_some(out, s->nulls, "null");
	add_some(out, s->absent, "absent");
	if (n->count + s->strings > 0)
		add_some(out, s->distinct, s->more_distinct ? "or more distinct" : "distinct");
	if (n->count > 0)
		buf_addf(out, " · %s to %s · mean %.6g", n->min, n->max, n->mean);
}

/* Draw the statistics at the right, from column x on. Return the end of the columns left of them.
 */
static int
draw_stats(struct table_view *v, struct surface s, int x, int y)
{
	struct buf text = BUF_INIT;
	int end = s.width;

	table_count(&v->table, v->column);
	if (v->table.stats.column == v->column)
		add_stats(&v->table.stats, &text);
	const char *bars = v->table.stats.done ? v->table.stats.bars : "";
	int width = (int)glyph_columns(buf_text(&text), text.len);
	if (*bars && width + GAP + STATS_BARS <= s.width - x)
		end -= STATS_BARS + GAP;
	if (end < s.width)
		surface_text(s, end + GAP, y, -1, style_of(ROLE_NUMBER), bars);
	if (width > end - x)
		width = end - x;
	if (width > 0) {
		end -= width;
		surface_text(s, end, y, width, style_of(ROLE_DIM), buf_text(&text));
		end -= GAP;
	}
	buf_finish(&text);
	return end;
}

/* Draw the violation of the cell, or the schema and statistics of its column, in row y. Return
 * whether there is anything to show; y < 0: draw nothing. */
static bool
draw_facts(struct table_view *v, const struct view_env *env, struct surface s, int y)
{
	if (!env->focused || v->column >= v->table.columns.len)
		return false;
	const struct column *c = &v->table.columns.items[v->column];
	const struct report *r = v->table.report;
	if (y >= 0 && draw_cell_violation(v, c, s, y))
		return true;
	const char *title = cJSON_GetStringValue(annotation(env, c, "title"));
	const char *description = cJSON_GetStringValue(annotation(env, c, "description"));
	bool deprecated = cJSON_IsTrue(annotation(env, c, "deprecated"));
	bool counts = v->table.shown > 1 && s.height >= STATS_FROM;

	if (title && strcmp(title, c->name) == 0)
		title = NULL;
	if (y < 0)
		return counts || title || description || deprecated ||
		       (r && report_facts(r)->kept > 0);
	if (!title && !description && !deprecated && !counts)
		return true;
	int x = GUTTER;
	x += surface_text(s, x, y, s.width / 3, style_of(ROLE_COLUMN), c->name) + GAP;
	int end = counts ? draw_stats(v, s, x, y) : s.width;
	if (deprecated)
		x += surface_text(s, x, y, end - x, style_of(ROLE_WARNING), "deprecated") + GAP;
	if (title && x < end)
		x += surface_text(s, x, y, end - x, style_of(ROLE_TEXT), title) + GAP;
	if (description && x < end)
		surface_text(s, x, y, end - x, style_of(ROLE_DIM), description);
	return true;
}

/* ---- the members outside the rows: those of each object on the path to the array ---- */

#define VALUE_MAX 40 /* columns of a value if several share a line */
#define APART 4      /* columns between two of them */
#define LINES_MAX 3  /* of such lines */
#define WAY_MAX 16

/* Iterates over those members, nearest to the array first. */
struct member_walk {
	const cJSON *way[WAY_MAX + 1]; /* from the value to the array */
	int depth;                     /* of the current object; < 0: done */
	const cJSON *next;
};

static void
skip_to_member(struct member_walk *w)
{
	while (w->depth >= 0 && (!w->next || w->next == w->way[w->depth + 1])) {
		if (w->next)
			w->next = w->next->next;
		else if (--w->depth >= 0)
			w->next = json_first(w->way[w->depth]);
	}
}

static struct member_walk
walk_begin(const struct table_view *v, const cJSON *value)
{
	const char *pointer = v->spots.items[v->spot].pointer;
	struct member_walk w = { .way = { value }, .depth = -1 };
	struct buf key = BUF_INIT;

	while (w.depth + 1 < WAY_MAX && json_pointer_next(&pointer, &key)) {
		w.depth++;
		w.way[w.depth + 1] = json_get(w.way[w.depth], buf_text(&key));
	}
	buf_finish(&key);
	w.next = w.depth >= 0 ? json_first(w.way[w.depth]) : NULL;
	skip_to_member(&w);
	return w;
}

/* name: "cpu.model", with the enclosing names. NULL: end. */
static const cJSON *
walk_next(struct member_walk *w, struct buf *name)
{
	const cJSON *m = w->depth >= 0 ? w->next : NULL;

	if (!m)
		return NULL;
	buf_clear(name);
	for (int i = 1; i <= w->depth; i++) {
		label_add(name, w->way[i]->string);
		buf_add_char(name, '.');
	}
	label_add(name, *m->string ? m->string : "\"\"");
	w->next = m->next;
	skip_to_member(w);
	return m;
}

size_t
table_beside_count(const struct table_view *v, const cJSON *value)
{
	struct member_walk w = walk_begin(v, value);
	size_t count = 0;

	for (int i = 0; i <= w.depth; i++)
		count += json_count(w.way[i]) - 1;
	return count;
}

int
table_beside_rows(const struct table_view *v, int room)
{
	if (v->beside == 0 || (room > 0 && v->beside <= (size_t)room))
		return (int)v->beside;
	return room < 1 ? 1 : room < LINES_MAX ? room : LINES_MAX;
}

/* Draw one member per line. */
static void
draw_members(const struct table_view *v, const struct view_env *env, struct surface s)
{
	struct member_walk w = walk_begin(v, env->in->value), again = w;
	struct buf name = BUF_INIT;
	int names = 0;

	while (walk_next(&w, &name)) {
		int width = (int)glyph_columns(buf_text(&name), name.len);
		names = width > names ? width : names;
	}
	names = names < s.width / 3 ? names : s.width / 3;
	for (int y = 0; y < s.height; y++) {
		const cJSON *m = walk_next(&again, &name);
		surface_text(s, GUTTER, y, names, style_of(ROLE_DIM), buf_text(&name));
		view_value(s, GUTTER + names + GAP, y, -1, m, ground_of(env->in->report, m));
	}
	buf_finish(&name);
}

/* Draw several members per line, on the last line up to column `end`. Return how many were drawn.
 * An object of four members is drawn as "{4}". whole: none was shortened. */
static size_t
draw_flow(
    const struct table_view *v, const struct view_env *env, struct surface s, int end, bool *whole)
{
	struct member_walk w = walk_begin(v, env->in->value);
	struct buf name = BUF_INIT, text = BUF_INIT;
	size_t drawn = 0;
	int x = GUTTER, y = 0;

	*whole = true;
	for (const cJSON *m; (m = walk_next(&w, &name)); drawn++) {
		bool counts = json_count(m) > 0;
		buf_clear(&text);
		if (counts)
			buf_addf(&text, cJSON_IsObject(m) ? "{%zu}" : "[%zu]", json_count(m));
		else
			view_value_text(m, &text);
		int value = (int)glyph_columns(buf_text(&text), text.len);
		int used = value < VALUE_MAX ? value : VALUE_MAX;
		int width = (int)glyph_columns(buf_text(&name), name.len) + 1 + used;
		if (x > GUTTER && x + width > (y + 1 == s.height ? end : s.width)) {
			if (++y == s.height)
				break;
			x = GUTTER;
		}
		*whole &= value == used && !counts;
		x += surface_text(s, x, y, -1, style_of(ROLE_DIM), buf_text(&name)) + 1;
		int room = y + 1 == s.height && x + used > end ? end - x : used;
		x += surface_textn(surface_sub(s, x, y, room, 1), 0, 0,
			 view_style(m, ground_of(env->in->report, m)), buf_text(&text), text.len) +
		     APART;
	}
	buf_finish(&name);
	buf_finish(&text);
	return drawn;
}

void
table_beside_draw(const struct table_view *v, const struct view_env *env, struct surface s)
{
	char hint[48];
	bool whole;

	if (v->beside <= (size_t)s.height) {
		draw_members(v, env, s);
		return;
	}
	int room = snprintf(hint, sizeof(hint), "+%zu more · v tree", v->beside);
	size_t left = v->beside - draw_flow(v, env, s, s.width - room - GAP, &whole);
	if (left > 0)
		snprintf(hint, sizeof(hint), "+%zu more · v tree", left);
	else
		snprintf(hint, sizeof(hint), "v tree");
	if (left > 0 || !whole)
		surface_text_right(s, s.width, s.height - 1, room, style_of(ROLE_HINT), hint);
}

/* ---- the whole ---- */

/* ✗: has violations, ●: is selected, ⊗: both. */
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

/* Return the lines of the row. */
static int
table_draw_draw_row(
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
		draw_freeze(v, s, i);
	return lines;
}

static void
draw_table(struct table_view *v, const struct view_env *env, struct surface s)
{
	bool facts = !env->printed && s.height >= FACTS_FROM && draw_facts(v, env, s, -1);
	struct surface body = surface_sub(s, 0, 1, s.width, s.height - 1 - facts);
	/* the members outside the rows follow the last row; below many rows they keep a line */
	int shown = v->table.shown > 0 ? table_lines(v, body.height) : 1;
	int room = shown < body.height ? body.height - shown : 0;
	int below = body.height > 1 ? table_beside_rows(v, room) : 0;
	struct surface beside = surface_sub(
	    body, 0, below < room ? shown + (below > 0) : body.height - below, body.width, below);
	if (beside.height > 0)
		body.height = beside.y - body.y;
	table_wrap_fit(v, env, s.width, body.height);
	table_draw_draw_head(v, env, s);
	size_t row = v->list.top;
	for (int y = 0; y < body.height && row < v->table.shown; row++)
		y += table_draw_draw_row(v, env, body, y, row);
	if (v->table.shown == 0)
		surface_text(body, GUTTER, 0, -1, style_of(ROLE_HINT),
		    v->table.filter ? "no row matches the filter: Esc shows all"
				    : "no rows: the array is empty");
	/* the scroll bar assumes that rows out of sight have as many lines as those in sight */
	size_t count = v->table.shown, top = v->list.top, rows = (size_t)v->list.height;
	size_t lines = body.height > 0 ? (size_t)body.height : 0;
	if (rows > 0 && rows < lines && rows < count) {
		count = count * lines / rows;
		top = top * lines / rows;
	}
	surface_scrollbar(body, env->focused, count, top);
	if (beside.height > 0)
		table_beside_draw(v, env, beside);
	if (facts)
		draw_facts(v, env, s, s.height - 1);
}

/* From this width on, a record is at the right of its table; from this height on, below it. In a
 * smaller pane it covers the table. */
#define BESIDE_FROM 100
#define BELOW_FROM 24

/* Draw the table. Return the surface for the record. */
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

void
table_view_draw(void *state, const struct view_env *env, struct surface s)
{
	enum { FOOT = 2, LEAST = 4 };
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
	if (record.height == s.height && record.width == s.width) {
		/* it covers the table: the members outside the rows are below it */
		int needed = FOOT;
		if (v->list.selected < v->table.shown)
			needed += table_record_rows(
			    v, v->table.order[v->list.selected], s.width, s.height);
		int room = needed < s.height ? s.height - needed : 0;
		int rows = s.height >= LEAST ? table_beside_rows(v, room) : 0;
		if (rows > 0)
			table_beside_draw(
			    v, env, surface_sub(s, 0, s.height - rows, s.width, rows));
		record = surface_sub(s, 0, 0, s.width, s.height - rows);
	}
	v->record.x = record.x - s.x;
	v->record.y = record.y - s.y;
	v->record.height = record.height;
	table_record_draw(v, env, record);
}
