#ifndef JSON_SPLICE_H
#define JSON_SPLICE_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Changes one member or item of a JSON text that people write (json/comments.h) and leaves every
 * other byte as it is: comments, order, indentation, numbers. path: keys from the root, which is an
 * object, and indexes of items, NULL-terminated, at least one. The result is parsed again before it
 * is given out; if it is not the edit that was meant nothing is, and err says why.
 */

/* value: one JSON value; lines after its first are indented as far as the member. Objects that are
 * missing on the way are made; items are not. */
bool json_splice_set(const char *text, size_t len, const char *const *path, const char *value,
    struct buf *out, struct err *err);
/* The last of path is a key: no item is removed. */
bool json_splice_remove(
    const char *text, size_t len, const char *const *path, struct buf *out, struct err *err);

#endif
