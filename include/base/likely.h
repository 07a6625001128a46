#ifndef BASE_LIKELY_H
#define BASE_LIKELY_H

#include <stddef.h>

/*
 * What was probably meant by a misspelt word: of the names tried, the one that takes the fewest
 * letters put in, left out, changed or swapped with their neighbour, and not too many of them.
 * Case does not matter. Where very many names are tried, the last ones may not be looked at.
 */
struct likely {
	const char *word; /* borrowed, like the names */
	size_t len, changes;
	size_t left; /* of its work; whoever has many words may give each less */
	const char *name; /* NULL: none so far */
};

void likely_init(struct likely *l, const char *word, size_t len); /* NULL, 0: nothing is */
void likely_try(struct likely *l, const char *name);

#endif
