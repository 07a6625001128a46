/* SPDX-License-Identifier: MIT */
#include "base/media.h"

#include "base/mem.h"

#include <stdlib.h>

/* ---- pictures ---- */

void
picture_finish(struct picture *p)
{
	free(p->rgba);
	*p = (struct picture){ 0 };
}

uint64_t
picture_next_number(void)
{
	static uint64_t last;

	return ++last;
}

struct byte_range {
	int from, to; /* exclusive, never empty */
};

/* The part of `count` pixels that the index-th of `parts` replaces. */
static struct byte_range
share(int index, int parts, int count)
{
	int from = (int)((int64_t)index * count / parts);
	int to = (int)((int64_t)(index + 1) * count / parts);

	return (struct byte_range){ from, to > from ? to : from + 1 };
}

/* Transparent pixels do not color the mean. */
static void
mean(const struct picture *p, struct byte_range x, struct byte_range y, uint8_t out[4])
{
	uint64_t sum[3] = { 0 }, opacity = 0;
	uint64_t count = (uint64_t)(x.to - x.from) * (uint64_t)(y.to - y.from);

	for (int row = y.from; row < y.to; row++) {
		const uint8_t *at = p->rgba + ((size_t)row * (size_t)p->width + (size_t)x.from) * 4;
		for (int i = x.from; i < x.to; i++, at += 4) {
			for (int c = 0; c < 3; c++)
				sum[c] += (uint64_t)at[c] * at[3];
			opacity += at[3];
		}
	}
	for (int c = 0; c < 3; c++) {
		uint64_t color = opacity ? (sum[c] + opacity / 2) / opacity : 0;
		out[c] = (uint8_t)color;
	}
	out[3] = (uint8_t)(opacity / count);
}

void
picture_reduce(const struct picture *p, int width, int height, struct picture *out)
{
	*out = (struct picture){ .width = width,
		.height = height,
		.rgba = mem_alloc((size_t)width * (size_t)height * 4) };
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			mean(p, share(x, width, p->width), share(y, height, p->height),
			    out->rgba + ((size_t)y * (size_t)width + (size_t)x) * 4);
}

void
picture_fit(const struct picture *p, int max_width, int max_height, int *width, int *height)
{
	*width = p->width < max_width ? p->width : max_width;
	*height = (int)((int64_t)*width * p->height / p->width);
	if (*height > max_height) {
		*height = max_height;
		*width = (int)((int64_t)*height * p->width / p->height);
	}
	*width = *width > 0 ? *width : 1;
	*height = *height > 0 ? *height : 1;
}

/* ---- audio ---- */

void
audio_finish(struct audio *a)
{
	free(a->spans);
	*a = (struct audio){ 0 };
}

struct audio_span
audio_reach(const struct audio *a, int lane, int first, int end)
{
	struct audio_span reach = a->spans[first * a->lanes + lane];

	for (int i = first + 1; i < end && i < a->columns; i++)
		reach = audio_span_join(reach, a->spans[i * a->lanes + lane]);
	return reach;
}
