/* SPDX-License-Identifier: MIT */
#include "job_queue.h"

#include "base/vec.h"
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static void
submit(void *user, struct job *job)
{
	struct job_queue *q = user;

	*VEC_PUSH(&q->waiting) = job;
}

void
job_queue_init(struct job_queue *q)
{
	*q = (struct job_queue){ .jobs = { .submit = submit, .user = q } };
}

struct elsewhere {
	struct job *job;
	atomic_bool over;
};

static void *
run_elsewhere(void *user)
{
	struct elsewhere *e = user;

	if (!job_is_stopped(e->job))
		e->job->run(e->job);
	atomic_store(&e->over, true);
	return NULL;
}

void
job_queue_run(struct job_queue *q, void (*meanwhile)(void *user), void *user)
{
	struct elsewhere e = { .job = q->waiting.items[0] };
	pthread_t thread;

	VEC_REMOVE(&q->waiting, 0);
	assert_int_equal(pthread_create(&thread, NULL, run_elsewhere, &e), 0);
	do {
		if (meanwhile)
			meanwhile(user);
		sched_yield();
	} while (!atomic_load(&e.over));
	pthread_join(thread, NULL);
	job_end(e.job);
}

void
job_queue_finish(struct job_queue *q)
{
	for (size_t i = 0; i < q->waiting.len; i++) {
		assert_true(job_is_stopped(q->waiting.items[i]));
		job_end(q->waiting.items[i]);
	}
	assert_int_equal(q->jobs.open, 0);
	free(q->waiting.items);
	q->waiting.items = NULL;
	q->waiting.len = q->waiting.cap = 0;
}
