#include "base/audio.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

void
audio_finish(struct audio *a)
{
	free(a->spans);
	*a = (struct audio){ 0 };
}

static void
widen(struct audio_span *span, struct audio_span by)
{
	span->low = by.low < span->low ? by.low : span->low;
	span->high = by.high > span->high ? by.high : span->high;
}

struct audio_span
audio_reach(const struct audio *a, int lane, int first, int end)
{
	struct audio_span reach = a->spans[first * a->lanes + lane];

	for (int i = first + 1; i < end && i < a->columns; i++)
		widen(&reach, a->spans[i * a->lanes + lane]);
	return reach;
}

/* ---- the envelope ---- */

void
audio_envelope_begin(struct audio_envelope *e, struct audio *a)
{
	*e = (struct audio_envelope){ .audio = a, .per_column = 1 };
	a->lanes = a->channels <= AUDIO_MAX_LANES ? a->channels : 1;
	a->spans = mem_zalloc((size_t)AUDIO_MAX_COLUMNS * (size_t)a->lanes * sizeof(*a->spans));
}

static void
halve(struct audio_envelope *e)
{
	struct audio *a = e->audio;

	a->columns /= 2;
	for (int i = 0; i < a->columns * a->lanes; i++) {
		const struct audio_span *one =
		    a->spans + i / a->lanes * 2 * a->lanes + i % a->lanes;
		struct audio_span both = *one;
		widen(&both, one[a->lanes]);
		a->spans[i] = both;
	}
	e->per_column *= 2;
}

static int8_t
quantize(float sample)
{
	return (int8_t)lrintf(sample * INT8_MAX);
}

static void
end_column(struct audio_envelope *e)
{
	struct audio *a = e->audio;

	for (int lane = 0; lane < a->lanes; lane++)
		a->spans[a->columns * a->lanes + lane] =
		    (struct audio_span){ quantize(e->low[lane]), quantize(e->high[lane]) };
	a->columns++;
	e->in_column = 0;
	if (a->columns == AUDIO_MAX_COLUMNS)
		halve(e);
}

static void
add_sample(struct audio_envelope *e, int lane, bool is_first, float sample)
{
	if (!(sample >= -1 && sample <= 1))
		sample = sample < -1 ? -1 : sample > 1 ? 1 : 0;
	if (is_first || sample < e->low[lane])
		e->low[lane] = sample;
	if (is_first || sample > e->high[lane])
		e->high[lane] = sample;
}

void
audio_envelope_add(struct audio_envelope *e, const float *samples, int64_t frames)
{
	struct audio *a = e->audio;
	bool shared = a->lanes < a->channels;

	for (int64_t i = 0; i < frames; i++) {
		for (int channel = 0; channel < a->channels; channel++)
			add_sample(e, shared ? 0 : channel,
			    e->in_column == 0 && (!shared || channel == 0), *samples++);
		if (++e->in_column == e->per_column)
			end_column(e);
	}
	a->frames += frames;
}

void
audio_envelope_end(struct audio_envelope *e)
{
	if (e->in_column > 0)
		end_column(e);
}
