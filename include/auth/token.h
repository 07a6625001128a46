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
/* Moves the secret from the header to the body (client_secret_post). False: the header had none. */
bool auth_token_turn_to_post(struct auth_request *r, const struct auth_client *c);

#endif
