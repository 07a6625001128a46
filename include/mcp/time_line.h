/* SPDX-License-Identifier: MIT */
#ifndef MCP_TIME_LINE_H
#define MCP_TIME_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The position of a server that replays a recording. */
struct time_line {
	size_t at, count;                 /* lines shown, and all that are known */
	int64_t at_us, first_us, last_us; /* since 1970 UTC; of the last line shown, and of all */
	int64_t target;                   /* on its way to this line; -1: it rests */
	bool reading;                     /* there may be more lines */
	bool grows;                       /* by the lines of a running tap */
	bool live;                        /* all lines are shown, and those that come */
	double speed;   /* it plays, this much faster than it was; 0: it does not */
	size_t damaged; /* lines that were skipped */
	/* Shows the lines up to this one, the first ones again if it is behind; SIZE_MAX: all, and
	 * those that come. speed: not 0 plays on from there. */
	void (*seek)(void *owner, size_t at, double speed);
	void *owner;
};

#endif
