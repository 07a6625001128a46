/* SPDX-License-Identifier: MIT */
#ifndef TESTS_AT_ONCE_H
#define TESTS_AT_ONCE_H

#include <stdbool.h>

/* Runs body(0) to body(programs - 1), each in its own process, all released at the same moment.
 * Fails the cmocka test unless every call returns true. */
void at_once(int programs, bool (*body)(int number));

#endif
