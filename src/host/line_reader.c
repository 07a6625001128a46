/* SPDX-License-Identifier: MIT */
#include "line_reader.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>

struct reading {
	struct job job;             /* first */
	struct line_reader *reader; /* NULL: the reader is gone */
	struct raw_message line;
};

static void
run_reading(struct job *job)
{
	raw_message_read(&((struct reading *)job)->line, job);
}

static void
end_reading(struct job *job)
{
	struct reading *reading = (struct reading *)job;
	struct line_reader *r = reading->reader;
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
	while (r->waiting.len > 0 && !r->reading) {
		line = r->waiting.items[0];
		VEC_REMOVE(&r->waiting, 0);
		line_reader_add(r, &line);
	}
	r->on_busy(r->user);
}

void
line_reader_add(struct line_reader *r, struct raw_message *line)
{
	bool at_once = line->is_read || line->dropped > 0 || line->bytes->len < RAW_MESSAGE_LARGE;

	if (r->reading) {
		*VEC_PUSH(&r->waiting) = *line;
		return;
	}
	if (!r->worker || at_once) {
		raw_message_read(line, NULL);
		r->on_line(r->user, line);
		return;
	}
	r->reading = mem_zalloc(sizeof(*r->reading));
	*r->reading = (struct reading){
		.job = { .run = run_reading, .done = end_reading }, .reader = r, .line = *line
	};
	r->on_busy(r->user);
	worker_submit(r->worker, &r->reading->job);
}

size_t
line_reader_busy(const struct line_reader *r)
{
	return r->reading ? r->reading->line.bytes->len : 0;
}

void
line_reader_drop(struct line_reader *r)
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
