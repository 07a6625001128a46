#ifndef BASE_PICTURE_H
#define BASE_PICTURE_H

#include <stdint.h>

/* Pixels: rows from the top, each pixel red, green, blue and opacity (255: nothing shows through).
 * Zeroed memory is no picture. */
struct picture {
	int width, height;
	uint8_t *rgba; /* owned */
};

void picture_finish(struct picture *p); /* leaves it zeroed */
/* out: the same in width x height pixels, each the mean of those it stands for. */
void picture_reduce(const struct picture *p, int width, int height, struct picture *out);
/* The largest width and height within the bounds that keep the shape and do not enlarge it. */
void picture_fit(const struct picture *p, int max_width, int max_height, int *width, int *height);

#endif
