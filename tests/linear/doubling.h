/* SPDX-License-Identifier: MIT */
#ifndef DOUBLING_H
#define DOUBLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Checks that a function does at most twice the work for twice the text. Work is counted, so load
 * on the machine does not matter: these tests link the product's files compiled with a call at each
 * branch (see the Makefile), and add the bytes that the C library scans and copies for them. Each
 * text is a short pattern, repeated, because repetition is what makes a scan quadratic.
 */
struct doubling {
	const char *name;
	/* Text around the repeated pattern, or NULL. */
	const char *before, *after;
	bool json;    /* the pattern is escaped as a part of a JSON string */
	bool hides;   /* secrets: it gets the patterns for that, too */
	size_t bytes; /* of the shorter text; 0: 2 KiB */
	int (*run)(const unsigned char *text, size_t len); /* a NUL follows the text */
};

/* Runs it with every pattern and prints what costs too much. Returns how many patterns did. */
size_t doubling_check(const struct doubling *row);

/* The work of one call, for tests that make the two inputs themselves. */
uint64_t doubling_work(void (*run)(void *user), void *user);

#endif
