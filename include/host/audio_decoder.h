/* SPDX-License-Identifier: MIT */
#ifndef HOST_AUDIO_DECODER_H
#define HOST_AUDIO_DECODER_H

#include "base/media.h"

/*
 * Decodes audio with libsndfile, which is loaded for the first sound: WAV, AIFF, AU, FLAC, Ogg,
 * MP3 and the other formats of the installed version. The bytes come from a server, so they are
 * decoded in a confined process (host/confined.h), and only facts and the envelope come back.
 */
#define AUDIO_MAX_BYTES ((size_t)16 << 20)

/* Decodes in this process, for the decoding process, tests and fuzzing. At most max_samples are
 * read. */
#define AUDIO_MAX_SAMPLES ((int64_t)1 << 27)
bool audio_load(struct err *err);
bool audio_decode(
    const void *bytes, size_t len, int64_t max_samples, struct audio *out, struct err *err);
void audio_job_run(struct audio_job *job); /* does not call done() */

/* ---- in the main process ---- */
struct confined;
/* True: done() is called later from the loop. False: the job is complete and done() is not
 * called. */
bool audio_submit(struct confined *confined, struct audio_job *job);

/* ---- in the decoding process ---- */
#define AUDIO_OPTION "--decode-audio"
int audio_serve(void); /* returns the exit code */

#endif
