#ifndef BASE_PICTURE_H
#define BASE_PICTURE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Pixels: rows from the top, each pixel red, green, blue and opacity (255: nothing shows through).
 * Zeroed memory is an empty picture. */
struct picture {
	int width, height;
	int frames;      /* of the animation that it is the first of; at most 1: it is none */
	uint8_t *rgba;   /* owned */
	uint64_t number; /* no picture with other pixels has it; 0: none was given */
};

void picture_finish(struct picture *p); /* leaves it zeroed */
uint64_t picture_next_number(void);
/* out: the same in width x height pixels, each the mean of those it stands for. */
void picture_reduce(const struct picture *p, int width, int height, struct picture *out);
/* The largest width and height within the bounds that keep the shape and do not enlarge it. */
void picture_fit(const struct picture *p, int max_width, int max_height, int *width, int *height);

/* A picture to be decoded. The memory belongs to the caller, who leaves it alone until
 * done(). */
struct picture_job {
	const char *base64;
	size_t len;
	int most; /* pixels in each direction; a larger picture is reduced */
	void (*done)(struct picture_job *job); /* exactly once; may free the job */
	bool unwanted;                         /* the result will be thrown away */
	/* the result: a picture, or why there is none */
	struct picture picture;
	struct err trouble;
};

#endif
