#ifndef BASE_WEB_H
#define BASE_WEB_H

#include <stdbool.h>

/* It begins with http:// or https://, in whatever case (RFC 3986 section 3.1). */
bool is_web_url(const char *text);
bool is_plain_web_url(const char *text); /* http:// */

#endif
