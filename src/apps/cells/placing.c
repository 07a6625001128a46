#include "mapping.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Text into cells. In a page that is laid out in the cell font, each text has cells of its own and
 * gets just these. Any other text (that of a drawing, or in the fonts of the app) may be longer
 * than its box or share its cells: first all text that fits takes its place, then the rest looks
 * for the nearest free cells, in its row and those beside it; what finds none ends in an ellipsis.
 */
enum {
	MOST_GLYPHS = 1024, /* of a text: more than any screen is wide */
	ROWS_AWAY = 2,
	COLS_AWAY = 12,
	ROW_COST = 5, /* a row away is as far as so many columns */
	TOUCH_COST = 2,
	LEAST_GAP = 40, /* of luminance between text and its ground */
	FAINT_GAP = 60, /* likewise, of light text on a light ground or dark text on a dark one */
	CLEAR_GAP = 110,
	ELLIPSIS = 0x2026,
	PRIVATE_STAND_IN = 0x25aa, /* ▪ for a glyph of an icon font */
};

/* A text as it will be drawn. */
struct placing {
	const struct walked_text *from;
	int row, col, room; /* its place by its box; room: the columns of that */
	int need;           /* columns */
	uint16_t number;
};

static bool
is_private(uint32_t ch)
{
	return (ch >= 0xe000 && ch < 0xf900) || ch >= 0xf0000;
}

/* The next glyph that takes columns; false at the end. What cannot have been meant to be seen is
 * left out, as the cell font does. */
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
		if (is_private(g->ch))
			g->ch = PRIVATE_STAND_IN;
		return true;
	}
	return false;
}

static int
columns_of(const char *text)
{
	struct glyph g;
	int sum = 0;

	while (sum < MOST_GLYPHS && next_glyph(&text, &g))
		sum += g.width;
	return sum;
}

/* ---- colors ---- */

/* Text keeps its color as far as it can be read on its ground. */
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

static uint8_t
attr_of(const struct walked_text *t)
{
	return (uint8_t)((t->flags & WALKED_BOLD ? APP_ATTR_BOLD : 0) |
			 (t->flags & WALKED_ITALIC ? APP_ATTR_ITALIC : 0) |
			 (t->flags & WALKED_UNDERLINE ? APP_ATTR_UNDERLINE : 0));
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
		.attr = attr_of(p->from) };
	c->inside->owners[at] = p->number;
	if (g->width == 2) {
		c->cells[at + 1] = (struct app_cell){ .ink = ink, .ground = ground };
		c->inside->owners[at + 1] = p->number;
	}
}

/* From col on, at most `room` columns; less than it needs ends in an ellipsis. What is left or
 * right of the screen is not drawn: it is out of sight, not lost. */
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

/* Are these cells, as far as they are on the screen, free? */
static bool
is_free(const struct app_cells *c, int row, int col, int count)
{
	int end = col + count < c->cols ? col + count : c->cols;

	for (int i = col > 0 ? col : 0; i < end; i++)
		if (c->inside->owners[row * c->cols + i])
			return false;
	return true;
}

static bool
is_taken(const struct app_cells *c, int row, int col)
{
	return col >= 0 && col < c->cols && c->inside->owners[row * c->cols + col];
}

/* The nearest place for all of it, preferably with a blank before and behind. */
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
			cost +=
			    (is_taken(c, r, at - 1) + is_taken(c, r, at + p->need)) * TOUCH_COST;
			if (cost < best) {
				best = cost;
				*row = r;
				*col = at;
			}
		}
	}
	return best < none;
}

/* The most free columns of its row around its place. */
static int
find_gap(const struct app_cells *c, const struct placing *p, int *col)
{
	int most = 0, from = p->col > COLS_AWAY ? p->col - COLS_AWAY : 0;

	for (int start = from; start < c->cols && start <= p->col + COLS_AWAY; start++) {
		int end = start;
		while (end < c->cols && end - start < p->need &&
		       !c->inside->owners[p->row * c->cols + end])
			end++;
		if (end - start > most) {
			most = end - start;
			*col = start;
		}
	}
	return most;
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
	int room = find_gap(c, p, &col);
	c->facts.shortened++;
	if (room > 0)
		draw_piece(c, p, p->row, col, room);
	else
		c->facts.lost += (size_t)p->need;
}

/* One letter below the other, if its box is high enough. */
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

	if (middle < 0 || middle >= c->rows || left >= c->cols || right <= 0)
		return false;
	*p = (struct placing){ .from = t,
		.row = (int)middle,
		.col = (int)left,
		.room = (int)(right - left),
		.need = columns_of(t->text) };
	/* Half a column of tolerance: a box in the cell font is as wide as its cells. */
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
