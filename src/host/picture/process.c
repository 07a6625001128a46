#include "decoding.h"

#include "base/base64.h"
#include "base/mem.h"
#include "base/vec.h"
#include "host/confined.h"
#include "mcp/content.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

bool
picture_allocate(struct picture *p, size_t width, size_t height, struct err *err)
{
	if (width == 0 || height == 0 || width > PICTURE_MAX_PIXELS ||
	    height > PICTURE_MAX_PIXELS || width * height > PICTURE_MAX_PIXELS)
		return err_set(err, "%zu x %zu pixels are too many to draw", width, height);
	*p = (struct picture){
		.width = (int)width, .height = (int)height, .rgba = mem_zalloc(width * height * 4)
	};
	return true;
}

static const struct {
	const char *type;
	bool (*load)(struct err *err);
	bool (*decode)(const void *bytes, size_t len, struct picture *out, struct err *err);
} decoders[] = {
	{ "image/png", picture_load_png, picture_decode_png },
	{ "image/jpeg", picture_load_jpeg, picture_decode_jpeg },
	{ "image/gif", picture_load_gif, picture_decode_gif },
	{ "image/webp", picture_load_webp, picture_decode_webp },
};

bool
picture_decode(const void *bytes, size_t len, struct picture *out, struct err *err)
{
	const char *type = media_type_of(bytes, len);

	*out = (struct picture){ 0 };
	if (len > PICTURE_MAX_BYTES)
		return err_set(err, "too large to draw");
	for (size_t i = 0; type && i < ARRAY_LEN(decoders); i++) {
		if (strcmp(decoders[i].type, type) != 0)
			continue;
		if (decoders[i].decode(bytes, len, out, err))
			return true;
		picture_finish(out);
		return false;
	}
	return err_set(err, "only PNG, JPEG, GIF and WebP can be drawn");
}

static void
picture_load_libraries(void)
{
	for (size_t i = 0; i < ARRAY_LEN(decoders); i++)
		decoders[i].load(NULL); /* decode() reports a missing library */
}

/* Scales the picture down to the size the job asks for. */
static void
shrink(struct picture *whole, int most, struct picture *out)
{
	int width, height;

	picture_fit(whole, most, most, &width, &height);
	if (width == whole->width && height == whole->height) {
		*out = *whole;
		return;
	}
	picture_reduce(whole, width, height, out);
	out->frames = whole->frames;
	picture_finish(whole);
}

void
picture_job_run(struct picture_job *job)
{
	struct buf bytes = BUF_INIT;
	struct picture whole;

	if (!base64_decode(&bytes, job->base64, job->len))
		err_set(&job->trouble, "not base64");
	else if (picture_decode(buf_text(&bytes), bytes.len, &whole, &job->trouble))
		shrink(&whole, job->most, &job->picture);
	buf_finish(&bytes);
}

int
picture_serve(void)
{
	static const struct confined_limits limits = { .memory_bytes = (size_t)256 << 20,
		.cpu_seconds = 5 };
	struct picture_request request;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!confined_read(&request, sizeof(request)) || request.len > PICTURE_MAX_BASE64)
		return 1;
	char *base64 = mem_alloc(request.len);
	if (!confined_read(base64, request.len))
		return 1;
	picture_load_libraries();
	confined_enter(&limits);
	struct picture_job job = {
		.base64 = base64, .len = request.len, .most = (int)request.most
	};
	picture_job_run(&job);
	struct picture_answer answer = {
		.width = (uint32_t)job.picture.width,
		.height = (uint32_t)job.picture.height,
		.frames = (uint32_t)job.picture.frames,
		.trouble = job.trouble,
	};
	size_t pixels = (size_t)answer.width * answer.height * 4;
	bool ok =
	    confined_write(&answer, sizeof(answer)) && confined_write(job.picture.rgba, pixels);
	_exit(ok ? 0 : 1); /* exit handlers may need forbidden system calls */
}

/* ---- the process that waits for it ---- */

struct decoding {
	struct confined_job work; /* first */
	struct picture_job *job;
};

/* The reply is untrusted too: checks bounds, and that the pixel count matches. */
static bool
take_answer(struct picture_job *job, const struct buf *bytes)
{
	struct picture_answer answer;

	if (bytes->len < sizeof(answer))
		return false;
	memcpy(&answer, bytes->data, sizeof(answer));
	uint32_t most = (uint32_t)job->most;
	size_t pixels = (size_t)answer.width * answer.height * 4;
	bool fits = answer.width <= most && answer.height <= most;
	if (!fits || bytes->len - sizeof(answer) != pixels)
		return false;
	answer.trouble.text[sizeof(answer.trouble.text) - 1] = '\0';
	job->trouble = answer.trouble;
	if (pixels > 0)
		job->picture = (struct picture){ .width = (int)answer.width,
			.height = (int)answer.height,
			.frames = answer.frames < INT16_MAX ? (int)answer.frames : INT16_MAX,
			.rgba = mem_dup(bytes->data + sizeof(answer), pixels) };
	return pixels > 0 || answer.trouble.text[0];
}

static void
on_done(struct confined_job *work, const char *ended)
{
	struct decoding *d = (struct decoding *)work;
	struct picture_job *job = d->job;

	if (!take_answer(job, &work->answer) && !job->unwanted)
		err_set(&job->trouble, "the picture was not decoded: %s", ended);
	job->done(job);
}

bool
decoder_submit(struct confined *confined, struct picture_job *job)
{
	struct picture_request request = { .len = (uint32_t)job->len, .most = (uint32_t)job->most };
	size_t side = (size_t)job->most;

	if (job->len > PICTURE_MAX_BASE64)
		return err_set(&job->trouble, "too large to draw");
	struct decoding *d = mem_zalloc(sizeof(*d));
	*d = (struct decoding){ .work = { .option = PICTURE_OPTION,
				    .done = on_done,
				    .unwanted = &job->unwanted,
				    .answer_max =
					sizeof(struct picture_answer) + side * side * 4 + 1 },
		.job = job };
	buf_add(&d->work.request, &request, sizeof(request));
	buf_add(&d->work.request, job->base64, job->len);
	return confined_submit(confined, &d->work, &job->trouble);
}
