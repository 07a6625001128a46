/* SPDX-License-Identifier: MIT */
#ifndef JSON_QUERY_H
#define JSON_QUERY_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * An expression of jq applied to a JSON value by libjq (Debian: libjq1), which is loaded for the
 * first one. libjq cannot be stopped and ends its process when memory runs out, so only a confined
 * process (host/confined.h), tests and fuzzing run one. jq's numbers are doubles.
 */
#define QUERY_MAX_BYTES ((size_t)64 << 20) /* of the value */
#define QUERY_MAX_ANSWER ((size_t)8 << 20) /* of all results */
#define QUERY_MAX_RESULTS ((size_t)100000)
#define QUERY_MAX_EXPRESSION ((size_t)16 << 10)
#define QUERY_NOWHERE SIZE_MAX

struct query_answer {
	struct buf text;    /* JSON: an array of the results */
	size_t count;       /* of results */
	bool more;          /* there would have been more than the bounds allow */
	size_t at;          /* a byte of the expression that the trouble is about; QUERY_NOWHERE */
	struct err trouble; /* why it ended after these results; "" if it just ended */
};

void query_answer_finish(struct query_answer *answer); /* leaves it zeroed */

/* A query to be run elsewhere. The memory belongs to the caller, who leaves it alone until done().
 */
struct query_job {
	const char *expression;
	struct buf value;                    /* JSON; taken */
	void (*done)(struct query_job *job); /* exactly once */
	void *work;                          /* of the one who runs it */
	struct query_answer answer;
};

bool query_load(struct err *err); /* the library; false: what to install */
/* Runs in this thread, without a time limit. False: nothing ran, for the reason in answer->trouble.
 */
bool query_run(const char *expression, const char *json, size_t len, struct query_answer *answer);
/* Makes what libjq says of an expression a line, and finds the place in the expression. */
void query_read_error(const char *expression, const char *said, struct query_answer *answer);

#endif
