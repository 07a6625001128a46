/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/mem.h"
#include "chart_view.h"

#include <math.h>
#include <stdlib.h>

/* Charts with two axes: lines, areas, points and histograms. */

/* A smaller plot has no labels. */
#define LABELS_FROM 24
#define X_LABELS_FROM 4
#define LABEL_MAX 14
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
label_width(const struct chart_ticks *t)
{
	struct buf label = BUF_INIT;
	int widest = 0;

	for (size_t i = 0; i < t->len; i++) {
		buf_clear(&label);
		chart_ticks_add(t, i, &label);
		int width = (int)glyph_columns(buf_text(&label), label.len);
		widest = width > widest ? width : widest;
	}
	buf_finish(&label);
	return widest < LABEL_MAX ? widest : LABEL_MAX;
}

static int
row_of(const struct axes *a, double value, int height)
{
	return height - 1 - chart_column_of(a->y, value, height);
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
		int x = left + chart_column_of(a->x, a->x_ticks.at[i], in.width);
		buf_clear(&label);
		chart_ticks_add(&a->x_ticks, i, &label);
		int width = (int)glyph_columns(buf_text(&label), label.len);
		int from = x - width / 2;
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

	if (c->choice.kind == CHART_SCATTER && c->x_values == CHART_NUMBERS)
		a.x = chart_rounded(c->x, (size_t)s.width / TICKS + 1);
	chart_ticks_find(&a.y_ticks, CHART_NUMBERS, a.y, wanted);
	if (labels)
		left = label_width(&a.y_ticks) + 1;
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
raster_init(struct raster *r, enum chart_style style, int width, int height)
{
	size_t cells = width > 0 && height > 0 ? (size_t)width * (size_t)height : 0;

	*r = (struct raster){ .style = style,
		.width = cells ? width : 0,
		.height = cells ? height : 0,
		.across = dots[style].across,
		.down = dots[style].down,
		.bits = mem_zalloc(cells + 1),
		.series = mem_zalloc(cells + 1) };
}

static void
raster_finish(struct raster *r)
{
	free(r->bits);
	free(r->series);
}

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
			surface_put(s, x, y, chart_style_of(series),
			    r->style == STYLE_BRAILLE  ? 0x2800 + (uint32_t)r->bits[cell]
			    : r->style == STYLE_BLOCKS ? quadrants[r->bits[cell] & 15]
						       : chart_mark(r->style, series));
		}
}

/* ---- lines and points ---- */

struct pen {
	struct raster raster;
	const struct axes *axes;
	int width, height; /* in dots */
};

static int
dot_x(const struct pen *p, double x)
{
	return chart_column_of(p->axes->x, x, p->width);
}

static int
dot_y(const struct pen *p, double y)
{
	return p->height - 1 - chart_column_of(p->axes->y, y, p->height);
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
		int x = gap ? 0 : dot_x(p, s->items[i].x), y = gap ? 0 : dot_y(p, s->items[i].high);
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
		int x = chart_column_of(a->x, s->items[i].x, in.width);
		if (isnan(s->items[i].high) || (apart > 0 && x < next))
			continue;
		surface_put(in, x, row_of(a, s->items[i].high, in.height), chart_style_of(series),
		    chart_mark(v->style, series));
		next = x + apart;
	}
}

static void
draw_lines(const struct chart_view *v, const struct axes *a)
{
	struct pen p = { .axes = a };

	raster_init(&p.raster, v->style, a->inside.width, a->inside.height);
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
				raster_dot(&p.raster, dot_x(&p, s->items[i].x),
				    dot_y(&p, s->items[i].high), series);
	}
	raster_draw(&p.raster, a->inside);
	raster_finish(&p.raster);
	for (size_t i = v->choice.y_count; i-- > 0;)
		draw_marks(v, a, i);
}

/* ---- histograms ---- */

static void
draw_bin(const struct chart_view *v, struct surface in, int from, int to, double part, bool chosen)
{
	int eighths = (int)(part * in.height * 8 + 0.5);
	struct style style = chart_style_of(v->series);
	uint32_t full = v->style == STYLE_ASCII ? '#' : chosen ? 0x2593 : 0x2588;

	eighths = eighths == 0 && part > 0 ? 1 : eighths;
	if (chosen)
		style.attr |= ATTR_BOLD;
	for (int y = in.height - 1; y >= 0 && eighths > 0; y--, eighths -= 8) {
		uint32_t ch = eighths >= 8              ? full
			      : v->style == STYLE_ASCII ? (eighths > 3 ? '#' : '_')
							: 0x2580 + (uint32_t)eighths;
		surface_repeat(in, from, y, to - from, style, ch);
	}
}

static void
draw_bins(const struct chart_view *v, const struct axes *a, bool focused)
{
	const struct chart_series *s = &v->reading.chart.series[v->series];
	struct surface in = a->inside;

	for (size_t i = 0; i < s->len && in.width > 0; i++) {
		int from = (int)((double)i * in.width / (double)s->len);
		int to = (int)((double)(i + 1) * in.width / (double)s->len);
		to -= to - from > 2; /* for a gap */
		draw_bin(v, in, from, to > from ? to : from + 1,
		    chart_place(a->y, s->items[i].high), focused && i == v->point);
	}
}

/* ---- the chart ---- */

void
chart_plot_draw(struct chart_view *v, const struct view_env *env, struct surface s)
{
	struct axes a = find_axes(v, s);
	struct surface in = a.inside;
	const struct chart_point *p = chart_view_point(v);
	bool bins = v->choice.kind == CHART_HISTOGRAM;
	int cursor = -1; /* its column */

	if (env->focused && p && !isnan(p->high))
		cursor = chart_column_of(
		    a.x, bins ? p->x + v->reading.chart.interval / 2 : p->x, in.width);
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
		    chart_mark(v->style, v->series));
	if (in.height + 1 < s.height)
		surface_put(s, in.x - s.x + cursor, in.height, style_of(ROLE_FOCUS),
		    lines[v->style].cursor);
}
