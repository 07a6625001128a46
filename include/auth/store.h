#ifndef AUTH_STORE_H
#define AUTH_STORE_H

#include "auth/token.h"

/*
 * What is kept between two runs. A token belongs to the issuer that gave it out and to the resource
 * that it is for (RFC 8707), a registration to the issuer that made it and to the address that the
 * browser comes back to. Neither is of use anywhere else, and both are there for all servers that
 * name this issuer, and this resource.
 */
struct auth_kept {
	char *issuer, *resource;   /* of the token */
	struct auth_token token;   /* access NULL: none */
	struct auth_client client; /* that the token was given to; source NONE: not known */
};
void auth_kept_finish(struct auth_kept *k);

struct auth_clients {
	struct auth_client *items;
	size_t len, cap;
};
void auth_clients_finish(struct auth_clients *c);

/* Where it is kept: all of it at once, or all NULL, which is nowhere. What is found is the
 * caller's. */
struct auth_store {
	/* issuer NULL: by what the server was authorized last. False: there is nothing. */
	bool (*find)(void *user, const char *issuer, const char *resource, struct auth_kept *out);
	void (*find_clients)(void *user, const char *issuer, struct auth_clients *out);
	/* The token, by which the server is authorized from now on; the registration. Either may be
	 * missing. */
	void (*keep)(void *user, const struct auth_kept *kept);
	/* The same, where it still is what is kept. */
	void (*drop)(void *user, const struct auth_kept *kept);
	/* By what the server was authorized last, and registrations that no token needs then. */
	void (*forget)(void *user);
	void *user;
};

#endif
