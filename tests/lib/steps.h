#ifndef TESTS_STEPS_H
#define TESTS_STEPS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Work counted instead of timed: the files in COUNTED of the Makefile take a step for each basic
 * block that runs, so each turn of their loops counts, on any machine the same.
 */

typedef void steps_fn(const char *text, size_t len);
/* Some KB of the repeated pattern, and four times as much: does that cost about four times the
 * steps, and at most so many a byte? If not it says what was counted. */
bool steps_are_linear(
    steps_fn *look, const char *pattern, size_t len, size_t bytes, size_t most_per_byte);

#endif
