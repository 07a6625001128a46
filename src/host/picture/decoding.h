#ifndef HOST_PICTURE_DECODING_H
#define HOST_PICTURE_DECODING_H

#include "host/picture.h"

/* Allocates width x height pixels; false: too many, or zero. */
bool picture_allocate(struct picture *p, size_t width, size_t height, struct err *err);

/* Request to the decoding process: this header, then the picture in base64. */
struct picture_request {
	uint32_t len, most;
};
#define PICTURE_MAX_BASE64 (PICTURE_MAX_BYTES / 3 * 4 + 4)
/* Reply: this header, then the pixels. */
struct picture_answer {
	uint32_t width, height; /* 0: failed, see trouble */
	uint32_t frames;
	struct err trouble;
};

bool picture_load_png(struct err *err);
bool picture_load_jpeg(struct err *err);
bool picture_load_gif(struct err *err);
bool picture_load_webp(struct err *err);

bool picture_decode_png(const void *bytes, size_t len, struct picture *out, struct err *err);
bool picture_decode_jpeg(const void *bytes, size_t len, struct picture *out, struct err *err);
bool picture_decode_gif(const void *bytes, size_t len, struct picture *out, struct err *err);
bool picture_decode_webp(const void *bytes, size_t len, struct picture *out, struct err *err);

#endif
