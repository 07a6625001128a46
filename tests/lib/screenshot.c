/* SPDX-License-Identifier: MIT */
#include "screenshot.h"

#include "base/shared_library.h"
#include "base/utf8.h"
#include "ui/paint.h"

#include <cairo/cairo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 10, HEIGHT = 20, BASELINE = 15, MARGIN = 8 }; /* in pixels */
#define FONT "DejaVu Sans Mono"
#define FONT_SIZE 16.61 /* makes a character WIDTH pixels wide */

#define CAIRO_FUNCTIONS(X)            \
	X(cairo_image_surface_create) \
	X(cairo_surface_write_to_png) \
	X(cairo_surface_destroy)      \
	X(cairo_create)               \
	X(cairo_destroy)              \
	X(cairo_status_to_string)     \
	X(cairo_set_source_rgba)      \
	X(cairo_set_line_width)       \
	X(cairo_paint)                \
	X(cairo_rectangle)            \
	X(cairo_arc)                  \
	X(cairo_move_to)              \
	X(cairo_line_to)              \
	X(cairo_curve_to)             \
	X(cairo_fill)                 \
	X(cairo_stroke)               \
	X(cairo_select_font_face)     \
	X(cairo_set_font_size)        \
	X(cairo_show_text)

struct cairo_api {
	CAIRO_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

struct shot {
	struct cairo_api api;
	cairo_t *c;
};

static void
set_color(const struct shot *s, int32_t rgb, double alpha)
{
	s->api.cairo_set_source_rgba(
	    s->c, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0, alpha);
}

static void
fill(const struct shot *s, double x, double y, double width, double height)
{
	s->api.cairo_rectangle(s->c, x, y, width, height);
	s->api.cairo_fill(s->c);
}

enum { UP = 1, RIGHT = 2, DOWN = 4, LEFT = 8, ROUND = 16, THICK = 32 };

/* Return the arms of a box-drawing character, or 0 for other characters. */
static int
arms_of(uint32_t ch)
{
	static const struct {
		uint32_t ch;
		int arms;
	} boxes[] = {
		{ 0x2500, LEFT | RIGHT },
		{ 0x2502, UP | DOWN },
		{ 0x2503, UP | DOWN | THICK },
		{ 0x250c, RIGHT | DOWN },
		{ 0x2510, LEFT | DOWN },
		{ 0x2514, UP | RIGHT },
		{ 0x2518, UP | LEFT },
		{ 0x251c, UP | DOWN | RIGHT },
		{ 0x2524, UP | DOWN | LEFT },
		{ 0x252c, LEFT | RIGHT | DOWN },
		{ 0x2534, LEFT | RIGHT | UP },
		{ 0x253c, UP | DOWN | LEFT | RIGHT },
		{ 0x256d, RIGHT | DOWN | ROUND },
		{ 0x256e, LEFT | DOWN | ROUND },
		{ 0x256f, UP | LEFT | ROUND },
		{ 0x2570, UP | RIGHT | ROUND },
	};

	for (size_t i = 0; i < sizeof(boxes) / sizeof(*boxes); i++)
		if (boxes[i].ch == ch)
			return boxes[i].arms;
	return 0;
}

static void
draw_box(const struct shot *s, double x, double y, int arms)
{
	const double middle_x = x + WIDTH / 2.0, middle_y = y + HEIGHT / 2.0;

	s->api.cairo_set_line_width(s->c, arms & THICK ? 3 : 1);
	if (arms & ROUND) {
		s->api.cairo_move_to(s->c, arms & LEFT ? x : x + WIDTH, middle_y);
		s->api.cairo_curve_to(s->c, middle_x, middle_y, middle_x, middle_y, middle_x,
		    arms & UP ? y : y + HEIGHT);
		s->api.cairo_stroke(s->c);
		return;
	}
	for (int arm = UP; arm <= LEFT; arm <<= 1) {
		if (!(arms & arm))
			continue;
		s->api.cairo_move_to(s->c, middle_x, middle_y);
		s->api.cairo_line_to(s->c,
		    arm == LEFT    ? x
		    : arm == RIGHT ? x + WIDTH
				   : middle_x,
		    arm == UP     ? y
		    : arm == DOWN ? y + HEIGHT
				  : middle_y);
		s->api.cairo_stroke(s->c);
	}
}

/* Draw halves and eighths of a cell. Shades are left to the font. */
static bool
draw_block(const struct shot *s, double x, double y, uint32_t ch)
{
	if (ch < 0x2580 || ch > 0x2590)
		return false;
	double lower = (ch - 0x2580) / 8.0, left = (0x2590 - ch) / 8.0;
	if (ch == 0x2580)
		fill(s, x, y, WIDTH, HEIGHT / 2.0);
	else if (ch == 0x2590)
		fill(s, x + WIDTH / 2.0, y, WIDTH / 2.0, HEIGHT);
	else if (ch <= 0x2588)
		fill(s, x, y + HEIGHT * (1 - lower), WIDTH, HEIGHT * lower);
	else
		fill(s, x, y, WIDTH * left, HEIGHT);
	return true;
}

static bool
draw_braille(const struct shot *s, double x, double y, uint32_t ch)
{
	static const struct {
		int column, row;
	} dots[8] = { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 1, 0 }, { 1, 1 }, { 1, 2 }, { 0, 3 },
		{ 1, 3 } };

	if (ch < 0x2800 || ch > 0x28ff)
		return false;
	for (int i = 0; i < 8; i++) {
		if (!(ch & 1u << i))
			continue;
		s->api.cairo_arc(s->c, x + WIDTH * (0.25 + 0.5 * dots[i].column),
		    y + HEIGHT * (0.125 + 0.25 * dots[i].row), 1.4, 0, 2 * M_PI);
		s->api.cairo_fill(s->c);
	}
	return true;
}

/* Draw a control picture (U+2400 and later) as diagonal letters, because few fonts have them. */
static bool
draw_control(const struct shot *s, double x, double y, uint32_t ch)
{
	static const char names[] = "NULSOHSTXETXEOTENQACKBELBS HT LF VT FF CR SO SI "
				    "DLEDC1DC2DC3DC4NAKSYNETBCANEM SUBESCFS GS RS US ";

	if (ch < 0x2400 || ch > 0x241f)
		return false;
	s->api.cairo_select_font_face(
	    s->c, FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	s->api.cairo_set_font_size(s->c, 6.5);
	for (int i = 0; i < 3; i++) {
		const char letter[] = { names[3 * (ch - 0x2400) + (uint32_t)i], '\0' };
		s->api.cairo_move_to(s->c, x + 3 * i, y + 8 + 4 * i);
		s->api.cairo_show_text(s->c, letter);
	}
	return true;
}

static void
draw_text(const struct shot *s, double x, double y, const struct cell *cell, uint8_t attr)
{
	char text[16];
	size_t len = utf8_encode(cell->ch, text);

	for (int i = 0; i < 2 && cell->marks[i]; i++)
		len += utf8_encode(cell->marks[i], text + len);
	text[len] = '\0';
	s->api.cairo_select_font_face(s->c, FONT,
	    attr & ATTR_ITALIC ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
	    attr & ATTR_BOLD ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	s->api.cairo_set_font_size(s->c, FONT_SIZE);
	s->api.cairo_move_to(s->c, x, y + BASELINE);
	s->api.cairo_show_text(s->c, text);
}

static void
draw_cell(
    const struct shot *s, const struct theme *theme, double x, double y, const struct cell *cell)
{
	struct paint p = paint_of(theme, cell->style, cell->under, PAINT_RGB);
	int arms = arms_of(cell->ch);

	if (p.attr & ATTR_REVERSE) {
		int32_t fg = p.fg;
		p.fg = p.bg;
		p.bg = fg;
	}
	set_color(s, p.bg, 1);
	fill(s, x, y, WIDTH, HEIGHT);
	set_color(s, p.fg, p.attr & ATTR_DIM ? 0.6 : 1);
	if (p.attr & ATTR_UNDERLINE)
		fill(s, x, y + BASELINE + 2, WIDTH, 1);
	if (arms)
		draw_box(s, x, y, arms);
	else if (cell->ch > ' ' && !draw_block(s, x, y, cell->ch) &&
		 !draw_braille(s, x, y, cell->ch) && !draw_control(s, x, y, cell->ch))
		draw_text(s, x, y, cell, p.attr);
}

bool
screenshot_write(const struct grid *g, const struct theme *theme, const char *path, struct err *err)
{
	struct shot s;

	if (!SHARED_LIBRARY_LOAD("libcairo.so.2", CAIRO_FUNCTIONS, &s.api, err))
		return false;
	cairo_surface_t *surface = s.api.cairo_image_surface_create(
	    CAIRO_FORMAT_RGB24, g->width * WIDTH + 2 * MARGIN, g->height * HEIGHT + 2 * MARGIN);
	s.c = s.api.cairo_create(surface);
	set_color(&s, theme->roles[ROLE_TEXT].bg, 1);
	s.api.cairo_paint(s.c);
	for (int y = 0; y < g->height; y++)
		for (int x = 0; x < g->width; x++)
			draw_cell(&s, theme, MARGIN + x * WIDTH, MARGIN + y * HEIGHT,
			    &g->cells[y * g->width + x]);
	cairo_status_t status = s.api.cairo_surface_write_to_png(surface, path);
	s.api.cairo_destroy(s.c);
	s.api.cairo_surface_destroy(surface);
	return status == CAIRO_STATUS_SUCCESS
		   ? true
		   : err_set(err, "%s: %s", path, s.api.cairo_status_to_string(status));
}
