#ifndef TESTS_STEPS_H
#define TESTS_STEPS_H

#include <stddef.h>

/*
 * Work counted instead of timed: the files in COUNTED of the Makefile take a step for each basic
 * block that runs, so each turn of their loops counts, on any machine the same.
 */

/* One size of input, and what looks at it. */
typedef void steps_fn(const char *text, size_t len);
/* The repeated pattern, some KB of it and four times as much, costs about four times the steps, and
 * at most so many a byte. Fails the test, and names the pattern. */
void steps_expect_linear(steps_fn *look, const char *pattern, size_t bytes, size_t most_per_byte);

#endif
