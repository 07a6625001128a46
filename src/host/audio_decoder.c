/* SPDX-License-Identifier: MIT */
#include "host/audio_decoder.h"

#include "base/base64.h"
#include "base/mem.h"
#include "base/shared_library.h"
#include "host/confined.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <sndfile.h>

/* The libsndfile functions we use, with the types of its header. */
#define SNDFILE_FUNCTIONS(X) \
	X(sf_open_virtual)   \
	X(sf_readf_float)    \
	X(sf_command)        \
	X(sf_strerror)       \
	X(sf_close)

#define SNDFILE_LIBRARY "libsndfile.so.1"

struct sndfile_api {
	SNDFILE_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

bool
audio_load(struct err *err)
{
	struct sndfile_api api;

	return SHARED_LIBRARY_LOAD(SNDFILE_LIBRARY, SNDFILE_FUNCTIONS, &api, err);
}

/* ---- a file in memory, for libsndfile ---- */

struct memory_file {
	const char *bytes;
	sf_count_t len, at;
};

static sf_count_t
on_length(void *user)
{
	return ((struct memory_file *)user)->len;
}

static sf_count_t
on_seek(sf_count_t offset, int whence, void *user)
{
	struct memory_file *f = user;
	sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? f->at : f->len, to;

	if (__builtin_add_overflow(from, offset, &to) || to < 0)
		return -1;
	f->at = to;
	return to;
}

static sf_count_t
on_read(void *to, sf_count_t count, void *user)
{
	struct memory_file *f = user;
	sf_count_t left = f->at < f->len ? f->len - f->at : 0;

	count = count < left ? count : left;
	if (count <= 0)
		return 0;
	memcpy(to, f->bytes + f->at, (size_t)count);
	f->at += count;
	return count;
}

static sf_count_t
on_tell(void *user)
{
	return ((struct memory_file *)user)->at;
}

/* ---- reading ---- */

/* The name of the container, or of how its samples are kept; "" if it has none. */
static const char *
format_name(const struct sndfile_api *api, SNDFILE *file, int format)
{
	SF_FORMAT_INFO info = { .format = format };

	if (api->sf_command(file, SFC_GET_FORMAT_INFO, &info, sizeof(info)) != 0 || !info.name)
		return "";
	return info.name;
}

/* The envelope of a stream of samples: when it is full, every two columns become one. */
struct envelope {
	struct audio *audio;
	int64_t per_column, in_column; /* frames: of a column, and those in the last one */
	float low[AUDIO_MAX_LANES], high[AUDIO_MAX_LANES];
};

static void
end_column(struct envelope *e)
{
	struct audio *a = e->audio;
	struct audio_span *last = a->spans + a->columns++ * a->lanes;

	for (int lane = 0; lane < a->lanes; lane++)
		last[lane] = (struct audio_span){ (int8_t)lrintf(e->low[lane] * INT8_MAX),
			(int8_t)lrintf(e->high[lane] * INT8_MAX) };
	e->in_column = 0;
	if (a->columns < AUDIO_MAX_COLUMNS)
		return;
	a->columns /= 2;
	for (int i = 0; i < a->columns * a->lanes; i++) {
		const struct audio_span *one =
		    a->spans + i / a->lanes * 2 * a->lanes + i % a->lanes;
		a->spans[i] = audio_span_join(*one, one[a->lanes]);
	}
	e->per_column *= 2;
}

/* Add whole frames. A sample outside -1 to 1 is clamped, NaN is 0. */
static void
add_samples(struct envelope *e, const float *samples, int64_t frames)
{
	struct audio *a = e->audio;
	bool shared = a->lanes < a->channels;

	for (int64_t i = 0; i < frames; i++) {
		for (int channel = 0; channel < a->channels; channel++) {
			bool is_first = e->in_column == 0 && (!shared || channel == 0);
			int lane = shared ? 0 : channel;
			float sample = *samples++;
			if (!(sample >= -1 && sample <= 1))
				sample = sample < -1 ? -1 : sample > 1 ? 1 : 0;
			if (is_first || sample < e->low[lane])
				e->low[lane] = sample;
			if (is_first || sample > e->high[lane])
				e->high[lane] = sample;
		}
		if (++e->in_column == e->per_column)
			end_column(e);
	}
	a->frames += frames;
}

/* Frames until the end, what cannot be read, or the most; counted, as a header may lie. */
static void
read_frames(const struct sndfile_api *api, SNDFILE *file, int64_t most, struct audio *out)
{
	enum { CHUNK_SAMPLES = 1 << 16 };
	sf_count_t chunk = CHUNK_SAMPLES / out->channels, got;
	float *samples = mem_zalloc(CHUNK_SAMPLES * sizeof(*samples));
	struct envelope e = { .audio = out, .per_column = 1 };

	out->lanes = out->channels <= AUDIO_MAX_LANES ? out->channels : 1;
	out->spans =
	    mem_zalloc((size_t)AUDIO_MAX_COLUMNS * (size_t)out->lanes * sizeof(*out->spans));
	while (out->frames < most) {
		got = most - out->frames < chunk ? most - out->frames : chunk;
		got = api->sf_readf_float(file, samples, got);
		if (got <= 0)
			break;
		add_samples(&e, samples, got);
	}
	if (e.in_column > 0)
		end_column(&e);
	free(samples);
}

/* Does the header of a RIFF file promise more than there is? Who writes to a pipe promises the most
 * that it can. */
static bool
is_cut_riff(const void *bytes, size_t len)
{
	enum { HEAD = 8 };
	const unsigned char *at = bytes;

	if (len < HEAD || memcmp(at, "RIFF", 4) != 0)
		return false;
	uint32_t rest =
	    at[4] | (uint32_t)at[5] << 8 | (uint32_t)at[6] << 16 | (uint32_t)at[7] << 24;
	return rest < UINT32_MAX - 1024 && rest > len - HEAD;
}

static bool
read_file(const struct sndfile_api *api, SNDFILE *file, const SF_INFO *info, int64_t max_samples,
    struct audio *out, struct err *err)
{
	enum { CHANNELS_MAX = 1024 };
	int64_t most;

	if (info->channels <= 0 || info->channels > CHANNELS_MAX || info->samplerate <= 0)
		return err_set(err, "broken audio: %d channels, %d frames a second", info->channels,
		    info->samplerate);
	most = max_samples / info->channels;
	out->channels = info->channels;
	out->rate = info->samplerate;
	const char *container = format_name(api, file, info->format & SF_FORMAT_TYPEMASK);
	const char *samples = format_name(api, file, info->format & SF_FORMAT_SUBMASK);
	snprintf(out->format, sizeof(out->format), "%s%s%s", container,
	    *container && *samples ? ", " : "", samples);
	read_frames(api, file, most, out);
	bool said = info->frames > 0 && info->frames < SF_COUNT_MAX;
	out->has_more = out->frames == most && (!said || info->frames > most);
	out->is_cut = !out->has_more && said && info->frames > out->frames;
	return true;
}

bool
audio_decode(const void *bytes, size_t len, int64_t max_samples, struct audio *out, struct err *err)
{
	struct memory_file memory = { bytes, (sf_count_t)len, 0 };
	SF_VIRTUAL_IO io = {
		.get_filelen = on_length, .seek = on_seek, .read = on_read, .tell = on_tell
	};
	struct sndfile_api api;
	SF_INFO info = { 0 };

	*out = (struct audio){ 0 };
	if (len > AUDIO_MAX_BYTES)
		return err_set(err, "too large to decode");
	if (!SHARED_LIBRARY_LOAD(SNDFILE_LIBRARY, SNDFILE_FUNCTIONS, &api, err))
		return false;
	SNDFILE *file = api.sf_open_virtual(&io, SFM_READ, &info, &memory);
	if (!file) {
		const char *why = api.sf_strerror(NULL);
		return err_set(
		    err, "libsndfile cannot read it: %.*s", (int)strcspn(why, "\n"), why);
	}
	bool ok = read_file(&api, file, &info, max_samples, out, err);
	out->is_cut = out->is_cut || is_cut_riff(bytes, len);
	api.sf_close(file);
	return ok;
}

/* The request is its length and the audio in base64. */
#define AUDIO_MAX_BASE64 (AUDIO_MAX_BYTES / 3 * 4 + 4)
/* The answer is this header and the spans. */
struct audio_reply {
	struct audio audio; /* its pointer means nothing */
	struct err trouble;
};
#define SPANS_MAX_BYTES ((size_t)AUDIO_MAX_COLUMNS * AUDIO_MAX_LANES * sizeof(struct audio_span))

void
audio_job_run(struct audio_job *job)
{
	struct buf bytes = BUF_INIT;

	if (!base64_decode(&bytes, job->base64, job->len))
		err_set(&job->trouble, "not base64");
	else if (!audio_decode(
		     buf_text(&bytes), bytes.len, AUDIO_MAX_SAMPLES, &job->audio, &job->trouble))
		audio_finish(&job->audio);
	buf_finish(&bytes);
}

/* ---- the process that decodes ---- */

int
audio_serve(void)
{
	/* libraries behind libsndfile ask for the process's number and such */
	static const struct confined_limits limits = {
		.memory_bytes = (size_t)256 << 20, .cpu_seconds = 5, .calls_fail = true
	};
	static struct audio_reply reply; /* without bytes of the stack between its members */
	uint32_t len;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!confined_read(&len, sizeof(len)) || len > AUDIO_MAX_BASE64)
		return 1;
	char *base64 = mem_alloc(len + 1);
	if (!confined_read(base64, len))
		return 1;
	audio_load(NULL);     /* audio_decode() reports a missing library */
	close(STDERR_FILENO); /* libmpg123 writes notes there */
	confined_enter(&limits);
	struct audio_job job = { .base64 = base64, .len = len };
	audio_job_run(&job);
	reply.audio = job.audio;
	reply.trouble = job.trouble;
	const struct audio *a = &job.audio;
	size_t spans = (size_t)a->columns * (size_t)a->lanes * sizeof(*a->spans);
	bool ok = confined_write(&reply, sizeof(reply)) && confined_write(a->spans, spans);
	_exit(ok ? 0 : 1); /* exit handlers may need forbidden system calls */
}

/* ---- the process that waits for it ---- */

/* The reply is untrusted too: a length or a count that is out of bounds makes it invalid. */
static bool
take_reply(struct audio_job *job, const struct buf *bytes)
{
	struct audio_reply reply;
	struct audio *a = &reply.audio;

	if (bytes->len < sizeof(reply))
		return false;
	memcpy(&reply, bytes->data, sizeof(reply));
	bool fits = a->columns >= 0 && a->columns <= AUDIO_MAX_COLUMNS && a->lanes >= 0 &&
		    a->lanes <= AUDIO_MAX_LANES && a->frames >= a->columns && a->rate >= 0 &&
		    a->channels >= a->lanes;
	size_t spans = fits ? (size_t)a->columns * (size_t)a->lanes * sizeof(*a->spans) : 0;
	if (!fits || bytes->len - sizeof(reply) != spans)
		return false;
	reply.trouble.text[sizeof(reply.trouble.text) - 1] = '\0';
	a->format[sizeof(a->format) - 1] = '\0';
	a->spans = spans ? mem_dup(bytes->data + sizeof(reply), spans) : NULL;
	job->trouble = reply.trouble;
	if (!reply.trouble.text[0])
		job->audio = *a;
	else
		audio_finish(a);
	return reply.trouble.text[0] || job->audio.rate > 0;
}

static void
on_audio_done(struct confined_job *work, const char *ended)
{
	struct audio_job *job = work->user;

	if (!take_reply(job, &work->answer) && !job->unwanted)
		err_set(&job->trouble, "the audio was not decoded: %s", ended);
	job->done(job);
}

bool
audio_submit(struct confined *confined, struct audio_job *job)
{
	uint32_t len = (uint32_t)job->len;

	if (job->len > AUDIO_MAX_BASE64)
		return err_set(&job->trouble, "too large to decode");
	struct confined_job *work = mem_zalloc(sizeof(*work));
	*work = (struct confined_job){ .option = AUDIO_OPTION,
		.done = on_audio_done,
		.user = job,
		.unwanted = &job->unwanted,
		.answer_max = sizeof(struct audio_reply) + SPANS_MAX_BYTES + 1 };
	buf_add(&work->request, &len, sizeof(len));
	buf_add(&work->request, job->base64, job->len);
	return confined_submit(confined, work, &job->trouble);
}
