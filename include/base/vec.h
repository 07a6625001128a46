/* SPDX-License-Identifier: MIT */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

/*
 * A growable array is any struct with `T *items; size_t len, cap;`, zeroed to
 * start with and released by free(v->items).
 */

/* Adds one uninitialized item and evaluates to its address. Addresses die at the next push. */
#define VEC_PUSH(v)                                                                   \
	((v)->items = vec_room((v)->items, &(v)->cap, (v)->len, sizeof(*(v)->items)), \
	    &(v)->items[(v)->len++])

/* Removes item i, keeping the order. */
#define VEC_REMOVE(v, i) vec_remove((v)->items, &(v)->len, (i), sizeof(*(v)->items))

/* Halves the indexes from low to high - 1 until low is the first one for which `before`, an
 * expression of mid, is false. */
#define BISECT(low, high, mid, before)                            \
	for (size_t mid; (low) < (high);)                         \
		if (mid = (low) + ((high) - (low)) / 2, (before)) \
			(low) = mid + 1;                          \
		else                                              \
			(high) = mid

void *vec_room(void *items, size_t *cap, size_t len, size_t item_size);
void vec_remove(void *items, size_t *len, size_t index, size_t item_size);

#endif
