#include "base/glyph.h"
#include "base/vec.h"
#include "chart_view.h"

#include <math.h>
#include <string.h>

/* Lines, areas, points and histograms: all that has two axes. */

/* Below these a plot has no labels. */
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

/* Ranges that end at ticks, the ticks, and what they leave for the drawing. */
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
	if (bins > 0 && (size_t)a.inside.width > bins) /* all of the same width */
		a.inside.width -= a.inside.width % (int)bins;
	chart_ticks_find(&a.x_ticks, c->x_values, a.x,
	    (size_t)(a.inside.width > TICKS ? a.inside.width : TICKS) /
		(c->x_values == CHART_TIMES ? 10 : 12));
	return a;
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

/* Below the line from (x0, y0) to (x1, y1), down to zero: every other dot. */
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

/* Points in one column of dots: a line goes through all that lies between them. */
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

/* There may be more points than columns: each column is drawn once. */
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

static void
draw_dots(struct pen *p, const struct chart_view *v, size_t series)
{
	const struct chart_series *s = &v->reading.chart.series[series];

	for (size_t i = 0; i < s->len; i++)
		if (!isnan(s->items[i].high))
			raster_dot(&p->raster, dot_x(p, s->items[i].x), dot_y(p, s->items[i].high),
			    series);
}

/* A mark at each point if they are few; else, to tell several series apart without colors, one
 * every few columns. */
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
	/* the chosen one is above the others */
	for (size_t n = v->choice.y_count + 1; n-- > 0;) {
		size_t series = n > 0 ? n - 1 : v->series;
		if (v->choice.kind == CHART_SCATTER)
			draw_dots(&p, v, series);
		else
			draw_series(&p, v, series, false);
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
		to -= to - from > 2; /* air */
		draw_bin(v, in, from, to > from ? to : from + 1,
		    chart_place(a->y, s->items[i].high), focused && i == v->point);
	}
}

/* ---- the whole ---- */

/* The column of the cursor; -1: it is nowhere. */
static int
cursor_column(const struct chart_view *v, const struct axes *a)
{
	const struct chart_point *p = chart_view_point(v);
	const struct chart *c = &v->reading.chart;

	if (!p || isnan(p->high))
		return -1;
	double x = c->choice.kind == CHART_HISTOGRAM ? p->x + c->interval / 2 : p->x;
	return chart_column_of(a->x, x, a->inside.width);
}

void
chart_plot_draw(struct chart_view *v, const struct view_env *env, struct surface s)
{
	struct axes a = find_axes(v, s);
	struct surface in = a.inside;
	const struct chart_point *p = chart_view_point(v);
	int cursor = env->focused ? cursor_column(v, &a) : -1;
	bool bins = v->choice.kind == CHART_HISTOGRAM;

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
