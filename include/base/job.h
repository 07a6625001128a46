/* SPDX-License-Identifier: MIT */
#ifndef BASE_JOB_H
#define BASE_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A piece of work for another thread, on data that does not change until it is done. The owner
 * keeps its memory until done(), which is called exactly once.
 */
struct job {
	void (*run)(struct job *job); /* anywhere; left out when stopped before its turn came */
	/* Later, on the thread that handed it over; may free the job. */
	void (*done)(struct job *job);
	atomic_bool stop; /* the result is not wanted: run() should end soon */
	bool at_end;      /* wanted at the end of the program too, which waits a moment for it */
	atomic_size_t progress; /* of run(), in a unit that the job chooses */
	struct jobs *jobs;      /* job_start() sets these two */
	struct job **slot;
};

/* Hands a job over; never calls done() from within. job_end() ends it. */
typedef void job_submit_fn(void *user, struct job *job);

/* The jobs of an interface, and the function that takes them. */
struct jobs {
	job_submit_fn *submit;
	void (*changed)(void *user); /* a job that was still wanted is done */
	void *user;
	size_t open; /* submitted and not done */
	size_t
	    outside; /* work of other processes: commands that follow wait for it, no frame does */
};

/* Starts a job. *slot belongs to its purpose: it points to the job until that is done, and an
 * earlier job in it is dropped. If jobs is NULL, run() and done() are called at once. */
void job_start(struct jobs *jobs, struct job *job, struct job **slot);
/* Stops the job of the slot, if any, and forgets it. Its done() finds it stopped, and only frees.
 */
void job_drop(struct job **slot);
void job_end(struct job *job); /* for those who run jobs: calls done() */

static inline void
job_stop(struct job *job)
{
	atomic_store_explicit(&job->stop, true, memory_order_relaxed);
}

static inline bool
job_is_stopped(const struct job *job)
{
	return atomic_load_explicit(&job->stop, memory_order_relaxed);
}

/* Called by run(): records the progress; false if the job must end. */
static inline bool
job_goes_on(struct job *job, size_t progress)
{
	atomic_store_explicit(&job->progress, progress, memory_order_relaxed);
	return !job_is_stopped(job);
}

static inline size_t
job_progress(const struct job *job)
{
	return atomic_load_explicit(&job->progress, memory_order_relaxed);
}

#endif
