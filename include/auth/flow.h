/* SPDX-License-Identifier: MIT */
#ifndef AUTH_FLOW_H
#define AUTH_FLOW_H

#include "auth/book.h"
#include "auth/token.h"

#include <stdint.h>

/*
 * The record of an authorization: requests, responses and their outcome. It never holds secrets:
 * tokens, codes, client secrets and assertions are replaced when a step is recorded, not when it is
 * shown.
 */
struct auth_step {
	uint64_t id;   /* from 1, never reused */
	char *title;   /* "protected resource metadata" */
	char *method;  /* NULL: no request */
	char *url;     /* NULL: no request */
	char *request; /* headers and body as sent, a line each; "": none */
	int status;    /* of the response; 0: none */
	char *headers; /* of the response; "": none */
	char *answer;  /* its body, cut after AUTH_STEP_BODY bytes; "": none */
	char *outcome; /* one sentence; "": in progress */
	bool failed, open;
	int64_t took_ms; /* -1: unknown */
};

#define AUTH_STEP_BODY ((size_t)16 * 1024)
#define AUTH_MAX_STEPS 128 /* the oldest are removed */

struct auth_steps {
	struct auth_step *items;
	size_t len, cap;
	uint64_t last_id;
};

/* Opens a step; request NULL: without one. The pointer is valid until the next step is added. */
struct auth_step *auth_steps_add(
    struct auth_steps *s, const char *title, const struct auth_request *request);
void auth_steps_finish(struct auth_steps *s);
/* One line, without headers and bodies: "client registration: POST https://…: 201: …". */
void auth_step_add_line(struct buf *out, const struct auth_step *step);

/* ---- hiding secrets by the names of members ---- */
void auth_hide_form(struct buf *out, const char *form, size_t len); /* a line for each member */
/* Pretty-printed; tokens: from a token endpoint, so any string that could be a token is hidden.
 * False: not JSON, and nothing was added. */
bool auth_hide_json(struct buf *out, const char *json, size_t len, bool tokens);
void auth_hide_header(struct buf *out, const char *header); /* "Authorization: (hidden)" */

/* ---- hiding secrets by their values, wherever a server repeats them ---- */
/* Adds the secrets in the request. */
void auth_secrets_add(struct strings *out, const struct auth_request *request);
/* Hides them verbatim, percent-encoded, and escaped as in JSON. text holds no NUL. */
void auth_secrets_hide(const struct strings *secrets, struct buf *text);

/*
 * The authorization of one MCP server, from its refusal to a token, without I/O. It says which
 * request to send next, that the user has to consent, or which address to open in a browser, and
 * takes the outcome. (2026-07-28/basic/authorization; OAuth 2.1; RFC 7591, 7636, 8414, 8707, 9207,
 * 9728.)
 *
 * A driver checks auth_flow_info().request after each call below.
 */
struct auth_flow;

enum auth_state {
	AUTH_NOT_NEEDED,   /* as far as known */
	AUTH_WORKING,      /* the request is in flight */
	AUTH_NEEDED,       /* waits for auth_flow_go(): the user's consent to register and ask */
	AUTH_NEEDS_CLIENT, /* waits for auth_flow_set_client(): cannot register */
	AUTH_READY,        /* browser_url can be opened, once the user has seen it */
	AUTH_WAITING,      /* for auth_flow_on_redirect() */
	AUTH_AUTHORIZED,
	AUTH_FAILED,
};

/* Strings are copied. */
struct auth_flow_options {
	const char *server_url;
	const char *client_name;
	const char *client_id;           /* registered beforehand; NULL: none */
	const char *client_secret;       /* of client_id; NULL: none */
	const char *client_issuer;       /* where it was registered; NULL: the first issuer */
	const char *client_metadata_url; /* NULL: we have no such document */
	const char *scope;               /* chosen by the user; NULL: as the server says */
	bool needs_scope;                /* a stored token without it is not used */
	bool accepts_slash;              /* see auth_flow_accept_slash() */
	bool client_credentials;         /* the client_credentials grant, without a user */
	bool has_key;                    /* crypto->sign() authenticates the client */
};

struct auth_answer {
	int status;          /* 0: no response */
	const char *error;   /* the error; NULL: none */
	const char *headers; /* "Name: value\n" each */
	const char *body;    /* NUL-terminated after len bytes */
	size_t len;
	int64_t took_ms;
};

/* server_url must be valid (auth_url_parse()). Copies crypto and store; store may be NULL. */
struct auth_flow *auth_flow_create(const struct auth_flow_options *options,
    const struct auth_crypto *crypto, const struct auth_store *store);
void auth_flow_destroy(struct auth_flow *f);
/* Continues with the stored token of the server. False: there is none, or it is the current one, or
 * another step than its renewal is in progress. */
bool auth_flow_recall(struct auth_flow *f);

/* ---- events; now_s is since 1970 ---- */
/* 401, or 403 with insufficient_scope. Begins discovery, unless it is in progress. */
void auth_flow_challenge(
    struct auth_flow *f, int status, const char *www_authenticate, int64_t now_s);
/* The token expires soon. False: it cannot be renewed without the user. */
bool auth_flow_renew(struct auth_flow *f, int64_t now_s);
void auth_flow_on_answer(struct auth_flow *f, const struct auth_answer *answer, int64_t now_s);
/* The user consents; redirect_uri: where the browser will return to. In any state except WORKING;
 * starts over from FAILED. */
void auth_flow_go(struct auth_flow *f, const char *redirect_uri, int64_t now_s);
void auth_flow_set_client(struct auth_flow *f, const char *id, const char *secret, int64_t now_s);
/* The outcome of opening the browser: "opened by xdg-open", or why it failed. */
void auth_flow_on_opened(struct auth_flow *f, bool ok, const char *how);
/* The address that the browser was redirected to, or its query. False with err: not the expected
 * response, which may still come. */
bool auth_flow_on_redirect(struct auth_flow *f, const char *url, int64_t now_s, struct err *err);
void auth_flow_fail(struct auth_flow *f, const char *why); /* the driver cannot continue */
/* The next authorization registers a new client: the server may have forgotten the old one. */
void auth_flow_unregister(struct auth_flow *f);
/* From now on the issuer of the metadata may differ from the one that the server names by a `/` at
 * the end, which RFC 8414, 3.3 forbids. A token of such an issuer remembers that. */
void auth_flow_accept_slash(struct auth_flow *f);
/* Removes the token, and the registration unless another token needs it. */
void auth_flow_forget(struct auth_flow *f);

/* ---- facts ---- */
/* Texts are valid until the next call that changes the flow. */
struct auth_flow_info {
	enum auth_state state;
	bool wants_user;      /* it waits for the user */
	const char *sentence; /* the meaning of the state, one line */
	uint64_t generation;  /* grows with every change */
	const char *server_url;
	const struct auth_request *request; /* NULL: nothing to fetch */
	/* The server chose the URL of the request, not the user: refuse private addresses, unless
	 * the MCP server is on one. */
	bool public_only;
	bool is_renewing; /* the request sends a refresh token, which may be usable only once */
	const char *browser_url;  /* NULL: none */
	const char *access_token; /* NULL: none. Never to be shown */
	int64_t expires_s;        /* 0: unknown, or no token */
	bool can_renew;           /* there is a refresh token */
	const char *client_id;    /* that the token was issued to; NULL: unknown, or no token */
	const char *scope;        /* of the token; NULL: unknown, or no token */
	bool by_client;           /* the token is for the client, without a login */
	bool may_accept_slash;    /* it failed only because of that */
	const char *issuer;       /* NULL: not known */
	const char *resource;     /* the `resource` parameter */
	const struct auth_steps *steps;
};
/* NULL: as of a flow that did nothing yet. */
struct auth_flow_info auth_flow_info(const struct auth_flow *f);
/* Removes all known secrets from text. */
void auth_flow_hide(const struct auth_flow *f, struct buf *text);
/* The redirect URIs of existing registrations: using one avoids another registration. */
void auth_flow_redirect_uris(const struct auth_flow *f, struct strings *out);

#endif
