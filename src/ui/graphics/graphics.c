/* SPDX-License-Identifier: MIT */
#include "ui/graphics/graphics.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/mem.h"
#include "base/shared_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- kitty ---- */

#define KITTY_FORGET "\033_Ga=d,d=I,i=%u,q=2\033\\" /* the picture and its placements */

/* https://sw.kovidgoyal.net/kitty/graphics-protocol/: q=2 asks for no answers. */

#define ZLIB_FUNCTIONS(X) \
	X(compressBound)  \
	X(compress2)

struct zlib_api {
	ZLIB_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

/* False: they are sent uncompressed. */
static bool
compressed(struct buf *out, const void *bytes, size_t len)
{
	enum { FAST = 1 };
	struct zlib_api zlib;

	if (!SHARED_LIBRARY_LOAD("libz.so.1", ZLIB_FUNCTIONS, &zlib, NULL))
		return false;
	uLongf size = zlib.compressBound(len);
	Bytef *to = (Bytef *)buf_reserve(out, size);
	if (!to || zlib.compress2(to, &size, bytes, len, FAST) != Z_OK)
		return false;
	buf_commit(out, size);
	return true;
}

void
kitty_transmit(struct buf *out, unsigned id, const struct picture *p)
{
	enum { CHUNK = 4096 };
	size_t len = (size_t)p->width * (size_t)p->height * 4;
	struct buf bytes = BUF_INIT, text = BUF_INIT;
	bool small = compressed(&bytes, p->rgba, len);

	base64_add(
	    &text, small ? bytes.data : (char *)p->rgba, small ? bytes.len : len, BASE64_PLAIN);
	for (size_t at = 0; at < text.len; at += CHUNK) {
		size_t left = text.len - at;
		if (at == 0)
			buf_addf(out, "\033_Ga=t,t=d,f=32,s=%d,v=%d,i=%u,q=2%s,", p->width,
			    p->height, id, small ? ",o=z" : "");
		else
			buf_add_str(out, "\033_Gq=2,");
		buf_addf(out, "m=%d;", left > CHUNK);
		buf_add(out, text.data + at, left > CHUNK ? CHUNK : left);
		buf_add_str(out, "\033\\");
	}
	buf_finish(&text);
	buf_finish(&bytes);
}

/* ---- sixel ---- */

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

/* For qsort_r(). */
static int
by_channel(const void *one, const void *other, void *channel)
{
	const struct bin *a = one, *b = other;
	int x = mean_of(a, *(int *)channel), y = mean_of(b, *(int *)channel);

	return x != y ? (x > y) - (x < y) : (a->place > b->place) - (a->place < b->place);
}

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
	size_t at = box->from + 1;

	qsort_r(bins + box->from, box->to - box->from, sizeof(*bins), by_channel, &box->widest);
	uint64_t passed = bins[box->from].count;
	for (; at + 1 < box->to && 2 * passed < box->count; at++)
		passed += bins[at].count;
	*rest = (struct color_box){ .from = at, .to = box->to };
	box->to = at;
	measure(box, bins);
	measure(rest, bins);
}

/* index: the color of each bin's number. */
static void
choose_colors(struct sixel *s, struct bin *bins, size_t used, int most, uint8_t *index)
{
	struct color_box boxes[SIXEL_COLORS] = { { .from = 0, .to = used } };

	s->count = used > 0;
	measure(&boxes[0], bins);
	while (s->count < most) {
		struct color_box *best = NULL; /* its split helps most pixels */
		for (struct color_box *box = boxes; box < boxes + s->count; box++)
			if (box->to - box->from > 1 &&
			    (!best || box->count * (uint64_t)(box->spread + 1) >
					  best->count * (uint64_t)(best->spread + 1)))
				best = box;
		if (!best)
			break; /* each is one color */
		split(best, &boxes[s->count++], bins);
	}
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
	size_t pixels = (size_t)p->width * (size_t)p->height, used = 0;
	int most = most_colors < 2 ? 2 : most_colors > SIXEL_COLORS ? SIXEL_COLORS : most_colors;

	*s = (struct sixel){ .width = p->width, .height = p->height, .pixels = mem_alloc(pixels) };
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
	choose_colors(s, bins, used, most, index);
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

/* ---- slots ---- */

enum graphics_kind { GRAPHICS_OFF, GRAPHICS_KITTY, GRAPHICS_SIXEL };
enum {
	/* Two for each picture of a frame: itself, and the one shown until it is made. */
	GRAPHIC_SLOTS = 2 * PICTURES_MAX + 1,
	GRAPHIC_FIRST_ID = 0x6d6370, /* kitty's number of the first: others may show pictures too */
};

/* A picture as the terminal gets it: in the pixels of the cells that it fills. */
struct graphic {
	uint64_t number;        /* of the picture; 0: the slot is free */
	int box_cols, box_rows; /* where it had to fit in */
	int cols, rows;         /* the cells that it fills */
	int cell_width,
	    cell_height; /* in pixels; kitty's are not the terminal's if those are many */
	int x, y;        /* where it was wanted last */
	bool is_sent;    /* kitty has it */
	bool is_made;    /* sixel and bytes are of it */
	struct sixel sixel;
	struct buf bytes; /* what sends it to kitty, or all of it as sixels */
	struct job *job;  /* makes it; NULL: none */
	uint64_t used;    /* the last frame with it */
	uint64_t made;    /* the frame before which it was made */
};

struct graphic_slots {
	struct jobs *jobs; /* NULL: all is made at once */
	enum graphics_kind kind;
	struct graphics_abilities abilities;
	uint64_t frame;
	struct graphic slots[GRAPHIC_SLOTS];
};

/* The pictures of the last frames as the terminal gets them, and the jobs that make large ones. */

enum {
	SIDE = 1000,         /* pixels: xterm's limit for sixel unless it says otherwise */
	SIDE_MAX = 1600,     /* bounds the bytes of a picture */
	AT_ONCE = 64 * 1024, /* pixels that no frame notices */
};

static void
graphic_drop(struct graphic *s)
{
	job_drop(&s->job);
	sixel_finish(&s->sixel);
	buf_finish(&s->bytes);
	*s = (struct graphic){ 0 };
}

static void
graphic_slots_drop(struct graphic_slots *g)
{
	for (int i = 0; i < GRAPHIC_SLOTS; i++)
		graphic_drop(&g->slots[i]);
}

/* The pixels that the picture gets; it fills its box, as its shape allows. */
static void
fit(const struct graphic_slots *g, const struct graphic *s, const struct picture *p, int *width,
    int *height)
{
	const struct graphics_abilities *a = &g->abilities;
	int most_width = at_most(a->most_width > 0 ? a->most_width : SIDE, SIDE_MAX);
	int most_height = at_most(a->most_height > 0 ? a->most_height : SIDE, SIDE_MAX);

	most_width = at_most(s->box_cols * s->cell_width, most_width);
	most_height = at_most(s->box_rows * s->cell_height, most_height);
	*width = most_width;
	*height = (int)((int64_t)most_width * p->height / p->width);
	if (*height > most_height) {
		*height = most_height;
		*width = (int)((int64_t)most_height * p->width / p->height);
	}
	*width = *width > 0 ? *width : 1;
	*height = *height > 0 ? *height : 1;
}

/* ---- sending ---- */

/* Scaling and encoding take longer than a frame may, so a job does it with copies of all it needs;
 * until it is done, the picture that was there before stays. */
struct picture_making {
	struct job job;                /* first */
	struct graphic_slots settings; /* kind and abilities alone */
	struct graphic slot;           /* likewise its size */
	struct picture picture;
	unsigned id;
	struct graphic *to;
	uint64_t frame;
};

static void
run_making(struct job *job)
{
	struct picture_making *m = (struct picture_making *)job;
	const struct graphic_slots *g = &m->settings;
	struct picture scaled, drawn = { .width = m->slot.cols * m->slot.cell_width,
		.height = m->slot.rows * m->slot.cell_height };
	int width, height;

	/* in the pixels of whole cells; the rest is transparent */
	fit(g, &m->slot, &m->picture, &width, &height);
	picture_reduce(&m->picture, width, height, &scaled);
	drawn.rgba = mem_zalloc((size_t)drawn.width * (size_t)drawn.height * 4);
	for (int y = 0; y < height; y++)
		memcpy(drawn.rgba + (size_t)y * (size_t)drawn.width * 4,
		    scaled.rgba + (size_t)y * (size_t)width * 4, (size_t)width * 4);
	picture_finish(&scaled);
	if (g->kind == GRAPHICS_KITTY) {
		kitty_transmit(&m->slot.bytes, m->id, &drawn);
	} else {
		sixel_make(&m->slot.sixel, &drawn,
		    g->abilities.colors > 0 ? g->abilities.colors : SIXEL_COLORS);
		sixel_add(&m->slot.sixel, 0, 0, drawn.width, drawn.height, &m->slot.bytes);
	}
	picture_finish(&drawn);
}

static void
end_making(struct job *job)
{
	struct picture_making *m = (struct picture_making *)job;

	if (job_is_stopped(job)) {
		sixel_finish(&m->slot.sixel);
		buf_finish(&m->slot.bytes);
	} else {
		m->to->sixel = m->slot.sixel;
		m->to->bytes = m->slot.bytes;
		m->to->is_made = true;
		m->to->made = m->frame;
	}
	picture_finish(&m->picture);
	free(m);
}

static void
make(struct graphic_slots *g, struct graphic *s, const struct picture *p)
{
	struct picture_making *m = mem_zalloc(sizeof(*m));
	size_t pixels = (size_t)p->width * (size_t)p->height;
	bool small =
	    pixels < AT_ONCE &&
	    (size_t)(s->cols * s->cell_width) * (size_t)(s->rows * s->cell_height) < AT_ONCE;

	m->job = (struct job){ .run = run_making, .done = end_making };
	m->settings.kind = g->kind;
	m->settings.abilities = g->abilities;
	m->slot = (struct graphic){ .box_cols = s->box_cols,
		.box_rows = s->box_rows,
		.cols = s->cols,
		.rows = s->rows,
		.cell_width = s->cell_width,
		.cell_height = s->cell_height };
	m->picture = *p;
	m->picture.rgba = mem_dup(p->rgba, pixels * 4);
	m->id = GRAPHIC_FIRST_ID + (unsigned)(s - g->slots);
	m->to = s;
	m->frame = g->frame;
	job_start(small ? NULL : g->jobs, &m->job, &s->job);
}

static bool
is_at(const struct graphic *s, const struct grid_picture *p)
{
	return s->number && s->x == p->x && s->y == p->y && s->box_cols == p->cols &&
	       s->box_rows == p->rows;
}

/* Evicts the picture that has been off the screen for longest. */
static int
take_slot(struct graphic_slots *g, const struct grid_picture *wanted)
{
	const struct graphics_abilities *a = &g->abilities;
	int oldest = 0, width, height;

	for (int i = 0; i < GRAPHIC_SLOTS; i++)
		if (g->slots[i].used < g->slots[oldest].used)
			oldest = i;
	struct graphic *s = &g->slots[oldest];
	graphic_drop(s);
	*s = (struct graphic){ .number = wanted->picture->number,
		.box_cols = wanted->cols,
		.box_rows = wanted->rows };
	s->cell_width = a->cell_width > 0 ? a->cell_width : 10;
	s->cell_height = a->cell_width > 0 ? a->cell_height : 20;
	/* Kitty scales, so it gets fewer pixels if the cells have many. */
	while (g->kind == GRAPHICS_KITTY && s->cell_width > 3 && s->cell_height > 3 &&
	       (s->box_cols * s->cell_width > SIDE || s->box_rows * s->cell_height > SIDE)) {
		s->cell_width /= 2;
		s->cell_height /= 2;
	}
	fit(g, s, wanted->picture, &width, &height);
	s->cols = (width + s->cell_width - 1) / s->cell_width;
	s->rows = (height + s->cell_height - 1) / s->cell_height;
	return oldest;
}

static int
graphic_slot_for(struct graphic_slots *g, const struct grid_picture *wanted)
{
	bool is_making =
	    false; /* only one picture at a time for each place, so that it gets done */
	int slot = -1;

	for (int i = 0; i < GRAPHIC_SLOTS && slot < 0; i++) {
		const struct graphic *s = &g->slots[i];
		is_making |= s->job && is_at(s, wanted);
		if (s->number == wanted->picture->number && s->box_cols == wanted->cols &&
		    s->box_rows == wanted->rows)
			slot = i;
	}
	if (slot < 0 && !is_making)
		slot = take_slot(g, wanted);
	if (slot >= 0) {
		struct graphic *s = &g->slots[slot];
		s->used = g->frame;
		s->x = wanted->x;
		s->y = wanted->y;
		if (!s->is_made && !s->job)
			make(g, s, wanted->picture);
	}
	if (slot < 0 || !g->slots[slot].is_made) {
		/* The newest picture at the same place that can be shown, so that an animation
		 * continues with the frames that are ready. */
		slot = -1;
		for (int i = 0; i < GRAPHIC_SLOTS; i++) {
			const struct graphic *s = &g->slots[i];
			if (s->is_made && is_at(s, wanted) &&
			    (slot < 0 || s->made > g->slots[slot].made))
				slot = i;
		}
	}
	if (slot >= 0)
		g->slots[slot].used = g->frame;
	return slot;
}

/* ---- pictures on the screen ---- */

enum { PIECES_MAX = 64 };

/* A rectangle of cells that shows a part of a picture. */
struct piece {
	int slot;
	uint64_t number;
	int index;              /* of the picture in the grid */
	int x, y, cols, rows;   /* on the screen */
	int from_col, from_row; /* in the picture */
	unsigned placement;     /* kitty's name */
};

struct pieces {
	struct piece items[PIECES_MAX];
	int len;
};

struct graphics {
	struct graphic_slots of;
	struct pieces shown, wanted;
	unsigned last_placement;
	bool kitty_has_some;
	char farewell[GRAPHIC_SLOTS * 40];
};

/* ---- answers of the terminal ---- */

enum { PARAMETERS_MAX = 24 };

/* "1;2;3", at most PARAMETERS_MAX numbers; how many there are. */
static int
read_numbers(const char *p, const char *end, int numbers[PARAMETERS_MAX])
{
	enum { MOST = 100000 };
	int count = 0;

	for (; p < end && count < PARAMETERS_MAX; p++) {
		int value = 0;
		for (; p < end && ascii_is_digit((unsigned char)*p); p++)
			value = value < MOST ? value * 10 + (*p - '0') : value;
		numbers[count++] = value;
		if (p < end && *p != ';')
			break;
	}
	return count;
}

/* 0 for a number that cannot be meant. */
static int
within(int value, int least, int most)
{
	return value >= least && value <= most ? value : 0;
}

void
graphics_set_cell(struct graphics_abilities *a, int width, int height)
{
	enum { LEAST = 2, MOST = 128 };

	if (within(width, LEAST, MOST) && within(height, LEAST, MOST)) {
		a->cell_width = width;
		a->cell_height = height;
	}
}

bool
graphics_hear(struct graphics_abilities *heard, const char *text, size_t len)
{
	static const char kitty[] = "_Gi=31", ok[] = ";OK";
	const char *end = text + len - 1; /* the final byte */
	int n[PARAMETERS_MAX];

	if (len >= strlen(kitty) + strlen(ok) && memcmp(text, kitty, strlen(kitty)) == 0)
		heard->kitty = memcmp(end - 2, ok, strlen(ok)) == 0;
	if (len < 3 || text[0] != '[')
		return false;
	bool is_private = text[1] == '?';
	int count = read_numbers(text + 1 + is_private, end, n);
	if (!is_private && *end == 't' && count == 3 && n[0] == 6)
		graphics_set_cell(heard, n[2], n[1]);
	else if (is_private && *end == 'S' && count >= 3 && n[0] == 1 && n[1] == 0)
		heard->colors = within(n[2], 2, 65536);
	else if (is_private && *end == 'S' && count >= 4 && n[0] == 2 && n[1] == 0) {
		heard->most_width = within(n[2], 16, 65536);
		heard->most_height = within(n[3], 16, 65536);
	}
	if (!is_private || *end != 'c')
		return false;
	heard->sixel = false;
	for (int i = 1; i < count; i++)
		heard->sixel = heard->sixel || n[i] == 4;
	return true;
}

/* ---- life ---- */

struct graphics *
graphics_create(struct jobs *jobs)
{
	struct graphics *g = mem_zalloc(sizeof(*g));
	size_t len = 0;

	g->of.jobs = jobs;
	for (unsigned i = 0; i < GRAPHIC_SLOTS; i++)
		len += (size_t)snprintf(g->farewell + len, sizeof(g->farewell) - len, KITTY_FORGET,
		    GRAPHIC_FIRST_ID + i);
	return g;
}

void
graphics_destroy(struct graphics *g)
{
	if (g)
		graphic_slots_drop(&g->of);
	free(g);
}

bool
graphics_set(
    struct graphics *g, enum backend_pictures wish, const struct graphics_abilities *abilities)
{
	const struct graphics_abilities *a = &g->of.abilities;
	bool kitty = wish == BACKEND_PICTURES_AUTO || wish == BACKEND_PICTURES_KITTY;
	bool sixel = wish == BACKEND_PICTURES_AUTO || wish == BACKEND_PICTURES_SIXEL;
	enum graphics_kind before = g->of.kind,
			   kind = kitty && abilities->kitty ? GRAPHICS_KITTY
				  : sixel && abilities->sixel && abilities->cell_width > 0
				      ? GRAPHICS_SIXEL
				      : GRAPHICS_OFF;
	bool same =
	    kind == before && a->colors == abilities->colors &&
	    a->most_width == abilities->most_width && a->most_height == abilities->most_height &&
	    a->cell_width == abilities->cell_width && a->cell_height == abilities->cell_height;

	g->of.kind = kind;
	g->of.abilities = *abilities;
	if (same)
		return false;
	graphic_slots_drop(&g->of);
	return kind != GRAPHICS_OFF || before != GRAPHICS_OFF;
}

bool
graphics_is_on(const struct graphics *g)
{
	return g->of.kind != GRAPHICS_OFF;
}

/* ---- which parts of the pictures are in sight ---- */

static const struct piece *
find_piece(const struct pieces *in, const struct piece *p)
{
	for (const struct piece *a = in->items; a < in->items + in->len; a++)
		if (a->slot == p->slot && a->number == p->number && a->x == p->x && a->y == p->y &&
		    a->cols == p->cols && a->rows == p->rows && a->from_col == p->from_col &&
		    a->from_row == p->from_row)
			return a;
	return NULL;
}

/* Cells side by side; they make the piece above higher if they are as wide. */
static void
add_cells(struct pieces *to, const struct piece *cells)
{
	for (int i = to->len; i-- > 0;) {
		struct piece *above = &to->items[i];
		if (above->index == cells->index && above->x == cells->x &&
		    above->cols == cells->cols && above->y + above->rows == cells->y) {
			above->rows++;
			return;
		}
	}
	if (to->len < PIECES_MAX)
		to->items[to->len++] = *cells;
}

/* Sixel in the last row would scroll the screen. */
static void
add_picture(struct graphics *g, const struct grid *grid, int index)
{
	const struct grid_picture *p = &grid->pictures[index];
	int slot = graphic_slot_for(&g->of, p);
	if (slot < 0)
		return;
	int bottom =
	    at_most(p->y + g->of.slots[slot].rows, grid->height - (g->of.kind == GRAPHICS_SIXEL));
	int right = at_most(p->x + g->of.slots[slot].cols, grid->width);

	for (int y = p->y > 0 ? p->y : 0; y < bottom; y++) {
		const struct cell *row = &grid->cells[(size_t)y * (size_t)grid->width];
		for (int x = p->x > 0 ? p->x : 0, end; x < right; x = end + 1) {
			for (end = x; end < right && row[end].picture == index + 1; end++)
				;
			if (end > x)
				add_cells(&g->wanted,
				    &(struct piece){ slot, g->of.slots[slot].number, index, x, y,
					end - x, 1, x - p->x, y - p->y, 0 });
		}
	}
}

void
graphics_plan(struct graphics *g, const struct grid *grid, bool *touched)
{
	g->wanted.len = 0;
	g->of.frame++;
	for (int i = 0; g->of.kind != GRAPHICS_OFF && i < grid->picture_count; i++)
		add_picture(g, grid, i);
	for (int i = 0; g->of.kind == GRAPHICS_SIXEL && i < g->shown.len; i++) {
		const struct piece *p = &g->shown.items[i];
		for (int y = p->y; !find_piece(&g->wanted, p) && y < p->y + p->rows; y++)
			if (y < grid->height)
				touched[y] = true;
	}
}

/* ---- the bytes ---- */

static void
draw_kitty(struct graphics *g, struct buf *out)
{
	for (int i = 0; i < g->shown.len; i++) {
		const struct piece *p = &g->shown.items[i];
		if (!find_piece(&g->wanted, p))
			buf_addf(out, "\033_Ga=d,d=i,i=%u,p=%u,q=2\033\\",
			    GRAPHIC_FIRST_ID + (unsigned)p->slot, p->placement);
	}
	for (int i = 0; i < g->wanted.len; i++) {
		struct piece *p = &g->wanted.items[i];
		const struct piece *there = find_piece(&g->shown, p);
		struct graphic *s = &g->of.slots[p->slot];
		p->placement = there ? there->placement : ++g->last_placement;
		if (there)
			continue;
		if (!s->is_sent)
			buf_add(out, s->bytes.data, s->bytes.len);
		s->is_sent = g->kitty_has_some = true;
		buf_addf(out,
		    "\033[%d;%dH\033_Ga=p,i=%u,p=%u,x=%d,y=%d,w=%d,h=%d,c=%d,r=%d,C=1,q=2\033\\",
		    p->y + 1, p->x + 1, GRAPHIC_FIRST_ID + (unsigned)p->slot, p->placement,
		    p->from_col * s->cell_width, p->from_row * s->cell_height,
		    p->cols * s->cell_width, p->rows * s->cell_height, p->cols, p->rows);
	}
}

/* Text that is written over a picture replaces it, so its rows are drawn again. */
static void
draw_sixel(struct graphics *g, const bool *written, struct buf *out)
{
	for (int i = 0; i < g->wanted.len; i++) {
		const struct piece *p = &g->wanted.items[i];
		const struct graphic *s = &g->of.slots[p->slot];
		bool is_new = !find_piece(&g->shown, p);
		for (int from = 0, to; from < p->rows; from = to + 1) {
			for (to = from; to < p->rows && (is_new || written[p->y + to]); to++)
				;
			if (to == from)
				continue;
			bool is_all =
			    p->cols == s->cols && p->rows == s->rows && to - from == p->rows;
			buf_addf(out, "\033[%d;%dH", p->y + from + 1, p->x + 1);
			if (is_all && s->bytes.len > 0)
				buf_add(out, s->bytes.data, s->bytes.len);
			else
				sixel_add(&s->sixel, p->from_col * s->cell_width,
				    (p->from_row + from) * s->cell_height, p->cols * s->cell_width,
				    (to - from) * s->cell_height, out);
		}
	}
}

void
graphics_forget(struct graphics *g)
{
	g->shown.len = 0;
	g->kitty_has_some = false;
	for (int i = 0; i < GRAPHIC_SLOTS; i++) {
		struct graphic *s = &g->of.slots[i];
		if (s->is_sent && s->bytes.len == 0) /* it has to be made again */
			graphic_drop(s);
		s->is_sent = false;
	}
}

void
graphics_draw(struct graphics *g, bool cleared, const bool *written, struct buf *out)
{
	static const char save_cursor[] = "\0337", restore_cursor[] = "\0338";

	if (cleared) { /* kitty's pictures are not text */
		buf_add_str(out, graphics_farewell(g));
		graphics_forget(g);
	}
	size_t before = out->len;
	buf_add_str(out, save_cursor);
	size_t drawn = out->len;
	if (g->of.kind == GRAPHICS_KITTY)
		draw_kitty(g, out);
	else if (g->of.kind == GRAPHICS_SIXEL)
		draw_sixel(g, written, out);
	g->shown = g->wanted;
	for (int i = 0; i < GRAPHIC_SLOTS; i++) { /* keep only the bytes of visible pictures */
		struct graphic *s = &g->of.slots[i];
		if (s->is_made && s->used != g->of.frame &&
		    (g->of.kind == GRAPHICS_SIXEL || s->is_sent))
			buf_finish(&s->bytes);
	}
	if (out->len == drawn)
		buf_truncate(out, before);
	else
		buf_add_str(out, restore_cursor);
}

const char *
graphics_farewell(const struct graphics *g)
{
	return g->kitty_has_some ? g->farewell : "";
}
