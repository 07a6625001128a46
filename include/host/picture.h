#ifndef HOST_PICTURE_H
#define HOST_PICTURE_H

#include "base/err.h"
#include "base/picture.h"
#include "loop/loop.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * PNG and JPEG become pixels by libpng and libjpeg-turbo, which are loaded when the first picture
 * comes and not before; without them pictures are not drawn. The bytes come from a server, so they
 * are decoded in a process of their own: this program again, without environment, descriptors or
 * secrets, under limits, and on x86_64 and aarch64 with a filter that allows no system call but
 * those of computing. When the kernel refuses the filter, the limits have to do.
 */
#define PICTURE_MAX_PIXELS ((size_t)9 << 20)
#define PICTURE_MAX_BYTES ((size_t)16 << 20)

/* Here and now, in this process: for the decoding process, tests and fuzzing. */
bool picture_decode(const void *bytes, size_t len, struct picture *out, struct err *err);
void picture_job_run(struct picture_job *job); /* done() is not called */

/* ---- in the program ---- */
struct decoder;

/* program: the file to run with PICTURE_OPTION. A picture that takes longer than limit_ms has
 * failed. Starts nothing. */
struct decoder *decoder_create(struct loop *loop, const char *program, int limit_ms);
/* done() of every job that is left is called. NULL-safe. */
void decoder_destroy(struct decoder *decoder);
/* True: done() comes from the loop. False: the result is there, and done() does not come. */
bool decoder_submit(struct decoder *decoder, struct picture_job *job);

/* ---- in the process ---- */
#define PICTURE_OPTION "--decode-picture"

/* Reads one picture from descriptor 0, confines itself, decodes, answers on 1. The exit code. */
int picture_serve(void);
/* From here on this process may compute, read and write what is open, and end. */
void picture_confine(void);

#endif
