#ifndef TESTS_ONE_STAGE_H
#define TESTS_ONE_STAGE_H

#include "stage.h"

/* The one stage of a test, for cmocka: of 120 by 36 cells, opened before and closed after it. */
extern struct stage stage;

int stage_set_up(void **state);
int stage_tear_down(void **state);

/* Fail the test, and show the screen, where the text is not there, or is. */
void see(const char *text);
void see_not(const char *text);

#endif
