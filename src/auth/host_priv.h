#ifndef AUTH_HOST_PRIV_H
#define AUTH_HOST_PRIV_H

#include "auth/url.h"

/* What a host in lower case is: a name, an IPv4 address, an IPv6 address in brackets. False: none
 * of these, or an address in a form that programs read differently (0x7f.1, 127.1, 017700000001).
 */
bool host_classify(const char *host, enum auth_host *kind);

#endif
