#ifndef HOST_PICTURE_H
#define HOST_PICTURE_H

#include "base/err.h"
#include "base/picture.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * PNG and JPEG become pixels by libpng and libjpeg-turbo, which are loaded when the first picture
 * comes and not before; without them pictures are just not drawn. The bytes come from anywhere: so
 * large a picture that it would be felt is refused.
 */
#define PICTURE_MAX_PIXELS ((size_t)9 << 20)
#define PICTURE_MAX_BYTES ((size_t)16 << 20)

bool picture_decode(const void *bytes, size_t len, struct picture *out, struct err *err);

#endif
