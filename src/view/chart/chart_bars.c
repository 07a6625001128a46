#include "base/glyph.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "chart_view.h"
#include "json/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bars from left to right, one below the other: names of any length, exact values, any number of
 * rows. They are read from the table when they are drawn. */

#define LABEL_MAX 30
#define VALUE_MAX 22
#define BYTES_A_COLUMN 4 /* of a text that is drawn */
#define GAP 2
#define MOST_VALUES_MEASURED 64

struct bars {
	int label, value, width; /* columns of each part */
	struct chart_range range;
};

static const uint32_t fills[] = { 0x2588, 0x2593, 0x2592, 0x2591 };

static int
columns_of(const struct buf *text)
{
	return (int)glyph_columns(buf_text(text), text->len);
}

/* The widths that the visible rows need. */
static struct bars
measure(const struct chart_view *v, struct surface s, int lines_each)
{
	struct bars b = { .range = v->reading.chart.y };
	int rows = s.height / lines_each + 1;
	struct buf text = BUF_INIT;

	for (int i = 0; i < rows && v->list.top + (size_t)i < v->table.shown; i++) {
		size_t row = v->table.order[v->list.top + (size_t)i];
		buf_clear(&text);
		chart_add_row_name(v, row, &text);
		b.label = columns_of(&text) > b.label ? columns_of(&text) : b.label;
		for (size_t n = 0; n < v->choice.y_count && v->choice.kind == CHART_BAR; n++) {
			const cJSON *cell = table_cell(&v->table, row, v->choice.ys[n]);
			buf_clear(&text);
			if (cell)
				view_value_cut(cell, BYTES_A_COLUMN * VALUE_MAX, &text);
			b.value = columns_of(&text) > b.value ? columns_of(&text) : b.value;
		}
	}
	buf_finish(&text);
	int most = s.width / 3 < LABEL_MAX ? s.width / 3 : LABEL_MAX;
	b.label = b.label < most ? b.label : most;
	b.value = b.value < VALUE_MAX ? b.value : VALUE_MAX;
	b.value = b.value > s.width / 3 ? 0 : b.value;
	b.width = s.width - b.label - GAP - (b.value > 0 ? b.value + 1 : 0);
	return b;
}

/* A stack of huge values may end beyond all numbers. */
static double
place_in(struct chart_range r, double value)
{
	return fmin(fmax(chart_place(r, value), 0), 1);
}

/* A bar from one value to another, with eighths of a cell at its right end. Returns where it ends.
 */
static int
draw_bar(const struct chart_view *v, const struct bars *b, struct surface s, int y, double from,
    double to, size_t series)
{
	double low = place_in(b->range, fmin(from, to)), high = place_in(b->range, fmax(from, to));
	struct style style = chart_style_of(series);
	bool stacked = v->choice.kind == CHART_STACKED;
	int left = (int)(low * b->width + 0.5), eighths = (int)(high * b->width * 8 + 0.5);
	uint32_t full = v->style == STYLE_ASCII ? chart_mark(STYLE_ASCII, series)
			: stacked               ? fills[series % ARRAY_LEN(fills)]
						: fills[0];

	if (b->width <= 0 || from == to)
		return left;
	if (v->style == STYLE_ASCII || stacked || to < from)
		eighths = (eighths + 4) / 8 * 8;
	if (eighths <= 8 * left) /* a small value is not none */
		eighths = 8 * left + (v->style == STYLE_ASCII || stacked ? 8 : 1);
	struct surface in = surface_sub(s, b->label + GAP, y, b->width, 1);
	surface_repeat(in, left, 0, eighths / 8 - left, style, full);
	if (eighths % 8 > 0)
		surface_put(in, eighths / 8, 0, style, 0x2590 - (uint32_t)(eighths % 8));
	return (eighths + 7) / 8;
}

/* The exact value behind the bar; of what is no number, what it is. */
static void
draw_value(const struct bars *b, struct surface s, int x, int y, const cJSON *cell, bool chosen)
{
	struct buf text = BUF_INIT;
	struct style style = style_of(
	    json_type(cell) == JSON_NUMBER ? chosen ? ROLE_TITLE : ROLE_NUMBER : ROLE_HINT);

	if (cell)
		view_value_cut(cell, BYTES_A_COLUMN * (size_t)s.width, &text);
	surface_textn(s, b->label + GAP + x + 1, y, s.width - b->label - GAP - x - 1, style,
	    cell ? buf_text(&text) : "·", cell ? text.len : strlen("·"));
	buf_finish(&text);
}

static void
draw_stack(const struct chart_view *v, const struct bars *b, struct surface s, int y, size_t row)
{
	double above = 0, below = 0, value;
	bool too_large;

	for (size_t i = 0; i < v->choice.y_count; i++) {
		if (!chart_number(table_cell(&v->table, row, v->choice.ys[i]), &value, &too_large))
			continue;
		double *from = value < 0 ? &below : &above;
		draw_bar(v, b, s, y, *from, *from + value, i);
		*from += value;
	}
}

void
chart_draw_row_name(const struct chart_view *v, const struct view_env *env, struct surface s, int y,
    size_t nth, int label)
{
	bool chosen = nth == v->list.selected && !env->printed;
	struct buf name = BUF_INIT;

	surface_spot(s, -1, y);
	if (chosen)
		surface_select_row(s, y, env->focused);
	chart_add_row_name(v, v->table.order[nth], &name);
	surface_text_right(
	    s, label, y, label, style_of(chosen ? ROLE_TITLE : ROLE_TEXT), buf_text(&name));
	buf_finish(&name);
}

static void
draw_row(const struct chart_view *v, const struct view_env *env, const struct bars *b,
    struct surface s, int y, size_t nth)
{
	size_t row = v->table.order[nth];
	bool chosen = nth == v->list.selected && !env->printed, too_large;
	double value;

	chart_draw_row_name(v, env, s, y, nth, b->label);
	if (v->choice.kind == CHART_STACKED) {
		draw_stack(v, b, s, y, row);
		return;
	}
	for (size_t i = 0; i < v->choice.y_count && y + (int)i < s.height; i++) {
		const cJSON *cell = table_cell(&v->table, row, v->choice.ys[i]);
		int end = (int)(chart_place(b->range, 0) * b->width + 0.5);
		if (chart_number(cell, &value, &too_large)) {
			int bar = draw_bar(v, b, s, y + (int)i, 0, value, i);
			end = value < 0 ? end : bar;
		}
		if (b->value > 0)
			draw_value(b, s, end, y + (int)i, cell, chosen && i == v->series);
	}
}

/* The line at zero, if there are values below it. */
static void
draw_zero(const struct chart_view *v, const struct bars *b, struct surface s)
{
	int x = (int)(chart_place(b->range, 0) * b->width + 0.5);

	for (int y = 0; y < s.height && b->range.low < 0 && b->width > 0; y++)
		surface_put(s, b->label + GAP + x, y, style_of(ROLE_BORDER),
		    v->style == STYLE_ASCII ? '|' : 0x2502);
}

void
chart_bars_draw(struct chart_view *v, const struct view_env *env, struct surface s)
{
	int count = v->choice.kind == CHART_BAR ? (int)v->choice.y_count : 1;

	v->rows_each = count > 1 ? count + 1 : 1;
	v->rows_each = v->rows_each > s.height && s.height > 0 ? s.height : v->rows_each;
	list_set_height(&v->list, s.height / v->rows_each > 0 ? s.height / v->rows_each : 1);
	struct bars b = measure(v, s, v->rows_each);
	size_t left = (v->table.shown - v->list.top) * (size_t)v->rows_each;
	v->plot = s;
	draw_zero(
	    v, &b, surface_sub(s, 0, 0, s.width, left < (size_t)s.height ? (int)left : s.height));
	for (int y = 0; y + v->rows_each <= s.height || y == 0; y += v->rows_each) {
		size_t nth = v->list.top + (size_t)(y / v->rows_each);
		if (nth >= v->table.shown || s.height <= 0)
			break;
		draw_row(v, env, &b, s, y, nth);
	}
	surface_scrollbar(s, env->focused, v->table.shown, v->list.top);
}
