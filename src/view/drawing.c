/* SPDX-License-Identifier: MIT */
#include "view/drawing.h"

#include "base/glyph.h"
#include "base/shared_library.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <cairo/cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
add(struct drawing *d, uint8_t kind, double x, double y, uint32_t color)
{
	struct drawing_shape *s = VEC_PUSH(&d->shapes);

	*s = (struct drawing_shape){
		.kind = kind, .color = color, .x = bounded(x), .y = bounded(y)
	};
	return s;
}

void
drawing_rect(struct drawing *d, double x, double y, double width, double height, uint32_t color)
{
	struct drawing_shape *s = add(d, RECT, x, y, color);

	s->width = fmax(bounded(width), 0);
	s->height = fmax(bounded(height), 0);
}

void
drawing_dot(struct drawing *d, double x, double y, double radius, uint32_t color)
{
	add(d, DOT, x, y, color)->width = radius;
}

void
drawing_text(struct drawing *d, double x, double y, double anchor, const char *text)
{
	struct drawing_shape *s = add(d, TEXT, x, y, DRAWING_INK);
	struct buf cut = BUF_INIT;

	s->width = anchor;
	s->first = d->texts.len;
	utf8_add_cut(&cut, text, strlen(text), TEXT_BYTES);
	glyph_append_safe(&d->texts, buf_text(&cut), cut.len, GLYPH_KEEP_NOTHING);
	s->count = d->texts.len - s->first;
	buf_add_char(&d->texts, '\0');
	buf_finish(&cut);
}

static void
begin(struct drawing *d, uint8_t kind, double thickness, uint32_t color)
{
	struct drawing_shape *s = add(d, kind, 0, 0, color);

	s->width = thickness;
	s->first = d->points.len;
}

void
drawing_line(struct drawing *d, double thickness, uint32_t color)
{
	begin(d, LINE, thickness, color);
}

void
drawing_area(struct drawing *d, uint32_t color)
{
	begin(d, AREA, 0, color);
}

void
drawing_to(struct drawing *d, double x, double y)
{
	*VEC_PUSH(&d->points) = (struct drawing_point){ bounded(x), bounded(y) };
	d->shapes.items[d->shapes.len - 1].count++;
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
letters_open(struct letters *l, const struct cairo_api *api, cairo_t *c)
{
	api->cairo_select_font_face(
	    c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	api->cairo_set_font_size(c, TEXT_SIZE);
	*l = (struct letters){ .layout = NULL };
	if (!SHARED_LIBRARY_LOAD("libpangocairo-1.0.so.0", PANGO_FUNCTIONS, &l->pango, NULL))
		return;
	l->layout = l->pango.pango_cairo_create_layout(c);
	l->font = l->pango.pango_font_description_from_string("sans-serif");
	l->pango.pango_font_description_set_absolute_size(l->font, TEXT_SIZE * PANGO_UNITS);
	l->pango.pango_layout_set_font_description(l->layout, l->font);
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
	struct letters letters;
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
	letters_open(&letters, &api, c);
	for (size_t i = 0; i < d->shapes.len; i++) {
		const struct drawing_shape *s = &d->shapes.items[i];
		if (s->kind == TEXT)
			paint_text(&letters, &api, c, d, s);
		else
			paint_shape(&api, c, d, s);
	}
	if (letters.layout) {
		letters.pango.pango_font_description_free(letters.font);
		letters.pango.g_object_unref(letters.layout);
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
