#include "base/buf.h"
#include "base/glyph.h"
#include "base/units.h"
#include "data/shape.h"
#include "table_view.h"

#include <stdio.h>
#include <string.h>

/* In a lower table every row is for data. */
#define STATS_FROM 12

/* ---- heads ---- */

/* "✗11", with a plus if the report is truncated; 0: no violations. */
static int
add_count(const struct table_view *v, const struct column *c, char *text, size_t size)
{
	const struct report *r = v->table.report;
	bool more =
	    r && report_facts(r)->violations + report_facts(r)->warnings > report_facts(r)->kept;

	if (c->wrong == 0)
		return 0;
	snprintf(text, size, "✗%zu%s", c->wrong, more ? "+" : "");
	return (int)glyph_columns(text, strlen(text));
}

int
table_head_width(const struct table_view *v, const struct column *c)
{
	char count[32];

	return c->wrong > 0 ? label_columns(c->name) + 1 + add_count(v, c, count, sizeof(count))
			    : 0;
}

static const cJSON *
annotation(const struct view_env *env, const struct column *c, const char *keyword)
{
	return c->schema ? shape_annotation(env->in->schema, c->schema, keyword) : NULL;
}

/* Returns the columns used from x on; the sort mark follows. */
static int
draw_name(const struct table_view *v, const struct view_env *env, struct surface s, int x,
    const struct column *c)
{
	struct style style = style_of(ROLE_COLUMN);
	char count[32] = "";
	int name = label_columns(c->name), behind = add_count(v, c, count, sizeof(count));
	int whole = name + (behind > 0 ? 1 + behind : 0);

	if (json_is_true(annotation(env, c, "deprecated")))
		style = style_of(ROLE_WARNING);
	style.attr = ATTR_BOLD;
	if (whole > c->width) {
		behind = 0;
		whole = name;
	}
	int start = c->numeric && whole < c->width ? x + c->width - whole : x;
	int used = surface_text(s, start, 0, c->width - (start - x), style, c->name);
	if (behind > 0)
		used +=
		    1 + surface_text(s, start + used + 1, 0, behind, style_of(ROLE_ERROR), count);
	return start - x + used;
}

/* "▲", or "2▲" if there are more keys; over the end of a name that leaves no room. */
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

void
table_head_draw(const struct table_view *v, const struct view_env *env, struct surface s)
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
		int mark = draw_name(v, env, s, slot->x, &c);
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
	table_draw_freeze(v, s, 0);
	if (v->cut_right)
		surface_text(s, s.width - 1, 0, 1, style_of(ROLE_ACCENT), "›");
}

/* ---- the schema of the column ---- */

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

/* Short: a key shows all of it. */
static bool
draw_cell_trouble(const struct table_view *v, const struct column *c, struct surface s, int y)
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

/* At the right, from column x on; returns the columns that are left before it. */
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

bool
table_facts_draw(struct table_view *v, const struct view_env *env, struct surface s, int y)
{
	if (!env->focused || v->column >= v->table.columns.len)
		return false;
	const struct column *c = &v->table.columns.items[v->column];
	const struct report *r = v->table.report;
	if (y >= 0 && draw_cell_trouble(v, c, s, y))
		return true;
	const char *title = json_string(annotation(env, c, "title"));
	const char *description = json_string(annotation(env, c, "description"));
	bool deprecated = json_is_true(annotation(env, c, "deprecated"));
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
