#ifndef TESTS_TEST_H
#define TESTS_TEST_H

/* cmocka with what it wants before it, and what a test file has in place of main(). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

/*
 * Opens the function that runs the tests of tests/KIND/test_NAME.c and returns the exit code: 0, 77
 * if they were skipped, else something went wrong. Each file runs in a process of its own, so it
 * may set whatever a process has.
 */
#define TEST_FILE(name)             \
	int test_file_##name(void); \
	int test_file_##name(void)

/* One row for each file of a kind. The Makefile writes the table; a row without a name ends it. */
struct test_file {
	const char *name;
	int (*run)(void);
};
extern const struct test_file TEST_FILES[];

#endif
