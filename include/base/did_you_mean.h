#ifndef BASE_DID_YOU_MEAN_H
#define BASE_DID_YOU_MEAN_H

#include <stddef.h>

/*
 * The name that a misspelled word probably means: of the names tried, the one with the fewest
 * letters inserted, dropped, changed or swapped, if there are few enough of them. Case does not
 * matter. After very many names the work runs out and the rest are ignored.
 */
struct did_you_mean {
	const char *word; /* borrowed, like the names */
	size_t len, changes;
	size_t left;      /* letters it may still compare; a caller with many words may lower it */
	const char *name; /* the best so far, NULL if there is none */
};

/* NULL and 0: no name will match. */
void did_you_mean_init(struct did_you_mean *l, const char *word, size_t len);
void did_you_mean_try(struct did_you_mean *l, const char *name);

#endif
