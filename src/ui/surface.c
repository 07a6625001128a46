/* SPDX-License-Identifier: MIT */
#include "ui/surface.h"
#include "ui/paint.h"

#include "base/buf.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define ELLIPSIS 0x2026

void
grid_init(struct grid *g, int width, int height)
{
	*g = (struct grid){ .width = width < 0 ? 0 : width, .height = height < 0 ? 0 : height };
	g->cells = mem_zalloc((size_t)g->width * (size_t)g->height * sizeof(*g->cells));
	surface_clear(surface_whole(g), style_of(ROLE_TEXT));
}

void
grid_finish(struct grid *g)
{
	if (!g)
		return;
	free(g->cells);
	*g = (struct grid){ 0 };
}

struct surface
surface_whole(struct grid *g)
{
	return (struct surface){ .grid = g, .width = g->width, .height = g->height };
}

struct surface
surface_sub(struct surface s, int x, int y, int width, int height)
{
	/* 64 bits: a caller's x + width may not fit an int */
	int64_t right = (int64_t)x + (width < 0 ? 0 : width);
	int64_t bottom = (int64_t)y + (height < 0 ? 0 : height);

	x = clamp(x, 0, s.width);
	y = clamp(y, 0, s.height);
	right = right > s.width ? s.width : right;
	bottom = bottom > s.height ? s.height : bottom;
	return (struct surface){
		.grid = s.grid,
		.x = s.x + x,
		.y = s.y + y,
		.width = right > x ? (int)right - x : 0,
		.height = bottom > y ? (int)bottom - y : 0,
	};
}

/* NULL outside of s. */
static struct cell *
cell_at(struct surface s, int x, int y)
{
	if (x < 0 || y < 0 || x >= s.width || y >= s.height)
		return NULL;
	return &s.grid->cells[(size_t)(s.y + y) * (size_t)s.grid->width + (size_t)(s.x + x)];
}

/* Drawing on one half of a wide character blanks the other half, even outside of s. */
static void
split_wide(struct surface s, int x, int y)
{
	struct cell *c = cell_at(s, x, y);
	int column = s.x + x;

	if (c->ch == 0 && column > 0)
		c[-1].ch = ' ';
	if (column + 1 < s.grid->width && c[1].ch == 0)
		c[1].ch = ' ';
}

static void
put_cell(struct surface s, int x, int y, struct style style, const struct glyph *g)
{
	struct cell *c = cell_at(s, x, y);
	uint32_t under = c->style.ground != ROLE_NONE ? c->style.ground
			 : c->under != ROLE_NONE      ? c->under
			 : c->style.ink < ROLE_COUNT  ? c->style.ink
						      : (uint32_t)ROLE_NONE;

	split_wide(s, x, y);
	*c = (struct cell){
		.ch = g->ch, .marks = { g->marks[0], g->marks[1] }, .style = style, .under = under
	};
}

/* Draws the part of the glyph that lies within s; half a glyph becomes a blank. */
static void
put_glyph(struct surface s, int x, int y, struct style style, const struct glyph *g)
{
	static const struct glyph blank = { .ch = ' ', .width = 1 };
	bool left = cell_at(s, x, y) != NULL;

	if (g->width < 2) {
		if (left)
			put_cell(s, x, y, style, g);
		return;
	}
	bool right = cell_at(s, x + 1, y) != NULL;
	if (left && right) {
		put_cell(s, x, y, style, g);
		put_cell(s, x + 1, y, style, &blank);
		cell_at(s, x + 1, y)->ch = 0;
	} else if (left) {
		put_cell(s, x, y, style, &blank);
	} else if (right) {
		put_cell(s, x + 1, y, style, &blank);
	}
}

void
surface_clear(struct surface s, struct style style)
{
	for (int y = 0; y < s.height; y++) {
		for (int x = 0; x < s.width; x++) {
			if (x == 0 || x == s.width - 1)
				split_wide(s, x, y);
			*cell_at(s, x, y) = (struct cell){ .ch = ' ', .style = style };
		}
	}
}

void
surface_put(struct surface s, int x, int y, struct style style, uint32_t ch)
{
	put_glyph(s, x, y, style, &(struct glyph){ .ch = ch, .width = 1 });
}

void
surface_repeat(struct surface s, int x, int y, int count, struct style style, uint32_t ch)
{
	for (int i = x < 0 ? -x : 0; i < count && x + i < s.width; i++)
		surface_put(s, x + i, y, style, ch);
}

int
surface_textn(struct surface s, int x, int y, struct style style, const char *text, size_t len)
{
	struct style mark = { .ink = ROLE_MARK, .ground = style.ground, .attr = style.attr };
	int column = 0, last = 0, max_cols = s.width - x;

	if (y < 0 || y >= s.height || max_cols <= 0)
		return 0;
	while (len > 0) {
		struct glyph g;
		size_t used = glyph_next(text, len, &g);
		if (column + g.width > max_cols) {
			/* the ellipsis takes the free column, else the place of the last glyph */
			int at = column < max_cols ? column : last;
			for (int i = at + 1; i < column; i++)
				surface_put(s, x + i, y, style, ' ');
			surface_put(s, x + at, y, style, ELLIPSIS);
			return at + 1;
		}
		put_glyph(s, x + column, y, g.kind == GLYPH_PLAIN ? style : mark, &g);
		last = column;
		column += g.width;
		text += used;
		len -= used;
	}
	return column;
}

int
surface_text(struct surface s, int x, int y, int max_cols, struct style style, const char *text)
{
	if (max_cols >= 0 && max_cols < s.width - x)
		s.width = x + max_cols;
	return surface_textn(s, x, y, style, text, strlen(text));
}

int
surface_text_right(
    struct surface s, int x_end, int y, int max_cols, struct style style, const char *text)
{
	if (max_cols < 0 || max_cols > x_end)
		max_cols = x_end < 0 ? 0 : x_end;
	int columns = 0;
	for (size_t at = 0, len = strlen(text); at < len && columns <= max_cols;) {
		struct glyph g;
		at += glyph_next(text + at, len - at, &g);
		columns += g.width;
	}
	columns = columns < max_cols ? columns : max_cols;
	return surface_text(s, x_end - columns, y, columns, style, text);
}

int
surface_textf(
    struct surface s, int x, int y, int max_cols, struct style style, const char *format, ...)
{
	char text[2048]; /* more columns than a line has */

	FORMAT_INTO(text, format);
	return surface_text(s, x, y, max_cols, style, text);
}

void
surface_restyle(struct surface s, int x, int y, int width, uint32_t ground, uint8_t attr)
{
	for (int i = x < 0 ? -x : 0; i < width && x + i < s.width; i++) {
		struct cell *c = cell_at(s, x + i, y);
		if (!c)
			return;
		if (ground != ROLE_NONE)
			c->style.ground = ground;
		c->style.attr |= attr;
	}
}

void
surface_dim(struct surface s)
{
	for (int y = 0; y < s.height; y++)
		for (int x = 0; x < s.width; x++) {
			struct cell *c = cell_at(s, x, y);
			if (c->picture)
				continue; /* its colors are its own */
			bool is_border = c->style.ink == ROLE_BORDER || c->style.ink == ROLE_FOCUS;
			c->style = style_of(is_border ? ROLE_BORDER : ROLE_HINT);
			c->under = ROLE_NONE;
		}
}

void
surface_picture(struct surface s, const struct picture *p, int cols, int rows, int skip)
{
	struct grid *g = s.grid;

	if (p->number == 0 || g->picture_count == PICTURES_MAX)
		return; /* the cells do not change */
	g->pictures[g->picture_count++] = (struct grid_picture){
		.picture = p, .x = s.x, .y = s.y - skip, .cols = cols, .rows = rows
	};
	for (int y = 0; y < s.height && y < rows - skip; y++)
		for (int x = 0; x < s.width && x < cols; x++)
			cell_at(s, x, y)->picture = (uint8_t)g->picture_count;
}

void
grid_to_text(const struct grid *g, struct buf *out)
{
	const struct surface all = {
		.grid = (struct grid *)g, .width = g->width, .height = g->height
	};

	surface_to_text(all, NULL, PAINT_MONO, out);
}

enum box {
	BOX_HORIZONTAL = 0x2500,
	BOX_VERTICAL = 0x2502,
	BOX_TOP_LEFT = 0x256d,
	BOX_TOP_RIGHT = 0x256e,
	BOX_BOTTOM_RIGHT = 0x256f,
	BOX_BOTTOM_LEFT = 0x2570,
	LEFT_HALF_BLOCK = 0x258c,
	HEAVY_VERTICAL = 0x2503,
};

/* Draw text on the top border between two blanks. Return the column after it. */
static int
draw_on_border(
    struct surface s, int x, int max_cols, struct style style, const char *text, size_t len)
{
	int used = surface_textn(surface_sub(s, x + 1, 0, max_cols, 1), 0, 0, style, text, len);

	surface_put(s, x, 0, style, ' ');
	surface_put(s, x + 1 + used, 0, style, ' ');
	return x + used + 2;
}

/* Return the bytes of the facts, separated by " · ", that fit into room; 0: not even the first. */
static size_t
whole_facts(const char *facts, int room)
{
	size_t fit = 0;

	if ((int)glyph_columns(facts, strlen(facts)) <= room)
		return strlen(facts);
	for (const char *at = facts; (at = strstr(at, " · ")); at += strlen(" · "))
		if ((int)glyph_columns(facts, (size_t)(at - facts)) <= room)
			fit = (size_t)(at - facts);
	return fit;
}

struct surface
surface_frame(
    struct surface s, bool focused, const char *title, const char *facts, enum role facts_role)
{
	enum { LEAST_FACTS = 4 }; /* columns: less says nothing */
	struct style border = style_of(focused ? ROLE_FOCUS : ROLE_BORDER);
	int from = 1, right = s.width - 1, bottom = s.height - 1;

	if (s.width < 2 || s.height < 1)
		return surface_sub(s, 0, 0, 0, 0);
	if (bottom == 0) {
		surface_repeat(s, 0, 0, s.width, border, BOX_HORIZONTAL); /* a title line */
	} else {
		surface_repeat(s, 1, 0, right - 1, border, BOX_HORIZONTAL);
		surface_repeat(s, 1, bottom, right - 1, border, BOX_HORIZONTAL);
		for (int y = 1; y < bottom; y++) {
			surface_put(s, 0, y, border, BOX_VERTICAL);
			surface_put(s, right, y, border, BOX_VERTICAL);
		}
		surface_put(s, 0, 0, border, BOX_TOP_LEFT);
		surface_put(s, right, 0, border, BOX_TOP_RIGHT);
		surface_put(s, 0, bottom, border, BOX_BOTTOM_LEFT);
		surface_put(s, right, bottom, border, BOX_BOTTOM_RIGHT);
	}
	if (title && *title && s.width >= 6)
		from =
		    draw_on_border(s, 1, s.width - 5, style_of(ROLE_TITLE), title, strlen(title));
	if (facts && *facts) {
		int room = s.width - from - 5; /* a stretch of border at each side, two blanks */
		size_t len = whole_facts(facts, room);
		int columns = len > 0 ? (int)glyph_columns(facts, len) : room;
		if (columns > 0 && (len > 0 || room >= LEAST_FACTS))
			draw_on_border(s, s.width - 4 - columns, columns, style_of(facts_role),
			    facts, len > 0 ? len : strlen(facts));
	}
	return surface_sub(s, 2, 1, s.width - 4, s.height - 2);
}

void
surface_spot(struct surface s, int x, int y)
{
	struct grid *g = s.grid;
	bool inside = y >= 0 && y < s.height && x < s.width && s.x + x >= 0;

	if (inside && g->spot_count < SPOTS_MAX)
		g->spots[g->spot_count++] = (struct spot){ s.x + x, s.y + y };
}

/* The inside of a frame grown by `columns` on each side, within the grid. */
static struct surface
grown(struct surface inside, int columns)
{
	return surface_sub(surface_whole(inside.grid), inside.x - columns, inside.y,
	    inside.width + 2 * columns, inside.height);
}

void
surface_select_row(struct surface inside, int y, bool focused)
{
	struct surface row = grown(inside, 1);
	enum role ground = focused ? ROLE_SELECTION : ROLE_SELECTION_DIM;

	if (inside.width < 1)
		return; /* a frame this narrow has no air */
	surface_put(row, 0, y, style_of(focused ? ROLE_FOCUS : ROLE_BORDER), LEFT_HALF_BLOCK);
	surface_restyle(row, 0, y, row.width, ground, 0);
}

void
surface_scrollbar(struct surface inside, bool focused, size_t count, size_t top)
{
	struct surface s = grown(inside, 2);
	size_t height = (size_t)s.height;

	if (inside.width < 1 || s.height < 2 || count <= height)
		return;
	/* in double: count * height may not fit */
	double scale = (double)height / (double)count;
	int length = (int)((double)height * scale + 0.5);
	if (length < 1)
		length = 1;
	double span = (double)(s.height - length);
	int at = (int)(span * ((double)top / (double)(count - height)) + 0.5);
	at = clamp(at, top > 0, s.height - length);
	for (int y = at; y < at + length; y++)
		surface_put(
		    s, s.width - 1, y, style_of(focused ? ROLE_FOCUS : ROLE_DIM), HEAVY_VERTICAL);
}

/* ---- pictures in half blocks ---- */

enum { UPPER = 0x2580, LOWER = 0x2584 };

void
half_blocks_size(const struct picture *p, int max_cols, int max_rows, int *cols, int *rows)
{
	int height;

	picture_fit(p, max_cols > 0 ? max_cols : 1, max_rows > 0 ? 2 * max_rows : 2, cols, &height);
	*rows = (height + 1) / 2;
}

/* False: the pixel is transparent. */
static bool
pixel(const struct picture *p, int x, int y, uint32_t *color)
{
	enum { OPAQUE = 128 };

	if (y >= p->height)
		return false;
	const uint8_t *at = p->rgba + ((size_t)y * (size_t)p->width + (size_t)x) * 4;
	*color = STYLE_RGB(
	    (((uint32_t)at[0] << 16) | ((uint32_t)at[1] << 8) | at[2]) & STYLE_PICTURE_BITS);
	return at[3] >= OPAQUE;
}

void
half_blocks_draw(const struct picture *p, struct surface s, int skip)
{
	for (int y = 0; y < s.height && 2 * (y + skip) < p->height; y++)
		for (int x = 0; x < s.width && x < p->width; x++) {
			uint32_t above, below;
			bool has_above = pixel(p, x, 2 * (y + skip), &above);
			bool has_below = pixel(p, x, 2 * (y + skip) + 1, &below);
			if (has_above)
				surface_put(s, x, y,
				    (struct style){
					above, has_below ? below : ROLE_NONE, ATTR_DRAWN },
				    UPPER);
			else if (has_below)
				surface_put(
				    s, x, y, (struct style){ below, ROLE_NONE, ATTR_DRAWN }, LOWER);
		}
}

/* 0 to 255. */
static unsigned
brightness(uint32_t color)
{
	if (!(color & STYLE_RGB(0)))
		return 0;
	return ((color >> 16 & 0xff) * 299 + (color >> 8 & 0xff) * 587 + (color & 0xff) * 114) /
	       1000;
}

uint32_t
half_blocks_shade(const struct cell *c)
{
	static const uint32_t shades[] = { ' ', 0x2591, 0x2592, 0x2593, 0x2588 };
	enum { SHADES = ARRAY_LEN(shades) };

	if ((c->ch != UPPER && c->ch != LOWER) || !(c->style.ink & STYLE_RGB(0)))
		return 0;
	unsigned mean = (brightness(c->style.ink) + brightness(c->style.ground)) / 2;
	return shades[mean * SHADES / 256];
}
