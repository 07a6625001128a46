/* SPDX-License-Identifier: MIT */
#include "ui/half_blocks.h"

#include "base/vec.h"

enum { UPPER = 0x2580, LOWER = 0x2584 };

void
half_blocks_size(const struct picture *p, int max_cols, int max_rows, int *cols, int *rows)
{
	int height;

	picture_fit(p, max_cols > 0 ? max_cols : 1, max_rows > 0 ? 2 * max_rows : 2, cols, &height);
	*rows = (height + 1) / 2;
}

/* False: the pixel is transparent. */
static bool
pixel(const struct picture *p, int x, int y, uint32_t *color)
{
	enum { OPAQUE = 128 };

	if (y >= p->height)
		return false;
	const uint8_t *at = p->rgba + ((size_t)y * (size_t)p->width + (size_t)x) * 4;
	*color = STYLE_RGB(
	    (((uint32_t)at[0] << 16) | ((uint32_t)at[1] << 8) | at[2]) & STYLE_PICTURE_BITS);
	return at[3] >= OPAQUE;
}

void
half_blocks_draw(const struct picture *p, struct surface s, int skip)
{
	for (int y = 0; y < s.height && 2 * (y + skip) < p->height; y++)
		for (int x = 0; x < s.width && x < p->width; x++) {
			uint32_t above, below;
			bool has_above = pixel(p, x, 2 * (y + skip), &above);
			bool has_below = pixel(p, x, 2 * (y + skip) + 1, &below);
			if (has_above)
				surface_put(s, x, y,
				    (struct style){
					above, has_below ? below : ROLE_NONE, ATTR_DRAWN },
				    UPPER);
			else if (has_below)
				surface_put(
				    s, x, y, (struct style){ below, ROLE_NONE, ATTR_DRAWN }, LOWER);
		}
}

/* 0 to 255. */
static unsigned
brightness(uint32_t color)
{
	if (!(color & STYLE_RGB(0)))
		return 0;
	return ((color >> 16 & 0xff) * 299 + (color >> 8 & 0xff) * 587 + (color & 0xff) * 114) /
	       1000;
}

uint32_t
half_blocks_shade(const struct cell *c)
{
	static const uint32_t shades[] = { ' ', 0x2591, 0x2592, 0x2593, 0x2588 };
	enum { SHADES = ARRAY_LEN(shades) };

	if ((c->ch != UPPER && c->ch != LOWER) || !(c->style.ink & STYLE_RGB(0)))
		return 0;
	unsigned mean = (brightness(c->style.ink) + brightness(c->style.ground)) / 2;
	return shades[mean * SHADES / 256];
}
