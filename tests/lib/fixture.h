/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include "base/clock.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Return the path of a program of tests/fixtures, from $FIXTURES or relative to the running test.
 * Static storage. */
const char *fixture(const char *name);

/* Return whether the process group has only zombies left. */
bool group_is_gone(pid_t group);

/* Valgrind turns posix_spawn() into fork(), so a failed exec is not reported. */
bool under_valgrind(void);

/* Return how long a test waits before it fails: a minute, or MCPANE_TEST_DEADLINE_MS. */
int64_t fixture_deadline_ms(void);

/* Return how long servers flood, at a thousand messages per second: two seconds, or FLOOD_S. */
int fixture_flood_s(void);

/* Turn the loop until the condition holds. */
#define TURN_UNTIL(loop, condition)                                        \
	do {                                                               \
		int64_t until_ms = clock_now_ms() + fixture_deadline_ms(); \
		while (!(condition)) {                                     \
			if (clock_now_ms() > until_ms)                     \
				fail_msg("never came: %s", #condition);    \
			loop_turn((loop), 20);                             \
		}                                                          \
	} while (0)

#endif
