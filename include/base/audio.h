#ifndef BASE_AUDIO_H
#define BASE_AUDIO_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The lowest and the highest sample of a span of time, -127 to 127. */
struct audio_span {
	int8_t low, high;
};

/* Beyond these the channels share a lane, and a span stands for more time. */
enum { AUDIO_MAX_LANES = 8, AUDIO_MAX_COLUMNS = 2048 };

/* What is known of a sound, and its envelope, of bounded size however long the sound is. Zeroed
 * memory is an empty one. */
struct audio {
	int64_t frames; /* samples of each channel that could be read */
	int rate;       /* frames per second */
	int channels;
	char format[64]; /* "WAV (Microsoft), Signed 16 bit PCM" */
	bool is_cut;     /* the file ends before what its header promises */
	bool has_more;   /* than is read at most */
	int lanes;       /* one for each channel, or one for all of them */
	int columns;
	struct audio_span *spans; /* owned: columns, in each a span for every lane */
};

void audio_finish(struct audio *a); /* leaves it zeroed */
/* The span of the columns from first up to `end`, at least one; 0 <= first < columns. */
struct audio_span audio_reach(const struct audio *a, int lane, int first, int end);

/* Makes the envelope of samples as they come, of how many is not known: when it is full, two
 * columns become one. */
struct audio_envelope {
	struct audio *audio;
	int64_t per_column, in_column; /* frames: of a column, and those in the last one */
	float low[AUDIO_MAX_LANES], high[AUDIO_MAX_LANES];
};
/* a: its channels are set, more than 0. */
void audio_envelope_begin(struct audio_envelope *e, struct audio *a);
/* Whole frames, a sample from -1 to 1 for each channel; what is beyond, or no number, is drawn
 * within. */
void audio_envelope_add(struct audio_envelope *e, const float *samples, int64_t frames);
void audio_envelope_end(struct audio_envelope *e);

/* Audio to be decoded. The memory belongs to the caller, who leaves it alone until done(). */
struct audio_job {
	const char *base64;
	size_t len;
	void (*done)(struct audio_job *job); /* exactly once; may free the job */
	bool unwanted;                       /* the result will be thrown away */
	/* the result, or why there is none */
	struct audio audio;
	struct err trouble;
};

#endif
