#ifndef NET_PROXY_PROXY_ADDRESS_H
#define NET_PROXY_PROXY_ADDRESS_H

#include "base/err.h"

#include <stdbool.h>

/* Where a proxy listens, and which names of itself it answers to. */
struct proxy_address {
	int fd;        /* listening */
	char text[80]; /* "127.0.0.1:8080", "[::1]:8080": its port is known */
	bool is_local; /* loopback */
};

/* "127.0.0.1:8080", "[::1]:0", "localhost:0", "8080". False with err. */
bool proxy_address_listen(struct proxy_address *a, const char *text, struct err *err);

/*
 * A page of a browser can make requests to us in the name of its site. Then Host is the site's
 * name, which resolves to our address (DNS rebinding), or Origin is the site. So Host has to be an
 * address or localhost, and Origin, if there is one, Host: other programs of this machine serve
 * pages too.
 */
bool proxy_host_is_ours(const char *host);
bool proxy_origin_is_ours(const char *origin, const char *host);

#endif
