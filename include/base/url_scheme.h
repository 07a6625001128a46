#ifndef BASE_URL_SCHEME_H
#define BASE_URL_SCHEME_H

#include <stdbool.h>
#include <stddef.h>

/* Does it begin with http:// or https://, in any case (RFC 3986 section 3.1)? */
bool is_web_url(const char *text);
bool is_plain_web_url(const char *text); /* http:// */
/* The host and port of a URL, without user and password; *len is 0 if it has no host. */
const char *web_url_host(const char *url, size_t *len);

#endif
