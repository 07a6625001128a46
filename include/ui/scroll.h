#ifndef UI_SCROLL_H
#define UI_SCROLL_H

#include "ui/input.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Moves the first row shown: arrows, j k, PgUp PgDn, space, Home End, g G, the wheel.
 * page: rows that PgDn goes. The end is SIZE_MAX: the caller, who knows how many rows there are,
 * bounds what comes out. False: not a key of these, nothing moved.
 */
bool scroll_key(const struct key *key, size_t page, size_t *top);

#endif
