/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "chart_view.h"
#include "json/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A chart in the cells of the screen. */

static struct style
style_of_series(size_t series)
{
	return style_of((enum role)((size_t)ROLE_SERIES_1 + series % (size_t)CHART_SERIES_MAX));
}

static uint32_t
mark_of(enum chart_style style, size_t series)
{
	static const uint32_t marks[CHART_SERIES_MAX] = { 0x25cf, 0x25c6, 0x25b2, 0x25a0, 0x25cb,
		0x25a1 };
	static const char ascii[CHART_SERIES_MAX] = "*+ox#@";

	series %= CHART_SERIES_MAX;
	return style == STYLE_ASCII ? (uint32_t)ascii[series] : marks[series];
}

/* Return the column of a value on an axis of this width. */
static int
column_of(struct chart_range range, double value, int width)
{
	double at = chart_place(range, value) * (width - 1);

	return isnan(at) || at < 0 ? 0 : at > width - 1 ? width - 1 : (int)(at + 0.5);
}

/* ---- the line with the exact value at the cursor, from its cell ---- */

#define NAME_BYTES 60
#define VALUE_BYTES 120

static void
add_cut(struct buf *out, const char *text)
{
	utf8_add_cut(out, text, strlen(text), NAME_BYTES);
}

static void
add_cell(const struct chart_view *v, size_t row, size_t column, struct buf *out)
{
	const cJSON *cell = table_cell(&v->table, row, column);

	add_cut(out, v->table.columns.items[column].name);
	buf_add_char(out, ' ');
	if (cell)
		view_value_cut(cell, VALUE_BYTES, out);
	else
		buf_add_str(out, "·");
}

/* Add the name of the row, its value on the axis, then the value at the cursor and the others. */
static void
add_chart_draw_row(const struct chart_view *v, size_t row, struct buf *out)
{
	const struct chart_choice *c = &v->choice;

	chart_add_row_name(v, row, out);
	if (c->x < v->table.columns.len && c->x != c->label && !chart_view_has_rows(v)) {
		buf_add_str(out, "   ");
		add_cell(v, row, c->x, out);
	}
	buf_add_str(out, "   ");
	add_cell(v, row, c->ys[v->series], out);
	for (size_t i = 0; i < c->y_count && i < CHART_SERIES_MAX; i++) {
		if (i == v->series)
			continue;
		buf_add_str(out, "   ");
		add_cell(v, row, c->ys[i], out);
	}
}

static void
add_bin(const struct chart_view *v, const struct chart_point *p, struct buf *out)
{
	const struct chart *c = &v->reading.chart;

	/* the steps of the drawing, without the rounding errors of a sum */
	double high = c->interval * round((p->x + c->interval) / c->interval);
	double low = c->interval * round(p->x / c->interval);
	bool even = fabs(low - p->x) < c->interval / 1e6;
	char text[96];

	snprintf(text, sizeof(text), "%.12g ≤ ", even ? low : p->x);
	buf_add_str(out, text);
	add_cut(out, v->table.columns.items[v->choice.ys[v->series]].name);
	snprintf(text, sizeof(text), " < %.12g   ", even ? high : p->x + c->interval);
	buf_add_str(out, text);
	units_add_counted(out, (size_t)p->high, "row");
	size_t numbers = c->series[v->series].numbers;
	if (numbers > 0)
		buf_addf(out, " of ");
	units_add_count(out, numbers);
}

static void
add_box(const struct chart_view *v, struct buf *out)
{
	static const char *const names[CHART_FIVE] = { "least", "first quartile", "median",
		"third quartile", "most" };
	const struct chart_series *s = &v->reading.chart.series[v->series];
	size_t row;

	add_cut(out, v->table.columns.items[v->choice.ys[v->series]].name);
	if (s->numbers == 0) {
		buf_add_str(out, "   no number");
		return;
	}
	buf_addf(out, "   %s ", names[v->point % CHART_FIVE]);
	if (chart_view_row(v, &row)) {
		view_value_cut(
		    table_cell(&v->table, row, v->choice.ys[v->series]), VALUE_BYTES, out);
		buf_add_str(out, "   ");
		chart_add_row_name(v, row, out);
	} else {
		char text[JSON_NUMBER_TEXT_MAX];
		buf_add_str(
		    out, json_number_text(&(cJSON){ .type = cJSON_Number,
					      .valuedouble = s->five[v->point % CHART_FIVE] },
			     text));
	}
	buf_add_str(out, "   of ");
	units_add_counted(out, s->numbers, "number");
}

static void
draw_readout(const struct chart_view *v, struct surface s)
{
	const struct chart_point *p = chart_view_point(v);
	struct buf text = BUF_INIT;
	size_t row;

	if (v->choice.kind == CHART_HISTOGRAM && p)
		add_bin(v, p, &text);
	else if (v->choice.kind == CHART_BOX)
		add_box(v, &text);
	else if (chart_view_row(v, &row))
		add_chart_draw_row(v, row, &text);
	if (v->reading.chart.reduced && p && v->choice.kind != CHART_HISTOGRAM) {
		buf_add_str(&text, "   ");
		units_add_counted(&text, v->reading.chart.series[v->series].len, "point");
		buf_add_str(&text, " stand for ");
		units_add_counted(&text, v->reading.chart.rows, "row");
	}
	surface_textn(s, 0, 0, style_of(ROLE_TEXT), buf_text(&text), text.len);
	buf_finish(&text);
}

/* ---- bars ---- */

/* Bars are horizontal, so that names have any length and there may be any number of rows. Only the
 * visible rows are read from the table. */

#define LABEL_MAX 30
#define VALUE_MAX 22
#define BYTES_A_COLUMN 4 /* of a text that is drawn */
#define GAP 2

struct bars {
	int label, value, width; /* columns of each part */
	struct chart_range range;
};

static const uint32_t fills[] = { 0x2588, 0x2593, 0x2592, 0x2591 };

static int
chart_draw_columns_of(const struct buf *text)
{
	return (int)glyph_columns(buf_text(text), text->len);
}

/* Return the widths that the visible rows need. */
static struct bars
measure_bars(const struct chart_view *v, struct surface s, int lines_each)
{
	struct bars b = { .range = v->reading.chart.y };
	int rows = s.height / lines_each + 1;
	struct buf text = BUF_INIT;

	for (int i = 0; i < rows && v->list.top + (size_t)i < v->table.shown; i++) {
		size_t row = v->table.order[v->list.top + (size_t)i];
		buf_clear(&text);
		chart_add_row_name(v, row, &text);
		b.label =
		    chart_draw_columns_of(&text) > b.label ? chart_draw_columns_of(&text) : b.label;
		for (size_t n = 0; n < v->choice.y_count && v->choice.kind == CHART_BAR; n++) {
			const cJSON *cell = table_cell(&v->table, row, v->choice.ys[n]);
			buf_clear(&text);
			if (cell)
				view_value_cut(cell, BYTES_A_COLUMN * VALUE_MAX, &text);
			b.value = chart_draw_columns_of(&text) > b.value
				      ? chart_draw_columns_of(&text)
				      : b.value;
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

/* Draw a bar from one value to another, with eighths of a cell at its right end. Return the column
 * after it. The sum of a stack may be out of the range. */
static int
draw_bar(const struct chart_view *v, const struct bars *b, struct surface line, double from,
    double to, size_t series)
{
	double low = fmin(fmax(chart_place(b->range, fmin(from, to)), 0), 1);
	double high = fmin(fmax(chart_place(b->range, fmax(from, to)), 0), 1);
	struct style style = style_of_series(series);
	bool stacked = v->choice.kind == CHART_STACKED;
	int left = (int)(low * b->width + 0.5), eighths = (int)(high * b->width * 8 + 0.5);
	uint32_t full = v->style == STYLE_ASCII ? mark_of(STYLE_ASCII, series)
			: stacked               ? fills[series % ARRAY_LEN(fills)]
						: fills[0];

	if (b->width <= 0 || from == to)
		return left;
	if (v->style == STYLE_ASCII || stacked || to < from)
		eighths = (eighths + 4) / 8 * 8;
	if (eighths <= 8 * left) /* a small value is visible */
		eighths = 8 * left + (v->style == STYLE_ASCII || stacked ? 8 : 1);
	struct surface in = surface_sub(line, b->label + GAP, 0, b->width, 1);
	surface_repeat(in, left, 0, eighths / 8 - left, style, full);
	if (eighths % 8 > 0)
		surface_put(in, eighths / 8, 0, style, 0x2590 - (uint32_t)(eighths % 8));
	return (eighths + 7) / 8;
}

/* Draw the name of the nth row shown before its bar or its shades. */
static void
draw_row_name(const struct chart_view *v, const struct view_env *env, struct surface s, int y,
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
draw_bar_row(const struct chart_view *v, const struct view_env *env, const struct bars *b,
    struct surface s, int y, size_t nth)
{
	size_t row = v->table.order[nth];
	bool chosen = nth == v->list.selected && !env->printed, too_large;
	bool stacked = v->choice.kind == CHART_STACKED;
	double above = 0, below = 0, value;
	struct buf text = BUF_INIT;

	draw_row_name(v, env, s, y, nth, b->label);
	for (size_t i = 0; i < v->choice.y_count && (stacked || y + (int)i < s.height); i++) {
		const cJSON *cell = table_cell(&v->table, row, v->choice.ys[i]);
		struct surface line = surface_sub(s, 0, stacked ? y : y + (int)i, s.width, 1);
		int end = (int)(chart_place(b->range, 0) * b->width + 0.5);
		if (chart_number(cell, &value, &too_large)) {
			double *sum = value < 0 ? &below : &above, from = stacked ? *sum : 0;
			int bar = draw_bar(v, b, line, from, from + value, i);
			*sum += value;
			end = value < 0 ? end : bar;
		}
		if (b->value == 0 || stacked)
			continue;
		/* the exact value after the bar, or another value instead of a bar */
		enum role role = chosen && i == v->series ? ROLE_TITLE : ROLE_NUMBER;
		buf_clear(&text);
		if (cell)
			view_value_cut(cell, BYTES_A_COLUMN * (size_t)s.width, &text);
		else
			buf_add_str(&text, "·");
		surface_textn(line, b->label + GAP + end + 1, 0,
		    style_of(cJSON_IsNumber(cell) ? role : ROLE_HINT), buf_text(&text), text.len);
	}
	buf_finish(&text);
}

static void
draw_bars(struct chart_view *v, const struct view_env *env, struct surface s)
{
	int count = v->choice.kind == CHART_BAR ? (int)v->choice.y_count : 1;

	v->rows_each = count > 1 ? count + 1 : 1;
	v->rows_each = v->rows_each > s.height && s.height > 0 ? s.height : v->rows_each;
	list_set_height(&v->list, s.height / v->rows_each > 0 ? s.height / v->rows_each : 1);
	struct bars b = measure_bars(v, s, v->rows_each);
	size_t lines = (v->table.shown - v->list.top) * (size_t)v->rows_each;
	int zero = b.label + GAP + (int)(chart_place(b.range, 0) * b.width + 0.5);
	v->plot = s;
	for (int y = 0; y < s.height && (size_t)y < lines && b.range.low < 0 && b.width > 0; y++)
		surface_put(
		    s, zero, y, style_of(ROLE_BORDER), v->style == STYLE_ASCII ? '|' : 0x2502);
	for (int y = 0; y + v->rows_each <= s.height || y == 0; y += v->rows_each) {
		size_t nth = v->list.top + (size_t)(y / v->rows_each);
		if (nth >= v->table.shown || s.height <= 0)
			break;
		draw_bar_row(v, env, &b, s, y, nth);
	}
	surface_scrollbar(s, env->focused, v->table.shown, v->list.top);
}

/* ---- boxes ---- */

#define BOX_LABEL_MAX 24
#define HIGH_BOX 3

/* A row of the box: its left edge, the line, the median and its right edge. */
static const struct box_lines {
	uint32_t least, line, most, rows[HIGH_BOX][4];
} box_lines[] = {
	{ 0x251c, 0x2500, 0x2524,
	    { { 0x250c, 0x2500, 0x252c, 0x2510 }, { 0x2524, ' ', 0x2502, 0x251c },
		{ 0x2514, 0x2500, 0x2534, 0x2518 } } },
	{ '|', '-', '|',
	    { { '+', '-', '+', '+' }, { '|', ' ', '|', '|' }, { '+', '-', '+', '+' } } },
};

static void
draw_box(const struct chart_view *v, struct surface s, int y, int height, size_t series)
{
	const struct chart_series *d = &v->reading.chart.series[series];
	const struct box_lines *l = &box_lines[v->style == STYLE_ASCII];
	struct style style = style_of_series(series);
	int at[CHART_FIVE], middle = y + height / 2;

	for (int i = 0; i < CHART_FIVE; i++)
		at[i] = column_of(v->reading.chart.y, d->five[i], s.width);
	surface_repeat(s, at[0], middle, at[4] - at[0], style, l->line);
	surface_put(s, at[0], middle, style, l->least);
	surface_put(s, at[4], middle, style, l->most);
	if (height < HIGH_BOX) {
		surface_repeat(s, at[1], middle, at[3] - at[1] + 1, style,
		    v->style == STYLE_ASCII ? '=' : 0x2592);
		surface_put(s, at[2], middle, style, v->style == STYLE_ASCII ? '|' : 0x2588);
		return;
	}
	for (int i = 0; i < HIGH_BOX; i++) {
		const uint32_t *row = l->rows[i];
		surface_repeat(s, at[1], middle - 1 + i, at[3] - at[1] + 1, style, row[1]);
		surface_put(s, at[1], middle - 1 + i, style, row[0]);
		surface_put(s, at[3], middle - 1 + i, style, row[3]);
		surface_put(s, at[2], middle - 1 + i, style, row[2]);
	}
}

static void
draw_scale(const struct chart_view *v, struct surface s, int y)
{
	struct chart_ticks ticks;
	struct buf label = BUF_INIT;
	int end = -1;

	chart_ticks_find(&ticks, CHART_NUMBERS, v->reading.chart.y, (size_t)s.width / 12 + 1);
	for (size_t i = 0; i < ticks.len; i++) {
		buf_clear(&label);
		chart_ticks_add(&ticks, i, &label);
		int width = (int)label.len;
		int x = column_of(v->reading.chart.y, ticks.at[i], s.width) - width / 2;
		x = x < 0 ? 0 : x + width > s.width ? s.width - width : x;
		if (x <= end)
			continue;
		end = x + surface_text(s, x, y, width, style_of(ROLE_DIM), buf_text(&label));
	}
	buf_finish(&label);
}

static void
draw_boxes(struct chart_view *v, const struct view_env *env, struct surface s)
{
	int left = 0, most = s.width / 3 < BOX_LABEL_MAX ? s.width / 3 : BOX_LABEL_MAX;
	int count = (int)v->choice.y_count;
	bool scale = s.height > count;
	int room = s.height - scale;
	int each = room / (count > 0 ? count : 1);

	for (int i = 0; i < count; i++) {
		int columns = label_columns(v->table.columns.items[v->choice.ys[i]].name);
		left = columns > left ? columns : left;
	}
	left = (left < most ? left : most) + GAP;
	each = each > HIGH_BOX ? HIGH_BOX + 1 : each == HIGH_BOX ? HIGH_BOX : 1;
	v->rows_each = each;
	list_set_height(&v->list, room / each > 0 ? room / each : 1);
	v->plot = surface_sub(s, left, 0, s.width - left, room);
	for (int i = 0; i < room / each && v->list.top + (size_t)i < v->choice.y_count; i++) {
		size_t series = v->list.top + (size_t)i;
		int y = i * each, middle = y + (each >= HIGH_BOX);
		bool chosen = series == v->series && !env->printed;
		struct surface row = surface_sub(s, 0, y, s.width, each);
		surface_text(s, 0, middle, left - GAP, style_of(chosen ? ROLE_TITLE : ROLE_TEXT),
		    v->table.columns.items[v->choice.ys[series]].name);
		if (v->reading.chart.series[series].numbers == 0 || v->plot.width <= 0)
			continue;
		draw_box(v, surface_sub(row, left, 0, s.width - left, each), 0,
		    each >= HIGH_BOX ? HIGH_BOX : 1, series);
		double value = v->reading.chart.series[series].five[v->point % CHART_FIVE];
		if (chosen && env->focused)
			surface_restyle(v->plot,
			    column_of(v->reading.chart.y, value, v->plot.width), middle, 1,
			    ROLE_CURSOR, 0);
	}
	if (scale)
		draw_scale(v, surface_sub(s, left, 0, s.width - left, s.height), s.height - 1);
}

/* ---- heat maps ---- */

#define SHADES 32

/* Viridis: equal steps look equal, also in gray and to color-blind people. */
uint32_t
chart_shade(double part)
{
	static const uint8_t stops[][3] = { { 0x44, 0x01, 0x54 }, { 0x3b, 0x52, 0x8b },
		{ 0x21, 0x91, 0x8c }, { 0x5e, 0xc9, 0x62 }, { 0xfd, 0xe7, 0x25 } };
	const int last = (int)ARRAY_LEN(stops) - 1;
	double at = floor(fmin(fmax(part, 0), 1) * (SHADES - 1)) / (SHADES - 1) * last;
	int i = at >= last ? last - 1 : (int)at;
	uint32_t color = 0;

	for (int n = 0; n < 3; n++)
		color = color << 8 |
			(uint32_t)(stops[i][n] + (stops[i + 1][n] - stops[i][n]) * (at - i));
	return color & 0xfcfcfc;
}

static void
draw_shade(const struct chart_view *v, struct surface s, int x, int y, int width, double part)
{
	static const char ascii[] = " .:-=+*#%@";
	uint32_t color = STYLE_RGB(chart_shade(part));

	/* the back end makes shades of half blocks in one color if there are no colors */
	if (v->style == STYLE_ASCII)
		surface_repeat(
		    s, x, y, width, style_of(ROLE_SERIES_1), (uint32_t)ascii[(int)(part * 9.49)]);
	else
		surface_repeat(s, x, y, width, (struct style){ color, color, 0 }, 0x2580);
}

struct heat {
	int label, each; /* columns */
	size_t first, count;
};

static void
draw_heat_row(const struct chart_view *v, const struct view_env *env, const struct heat *h,
    struct surface s, int y, size_t nth)
{
	size_t row = v->table.order[nth];
	bool chosen = nth == v->list.selected && !env->printed, too_large;
	double value;

	draw_row_name(v, env, s, y, nth, h->label);
	for (size_t i = 0; i < h->count; i++) {
		int x = h->label + GAP + (int)i * h->each;
		const cJSON *cell = table_cell(&v->table, row, v->choice.ys[h->first + i]);
		bool has = chart_number(cell, &value, &too_large);
		if (has)
			draw_shade(v, s, x, y, h->each, chart_place(v->reading.chart.y, value));
		else
			surface_put(s, x + h->each / 2, y, style_of(ROLE_HINT),
			    v->style == STYLE_ASCII ? '?' : 0xb7);
		if (chosen && h->first + i == v->series && env->focused)
			surface_put(
			    s, x + h->each / 2, y, style_of(ROLE_CURSOR), mark_of(v->style, 0));
	}
}

static void
draw_heat(struct chart_view *v, const struct view_env *env, struct surface s)
{
	enum { EACH_MOST = 8, HEAD_FROM = 4, SCALE_WIDTH = 24 };
	int most = s.width / 3 < BOX_LABEL_MAX ? s.width / 3 : BOX_LABEL_MAX;
	bool head = s.height >= HEAD_FROM;
	struct surface body = surface_sub(s, 0, head, s.width, s.height - 2 * head);
	struct heat h = { .label = 0 };
	struct buf name = BUF_INIT;

	v->rows_each = 1;
	v->plot = body;
	list_set_height(&v->list, body.height > 0 ? body.height : 1);
	for (int y = 0; y < body.height && v->list.top + (size_t)y < v->table.shown; y++) {
		buf_clear(&name);
		chart_add_row_name(v, v->table.order[v->list.top + (size_t)y], &name);
		h.label =
		    chart_draw_columns_of(&name) > h.label ? chart_draw_columns_of(&name) : h.label;
	}
	buf_finish(&name);
	h.label = h.label < most ? h.label : most;
	int room = s.width - h.label - GAP;
	h.each = room / (int)v->choice.y_count;
	h.each = h.each > EACH_MOST ? EACH_MOST : h.each < 1 ? 1 : h.each;
	h.count = room > 0 ? (size_t)(room / h.each) : 0;
	h.count = h.count < v->choice.y_count ? h.count : v->choice.y_count;
	h.first = v->series >= h.count && h.count > 0 ? v->series - h.count + 1 : 0;
	for (size_t i = 0; i < h.count && head && h.each > 2; i++)
		surface_text(s, h.label + GAP + (int)i * h.each, 0, h.each - 1,
		    style_of(h.first + i == v->series ? ROLE_TITLE : ROLE_COLUMN),
		    v->table.columns.items[v->choice.ys[h.first + i]].name);
	for (int y = 0; y < body.height && v->list.top + (size_t)y < v->table.shown; y++)
		draw_heat_row(v, env, &h, body, y, v->list.top + (size_t)y);
	surface_scrollbar(body, env->focused, v->table.shown, v->list.top);
	if (!head)
		return;
	struct surface scale = surface_sub(s, h.label + GAP, s.height - 1, room, 1);
	int x = surface_textf(scale, 0, 0, -1, style_of(ROLE_DIM), "%g ", v->reading.chart.y.low);
	int width = scale.width < SCALE_WIDTH ? scale.width : SCALE_WIDTH;
	for (int i = 0; i < width; i++)
		draw_shade(v, scale, x + i, 0, 1, (double)i / (SCALE_WIDTH - 1));
	surface_textf(
	    scale, x + width + 1, 0, -1, style_of(ROLE_DIM), "%g", v->reading.chart.y.high);
}

/* ---- two axes: lines, areas, points and histograms ---- */

/* A smaller plot has no labels. */
#define LABELS_FROM 24
#define X_LABELS_FROM 4
#define TICK_LABEL_MAX 14
#define TICKS 20

struct axes {
	struct chart_range x, y;
	struct chart_ticks x_ticks, y_ticks;
	struct surface inside;
};

static const struct plot_lines {
	uint32_t vertical, horizontal, corner, on_x, on_y, grid, hair, cursor;
} lines[CHART_STYLE_COUNT] = {
	[STYLE_BRAILLE] = { 0x2502, 0x2500, 0x2514, 0x252c, 0x2524, 0x2508, 0x250a, 0x25b2 },
	[STYLE_BLOCKS] = { 0x2502, 0x2500, 0x2514, 0x252c, 0x2524, 0x2508, 0x250a, 0x25b2 },
	[STYLE_ASCII] = { '|', '-', '+', '+', '+', '.', ':', '^' },
};

/* ---- axes ---- */

static int
row_of(const struct axes *a, double value, int height)
{
	return height - 1 - column_of(a->y, value, height);
}

static void
draw_y_axis(const struct chart_view *v, const struct axes *a, struct surface s)
{
	const struct plot_lines *l = &lines[v->style];
	struct surface in = a->inside;
	int left = in.x - s.x;
	struct buf label = BUF_INIT;

	for (int y = 0; y < in.height && left > 0; y++)
		surface_put(s, left - 1, y, style_of(ROLE_BORDER), l->vertical);
	for (size_t i = 0; i < a->y_ticks.len; i++) {
		int y = row_of(a, a->y_ticks.at[i], in.height);
		surface_repeat(in, 0, y, in.width, style_of(ROLE_BORDER), l->grid);
		if (left == 0)
			continue;
		buf_clear(&label);
		chart_ticks_add(&a->y_ticks, i, &label);
		surface_put(s, left - 1, y, style_of(ROLE_BORDER), l->on_y);
		surface_text_right(s, left - 1, y, left - 1, style_of(ROLE_DIM), buf_text(&label));
	}
	buf_finish(&label);
}

static void
draw_x_axis(const struct chart_view *v, const struct axes *a, struct surface s)
{
	const struct plot_lines *l = &lines[v->style];
	struct surface in = a->inside;
	int left = in.x - s.x, y = in.height, end = 0;
	struct buf label = BUF_INIT;

	if (y + 1 >= s.height)
		return;
	surface_repeat(s, left, y, in.width, style_of(ROLE_BORDER), l->horizontal);
	if (left > 0)
		surface_put(s, left - 1, y, style_of(ROLE_BORDER), l->corner);
	for (size_t i = 0; i < a->x_ticks.len; i++) {
		int x = left + column_of(a->x, a->x_ticks.at[i], in.width);
		buf_clear(&label);
		chart_ticks_add(&a->x_ticks, i, &label);
		int width = chart_draw_columns_of(&label), from = x - width / 2;
		from = from + width > s.width ? s.width - width : from < 0 ? 0 : from;
		surface_put(s, x, y, style_of(ROLE_BORDER), l->on_x);
		if (from < end || (end > 0 && from < end + 1))
			continue;
		end = from +
		      surface_text(s, from, y + 1, width, style_of(ROLE_DIM), buf_text(&label));
	}
	buf_finish(&label);
}

/* Choose ranges that end at ticks, and the area inside the labels. */
static struct axes
find_axes(struct chart_view *v, struct surface s)
{
	const struct chart *c = &v->reading.chart;
	bool labels = s.width >= LABELS_FROM && s.height >= X_LABELS_FROM;
	int height = s.height - (labels ? 2 : 0), left = 0;
	size_t wanted = height > 8 ? (size_t)height / 4 : 2;
	struct axes a = { .x = c->x, .y = chart_rounded(c->y, wanted) };
	struct buf label = BUF_INIT;

	if (c->choice.kind == CHART_SCATTER && c->x_values == CHART_NUMBERS)
		a.x = chart_rounded(c->x, (size_t)s.width / TICKS + 1);
	chart_ticks_find(&a.y_ticks, CHART_NUMBERS, a.y, wanted);
	for (size_t i = 0; i < a.y_ticks.len && labels; i++) {
		buf_clear(&label);
		chart_ticks_add(&a.y_ticks, i, &label);
		left = chart_draw_columns_of(&label) > left ? chart_draw_columns_of(&label) : left;
	}
	buf_finish(&label);
	left = labels ? (left < TICK_LABEL_MAX ? left : TICK_LABEL_MAX) + 1 : 0;
	a.inside = surface_sub(s, left, 0, s.width - left, height);
	size_t bins = c->choice.kind == CHART_HISTOGRAM ? c->series[v->series].len : 0;
	if (bins > 0 && (size_t)a.inside.width > bins) /* give all bins the same width */
		a.inside.width -= a.inside.width % (int)bins;
	chart_ticks_find(&a.x_ticks, c->x_values, a.x,
	    (size_t)(a.inside.width > TICKS ? a.inside.width : TICKS) /
		(c->x_values == CHART_TIMES ? 10 : 12));
	return a;
}

/* ---- dots in cells ---- */

/* Each cell has the color of the series drawn last in it. */
struct raster {
	enum chart_style style;
	int width, height; /* in cells */
	int across, down;  /* dots in a cell */
	uint8_t *bits;
	uint8_t *series; /* from 1 */
};

static const struct {
	int across, down;
} dots[CHART_STYLE_COUNT] = {
	[STYLE_BRAILLE] = { 2, 4 },
	[STYLE_BLOCKS] = { 2, 2 },
	[STYLE_ASCII] = { 1, 1 },
};

static void
raster_dot(struct raster *r, int x, int y, size_t series)
{
	/* the bits of a braille character, rows from the top */
	static const uint8_t braille[4][2] = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } };

	if (x < 0 || y < 0 || x >= r->width * r->across || y >= r->height * r->down)
		return;
	size_t cell = (size_t)(y / r->down) * (size_t)r->width + (size_t)(x / r->across);
	r->bits[cell] |= r->style == STYLE_BRAILLE
			     ? braille[y % r->down][x % r->across]
			     : (uint8_t)(1 << (y % r->down * r->across + x % r->across));
	r->series[cell] = (uint8_t)(series + 1);
}

static void
raster_line(struct raster *r, int x0, int y0, int x1, int y1, size_t series)
{
	int dx = abs(x1 - x0), dy = abs(y1 - y0), steps = dx > dy ? dx : dy;

	for (int i = 0; i <= steps; i++) {
		double part = steps > 0 ? (double)i / steps : 0;
		int x = x0 + (int)((x1 - x0) * part + (x1 < x0 ? -0.5 : 0.5));
		int y = y0 + (int)((y1 - y0) * part + (y1 < y0 ? -0.5 : 0.5));
		raster_dot(r, x, y, series);
	}
}

static void
raster_draw(const struct raster *r, struct surface s)
{
	static const uint32_t quadrants[16] = { ' ', 0x2598, 0x259d, 0x2580, 0x2596, 0x258c, 0x259e,
		0x259b, 0x2597, 0x259a, 0x2590, 0x259c, 0x2584, 0x2599, 0x259f, 0x2588 };

	for (int y = 0; y < r->height; y++)
		for (int x = 0; x < r->width; x++) {
			size_t cell = (size_t)y * (size_t)r->width + (size_t)x;
			size_t series = (size_t)r->series[cell] - 1;
			if (!r->bits[cell])
				continue;
			surface_put(s, x, y, style_of_series(series),
			    r->style == STYLE_BRAILLE  ? 0x2800 + (uint32_t)r->bits[cell]
			    : r->style == STYLE_BLOCKS ? quadrants[r->bits[cell] & 15]
						       : mark_of(r->style, series));
		}
}

/* ---- lines and points ---- */

struct pen {
	struct raster raster;
	const struct axes *axes;
	int width, height; /* in dots */
};

static int
dot_y(const struct pen *p, double y)
{
	return p->height - 1 - column_of(p->axes->y, y, p->height);
}

/* Set every other dot between zero and the line from (x0, y0) to (x1, y1). */
static void
fill(struct pen *p, int x0, int y0, int x1, int y1, size_t series)
{
	int zero = dot_y(p, 0), each = p->raster.across > 1 ? 2 : 1;

	for (int x = x0; x <= x1; x++) {
		int y = x1 > x0 ? y0 + (int)((double)(y1 - y0) * (x - x0) / (x1 - x0)) : y0;
		int from = y < zero ? y : zero, to = y < zero ? zero : y;
		for (int n = from; n <= to; n++)
			if ((x + n) % each == 0)
				raster_dot(&p->raster, x, n, series);
	}
}

/* The points in one column of dots, joined by a line. */
struct stretch {
	int x, top, bottom, last;
};

static void
draw_stretch(struct pen *p, const struct stretch *at, size_t series, bool filled)
{
	if (filled) {
		fill(p, at->x, at->top, at->x, at->top, series);
		fill(p, at->x, at->bottom, at->x, at->bottom, series);
	} else {
		raster_line(&p->raster, at->x, at->top, at->x, at->bottom, series);
	}
}

/* Draw each column once, because there may be more points than columns. */
static void
draw_series(struct pen *p, const struct chart_view *v, size_t series, bool filled)
{
	const struct chart_series *s = &v->reading.chart.series[series];
	bool after = false; /* a point without a gap */
	struct stretch at = { 0 };

	for (size_t i = 0; i < s->len; i++) {
		bool gap = isnan(s->items[i].high);
		int x = gap ? 0 : column_of(p->axes->x, s->items[i].x, p->width);
		int y = gap ? 0 : dot_y(p, s->items[i].high);
		if (after && !gap && x == at.x) {
			at.top = y < at.top ? y : at.top;
			at.bottom = y > at.bottom ? y : at.bottom;
			at.last = y;
			continue;
		}
		if (after)
			draw_stretch(p, &at, series, filled);
		if (after && !gap && filled)
			fill(p, at.x, at.last, x, y, series);
		else if (after && !gap)
			raster_line(&p->raster, at.x, at.last, x, y, series);
		at = (struct stretch){ x, y, y, y };
		after = !gap;
	}
	if (after)
		draw_stretch(p, &at, series, filled);
}

/* Mark each point if they are few. Otherwise mark one every few columns if there are several
 * series, to tell them apart without colors. */
static void
draw_marks(const struct chart_view *v, const struct axes *a, size_t series)
{
	enum { FEW = 3, APART = 12 };
	const struct chart_series *s = &v->reading.chart.series[series];
	struct surface in = a->inside;
	bool scattered = v->choice.kind == CHART_SCATTER;
	size_t room =
	    scattered ? (size_t)in.width * (size_t)in.height / 12 : (size_t)in.width / FEW;
	int apart = s->len <= room ? 0 : APART, next = (int)series * APART / CHART_SERIES_MAX;

	if (apart > 0 && (scattered || v->choice.y_count < 2))
		return;
	for (size_t i = 0; i < s->len; i++) {
		int x = column_of(a->x, s->items[i].x, in.width);
		if (isnan(s->items[i].high) || (apart > 0 && x < next))
			continue;
		surface_put(in, x, row_of(a, s->items[i].high, in.height), style_of_series(series),
		    mark_of(v->style, series));
		next = x + apart;
	}
}

static void
draw_lines(const struct chart_view *v, const struct axes *a)
{
	struct surface in = a->inside;
	bool empty = in.width <= 0 || in.height <= 0;
	size_t cells = empty ? 0 : (size_t)in.width * (size_t)in.height;
	struct pen p = { .axes = a,
		.raster = { .style = v->style,
		    .width = empty ? 0 : in.width,
		    .height = empty ? 0 : in.height,
		    .across = dots[v->style].across,
		    .down = dots[v->style].down,
		    .bits = mem_zalloc(cells + 1),
		    .series = mem_zalloc(cells + 1) } };

	p.width = p.raster.width * p.raster.across;
	p.height = p.raster.height * p.raster.down;
	for (size_t i = v->choice.y_count; i-- > 0 && v->choice.kind == CHART_AREA;)
		draw_series(&p, v, i, true);
	/* the selected series is drawn last, over the others */
	for (size_t n = v->choice.y_count + 1; n-- > 0;) {
		size_t series = n > 0 ? n - 1 : v->series;
		const struct chart_series *s = &v->reading.chart.series[series];
		if (v->choice.kind != CHART_SCATTER)
			draw_series(&p, v, series, false);
		for (size_t i = 0; i < s->len && v->choice.kind == CHART_SCATTER; i++)
			if (!isnan(s->items[i].high))
				raster_dot(&p.raster, column_of(a->x, s->items[i].x, p.width),
				    dot_y(&p, s->items[i].high), series);
	}
	raster_draw(&p.raster, in);
	free(p.raster.bits);
	free(p.raster.series);
	for (size_t i = v->choice.y_count; i-- > 0;)
		draw_marks(v, a, i);
}

/* ---- histograms ---- */

static void
draw_bins(const struct chart_view *v, const struct axes *a, bool focused)
{
	const struct chart_series *s = &v->reading.chart.series[v->series];
	struct surface in = a->inside;

	for (size_t i = 0; i < s->len && in.width > 0; i++) {
		int from = (int)((double)i * in.width / (double)s->len);
		int to = (int)((double)(i + 1) * in.width / (double)s->len);
		to -= to - from > 2; /* for a gap */
		int width = to > from ? to - from : 1;
		double part = chart_place(a->y, s->items[i].high);
		int eighths = (int)(part * in.height * 8 + 0.5);
		bool chosen = focused && i == v->point;
		uint32_t full = v->style == STYLE_ASCII ? '#' : chosen ? 0x2593 : 0x2588;
		struct style style = style_of_series(v->series);
		style.attr |= chosen ? ATTR_BOLD : 0;
		eighths = eighths == 0 && part > 0 ? 1 : eighths;
		for (int y = in.height - 1; y >= 0 && eighths > 0; y--, eighths -= 8) {
			uint32_t ch = eighths >= 8              ? full
				      : v->style == STYLE_ASCII ? (eighths > 3 ? '#' : '_')
								: 0x2580 + (uint32_t)eighths;
			surface_repeat(in, from, y, width, style, ch);
		}
	}
}

static void
draw_plot(struct chart_view *v, const struct view_env *env, struct surface s)
{
	struct axes a = find_axes(v, s);
	struct surface in = a.inside;
	const struct chart_point *p = chart_view_point(v);
	bool bins = v->choice.kind == CHART_HISTOGRAM;
	int cursor = -1; /* its column */

	if (env->focused && p && !isnan(p->high))
		cursor =
		    column_of(a.x, bins ? p->x + v->reading.chart.interval / 2 : p->x, in.width);
	v->plot = in;
	v->x = a.x;
	v->y = a.y;
	draw_y_axis(v, &a, s);
	draw_x_axis(v, &a, s);
	for (int y = 0; y < in.height && cursor >= 0 && !bins; y++)
		surface_put(in, cursor, y, style_of(ROLE_HINT), lines[v->style].hair);
	if (bins)
		draw_bins(v, &a, env->focused);
	else
		draw_lines(v, &a);
	if (cursor < 0 || in.width <= 0 || in.height <= 0)
		return;
	if (!bins)
		surface_put(in, cursor, row_of(&a, p->high, in.height), style_of(ROLE_CURSOR),
		    mark_of(v->style, v->series));
	if (in.height + 1 < s.height)
		surface_put(s, in.x - s.x + cursor, in.height, style_of(ROLE_FOCUS),
		    lines[v->style].cursor);
}

/* ---- the chart ---- */

#define READOUT_FROM 4 /* height from which the value at the cursor is shown */
#define LEGEND_FROM 7  /* height from which the names of the series are shown */

/* Draw the names of the series. */
static void
draw_legend(const struct chart_view *v, const struct view_env *env, struct surface s)
{
	bool fill = v->choice.kind == CHART_STACKED && v->style != STYLE_ASCII;
	int x = 0;

	for (size_t i = 0; i < v->choice.y_count && x < s.width; i++) {
		bool chosen = i == v->series && env->focused;
		struct style style = style_of(chosen ? ROLE_TITLE : ROLE_DIM);
		surface_put(s, x, 0, style_of_series(i),
		    fill ? fills[i % ARRAY_LEN(fills)] : mark_of(v->style, i));
		if (chosen)
			style.attr |= ATTR_UNDERLINE;
		x += 2;
		x += surface_text(
		    s, x, 0, s.width - x, style, v->table.columns.items[v->choice.ys[i]].name);
		x += 3;
	}
}

static void (*const draws[CHART_KIND_COUNT])(
    struct chart_view *v, const struct view_env *env, struct surface s) = {
	[CHART_LINE] = draw_plot,
	[CHART_AREA] = draw_plot,
	[CHART_SCATTER] = draw_plot,
	[CHART_HISTOGRAM] = draw_plot,
	[CHART_BAR] = draw_bars,
	[CHART_STACKED] = draw_bars,
	[CHART_BOX] = draw_boxes,
	[CHART_HEAT] = draw_heat,
};

void
chart_view_draw(void *state, const struct view_env *env, struct surface s)
{
	struct chart_view *v = state;
	bool has_legend =
	    v->choice.y_count > 1 && v->choice.kind != CHART_BOX && v->choice.kind != CHART_HEAT;
	const struct chart *c = &v->reading.chart;
	const char *why = NULL; /* set if there is nothing to draw */
	bool has_numbers = false;

	v->whole = s;
	v->plot = surface_sub(s, 0, 0, 0, 0);
	for (size_t i = 0; v->can && i < c->choice.y_count; i++)
		has_numbers |= c->series[i].numbers > 0;
	if (!v->can)
		why = v->table.job    ? "looking for numbers…"
		      : !v->has_table ? "this value has no array of numbers: v shows it as a tree"
				      : "no column has numbers: v shows another view";
	else if (v->reading.job)
		why = "reading all rows…";
	else if (!has_numbers)
		why = v->filter ? "no row that matches the filter has a number: Esc shows all"
				: "there is no number to draw";
	if (why) {
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT), why);
		return;
	}
	struct surface body = s;
	if (s.height >= READOUT_FROM && !env->printed) {
		draw_readout(v, surface_sub(s, 0, s.height - 1, s.width, 1));
		body = surface_sub(body, 0, 0, body.width, body.height - 1);
	}
	if (has_legend && s.height >= LEGEND_FROM) {
		draw_legend(v, env, body);
		body = surface_sub(body, 0, 1, body.width, body.height - 1);
	}
	draws[v->choice.kind](v, env, body);
}
