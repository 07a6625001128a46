#ifndef AUTH_STRINGS_H
#define AUTH_STRINGS_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* A list of texts it owns: scopes, URLs, methods. */
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
/* Every word of `scope` is in `held`. */
bool auth_scope_covers(const char *held, const char *scope);

/* What to ask for. The challenge rules; without it everything the resource offers; without that
 * nothing is said (NULL). `before`, what was granted or asked for until now, is kept on a step-up.
 * offline_access is added when the authorization server lists it. Caller frees. */
struct auth_scope_input {
	const char *wanted;    /* by the user: takes the place of all others; NULL: none */
	const char *challenge; /* NULL: it named none */
	const char *before;    /* NULL: not a step-up */
	const struct auth_strings *resource_supported; /* NULL: not declared */
	const struct auth_strings *server_supported;   /* NULL: not declared */
	bool offline;                                  /* a refresh token is of use */
};
char *auth_scope_choose(const struct auth_scope_input *in);

#endif
