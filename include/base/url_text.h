#ifndef BASE_URL_TEXT_H
#define BASE_URL_TEXT_H

#include "base/buf.h"

/* Operations on the text of a URL that need no parser. */

/* Does it begin with http:// or https://, in any case (RFC 3986 section 3.1)? */
bool is_web_url(const char *text);
bool is_plain_web_url(const char *text); /* http:// */
/* The host and port of a URL, without user and password; *len is 0 if it has no host. */
const char *web_url_host(const char *url, size_t *len);

/* Percent-encoding (RFC 3986 section 2.1) of all but ASCII letters, digits and the characters in
 * `plain`. */
void percent_encode(struct buf *out, const char *text, const char *plain);
/* The reverse. False: a % without two hex digits was copied unchanged. */
bool percent_decode(struct buf *out, const char *text, size_t len);

#endif
