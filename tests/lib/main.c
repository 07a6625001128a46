/* SPDX-License-Identifier: MIT */
/* The program for one kind of test, KIND [NAME [CASE]]: runs the tests of tests/KIND/test_NAME.c,
 * or only those that match CASE, in which * and ? are wildcards. */
#include "test.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static const char *wanted; /* the case */

/* The Makefile wraps the cmocka function (--wrap), so that this file can call the original. */
int __real__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
    CMFixtureFunction set_up, CMFixtureFunction tear_down);
int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
    CMFixtureFunction set_up, CMFixtureFunction tear_down);

/* cmocka reports success if no test matches the name, and the number of failures may be 77 or
 * 256. */
int
__wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
    CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
	size_t i = 0;

	while (wanted && i < count && fnmatch(wanted, tests[i].name, 0) != 0)
		i++;
	if (!wanted || i < count)
		return __real__cmocka_run_group_tests(group, tests, count, set_up, tear_down) != 0;
	fprintf(stderr, "no test is called %s; these are there:\n", wanted);
	for (i = 0; i < count; i++)
		fprintf(stderr, "  %s\n", tests[i].name);
	return 1;
}

static int
usage(const char *program)
{
	fprintf(stderr, "usage: %s NAME [CASE]; NAME is one of:\n", program);
	for (const struct test_file *file = TEST_FILES; file->name; file++)
		fprintf(stderr, "  %s\n", file->name);
	return 2;
}

int
main(int argc, char **argv)
{
	const struct test_file *file = TEST_FILES;

	if (argc < 2 || argc > 3)
		return usage(argv[0]);
	while (file->name && strcmp(file->name, argv[1]) != 0)
		file++;
	if (!file->name)
		return usage(argv[0]);
	wanted = argv[2];
	cmocka_set_test_filter(wanted);
	return file->run();
}
