/* SPDX-License-Identifier: MIT */
#ifndef AUTH_AUTH_URL_H
#define AUTH_AUTH_URL_H

#include "base/buf.h"
#include "base/err.h"
#include "base/url.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * http and https URLs as authorization needs them: parsed strictly, so that no other host is
 * fetched than was checked. Rejects other schemes, user names, anything but plain ASCII,
 * backslashes, IPv4 addresses in unusual notations, and URLs longer than AUTH_URL_MAX bytes.
 */
#define AUTH_URL_MAX ((size_t)8192)

/* The location of a host, if its name shows it. */
enum auth_host {
	AUTH_HOST_PUBLIC = IP_PUBLIC,
	AUTH_HOST_PRIVATE = IP_PRIVATE,
	AUTH_HOST_LOOPBACK = IP_LOOPBACK,
};

struct auth_url {
	char *scheme; /* "http" or "https" */
	char *host;   /* lower case; IPv6 in brackets */
	int port;     /* 0: the default of the scheme */
	char *path;   /* begins with '/'; "": none */
	char *query;  /* without '?'; NULL: none */
	enum auth_host kind;
	bool has_fragment;
};

bool auth_url_parse(struct auth_url *u, const char *text, struct err *err);
void auth_url_finish(struct auth_url *u);
void auth_url_add_origin(const struct auth_url *u, struct buf *out); /* https://host:8443 */
bool auth_url_same_origin(const struct auth_url *a, const struct auth_url *b);

/* A URL that may be fetched or opened in a browser: https, or http on this host. */
bool auth_url_is_safe(const char *text, struct err *err);
/* The same for a URL that a server names and we fetch: a private address only if the MCP server,
 * whose kind is given, is at least as near (against server-side request forgery). */
bool auth_url_may_fetch(const char *text, enum auth_host server, struct err *err);

/* The resource of RFC 8707: no fragment, scheme and host in lower case, no default port, no path
 * that is only '/'. NULL: not a valid URL. Caller frees. */
char *auth_canonical_resource(const char *server_url);
/* Whether metadata for `resource` apply to the server: the same origin, and the server's path is
 * the same or below (2026-07-28/basic/authorization). */
bool auth_resource_covers(const char *resource, const char *server_url);

/* ---- application/x-www-form-urlencoded ---- */
/* name=value, after a '&' if out is not empty; value NULL adds nothing. */
void auth_form_add(struct buf *out, const char *name, const char *value);
/* The decoded value of the first member of that name; NULL: none, or it has a NUL. Caller frees.
 * count: the number of members of that name; may be NULL. */
char *auth_form_get(const char *form, size_t len, const char *name, size_t *count);

#endif
