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

void *vec_room(void *items, size_t *cap, size_t len, size_t item_size);
void vec_remove(void *items, size_t *len, size_t index, size_t item_size);

#endif
