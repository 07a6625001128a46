#include "picture_priv.h"

#include "base/library.h"

#include <png.h>

/* What is used of libpng, by the types of its own header. */
#define FUNCTIONS(X)                        \
	X(png_image_begin_read_from_memory) \
	X(png_image_finish_read)            \
	X(png_image_free)

struct api {
	FUNCTIONS(LIBRARY_POINTER)
};

bool
picture_load_png(struct err *err)
{
	struct api api;

	return LIBRARY_LOAD("libpng16.so.16", FUNCTIONS, &api, err);
}

bool
picture_decode_png(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	struct api api = { 0 };

	if (!LIBRARY_LOAD("libpng16.so.16", FUNCTIONS, &api, err))
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
