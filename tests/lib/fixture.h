#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include "base/clock.h"

#include <stdbool.h>
#include <sys/types.h>

/* The path of a program of tests/fixtures: in $FIXTURES, else beside the running test. Static. */
const char *fixture(const char *name);

/* True when the process group has no member but zombies. */
bool group_is_gone(pid_t group);

/* Turns the loop until the condition holds; a test that waits ten seconds has failed. */
#define TURN_UNTIL(loop, condition)                                     \
	do {                                                            \
		int64_t until_ms = clock_now_ms() + 10000;              \
		while (!(condition)) {                                  \
			if (clock_now_ms() > until_ms)                  \
				fail_msg("never came: %s", #condition); \
			loop_turn((loop), 20);                          \
		}                                                       \
	} while (0)

#endif
