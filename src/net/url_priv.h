#ifndef NET_URL_PRIV_H
#define NET_URL_PRIV_H

#include "curl_api_priv.h"

/* What a reference in an answer (Location, endpoint) means; NULL: no http or https URL. A
 * server names nobody to log in as: what it has of that is dropped. Caller frees. */
char *url_resolve(const struct curl_api *api, const char *base, const char *reference);
/* False: it is none that can be asked, err says why. */
bool url_check(const struct curl_api *api, const char *text, struct err *err);
/* Scheme, host and port are the same (RFC 6454). */
bool url_same_origin(const struct curl_api *api, const char *a, const char *b);

/* As people may see it. Caller frees. */
char *url_to_show(const char *url);

#endif
