/* SPDX-License-Identifier: MIT */
#ifndef AUTH_TOKEN_H
#define AUTH_TOKEN_H

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

/* Tokens and the requests for them (RFC 6749, RFC 8707). */
struct auth_token {
	char *access;      /* NULL: none; never shown */
	char *refresh;     /* NULL: none; never shown */
	char *scope;       /* granted; NULL: as requested */
	char *client_id;   /* that it was issued to, and that may renew it; NULL: unknown */
	int64_t expires_s; /* since 1970; 0: unknown */
	bool by_client;    /* by the client_credentials grant: not for a user */
};

void auth_token_finish(struct auth_token *t);
void auth_token_copy(struct auth_token *to, const struct auth_token *from);

/* json: the body of a token response. asked: the scope of the request, which is granted if the
 * response names none; may be NULL. */
bool auth_token_parse(struct auth_token *t, const char *json, size_t len, const char *asked,
    int64_t now_s, struct err *err);

/* Adds the error of an endpoint: "invalid_grant: the code has expired"; or nothing. */
void auth_error_words(struct buf *out, const char *json, size_t len);

/* A request to an endpoint. Owns its members. */
struct auth_request {
	const char *method;     /* "GET", "POST" */
	char *url;              /* NULL: no request */
	struct strings headers; /* "Name: value" */
	struct buf body;
	bool form; /* the body is a form, else JSON */
};
void auth_request_finish(struct auth_request *r);

struct auth_token_input {
	const struct auth_server *server;
	const struct auth_client *client;
	const struct auth_crypto *crypto;
	const char *resource;
	bool has_key;
	int64_t now_s;
};
/* A POST to the token or revocation endpoint. The body of r holds the form of the grant; adds the
 * resource and the client's authentication. */
bool auth_token_request(
    struct auth_request *r, const struct auth_token_input *in, const char *url, struct err *err);
/* Moves the secret from the header to the body (client_secret_post). False: the header had none. */
bool auth_token_turn_to_post(struct auth_request *r, const struct auth_client *c);

/* ---- scopes: words between spaces (RFC 6749, 3.3) ---- */

/* `held` includes every scope of `scope`. */
bool auth_scope_covers(const char *held, const char *scope);

/* The scope to ask for: that of the challenge, else all scopes of the resource, else none (NULL).
 * On a step-up, the scopes granted `before` are added. offline_access is added if the authorization
 * server lists it. Caller frees. */
struct auth_scope_input {
	const char *wanted;                       /* by the user: replaces all others; NULL: none */
	const char *challenge;                    /* NULL: not in the challenge */
	const char *before;                       /* NULL: not a step-up */
	const struct strings *resource_supported; /* NULL: not declared */
	const struct strings *server_supported;   /* NULL: not declared */
	bool offline;                             /* a refresh token is useful */
};
char *auth_scope_choose(const struct auth_scope_input *in);

#endif
