/* SPDX-License-Identifier: MIT */
#include "mapping.h"

#include "base/glyph.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Text in cells. In a page that uses the cell font, each text is placed at its cells. Other text
 * (in a drawing, or in fonts of the app) may be longer than its box or overlap: text that fits is
 * placed first, the rest goes to the nearest free cells in its row or adjacent rows, or is cut with
 * an ellipsis.
 */
enum {
	MOST_GLYPHS = 1024, /* limit of a text, above the width of screens */
	ROWS_AWAY = 2,
	COLS_AWAY = 12,
	ROW_COST = 5, /* columns that are as far as one row */
	TOUCH_COST = 2,
	LEAST_GAP = 40, /* of luminance between text and its ground */
	FAINT_GAP = 60, /* likewise, of light text on a light ground or dark text on a dark one */
	CLEAR_GAP = 110,
	ELLIPSIS = 0x2026,
	PRIVATE_STAND_IN = 0x25aa, /* ▪ replaces a glyph of an icon font */
};

/* A text with its place. */
struct placing {
	const struct walked_text *from;
	int row, col, room; /* the place of its box; room: columns of the box */
	int need;           /* columns */
	uint16_t number;
};

/* Return the next glyph that has columns; false at the end. Invisible characters are skipped, like
 * in the cell font. */
static bool
next_glyph(const char **text, struct glyph *g)
{
	while (**text) {
		*text += glyph_next(*text, strnlen(*text, 256), g);
		if (g->kind == GLYPH_NEWLINE || g->kind == GLYPH_TAB)
			*g = (struct glyph){ .ch = ' ', .width = 1 };
		bool is_lone_mark = g->ch == 0x25cc && g->marks[0];
		if (g->kind == GLYPH_CONTROL || g->kind == GLYPH_HIDDEN || is_lone_mark)
			continue;
		if ((g->ch >= 0xe000 && g->ch < 0xf900) || g->ch >= 0xf0000)
			g->ch = PRIVATE_STAND_IN;
		return true;
	}
	return false;
}

/* ---- colors ---- */

/* Return the color of text, changed if it is not legible on its background. */
static uint32_t
legible(uint32_t ink, uint32_t ground)
{
	bool is_dark = luminance(ground) < 128;
	int gap = (luminance(ink) - luminance(ground)) * (is_dark ? 1 : -1);
	int least = gap > 0 ? LEAST_GAP : -gap < FAINT_GAP ? CLEAR_GAP : gap;

	while (gap < least) {
		ink = blend(is_dark ? 0xffffff : 0, ink, 48);
		gap = (luminance(ink) - luminance(ground)) * (is_dark ? 1 : -1);
	}
	return ink;
}

/* ---- drawing ---- */

static void
put_glyph(struct app_cells *c, const struct placing *p, int row, int col, const struct glyph *g)
{
	size_t at = (size_t)row * (size_t)c->cols + (size_t)col;
	uint32_t ground = c->inside->grounds[at];
	uint32_t ink = legible(blend(p->from->color, ground, p->from->opacity), ground);

	c->cells[at] = (struct app_cell){ .ch = g->ch,
		.marks = { g->marks[0], g->marks[1] },
		.ink = ink,
		.ground = ground,
		.attr = (uint8_t)((p->from->flags & WALKED_BOLD ? APP_ATTR_BOLD : 0) |
				  (p->from->flags & WALKED_ITALIC ? APP_ATTR_ITALIC : 0) |
				  (p->from->flags & WALKED_UNDERLINE ? APP_ATTR_UNDERLINE : 0)) };
	c->inside->owners[at] = p->number;
	if (g->width == 2) {
		c->cells[at + 1] = (struct app_cell){ .ink = ink, .ground = ground };
		c->inside->owners[at + 1] = p->number;
	}
}

/* Draw text from col in at most `room` columns, with an ellipsis if it is cut. Text left or right
 * of the screen is not drawn and not counted as lost. */
static void
draw_piece(struct app_cells *c, const struct placing *p, int row, int col, int room)
{
	static const struct glyph dots = { .ch = ELLIPSIS, .width = 1 };
	const char *text = p->from->text;
	bool is_cut = p->need > room;
	int at = col, end = col + room - is_cut;
	struct glyph g;

	while (at < c->cols && next_glyph(&text, &g)) {
		if (at + g.width > end && is_cut) {
			const char *rest = text;
			c->facts.lost += 1;
			while (next_glyph(&rest, &g))
				c->facts.lost++;
			if (at >= 0)
				put_glyph(c, p, row, at, &dots);
			return;
		}
		if (at >= 0 && at + g.width <= c->cols)
			put_glyph(c, p, row, at, &g);
		at += g.width;
	}
}

/* ---- places ---- */

/* Return whether these cells are free. Columns off the screen are, rows are not. */
static bool
is_free(const struct app_cells *c, int row, int col, int count)
{
	int end = col + count < c->cols ? col + count : c->cols;

	if (row < 0 || row >= c->rows)
		return false;
	for (int i = col > 0 ? col : 0; i < end; i++)
		if (c->inside->owners[row * c->cols + i])
			return false;
	return true;
}

/* Find the nearest place for the whole text, preferably with a blank before and after it. */
static bool
find_place(const struct app_cells *c, const struct placing *p, int *row, int *col)
{
	const int none = ROWS_AWAY * ROW_COST + COLS_AWAY + 2 * TOUCH_COST + 1;
	int best = none;

	for (int away = -ROWS_AWAY; away <= ROWS_AWAY; away++) {
		int r = p->row + away;
		for (int shift = -COLS_AWAY; shift <= COLS_AWAY && r >= 0 && r < c->rows; shift++) {
			int cost = abs(away) * ROW_COST + abs(shift), at = p->col + shift;
			if (cost >= best || at < 0 || at + p->need > c->cols ||
			    !is_free(c, r, at, p->need))
				continue;
			cost += !is_free(c, r, at - 1, 1) * TOUCH_COST;
			cost += !is_free(c, r, at + p->need, 1) * TOUCH_COST;
			if (cost < best) {
				best = cost;
				*row = r;
				*col = at;
			}
		}
	}
	return best < none;
}

static void
place_anywhere(struct app_cells *c, const struct placing *p)
{
	int row = p->row, col = p->col;

	if (find_place(c, p, &row, &col)) {
		c->facts.moved += row != p->row || col != p->col;
		draw_piece(c, p, row, col, p->need);
		return;
	}
	/* Find the most free columns in its row around its place. */
	int room = 0, from = p->col > COLS_AWAY ? p->col - COLS_AWAY : 0;
	for (int start = from; start < c->cols && start <= p->col + COLS_AWAY; start++) {
		int end = start;
		while (end < c->cols && end - start < p->need &&
		       !c->inside->owners[p->row * c->cols + end])
			end++;
		if (end - start > room) {
			room = end - start;
			col = start;
		}
	}
	c->facts.shortened++;
	if (room > 0)
		draw_piece(c, p, p->row, col, room);
	else
		c->facts.lost += (size_t)p->need;
}

/* Draw one letter below the other, if the box is high enough. */
static bool
place_upright(struct app_cells *c, const struct placing *p)
{
	int rows = (int)(p->from->box.height / c->cell_height + 0.5);
	int top = p->row - p->need / 2;
	const char *text = p->from->text;
	struct glyph g;

	if (!(p->from->flags & WALKED_UPRIGHT) || p->need > rows || top < 0 ||
	    top + p->need > c->rows || p->col + 2 > c->cols)
		return false;
	for (int i = 0; i < p->need; i++)
		if (!is_free(c, top + i, p->col, 2))
			return false;
	for (int row = top; next_glyph(&text, &g); row++)
		put_glyph(c, p, row, p->col, &g);
	return true;
}

/* ---- all of them ---- */

static bool
make_piece(const struct app_cells *c, const struct walked_text *t, struct placing *p)
{
	double middle = floor((t->box.y + t->box.height / 2) / c->cell_height);
	double left = floor(t->box.x / c->cell_width + 0.5);
	double right = floor((t->box.x + t->box.width) / c->cell_width + 0.5);
	const char *text = t->text;
	struct glyph g;
	int need = 0;

	if (middle < 0 || middle >= c->rows || left >= c->cols || right <= 0)
		return false;
	while (need < MOST_GLYPHS && next_glyph(&text, &g))
		need += g.width;
	*p = (struct placing){ .from = t,
		.row = (int)middle,
		.col = (int)left,
		.room = (int)(right - left),
		.need = need };
	/* Half a column of tolerance: a box in the cell font has the width of its cells. */
	if (p->need == p->room + 1)
		p->room++;
	int spare = p->need - p->room;
	if (t->flags & WALKED_CENTERED && spare)
		p->col =
		    (int)floor((t->box.x + t->box.width / 2) / c->cell_width - p->need / 2.0 + 0.5);
	else if (t->flags & WALKED_RIGHT && spare)
		p->col = (int)right - p->need;
	if (p->col < 0 && t->box.x > -c->cell_width)
		p->col = 0;
	return p->need > 0;
}

static int
compare_pieces(const void *a, const void *b)
{
	const struct placing *p = a, *q = b;

	if (p->row != q->row)
		return p->row < q->row ? -1 : 1;
	if (p->col != q->col)
		return p->col < q->col ? -1 : 1;
	return p->number < q->number ? -1 : p->number > q->number;
}

void
placing_draw(struct app_cells *c)
{
	const struct walked *w = &c->inside->walked;
	struct placing *pieces = mem_alloc((w->texts.len + 1) * sizeof(*pieces));
	size_t count = 0, waiting = 0;

	memset(
	    c->inside->owners, 0, (size_t)c->cols * (size_t)c->rows * sizeof(*c->inside->owners));
	for (size_t i = 0; i < w->texts.len; i++)
		if (make_piece(c, &w->texts.items[i], &pieces[count]))
			pieces[count++].number = (uint16_t)(i + 1);
	qsort(pieces, count, sizeof(*pieces), compare_pieces);
	c->facts.texts = count;
	for (size_t i = 0; i < count; i++) {
		struct placing *p = &pieces[i];
		bool fits = p->need <= p->room && !(p->from->flags & WALKED_UPRIGHT);
		bool is_crowded = !is_free(c, p->row, p->col, p->need);
		c->facts.collided += fits && is_crowded;
		if (fits && !is_crowded)
			draw_piece(c, p, p->row, p->col, p->need);
		else
			pieces[waiting++] = *p;
	}
	for (size_t i = 0; i < waiting; i++)
		if (!place_upright(c, &pieces[i]))
			place_anywhere(c, &pieces[i]);
	free(pieces);
}

/*
 * Boxes with text: buttons, fields, table cells. They are aligned with cells by the same rounding
 * as their text, so that backgrounds have straight edges. Borders become lines in cells without
 * text, or are omitted.
 */
enum {
	RIM = 4,         /* CSS pixels from the edge of a box to its background */
	DEEP = 2,        /* likewise, to cells that belong to the content of the box */
	AROUND = 6,      /* likewise, to the surroundings: more than a gap and a round corner */
	LEAST_TINT = 30, /* sums of three channels: differences that are not visible */
	LEAST_LINE = 24, /* of luminance between a line and its ground */
};

/* In cells; right and bottom are exclusive. */
struct area {
	int left, top, right, bottom;
};

static int
clamp_to(double value, int most)
{
	return value < 0 ? 0 : value > most ? most : (int)value;
}

static int
nearest(double px, int size, int most)
{
	return clamp_to(floor(px / size + 0.5), most);
}

/* Return the cells of a box. A low box, and any control with one line, has one row: that of its
 * text. */
static struct area
area_of(const struct app_cells *c, const struct walked_frame *f)
{
	const struct walked_box *b = &f->box;
	double lines = f->flags & FRAME_CONTROL ? CONTROL_LINES : 1.5;
	struct area a = { nearest(b->x, c->cell_width, c->cols),
		nearest(b->y, c->cell_height, c->rows),
		nearest(b->x + b->width, c->cell_width, c->cols),
		nearest(b->y + b->height, c->cell_height, c->rows) };

	if (b->height < lines * c->cell_height) {
		double middle = floor((b->y + b->height / 2) / c->cell_height);
		a.top = clamp_to(middle, c->rows);
		a.bottom = clamp_to(middle + 1, c->rows);
	}
	if (a.right == a.left && a.right < c->cols)
		a.right++;
	return a;
}

/* ---- grounds ---- */

/* Return the color of the frame at a position in CSS pixels. */
static uint32_t
color_at(const struct app_cells *c, double x, double y)
{
	const struct picture *p = &c->inside->frame;
	int col = clamp_to(x * p->width / (c->cols * c->cell_width), p->width - 1);
	int row = clamp_to(y * p->height / (c->rows * c->cell_height), p->height - 1);
	const uint8_t *at = p->rgba + ((size_t)row * (size_t)p->width + (size_t)col) * 4;

	return rgb(at[0] * at[3] / 255, at[1] * at[3] / 255, at[2] * at[3] / 255);
}

/* Return a position in a box from..from + size, near its edge if the cell from `at` touches the
 * edge. */
static double
inside(double from, double size, int at, int cell)
{
	double rim = size > 3 * RIM ? RIM : size / 3;

	if (at < from + DEEP)
		return from + rim;
	return at + cell > from + size - DEEP ? from + size - rim : at + cell / 2.0;
}

/* Return the color of the box; of a low one near its upper edge, because icons are in its middle.
 */
static uint32_t
color_inside(const struct app_cells *c, const struct walked_box *b, int col, int row)
{
	int y = b->height < 3 * c->cell_height ? (int)b->y : row * c->cell_height;

	return color_at(c, inside(b->x, b->width, col * c->cell_width, c->cell_width),
	    inside(b->y, b->height, y, c->cell_height));
}

/* Return a position beside or in a box from..from + size, depending on the cell. */
static double
beside(double from, double size, int at, int first, int end, int cell)
{
	double place = (at + 0.5) * cell, least = from + RIM, most = from + size - RIM;

	if (at < first)
		place = from - AROUND;
	else if (at >= end)
		place = from + size + AROUND;
	else if (place > most)
		place = most < least ? (least + most) / 2 : most;
	else if (place < least)
		place = least;
	return place < 0 ? 0 : place;
}

static uint32_t
color_outside(
    const struct app_cells *c, const struct walked_box *b, const struct area *a, int col, int row)
{
	return color_at(c, beside(b->x, b->width, col, a->left, a->right, c->cell_width),
	    beside(b->y, b->height, row, a->top, a->bottom, c->cell_height));
}

void
frames_draw_grounds(struct app_cells *c)
{
	const struct walked *w = &c->inside->walked;
	size_t count = c->inside->frame.rgba ? w->frames.len : 0;

	/* Draw the surroundings first, because boxes may touch. */
	for (size_t i = 0; i < 2 * count; i++) {
		const struct walked_frame *f = &w->frames.items[i % count];
		bool inside = i >= count;
		if (!(f->flags & FRAME_GROUND))
			continue;
		const struct walked_box *b = &f->box;
		struct area a = area_of(c, f), t = a;
		if (!inside) /* all cells that it touches */
			t = (struct area){ clamp_to(floor(b->x / c->cell_width), c->cols),
				clamp_to(floor(b->y / c->cell_height), c->rows),
				clamp_to(ceil((b->x + b->width) / c->cell_width), c->cols),
				clamp_to(ceil((b->y + b->height) / c->cell_height), c->rows) };
		for (int row = t.top; row < t.bottom; row++)
			for (int col = t.left; col < t.right; col++) {
				bool in = col >= a.left && col < a.right && row >= a.top &&
					  row < a.bottom;
				/* Away from the edge of the box its content has the cell. */
				bool deep = col * c->cell_width >= b->x + DEEP &&
					    row * c->cell_height >= b->y + DEEP &&
					    (col + 1) * c->cell_width <= b->x + b->width - DEEP &&
					    (row + 1) * c->cell_height <= b->y + b->height - DEEP;
				if (inside ? deep : in)
					continue;
				size_t at = (size_t)row * (size_t)c->cols + (size_t)col;
				uint32_t color = inside ? color_inside(c, b, col, row)
							: color_outside(c, b, &a, col, row);
				c->cells[at] =
				    (struct app_cell){ .ch = ' ', .ink = color, .ground = color };
				c->inside->grounds[at] = color;
			}
	}
}

/* ---- lines ---- */

enum { UP = 1, RIGHT = 2, DOWN = 4, LEFT = 8 };

static const uint16_t line_chars[16] = {
	[UP] = 0x2502,
	[RIGHT] = 0x2500,
	[DOWN] = 0x2502,
	[LEFT] = 0x2500,
	[UP | DOWN] = 0x2502,
	[LEFT | RIGHT] = 0x2500,
	[UP | RIGHT] = 0x2514,
	[RIGHT | DOWN] = 0x250c,
	[DOWN | LEFT] = 0x2510,
	[LEFT | UP] = 0x2518,
	[UP | RIGHT | DOWN] = 0x251c,
	[RIGHT | DOWN | LEFT] = 0x252c,
	[DOWN | LEFT | UP] = 0x2524,
	[LEFT | UP | RIGHT] = 0x2534,
	[UP | RIGHT | DOWN | LEFT] = 0x253c,
};

struct border_lines {
	struct app_cells *c;
	uint8_t *bits; /* of each cell */
};

static bool
has_text(const struct app_cells *c, int col, int row)
{
	return c->inside->owners[row * c->cols + col] != 0;
}

static void
add_frames_line(
    struct border_lines *l, const struct walked_frame *f, int col, int row, unsigned bits)
{
	struct app_cells *c = l->c;
	size_t at = (size_t)row * (size_t)c->cols + (size_t)col;

	if (row < 0 || row >= c->rows || col < 0 || col >= c->cols || has_text(c, col, row))
		return;
	uint32_t ground = c->inside->grounds[at], ink = blend(f->color, ground, f->opacity);
	uint32_t toward = luminance(ground) < 128 ? 0xffffff : 0;
	for (int i = 0; i < 3 && abs(luminance(ink) - luminance(ground)) < LEAST_LINE; i++)
		ink = blend(toward, ink, 40);
	l->bits[at] |= (uint8_t)bits;
	c->cells[at] =
	    (struct app_cell){ .ch = line_chars[l->bits[at]], .ink = ink, .ground = ground };
}

static void
draw_across(struct border_lines *l, const struct walked_frame *f, int row, const struct area *at,
    unsigned corner)
{
	bool has_left = f->flags & FRAME_LEFT, has_right = f->flags & FRAME_RIGHT;

	for (int col = at->left; col <= at->right; col++) {
		unsigned bits = LEFT | RIGHT;
		if (col == at->left && has_left)
			bits = RIGHT | corner;
		else if (col == at->right && has_right)
			bits = LEFT | corner;
		add_frames_line(l, f, col, row, bits);
	}
}

/* Return whether a control has a background, so that it needs no border. */
static bool
is_plain_control(const struct app_cells *c, const struct walked_frame *f)
{
	struct area a = area_of(c, f);

	if (!(f->flags & FRAME_CONTROL) || !(f->flags & FRAME_GROUND) || !c->inside->frame.rgba)
		return false;
	uint32_t in = color_inside(c, &f->box, a.left, a.top);
	uint32_t out = color_outside(c, &f->box, &a, a.left, a.top - 1);
	int tint = 0;
	for (int k = 0; k < 3; k++)
		tint += abs(channel(in, k) - channel(out, k));
	return tint >= LEAST_TINT;
}

static void
draw_border(struct border_lines *l, const struct walked_frame *f)
{
	const struct app_cells *c = l->c;
	const struct walked_box *b = &f->box;
	struct area at = { (int)floor(b->x / c->cell_width), (int)floor(b->y / c->cell_height),
		(int)floor((b->x + b->width - 1) / c->cell_width),
		(int)floor((b->y + b->height - 1) / c->cell_height) };
	bool is_low = area_of(c, f).bottom - area_of(c, f).top < 2;
	bool is_rule = b->height < RIM && f->flags & FRAME_TOP;
	bool top = f->flags & FRAME_TOP, bottom = f->flags & FRAME_BOTTOM && !is_rule;

	if (is_low && !is_rule && f->flags & (FRAME_LEFT | FRAME_RIGHT))
		at.top = at.bottom = area_of(c, f).top;
	/* Omit lines that would run through text; a box has both of a pair or neither. */
	int cols = at.right - at.left + 1;
	if ((top && !is_free(c, at.top, at.left, cols)) ||
	    (bottom && !is_free(c, at.bottom, at.left, cols)) || (is_low && top && bottom))
		top = bottom = false;
	if (top)
		draw_across(l, f, at.top, &at, DOWN);
	if (bottom)
		draw_across(l, f, at.bottom, &at, UP);
	int from = top ? at.top + 1 : at.top < 0 ? 0 : at.top;
	int to = bottom ? at.bottom - 1 : at.bottom;
	for (int row = from; row <= to && row < c->rows && !is_rule; row++) {
		if (f->flags & FRAME_LEFT)
			add_frames_line(l, f, at.left, row, UP | DOWN);
		if (f->flags & FRAME_RIGHT)
			add_frames_line(l, f, at.right, row, UP | DOWN);
	}
}

/* Cells without ink would not show it. */
static void
mark(struct app_cell *cell, uint8_t attr)
{
	cell->attr |= attr;
	if (cell->ch == ' ' || (cell->ink == cell->ground && (attr & APP_ATTR_UNDERLINE)))
		cell->ink = luminance(cell->ground) < 128 ? 0xd0d0d0 : 0x303030;
}

/* Underline a focused text field, because it has a caret; reverse other elements. */
static void
draw_focus(struct app_cells *c, const struct walked_frame *f)
{
	struct area a = area_of(c, f);
	uint8_t attr = f->flags & FRAME_FIELD ? APP_ATTR_UNDERLINE : APP_ATTR_REVERSE;

	for (int row = a.top; row < a.bottom; row++)
		for (int col = a.left; col < a.right; col++)
			mark(&c->cells[row * c->cols + col], attr);
	if (attr == APP_ATTR_REVERSE) {
		/* The ink of the text becomes the background of the element. */
		for (int row = a.top; row < a.bottom; row++) {
			struct app_cell *cells = &c->cells[row * c->cols];
			int text = a.left;
			while (text < a.right && !has_text(c, text, row))
				text++;
			for (int col = a.left; col < a.right && text < a.right; col++)
				if (cells[col].ch == ' ' || !has_text(c, col, row))
					cells[col].ink = cells[text].ink;
		}
	}
}

void
frames_draw_lines(struct app_cells *c)
{
	const struct walked *w = &c->inside->walked;
	struct border_lines l = { c, mem_zalloc((size_t)c->cols * (size_t)c->rows) };

	for (size_t i = 0; i < w->frames.len; i++) {
		const struct walked_frame *f = &w->frames.items[i];
		unsigned sides = f->flags & (FRAME_TOP | FRAME_RIGHT | FRAME_BOTTOM | FRAME_LEFT);
		if (is_plain_control(c, f)) {
			/* Draw brackets, for terminals without colors and copied text. */
			struct area a = area_of(c, f);
			struct app_cell *cells = &c->cells[a.top * c->cols];
			if (a.bottom - a.top != 1 || a.right - a.left < 3 ||
			    has_text(c, a.left, a.top) || has_text(c, a.right - 1, a.top))
				continue;
			cells[a.left].ch = '[';
			cells[a.right - 1].ch = ']';
		} else if (sides) {
			draw_border(&l, f);
		}
	}
	for (size_t i = 0; i < w->frames.len; i++)
		if (w->frames.items[i].flags & FRAME_FOCUSED)
			draw_focus(c, &w->frames.items[i]);
	if (c->facts.caret_col >= 0)
		mark(&c->cells[c->facts.caret_row * c->cols + c->facts.caret_col], 0);
	free(l.bits);
}
