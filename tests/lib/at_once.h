#ifndef TESTS_AT_ONCE_H
#define TESTS_AT_ONCE_H

#include <stdbool.h>

/* Runs body(0) to body(programs - 1) in processes of their own that begin at the same moment, and
 * fails the cmocka test unless every one of them returns true. */
void at_once(int programs, bool (*body)(int number));

#endif
