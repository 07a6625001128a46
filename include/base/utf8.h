/* SPDX-License-Identifier: MIT */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One strict UTF-8 sequence (RFC 3629: no overlong form, no surrogate, at most U+10FFFF).
 * Returns its length in bytes, 0 when the bytes at s are not one or are cut short. */
size_t utf8_decode(const char *s, size_t len, uint32_t *code_point);

/* Writes 1 to 4 bytes, no NUL, and returns how many. A surrogate or a value past U+10FFFF is
 * written as U+FFFD. */
size_t utf8_encode(uint32_t code_point, char out[4]);
/* Appends it; 0 adds nothing. False: the bound of out was hit. */
struct buf;
bool utf8_add(struct buf *out, uint32_t code_point);

/* Offset of the first byte that is not part of a strict sequence; len when all is well. */
size_t utf8_first_invalid(const char *s, size_t len);

/* Appends the longest start of s, of at most max bytes, that ends between two code points, and "…"
 * if that is not all. */
void utf8_add_cut(struct buf *out, const char *s, size_t len, size_t max);
/* Appends s, with one U+FFFD for each mistake: a byte, a lone surrogate, or C0 80, as our JSON
 * trees hold U+0000. */
void utf8_add_valid(struct buf *out, const char *s, size_t len);
/* Copies such a start to a buffer of size bytes, with a NUL. */
void utf8_copy(char *out, size_t size, const char *text);

#endif
