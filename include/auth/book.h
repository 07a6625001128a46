#ifndef AUTH_BOOK_H
#define AUTH_BOOK_H

#include "auth/store.h"

/*
 * Tokens and registrations as they are written down: a JSON object of three lists.
 *
 *   tokens   each by its issuer and its resource, with the id of the client that it was given to
 *   clients  registrations, each by its issuer and its redirect URI; one that was replaced stays
 *            while a token of it is there, which only it can renew
 *   servers  by which of the tokens an MCP server was authorized last, so that its first request
 *            can have it; only where the resource covers the server's URL
 *
 * Files of before had all three in entries of `servers`: they are read, and written anew.
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

/* Registrations at one issuer, and entries of each list: the oldest go first. */
#define AUTH_MAX_CLIENTS 8
#define AUTH_BOOK_MAX 500

/* False with err: it is no such book. Entries that make no sense, or do not fit into a header, are
 * left out. */
bool auth_book_parse(struct auth_book *b, const char *json, size_t len, struct err *err);
void auth_book_print(const struct auth_book *b, struct buf *out);
void auth_book_finish(struct auth_book *b);

/* As auth/store.h has them; out gets copies. */
bool auth_book_find(const struct auth_book *b, const char *server_url, const char *issuer,
    const char *resource, struct auth_kept *out);
void auth_book_find_clients(
    const struct auth_book *b, const char *issuer, struct auth_clients *out);
void auth_book_keep(struct auth_book *b, const char *server_url, const struct auth_kept *kept);
void auth_book_drop(struct auth_book *b, const struct auth_kept *kept);
bool auth_book_forget(struct auth_book *b, const char *server_url); /* false: nothing was there */

#endif
