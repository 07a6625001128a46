#ifndef AUTH_CLIENT_H
#define AUTH_CLIENT_H

#include "auth/metadata.h"
#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Who we are to an authorization server, and how we prove it. A client belongs to the issuer that
 * it was registered at and is never sent to another.
 */
enum auth_client_source {
	AUTH_CLIENT_NONE,
	AUTH_CLIENT_GIVEN,      /* registered by the user beforehand */
	AUTH_CLIENT_DOCUMENT,   /* a Client ID Metadata Document: the id is its URL */
	AUTH_CLIENT_REGISTERED, /* dynamically (RFC 7591) */
};

struct auth_client {
	enum auth_client_source source;
	char *issuer; /* NULL: given without one */
	char *id;
	char *secret;             /* NULL: a public client */
	char *redirect_uri;       /* as registered; NULL: any */
	enum auth_method method;  /* AUTH_METHOD_COUNT: chosen from the server's metadata */
	int64_t secret_expires_s; /* 0: never */
};

void auth_client_finish(struct auth_client *c);
void auth_client_copy(struct auth_client *to, const struct auth_client *from);
/* Printable ASCII (RFC 6749, A.1), and not too long. */
bool auth_is_plain(const char *text);

/* An https URL with a path, usable as client_id (2026-07-28, Client ID Metadata Documents). */
bool auth_client_is_document_url(const char *url);

/* The body of a registration request: application_type native, the loopback redirect, both grants.
 */
void auth_registration_body(struct buf *out, const struct auth_server *server,
    const char *redirect_uri, const char *client_name, const char *scope);
/* The response to it (201). */
bool auth_registration_parse(struct auth_client *c, const char *json, size_t len,
    const char *issuer, const char *redirect_uri, struct err *err);

/* How the client authenticates at the token endpoint; has_key: with a key. */
enum auth_method auth_client_method(
    const struct auth_client *c, const struct auth_server *server, bool has_key);

/* ---- proofs ---- */

/* The cryptography that this layer needs from outside. Each returns false with err on failure. */
struct auth_crypto {
	bool (*random)(void *user, void *out, size_t len, struct err *err);
	/* ES256 of JWS (RFC 7518, 3.4): r and s, 32 bytes each, over the SHA-256 of bytes.
	 * NULL: the client has no key. */
	bool (*sign)(void *user, const void *bytes, size_t len, uint8_t out[64], struct err *err);
	void *user;
};

/* Random bytes as base64url; NULL with err. Caller frees. */
char *auth_nonce(const struct auth_crypto *crypto, size_t bytes, struct err *err);
/* PKCE (RFC 7636, 4.2): the S256 challenge of a verifier. Caller frees. */
char *auth_pkce_challenge(const char *verifier);

/* A client_assertion (RFC 7523): iss and sub are the client, aud is the issuer. Caller frees. */
char *auth_assertion(const struct auth_crypto *crypto, const char *client_id, const char *issuer,
    int64_t now_s, struct err *err);

#endif
