/* SPDX-License-Identifier: MIT */
#ifndef TESTS_QUOTED_H
#define TESTS_QUOTED_H

#include "json/doc.h"

/* JSON in C strings without backslashes: 'a' means "a". */
char *quoted(const char *text);                  /* free with free() */
struct json_doc *parse_quoted(const char *text); /* aborts if the text is not JSON */

#endif
