#include "mapping.h"

#include "base/mem.h"
#include "base/shared_library.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

/*
 * A frame of the browser, and what its cells need of it: samples, and the ground on which text
 * would stand.
 *
 * The picture is the browser's own, encoded by its trusted process: it is decoded right here,
 * unlike those of servers, and as quickly as libpng can. Its size is known and bounded before any
 * memory is taken for it.
 */
#define PNG_FUNCTIONS(X)                    \
	X(png_image_begin_read_from_memory) \
	X(png_image_finish_read)            \
	X(png_image_free)

struct app_png_api {
	PNG_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

static bool
has_room(const png_image *image, struct err *err)
{
	if (image->width == 0 || image->height == 0 ||
	    (uint64_t)image->width * image->height > APP_FRAME_MAX_PIXELS)
		return err_set(err, "a picture of %u x %u pixels", (unsigned)image->width,
		    (unsigned)image->height);
	return true;
}

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
	if (ok && has_room(&image, err)) {
		image.format = PNG_FORMAT_RGBA;
		*out = (struct picture){ .width = (int)image.width,
			.height = (int)image.height,
			.frames = 1,
			.rgba = mem_alloc((size_t)image.width * image.height * 4) };
		ok = api.png_image_finish_read(&image, NULL, out->rgba, 0, NULL) != 0 ||
		     err_set(err, "a broken PNG: %s", image.message);
	} else {
		ok = false;
	}
	api.png_image_free(&image);
	if (!ok)
		picture_finish(out);
	return ok;
}

/* ---- samples ---- */

/* The page is drawn over black if it lets anything through. */
static void
sample(const struct picture *p, int col, int row, uint8_t out[SAMPLES][3])
{
	for (int s = 0; s < SAMPLES; s++) {
		size_t x = (size_t)col * SAMPLES_WIDE + (size_t)s % SAMPLES_WIDE;
		size_t y = (size_t)row * SAMPLES_HIGH + (size_t)s / SAMPLES_WIDE;
		const uint8_t *at = p->rgba + (y * (size_t)p->width + x) * 4;
		for (int k = 0; k < 3; k++)
			out[s][k] = (uint8_t)(at[k] * at[3] / 255);
	}
}

static bool
is_exact(const struct picture *p, int cols, int rows)
{
	return p->width == cols * SAMPLES_WIDE && p->height == rows * SAMPLES_HIGH;
}

static void
sample_frame(struct app_cells *c, const struct picture *reduced)
{
	struct app_cells_inside *in = c->inside;
	bool exact = is_exact(&in->frame, c->cols, c->rows);
	int share;

	for (int row = 0; row < c->rows; row++)
		for (int col = 0; col < c->cols; col++) {
			size_t at = (size_t)row * (size_t)c->cols + (size_t)col;
			sample(exact ? &in->frame : reduced, col, row, in->samples[at]);
			/* A border that runs through a cell does not tint its text. */
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
	if (!is_exact(&out->frame, cols, rows))
		picture_reduce(
		    &out->frame, cols * SAMPLES_WIDE, rows * SAMPLES_HIGH, &out->reduced);
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

	/* It comes again with other text. */
	if (app_cells_have_frame(c, png, len))
		return true;
	if (!app_frame_prepare(png, len, c->cols, c->rows, &decoded, err))
		return false;
	app_cells_take_decoded(c, png, len, &decoded);
	return true;
}
