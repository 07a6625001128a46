/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One row for each target, for replay.c. The Makefile writes the table; a row without a name ends
 * it. */
struct fuzz_target {
	const char *name;
	int (*run)(const uint8_t *data, size_t size);
};
extern const struct fuzz_target FUZZ_TARGETS[];

/* Conditions that every input must satisfy. */
#define demand(holds) demand_at((holds), #holds, __FILE__, __LINE__)
static inline void
demand_at(bool holds, const char *text, const char *file, int line)
{
	if (holds)
		return;
	fprintf(stderr, "%s:%d: not true: %s\n", file, line, text);
	abort();
}

#endif
