/* SPDX-License-Identifier: MIT */
#ifndef UI_PAINT_H
#define UI_PAINT_H

#include "ui/surface.h"
#include "ui/theme.h"

#include <stdint.h>

/* How many colors the terminal shows. */
enum {
	PAINT_MONO = 0, /* attributes only */
	PAINT_8 = 8,
	PAINT_16 = 16,
	PAINT_256 = 256,
	PAINT_RGB = 0x1000000,
};

/* The colors of a style: palette indices, or 0xrrggbb with PAINT_RGB; COLOR_DEFAULT is the
 * terminal's own. */
struct paint {
	int32_t fg, bg;
	uint8_t attr;
};

/*
 * Ground: the style's, else the ink role's own, else `under`, else the screen's.
 * With 8 or 16 colors a ground that the palette lacks becomes the nearest hue, and
 * an ink that cannot be read on its ground is replaced by black or white.
 */
struct paint paint_of(const struct theme *theme, struct style style, uint32_t under, int colors);

/* The surface as text, one line a row, trailing blanks cut. With colors (not PAINT_MONO) their
 * sequences (SGR) are in it; the ordinary ink and ground are the terminal's own. */
struct buf;
void surface_to_text(struct surface s, const struct theme *theme, int colors, struct buf *out);

/* 0xrrggbb of an entry of xterm's palette, 0 to 255. */
int32_t paint_palette(int index);
/* Contrast of two colors (WCAG 2): 1 to 21. */
double paint_contrast(int32_t rgb_a, int32_t rgb_b);

#endif
