/* SPDX-License-Identifier: MIT */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "base/buf.h"

/* RFC 4648: section 4 with padding, or section 5 (for URLs) without. */
enum base64_kind { BASE64_PLAIN, BASE64_URL };

void base64_add(struct buf *out, const void *bytes, size_t len, enum base64_kind kind);

/* Strict: section 4, padded. False: it is not Base64; the bytes decoded so far stay appended. */
bool base64_decode(struct buf *out, const char *text, size_t len);

#endif
