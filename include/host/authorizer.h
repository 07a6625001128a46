/* SPDX-License-Identifier: MIT */
#ifndef HOST_AUTHORIZER_H
#define HOST_AUTHORIZER_H

#include "auth/book.h"
#include "auth/flow.h"
#include "loop/loop.h"
#include "net/transport.h"

/*
 * Runs the authorization of one server: connects the flow (auth/flow.h) with fetches, the
 * listener on 127.0.0.1, the browser and the token store. The transport asks it for tokens and
 * reports refusals.
 */
struct authorizer;

enum authorizer_consent {
	AUTHORIZER_ASKS,    /* the user reviews each step and agrees by authorizer_next() */
	AUTHORIZER_OPENS,   /* agreed in advance (--login): prints the URL and opens the browser */
	AUTHORIZER_VISITS,  /* no browser: fetches the URL and takes the answer from Location */
	AUTHORIZER_REFUSES, /* without a user: never opens a browser */
};

/* Strings are copied. */
struct authorizer_options {
	struct auth_flow_options flow;
	const char *client_key_pem; /* for private_key_jwt; NULL: none */
	const char *redirect_uri;   /* NULL: /callback on a free port of 127.0.0.1 */
	const char *tokens_path;    /* NULL: tokens are not stored */
	enum authorizer_consent consent;
	bool insecure; /* do not verify certificates of the server's own origin */
};

/* Called from the loop or from within the functions below. */
struct authorizer_events {
	void (*on_change)(void *user);                 /* the flow's state changed */
	void (*on_note)(void *user, const char *text); /* journal line without secrets */
	/* AUTHORIZER_OPENS: show this to the user in full. url NULL: text only. */
	void (*on_ask)(void *user, const char *text, const char *url);
	/* Passes the result to ops->settle() of the transport: why is NULL if there is a token,
	 * even if no message waited for it, else the reason. waited_us: how long messages
	 * waited. */
	void (*on_settled)(void *user, const char *why, int64_t waited_us);
};

/* How long the user may spend in the browser. */
#define AUTHORIZER_WAIT_MS ((int64_t)10 * 60 * 1000)
/* A token is renewed this long before it expires. */
#define AUTHORIZER_RENEW_S 60

/* Checks all options except flow.server_url. */
bool authorizer_check(const struct authorizer_options *options, struct err *err);
/* NULL with err: the URL is invalid, or authorizer_check() fails. */
struct authorizer *authorizer_create(struct loop *loop, const struct authorizer_options *options,
    const struct authorizer_events *events, void *user, struct err *err);
void authorizer_destroy(struct authorizer *a); /* NULL-safe */
struct authorizer_info {
	const struct auth_flow *flow;
	bool waiting; /* a message waits for on_settled */
	struct http_auth http;
};
struct authorizer_info authorizer_info(struct authorizer *a);

/* ---- user actions ---- */
/* Takes the next step: agrees, or opens the browser at the URL shown. */
bool authorizer_next(struct authorizer *a, struct err *err);
bool authorizer_again(struct authorizer *a, struct err *err); /* start over */
/* The address to which a browser on another machine was redirected. */
bool authorizer_paste(struct authorizer *a, const char *url, struct err *err);
bool authorizer_set_client(
    struct authorizer *a, const char *id, const char *secret, struct err *err);
void authorizer_forget(struct authorizer *a);

/*
 * Revokes a stored token and its refresh token (RFC 7009): reads the metadata of the issuer, then
 * revokes the refresh token and the access token. Failures are only reported, and everything ends
 * after REVOKER_MS.
 */
struct revoker;

#define REVOKER_MS 5000

/* server_url: the MCP server that the token was for. Takes the members of kept. done is called once
 * from the loop with the outcome in one line, without secrets, and may destroy the revoker. */
struct revoker *revoker_create(struct loop *loop, const char *server_url, struct auth_kept *kept,
    void (*done)(void *user, const char *outcome), void *user);
void revoker_destroy(struct revoker *r); /* NULL-safe */

#endif
