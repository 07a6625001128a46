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
/* Stops all jobs and waits until the running ones have noticed. Calls done() of each before it
 * returns. Call it before loop_destroy(). NULL-safe. */
void worker_destroy(struct worker *worker);

/* done() is called from the loop. If no thread can be created, the job runs before this returns. */
void worker_submit(struct worker *worker, struct job *job);

#endif
