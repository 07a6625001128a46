/* SPDX-License-Identifier: MIT */
#ifndef AUTH_FLOW_STATE_H
#define AUTH_FLOW_STATE_H

#include "auth/flow.h"

enum fetching {
	FETCHING_NOTHING,
	FETCHING_RESOURCE,
	FETCHING_SERVER,
	FETCHING_REGISTRATION,
	FETCHING_TOKEN,
	FETCHING_REFRESH,
	FETCHING_COUNT,
};

struct auth_flow {
	char *server_url, *client_name, *metadata_url, *wanted_scope;
	struct auth_client given; /* source NONE: none */
	bool client_credentials, has_key, needs_scope, accepts_slash;
	struct auth_crypto crypto;
	struct auth_store store;
	enum auth_host near;

	enum auth_state state;
	char *sentence;
	uint64_t generation;
	struct auth_steps steps;
	int attempts;
	int64_t attempted_s, refreshed_s, now_s;
	/* the refusal */
	char *challenge_scope;
	char *other_scheme; /* the scheme it asks for, if not Bearer; NULL */
	char *refusal;      /* its error and description; NULL */
	bool refused_token; /* it refused a token, not a request without one */
	bool step_up;
	bool challenged; /* false: a renewal, and the token is still valid */
	/* discovery */
	struct strings urls; /* to be tried */
	size_t url_at;
	char *trouble;                 /* of the first URL that failed with more than a 404; NULL */
	char *resource_trouble;        /* the same, of the resource metadata */
	struct auth_resource resource; /* zeroed: the server has no metadata */
	size_t server_at;              /* index in resource.servers */
	struct auth_server server;     /* zeroed: unknown */
	bool slash_refused;            /* the issuer of the metadata differs only by a `/` */
	/* the authorization request */
	struct auth_client client;
	bool go;
	bool register_again; /* ignore existing registrations */
	bool in_full;        /* the user wants a full authorization, not a renewal */
	char *redirect_uri, *scope, *state_nonce, *verifier, *browser_url;

	enum fetching fetching;
	struct auth_request request;
	struct strings sent; /* the secrets in it */
	struct auth_token token;
	char *token_issuer, *token_resource;
};

/* tokens.c: the store */
void flow_change_store(struct auth_flow *f, struct auth_change change);
void flow_drop_token(struct auth_flow *f); /* in memory */

/* record.c */
void flow_set(struct auth_flow *f, enum auth_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void flow_set_text(char **slot, const char *text);
/* Closes the open step and fails. */
void flow_fail(struct auth_flow *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void flow_note(struct auth_flow *f, bool ok, const char *title,
    const char *outcome); /* a step without an exchange */
void flow_step_done(struct auth_flow *f, bool ok, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void flow_fetch(struct auth_flow *f, enum fetching what, const char *title); /* f->request */
struct auth_step *flow_open_step(struct auth_flow *f); /* NULL: none is open */
void flow_hide_in_place(const struct auth_flow *f, char **text);

void flow_record_answer(struct auth_flow *f, const struct auth_answer *a);
/* Why the response is not a metadata document: "404: not here". */
void flow_add_no_document(struct buf *out, const struct auth_answer *a);
/* The refusal of an endpoint: "400 invalid_grant: the code has expired", or the start of its body.
 */
void flow_add_refusal(const struct auth_flow *f, struct buf *out, const struct auth_answer *a);

/* tokens.c */
/* The server is known; the user has consented or has to. */
void flow_on_known(struct auth_flow *f);
void flow_begin(struct auth_flow *f);
void flow_on_registration(struct auth_flow *f, const struct auth_answer *a);

/* False: it has no refresh token that its client may use. */
bool flow_refresh(struct auth_flow *f);
void flow_by_code(struct auth_flow *f, const char *code);
bool flow_proves_otherwise(struct auth_flow *f, enum fetching what, const struct auth_answer *a);
void flow_on_token(struct auth_flow *f, const struct auth_answer *a);
void flow_on_refresh(struct auth_flow *f, const struct auth_answer *a);

/* ---- flow.c: challenges ---- */
/*
 * The value of WWW-Authenticate (RFC 9110, 11.6.1): challenges of several schemes, their
 * parameters as tokens or quoted strings, or one token68 each. Untrusted: a part that breaks the
 * grammar is skipped up to the next comma and sets `flawed`; a value without its quotes is
 * accepted.
 */
struct auth_param {
	char *name; /* lower case */
	char *value;
};

struct auth_challenge {
	char *scheme;  /* lower case: "bearer" */
	char *token68; /* NULL: parameters or nothing */
	struct auth_param *items;
	size_t len, cap;
};

struct auth_challenges {
	struct auth_challenge *items;
	size_t len, cap;
	bool flawed;
};

/* Limits of the parsed bytes, the challenges, and the parameters of each. */
#define AUTH_MAX_HEADER ((size_t)64 * 1024)
#define AUTH_MAX_CHALLENGES 16
#define AUTH_MAX_PARAMS 64

void auth_challenges_parse(struct auth_challenges *c, const char *header, size_t len);
void auth_challenges_finish(struct auth_challenges *c);
/* The first of that scheme (lower case); NULL: none. */
const struct auth_challenge *auth_challenges_find(
    const struct auth_challenges *c, const char *scheme);
/* The first parameter of that name (lower case); NULL: none, or challenge is NULL. */
const char *auth_challenge_get(const struct auth_challenge *c, const char *name);

/* ---- flow.c: the redirect ---- */
/*
 * The authorization response: the address that the authorization server redirected the browser to,
 * checked against the request (RFC 6749, 4.1.2; RFC 9207).
 */
struct auth_pending {
	const char *state;
	const char *issuer;
	const char *redirect_uri;
	bool sends_iss; /* according to the server's metadata */
};

enum auth_redirect {
	AUTH_REDIRECT_CODE,
	AUTH_REDIRECT_STRAY,   /* not the response to our request */
	AUTH_REDIRECT_REFUSED, /* the server refuses: err quotes it */
	AUTH_REDIRECT_UNSAFE,  /* must be abandoned: err says why, without quoting the response */
};

/* url: absolute, "/callback?code=…", or only the part after '?'. code: freed by the caller. */
enum auth_redirect auth_redirect_parse(
    const char *url, const struct auth_pending *pending, char **code, struct err *err);

#endif
