/* SPDX-License-Identifier: MIT */
#ifndef LOOP_WORKER_H
#define LOOP_WORKER_H

#include "base/job.h"
#include "loop/loop.h"

/*
 * Threads for work that would block the loop. The first starts with the first job, a second if the
 * first is busy. They block signals. Jobs start in the order of submission.
 */
struct worker;

struct worker *worker_create(struct loop *loop); /* starts nothing */
/* Stops all jobs except those with at_end, and waits for all of them, in total at most this
 * long. Calls done() of each job before it returns, except of jobs that still run: then it
 * returns false, and their data must stay until the process ends with _exit(). Call it before
 * loop_destroy(). NULL-safe. */
bool worker_destroy(struct worker *worker, int wait_ms);

/* done() is called from the loop. If no thread can be created, the job runs before this returns. */
void worker_submit(struct worker *worker, struct job *job);

#endif
