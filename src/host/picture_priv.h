#ifndef HOST_PICTURE_PRIV_H
#define HOST_PICTURE_PRIV_H

#include "host/picture.h"

/* Memory for width x height pixels, 0 <= both; false: too large, or nothing at all. */
bool picture_allocate(struct picture *p, size_t width, size_t height, struct err *err);

bool picture_decode_png(const void *bytes, size_t len, struct picture *out, struct err *err);
bool picture_decode_jpeg(const void *bytes, size_t len, struct picture *out, struct err *err);

#endif
