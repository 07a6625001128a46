/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/shared_library.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "chart_view.h"
#include "view/drawing.h"

#include <cairo/cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A chart as a picture for a file: as shapes, from the same description as the chart on the screen,
 * then as SVG or PNG. */

/* ---- shapes ---- */

enum { RECT, DOT, TEXT, LINE, AREA };

#define FAR 1e5 /* larger than any picture */
#define TEXT_BYTES 120
#define TEXT_SIZE 12
#define AREA_ALPHA 0.25
#define DOT_ALPHA 0.75

void
drawing_finish(struct drawing *d)
{
	free(d->shapes.items);
	free(d->points.items);
	buf_finish(&d->texts);
	*d = (struct drawing){ .width = 0 };
}

/* Return a finite number that every program accepts in a picture. */
static double
bounded(double at)
{
	return isnan(at) ? 0 : fmin(fmax(at, -FAR), FAR);
}

static struct drawing_shape *
chart_drawing_add(struct drawing *d, uint8_t kind, double x, double y, uint32_t color)
{
	struct drawing_shape *s = VEC_PUSH(&d->shapes);

	*s = (struct drawing_shape){
		.kind = kind, .color = color, .x = bounded(x), .y = bounded(y)
	};
	return s;
}

static void
drawing_rect(struct drawing *d, double x, double y, double width, double height, uint32_t color)
{
	struct drawing_shape *s = chart_drawing_add(d, RECT, x, y, color);

	s->width = fmax(bounded(width), 0);
	s->height = fmax(bounded(height), 0);
}

/* y is the baseline. anchor: the part of the text that is left of x. */
static void
drawing_text(struct drawing *d, double x, double y, double anchor, const char *text)
{
	struct drawing_shape *s = chart_drawing_add(d, TEXT, x, y, DRAWING_INK);
	struct buf cut = BUF_INIT;

	s->width = anchor;
	s->first = d->texts.len;
	utf8_add_cut(&cut, text, strlen(text), TEXT_BYTES);
	glyph_append_safe(&d->texts, buf_text(&cut), cut.len, GLYPH_KEEP_NOTHING);
	s->count = d->texts.len - s->first;
	buf_add_char(&d->texts, '\0');
	buf_finish(&cut);
}

/* Begin a line or a filled area; drawing_to() adds its points. */
static void
drawing_begin(struct drawing *d, uint8_t kind, double thickness, uint32_t color)
{
	struct drawing_shape *s = chart_drawing_add(d, kind, 0, 0, color);

	s->width = thickness;
	s->first = d->points.len;
}

static void
drawing_to(struct drawing *d, double x, double y)
{
	*VEC_PUSH(&d->points) = (struct drawing_point){ bounded(x), bounded(y) };
	d->shapes.items[d->shapes.len - 1].count++;
}

/* ---- the layout ---- */

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
add_chart_drawing_name(struct artist *a, size_t column, double x, double y, double anchor)
{
	add_cut(a, x, y, anchor, a->v->table.columns.items[column].name, NAME_BYTES);
}

static void
add_chart_drawing_line(struct artist *a, double x0, double y0, double x1, double y1, uint32_t color)
{
	drawing_begin(a->d, LINE, 1, color);
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
		add_chart_drawing_line(a, a->left, y, right, y, GRID);
		drawing_text(a->d, a->left - 8, y + 4, 1, buf_text(&label));
	}
	chart_ticks_find(&ticks, c->x_values, a->x, 8);
	for (size_t i = 0; i < ticks.len; i++) {
		double x = at_x(a, ticks.at[i]);
		buf_clear(&label);
		chart_ticks_add(&ticks, i, &label);
		add_chart_drawing_line(a, x, bottom, x, bottom + 5, AXIS);
		drawing_text(a->d, x, bottom + 20, 0.5, buf_text(&label));
	}
	buf_finish(&label);
	add_chart_drawing_line(a, a->left, bottom, right, bottom, AXIS);
	size_t x = c->choice.kind == CHART_HISTOGRAM ? c->choice.ys[a->v->series] : c->choice.x;
	if (x < a->v->table.columns.len)
		add_chart_drawing_name(a, x, right, bottom + 40, 1);
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
			chart_drawing_add(a->d, DOT, x, y, color_of(series))->width =
			    3; /* its radius */
			continue;
		}
		if (begins && filled)
			drawing_begin(a->d, AREA, 0, color_of(series));
		else if (begins)
			drawing_begin(a->d, LINE, 2, color_of(series));
		if (begins && filled)
			drawing_to(a->d, x, zero);
		drawing_to(a->d, x, y);
		if (ends && filled)
			drawing_to(a->d, x, zero);
	}
}

static void
add_plot(struct artist *a)
{
	const struct chart_choice *c = &a->v->choice;
	const struct chart_series *bins = &a->v->reading.chart.series[a->v->series];

	a->left = LEFT;
	a->width = WIDTH - LEFT - RIGHT;
	a->y = chart_rounded(a->v->reading.chart.y, 6);
	if (c->kind == CHART_SCATTER && a->v->reading.chart.x_values == CHART_NUMBERS)
		a->x = chart_rounded(a->x, 8);
	add_axes(a);
	double each = a->width / (double)(bins->len ? bins->len : 1);
	for (size_t i = 0; i < bins->len && c->kind == CHART_HISTOGRAM; i++) {
		double y = at_y(a, bins->items[i].high);
		drawing_rect(a->d, a->left + each * (double)i + 1, y, each > 3 ? each - 2 : each,
		    TOP + a->height - y, color_of(a->v->series));
	}
	for (size_t i = 0; i < c->y_count && c->kind != CHART_HISTOGRAM; i++) {
		const struct chart_series *s = &a->v->reading.chart.series[i];
		if (c->kind == CHART_AREA)
			add_series(a, i, true);
		if (c->kind != CHART_SCATTER)
			add_series(a, i, false);
		for (size_t n = 0; n < s->len && c->kind == CHART_SCATTER; n++)
			if (!isnan(s->items[n].high))
				chart_drawing_add(a->d, DOT, at_x(a, s->items[n].x),
				    at_y(a, s->items[n].high), color_of(i))
				    ->width = 2.5;
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
		add_chart_drawing_line(a, x, TOP, x, bottom, GRID);
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
	const struct chart_choice *c = &v->choice;
	bool heat = c->kind == CHART_HEAT, too_large;
	double bottom = TOP + ROW * (double)a->rows, value;

	add_row_names(a);
	a->width = WIDTH - RIGHT - a->left;
	if (c->kind == CHART_BAR && c->y_count == 1)
		a->width -= VALUE_WIDTH - RIGHT;
	else if (!heat)
		add_scale(a, bottom);
	if (heat)
		add_heads(a, bottom);
	double each = a->width / (double)c->y_count; /* of the shades */
	for (size_t i = 0; i < a->rows; i++) {
		size_t row = v->table.order[i];
		double y = TOP + ROW * (double)i;
		if (!heat)
			add_bars(a, row, y);
		for (size_t n = 0; n < c->y_count && heat; n++)
			if (chart_number(table_cell(&v->table, row, c->ys[n]), &value, &too_large))
				drawing_rect(a->d, a->left + each * (double)n, y, each, ROW,
				    chart_shade(chart_place(a->y, value)));
	}
	if (!heat && a->y.low < 0)
		add_chart_drawing_line(a, across(a, 0), TOP, across(a, 0), bottom, AXIS);
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
		add_chart_drawing_name(a, c->choice.ys[i], a->left - 12, middle + 4, 1);
		if (c->series[i].numbers == 0)
			continue;
		for (int n = 0; n < CHART_FIVE; n++)
			at[n] = across(a, c->series[i].five[n]);
		add_chart_drawing_line(a, at[0], middle, at[4], middle, color_of(i));
		add_chart_drawing_line(a, at[0], middle - 8, at[0], middle + 8, color_of(i));
		add_chart_drawing_line(a, at[4], middle - 8, at[4], middle + 8, color_of(i));
		drawing_rect(a->d, at[1], y + 8, at[3] - at[1], 2 * ROW - 16, color_of(i));
		drawing_begin(a->d, LINE, 2, 0xffffff);
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
		add_chart_drawing_name(a, c->ys[i], x + 15, 45, 0);
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

/* ---- SVG ---- */

static void
add_escaped(struct buf *out, const char *text, size_t len)
{
	static const char special[] = "&<>\"'";
	static const char *const names[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };

	for (size_t i = 0; i < len; i++) {
		const char *found = strchr(special, text[i]);
		if (found)
			buf_add_str(out, names[found - special]);
		else
			buf_add_char(out, text[i]);
	}
}

static void
add_points(const struct drawing *d, const struct drawing_shape *s, struct buf *out)
{
	buf_add_str(out, "<path d=\"");
	for (size_t i = 0; i < s->count; i++) {
		struct drawing_point p = d->points.items[s->first + i];
		buf_addf(out, "%c%.2f %.2f", i == 0 ? 'M' : 'L', p.x, p.y);
	}
	if (s->kind == AREA)
		buf_addf(out, "Z\" fill=\"#%06x\" fill-opacity=\"%g\"/>\n", s->color, AREA_ALPHA);
	else
		buf_addf(out,
		    "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" "
		    "stroke-linejoin=\"round\"/>\n",
		    s->color, s->width);
}

static void
add_shape(const struct drawing *d, const struct drawing_shape *s, struct buf *out)
{
	static const char *const anchors[] = { "start", "middle", "end" };

	if (s->kind == RECT) {
		buf_addf(out,
		    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
		    "fill=\"#%06x\"/>\n",
		    s->x, s->y, s->width, s->height, s->color);
	} else if (s->kind == DOT) {
		buf_addf(out,
		    "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%g\" fill=\"#%06x\" "
		    "fill-opacity=\"%g\"/>\n",
		    s->x, s->y, s->width, s->color, DOT_ALPHA);
	} else if (s->kind == TEXT) {
		buf_addf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\">", s->x, s->y,
		    anchors[(int)(s->width * 2)]);
		add_escaped(out, d->texts.data + s->first, s->count);
		buf_add_str(out, "</text>\n");
	} else {
		add_points(d, s, out);
	}
}

bool
drawing_write_svg(const struct drawing *d, struct buf *out, struct err *err)
{
	buf_addf(out,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
	    "width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" "
	    "font-size=\"%d\" fill=\"#%06x\">\n<rect width=\"100%%\" height=\"100%%\" "
	    "fill=\"#ffffff\"/>\n",
	    d->width, d->height, d->width, d->height, TEXT_SIZE, DRAWING_INK);
	for (size_t i = 0; i < d->shapes.len; i++)
		add_shape(d, &d->shapes.items[i], out);
	buf_add_str(out, "</svg>\n");
	return out->overflowed ? err_set(err, "the picture is too large") : true;
}

/* ---- PNG ---- */

/* The functions of cairo that we use, with the types of its header. */
#define CAIRO_FUNCTIONS(X)                   \
	X(cairo_image_surface_create)        \
	X(cairo_surface_write_to_png_stream) \
	X(cairo_surface_destroy)             \
	X(cairo_create)                      \
	X(cairo_destroy)                     \
	X(cairo_status)                      \
	X(cairo_status_to_string)            \
	X(cairo_scale)                       \
	X(cairo_set_source_rgba)             \
	X(cairo_set_line_width)              \
	X(cairo_set_line_join)               \
	X(cairo_paint)                       \
	X(cairo_rectangle)                   \
	X(cairo_arc)                         \
	X(cairo_move_to)                     \
	X(cairo_line_to)                     \
	X(cairo_fill)                        \
	X(cairo_stroke)                      \
	X(cairo_select_font_face)            \
	X(cairo_set_font_size)               \
	X(cairo_text_extents)                \
	X(cairo_show_text)

/* Pango finds a font for each letter; cairo alone uses one font. The functions are declared here,
 * because Pango's headers need many others. */
void *pango_cairo_create_layout(cairo_t *c);
void pango_cairo_show_layout(cairo_t *c, void *layout);
void pango_layout_set_text(void *layout, const char *text, int len);
void pango_layout_set_font_description(void *layout, const void *font);
void pango_layout_get_size(void *layout, int *width, int *height);
int pango_layout_get_baseline(void *layout);
void *pango_font_description_from_string(const char *text);
void pango_font_description_set_absolute_size(void *font, double size);
void pango_font_description_free(void *font);
void g_object_unref(void *object);
#define PANGO_FUNCTIONS(X)                          \
	X(pango_cairo_create_layout)                \
	X(pango_cairo_show_layout)                  \
	X(pango_layout_set_text)                    \
	X(pango_layout_set_font_description)        \
	X(pango_layout_get_size)                    \
	X(pango_layout_get_baseline)                \
	X(pango_font_description_from_string)       \
	X(pango_font_description_set_absolute_size) \
	X(pango_font_description_free)              \
	X(g_object_unref)
#define PANGO_UNITS 1024.0 /* of one pixel */

struct cairo_api {
	CAIRO_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

struct pango_api {
	PANGO_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

struct letters {
	struct pango_api pango;
	void *layout, *font; /* NULL: without Pango; cairo draws the text */
};

/* Height up to which a picture has two pixels for each unit. */
#define SHARP_UP_TO 2000

static void
set_color(const struct cairo_api *api, cairo_t *c, uint32_t color, double alpha)
{
	api->cairo_set_source_rgba(c, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0,
	    (color & 255) / 255.0, alpha);
}

static void
paint_points(
    const struct cairo_api *api, cairo_t *c, const struct drawing *d, const struct drawing_shape *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct drawing_point p = d->points.items[s->first + i];
		if (i == 0)
			api->cairo_move_to(c, p.x, p.y);
		else
			api->cairo_line_to(c, p.x, p.y);
	}
	set_color(api, c, s->color, s->kind == AREA ? AREA_ALPHA : 1);
	if (s->kind == AREA) {
		api->cairo_fill(c);
		return;
	}
	api->cairo_set_line_width(c, s->width);
	api->cairo_stroke(c);
}

static void
paint_text(const struct letters *l, const struct cairo_api *api, cairo_t *c,
    const struct drawing *d, const struct drawing_shape *s)
{
	const char *text = d->texts.data + s->first;
	cairo_text_extents_t size;
	int width, height;

	set_color(api, c, s->color, 1);
	if (!l->layout) {
		api->cairo_text_extents(c, text, &size);
		api->cairo_move_to(c, s->x - s->width * size.x_advance, s->y);
		api->cairo_show_text(c, text);
		return;
	}
	l->pango.pango_layout_set_text(l->layout, text, (int)s->count);
	l->pango.pango_layout_get_size(l->layout, &width, &height);
	api->cairo_move_to(c, s->x - s->width * width / PANGO_UNITS,
	    s->y - l->pango.pango_layout_get_baseline(l->layout) / PANGO_UNITS);
	l->pango.pango_cairo_show_layout(c, l->layout);
}

static void
paint_shape(
    const struct cairo_api *api, cairo_t *c, const struct drawing *d, const struct drawing_shape *s)
{
	if (s->kind == LINE || s->kind == AREA) {
		paint_points(api, c, d, s);
		return;
	}
	if (s->kind == RECT)
		api->cairo_rectangle(c, s->x, s->y, s->width, s->height);
	else
		api->cairo_arc(c, s->x, s->y, s->width, 0, 2 * M_PI);
	set_color(api, c, s->color, s->kind == DOT ? DOT_ALPHA : 1);
	api->cairo_fill(c);
}

static cairo_status_t
on_bytes(void *user, const unsigned char *bytes, unsigned len)
{
	return buf_add(user, bytes, len) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

bool
drawing_write_png(const struct drawing *d, struct buf *out, struct err *err)
{
	struct cairo_api api;
	struct letters letters = { .layout = NULL };
	const struct pango_api *pango = &letters.pango;
	double scale = d->height <= SHARP_UP_TO ? 2 : 1;

	if (!SHARED_LIBRARY_LOAD("libcairo.so.2", CAIRO_FUNCTIONS, &api, err))
		return false;
	cairo_surface_t *surface = api.cairo_image_surface_create(
	    CAIRO_FORMAT_RGB24, (int)(d->width * scale), (int)(d->height * scale));
	cairo_t *c = api.cairo_create(surface);
	api.cairo_scale(c, scale, scale);
	set_color(&api, c, 0xffffff, 1);
	api.cairo_paint(c);
	api.cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
	api.cairo_select_font_face(
	    c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	api.cairo_set_font_size(c, TEXT_SIZE);
	if (SHARED_LIBRARY_LOAD("libpangocairo-1.0.so.0", PANGO_FUNCTIONS, &letters.pango, NULL)) {
		letters.layout = pango->pango_cairo_create_layout(c);
		letters.font = pango->pango_font_description_from_string("sans-serif");
		pango->pango_font_description_set_absolute_size(
		    letters.font, TEXT_SIZE * PANGO_UNITS);
		pango->pango_layout_set_font_description(letters.layout, letters.font);
	}
	for (size_t i = 0; i < d->shapes.len; i++) {
		const struct drawing_shape *s = &d->shapes.items[i];
		if (s->kind == TEXT)
			paint_text(&letters, &api, c, d, s);
		else
			paint_shape(&api, c, d, s);
	}
	if (letters.layout) {
		pango->pango_font_description_free(letters.font);
		pango->g_object_unref(letters.layout);
	}
	cairo_status_t status = api.cairo_status(c);
	if (status == CAIRO_STATUS_SUCCESS)
		status = api.cairo_surface_write_to_png_stream(surface, on_bytes, out);
	api.cairo_destroy(c);
	api.cairo_surface_destroy(surface);
	return status == CAIRO_STATUS_SUCCESS
		   ? true
		   : err_set(err, "cairo: %s", api.cairo_status_to_string(status));
}
