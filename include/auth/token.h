#ifndef AUTH_TOKEN_H
#define AUTH_TOKEN_H

#include "auth/client.h"

/* What a token endpoint gave out, and the requests for it (RFC 6749, RFC 8707). */
struct auth_token {
	char *access;      /* NULL: there is none; never shown */
	char *refresh;     /* NULL: none; never shown */
	char *scope;       /* granted; NULL: as asked for */
	char *client_id;   /* that it was given to, and that may renew it; NULL: not known */
	int64_t expires_s; /* since 1970; 0: not known */
};

void auth_token_finish(struct auth_token *t);
void auth_token_copy(struct auth_token *to, const struct auth_token *from);

/* The answer's body; asked: the scope of the request, which is granted when the answer names none;
 * may be NULL. */
bool auth_token_parse(struct auth_token *t, const char *json, size_t len, const char *asked,
    int64_t now_s, struct err *err);

/* What an endpoint says went wrong: "invalid_grant: the code has expired"; "" when nothing. */
void auth_error_words(struct buf *out, const char *json, size_t len);

/* One request to an endpoint. Owns all of it. */
struct auth_request {
	const char *method;          /* "GET", "POST" */
	char *url;                   /* NULL: there is no request */
	struct auth_strings headers; /* "Name: value" */
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
/* By a code, by a refresh token, or by nothing but the client's credentials; scope may be NULL. */
bool auth_token_by_code(struct auth_request *r, const struct auth_token_input *in, const char *code,
    const char *verifier, const char *redirect_uri, struct err *err);
bool auth_token_by_refresh(struct auth_request *r, const struct auth_token_input *in,
    const char *refresh, struct err *err);
bool auth_token_by_credentials(
    struct auth_request *r, const struct auth_token_input *in, const char *scope, struct err *err);
/* The same request with the secret in its body instead of the header (client_secret_post). False:
 * there was none in the header. */
bool auth_token_turn_to_post(struct auth_request *r, const struct auth_client *c);

#endif
