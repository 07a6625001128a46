/* SPDX-License-Identifier: MIT */
#ifndef UI_HALF_BLOCKS_H
#define UI_HALF_BLOCKS_H

#include "base/media.h"
#include "ui/surface.h"

/*
 * A picture in cells: each shows two pixels, one above the other, so pixels are square. On a
 * terminal without colors the backend draws shades.
 */

/* The columns and rows of a picture within these limits; it is never enlarged. */
void half_blocks_size(const struct picture *p, int max_cols, int max_rows, int *cols, int *rows);
/* p: as wide as it has columns and at most twice as high as it has rows (picture_reduce()).
 * `skip` rows are above s. */
void half_blocks_draw(const struct picture *p, struct surface s, int skip);

/* The character for such a cell without colors: a blank, one of three shades, or a full block; 0
 * for any other cell. */
uint32_t half_blocks_shade(const struct cell *c);

#endif
