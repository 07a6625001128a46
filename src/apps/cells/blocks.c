/* SPDX-License-Identifier: MIT */
#include "mapping.h"

#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Pixels as cells. A cell has one color, or two colors in the shape of a block element. Simple
 * shapes are preferred even if their error is larger, so that edges stay straight.
 */
enum {
	FLAT = SAMPLES * 3 * 16, /* squared error that is not visible */
	SURFACE_LEAST = 4,       /* samples of one color */
	MOSTLY = 24,
};

/* Rows are eighths of a cell, columns are halves, corners are quarters. */
#define ROWS_FROM(row) (UINT32_MAX << (row)*SAMPLES_WIDE)
#define COLUMNS(bits) ((uint32_t)(bits)*0x11111111u)
#define UPPER_HALF 0x0000ffffu
#define LOWER_HALF 0xffff0000u

/* mask: samples in the ink, from bit 0; less: the reduction of its error. */
static const struct block {
	uint32_t ch, ink;
	int penalty, percent;
} blocks[] = {
	{ 0x2580, UPPER_HALF, 0, 85 },                                                  /* ▀ */
	{ 0x2598, COLUMNS(0x3) & UPPER_HALF, 800, 85 },                                 /* ▘ */
	{ 0x259d, COLUMNS(0xc) & UPPER_HALF, 800, 85 },                                 /* ▝ */
	{ 0x2596, COLUMNS(0x3) & LOWER_HALF, 800, 85 },                                 /* ▖ */
	{ 0x2597, COLUMNS(0xc) & LOWER_HALF, 800, 85 },                                 /* ▗ */
	{ 0x259e, (COLUMNS(0xc) & UPPER_HALF) | (COLUMNS(0x3) & LOWER_HALF), 800, 85 }, /* ▞ */
	{ 0x258c, COLUMNS(0x3), 800, 85 },                                              /* ▌ */
	{ 0x2581, ROWS_FROM(7), 0, 80 },                                                /* ▁ */
	{ 0x2582, ROWS_FROM(6), 0, 80 },                                                /* ▂ */
	{ 0x2583, ROWS_FROM(5), 0, 80 },                                                /* ▃ */
	{ 0x2585, ROWS_FROM(3), 0, 80 },                                                /* ▅ */
	{ 0x2586, ROWS_FROM(2), 0, 80 },                                                /* ▆ */
	{ 0x2587, ROWS_FROM(1), 0, 80 },                                                /* ▇ */
};

/* ---- colors ---- */

/* Return the samples near one of them. */
static uint32_t
near_to(uint8_t samples[SAMPLES][3], uint32_t mask, int of)
{
	uint32_t near = 0;

	for (int s = 0; s < SAMPLES; s++)
		if (mask >> s & 1 && abs(samples[of][0] - samples[s][0]) < SAME &&
		    abs(samples[of][1] - samples[s][1]) < SAME &&
		    abs(samples[of][2] - samples[s][2]) < SAME)
			near |= 1u << s;
	return near;
}

static uint32_t
mean_color(uint8_t samples[SAMPLES][3], uint32_t mask)
{
	int sum[3] = { 0 }, count = __builtin_popcount(mask);

	for (uint32_t rest = mask; rest; rest &= rest - 1)
		for (int k = 0; k < 3; k++)
			sum[k] += samples[__builtin_ctz(rest)][k];
	return rgb(sum[0] / count, sum[1] / count, sum[2] / count);
}

/* Return the most frequent color of these samples if it is frequent, else their mean. */
static uint32_t
typical_color(uint8_t samples[SAMPLES][3], uint32_t mask)
{
	int all = __builtin_popcount(mask), most = 0;
	const uint8_t *best = NULL;

	for (uint32_t rest = mask; rest && most * 2 < all;) {
		const uint8_t *one = samples[__builtin_ctz(rest)];
		int same = 0;
		for (uint32_t other = rest; other; other &= other - 1) {
			int s = __builtin_ctz(other);
			if (memcmp(one, samples[s], 3) != 0)
				continue;
			same++;
			rest &= ~(1u << s);
		}
		best = same > most ? one : best;
		most = same > most ? same : most;
	}
	return most * 4 >= all ? rgb(best[0], best[1], best[2]) : mean_color(samples, mask);
}

uint32_t
blocks_color(uint8_t samples[SAMPLES][3], uint32_t mask, int *count)
{
	uint32_t best = mask;
	int all = __builtin_popcount(mask), most = 0;

	if (mask == UINT32_MAX && is_flat(samples)) { /* as most are */
		*count = SAMPLES;
		return color_of(samples[0]);
	}
	for (int s = 0; s < SAMPLES && most * 2 <= all; s++) {
		uint32_t near = mask >> s & 1 ? near_to(samples, mask, s) : 0;
		if (__builtin_popcount(near) > most) {
			most = __builtin_popcount(near);
			best = near;
		}
	}
	*count = most;
	return typical_color(samples, best);
}

/* ---- edges without blur ---- */

struct surfaces {
	uint32_t colors[12];
	size_t len, around; /* number of those that are in adjacent cells; they are first */
};

static void
add_color(struct surfaces *p, uint32_t color)
{
	size_t i = 0;

	while (i < p->len && distance(p->colors[i], color) >= SAME)
		i++;
	if (i == p->len && i < ARRAY_LEN(p->colors))
		p->colors[p->len++] = color;
}

/* Return the color of a cell that has almost only this one. False: it has others, or there is no
 * such cell. */
static bool
blocks_is_surface(const struct app_cells *c, int col, int row, uint32_t *color)
{
	size_t at = (size_t)row * (size_t)c->cols + (size_t)col;

	if (col < 0 || row < 0 || col >= c->cols || row >= c->rows ||
	    c->inside->shares[at] < MOSTLY)
		return false;
	*color = c->inside->surfaces[at];
	return true;
}

static bool
is_blend(const struct surfaces *p, uint32_t color)
{
	for (size_t i = 0; i < p->len; i++)
		for (size_t k = 0; k < i; k++)
			if (distance(color, p->colors[i]) >= SAME &&
			    distance(color, p->colors[k]) >= SAME &&
			    is_between(color, p->colors[i], p->colors[k]))
				return true;
	return false;
}

/* Find the surfaces of a cell and its neighbors, except those that are blends of others. */
static void
find_surfaces(const struct app_cells *c, int col, int row, struct surfaces *out)
{
	uint8_t(*samples)[3] = c->inside->samples[row * c->cols + col];
	struct surfaces all;
	uint32_t rest = UINT32_MAX, color;

	for (int i = 0; i < 9; i++)
		if (i != 4 && blocks_is_surface(c, col + i % 3 - 1, row + i / 3 - 1, &color))
			add_color(out, color);
	all = *out;
	out->around = out->len;
	while (rest) {
		uint32_t near = near_to(samples, rest, __builtin_ctz(rest));
		rest &= ~near;
		if (__builtin_popcount(near) >= SURFACE_LEAST)
			add_color(&all, typical_color(samples, near));
	}
	for (size_t i = out->around; i < all.len; i++)
		if (!is_blend(&all, all.colors[i]))
			add_color(out, all.colors[i]);
}

/* Replace a blend of two surfaces by the nearer one, because palettes of terminals do not have the
 * blend, and its border would look ragged. */
static void
sharpen(const struct surfaces *p, uint8_t samples[SAMPLES][3])
{
	for (int s = 0; s < SAMPLES; s++) {
		uint32_t color = color_of(samples[s]), nearest = color;
		int least = INT32_MAX;
		bool blends = false;
		for (size_t i = 0; i < p->len; i++) {
			int d = distance(color, p->colors[i]);
			nearest = d < least ? p->colors[i] : nearest;
			least = d < least ? d : least;
		}
		for (size_t i = 0; i < p->len; i++)
			blends = blends || (p->colors[i] != nearest &&
					       is_between(color, nearest, p->colors[i]));
		for (int k = 0; k < 3 && blends; k++)
			samples[s][k] = (uint8_t)channel(nearest, k);
	}
}

/* ---- block elements ---- */

/* Return the squared error of the samples from the means of a split, without the part that all
 * shapes share. */
static int
split_error(uint8_t samples[SAMPLES][3], int squares, const int total[3], const struct block *b)
{
	int count = __builtin_popcount(b->ink), error = squares, in[3] = { 0 };

	for (uint32_t rest = b->ink; rest; rest &= rest - 1)
		for (int k = 0; k < 3; k++)
			in[k] += samples[__builtin_ctz(rest)][k];
	for (int k = 0; k < 3; k++) {
		int out = total[k] - in[k];
		error -= in[k] * in[k] / count + out * out / (SAMPLES - count);
	}
	return error + b->penalty;
}

/* Return the color of a part of a cell, which may be small. */
static uint32_t
part_color(uint8_t samples[SAMPLES][3], uint32_t mask)
{
	int count, all = __builtin_popcount(mask);
	uint32_t color = blocks_color(samples, mask, &count);

	return count * 4 >= all * 3 ? color : mean_color(samples, mask);
}

static struct app_cell
best_block(uint8_t samples[SAMPLES][3])
{
	int squares = 0, error, total[3] = { 0 };
	const struct block *best = NULL;
	uint32_t ink, ground;

	for (int s = 0; s < SAMPLES; s++)
		for (int k = 0; k < 3; k++) {
			squares += samples[s][k] * samples[s][k];
			total[k] += samples[s][k];
		}
	error = squares;
	for (int k = 0; k < 3; k++)
		error -= total[k] * total[k] / SAMPLES;
	for (size_t i = 0; error > FLAT && i < ARRAY_LEN(blocks); i++) {
		int split = split_error(samples, squares, total, &blocks[i]);
		if (split >= error * blocks[i].percent / 100)
			continue;
		error = split;
		best = &blocks[i];
	}
	if (best) {
		ink = part_color(samples, best->ink);
		ground = part_color(samples, ~best->ink);
		if (distance(ink, ground) >= LINE_MIN_CONTRAST)
			return (struct app_cell){ best->ch, .ink = ink, .ground = ground };
	}
	uint32_t mean = mean_color(samples, UINT32_MAX);
	return (struct app_cell){ .ch = ' ', .ink = mean, .ground = mean };
}

/* Draw the border of two surfaces with the fewest wrong samples. At a corner this may be a single
 * color. */
static struct app_cell
nearest_block(uint32_t first, uint32_t second, uint32_t mask)
{
	int least = __builtin_popcount(mask);
	bool is_mostly_second = least > SAMPLES / 2;
	uint32_t flat = is_mostly_second ? second : first;
	struct app_cell best = { .ch = ' ', .ink = flat, .ground = flat };

	least = is_mostly_second ? SAMPLES - least : least;
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
		int wrong = __builtin_popcount(mask ^ blocks[i].ink);
		bool is_turned = wrong > SAMPLES / 2;
		wrong = is_turned ? SAMPLES - wrong : wrong;
		if (wrong >= least)
			continue;
		least = wrong;
		best = (struct app_cell){ .ch = blocks[i].ch,
			.ink = is_turned ? first : second,
			.ground = is_turned ? second : first };
	}
	return best;
}

static bool
has_surface(const struct surfaces *p, uint32_t color)
{
	size_t i = 0;

	while (i < p->around && p->colors[i] != color)
		i++;
	return i < p->around;
}

static struct app_cell
draw_edges(const struct app_cells *c, int col, int row)
{
	uint8_t sharp[SAMPLES][3];
	struct surfaces surfaces = { .len = 0 };

	memcpy(sharp, c->inside->samples[row * c->cols + col], sizeof(sharp));
	find_surfaces(c, col, row, &surfaces);
	if (surfaces.len > 1)
		sharpen(&surfaces, sharp);
	/* the samples with another color than the first, if there is only one */
	uint32_t mask = 0, first = color_of(sharp[0]), second = 0;
	for (int s = 1; s < SAMPLES; s++) {
		if (color_of(sharp[s]) == first)
			continue;
		if (mask && color_of(sharp[s]) != second)
			return best_block(sharp);
		second = color_of(sharp[s]);
		mask |= 1u << s;
	}
	return mask && has_surface(&surfaces, first) && has_surface(&surfaces, second)
		   ? nearest_block(first, second, mask)
		   : best_block(sharp);
}

/*
 * Drawings above blocks: thin lines of a canvas or an SVG become Braille dots, and surfaces get
 * shades by their contrast, for terminals without colors.
 */
enum {
	LINE_MOST_INK = 42, /* percent of a cell; more is a surface */
	LINE_LEAST_GROUND = 45,
	EDGE_LEAST = 2, /* samples that continue in an adjacent cell */
};

/* ---- thin lines ---- */

struct patch {
	uint8_t (*samples)[3];
	uint32_t ground;
	int contrast; /* the farthest from it */
};

/* Return whether the ink is the edge of a surface instead of a line: it continues in an adjacent
 * flat cell, or has the color around the drawing. */
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
	/* A dot has four samples; faint lines cover some of them. */
	static const uint8_t dots[8] = { 0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80 };
	int most = 0;
	uint32_t bits = 0;
	for (int i = 0; i < 8; i++)
		most = inked[i] > most ? inked[i] : most;
	for (int i = 0; i < 8; i++)
		if (inked[i] * 2 > most)
			bits |= dots[i];
	*cell = (struct app_cell){ .ch = 0x2800 + bits,
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

/* With marks_only, only mark its cells. */
static void
draw_drawing(struct app_cells *c, const struct walked_picture *p, uint16_t number, bool marks_only)
{
	static const uint32_t shades[] = { ' ', 0x2591, 0x2592, 0x2593, 0x2588 }; /* ░▒▓█ */
	struct cell_range cols = range_of(p->box.x, p->box.width, c->cell_width, c->cols);
	struct cell_range rows = range_of(p->box.y, p->box.height, c->cell_height, c->rows);

	if (cols.from == cols.to || rows.from == rows.to)
		return;
	/* Surfaces are compared with the color of the corner. */
	uint32_t around = c->inside->surfaces[rows.from * c->cols + cols.from];
	for (int row = rows.from; row < rows.to; row++)
		for (int col = cols.from; col < cols.to; col++) {
			int at = row * c->cols + col;
			if (marks_only)
				c->inside->owners[at] = number;
			if (marks_only || c->inside->owners[at] != number)
				continue;
			if (!is_flat(c->inside->samples[at]))
				draw_line(c, col, row, around);
			/* The shade is visible only without colors, because ink and background are
			 * the same. */
			int far = distance(c->cells[at].ground, around);
			if (c->cells[at].ch == ' ' && far >= 2 * LINE_MIN_CONTRAST)
				c->cells[at].ch = shades[far < 120   ? 1
							 : far < 240 ? 2
							 : far < 400 ? 3
								     : 4];
		}
}

void
blocks_draw(struct app_cells *c)
{
	const struct walked *w = &c->inside->walked;

	for (int row = 0; row < c->rows; row++)
		for (int col = 0; col < c->cols; col++) {
			size_t at = (size_t)row * (size_t)c->cols + (size_t)col;
			uint8_t(*samples)[3] = c->inside->samples[at];
			uint32_t color = color_of(samples[0]);
			c->cells[at] =
			    is_flat(samples)
				? (struct app_cell){ .ch = ' ', .ink = color, .ground = color }
				: draw_edges(c, col, row);
		}
	memset(
	    c->inside->owners, 0, (size_t)c->cols * (size_t)c->rows * sizeof(*c->inside->owners));
	/* Mark all drawings first: a cell belongs to the last one that overlaps it. */
	for (int draws = 0; draws < 2; draws++)
		for (size_t i = 0; i < w->pictures.len; i++)
			if (w->pictures.items[i].has_lines)
				draw_drawing(c, &w->pictures.items[i], (uint16_t)(i + 1), !draws);
}
