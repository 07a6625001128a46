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
		size_t x = (size_t)(col * SAMPLES_WIDE + s % SAMPLES_WIDE);
		size_t y = (size_t)(row * SAMPLES_HIGH + s / SAMPLES_WIDE);
		const uint8_t *at = p->rgba + (y * (size_t)p->width + x) * 4;
		for (int k = 0; k < 3; k++)
			out[s][k] = (uint8_t)(at[k] * at[3] / 255);
	}
}

static void
sample_frame(struct app_cells *c)
{
	struct app_cells_inside *in = c->inside;
	int width = c->cols * SAMPLES_WIDE, height = c->rows * SAMPLES_HIGH;
	bool exact = in->frame.width == width && in->frame.height == height;
	struct picture reduced = { 0 };
	int share;

	if (!exact)
		picture_reduce(&in->frame, width, height, &reduced);
	for (int row = 0; row < c->rows; row++)
		for (int col = 0; col < c->cols; col++) {
			size_t at = (size_t)row * (size_t)c->cols + (size_t)col;
			sample(exact ? &in->frame : &reduced, col, row, in->samples[at]);
			/* A border that runs through a cell does not tint its text. */
			in->surfaces[at] = blocks_color(in->samples[at], UINT32_MAX, &share);
			in->shares[at] = (uint8_t)share;
		}
	picture_finish(&reduced);
}

bool
app_cells_take_frame(struct app_cells *c, const void *png, size_t len, struct err *err)
{
	struct app_cells_inside *in = c->inside;
	struct picture frame;

	/* It comes again with other text. */
	if (in->frame.rgba && in->png.len == len && memcmp(in->png.data, png, len) == 0)
		return true;
	if (!app_frame_decode(png, len, &frame, err))
		return false;
	buf_clear(&in->png);
	buf_add(&in->png, png, len);
	picture_finish(&in->frame);
	in->frame = frame;
	in->frame.number = picture_next_number();
	c->picture = &in->frame;
	sample_frame(c);
	return true;
}
