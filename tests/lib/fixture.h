#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include "base/clock.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The path of a program of tests/fixtures: in $FIXTURES, else in the tree of the running test.
 * Static. */
const char *fixture(const char *name);

/* True when the process group has no member but zombies. */
bool group_is_gone(pid_t group);

/* It starts processes by a real fork(), so that a failed exec cannot be told. */
bool under_valgrind(void);

/* How long a test waits before it has failed: a minute, or MCPANE_TEST_DEADLINE_MS. */
int64_t fixture_deadline_ms(void);

/* How long servers flood, a thousand messages a second: two seconds, or FLOOD_S. */
int fixture_flood_s(void);

/* Turns the loop until the condition holds. */
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
