#ifndef AUTH_REDIRECT_H
#define AUTH_REDIRECT_H

#include "base/err.h"

#include <stdbool.h>

/*
 * What the browser brings back: the address that the authorization server sent it to, checked
 * against what was remembered when it was sent away (RFC 6749 4.1.2, RFC 9207).
 */
struct auth_pending {
	const char *state;
	const char *issuer;
	const char *redirect_uri;
	bool sends_iss; /* the server's metadata say that it does */
};

enum auth_redirect {
	AUTH_REDIRECT_CODE,
	AUTH_REDIRECT_STRAY,   /* not the answer to our request: no matter who sent it */
	AUTH_REDIRECT_REFUSED, /* the server says no: err has its words */
	AUTH_REDIRECT_UNSAFE,  /* to be given up: err says why, without the other's words */
};

/* url: the whole of it, "/callback?code=…", or only what follows '?'. code: freed by the caller. */
enum auth_redirect auth_redirect_parse(
    const char *url, const struct auth_pending *pending, char **code, struct err *err);

#endif
