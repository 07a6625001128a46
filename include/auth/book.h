/* SPDX-License-Identifier: MIT */
#ifndef AUTH_BOOK_H
#define AUTH_BOOK_H

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

struct auth_change {
	/* Stored: a token, which from now on authorizes the server, or a registration, or both. */
	const struct auth_kept *keep;
	const struct auth_kept *drop; /* the same is removed, if it is still stored */
	/* The token that last authorized the server is removed, and registrations without a token.
	 */
	bool forget;
};

/* The storage: all callbacks are set, or all are NULL (no storage). The caller owns the results. */
struct auth_store {
	/* issuer NULL: the token that last authorized the server. False: not found. */
	bool (*find)(void *user, const char *issuer, const char *resource, struct auth_kept *out);
	void (*find_clients)(void *user, const char *issuer, struct auth_clients *out);
	void (*change)(void *user, const struct auth_change *change);
	void *user;
};

/*
 * Tokens and registrations as they are stored: a JSON object of three arrays.
 *
 *   tokens   by issuer and resource, with the id of the client that each was issued to
 *   clients  registrations, by issuer and redirect URI; a replaced one stays as long as one of its
 *            tokens, because only it can renew them
 *   servers  the token that last authorized each MCP server, for its next first request; only if
 * the resource covers the server's URL
 *
 * Older files had all three in the entries of `servers`: they are read, and written in the new
 * form.
 */
struct auth_book_server {
	char *url, *issuer, *resource;
};

struct auth_book {
	struct {
		struct auth_book_server *items;
		size_t len, cap;
	} servers;
	struct auth_clients clients;
	struct {
		struct auth_kept *items; /* without clients */
		size_t len, cap;
	} tokens;
};

/* Limits of registrations at one issuer and of entries of each array: the oldest are removed. */
#define AUTH_MAX_CLIENTS 8
#define AUTH_BOOK_MAX 500

/* False with err: not such a file. Entries that are invalid or cannot be sent in a header are left
 * out. */
bool auth_book_parse(struct auth_book *b, const char *json, size_t len, struct err *err);
void auth_book_print(const struct auth_book *b, struct buf *out);
void auth_book_finish(struct auth_book *b);

/* Like in struct auth_store; out receives copies. */
bool auth_book_find(const struct auth_book *b, const char *server_url, const char *issuer,
    const char *resource, struct auth_kept *out);
void auth_book_find_clients(
    const struct auth_book *b, const char *issuer, struct auth_clients *out);
/* server_url: from now on authorized by the token, or forgotten; NULL: no server. False: nothing
 * changed, because the server to forget has no entry. */
bool auth_book_change(
    struct auth_book *b, const char *server_url, const struct auth_change *change);

#endif
