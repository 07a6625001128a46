#ifndef AUTH_REDIRECT_H
#define AUTH_REDIRECT_H

#include "base/err.h"

#include <stdbool.h>

/*
 * The authorization response: the address that the authorization server redirected the browser to,
 * checked against the request (RFC 6749, 4.1.2; RFC 9207).
 */
struct auth_pending {
	const char *state;
	const char *issuer;
	const char *redirect_uri;
	bool sends_iss; /* according to the server's metadata */
};

enum auth_redirect {
	AUTH_REDIRECT_CODE,
	AUTH_REDIRECT_STRAY,   /* not the response to our request */
	AUTH_REDIRECT_REFUSED, /* the server refuses: err quotes it */
	AUTH_REDIRECT_UNSAFE,  /* must be abandoned: err says why, without quoting the response */
};

/* url: absolute, "/callback?code=…", or only the part after '?'. code: freed by the caller. */
enum auth_redirect auth_redirect_parse(
    const char *url, const struct auth_pending *pending, char **code, struct err *err);

#endif
