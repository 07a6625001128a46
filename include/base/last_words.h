/* SPDX-License-Identifier: MIT */
#ifndef BASE_LAST_WORDS_H
#define BASE_LAST_WORDS_H

#include <stddef.h>

/*
 * The end of a program's standard error, for a reader with little room: its last lines, and the
 * line of a crash report that says why, which a long backtrace pushes out of them.
 */
struct last_words {
	const char *tail; /* the last lines of the text */
	const char
	    *why; /* before them: "panic: …", "ValueError: …"; NULL: it is among them, or none */
	size_t why_len;
	/* That line wherever it is, or else the first ones that speak of an error; NULL: none. */
	const char *cause;
	size_t cause_len;
};

struct last_words last_words_of(const char *text, size_t lines); /* borrows text */

#endif
