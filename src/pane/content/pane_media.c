/* SPDX-License-Identifier: MIT */
#include "content.h"

#include "base/base64.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "mcp/content.h"
#include "ui/surface.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Whether base64 data begins as a file of this MIME type, such as "image/". */
static bool
begins_as(const char *type, const char *base64, size_t len)
{
	enum { HEAD = 16 };
	struct buf bytes = BUF_INIT;
	const char *found = NULL;

	if (base64_decode(&bytes, base64, len < HEAD ? len : HEAD))
		found = media_type_of(buf_text(&bytes), bytes.len);
	buf_finish(&bytes);
	return found && strncmp(found, type, strlen(type)) == 0;
}

/* ---- pictures ---- */

/* Pixels in each direction that cells can resolve; a host whose terminal draws pixels may decode
 * more. */
enum { KEPT_MAX = 480 };

struct picture_load {
	struct picture_job job;     /* first */
	struct pane_picture *owner; /* NULL: no longer wanted */
	const struct pane_host *host;
	void *user; /* of host */
	char *base64;
};

void
pane_picture_finish(struct pane_picture *p)
{
	if (p->load) {
		p->load->owner = NULL;
		p->load->job.unwanted = true;
	}
	picture_finish(&p->picture);
	picture_finish(&p->shown);
	*p = (struct pane_picture){ 0 };
}

/* Deliver the picture. Frees the load. */
static void
finish_picture_load(struct picture_load *load)
{
	struct pane_picture *owner = load->owner;

	if (owner) {
		owner->load = NULL;
		owner->picture = load->job.picture;
		owner->picture.number = picture_next_number();
		owner->trouble = load->job.trouble;
		if (owner->picture.frames > 1)
			snprintf(owner->note, sizeof(owner->note), "the first of %d frames",
			    owner->picture.frames);
	} else {
		picture_finish(&load->job.picture);
	}
	free(load->base64);
	free(load);
}

static void
on_picture(struct picture_job *job)
{
	struct picture_load *load = (struct picture_load *)job;

	if (load->owner)
		load->host->changed(load->user);
	finish_picture_load(load);
}

void
pane_picture_load(
    struct pane_picture *p, const struct view_env *env, const char *base64, size_t len)
{
	pane_picture_finish(p);
	if (!begins_as("image/", base64, len))
		return;
	struct picture_load *load = mem_zalloc(sizeof(*load));
	*load = (struct picture_load){
		.owner = p,
		.host = env->host,
		.user = env->user,
		.base64 = mem_strndup(base64, len),
	};
	load->job = (struct picture_job){
		.base64 = load->base64, .len = len, .most = KEPT_MAX, .done = on_picture
	};
	p->load = load;
	const struct effects *effects = env->host->effects;
	if (!effects->picture || !effects->picture(env->host->effects_user, &load->job))
		finish_picture_load(load);
}

void
pane_picture_load_icon(struct pane_picture *p, const struct view_env *env, const cJSON *icons)
{
	enum { LOOKED_AT = 8 };
	int looked = 0;

	pane_picture_finish(p);
	for (const cJSON *icon = json_first(icons);
	     icon && !p->picture.rgba && !p->load && looked < LOOKED_AT;
	     icon = icon->next, looked++) {
		const char *uri = json_get_string(icon, "src");
		bool is_data = uri && strncasecmp(uri, "data:", 5) == 0;
		const char *comma = is_data ? strchr(uri, ',') : NULL;
		if (comma && comma - uri >= 7 && strncasecmp(comma - 7, ";base64", 7) == 0)
			pane_picture_load(p, env, comma + 1, strlen(comma + 1));
	}
}

static void
add_word(struct buf *out, const char *word)
{
	if (!word || !*word)
		return;
	buf_add_str(out, "  ");
	label_add(out, word);
}

void
pane_icon_describe(const cJSON *icon, struct buf *out)
{
	const char *src = json_get_string(icon, "src");

	if (!cJSON_IsObject(icon))
		buf_addf(out, "expected an object, got %s", json_type_name(json_type(icon)));
	else if (src && strncasecmp(src, "data:", 5) == 0)
		buf_addf(out, "data: URI of %s bytes", units_count(strlen(src)).text);
	else
		label_add(out, src ? src : "without src");
	add_word(out, json_get_string(icon, "mimeType"));
	for (const cJSON *size = json_first(json_get(icon, "sizes")); size; size = size->next)
		add_word(out, cJSON_GetStringValue(size));
	add_word(out, json_get_string(icon, "theme"));
}

int
pane_picture_rows(const struct pane_picture *p, int max_cols, int max_rows, int *cols)
{
	int columns = 0, rows = 0;

	if (p->picture.rgba)
		half_blocks_size(&p->picture, max_cols, max_rows, &columns, &rows);
	if (cols)
		*cols = columns;
	return rows;
}

void
pane_picture_draw(struct pane_picture *p, struct surface s, int max_cols, int max_rows, int skip)
{
	int width, height;

	if (!p->picture.rgba)
		return;
	picture_fit(&p->picture, max_cols > 0 ? max_cols : 1, max_rows > 0 ? 2 * max_rows : 2,
	    &width, &height);
	if (p->shown.width != width || p->shown.height != height) {
		picture_finish(&p->shown);
		picture_reduce(&p->picture, width, height, &p->shown);
	}
	half_blocks_draw(&p->shown, s, skip);
	surface_picture(s, &p->picture, width, (height + 1) / 2, skip);
}

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
	return c->data &&
	       (c->kind == CONTENT_AUDIO || (c->mime && strncasecmp(c->mime, "audio/", 6) == 0) ||
		   begins_as("audio/", c->data, c->data_len));
}

/* Set the note: "0.050 s · 8 kHz · mono · WAV (Microsoft), Unsigned 8 bit PCM". */
static void
describe_audio(struct pane_audio *p)
{
	static const char *const channels[] = { "", "mono", "stereo" };
	const struct audio *a = &p->audio;
	int64_t ms = a->frames * INT64_C(1000) / a->rate, s = ms / 1000;
	struct buf text = BUF_INIT;

	if (a->is_cut || a->has_more)
		buf_add_str(&text, a->is_cut ? "cut short: only " : "only the first ");
	if (s >= 3600)
		buf_addf(
		    &text, "%" PRId64 ":%02d:%02d", s / 3600, (int)(s / 60 % 60), (int)(s % 60));
	else if (s >= 60)
		buf_addf(&text, "%d:%02d", (int)(s / 60), (int)(s % 60));
	else if (s >= 10)
		buf_addf(&text, "%d.%d s", (int)s, (int)(ms % 1000 / 100));
	else
		buf_addf(&text, "%d.%03d s", (int)s, (int)(ms % 1000));
	buf_addf(&text, " · %g kHz · ", a->rate / 1000.0);
	if (a->channels <= 2)
		buf_add_str(&text, channels[a->channels]);
	else
		buf_addf(&text, "%d channels", a->channels);
	if (a->format[0])
		buf_addf(&text, " · %s", a->format);
	snprintf(p->note, sizeof(p->note), "%s", buf_text(&text));
	buf_finish(&text);
}

/* Deliver the audio. Frees the load. */
static void
finish_audio_load(struct audio_load *load)
{
	struct pane_audio *owner = load->owner;

	if (owner) {
		owner->load = NULL;
		owner->audio = load->job.audio;
		owner->trouble = load->job.trouble;
		if (owner->audio.rate > 0)
			describe_audio(owner);
	} else {
		audio_finish(&load->job.audio);
	}
	free(load->base64);
	free(load);
}

static void
on_audio(struct audio_job *job)
{
	struct audio_load *load = (struct audio_load *)job;

	if (load->owner)
		load->host->changed(load->user);
	finish_audio_load(load);
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
	load->job =
	    (struct audio_job){ .base64 = load->base64, .len = c->data_len, .done = on_audio };
	a->load = load;
	const struct effects *effects = env->host->effects;
	if (!effects->audio || !effects->audio(env->host->effects_user, &load->job))
		finish_audio_load(load);
}

/* ---- the waveform, in braille characters of two by four dots ---- */

enum { ACROSS = 2, DOWN = 4, BRAILLE = 0x2800 };

int
pane_audio_rows(const struct pane_audio *a)
{
	int rows = a->audio.lanes == 1 ? 4 : a->audio.lanes == 2 ? 3 : 2; /* of a lane */

	return a->audio.columns > 0 ? a->audio.lanes * rows : 0;
}

/* Return the character of a row of a lane from its columns of dots. */
static uint32_t
braille_of(const uint32_t *columns, int row)
{
	static const uint8_t bits[DOWN][ACROSS] = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } };
	uint32_t ch = BRAILLE;

	for (int y = 0; y < DOWN; y++)
		for (int x = 0; x < ACROSS; x++)
			if (columns[x] >> (row * DOWN + y) & 1)
				ch |= bits[y][x];
	return ch;
}

/* Draw a lane over the full width, even if it has few samples. */
static void
draw_lane(const struct audio *a, int lane, struct surface s, int y, int rows)
{
	int wide = s.width * ACROSS, height = rows * DOWN;
	struct audio_span before = audio_reach(a, lane, 0, 1);

	for (int x = 0; x < s.width; x++) {
		uint32_t columns[ACROSS];
		for (int i = 0; i < ACROSS; i++) {
			int first = (x * ACROSS + i) * a->columns / wide;
			int end = (x * ACROSS + i + 1) * a->columns / wide;
			struct audio_span span = audio_reach(a, lane, first, end), joined = span;
			/* Reach to the span before, so that a steep curve has no gaps. */
			if (joined.low > before.high)
				joined.low = before.high;
			if (joined.high < before.low)
				joined.high = before.low;
			before = span;
			/* The dots that the span covers, a bit each from the top: at least one. */
			int top = (INT8_MAX - joined.high) * (height - 1) / (2 * INT8_MAX);
			int bottom = (INT8_MAX - joined.low) * (height - 1) / (2 * INT8_MAX);
			columns[i] = 0;
			for (int dot = top < 0 ? 0 : top; dot <= bottom && dot < height; dot++)
				columns[i] |= UINT32_C(1) << dot;
		}
		for (int row = 0; row < rows; row++) {
			uint32_t ch = braille_of(columns, row);
			if (ch != BRAILLE && y + row >= 0 && y + row < s.height)
				surface_put(s, x, y + row, style_of(ROLE_ACCENT), ch);
		}
	}
}

void
pane_audio_draw(const struct pane_audio *p, struct surface s, int skip)
{
	const struct audio *a = &p->audio;
	int rows = a->lanes > 0 ? pane_audio_rows(p) / a->lanes : 0;

	for (int lane = 0; lane < a->lanes && a->columns > 0 && s.width > 0; lane++)
		draw_lane(a, lane, s, lane * rows - skip, rows);
}
