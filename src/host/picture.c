#include "picture_priv.h"

#include "base/base64.h"
#include "base/mem.h"
#include "mcp/content.h"

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
	bool (*load)(struct err *err);
	bool (*decode)(const void *bytes, size_t len, struct picture *out, struct err *err);
} decoders[] = {
	{ "image/png", picture_load_png, picture_decode_png },
	{ "image/jpeg", picture_load_jpeg, picture_decode_jpeg },
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

void
picture_load_libraries(void)
{
	for (size_t i = 0; i < sizeof(decoders) / sizeof(*decoders); i++)
		decoders[i].load(NULL); /* one that is missing is told by decode() */
}

/* No larger than the job wants it. */
static void
shrink(struct picture *whole, int most, struct picture *out)
{
	int width, height;

	picture_fit(whole, most, most, &width, &height);
	if (width == whole->width && height == whole->height) {
		*out = *whole;
		return;
	}
	picture_reduce(whole, width, height, out);
	picture_finish(whole);
}

void
picture_job_run(struct picture_job *job)
{
	struct buf bytes = BUF_INIT;
	struct picture whole;

	if (!base64_decode(&bytes, job->base64, job->len))
		err_set(&job->trouble, "not base64");
	else if (picture_decode(buf_text(&bytes), bytes.len, &whole, &job->trouble))
		shrink(&whole, job->most, &job->picture);
	buf_finish(&bytes);
}
