#include "bundles.h"

#include "base/mem.h"
#include "host/bundle.h"

#include <stdlib.h>

struct bundles_job {
	struct job job;
	struct target target; /* to unpack, or */
	struct strings paths; /* to read */
	bundles_done_fn *done;
	void *user;
	struct err err;
};

static void
run_reading(struct job *job)
{
	struct bundles_job *b = (struct bundles_job *)job;

	for (size_t i = 0; i < b->paths.len && !job_is_stopped(job); i++)
		bundle_read_ahead(b->paths.items[i], job);
}

static void
run_unpacking(struct job *job)
{
	struct bundles_job *b = (struct bundles_job *)job;

	bundle_unpack(&b->target, job, &b->err);
}

static void
on_done(struct job *job)
{
	struct bundles_job *b = (struct bundles_job *)job;

	if (!job_is_stopped(job))
		b->done(b->user, b->err.text[0] ? b->err.text : NULL);
	target_finish(&b->target);
	strings_finish(&b->paths);
	free(b);
}

static void
submit(struct worker *worker, struct job **slot, const struct bundles_job *what)
{
	struct bundles_job *b = mem_zalloc(sizeof(*b));

	*b = *what;
	b->job.done = on_done;
	b->job.slot = slot;
	*slot = &b->job;
	worker_submit(worker, &b->job);
}

void
bundles_read_ahead(struct worker *worker, struct job **slot, struct strings *paths_taken,
    bundles_done_fn *done, void *user)
{
	submit(worker, slot,
	    &(struct bundles_job){
		.job = { .run = run_reading },
		.paths = *paths_taken,
		.done = done,
		.user = user,
	    });
	*paths_taken = (struct strings){ 0 };
}

void
bundles_unpack(struct worker *worker, struct job **slot, const struct target *target,
    bundles_done_fn *done, void *user)
{
	submit(worker, slot,
	    &(struct bundles_job){
		.job = { .run = run_unpacking },
		.target = { .file = mem_strdup(target->file), .cwd = mem_strdup(target->cwd) },
		.done = done,
		.user = user,
	    });
}
