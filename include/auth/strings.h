#ifndef AUTH_STRINGS_H
#define AUTH_STRINGS_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* An array of owned strings: scopes, URLs. */
struct auth_strings {
	char **items;
	size_t len, cap;
};

void auth_strings_finish(struct auth_strings *s);
void auth_strings_add(struct auth_strings *s, const char *text);
void auth_strings_take(struct auth_strings *s, char *text);
bool auth_strings_have(const struct auth_strings *s, const char *text);
void auth_strings_join(const struct auth_strings *s, const char *between, struct buf *out);

/* ---- scopes: words between spaces (RFC 6749, 3.3) ---- */

#define AUTH_MAX_SCOPES 256
/* `held` includes every scope of `scope`. */
bool auth_scope_covers(const char *held, const char *scope);

/* The scope to ask for: that of the challenge, else all scopes of the resource, else none (NULL).
 * On a step-up, the scopes granted `before` are added. offline_access is added if the authorization
 * server lists it. Caller frees. */
struct auth_scope_input {
	const char *wanted;    /* by the user: replaces all others; NULL: none */
	const char *challenge; /* NULL: not in the challenge */
	const char *before;    /* NULL: not a step-up */
	const struct auth_strings *resource_supported; /* NULL: not declared */
	const struct auth_strings *server_supported;   /* NULL: not declared */
	bool offline;                                  /* a refresh token is useful */
};
char *auth_scope_choose(const struct auth_scope_input *in);

#endif
