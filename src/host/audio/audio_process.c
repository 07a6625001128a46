#include "host/audio.h"

#include "base/base64.h"
#include "base/mem.h"
#include "host/confined.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

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

struct audio_decoding {
	struct confined_job work; /* first */
	struct audio_job *job;
};

/* The reply is untrusted too: a length or a count that is out of bounds is no reply. */
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
on_done(struct confined_job *work, const char *ended)
{
	struct audio_decoding *d = (struct audio_decoding *)work;
	struct audio_job *job = d->job;

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
	struct audio_decoding *d = mem_zalloc(sizeof(*d));
	*d = (struct audio_decoding){ .work = { .option = AUDIO_OPTION,
					  .done = on_done,
					  .unwanted = &job->unwanted,
					  .answer_max =
					      sizeof(struct audio_reply) + SPANS_MAX_BYTES + 1 },
		.job = job };
	buf_add(&d->work.request, &len, sizeof(len));
	buf_add(&d->work.request, job->base64, job->len);
	return confined_submit(confined, &d->work, &job->trouble);
}
