/* SPDX-License-Identifier: MIT */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

/* cmocka with its prerequisites, and the entry point of a test file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

/*
 * Begins the function that runs the tests of tests/KIND/test_NAME.c. It returns the exit code: 0,
 * 77 if the tests were skipped, or another value on failure. Each file runs in its own process, so
 * it may change process-wide state.
 */
#define TEST_FILE(name)             \
	int test_file_##name(void); \
	int test_file_##name(void)

/* One row for each file of a kind. The Makefile writes the table; a row with a NULL name ends
 * it. */
struct test_file {
	const char *name;
	int (*run)(void);
};
extern const struct test_file TEST_FILES[];

#endif
