#ifndef AUTH_CLIENT_H
#define AUTH_CLIENT_H

#include "auth/metadata.h"

#include <stdint.h>

/*
 * Who we are to one authorization server. A client belongs to the issuer that it was
 * registered at and is never shown to another.
 */
enum auth_client_source {
	AUTH_CLIENT_NONE,
	AUTH_CLIENT_GIVEN,      /* registered beforehand, by the user */
	AUTH_CLIENT_DOCUMENT,   /* a Client ID Metadata Document: the id is its URL */
	AUTH_CLIENT_REGISTERED, /* dynamically (RFC 7591) */
};

struct auth_client {
	enum auth_client_source source;
	char *issuer; /* NULL: given without one */
	char *id;
	char *secret;             /* NULL: a public client */
	char *redirect_uri;       /* the one that was registered; NULL: any */
	enum auth_method method;  /* AUTH_METHOD_COUNT: as the server's metadata say */
	int64_t secret_expires_s; /* 0: never */
};

void auth_client_finish(struct auth_client *c);
void auth_client_copy(struct auth_client *to, const struct auth_client *from);
/* Printable ASCII, as RFC 6749 (A.1) has it, and not too long. */
bool auth_is_plain(const char *text);

/* An https URL with a path, as a client_id (2026-07-28, Client ID Metadata Documents). */
bool auth_client_is_document_url(const char *url);

/* The body of a registration: application_type native, the loopback redirect, both grants. */
void auth_registration_body(struct buf *out, const struct auth_server *server,
    const char *redirect_uri, const char *client_name, const char *scope);
/* The answer to it (201). */
bool auth_registration_parse(struct auth_client *c, const char *json, size_t len,
    const char *issuer, const char *redirect_uri, struct err *err);

/* How the client proves itself at the token endpoint, has_key: by a key. */
enum auth_method auth_client_method(
    const struct auth_client *c, const struct auth_server *server, bool has_key);

#endif
