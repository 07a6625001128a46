#ifndef BASE_BLOB_H
#define BASE_BLOB_H

#include <stddef.h>

/*
 * Immutable bytes with a reference count: the raw form of a message, shared by
 * the journal and by whoever shows a part of it. Not for use across threads.
 */
struct blob {
	size_t refs;
	size_t len;
	char *data; /* NUL-terminated for convenience; may hold NULs before that */
};

struct buf;

struct blob *blob_from_bytes(const void *bytes, size_t len); /* one reference, a copy */
struct blob *blob_take_buf(struct buf *b); /* takes b's memory, trimmed; leaves b empty */
struct blob *blob_ref(struct blob *blob);  /* returns blob */
void blob_unref(struct blob *blob);        /* NULL-safe; the last one frees */

#endif
