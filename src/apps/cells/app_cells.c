/* SPDX-License-Identifier: MIT */
#include "mapping.h"

#include "base/mem.h"
#include "base/shared_library.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

/*
 * The answer of the walker. An app cannot reach the walker's world, but its renderer may be
 * compromised: the syntax is checked strictly, and numbers are limited to the range of safe
 * arithmetic.
 */
enum {
	MOST_TEXTS = 10000, /* above the limits of the walker */
	MOST_PICTURES = 1000,
	MOST_FRAMES = 4000,
	MOST_TARGETS = 2000,
	DEPTH = 8,
};
#define FARTHEST 1e6

static const struct walked_picture_kind {
	const char *name;
	bool has_lines;
} kinds[] = { { "canvas", true }, { "svg", true }, { "img", false }, { "video", false } };

/* ---- one value ---- */

/* Iterator over an array; it stops with err at an invalid item. */
struct items {
	const cJSON *next;
	const char *of; /* name of the list, for err */
	bool ok;
};

static double
take_number(struct items *i)
{
	const cJSON *node = i->next;

	i->ok = i->ok && cJSON_IsNumber(node) && isfinite(node->valuedouble) &&
		fabs(node->valuedouble) <= FARTHEST * 20;
	if (!i->ok)
		return 0;
	i->next = node->next;
	return node->valuedouble;
}

static unsigned
take_bits(struct items *i, unsigned most)
{
	double number = take_number(i);

	i->ok = i->ok && number >= 0 && number <= most && number == floor(number);
	return i->ok ? (unsigned)number : 0;
}

static const char *
take_string(struct items *i)
{
	const char *text = cJSON_GetStringValue(i->next);

	i->ok = i->ok && text;
	i->next = i->ok ? i->next->next : i->next;
	return text;
}

static struct walked_box
take_box(struct items *i)
{
	struct walked_box box = { 0 };

	box.x = take_number(i);
	box.y = take_number(i);
	box.width = take_number(i);
	box.height = take_number(i);
	i->ok = i->ok && fabs(box.x) <= FARTHEST && fabs(box.y) <= FARTHEST && box.width >= 0 &&
		box.width <= FARTHEST && box.height >= 0 && box.height <= FARTHEST;
	return box;
}

/* ---- the rows of each list ---- */

static void
take_text(struct walked *w, struct items *i)
{
	struct walked_text *t = VEC_PUSH(&w->texts);

	*t = (struct walked_text){ .box = take_box(i) };
	t->text = take_string(i);
	t->color = take_bits(i, 0xffffff);
	t->opacity = (uint8_t)take_bits(i, 255);
	t->flags = (uint8_t)take_bits(i, 255);
}

static void
take_picture(struct walked *w, struct items *i)
{
	struct walked_picture *p = VEC_PUSH(&w->pictures);

	*p = (struct walked_picture){ .box = take_box(i) };
	const char *kind = take_string(i);
	size_t at = 0;
	while (kind && at < ARRAY_LEN(kinds) && strcmp(kinds[at].name, kind) != 0)
		at++;
	i->ok = i->ok && at < ARRAY_LEN(kinds);
	p->has_lines = i->ok && kinds[at].has_lines;
}

static void
take_frame(struct walked *w, struct items *i)
{
	struct walked_frame *f = VEC_PUSH(&w->frames);

	*f = (struct walked_frame){ .box = take_box(i) };
	f->flags = take_bits(i, 255);
	f->color = take_bits(i, 0xffffff);
	f->opacity = (uint8_t)take_bits(i, 255);
}

static void
take_target(struct walked *w, struct items *i)
{
	struct walked_target *t = VEC_PUSH(&w->targets);

	*t = (struct walked_target){ .box = take_box(i) };
	t->role = take_string(i);
	t->name = take_string(i);
	t->flags = take_bits(i, 255);
}

static const struct {
	const char *key;
	size_t most;
	void (*take)(struct walked *w, struct items *i);
} lists[] = { { "text", MOST_TEXTS, take_text }, { "boxes", MOST_PICTURES, take_picture },
	{ "frames", MOST_FRAMES, take_frame }, { "targets", MOST_TARGETS, take_target } };

static bool
take_list(struct walked *w, size_t list, struct err *err)
{
	const cJSON *array = json_get(json_root(w->doc), lists[list].key);
	size_t row = 0;

	if (json_type(array) != JSON_ARRAY)
		return err_set(err, "the page's \"%s\" is not an array", lists[list].key);
	for (const cJSON *at = json_first(array); at; at = at->next, row++) {
		struct items i = { .next = json_first(at), .ok = json_type(at) == JSON_ARRAY };
		if (row == lists[list].most) {
			w->more = true;
			return true;
		}
		lists[list].take(w, &i);
		if (!i.ok || i.next)
			return err_set(
			    err, "the page's \"%s\": entry %zu is malformed", lists[list].key, row);
	}
	return true;
}

static bool
take_rest(struct walked *w, struct err *err)
{
	const cJSON *caret = json_get(json_root(w->doc), "caret");
	const cJSON *page = json_get(json_root(w->doc), "page");
	struct items i = { .next = json_first(page), .ok = json_type(page) == JSON_ARRAY };

	take_number(&i); /* number of items in a row */
	w->page_height = take_number(&i);
	take_number(&i); /* scroll position to the right */
	w->page_top = take_number(&i);
	if (i.ok && !cJSON_IsNull(caret)) {
		i = (struct items){ .next = json_first(caret),
			.ok = json_type(caret) == JSON_ARRAY };
		w->caret = (struct walked_box){ .x = take_number(&i), .y = take_number(&i) };
		w->caret.height = take_number(&i);
	}
	w->more = w->more || cJSON_IsTrue(json_get(json_root(w->doc), "more"));
	return i.ok || err_set(err, "the page's size or caret is malformed");
}

static void
walked_finish(struct walked *w)
{
	free(w->texts.items);
	free(w->pictures.items);
	free(w->frames.items);
	free(w->targets.items);
	json_doc_destroy(w->doc);
	*w = (struct walked){ 0 };
}

static bool
walked_parse(struct walked *w, const char *json, size_t len, struct err *err)
{
	struct json_options options = { .max_depth = DEPTH, .max_flaws = 1 };
	struct json_error error;

	*w = (struct walked){ 0 };
	if (len > APP_TEXT_MAX_BYTES)
		return err_set(err, "the page's text has %zu bytes", len);
	w->doc = json_parse(json, len, &options, &error);
	bool ok = w->doc || err_set(err, "the page's text is not JSON: %s", error.text);
	for (size_t list = 0; ok && list < ARRAY_LEN(lists); list++)
		ok = take_list(w, list, err);
	ok = ok && take_rest(w, err);
	if (!ok)
		walked_finish(w);
	return ok;
}

/*
 * A frame of the browser, with samples and background colors of its cells. The PNG was encoded by
 * the trusted process of the browser, so it is decoded here, unlike those of servers. Its size is
 * checked before memory is allocated.
 */
#define PNG_FUNCTIONS(X)                    \
	X(png_image_begin_read_from_memory) \
	X(png_image_finish_read)            \
	X(png_image_free)

struct app_png_api {
	PNG_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

bool
app_frame_decode(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	struct app_png_api api = { 0 };

	*out = (struct picture){ 0 };
	if (len > APP_FRAME_MAX_BYTES)
		return err_set(err, "a picture of %zu bytes", len);
	if (!SHARED_LIBRARY_LOAD("libpng16.so.16", PNG_FUNCTIONS, &api, err))
		return false;
	bool ok = api.png_image_begin_read_from_memory(&image, bytes, len) != 0 ||
		  err_set(err, "a broken PNG: %s", image.message);
	if (ok && (image.width == 0 || image.height == 0 ||
		      (uint64_t)image.width * image.height > APP_FRAME_MAX_PIXELS))
		ok = err_set(err, "a picture of %u x %u pixels", (unsigned)image.width,
		    (unsigned)image.height);
	if (ok) {
		image.format = PNG_FORMAT_RGBA;
		*out = (struct picture){ .width = (int)image.width,
			.height = (int)image.height,
			.frames = 1,
			.rgba = mem_alloc((size_t)image.width * image.height * 4) };
		ok = api.png_image_finish_read(&image, NULL, out->rgba, 0, NULL) != 0 ||
		     err_set(err, "a broken PNG: %s", image.message);
	}
	api.png_image_free(&image);
	if (!ok)
		picture_finish(out);
	return ok;
}

/* ---- samples ---- */

/* A transparent page is drawn on black. */
static void
sample_frame(struct app_cells *c, const struct picture *reduced)
{
	struct app_cells_inside *in = c->inside;
	const struct picture *p = reduced->rgba ? reduced : &in->frame;
	int share;

	for (int row = 0; row < c->rows; row++)
		for (int col = 0; col < c->cols; col++) {
			size_t at = (size_t)row * (size_t)c->cols + (size_t)col;
			for (int s = 0; s < SAMPLES; s++) {
				size_t x = (size_t)col * SAMPLES_WIDE + (size_t)s % SAMPLES_WIDE;
				size_t y = (size_t)row * SAMPLES_HIGH + (size_t)s / SAMPLES_WIDE;
				const uint8_t *rgba = p->rgba + (y * (size_t)p->width + x) * 4;
				for (int k = 0; k < 3; k++)
					in->samples[at][s][k] = (uint8_t)(rgba[k] * rgba[3] / 255);
			}
			/* A border that runs through a cell does not change the background of its
			 * text. */
			in->surfaces[at] = blocks_color(in->samples[at], UINT32_MAX, &share);
			in->shares[at] = (uint8_t)share;
		}
}

bool
app_frame_prepare(
    const void *png, size_t len, int cols, int rows, struct app_decoded *out, struct err *err)
{
	*out = (struct app_decoded){ 0 };
	if (!app_frame_decode(png, len, &out->frame, err))
		return false;
	int width = cols * SAMPLES_WIDE, height = rows * SAMPLES_HIGH;
	if (out->frame.width != width || out->frame.height != height)
		picture_reduce(&out->frame, width, height, &out->reduced);
	return true;
}

void
app_decoded_finish(struct app_decoded *d)
{
	picture_finish(&d->frame);
	picture_finish(&d->reduced);
}

bool
app_cells_have_frame(const struct app_cells *c, const void *png, size_t len)
{
	const struct app_cells_inside *in = c->inside;

	return in->frame.rgba && in->png.len == len && memcmp(in->png.data, png, len) == 0;
}

void
app_cells_take_decoded(
    struct app_cells *c, const void *png, size_t len, struct app_decoded *decoded)
{
	struct app_cells_inside *in = c->inside;

	buf_clear(&in->png);
	buf_add(&in->png, png, len);
	picture_finish(&in->frame);
	in->frame = decoded->frame;
	decoded->frame = (struct picture){ 0 };
	in->frame.number = picture_next_number();
	c->picture = &in->frame;
	sample_frame(c, &decoded->reduced);
	app_decoded_finish(decoded);
}

bool
app_cells_take_frame(struct app_cells *c, const void *png, size_t len, struct err *err)
{
	struct app_decoded decoded;

	/* The same picture may come again with other text. */
	if (app_cells_have_frame(c, png, len))
		return true;
	if (!app_frame_prepare(png, len, c->cols, c->rows, &decoded, err))
		return false;
	app_cells_take_decoded(c, png, len, &decoded);
	return true;
}

enum {
	MOST_CELLS_IN_A_ROW = 1000, /* more than any terminal has */
	/* Flags of a target, as the walker sets them. */
	TARGET_DISABLED = 1,
	TARGET_CHECKED = 2,
	TARGET_FOCUSED = 4,
	TARGET_EDITABLE = 8,
};

void
app_cells_init(struct app_cells *c, int cols, int rows, int cell_height, enum app_mode mode)
{
	BUG_IF(cols < 1 || rows < 1 || cols > MOST_CELLS_IN_A_ROW || rows > MOST_CELLS_IN_A_ROW ||
	       cell_height < 2);
	size_t count = (size_t)cols * (size_t)rows;
	*c = (struct app_cells){ .cols = cols,
		.rows = rows,
		.cell_width = cell_height / 2,
		.cell_height = cell_height,
		.mode = mode,
		.cells = mem_zalloc(count * sizeof(*c->cells)),
		.changed = mem_zalloc(count),
		.facts = { .caret_col = -1, .caret_row = -1 },
		.inside = mem_zalloc(sizeof(*c->inside)) };
	c->inside->samples = mem_zalloc(count * sizeof(*c->inside->samples));
	c->inside->surfaces = mem_zalloc(count * sizeof(*c->inside->surfaces));
	c->inside->shares = mem_zalloc(count);
	c->inside->grounds = mem_zalloc(count * sizeof(*c->inside->grounds));
	c->inside->owners = mem_zalloc(count * sizeof(*c->inside->owners));
	c->inside->before = mem_zalloc(count * sizeof(*c->inside->before));
}

void
app_cells_finish(struct app_cells *c)
{
	if (c->inside) {
		picture_finish(&c->inside->frame);
		buf_finish(&c->inside->png);
		walked_finish(&c->inside->walked);
		free(c->inside->samples);
		free(c->inside->surfaces);
		free(c->inside->shares);
		free(c->inside->grounds);
		free(c->inside->owners);
		free(c->inside->before);
		free(c->inside->json);
	}
	free(c->inside);
	free(c->cells);
	free(c->changed);
	free(c->targets);
	*c = (struct app_cells){ 0 };
}

/* ---- targets ---- */

static int
cell_at(double px, int size, int most)
{
	double at = floor(px / size);

	return at < 0 ? 0 : at >= most ? most - 1 : (int)at;
}

static void
take_targets(struct app_cells *c)
{
	const struct walked *w = &c->inside->walked;

	free(c->targets);
	c->target_count = w->targets.len;
	c->targets = mem_zalloc((w->targets.len + 1) * sizeof(*c->targets));
	for (size_t i = 0; i < w->targets.len; i++) {
		const struct walked_target *from = &w->targets.items[i];
		const struct walked_box *b = &from->box;
		struct app_target *t = &c->targets[i];
		*t = (struct app_target){ .x = b->x + b->width / 2,
			.y = b->y + b->height / 2,
			.col = cell_at(b->x, c->cell_width, c->cols),
			.row = cell_at(b->y, c->cell_height, c->rows),
			.role = from->role,
			.name = from->name,
			.is_disabled = from->flags & TARGET_DISABLED,
			.is_checked = from->flags & TARGET_CHECKED,
			.is_focused = from->flags & TARGET_FOCUSED,
			.is_editable = from->flags & TARGET_EDITABLE };
		t->cols = cell_at(b->x + b->width - 1, c->cell_width, c->cols) - t->col + 1;
		t->rows = cell_at(b->y + b->height - 1, c->cell_height, c->rows) - t->row + 1;
	}
}

/* Return whether a box from..from + size is drawn at this cell. A box of less than `most` cells is
 * drawn as one, in its middle. */
static bool
is_drawn_at(double from, double size, int cell, double most, int at)
{
	if (size < most * cell)
		return at == (int)floor((from + size / 2) / cell);
	return at >= floor(from / cell + 0.5) && at < floor((from + size) / cell + 0.5);
}

static void
move_into(int *at, double from, double size)
{
	int least = (int)ceil(from), last = (int)ceil(from + size) - 1;

	if (last >= least)
		*at = *at < least ? least : *at > last ? last : *at;
}

void
app_cells_aim(const struct app_cells *c, int *x, int *y)
{
	const struct walked *w = &c->inside->walked;
	int col = *x / c->cell_width, row = *y / c->cell_height;

	if (c->mode == APP_PIXELS)
		return;
	for (size_t i = w->targets.len; i-- > 0;) { /* the innermost is last */
		const struct walked_box *b = &w->targets.items[i].box;
		if (!is_drawn_at(b->x, b->width, c->cell_width, 1, col) ||
		    !is_drawn_at(b->y, b->height, c->cell_height, CONTROL_LINES, row))
			continue;
		move_into(x, b->x, b->width);
		move_into(y, b->y, b->height);
		return;
	}
}

/* ---- input ---- */

bool
app_cells_have_text(const struct app_cells *c, const char *json, size_t len)
{
	const struct app_cells_inside *in = c->inside;

	return in->json && in->json_len == len && memcmp(in->json, json, len) == 0;
}

bool
app_cells_take_text(struct app_cells *c, const char *json, size_t len, struct err *err)
{
	struct app_cells_inside *in = c->inside;
	struct walked walked;

	/* The answer of the walker is the same until the page changes. */
	if (app_cells_have_text(c, json, len))
		return true;
	if (!walked_parse(&walked, json, len, err))
		return false;
	walked_finish(&in->walked);
	in->walked = walked;
	free(in->json);
	in->json = mem_dup(json, len);
	in->json_len = len;
	take_targets(c);
	return true;
}

/* ---- output ---- */

void
app_cells_draw(struct app_cells *c)
{
	struct app_cell *cells = c->inside->before;

	c->inside->before = c->cells;
	c->cells = cells;
	const struct walked *w = &c->inside->walked;
	double col = floor(w->caret.x / c->cell_width + 0.5);
	double row = floor((w->caret.y + w->caret.height / 2) / c->cell_height);
	c->facts = (struct app_cells_facts){ .caret_col = -1,
		.caret_row = -1,
		.page_height = w->page_height,
		.page_top = w->page_top,
		.is_incomplete = w->more };
	if (w->caret.height > 0 && row >= 0 && row < c->rows && col >= 0 && col <= c->cols) {
		c->facts.caret_col = col < c->cols ? (int)col : c->cols - 1;
		c->facts.caret_row = (int)row;
	}
	memcpy(c->inside->grounds, c->inside->surfaces,
	    (size_t)c->cols * (size_t)c->rows * sizeof(*c->inside->grounds));
	if (c->inside->frame.rgba) {
		blocks_draw(c);
	} else {
		for (size_t i = 0; i < (size_t)c->cols * (size_t)c->rows; i++)
			c->cells[i] = (struct app_cell){ .ch = ' ' };
	}
	if (c->mode != APP_PIXELS) {
		frames_draw_grounds(c);
		placing_draw(c);
		frames_draw_lines(c);
	}
	size_t count = (size_t)c->cols * (size_t)c->rows;
	c->facts.changed = 0;
	for (size_t i = 0; i < count; i++) {
		const struct app_cell *a = &c->cells[i], *b = &c->inside->before[i];
		c->changed[i] = a->ch != b->ch || a->marks[0] != b->marks[0] ||
				a->marks[1] != b->marks[1] || a->ink != b->ink ||
				a->ground != b->ground || a->attr != b->attr;
		c->facts.changed += c->changed[i];
	}
}

void
app_cells_add_text(const struct app_cells *c, struct buf *out)
{
	for (int row = 0; row < c->rows; row++) {
		size_t end = out->len;
		for (int col = 0; col < c->cols; col++) {
			const struct app_cell *cell = &c->cells[row * c->cols + col];
			const uint32_t points[] = { cell->ch, cell->marks[0], cell->marks[1] };
			for (size_t i = 0; i < ARRAY_LEN(points); i++)
				utf8_add(out, points[i]);
			end = cell->ch == ' ' ? end : out->len;
		}
		buf_truncate(out, end);
		buf_add_char(out, '\n');
	}
}
