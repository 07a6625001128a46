/* SPDX-License-Identifier: MIT */
#ifndef JSON_COMMENTS_H
#define JSON_COMMENTS_H

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

#endif
