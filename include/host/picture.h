#ifndef HOST_PICTURE_H
#define HOST_PICTURE_H

#include "base/err.h"
#include "base/picture.h"
#include "loop/loop.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Decodes PNG and JPEG with libpng and libjpeg-turbo, which are loaded for the first picture;
 * without them no picture is drawn. The bytes come from a server, so they are decoded in a
 * separate process: this program again, without environment, extra descriptors or secrets, under
 * resource limits, and on x86_64 and aarch64 with a seccomp filter that allows only computing.
 * If the kernel refuses the filter, the limits remain.
 */
#define PICTURE_MAX_PIXELS ((size_t)9 << 20)
#define PICTURE_MAX_BYTES ((size_t)16 << 20)

/* In this process: for the decoding process, tests and fuzzing. */
bool picture_decode(const void *bytes, size_t len, struct picture *out, struct err *err);
void picture_job_run(struct picture_job *job); /* does not call done() */

/* ---- in the main process ---- */
struct decoder;

/* program: the executable to run with PICTURE_OPTION. A picture that takes longer than limit_ms
 * fails. Starts nothing yet. */
struct decoder *decoder_create(struct loop *loop, const char *program, int limit_ms);
/* Calls done() of every remaining job. NULL-safe. */
void decoder_destroy(struct decoder *decoder);
/* True: done() is called later from the loop. False: the job is complete and done() is not
 * called. */
bool decoder_submit(struct decoder *decoder, struct picture_job *job);

/* ---- in the decoding process ---- */
#define PICTURE_OPTION "--decode-picture"

/* Reads one picture from descriptor 0, confines the process, decodes, writes to 1. Returns the
 * exit code. */
int picture_serve(void);
/* From here on this process may only compute, read and write open descriptors, and exit. */
void picture_confine(void);

#endif
