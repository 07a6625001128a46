#include "mapping.h"

#include <math.h>
#include <string.h>

/*
 * Drawings above their blocks: a thin line in a canvas or an SVG becomes Braille dots, and a
 * surface says how much it differs from its surroundings, for terminals without colors.
 */
enum {
	LINE_MOST_INK = 42, /* percent of a cell; more is a surface */
	LINE_LEAST_GROUND = 45,
	EDGE_LEAST = 2, /* samples that go on beside a cell */
};

/* ---- thin lines ---- */

struct patch {
	uint8_t (*samples)[3];
	uint32_t ground;
	int contrast; /* the farthest from it */
};

/* Does something in this cell go on in a flat one beside it, or is it of what is around all? Then
 * it is the edge of a surface, and no line. */
static bool
is_edge(const struct app_cells *c, const struct patch *p, int col, int row, uint32_t around)
{
	for (int i = 0; i < 9; i++) {
		uint32_t color = around;
		int same = 0;
		if ((i != 4 && !blocks_is_surface(c, col + i % 3 - 1, row + i / 3 - 1, &color)) ||
		    distance(color, p->ground) < LINE_MIN_CONTRAST)
			continue;
		for (int s = 0; s < SAMPLES; s++)
			same += distance(color_of(p->samples[s]), p->ground) >= SAME &&
				is_between(color_of(p->samples[s]), p->ground, color);
		if (same >= EDGE_LEAST)
			return true;
	}
	return false;
}

/* A dot has four samples. The faintest line has some. */
static uint32_t
dots_of(const int inked[8])
{
	static const uint8_t dots[8] = { 0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80 };
	int most = 0;
	uint32_t bits = 0;

	for (int i = 0; i < 8; i++)
		most = inked[i] > most ? inked[i] : most;
	for (int i = 0; i < 8; i++)
		if (inked[i] * 2 > most)
			bits |= dots[i];
	return bits;
}

static void
draw_dots(const struct patch *p, struct app_cell *cell)
{
	int sum[3] = { 0 }, ink = 0, inked[8] = { 0 }; /* percent */

	for (int s = 0; s < SAMPLES; s++) {
		int off = distance(color_of(p->samples[s]), p->ground);
		int dot = s / SAMPLES_WIDE / 2 * 2 + s % SAMPLES_WIDE / 2;
		inked[dot] += off * 100 / p->contrast;
		if (off * 2 <= p->contrast)
			continue;
		ink++;
		for (int k = 0; k < 3; k++)
			sum[k] += p->samples[s][k];
	}
	if (ink * 100 > SAMPLES * LINE_MOST_INK)
		return;
	*cell = (struct app_cell){ .ch = 0x2800 + dots_of(inked),
		.ink = rgb(sum[0] / ink, sum[1] / ink, sum[2] / ink),
		.ground = p->ground };
}

static void
draw_line(struct app_cells *c, int col, int row, uint32_t around)
{
	size_t at = (size_t)row * (size_t)c->cols + (size_t)col;
	struct patch p = { .samples = c->inside->samples[at], .ground = c->inside->surfaces[at] };
	int count = c->inside->shares[at];

	for (int s = 0; s < SAMPLES; s++) {
		int d = distance(color_of(p.samples[s]), p.ground);
		p.contrast = d > p.contrast ? d : p.contrast;
	}
	if (p.contrast >= LINE_MIN_CONTRAST && count * 100 >= SAMPLES * LINE_LEAST_GROUND &&
	    !is_edge(c, &p, col, row, around))
		draw_dots(&p, &c->cells[at]);
}

/* ---- drawings ---- */

struct cell_range {
	int from, to;
};

static struct cell_range
range_of(double from, double size, int cell, int most)
{
	double first = floor(from / cell), last = ceil((from + size) / cell);

	return (struct cell_range){ first < 0      ? 0
				    : first > most ? most
						   : (int)first,
		last < 0      ? 0
		: last > most ? most
			      : (int)last };
}

static void
mark_drawing(struct app_cells *c, const struct walked_picture *p, uint16_t number)
{
	struct cell_range cols = range_of(p->box.x, p->box.width, c->cell_width, c->cols);
	struct cell_range rows = range_of(p->box.y, p->box.height, c->cell_height, c->rows);

	for (int row = rows.from; row < rows.to; row++)
		for (int col = cols.from; col < cols.to; col++)
			c->inside->owners[row * c->cols + col] = number;
}

/* Unseen if there are colors, for ink and ground are the same. */
static void
shade(struct app_cell *cell, uint32_t around)
{
	static const uint32_t shades[] = { ' ', 0x2591, 0x2592, 0x2593, 0x2588 }; /* ░▒▓█ */
	int far = distance(cell->ground, around);

	if (cell->ch == ' ' && far >= 2 * LINE_MIN_CONTRAST)
		cell->ch = shades[far < 120 ? 1 : far < 240 ? 2 : far < 400 ? 3 : 4];
}

static void
draw_drawing(struct app_cells *c, const struct walked_picture *p, uint16_t number)
{
	struct cell_range cols = range_of(p->box.x, p->box.width, c->cell_width, c->cols);
	struct cell_range rows = range_of(p->box.y, p->box.height, c->cell_height, c->rows);

	if (cols.from == cols.to || rows.from == rows.to)
		return;
	/* Surfaces are told from the color of its corner. */
	uint32_t around = c->inside->surfaces[rows.from * c->cols + cols.from];
	for (int row = rows.from; row < rows.to; row++)
		for (int col = cols.from; col < cols.to; col++) {
			int at = row * c->cols + col;
			if (c->inside->owners[at] != number)
				continue;
			if (!is_flat(c->inside->samples[at]))
				draw_line(c, col, row, around);
			shade(&c->cells[at], around);
		}
}

void
drawings_draw(struct app_cells *c)
{
	const struct walked *w = &c->inside->walked;

	memset(
	    c->inside->owners, 0, (size_t)c->cols * (size_t)c->rows * sizeof(*c->inside->owners));
	for (int draws = 0; draws < 2; draws++) /* the last of those that overlap has a cell */
		for (size_t i = 0; i < w->pictures.len; i++)
			if (w->pictures.items[i].has_lines)
				(draws ? draw_drawing : mark_drawing)(
				    c, &w->pictures.items[i], (uint16_t)(i + 1));
}
