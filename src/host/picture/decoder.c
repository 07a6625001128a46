#include "decoding.h"

#include "base/mem.h"
#include "base/vec.h"
#include "loop/child.h"
#include "loop/stream.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Concurrent processes. */
enum { AT_ONCE = 2 };

struct decoding {
	struct decoder *decoder;
	struct picture_job *job;
	struct child *child;
	struct stream_in in;
	struct stream_out out;
	struct buf answer;
	struct loop_timer timer;
	bool exited, ended; /* the process and its output */
	char how[64];       /* it exited */
};

struct decoder {
	struct loop *loop;
	char *program;
	int limit_ms;
	struct {
		struct picture_job **items;
		size_t len, cap;
	} waiting;
	struct {
		struct decoding **items;
		size_t len, cap;
	} running;
};

/* The reply is untrusted too: checks bounds, and that the pixel count matches. */
static bool
take_answer(struct decoding *d)
{
	struct picture_job *job = d->job;
	struct picture_answer answer;

	if (d->answer.len < sizeof(answer))
		return false;
	memcpy(&answer, d->answer.data, sizeof(answer));
	uint32_t most = (uint32_t)job->most;
	size_t pixels = (size_t)answer.width * answer.height * 4;
	bool fits = answer.width <= most && answer.height <= most;
	if (!fits || d->answer.len - sizeof(answer) != pixels)
		return false;
	answer.trouble.text[sizeof(answer.trouble.text) - 1] = '\0';
	job->trouble = answer.trouble;
	if (pixels > 0)
		job->picture = (struct picture){ (int)answer.width, (int)answer.height,
			mem_dup(d->answer.data + sizeof(answer), pixels) };
	return pixels > 0 || answer.trouble.text[0];
}

static void start_next(struct decoder *decoder);

/* Frees d; trouble: why it failed, or NULL. */
static void
conclude(struct decoding *d, const char *trouble)
{
	struct decoder *decoder = d->decoder;
	struct picture_job *job = d->job;

	if (trouble)
		err_set(&job->trouble, "the picture was not decoded: %s", trouble);
	for (size_t i = 0; i < decoder->running.len; i++)
		if (decoder->running.items[i] == d)
			VEC_REMOVE(&decoder->running, i);
	loop_timer_cancel(&d->timer);
	stream_in_finish(&d->in);
	stream_out_finish(&d->out);
	child_destroy(d->child);
	buf_finish(&d->answer);
	free(d);
	job->done(job);
}

static void
check_end(struct decoding *d)
{
	struct decoder *decoder = d->decoder;

	if (!d->exited || !d->ended)
		return;
	conclude(d, take_answer(d) ? NULL : d->how);
	start_next(decoder);
}

static void
on_exited(void *user, const struct child_status *status)
{
	struct decoding *d = user;

	child_status_text(status, d->how, sizeof(d->how));
	d->exited = true;
	check_end(d);
}

static void
on_bytes(void *user, const char *bytes, size_t len)
{
	struct decoding *d = user;

	buf_add(&d->answer, bytes, len); /* within its bound: take_answer() checks */
}

static void
on_end(void *user, int error)
{
	struct decoding *d = user;

	d->ended = true;
	check_end(d);
}

static void
on_timer(void *user)
{
	struct decoding *d = user;
	struct decoder *decoder = d->decoder;

	conclude(d, "it took too long");
	start_next(decoder);
}

static bool
send_job(struct decoding *d)
{
	const struct picture_job *job = d->job;
	struct picture_request request = { .len = (uint32_t)job->len, .most = (uint32_t)job->most };
	int fd = child_fd(d->child, STDIN_FILENO);

	stream_out_init(&d->out, d->decoder->loop, fd, sizeof(request) + job->len);
	bool ok = stream_out_add(&d->out, (const char *)&request, sizeof(request)) &&
		  stream_out_add(&d->out, job->base64, job->len);
	stream_out_flush(&d->out);
	return ok;
}

static bool
start(struct decoder *decoder, struct picture_job *job)
{
	static const struct child_ladder at_once = { 0, 0 };
	static const char *const inherits[] = { "LD_LIBRARY_PATH", NULL }; /* to find libpng */
	const char *argv[] = { decoder->program, PICTURE_OPTION, NULL };
	struct child_options options = { .argv = argv, .ladder = &at_once, .inherits = inherits };
	struct decoding *d = mem_zalloc(sizeof(*d));

	*d = (struct decoding){ .decoder = decoder, .job = job };
	d->timer = (struct loop_timer){ .fn = on_timer, .user = d };
	d->child = child_spawn(decoder->loop, &options, on_exited, d, &job->trouble);
	if (!d->child) {
		free(d);
		return false;
	}
	size_t side = (size_t)job->most;
	d->answer.max = sizeof(struct picture_answer) + side * side * 4 + 1;
	child_close_fd(d->child, STDERR_FILENO);
	stream_in_init(
	    &d->in, decoder->loop, child_fd(d->child, STDOUT_FILENO), on_bytes, on_end, d);
	loop_timer_set(decoder->loop, &d->timer, loop_now_ms(decoder->loop) + decoder->limit_ms);
	*VEC_PUSH(&decoder->running) = d;
	BUG_IF(!send_job(d));
	return true;
}

static void
start_next(struct decoder *decoder)
{
	while (decoder->waiting.len > 0 && decoder->running.len < AT_ONCE) {
		struct picture_job *job = decoder->waiting.items[0];
		VEC_REMOVE(&decoder->waiting, 0);
		if (job->unwanted || !start(decoder, job))
			job->done(job);
	}
}

/* ---- interface ---- */

struct decoder *
decoder_create(struct loop *loop, const char *program, int limit_ms)
{
	struct decoder *decoder = mem_zalloc(sizeof(*decoder));

	*decoder =
	    (struct decoder){ .loop = loop, .program = mem_strdup(program), .limit_ms = limit_ms };
	return decoder;
}

void
decoder_destroy(struct decoder *decoder)
{
	if (!decoder)
		return;
	while (decoder->running.len > 0)
		conclude(decoder->running.items[0], "the program ends");
	while (decoder->waiting.len > 0) {
		struct picture_job *job = decoder->waiting.items[0];
		VEC_REMOVE(&decoder->waiting, 0);
		job->done(job);
	}
	free(decoder->running.items);
	free(decoder->waiting.items);
	free(decoder->program);
	free(decoder);
}

bool
decoder_submit(struct decoder *decoder, struct picture_job *job)
{
	if (job->len > PICTURE_MAX_BASE64)
		return err_set(&job->trouble, "too large to draw");
	if (decoder->running.len < AT_ONCE)
		return start(decoder, job);
	*VEC_PUSH(&decoder->waiting) = job;
	return true;
}
