#ifndef LOOP_WORKER_H
#define LOOP_WORKER_H

#include "base/job.h"
#include "loop/loop.h"

/*
 * Threads for work that would hold the loop up. There is none before the first job; then one, and a
 * second when the first is busy. They take no signals. Jobs start in the order they came.
 */
struct worker;

struct worker *worker_create(struct loop *loop); /* starts nothing */
/* Stops every job that is left and waits for those that run: as long as they take to see that.
 * Their done() is called before this returns. Before the loop is destroyed. NULL-safe. */
void worker_destroy(struct worker *worker);

/* done() comes from the loop. Where the system gives no thread the job runs before this returns. */
void worker_submit(struct worker *worker, struct job *job);

#endif
