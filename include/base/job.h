#ifndef BASE_JOB_H
#define BASE_JOB_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * A piece of work that another thread may do. It lies in the memory of whoever hands it over, who
 * leaves it there until done(): that comes exactly once.
 */
struct job {
	void (*run)(struct job *job); /* anywhere; left out when stopped before its turn came */
	void (*done)(
	    struct job *job); /* later, on the thread that handed it over; may free the job */
	atomic_bool stop;     /* the result is not wanted: run() should end soon */
};

/* Hands a job over; never calls done() from within. */
typedef void job_submit_fn(void *user, struct job *job);

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

#endif
