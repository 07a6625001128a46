/* SPDX-License-Identifier: MIT */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A growable byte buffer with a hard upper bound. The bound is part of the type
 * on purpose: every byte that enters the program enters through one. An append
 * that would pass the bound appends nothing and sets `overflowed`, which stays
 * set, so a writer may append many times and look once.
 */
struct buf {
	char *data; /* NUL-terminated once non-NULL; may hold NULs before that */
	size_t len;
	size_t cap;
	size_t max; /* 0 means no bound */
	bool overflowed;
};

#define BUF_INIT  \
	{         \
		0 \
	} /* an empty buffer without a bound */

void buf_init(struct buf *b, size_t max);
void buf_finish(struct buf *b); /* NULL-safe; leaves b empty and reusable, the bound kept */
void buf_clear(struct buf *b);  /* empties, keeps the memory */

/* Append. False: the bound was hit and nothing was appended. */
bool buf_add(struct buf *b, const void *data, size_t len);
bool buf_add_str(struct buf *b, const char *text);
bool buf_add_char(struct buf *b, char c);
bool buf_addf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes room for at least len more bytes and returns its address, NULL if over the bound.
 * Call buf_commit() with the number of bytes written. */
char *buf_reserve(struct buf *b, size_t len);
void buf_commit(struct buf *b, size_t len);

void buf_consume(struct buf *b, size_t len);                       /* drops the first len bytes */
void buf_replace(struct buf *b, const char *from, const char *to); /* all; from is not empty */
void buf_truncate(struct buf *b, size_t len);
const char *buf_text(const struct buf *b); /* never NULL: "" when empty */
char *buf_detach(struct buf *b);           /* gives the NUL-terminated bytes away; caller frees */

/*
 * Immutable bytes with a reference count: the raw form of a message, shared by
 * the journal and by the panes that show a part of it. Not for use across threads.
 */
struct blob {
	size_t refs;
	size_t len;
	char *data; /* NUL-terminated for convenience; may hold NULs before that */
};

struct blob *blob_from_bytes(const void *bytes, size_t len); /* one reference, a copy */
struct blob *blob_take_buf(struct buf *b); /* takes b's memory, trimmed; leaves b empty */
struct blob *blob_ref(struct blob *blob);  /* returns blob */
void blob_unref(struct blob *blob);        /* NULL-safe; the last one frees */

#endif
