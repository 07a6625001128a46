#ifndef AUTH_SCOPE_H
#define AUTH_SCOPE_H

#include "base/strings.h"

/* Scopes: words between spaces (RFC 6749, 3.3). */

#define AUTH_MAX_SCOPES 256
/* `held` includes every scope of `scope`. */
bool auth_scope_covers(const char *held, const char *scope);

/* The scope to ask for: that of the challenge, else all scopes of the resource, else none (NULL).
 * On a step-up, the scopes granted `before` are added. offline_access is added if the authorization
 * server lists it. Caller frees. */
struct auth_scope_input {
	const char *wanted;                       /* by the user: replaces all others; NULL: none */
	const char *challenge;                    /* NULL: not in the challenge */
	const char *before;                       /* NULL: not a step-up */
	const struct strings *resource_supported; /* NULL: not declared */
	const struct strings *server_supported;   /* NULL: not declared */
	bool offline;                             /* a refresh token is useful */
};
char *auth_scope_choose(const struct auth_scope_input *in);

#endif
