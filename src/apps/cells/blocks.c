#include "mapping.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/*
 * Pixels as cells: of each cell eight samples are known, two in each of four rows. A cell is flat
 * or has two colors, split like one of the block elements. The simpler a shape, the less an error
 * counts against it, so edges stay straight.
 */
enum {
	FLAT = SAMPLES * 3 * 16, /* squared error that nobody sees */
	LINE_MIN_CONTRAST = 24,  /* sums of three channels */
	LINE_MOST_INK = 42,      /* percent of a cell; more is a surface */
	LINE_LEAST_GROUND = 45,
	LINE_MOST_PIXELS = 512,
};

/* The samples that are in ink, from bit 0; less is the error with which it is drawn. */
static const struct block {
	uint32_t ch;
	uint8_t ink;
	int penalty, percent;
} blocks[] = { { 0x2580, 0x0f, 0, 85 }, /* ▀ */
	{ 0x258c, 0x55, 200, 85 },      /* ▌ */
	{ 0x2598, 0x05, 200, 85 },      /* ▘ */
	{ 0x259d, 0x0a, 200, 85 },      /* ▝ */
	{ 0x2596, 0x50, 200, 85 },      /* ▖ */
	{ 0x2597, 0xa0, 200, 85 },      /* ▗ */
	{ 0x259e, 0x5a, 200, 85 },      /* ▞ */
	{ 0x2582, 0xc0, 0, 80 },        /* ▂ */
	{ 0x2586, 0xfc, 0, 80 } };      /* ▆ */

/* ---- block elements ---- */

/* Two colors and how far off the samples are from them, without what all shapes share. */
static int
split_error(
    uint8_t samples[SAMPLES][3], int squares, const struct block *b, int ink[3], int ground[3])
{
	int count = __builtin_popcount(b->ink), rest = SAMPLES - count, error = squares;

	for (int k = 0; k < 3; k++) {
		int in = 0, out = 0;
		for (int s = 0; s < SAMPLES; s++)
			*(b->ink >> s & 1 ? &in : &out) += samples[s][k];
		error -= in * in / count + out * out / rest;
		ink[k] = in / count;
		ground[k] = out / rest;
	}
	return error + b->penalty;
}

static struct app_cell
best_block(uint8_t samples[SAMPLES][3])
{
	int squares = 0, flat, mean[3] = { 0 };

	for (int s = 0; s < SAMPLES; s++)
		for (int k = 0; k < 3; k++) {
			squares += samples[s][k] * samples[s][k];
			mean[k] += samples[s][k];
		}
	flat = squares - (mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]) / SAMPLES;
	uint32_t color = rgb(mean[0] / SAMPLES, mean[1] / SAMPLES, mean[2] / SAMPLES);
	struct app_cell best = { .ch = ' ', .ink = color, .ground = color };
	for (size_t i = 0; flat > FLAT && i < ARRAY_LEN(blocks); i++) {
		int ink[3], ground[3];
		int error = split_error(samples, squares, &blocks[i], ink, ground);
		if (error >= flat * blocks[i].percent / 100)
			continue;
		flat = error;
		best = (struct app_cell){ .ch = blocks[i].ch,
			.ink = rgb(ink[0], ink[1], ink[2]),
			.ground = rgb(ground[0], ground[1], ground[2]) };
	}
	return best;
}

void
blocks_draw(struct app_cells *c)
{
	size_t count = (size_t)c->cols * (size_t)c->rows;

	for (size_t i = 0; i < count; i++) {
		uint8_t(*s)[3] = c->inside->samples[i];
		if (memcmp(s[0], s[1], (SAMPLES - 1) * sizeof(s[0])) == 0) {
			uint32_t color = rgb(s[0][0], s[0][1], s[0][2]);
			c->cells[i] = (struct app_cell){ .ch = ' ', .ink = color, .ground = color };
		} else {
			c->cells[i] = best_block(s);
		}
	}
}

/* ---- Braille ---- */

struct patch {
	const uint8_t *pixels; /* of the cell's first row */
	size_t line;           /* bytes from one row to the next */
	int width, height;
	uint32_t ground;
	int ground_count, contrast;
};

static const uint8_t *
pixel(const struct patch *p, int x, int y)
{
	return p->pixels + (size_t)y * p->line + (size_t)x * 4;
}

static int
distance(const uint8_t *a, uint32_t b)
{
	return abs(a[0] - channel(b, 0)) + abs(a[1] - channel(b, 1)) + abs(a[2] - channel(b, 2));
}

/* The color that most pixels have, roughly, and how far the others get from it. */
static void
find_ground(struct patch *p)
{
	uint16_t keys[LINE_MOST_PIXELS], best = 0;
	int count = p->width * p->height;

	for (int i = 0; i < count; i++) {
		const uint8_t *at = pixel(p, i % p->width, i / p->width);
		keys[i] = (uint16_t)((at[0] >> 4) << 8 | (at[1] >> 4) << 4 | at[2] >> 4);
	}
	for (int i = 0; i < count && p->ground_count * 2 <= count; i++) {
		int same = 0;
		for (int k = 0; k < count; k++)
			same += keys[k] == keys[i];
		if (same > p->ground_count) {
			p->ground_count = same;
			best = keys[i];
		}
	}
	int sum[3] = { 0 };
	for (int i = 0; i < count; i++)
		for (int k = 0; k < 3 && keys[i] == best; k++)
			sum[k] += pixel(p, i % p->width, i / p->width)[k];
	int n = p->ground_count;
	p->ground = rgb(sum[0] / n, sum[1] / n, sum[2] / n);
	for (int i = 0; i < count; i++) {
		int d = distance(pixel(p, i % p->width, i / p->width), p->ground);
		p->contrast = d > p->contrast ? d : p->contrast;
	}
}

static void
draw_dots(const struct patch *p, struct app_cell *cell)
{
	static const uint8_t dots[4][2] = { { 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 },
		{ 0x40, 0x80 } };
	int sum[3] = { 0 }, ink = 0, least = p->width * p->height / 32 + 1;
	int counts[4][2] = { { 0 } };
	uint32_t bits = 0;

	for (int y = 0; y < p->height; y++)
		for (int x = 0; x < p->width; x++) {
			const uint8_t *at = pixel(p, x, y);
			if (distance(at, p->ground) * 2 <= p->contrast)
				continue;
			counts[y * 4 / p->height][x * 2 / p->width]++;
			ink++;
			for (int k = 0; k < 3; k++)
				sum[k] += at[k];
		}
	for (int i = 0; i < 8; i++)
		if (counts[i / 2][i % 2] >= least)
			bits |= dots[i / 2][i % 2];
	if (bits == 0 || ink * 100 > p->width * p->height * LINE_MOST_INK)
		return;
	*cell = (struct app_cell){ .ch = 0x2800 + bits,
		.ink = rgb(sum[0] / ink, sum[1] / ink, sum[2] / ink),
		.ground = p->ground };
}

static void
draw_lines_in(struct app_cells *c, int col, int row)
{
	const struct picture *frame = &c->inside->frame;
	struct patch p = { .line = (size_t)frame->width * 4,
		.width = frame->width / c->cols,
		.height = frame->height / c->rows };
	struct app_cell *cell = &c->cells[row * c->cols + col];

	uint8_t(*s)[3] = c->inside->samples[row * c->cols + col];

	if (memcmp(s[0], s[1], (SAMPLES - 1) * sizeof(s[0])) == 0)
		return;
	p.pixels = frame->rgba + (size_t)(row * p.height) * p.line + (size_t)(col * p.width) * 4;
	find_ground(&p);
	if (p.contrast >= LINE_MIN_CONTRAST &&
	    p.ground_count * 100 >= p.width * p.height * LINE_LEAST_GROUND)
		draw_dots(&p, cell);
}

static int
clamp(double value, int most)
{
	return value < 0 ? 0 : value > most ? most : (int)value;
}

void
blocks_draw_lines(struct app_cells *c)
{
	const struct picture *frame = &c->inside->frame;
	int width = frame->width / c->cols, height = frame->height / c->rows;
	uint16_t *marks = c->inside->owners; /* of cells in a drawing: each is drawn once */

	/* Only if each dot has pixels of its own. */
	if (width < 2 || height < 4 || width * height > LINE_MOST_PIXELS)
		return;
	memset(marks, 0, (size_t)c->cols * (size_t)c->rows * sizeof(*marks));
	for (size_t i = 0; i < c->inside->walked.pictures.len; i++) {
		const struct walked_picture *p = &c->inside->walked.pictures.items[i];
		if (!p->has_lines)
			continue;
		int left = clamp(p->box.x / c->cell_width, c->cols);
		int right = clamp((p->box.x + p->box.width) / c->cell_width + 0.99, c->cols);
		int top = clamp(p->box.y / c->cell_height, c->rows);
		int bottom = clamp((p->box.y + p->box.height) / c->cell_height + 0.99, c->rows);
		for (int row = top; row < bottom; row++)
			for (int col = left; col < right; col++)
				marks[row * c->cols + col] = 1;
	}
	for (int row = 0; row < c->rows; row++)
		for (int col = 0; col < c->cols; col++)
			if (marks[row * c->cols + col])
				draw_lines_in(c, col, row);
}
