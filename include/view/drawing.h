/* SPDX-License-Identifier: MIT */
#ifndef VIEW_DRAWING_H
#define VIEW_DRAWING_H

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

/*
 * Shapes on white, for a file. Plain data, so that a job can write it. Text is made safe when it is
 * added.
 */
struct drawing_shape {
	uint8_t kind;
	uint32_t color;             /* 0xrrggbb */
	double x, y, width, height; /* a text has its anchor as width: 0 left of it, 1 right */
	size_t first, count;        /* points of a line, or bytes of a text */
};

struct drawing_point {
	double x, y;
};

struct drawing {
	double width, height;
	struct {
		struct drawing_shape *items;
		size_t len, cap;
	} shapes;
	struct {
		struct drawing_point *items;
		size_t len, cap;
	} points;
	struct buf texts;
};

#define DRAWING_INK 0x24292f

void drawing_finish(struct drawing *d);
/* Write SVG without scripts, links and fonts, or PNG with cairo, loaded at first use. On any
 * thread. */
bool drawing_write_svg(const struct drawing *d, struct buf *out, struct err *err);
bool drawing_write_png(const struct drawing *d, struct buf *out, struct err *err);

#endif
