#ifndef TESTS_SLICE_H
#define TESTS_SLICE_H

#include <stdbool.h>

/*
 * Just enough reading of JSON for test servers, on well-formed text: it shares no
 * line with the program's parser, so that a fault cannot hide on both sides.
 */
struct slice {
	const char *at; /* NULL: absent */
	int len;
};

/* The value of a member, as its text; object is the text of an object. */
struct slice slice_find(struct slice object, const char *key);
/* It is the string `name`, compared without escapes. */
bool slice_names(struct slice s, const char *name);

#endif
