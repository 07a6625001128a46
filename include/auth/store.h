#ifndef AUTH_STORE_H
#define AUTH_STORE_H

#include "auth/token.h"

/*
 * What is stored between two runs. A token belongs to its issuer and to the resource that it is for
 * (RFC 8707), a registration to its issuer and its redirect URI. Neither is used anywhere else;
 * both are used for all servers that name the issuer and the resource.
 */
struct auth_kept {
	char *issuer, *resource;   /* of the token */
	struct auth_token token;   /* access NULL: none */
	struct auth_client client; /* that the token was issued to; source NONE: unknown */
};
void auth_kept_finish(struct auth_kept *k);

struct auth_clients {
	struct auth_client *items;
	size_t len, cap;
};
void auth_clients_finish(struct auth_clients *c);

/* The storage: all callbacks are set, or all are NULL (no storage). The caller owns what is found.
 */
struct auth_store {
	/* issuer NULL: the token that last authorized the server. False: not found. */
	bool (*find)(void *user, const char *issuer, const char *resource, struct auth_kept *out);
	void (*find_clients)(void *user, const char *issuer, struct auth_clients *out);
	/* Stores a token, which from now on authorizes the server, or a registration, or both. */
	void (*keep)(void *user, const struct auth_kept *kept);
	/* Removes the same, if it is still stored. */
	void (*drop)(void *user, const struct auth_kept *kept);
	/* Removes the token that last authorized the server, and registrations without a token. */
	void (*forget)(void *user);
	void *user;
};

#endif
