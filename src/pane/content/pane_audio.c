#include "content.h"

#include "base/base64.h"
#include "base/mem.h"
#include "mcp/content.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct audio_load {
	struct audio_job job;     /* first */
	struct pane_audio *owner; /* NULL: no longer wanted */
	const struct pane_host *host;
	void *user; /* of host */
	char *base64;
};

void
pane_audio_finish(struct pane_audio *a)
{
	if (a->load) {
		a->load->owner = NULL;
		a->load->job.unwanted = true;
	}
	audio_finish(&a->audio);
	*a = (struct pane_audio){ 0 };
}

bool
pane_audio_is(const struct content_block *c)
{
	enum { HEAD = 16 };
	struct buf bytes = BUF_INIT;
	const char *type = NULL;

	if (!c->data)
		return false;
	if (c->kind == CONTENT_AUDIO || (c->mime && strncasecmp(c->mime, "audio/", 6) == 0))
		return true;
	if (base64_decode(&bytes, c->data, c->data_len < HEAD ? c->data_len : HEAD))
		type = media_type_of(buf_text(&bytes), bytes.len);
	buf_finish(&bytes);
	return type && strncmp(type, "audio/", 6) == 0;
}

/* ---- facts ---- */

static void
add_duration(struct buf *out, int64_t frames, int rate)
{
	int64_t ms = frames * 1000 / rate, s = ms / 1000;

	if (s >= 3600)
		buf_addf(out, "%" PRId64 ":%02d:%02d", s / 3600, (int)(s / 60 % 60), (int)(s % 60));
	else if (s >= 60)
		buf_addf(out, "%d:%02d", (int)(s / 60), (int)(s % 60));
	else if (s >= 10)
		buf_addf(out, "%d.%d s", (int)s, (int)(ms % 1000 / 100));
	else
		buf_addf(out, "%d.%03d s", (int)s, (int)(ms % 1000));
}

static void
add_channels(struct buf *out, int channels)
{
	static const char *const names[] = { "", "mono", "stereo" };

	if (channels <= 2)
		buf_add_str(out, names[channels]);
	else
		buf_addf(out, "%d channels", channels);
}

/* "0.050 s · 8 kHz · mono · WAV (Microsoft), Unsigned 8 bit PCM". */
static void
describe(struct pane_audio *p)
{
	const struct audio *a = &p->audio;
	struct buf text = BUF_INIT;

	if (a->is_cut || a->has_more)
		buf_add_str(&text, a->is_cut ? "cut short: only " : "only the first ");
	add_duration(&text, a->frames, a->rate);
	buf_addf(&text, " · %g kHz · ", a->rate / 1000.0);
	add_channels(&text, a->channels);
	if (a->format[0])
		buf_addf(&text, " · %s", a->format);
	snprintf(p->note, sizeof(p->note), "%s", buf_text(&text));
	buf_finish(&text);
}

/* ---- loading ---- */

/* Frees the load. */
static void
settle(struct audio_load *load)
{
	struct pane_audio *owner = load->owner;

	if (owner) {
		owner->load = NULL;
		owner->audio = load->job.audio;
		owner->trouble = load->job.trouble;
		if (owner->audio.rate > 0)
			describe(owner);
	} else {
		audio_finish(&load->job.audio);
	}
	free(load->base64);
	free(load);
}

static void
done(struct audio_job *job)
{
	struct audio_load *load = (struct audio_load *)job;

	if (load->owner)
		load->host->changed(load->user);
	settle(load);
}

void
pane_audio_load(struct pane_audio *a, const struct view_env *env, const struct content_block *c)
{
	struct audio_load *load = mem_zalloc(sizeof(*load));

	pane_audio_finish(a);
	*load = (struct audio_load){
		.owner = a,
		.host = env->host,
		.user = env->user,
		.base64 = mem_strndup(c->data, c->data_len),
	};
	load->job = (struct audio_job){ .base64 = load->base64, .len = c->data_len, .done = done };
	a->load = load;
	const struct effects *effects = env->host->effects;
	if (!effects->audio || !effects->audio(env->host->effects_user, &load->job))
		settle(load);
}

/* ---- drawing: braille, whose dots are two across and four down ---- */

enum { ACROSS = 2, DOWN = 4, BRAILLE = 0x2800 };

/* Rows of a lane: few channels get more. */
static int
lane_rows(const struct audio *a)
{
	return a->lanes == 1 ? 4 : a->lanes == 2 ? 3 : 2;
}

int
pane_audio_rows(const struct pane_audio *a)
{
	return a->audio.columns > 0 ? a->audio.lanes * lane_rows(&a->audio) : 0;
}

/* The dots of a column, a bit each from the top, that the span covers: at least one. */
static uint32_t
dots_of(struct audio_span span, int height)
{
	int top = (INT8_MAX - span.high) * (height - 1) / (2 * INT8_MAX);
	int bottom = (INT8_MAX - span.low) * (height - 1) / (2 * INT8_MAX);
	uint32_t bits = 0;

	for (int y = top < 0 ? 0 : top; y <= bottom && y < height; y++)
		bits |= UINT32_C(1) << y;
	return bits;
}

/* The row-th character of a lane, whose columns of dots are these. */
static uint32_t
character(const uint32_t *columns, int row)
{
	static const uint8_t bits[DOWN][ACROSS] = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } };
	uint32_t ch = BRAILLE;

	for (int y = 0; y < DOWN; y++)
		for (int x = 0; x < ACROSS; x++)
			if (columns[x] >> (row * DOWN + y) & 1)
				ch |= bits[y][x];
	return ch;
}

/* The span reaches to the one before, so that a steep curve has no gaps. */
static struct audio_span
joined(struct audio_span span, struct audio_span before)
{
	span.low = span.low > before.high ? before.high : span.low;
	span.high = span.high < before.low ? before.low : span.high;
	return span;
}

/* A sound of few samples is as wide as any other. */
static void
draw_lane(const struct audio *a, int lane, struct surface s, int y, int rows)
{
	int wide = s.width * ACROSS;
	struct audio_span before = audio_reach(a, lane, 0, 1);

	for (int x = 0; x < s.width; x++) {
		uint32_t columns[ACROSS];
		for (int i = 0; i < ACROSS; i++) {
			int first = (x * ACROSS + i) * a->columns / wide;
			int end = (x * ACROSS + i + 1) * a->columns / wide;
			struct audio_span span = audio_reach(a, lane, first, end);
			columns[i] = dots_of(joined(span, before), rows * DOWN);
			before = span;
		}
		for (int row = 0; row < rows; row++) {
			uint32_t ch = character(columns, row);
			if (ch != BRAILLE && y + row >= 0 && y + row < s.height)
				surface_put(s, x, y + row, style_of(ROLE_ACCENT), ch);
		}
	}
}

void
pane_audio_draw(const struct pane_audio *p, struct surface s, int skip)
{
	const struct audio *a = &p->audio;
	int rows = lane_rows(a);

	for (int lane = 0; lane < a->lanes && a->columns > 0 && s.width > 0; lane++)
		draw_lane(a, lane, s, lane * rows - skip, rows);
}
