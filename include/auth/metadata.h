/* SPDX-License-Identifier: MIT */
#ifndef AUTH_METADATA_H
#define AUTH_METADATA_H

#include "auth/auth_url.h"
#include "base/strings.h"

/*
 * The two documents of discovery, validated: the authorization servers of a resource (RFC 9728) and
 * the features of an authorization server (RFC 8414, OpenID Connect Discovery). Untrusted; an
 * unusable document is rejected with err.
 */
#define AUTH_MAX_URLS 8
#define AUTH_MAX_SCOPES 256

/* ---- their URLs, in the order of the specification ---- */

/* given: the URL in the challenge, which comes first; NULL: none. */
void auth_resource_urls(const char *server_url, const char *given, struct strings *out);
void auth_server_urls(const char *issuer, struct strings *out);

/* ---- the protected resource ---- */
struct auth_resource {
	char *resource;         /* as in the document: the `resource` parameter of every request */
	struct strings servers; /* issuers; at least one */
	struct strings scopes;
	bool has_scopes;
};

/* The document must cover server_url; issuers that may not be fetched are left out. */
bool auth_resource_parse(struct auth_resource *r, const char *json, size_t len,
    const char *server_url, enum auth_host near, struct err *err);
void auth_resource_finish(struct auth_resource *r);

/* ---- the authorization server ---- */
enum auth_method {
	AUTH_METHOD_NONE, /* a public client */
	AUTH_METHOD_BASIC,
	AUTH_METHOD_POST,
	AUTH_METHOD_PRIVATE_KEY,
	AUTH_METHOD_COUNT,
};
extern const char *const auth_method_names[AUTH_METHOD_COUNT]; /* "client_secret_basic" */
/* AUTH_METHOD_COUNT: unknown. */
enum auth_method auth_method_find(const char *name);

struct auth_server {
	char *issuer;
	char *authorization_endpoint; /* NULL: none */
	char *token_endpoint;
	char *registration_endpoint; /* NULL: none */
	char *revocation_endpoint;   /* NULL: none, or it must not be used */
	struct strings scopes;
	bool has_scopes;
	bool methods[AUTH_METHOD_COUNT]; /* of the token endpoint */
	bool has_methods;                /* declared; else the default is BASIC */
	bool has_challenges;             /* declared code_challenge_methods_supported */
	bool s256;                       /* it lists S256 */
	bool cimd;                       /* client_id_metadata_document_supported */
	bool sends_iss;                  /* RFC 9207 */
	bool guessed;                    /* no document: the endpoints of 2025-03-26 */
};

/* issuer: must be identical to the one in the document. */
bool auth_server_parse(struct auth_server *s, const char *json, size_t len, const char *issuer,
    enum auth_host near, struct err *err);
/* The issuer in the document, if it differs from the other one only by a `/` at the end: pydantic
 * adds one to a URL without a path. Caller frees; NULL: it is equal, or differs in more. */
char *auth_server_slash_issuer(const char *json, size_t len, const char *issuer);
void auth_server_finish(struct auth_server *s);

#endif
