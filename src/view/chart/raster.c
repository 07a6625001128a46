#include "base/mem.h"
#include "chart_view.h"

#include <stdlib.h>

static const struct {
	int across, down;
} dots[CHART_STYLE_COUNT] = {
	[STYLE_BRAILLE] = { 2, 4 },
	[STYLE_BLOCKS] = { 2, 2 },
	[STYLE_ASCII] = { 1, 1 },
};

void
raster_init(struct raster *r, enum chart_style style, int width, int height)
{
	size_t cells = width > 0 && height > 0 ? (size_t)width * (size_t)height : 0;

	*r = (struct raster){ .style = style,
		.width = cells ? width : 0,
		.height = cells ? height : 0,
		.across = dots[style].across,
		.down = dots[style].down,
		.bits = mem_zalloc(cells + 1),
		.series = mem_zalloc(cells + 1) };
}

void
raster_finish(struct raster *r)
{
	free(r->bits);
	free(r->series);
}

void
raster_dot(struct raster *r, int x, int y, size_t series)
{
	/* the bits of a braille character, rows from the top */
	static const uint8_t braille[4][2] = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } };

	if (x < 0 || y < 0 || x >= r->width * r->across || y >= r->height * r->down)
		return;
	size_t cell = (size_t)(y / r->down) * (size_t)r->width + (size_t)(x / r->across);
	r->bits[cell] |= r->style == STYLE_BRAILLE
			     ? braille[y % r->down][x % r->across]
			     : (uint8_t)(1 << (y % r->down * r->across + x % r->across));
	r->series[cell] = (uint8_t)(series + 1);
}

void
raster_line(struct raster *r, int x0, int y0, int x1, int y1, size_t series)
{
	int dx = abs(x1 - x0), dy = abs(y1 - y0), steps = dx > dy ? dx : dy;

	for (int i = 0; i <= steps; i++) {
		double part = steps > 0 ? (double)i / steps : 0;
		int x = x0 + (int)((x1 - x0) * part + (x1 < x0 ? -0.5 : 0.5));
		int y = y0 + (int)((y1 - y0) * part + (y1 < y0 ? -0.5 : 0.5));
		raster_dot(r, x, y, series);
	}
}

static uint32_t
character(const struct raster *r, size_t cell)
{
	static const uint32_t quadrants[16] = { ' ', 0x2598, 0x259d, 0x2580, 0x2596, 0x258c, 0x259e,
		0x259b, 0x2597, 0x259a, 0x2590, 0x259c, 0x2584, 0x2599, 0x259f, 0x2588 };

	if (r->style == STYLE_BRAILLE)
		return 0x2800 + (uint32_t)r->bits[cell];
	if (r->style == STYLE_BLOCKS)
		return quadrants[r->bits[cell] & 15];
	return chart_mark(r->style, (size_t)r->series[cell] - 1);
}

void
raster_draw(const struct raster *r, struct surface s)
{
	for (int y = 0; y < r->height; y++)
		for (int x = 0; x < r->width; x++) {
			size_t cell = (size_t)y * (size_t)r->width + (size_t)x;
			if (r->bits[cell])
				surface_put(s, x, y, chart_style_of((size_t)r->series[cell] - 1),
				    character(r, cell));
		}
}
