/* SPDX-License-Identifier: MIT */
#ifndef APPS_CELLS_MAPPING_H
#define APPS_CELLS_MAPPING_H

#include "apps/cells.h"
#include "json/doc.h"

#include <stdlib.h>
#include <string.h>

/* The checked output of the walker. Numbers are CSS pixels. */
struct walked_box {
	double x, y, width, height;
};

enum {
	WALKED_BOLD = 1,
	WALKED_ITALIC = 2,
	WALKED_UNDERLINE = 4,
	WALKED_STRIKE = 8,
	WALKED_CENTERED = 32,
	WALKED_RIGHT = 64,
	WALKED_UPRIGHT = 128, /* runs from top to bottom, or from bottom to top */
};

struct walked_text {
	struct walked_box box;
	const char *text;
	uint32_t color;
	uint8_t opacity, flags;
};

struct walked_picture {
	struct walked_box box;
	bool has_lines; /* a drawing, not a photograph */
};

/* A box with borders, or with a background around text. */
#define CONTROL_LINES 2.75 /* a control that is lower has one line of text */

enum {
	FRAME_TOP = 1,
	FRAME_RIGHT = 2,
	FRAME_BOTTOM = 4,
	FRAME_LEFT = 8,
	FRAME_CONTROL = 16,
	FRAME_GROUND = 32,
	FRAME_FOCUSED = 64,
	FRAME_FIELD = 128,
};

struct walked_frame {
	struct walked_box box;
	unsigned flags;
	uint32_t color; /* of its borders */
	uint8_t opacity;
};

struct walked_target {
	struct walked_box box;
	const char *role, *name;
	unsigned flags;
};

struct walked {
	struct json_doc *doc; /* owns the strings */
	struct {
		struct walked_text *items;
		size_t len, cap;
	} texts;
	struct {
		struct walked_picture *items;
		size_t len, cap;
	} pictures;
	struct {
		struct walked_frame *items;
		size_t len, cap;
	} frames;
	struct {
		struct walked_target *items;
		size_t len, cap;
	} targets;
	struct walked_box caret; /* no height: none */
	double page_height, page_top;
	bool more;
};

/* Of a cell, row by row. */
enum {
	SAMPLES_WIDE = APP_FRAME_CELL_WIDTH,
	SAMPLES_HIGH = APP_FRAME_CELL_HEIGHT,
	SAMPLES = SAMPLES_WIDE * SAMPLES_HIGH,
};

struct app_cells_inside {
	struct picture frame;           /* as received */
	struct buf png;                 /* PNG of the frame */
	uint8_t (*samples)[SAMPLES][3]; /* of each cell */
	uint32_t *surfaces;             /* of each cell, the most frequent color */
	uint8_t *shares;                /* of each cell, the number of samples of that color */
	uint32_t *grounds;              /* of each cell, the background of text, without boxes */
	struct walked walked;
	char *json; /* text of the walker's answer */
	size_t json_len;
	struct app_cell *before;
	/* of each cell: the number of its text from 1, or 0; before text is placed, that of the
	 * drawing */
	uint16_t *owners;
};

static inline uint32_t
rgb(int r, int g, int b)
{
	return (uint32_t)r << 16 | (uint32_t)g << 8 | (uint32_t)b;
}

static inline int
channel(uint32_t color, int c)
{
	return (int)(color >> (16 - 8 * c)) & 0xff;
}

/* 0 to 255. */
static inline int
luminance(uint32_t color)
{
	return (54 * channel(color, 0) + 183 * channel(color, 1) + 19 * channel(color, 2)) >> 8;
}

/* Mix share/255 of a with the rest of b. */
static inline uint32_t
blend(uint32_t a, uint32_t b, int share)
{
	uint32_t out = 0;

	for (int c = 0; c < 3; c++)
		out =
		    out << 8 |
		    (uint32_t)((channel(a, c) * share + channel(b, c) * (255 - share) + 127) / 255);
	return out;
}

enum {
	SAME = 24,              /* in each channel: less is one surface */
	LINE_MIN_CONTRAST = 24, /* sums of three channels */
};

static inline uint32_t
color_of(const uint8_t sample[3])
{
	return rgb(sample[0], sample[1], sample[2]);
}

static inline bool
is_flat(uint8_t samples[SAMPLES][3])
{
	return memcmp(samples[0], samples[1], (SAMPLES - 1) * sizeof(samples[0])) == 0;
}

static inline int
distance(uint32_t a, uint32_t b)
{
	return abs(channel(a, 0) - channel(b, 0)) + abs(channel(a, 1) - channel(b, 1)) +
	       abs(channel(a, 2) - channel(b, 2));
}

static inline bool
is_between(uint32_t color, uint32_t a, uint32_t b)
{
	return distance(color, a) + distance(color, b) <= distance(a, b) + SAME;
}

/* Draw cells without text, from the samples, and canvases and other drawings above them. */
void blocks_draw(struct app_cells *c);
/* Return the most frequent color of the samples in mask (from bit 0), or their mean. count: the
 * number of samples near it. */
uint32_t blocks_color(uint8_t samples[SAMPLES][3], uint32_t mask, int *count);
/* Draw backgrounds of boxes around text, aligned with cells. */
void frames_draw_grounds(struct app_cells *c);
/* Draw text above them. */
void placing_draw(struct app_cells *c);
/* Draw borders in cells without text, and the focus. */
void frames_draw_lines(struct app_cells *c);

#endif
