#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A shared library that is loaded where it is needed first, and never linked: what nobody uses does
 * not slow the start. Once loaded it stays, so that asking again costs next to nothing.
 */

/* api: a struct of nothing but `count` pointers to functions, in the order of names. False: err
 * says which library or function is missing. */
bool library_load(
    const char *file, const char *const *names, size_t count, void *api, struct err *err);

#endif
