/* SPDX-License-Identifier: MIT */
#ifndef HOST_MEDIA_DECODER_H
#define HOST_MEDIA_DECODER_H

#include "base/err.h"
#include "base/media.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Decodes media of servers in confined processes (host/confined.h), with libraries that are loaded
 * for the first of a kind. PNG, JPEG, GIF and WebP (of animations the first frame) with libpng,
 * libjpeg-turbo, giflib and libwebp; without one its pictures are not drawn. Audio with libsndfile:
 * WAV, AIFF, AU, FLAC, Ogg, MP3 and the other formats of the installed version; only facts and the
 * envelope come back.
 */
#define PICTURE_MAX_PIXELS ((size_t)9 << 20)
#define PICTURE_MAX_BYTES ((size_t)16 << 20)
#define AUDIO_MAX_BYTES ((size_t)16 << 20)
#define AUDIO_MAX_SAMPLES ((int64_t)1 << 27)

/* ---- in the main process ---- */
struct confined;
/* True: done() is called later from the loop. False: the job is complete and done() is not
 * called. */
bool decoder_submit(struct confined *confined, struct picture_job *job);
bool audio_submit(struct confined *confined, struct audio_job *job);
bool audio_load(struct err *err);

/* ---- in the decoding process, whose options these are ---- */
#define PICTURE_OPTION "--decode-picture"
#define AUDIO_OPTION "--decode-audio"
/* Read one job from descriptor 0, confine the process, decode, write to 1. Return the exit code. */
int picture_serve(void);
int audio_serve(void);

/* ---- in this process, for the decoding process, tests and fuzzing ---- */
bool picture_decode(const void *bytes, size_t len, struct picture *out, struct err *err);
bool audio_decode(/* at most max_samples are read */
    const void *bytes, size_t len, int64_t max_samples, struct audio *out, struct err *err);
void picture_job_run(struct picture_job *job); /* does not call done() */
void audio_job_run(struct audio_job *job);

#endif
