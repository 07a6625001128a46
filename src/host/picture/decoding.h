#ifndef HOST_PICTURE_DECODING_H
#define HOST_PICTURE_DECODING_H

#include "host/picture.h"

/* Memory for width x height pixels, 0 <= both; false: too large, or nothing at all. */
bool picture_allocate(struct picture *p, size_t width, size_t height, struct err *err);

/* What the program tells the process that decodes: this, then the picture in base64. */
struct picture_request {
	uint32_t len, most;
};
#define PICTURE_MAX_BASE64 (PICTURE_MAX_BYTES / 3 * 4 + 4)
/* And what comes back: this, then the pixels. */
struct picture_answer {
	uint32_t width, height; /* 0: there is no picture, for this reason */
	struct err trouble;
};

bool picture_load_png(struct err *err);
bool picture_load_jpeg(struct err *err);

bool picture_decode_png(const void *bytes, size_t len, struct picture *out, struct err *err);
bool picture_decode_jpeg(const void *bytes, size_t len, struct picture *out, struct err *err);

#endif
