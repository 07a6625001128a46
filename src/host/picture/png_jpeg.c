#include "decoding.h"

#include "base/shared_library.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

/* The libpng functions we use, with the types of its header. */
#define PNG_FUNCTIONS(X)                    \
	X(png_image_begin_read_from_memory) \
	X(png_image_finish_read)            \
	X(png_image_free)

struct png_api {
	PNG_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

bool
picture_load_png(struct err *err)
{
	struct png_api api;

	return SHARED_LIBRARY_LOAD("libpng16.so.16", PNG_FUNCTIONS, &api, err);
}

bool
picture_decode_png(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	struct png_api api = { 0 };

	if (!SHARED_LIBRARY_LOAD("libpng16.so.16", PNG_FUNCTIONS, &api, err))
		return false;
	bool ok = api.png_image_begin_read_from_memory(&image, bytes, len) != 0;
	image.format = PNG_FORMAT_RGBA;
	if (ok && !picture_allocate(out, image.width, image.height, err)) {
		api.png_image_free(&image);
		return false;
	}
	ok = ok && api.png_image_finish_read(&image, NULL, out->rgba, 0, NULL) != 0;
	if (!ok)
		err_set(err, "a broken PNG: %s", image.message);
	api.png_image_free(&image);
	return ok;
}

/* The libjpeg-turbo functions we use, with the types of its header. The structures match one of
 * its two ABIs; the library refuses the other. */
#define JPEG_FUNCTIONS(X)        \
	X(jpeg_std_error)        \
	X(jpeg_CreateDecompress) \
	X(jpeg_mem_src)          \
	X(jpeg_read_header)      \
	X(jpeg_start_decompress) \
	X(jpeg_read_scanlines)   \
	X(jpeg_destroy_decompress)

struct jpeg_api {
	JPEG_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

#define JPEG_LIBRARY (JPEG_LIB_VERSION >= 80 ? "libjpeg.so.8" : "libjpeg.so.62")
/* A progressive picture with thousands of scans is an attack. */
#define SCANS_MAX 64

struct jpeg_reader {
	struct jpeg_decompress_struct jpeg;
	struct jpeg_error_mgr errors;
	struct jpeg_progress_mgr progress;
	jmp_buf failed;
	char text[JMSG_LENGTH_MAX];
	struct jpeg_api api;
	const unsigned char *bytes;
	size_t len;
	struct picture *out;
	struct err *err;
};

/* ---- callbacks of libjpeg: an error never returns ---- */

static void
on_error(j_common_ptr jpeg)
{
	struct jpeg_reader *r = jpeg->client_data;

	jpeg->err->format_message(jpeg, r->text);
	longjmp(r->failed, 1);
}

static void
on_progress(j_common_ptr jpeg)
{
	struct jpeg_reader *r = jpeg->client_data;

	if (r->jpeg.input_scan_number <= SCANS_MAX)
		return;
	snprintf(r->text, sizeof(r->text), "more than %d scans", SCANS_MAX);
	longjmp(r->failed, 1);
}

/* Ignores warnings: draw as much as can be read. */
static void
on_message(j_common_ptr jpeg)
{
}

/* ---- reading ---- */

static void
take_row(struct picture *p, size_t y, const unsigned char *rgb)
{
	uint8_t *to = p->rgba + y * (size_t)p->width * 4;

	for (int x = 0; x < p->width; x++, to += 4, rgb += 3) {
		memcpy(to, rgb, 3);
		to[3] = 255;
	}
}

static bool
read_picture(struct jpeg_reader *r)
{
	struct jpeg_decompress_struct *jpeg = &r->jpeg;
	const struct jpeg_api *api = &r->api;

	api->jpeg_mem_src(jpeg, r->bytes, (unsigned long)r->len);
	api->jpeg_read_header(jpeg, TRUE);
	if (!picture_allocate(r->out, jpeg->image_width, jpeg->image_height, r->err))
		return false;
	jpeg->out_color_space = JCS_RGB;
	api->jpeg_start_decompress(jpeg);
	JSAMPARRAY row =
	    jpeg->mem->alloc_sarray((j_common_ptr)jpeg, JPOOL_IMAGE, jpeg->output_width * 3, 1);
	while (jpeg->output_scanline < jpeg->output_height) {
		api->jpeg_read_scanlines(jpeg, row, 1);
		take_row(r->out, jpeg->output_scanline - 1, row[0]);
	}
	return true;
}

bool
picture_load_jpeg(struct err *err)
{
	struct jpeg_api api;

	return SHARED_LIBRARY_LOAD(JPEG_LIBRARY, JPEG_FUNCTIONS, &api, err);
}

bool
picture_decode_jpeg(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	struct jpeg_reader r = { .bytes = bytes, .len = len, .out = out, .err = err };
	volatile bool ok = false;

	if (!SHARED_LIBRARY_LOAD(JPEG_LIBRARY, JPEG_FUNCTIONS, &r.api, err))
		return false;
	r.jpeg.err = r.api.jpeg_std_error(&r.errors);
	r.jpeg.client_data = &r;
	r.errors.error_exit = on_error;
	r.errors.output_message = on_message;
	r.progress.progress_monitor = on_progress;
	if (setjmp(r.failed)) {
		err_set(err, "a broken JPEG: %s", r.text);
	} else {
		r.api.jpeg_CreateDecompress(&r.jpeg, JPEG_LIB_VERSION, sizeof(r.jpeg));
		r.jpeg.progress = &r.progress;
		ok = read_picture(&r);
	}
	r.api.jpeg_destroy_decompress(&r.jpeg);
	return ok;
}
