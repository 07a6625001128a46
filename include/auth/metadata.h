#ifndef AUTH_METADATA_H
#define AUTH_METADATA_H

#include "auth/strings.h"
#include "auth/url.h"
#include "base/err.h"

/*
 * The two documents of discovery, checked: who guards a resource (RFC 9728) and what an
 * authorization server can do (RFC 8414, OpenID Connect Discovery). All of it is untrusted; a
 * document that says something unfit for use is refused with a sentence.
 */
#define AUTH_MAX_URLS 8

/* ---- where they are, in the specification's order ---- */

/* given: of the challenge, tried first; NULL: none. */
void auth_resource_urls(const char *server_url, const char *given, struct auth_strings *out);
void auth_server_urls(const char *issuer, struct auth_strings *out);

/* ---- the protected resource ---- */
struct auth_resource {
	char *resource; /* as the document has it: the `resource` parameter of every request */
	struct auth_strings servers; /* issuers; at least one */
	struct auth_strings scopes;
	bool has_scopes;
};

/* The document has to speak of server_url; issuers that may not be fetched are left out. */
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
const char *auth_method_name(enum auth_method method); /* "client_secret_basic" */
/* AUTH_METHOD_COUNT: not one of ours. */
enum auth_method auth_method_find(const char *name);

struct auth_server {
	char *issuer;
	char *authorization_endpoint; /* NULL: none */
	char *token_endpoint;
	char *registration_endpoint; /* NULL: none */
	struct auth_strings scopes;
	bool has_scopes;
	bool methods[AUTH_METHOD_COUNT]; /* of the token endpoint */
	bool has_methods;                /* declared; else the default is BASIC */
	bool has_challenges;             /* declared code_challenge_methods_supported */
	bool s256;                       /* in them */
	bool cimd;                       /* client_id_metadata_document_supported */
	bool sends_iss;                  /* RFC 9207 */
	bool guessed;                    /* no document: the endpoints of 2025-03-26 */
};

/* issuer: the one that was asked for, which the document has to repeat to the letter. */
bool auth_server_parse(struct auth_server *s, const char *json, size_t len, const char *issuer,
    enum auth_host near, struct err *err);
/* /authorize, /token and /register at the server's own origin (2025-03-26, fallbacks for servers
 * without metadata discovery). */
void auth_server_guess(struct auth_server *s, const char *origin);
void auth_server_finish(struct auth_server *s);

#endif
