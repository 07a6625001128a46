/* SPDX-License-Identifier: MIT */
#ifndef HOST_PICTURE_DECODER_H
#define HOST_PICTURE_DECODER_H

#include "base/err.h"
#include "base/media.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Decodes PNG, JPEG, GIF and WebP (of animations the first frame) with libpng, libjpeg-turbo,
 * giflib and libwebp, which are loaded for the first picture; without one its pictures are not
 * drawn. The bytes come from a server, so they are decoded in a
 * confined process (host/confined.h).
 */
#define PICTURE_MAX_PIXELS ((size_t)9 << 20)
#define PICTURE_MAX_BYTES ((size_t)16 << 20)

/* Decodes in this process, for the decoding process, tests and fuzzing. */
bool picture_decode(const void *bytes, size_t len, struct picture *out, struct err *err);
void picture_job_run(struct picture_job *job); /* does not call done() */

/* ---- in the main process ---- */
struct confined;
/* True: done() is called later from the loop. False: the job is complete and done() is not
 * called. */
bool decoder_submit(struct confined *confined, struct picture_job *job);

/* ---- in the decoding process ---- */
#define PICTURE_OPTION "--decode-picture"

/* Reads one picture from descriptor 0, confines the process, decodes, writes to 1. Returns the
 * exit code. */
int picture_serve(void);

#endif
