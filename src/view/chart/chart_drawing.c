/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/units.h"
#include "base/utf8.h"
#include "chart_view.h"

#include <math.h>
#include <string.h>

/* A chart as shapes for a file, from the same description as the chart on the screen. */

#define WIDTH 900
#define HEIGHT 480
#define LEFT 70
#define TOP 60
#define RIGHT 30
#define BOTTOM 50
#define ROW 22
#define NAMES_MOST 220 /* width of the names of rows */
#define NAME_BYTES 36
#define LETTER 7 /* average width */
#define VALUE_WIDTH 150
#define VALUE_BYTES 24
#define GRID 0xd0d7de
#define AXIS 0x59636e

struct artist {
	struct drawing *d;
	const struct chart_view *v;
	struct chart_range x, y;
	double left, width, height; /* of the plot */
	size_t rows;
};

/* The palette of Okabe and Ito, which color-blind people can tell apart, also on paper. */
static uint32_t
color_of(size_t series)
{
	static const uint32_t colors[CHART_SERIES_MAX] = { 0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
		0xe69f00, 0x56b4e9 };

	return colors[series % CHART_SERIES_MAX];
}

static void
add_cut(struct artist *a, double x, double y, double anchor, const char *text, size_t most)
{
	struct buf cut = BUF_INIT;

	utf8_add_cut(&cut, text, strlen(text), most);
	drawing_text(a->d, x, y, anchor, buf_text(&cut));
	buf_finish(&cut);
}

static void
add_name(struct artist *a, size_t column, double x, double y, double anchor)
{
	add_cut(a, x, y, anchor, a->v->table.columns.items[column].name, NAME_BYTES);
}

static void
add_line(struct artist *a, double x0, double y0, double x1, double y1, uint32_t color)
{
	drawing_line(a->d, 1, color);
	drawing_to(a->d, x0, y0);
	drawing_to(a->d, x1, y1);
}

/* ---- two axes ---- */

static double
at_x(const struct artist *a, double x)
{
	return a->left + chart_place(a->x, x) * a->width;
}

static double
at_y(const struct artist *a, double y)
{
	return TOP + (1 - chart_place(a->y, y)) * a->height;
}

static void
add_axes(struct artist *a)
{
	const struct chart *c = &a->v->reading.chart;
	struct chart_ticks ticks;
	struct buf label = BUF_INIT;
	double bottom = TOP + a->height, right = a->left + a->width;

	chart_ticks_find(&ticks, CHART_NUMBERS, a->y, 6);
	for (size_t i = 0; i < ticks.len; i++) {
		double y = at_y(a, ticks.at[i]);
		buf_clear(&label);
		chart_ticks_add(&ticks, i, &label);
		add_line(a, a->left, y, right, y, GRID);
		drawing_text(a->d, a->left - 8, y + 4, 1, buf_text(&label));
	}
	chart_ticks_find(&ticks, c->x_values, a->x, 8);
	for (size_t i = 0; i < ticks.len; i++) {
		double x = at_x(a, ticks.at[i]);
		buf_clear(&label);
		chart_ticks_add(&ticks, i, &label);
		add_line(a, x, bottom, x, bottom + 5, AXIS);
		drawing_text(a->d, x, bottom + 20, 0.5, buf_text(&label));
	}
	buf_finish(&label);
	add_line(a, a->left, bottom, right, bottom, AXIS);
	size_t x = c->choice.kind == CHART_HISTOGRAM ? c->choice.ys[a->v->series] : c->choice.x;
	if (x < a->v->table.columns.len)
		add_name(a, x, right, bottom + 40, 1);
}

/* Add a line, or the area between it and zero, for the points between two gaps. A single point is a
 * dot. */
static void
add_series(struct artist *a, size_t series, bool filled)
{
	const struct chart_series *s = &a->v->reading.chart.series[series];
	double zero = at_y(a, fmin(fmax(0, a->y.low), a->y.high));

	for (size_t i = 0; i < s->len; i++) {
		bool begins = i == 0 || isnan(s->items[i - 1].high);
		bool ends = i + 1 == s->len || isnan(s->items[i + 1].high);
		if (isnan(s->items[i].high))
			continue;
		double x = at_x(a, s->items[i].x), y = at_y(a, s->items[i].high);
		if (begins && ends && !filled) {
			drawing_dot(a->d, x, y, 3, color_of(series));
			continue;
		}
		if (begins && filled)
			drawing_area(a->d, color_of(series));
		else if (begins)
			drawing_line(a->d, 2, color_of(series));
		if (begins && filled)
			drawing_to(a->d, x, zero);
		drawing_to(a->d, x, y);
		if (ends && filled)
			drawing_to(a->d, x, zero);
	}
}

static void
add_bins(struct artist *a, size_t series)
{
	const struct chart_series *s = &a->v->reading.chart.series[series];
	double each = a->width / (double)(s->len ? s->len : 1);

	for (size_t i = 0; i < s->len; i++) {
		double y = at_y(a, s->items[i].high);
		drawing_rect(a->d, a->left + each * (double)i + 1, y, each > 3 ? each - 2 : each,
		    TOP + a->height - y, color_of(series));
	}
}

static void
add_plot(struct artist *a)
{
	const struct chart_choice *c = &a->v->choice;

	a->left = LEFT;
	a->width = WIDTH - LEFT - RIGHT;
	a->y = chart_rounded(a->v->reading.chart.y, 6);
	if (c->kind == CHART_SCATTER && a->v->reading.chart.x_values == CHART_NUMBERS)
		a->x = chart_rounded(a->x, 8);
	add_axes(a);
	if (c->kind == CHART_HISTOGRAM) {
		add_bins(a, a->v->series);
		return;
	}
	for (size_t i = 0; i < c->y_count; i++) {
		const struct chart_series *s = &a->v->reading.chart.series[i];
		if (c->kind == CHART_AREA)
			add_series(a, i, true);
		if (c->kind != CHART_SCATTER)
			add_series(a, i, false);
		for (size_t n = 0; n < s->len && c->kind == CHART_SCATTER; n++)
			if (!isnan(s->items[n].high))
				drawing_dot(a->d, at_x(a, s->items[n].x), at_y(a, s->items[n].high),
				    2.5, color_of(i));
	}
}

/* ---- a line for each row, or for each series ---- */

static double
across(const struct artist *a, double value)
{
	return a->left + chart_place(a->y, value) * a->width;
}

/* Add the scale below the lines. */
static void
add_scale(struct artist *a, double bottom)
{
	struct chart_ticks ticks;
	struct buf label = BUF_INIT;

	chart_ticks_find(&ticks, CHART_NUMBERS, a->y, 8);
	for (size_t i = 0; i < ticks.len; i++) {
		double x = across(a, ticks.at[i]);
		buf_clear(&label);
		chart_ticks_add(&ticks, i, &label);
		add_line(a, x, TOP, x, bottom, GRID);
		drawing_text(a->d, x, bottom + 18, 0.5, buf_text(&label));
	}
	buf_finish(&label);
}

static void
add_bars(struct artist *a, size_t row, double y)
{
	const struct chart_choice *c = &a->v->choice;
	bool stacked = c->kind == CHART_STACKED, too_large;
	double each = (double)(ROW - 5) / (stacked ? 1 : (double)c->y_count);
	double above = 0, below = 0, value;

	for (size_t i = 0; i < c->y_count; i++) {
		const cJSON *cell = table_cell(&a->v->table, row, c->ys[i]);
		bool has = chart_number(cell, &value, &too_large);
		double *end = has && value < 0 ? &below : &above;
		double from = stacked ? *end : 0, to = has ? from + value : from;
		double x = across(a, fmin(from, to));
		if (has)
			drawing_rect(a->d, x, stacked ? y : y + each * (double)i,
			    across(a, fmax(from, to)) - x, each, color_of(i));
		*end = stacked ? to : 0;
		if (c->y_count > 1)
			continue;
		struct buf text = BUF_INIT;
		if (cell)
			view_value_text(cell, &text);
		add_cut(a, across(a, fmax(to, 0)) + 6, y + 13, 0, cell ? buf_text(&text) : "·",
		    VALUE_BYTES);
		buf_finish(&text);
	}
}

static void
add_shades(struct artist *a, size_t row, double y)
{
	const struct chart_choice *c = &a->v->choice;
	double each = a->width / (double)c->y_count, value;
	bool too_large;

	for (size_t i = 0; i < c->y_count; i++)
		if (chart_number(table_cell(&a->v->table, row, c->ys[i]), &value, &too_large))
			drawing_rect(a->d, a->left + each * (double)i, y, each, ROW,
			    chart_shade(chart_place(a->y, value)));
}

/* Add the names of the columns and the scale of the shades. */
static void
add_heads(struct artist *a, double bottom)
{
	enum { SHADES = 32, SHADE_WIDTH = 8 };
	const struct chart_choice *c = &a->v->choice;
	double each = a->width / (double)c->y_count, y = bottom + 10;
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < c->y_count && each >= 3 * LETTER; i++) {
		const char *name = a->v->table.columns.items[c->ys[i]].name;
		add_cut(a, a->left + each * ((double)i + 0.5), TOP - 8, 0.5, name,
		    (size_t)each / LETTER);
	}
	for (int i = 0; i < SHADES; i++)
		drawing_rect(a->d, a->left + i * SHADE_WIDTH, y, SHADE_WIDTH, 12,
		    chart_shade((double)i / (SHADES - 1)));
	buf_addf(&text, "%g to %g", a->y.low, a->y.high);
	drawing_text(a->d, a->left + SHADES * SHADE_WIDTH + 8, y + 11, 0, buf_text(&text));
	buf_finish(&text);
}

/* Make room for the longest name. */
static void
add_row_names(struct artist *a)
{
	const struct chart_view *v = a->v;
	struct buf name = BUF_INIT;
	size_t widest = 0;

	for (size_t i = 0; i < a->rows; i++) {
		buf_clear(&name);
		chart_add_row_name(v, v->table.order[i], &name);
		size_t columns = glyph_columns(buf_text(&name), name.len);
		widest = columns > widest ? columns : widest;
	}
	a->left = fmin(20 + LETTER * (double)widest, NAMES_MOST);
	for (size_t i = 0; i < a->rows; i++) {
		buf_clear(&name);
		chart_add_row_name(v, v->table.order[i], &name);
		add_cut(a, a->left - 8, TOP + ROW * (double)i + 13, 1, buf_text(&name), NAME_BYTES);
	}
	buf_finish(&name);
}

static void
add_rows(struct artist *a)
{
	const struct chart_view *v = a->v;
	bool heat = v->choice.kind == CHART_HEAT;
	double bottom = TOP + ROW * (double)a->rows;

	add_row_names(a);
	a->width = WIDTH - RIGHT - a->left;
	if (v->choice.kind == CHART_BAR && v->choice.y_count == 1)
		a->width -= VALUE_WIDTH - RIGHT;
	else if (!heat)
		add_scale(a, bottom);
	if (heat)
		add_heads(a, bottom);
	for (size_t i = 0; i < a->rows; i++) {
		double y = TOP + ROW * (double)i;
		if (heat)
			add_shades(a, v->table.order[i], y);
		else
			add_bars(a, v->table.order[i], y);
	}
	if (!heat && a->y.low < 0)
		add_line(a, across(a, 0), TOP, across(a, 0), bottom, AXIS);
	if (a->rows == v->table.shown)
		return;
	struct buf note = BUF_INIT;
	buf_addf(&note, "the first %zu of ", a->rows);
	units_add_counted(&note, v->table.shown, "row");
	drawing_text(a->d, WIDTH - RIGHT, bottom + BOTTOM - 12, 1, buf_text(&note));
	buf_finish(&note);
}

static void
add_boxes(struct artist *a)
{
	const struct chart *c = &a->v->reading.chart;

	a->left = NAMES_MOST;
	a->width = WIDTH - RIGHT - a->left;
	add_scale(a, TOP + 2 * ROW * (double)c->choice.y_count);
	for (size_t i = 0; i < c->choice.y_count; i++) {
		double y = TOP + 2 * ROW * (double)i, middle = y + ROW, at[CHART_FIVE];
		add_name(a, c->choice.ys[i], a->left - 12, middle + 4, 1);
		if (c->series[i].numbers == 0)
			continue;
		for (int n = 0; n < CHART_FIVE; n++)
			at[n] = across(a, c->series[i].five[n]);
		add_line(a, at[0], middle, at[4], middle, color_of(i));
		add_line(a, at[0], middle - 8, at[0], middle + 8, color_of(i));
		add_line(a, at[4], middle - 8, at[4], middle + 8, color_of(i));
		drawing_rect(a->d, at[1], y + 8, at[3] - at[1], 2 * ROW - 16, color_of(i));
		drawing_line(a->d, 2, 0xffffff);
		drawing_to(a->d, at[2], y + 8);
		drawing_to(a->d, at[2], y + 2 * ROW - 8);
	}
}

/* ---- the chart ---- */

static void
add_legend(struct artist *a)
{
	const struct chart_choice *c = &a->v->choice;
	double each = (double)(WIDTH - 2 * RIGHT) / CHART_SERIES_MAX;

	if (c->kind == CHART_BOX || c->kind == CHART_HEAT)
		return;
	for (size_t i = 0; i < c->y_count; i++) {
		bool alone = c->kind == CHART_HISTOGRAM;
		double x = RIGHT + each * (double)(alone ? 0 : i);
		if (alone && i != a->v->series)
			continue;
		drawing_rect(a->d, x, 36, 10, 10, color_of(i));
		add_name(a, c->ys[i], x + 15, 45, 0);
	}
}

void
chart_draw_shapes(const struct chart_view *v, const char *title, struct drawing *d)
{
	const struct chart *c = &v->reading.chart;
	size_t rows = v->table.shown < CHART_FILE_ROWS_MAX ? v->table.shown : CHART_FILE_ROWS_MAX;
	struct artist a = {
		.d = d, .v = v, .x = c->x, .y = c->y, .height = HEIGHT - TOP - BOTTOM, .rows = rows
	};

	d->width = WIDTH;
	d->height = HEIGHT;
	drawing_text(d, RIGHT, 22, 0, title);
	add_legend(&a);
	if (chart_view_has_rows(v)) {
		d->height = TOP + ROW * (double)rows + BOTTOM;
		add_rows(&a);
	} else if (v->choice.kind == CHART_BOX) {
		d->height = TOP + 2 * ROW * (double)v->choice.y_count + BOTTOM;
		add_boxes(&a);
	} else {
		add_plot(&a);
	}
}
