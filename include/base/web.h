#ifndef BASE_WEB_H
#define BASE_WEB_H

#include <stdbool.h>
#include <stddef.h>

/* It begins with http:// or https://, in whatever case (RFC 3986 section 3.1). */
bool is_web_url(const char *text);
bool is_plain_web_url(const char *text); /* http:// */
/* Its host and port, without a login; *len is 0 if it names no host. */
const char *web_url_host(const char *url, size_t *len);

#endif
