/* SPDX-License-Identifier: MIT */
#ifndef BASE_SHARED_LIBRARY_H
#define BASE_SHARED_LIBRARY_H

#include "base/err.h"

#include <stdbool.h>

/*
 * A shared library that is loaded on first use instead of linked, so that an unused one does not
 * slow the start. It stays loaded; another call costs almost nothing.
 */

/* api: a struct of nothing but pointers to functions, in the order of names, which end with NULL.
 * False: err says which library or function is missing. */
bool shared_library_load(const char *file, const char *const *names, void *api, struct err *err);

/* The same for functions that a header declares, listed once: FUNCTIONS(X) is X(name)... and the
 * struct is struct { FUNCTIONS(SHARED_LIBRARY_POINTER) }. */
#define SHARED_LIBRARY_POINTER(name) __typeof__(&name) name;
#define SHARED_LIBRARY_NAME(name) #name,
#define SHARED_LIBRARY_LOAD(file, FUNCTIONS, api, err) \
	shared_library_load(                           \
	    (file), (const char *const[]){ FUNCTIONS(SHARED_LIBRARY_NAME) NULL }, (api), (err))

#endif
