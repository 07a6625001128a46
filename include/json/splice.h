/* SPDX-License-Identifier: MIT */
#ifndef JSON_SPLICE_H
#define JSON_SPLICE_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Changes one member or item of a JSON text that people write (json/comments.h) and no other byte:
 * comments, order, indentation and numbers are kept. path: keys from the root, which is an object,
 * and indexes of items, NULL-terminated, at least one. The result is parsed again; if it is not the
 * intended edit, nothing is returned, with the reason in err.
 */

/* value: one JSON value; lines after its first are indented as far as the member. Objects that are
 * missing on the way are made; items are not. NULL removes the member; no item is removed. */
bool json_splice_set(const char *text, size_t len, const char *const *path, const char *value,
    struct buf *out, struct err *err);

#endif
