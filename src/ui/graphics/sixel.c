/* SPDX-License-Identifier: MIT */
#include "ui/graphics/graphics.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Our own encoder, because libsixel cannot share colors among rectangles of one picture, has no
 * bounds on its memory, and is missing on many systems. Colors are chosen by median cut. */

enum { BITS = 5, BINS = 1 << 3 * BITS, OPAQUE = 128 };

/* Pixels of nearly the same color. */
struct bin {
	uint64_t sum[3];
	uint32_t count;
	uint16_t place; /* its number while bins are sorted */
};

/* A box of colors: bins [from, to) of the list. */
struct color_box {
	size_t from, to;
	uint64_t count; /* of pixels */
	int widest, spread;
};

static unsigned
bin_of(const uint8_t *rgba)
{
	return (unsigned)(rgba[0] >> (8 - BITS)) << 2 * BITS |
	       (unsigned)(rgba[1] >> (8 - BITS)) << BITS | (unsigned)(rgba[2] >> (8 - BITS));
}

static int
mean_of(const struct bin *b, int channel)
{
	return (int)((b->sum[channel] + b->count / 2) / b->count);
}

static int
compare(const struct bin *a, const struct bin *b, int channel)
{
	int x = mean_of(a, channel), y = mean_of(b, channel);

	return x != y ? (x > y) - (x < y) : (a->place > b->place) - (a->place < b->place);
}

#define BY_CHANNEL(name, channel)                     \
	static int name(const void *a, const void *b) \
	{                                             \
		return compare(a, b, (channel));      \
	}
BY_CHANNEL(by_red, 0)
BY_CHANNEL(by_green, 1)
BY_CHANNEL(by_blue, 2)

static void
measure(struct color_box *box, const struct bin *bins)
{
	box->count = 0;
	box->spread = -1;
	for (size_t i = box->from; i < box->to; i++)
		box->count += bins[i].count;
	for (int c = 0; c < 3; c++) {
		int low = 255, high = 0;
		for (size_t i = box->from; i < box->to; i++) {
			int value = mean_of(&bins[i], c);
			low = value < low ? value : low;
			high = value > high ? value : high;
		}
		if (high - low > box->spread) {
			box->spread = high - low;
			box->widest = c;
		}
	}
}

/* Half of the pixels go to `rest`. */
static void
split(struct color_box *box, struct color_box *rest, struct bin *bins)
{
	static int (*const by[])(const void *, const void *) = { by_red, by_green, by_blue };
	uint64_t passed = bins[box->from].count;
	size_t at = box->from + 1;

	qsort(bins + box->from, box->to - box->from, sizeof(*bins), by[box->widest]);
	for (passed = bins[box->from].count; at + 1 < box->to; at++) {
		if (2 * passed >= box->count)
			break;
		passed += bins[at].count;
	}
	*rest = (struct color_box){ .from = at, .to = box->to };
	box->to = at;
	measure(box, bins);
	measure(rest, bins);
}

/* The box whose split helps most pixels; NULL: each is one color. */
static struct color_box *
coarsest(struct color_box *boxes, int count)
{
	struct color_box *best = NULL;

	for (int i = 0; i < count; i++)
		if (boxes[i].to - boxes[i].from > 1 &&
		    (!best || boxes[i].count * (uint64_t)(boxes[i].spread + 1) >
				  best->count * (uint64_t)(best->spread + 1)))
			best = &boxes[i];
	return best;
}

static size_t
gather(const struct picture *p, struct bin *bins)
{
	size_t pixels = (size_t)p->width * (size_t)p->height, used = 0;

	for (const uint8_t *at = p->rgba; at < p->rgba + pixels * 4; at += 4) {
		struct bin *b = &bins[bin_of(at)];
		for (int c = 0; at[3] >= OPAQUE && c < 3; c++)
			b->sum[c] += at[c];
		b->count += at[3] >= OPAQUE;
	}
	for (unsigned i = 0; i < BINS; i++)
		if (bins[i].count > 0) {
			bins[used] = bins[i];
			bins[used++].place = (uint16_t)i;
		}
	return used;
}

/* index: the color of each bin's number. */
static void
choose_colors(struct sixel *s, struct bin *bins, size_t used, int most, uint8_t *index)
{
	struct color_box boxes[SIXEL_COLORS] = { { .from = 0, .to = used } }, *box;

	s->count = used > 0;
	measure(&boxes[0], bins);
	while (s->count < most && (box = coarsest(boxes, s->count)))
		split(box, &boxes[s->count++], bins);
	for (int i = 0; i < s->count; i++) {
		uint64_t sum[3] = { 0 };
		for (size_t b = boxes[i].from; b < boxes[i].to; b++) {
			index[bins[b].place] = (uint8_t)i;
			for (int c = 0; c < 3; c++)
				sum[c] += bins[b].sum[c];
		}
		for (int c = 0; c < 3; c++)
			s->colors[i][c] = (uint8_t)((sum[c] + boxes[i].count / 2) / boxes[i].count);
	}
}

void
sixel_make(struct sixel *s, const struct picture *p, int most_colors)
{
	struct bin *bins = mem_zalloc(BINS * sizeof(*bins));
	uint8_t *index = mem_zalloc(BINS);
	size_t pixels = (size_t)p->width * (size_t)p->height;
	int most = most_colors < 2 ? 2 : most_colors > SIXEL_COLORS ? SIXEL_COLORS : most_colors;

	*s = (struct sixel){ .width = p->width, .height = p->height, .pixels = mem_alloc(pixels) };
	choose_colors(s, bins, gather(p, bins), most, index);
	for (size_t i = 0; i < pixels; i++) {
		const uint8_t *at = p->rgba + i * 4;
		s->pixels[i] = at[3] >= OPAQUE ? index[bin_of(at)] : SIXEL_CLEAR;
	}
	free(index);
	free(bins);
}

void
sixel_finish(struct sixel *s)
{
	free(s->pixels);
	*s = (struct sixel){ 0 };
}

/* ---- writing ---- */

enum { BAND = 6 }; /* rows of pixels in a character */

struct band {
	int width;                                /* columns */
	int from[SIXEL_COLORS], to[SIXEL_COLORS]; /* columns that have the color; to 0: none */
	uint8_t *bits;                            /* of each column, for each color */
};

static void
add_run(struct buf *out, int count, uint8_t bits)
{
	char c = (char)('?' + bits);

	if (count > 3)
		buf_addf(out, "!%d%c", count, c);
	else
		for (int i = 0; i < count; i++)
			buf_add_char(out, c);
}

/* One color of a band; its bits are blank again. */
static void
add_color(struct buf *out, struct band *band, int color)
{
	uint8_t *bits = band->bits + (size_t)color * (size_t)band->width;
	int count = band->from[color]; /* blank columns before it */
	uint8_t last = 0;

	buf_addf(out, "#%d", color);
	for (int x = band->from[color]; x < band->to[color]; x++) {
		if (bits[x] != last) {
			add_run(out, count, last);
			count = 0;
			last = bits[x];
		}
		count++;
		bits[x] = 0;
	}
	add_run(out, count, last);
	band->to[color] = 0;
}

static void
add_band(const struct sixel *s, struct band *band, int x, int y, int rows, struct buf *out)
{
	bool is_first = true;

	for (int row = 0; row < rows; row++) {
		const uint8_t *at = s->pixels + (size_t)(y + row) * (size_t)s->width + (size_t)x;
		for (int i = 0; i < band->width; i++) {
			uint8_t c = at[i];
			if (c == SIXEL_CLEAR)
				continue;
			if (band->to[c] == 0 || i < band->from[c])
				band->from[c] = i;
			if (i >= band->to[c])
				band->to[c] = i + 1;
			band->bits[(size_t)c * (size_t)band->width + (size_t)i] |=
			    (uint8_t)(1 << row);
		}
	}
	for (int c = 0; c < s->count; c++) {
		if (band->to[c] == 0)
			continue;
		if (!is_first)
			buf_add_char(out, '$'); /* back to the band's left end */
		is_first = false;
		add_color(out, band, c);
	}
}

void
sixel_add(const struct sixel *s, int x, int y, int width, int height, struct buf *out)
{
	struct band band = { .width = width,
		.bits = mem_zalloc((size_t)(s->count + 1) * (size_t)width) };

	/* pixels that are not written keep their color; square pixels */
	buf_addf(out, "\033P0;1;0q\"1;1;%d;%d", width, height);
	for (int i = 0; i < s->count; i++) {
		const uint8_t *c = s->colors[i];
		buf_addf(out, "#%d;2;%d;%d;%d", i, (c[0] * 100 + 127) / 255,
		    (c[1] * 100 + 127) / 255, (c[2] * 100 + 127) / 255);
	}
	for (int row = 0; row < height; row += BAND) {
		int rows = height - row < BAND ? height - row : BAND;
		if (row > 0)
			buf_add_char(out, '-');
		add_band(s, &band, x, y + row, rows, out);
	}
	buf_add_str(out, "\033\\");
	free(band.bits);
}
