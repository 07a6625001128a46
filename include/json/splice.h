/* SPDX-License-Identifier: MIT */
#ifndef JSON_SPLICE_H
#define JSON_SPLICE_H

#include "base/buf.h"
#include "base/err.h"
#include "json/doc.h"

/*
 * JSON as people write it into configuration files (JSONC): what RFC 8259 does not have becomes
 * blanks, in place, so that the strict parser takes the rest and its errors name the true line and
 * column. Blanked are a byte order mark, comments of both kinds, and with json_blank_commas() a
 * comma before a closing bracket that follows a value.
 *
 * False: a comment does not end; error (may be NULL) says its start.
 */
bool json_blank_comments(char *text, size_t len, struct json_error *error);
/* Only for text without comments. */
void json_blank_commas(char *text, size_t len);

/* json_parse() of a text with comments and such commas; the text is not changed. */
struct json_doc *json_parse_commented(const char *text, size_t len, struct json_error *error);

/*
 * Changes one member or item of such a text and no other byte: comments, order, indentation and
 * numbers are kept. path: keys from the root, which is an object, and indexes of items,
 * NULL-terminated, at least one. The result is parsed again; if it is not the intended edit,
 * nothing is returned, with the reason in err.
 *
 * value: one JSON value; lines after its first are indented as far as the member. Objects that are
 * missing on the way are made; items are not. NULL removes the member; no item is removed. */
bool json_splice_set(const char *text, size_t len, const char *const *path, const char *value,
    struct buf *out, struct err *err);

#endif
