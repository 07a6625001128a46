/* SPDX-License-Identifier: MIT */
#ifndef TESTS_JOB_QUEUE_H
#define TESTS_JOB_QUEUE_H

#include "base/job.h"

/* Queues jobs until the test runs them, each in its own thread. The struct must not move. */
struct job_queue {
	struct jobs jobs;
	struct {
		struct job **items;
		size_t len, cap;
	} waiting;
};

void job_queue_init(struct job_queue *q);
/* Run and finish the first job. Until it is done, call meanwhile(user) repeatedly in this
 * thread. */
void job_queue_run(struct job_queue *q, void (*meanwhile)(void *user), void *user);
/* Finish the remaining jobs. Fails the test if one of them was not stopped. */
void job_queue_finish(struct job_queue *q);

#endif
