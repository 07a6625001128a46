#include "ui/paint.h"
#include "ui/theme.h"

#include <math.h>
#include <stdbool.h>

struct rgb {
	int r, g, b;
};

static struct rgb
split(int32_t rgb)
{
	return (struct rgb){ rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff };
}

static const int32_t ansi[16] = {
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, /* dark */
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff, /* bright */
};

static int32_t
cube_level(int step)
{
	return step ? 55 + 40 * step : 0;
}

int32_t
paint_palette(int index)
{
	if (index < 0 || index > 255)
		return 0;
	if (index < 16)
		return ansi[index];
	if (index >= 232)
		return (8 + 10 * (index - 232)) * 0x10101;
	index -= 16;
	return cube_level(index / 36) << 16 | cube_level(index / 6 % 6) << 8 |
	       cube_level(index % 6);
}

/* 0 for a grey. */
static int
spread(int32_t rgb)
{
	struct rgb c = split(rgb);
	int max = c.r > c.g ? c.r : c.g, min = c.r < c.g ? c.r : c.g;

	return (c.b > max ? c.b : max) - (c.b < min ? c.b : min);
}

/* Lightness and hue apart. */
static int
distance(int32_t from, int32_t to)
{
	struct rgb p = split(from), q = split(to);
	int r = p.r - q.r, g = p.g - q.g, blue = p.b - q.b;
	int y = (299 * r + 587 * g + 114 * blue) / 1000;
	int cb = (blue - y) * 56 / 100, cr = (r - y) * 71 / 100;

	return y * y + cb * cb + cr * cr;
}

int
color_to_256(int32_t rgb)
{
	enum { TINT = 32 }; /* a smaller spread is a grey, a larger one is never */
	bool is_grey = spread(rgb) < TINT;
	int best = -1;

	/* not the first 16: users change those */
	for (int i = 16; i < 256; i++) {
		int32_t entry = paint_palette(i);
		if ((spread(entry) == 0) != is_grey)
			continue;
		if (best < 0 || distance(rgb, entry) < distance(rgb, paint_palette(best)))
			best = i;
	}
	return best;
}

static int
nearest_of(int32_t rgb, const int *indices, int count)
{
	int best = indices[0];

	for (int i = 1; i < count; i++)
		if (distance(rgb, ansi[indices[i]]) < distance(rgb, ansi[best]))
			best = indices[i];
	return best;
}

int
color_to_16(int32_t rgb)
{
	enum { GREY = 48 }; /* a smaller spread has no hue */
	struct rgb c = split(rgb);
	int min = c.r < c.g ? c.r : c.g;

	if (spread(rgb) < GREY)
		return nearest_of(rgb, (const int[]){ 0, 8, 7, 15 }, 4);
	min = c.b < min ? c.b : min;
	int middle = min + spread(rgb) * 12 / 25;
	int hue = (c.r > middle) | (c.g > middle) << 1 | (c.b > middle) << 2;
	return nearest_of(rgb, (const int[]){ hue, hue + 8 }, 2);
}

static double
linear(int component)
{
	double c = component / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double
luminance(int32_t rgb)
{
	struct rgb c = split(rgb);

	return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

double
paint_contrast(int32_t rgb_a, int32_t rgb_b)
{
	double a = luminance(rgb_a), b = luminance(rgb_b);

	return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}
