#ifndef TESTS_QUOTED_H
#define TESTS_QUOTED_H

#include "json/doc.h"

/* JSON in C strings without backslashes: 'a' stands for "a". */
char *quoted(const char *text);                  /* caller frees */
struct json_doc *parse_quoted(const char *text); /* aborts when it is not JSON */

#endif
