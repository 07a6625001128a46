/* SPDX-License-Identifier: MIT */
#ifndef HOST_CONFINED_H
#define HOST_CONFINED_H

#include "base/buf.h"
#include "base/err.h"
#include "json/query.h"
#include "loop/loop.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Sandboxed computation: decoding a picture of a server, an expression of jq. Each job runs in a
 * separate process of this program, without environment, extra descriptors or secrets, with limits
 * of memory and time, and on x86_64 and aarch64 with a seccomp filter. If the kernel refuses the
 * filter, the limits remain.
 */

/* ---- in the main process ---- */
/* The first member of a struct that the caller allocates; freed with both texts after done(). */
struct confined_job {
	const char *option; /* the program's first argument: which work */
	struct buf request; /* for its standard input */
	size_t
	    answer_max; /* bytes; a longer answer is cut, so its length does not match its header */
	int limit_ms;   /* a process that takes longer is killed; 0: the one of the runner */
	/* Exactly once, from the loop. ended: how the process ended, "exit code 0", or why it did
	 * not run. */
	void (*done)(struct confined_job *job, const char *ended);
	void *user;
	const bool *unwanted; /* do not start it if set by its turn; may be NULL */
	struct buf answer;
};

struct confined;
/* program: the executable to run. Starts nothing yet. */
struct confined *confined_create(struct loop *loop, const char *program, int limit_ms);
/* Calls done() of every remaining job. NULL-safe. */
void confined_destroy(struct confined *confined);
/* Never calls done() from within. Two processes run at once; further jobs wait. False: it cannot
 * be started; it is freed, and done() is not called. */
bool confined_submit(struct confined *confined, struct confined_job *job, struct err *err);

/* ---- in the process that does the work ---- */
struct confined_limits {
	size_t memory_bytes;
	size_t cpu_seconds;
	bool calls_fail; /* a forbidden system call fails; otherwise it kills the process */
};
/* After this call, the process can only compute, read and write open descriptors, and exit. */
void confined_enter(const struct confined_limits *limits);
bool confined_read(void *to, size_t len);          /* from descriptor 0; false: it ended before */
bool confined_write(const void *from, size_t len); /* to descriptor 1 */

/* Runs expressions of jq in confined processes: without files and environment, in bounded memory
 * and time, and stopped at any moment. */
struct confined;

/* True: done() is called later from the loop. False: the job is complete and done() is not
 * called. */
bool query_submit(struct confined *confined, struct query_job *job);
/* Calls done() of a job that was submitted and is not done. */
void query_stop(struct confined *confined, struct query_job *job);

/* ---- in the process that runs one ---- */
#define QUERY_OPTION "--run-jq"
int query_serve(void); /* returns the exit code */

#endif
