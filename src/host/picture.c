#include "picture_priv.h"

#include "base/mem.h"
#include "mcp/media.h"

#include <string.h>

bool
picture_allocate(struct picture *p, size_t width, size_t height, struct err *err)
{
	if (width == 0 || height == 0 || width > PICTURE_MAX_PIXELS ||
	    height > PICTURE_MAX_PIXELS || width * height > PICTURE_MAX_PIXELS)
		return err_set(err, "%zu x %zu pixels are too many to be drawn", width, height);
	*p = (struct picture){ (int)width, (int)height, mem_zalloc(width * height * 4) };
	return true;
}

static const struct {
	const char *type;
	bool (*decode)(const void *bytes, size_t len, struct picture *out, struct err *err);
} decoders[] = {
	{ "image/png", picture_decode_png },
	{ "image/jpeg", picture_decode_jpeg },
};

bool
picture_decode(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	const char *type = media_type_of(bytes, len);

	*out = (struct picture){ 0 };
	if (len > PICTURE_MAX_BYTES)
		return err_set(err, "too large to be drawn");
	for (size_t i = 0; type && i < sizeof(decoders) / sizeof(*decoders); i++) {
		if (strcmp(decoders[i].type, type) != 0)
			continue;
		if (decoders[i].decode(bytes, len, out, err))
			return true;
		picture_finish(out);
		return false;
	}
	return err_set(err, "only PNG and JPEG are drawn");
}
