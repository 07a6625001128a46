/* SPDX-License-Identifier: MIT */
#ifndef BASE_MEDIA_H
#define BASE_MEDIA_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decoded pictures and sounds, and the jobs that decode them. */

/* ---- pictures ---- */

/* Rows from the top; a pixel is red, green, blue and opacity (255: opaque). Zeroed memory is an
 * empty picture. */
struct picture {
	int width, height;
	int frames;      /* of the animation whose first frame this is; at most 1: a still */
	uint8_t *rgba;   /* owned */
	uint64_t number; /* of these pixels; 0: not numbered */
};

void picture_finish(struct picture *p); /* leaves it zeroed */
uint64_t picture_next_number(void);
/* out: the picture in width x height pixels, each the mean of the pixels it replaces. */
void picture_reduce(const struct picture *p, int width, int height, struct picture *out);
/* The largest width and height within the bounds that keep the shape and do not enlarge it. */
void picture_fit(const struct picture *p, int max_width, int max_height, int *width, int *height);

/* A picture to decode. The caller owns the memory and does not touch it before done(). */
struct picture_job {
	const char *base64;
	size_t len;
	int most; /* pixels in each direction; a larger picture is reduced */
	void (*done)(struct picture_job *job); /* exactly once; may free the job */
	bool unwanted;                         /* the result will be thrown away */
	/* the result: a picture or an error */
	struct picture picture;
	struct err trouble;
};

/* ---- audio ---- */

/* The lowest and the highest sample of a span of time, -127 to 127. */
struct audio_span {
	int8_t low, high;
};

static inline struct audio_span
audio_span_join(struct audio_span a, struct audio_span b)
{
	a.low = b.low < a.low ? b.low : a.low;
	a.high = b.high > a.high ? b.high : a.high;
	return a;
}

/* More channels share a lane; more columns are merged in pairs. */
enum { AUDIO_MAX_LANES = 8, AUDIO_MAX_COLUMNS = 2048 };

/* The format of a sound and its envelope, whose size is bounded. Zeroed memory is an empty sound.
 */
struct audio {
	int64_t frames; /* samples of each channel that could be read */
	int rate;       /* frames per second */
	int channels;
	char format[64]; /* "WAV (Microsoft), Signed 16 bit PCM" */
	bool is_cut;     /* the file is shorter than its header says */
	bool has_more;   /* than the limit */
	int lanes;       /* one for each channel, or one for all of them */
	int columns;
	struct audio_span *spans; /* owned: columns, in each a span for every lane */
};

void audio_finish(struct audio *a); /* leaves it zeroed */
/* The span of the columns from first up to `end`, at least one; 0 <= first < columns. */
struct audio_span audio_reach(const struct audio *a, int lane, int first, int end);

/* Audio to decode. The caller owns the memory and does not touch it before done(). */
struct audio_job {
	const char *base64;
	size_t len;
	void (*done)(struct audio_job *job); /* exactly once; may free the job */
	bool unwanted;                       /* the result will be thrown away */
	/* the result: audio or an error */
	struct audio audio;
	struct err trouble;
};

#endif
