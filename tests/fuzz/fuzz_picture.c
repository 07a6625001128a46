/* SPDX-License-Identifier: MIT */
/* Any bytes as a picture: pixels within the bounds, or a word why not; drawn in any size. */
#include "fuzz.h"

#include "host/media_decoder.h"
#include "ui/surface.h"

#include <stdlib.h>

static void
draw(const struct picture *p)
{
	struct picture small;
	struct grid grid;
	int cols, rows, width, height;

	half_blocks_size(p, 20, 8, &cols, &rows);
	picture_fit(p, 20, 16, &width, &height);
	if (cols != width || rows != (height + 1) / 2 || cols > 20 || rows > 8)
		abort();
	picture_reduce(p, width, height, &small);
	grid_init(&grid, 24, 6);
	half_blocks_draw(&small, surface_whole(&grid), 1);
	grid_finish(&grid);
	picture_finish(&small);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct picture p;
	struct err err = { "" };

	if (!picture_decode(data, size, &p, &err)) {
		if (!err.text[0] || p.rgba)
			abort();
		return 0;
	}
	if ((size_t)p.width * (size_t)p.height > PICTURE_MAX_PIXELS)
		abort();
	draw(&p);
	picture_finish(&p);
	return 0;
}
