#ifndef AUTH_TOKEN_H
#define AUTH_TOKEN_H

#include "auth/client.h"

/* Tokens and the requests for them (RFC 6749, RFC 8707). */
struct auth_token {
	char *access;      /* NULL: none; never shown */
	char *refresh;     /* NULL: none; never shown */
	char *scope;       /* granted; NULL: as requested */
	char *client_id;   /* that it was issued to, and that may renew it; NULL: unknown */
	int64_t expires_s; /* since 1970; 0: unknown */
	bool by_client;    /* by the client_credentials grant: it stands for no user */
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
/* With a code, with a refresh token, or with the client's credentials alone; scope may be NULL. */
bool auth_token_by_code(struct auth_request *r, const struct auth_token_input *in, const char *code,
    const char *verifier, const char *redirect_uri, struct err *err);
bool auth_token_by_refresh(struct auth_request *r, const struct auth_token_input *in,
    const char *refresh, struct err *err);
bool auth_token_by_credentials(
    struct auth_request *r, const struct auth_token_input *in, const char *scope, struct err *err);
/* To the revocation endpoint, which there is (RFC 7009); hint: "refresh_token" or "access_token". A
 * client with a key cannot prove itself here. */
void auth_token_revoke(struct auth_request *r, const struct auth_token_input *in, const char *token,
    const char *hint);
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
