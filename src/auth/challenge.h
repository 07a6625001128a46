#ifndef AUTH_CHALLENGE_H
#define AUTH_CHALLENGE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The value of WWW-Authenticate (RFC 9110, 11.6.1): challenges of several schemes, their
 * parameters as tokens or quoted strings, or one token68 each. Untrusted: a part that breaks the
 * grammar is skipped up to the next comma and sets `flawed`; a value without its quotes is
 * accepted.
 */
struct auth_param {
	char *name; /* lower case */
	char *value;
};

struct auth_challenge {
	char *scheme;  /* lower case: "bearer" */
	char *token68; /* NULL: parameters or nothing */
	struct auth_param *items;
	size_t len, cap;
};

struct auth_challenges {
	struct auth_challenge *items;
	size_t len, cap;
	bool flawed;
};

/* Limits of the parsed bytes, the challenges, and the parameters of each. */
#define AUTH_MAX_HEADER ((size_t)64 * 1024)
#define AUTH_MAX_CHALLENGES 16
#define AUTH_MAX_PARAMS 64

void auth_challenges_parse(struct auth_challenges *c, const char *header, size_t len);
void auth_challenges_finish(struct auth_challenges *c);
/* The first of that scheme (lower case); NULL: none. */
const struct auth_challenge *auth_challenges_find(
    const struct auth_challenges *c, const char *scheme);
/* The first parameter of that name (lower case); NULL: none, or challenge is NULL. */
const char *auth_challenge_get(const struct auth_challenge *c, const char *name);

#endif
