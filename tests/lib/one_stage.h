/* SPDX-License-Identifier: MIT */
#ifndef TESTS_ONE_STAGE_H
#define TESTS_ONE_STAGE_H

#include "stage.h"

/* The stage of a cmocka test: 120 by 36 cells, opened before each test and closed after it. */
extern struct stage stage;

int stage_set_up(void **state);
int stage_tear_down(void **state);

/* Fail the test and print the screen if the text is missing (see) or present (see_not). */
void see(const char *text);
void see_not(const char *text);

#endif
