#include "reader_priv.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>

/* What is smaller is read within a millisecond. */
#define READ_LATER_BYTES ((size_t)256 << 10)

struct reading {
	struct job job;        /* first */
	struct reader *reader; /* NULL: nobody waits for it any more */
	struct raw_message line;
};

static void take(struct reader *r, struct raw_message *line);

static void
work_off(struct reader *r)
{
	while (r->waiting.len > 0 && !r->reading) {
		struct raw_message line = r->waiting.items[0];
		VEC_REMOVE(&r->waiting, 0);
		take(r, &line);
	}
}

static void
run(struct job *job)
{
	raw_message_read(&((struct reading *)job)->line, job);
}

static void
done(struct job *job)
{
	struct reading *reading = (struct reading *)job;
	struct reader *r = reading->reader;
	struct raw_message line = reading->line;
	bool stopped = job_is_stopped(job);

	free(reading);
	if (r)
		r->reading = NULL;
	if (!r || stopped) {
		raw_message_finish(&line);
		return;
	}
	r->on_line(r->user, &line);
	work_off(r);
	r->on_busy(r->user);
}

static void
take(struct reader *r, struct raw_message *line)
{
	if (!r->worker || line->dropped > 0 || line->bytes->len < READ_LATER_BYTES) {
		raw_message_read(line, NULL);
		r->on_line(r->user, line);
		return;
	}
	r->reading = mem_zalloc(sizeof(*r->reading));
	*r->reading =
	    (struct reading){ .job = { .run = run, .done = done }, .reader = r, .line = *line };
	r->on_busy(r->user);
	worker_submit(r->worker, &r->reading->job);
}

void
reader_add(struct reader *r, struct frame_line from)
{
	struct raw_message line;

	raw_message_init(&line, from.bytes, from.dropped);
	line.cut = from.unterminated;
	line.stream = from.stream;
	if (r->reading)
		*VEC_PUSH(&r->waiting) = line;
	else
		take(r, &line);
}

size_t
reader_busy(const struct reader *r)
{
	return r->reading ? r->reading->line.bytes->len : 0;
}

void
reader_drop(struct reader *r)
{
	if (r->reading) {
		job_stop(&r->reading->job);
		r->reading->reader = NULL;
		r->reading = NULL;
	}
	for (size_t i = 0; i < r->waiting.len; i++)
		raw_message_finish(&r->waiting.items[i]);
	free(r->waiting.items);
	r->waiting.items = NULL;
	r->waiting.len = r->waiting.cap = 0;
}
