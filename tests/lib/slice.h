/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SLICE_H
#define TESTS_SLICE_H

#include <stdbool.h>

/*
 * A minimal JSON reader for test servers; its input must be well-formed. It shares no code with the
 * program's parser, so that one defect cannot hide on both sides.
 */
struct slice {
	const char *at; /* NULL if absent */
	int len;
};

/* Return the text of a member's value. object is the text of an object. */
struct slice slice_find(struct slice object, const char *key);
/* Return whether the value is the string `name`, compared without unescaping. */
bool slice_names(struct slice s, const char *name);

#endif
