#ifndef AUTH_URL_H
#define AUTH_URL_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * URLs of http and https as authorization needs them: taken apart strictly, so that what was
 * checked is what is fetched. Refused are other schemes, user names, characters that are not plain
 * ASCII, backslashes, numbers in disguise for IPv4 addresses, anything over AUTH_URL_MAX bytes.
 */
#define AUTH_URL_MAX ((size_t)8192)

/* Where a host name points to, as far as the name tells. */
enum auth_host { AUTH_HOST_PUBLIC, AUTH_HOST_PRIVATE, AUTH_HOST_LOOPBACK };

struct auth_url {
	char *scheme; /* "http" or "https" */
	char *host;   /* lower case; IPv6 in brackets */
	int port;     /* 0: the scheme's own */
	char *path;   /* from its '/'; "" when there is none */
	char *query;  /* without '?'; NULL: none */
	enum auth_host kind;
	bool has_fragment;
};

bool auth_url_parse(struct auth_url *u, const char *text, struct err *err);
void auth_url_finish(struct auth_url *u);
void auth_url_add_origin(const struct auth_url *u, struct buf *out); /* https://host:8443 */
bool auth_url_same_origin(const struct auth_url *a, const struct auth_url *b);

/* An address this program or a browser may be sent to: https, or http of this host. */
bool auth_url_is_safe(const char *text, struct err *err);
/* The same for one that a server named and this program fetches: private addresses only when the
 * MCP server itself, whose kind is given, is at least as near (server-side request forgery). */
bool auth_url_may_fetch(const char *text, enum auth_host server, struct err *err);

/* What RFC 8707 calls the resource: no fragment, scheme and host in lower case, the default port
 * left out, no '/' at the end of a path that is only that. NULL: no such URL. Caller frees. */
char *auth_canonical_resource(const char *server_url);
/* Whether metadata for `resource` speak of the server: the same origin, and the server's path the
 * same or below (2026-07-28/basic/authorization). */
bool auth_resource_covers(const char *resource, const char *server_url);

/* ---- application/x-www-form-urlencoded ---- */
/* name=value, after a '&' when out is not empty; value NULL adds nothing. */
void auth_form_add(struct buf *out, const char *name, const char *value);
void auth_form_add_encoded(struct buf *out, const char *text); /* only the text */
/* The decoded value of the first member of that name; NULL: none, or it holds a NUL. Caller frees.
 * count: how many members have that name; may be NULL. */
char *auth_form_get(const char *form, size_t len, const char *name, size_t *count);

#endif
