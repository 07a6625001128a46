#ifndef TESTS_JOB_QUEUE_H
#define TESTS_JOB_QUEUE_H

#include "base/job.h"

/* Keeps the jobs of an interface until the test runs them, each in a thread of its own. It must not
 * move. */
struct job_queue {
	struct jobs jobs;
	struct {
		struct job **items;
		size_t len, cap;
	} waiting;
};

void job_queue_init(struct job_queue *q);
/* Runs the first and ends it; meanwhile, in this thread, calls meanwhile(user) again and again. */
void job_queue_run(struct job_queue *q, void (*meanwhile)(void *user), void *user);
/* Ends those that are left: the test fails if one of them is still wanted. */
void job_queue_finish(struct job_queue *q);

#endif
