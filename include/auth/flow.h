#ifndef AUTH_FLOW_H
#define AUTH_FLOW_H

#include "auth/step.h"
#include "auth/store.h"

/*
 * The authorization of one MCP server, from its refusal to a token, without I/O: it
 * says what is to be fetched next, or that the user has to agree, or that a browser
 * is to be sent to an address, and takes what comes back. (2026-07-28/basic/
 * authorization; OAuth 2.1; RFC 7591, 7636, 8414, 8707, 9207, 9728.)
 *
 * A driver looks at auth_flow_request() after each call below.
 */
struct auth_flow;

enum auth_state {
	AUTH_NOT_NEEDED,   /* as far as is known */
	AUTH_WORKING,      /* auth_flow_request() is under way */
	AUTH_NEEDED,       /* waits for auth_flow_go(): the user's consent to register and ask */
	AUTH_NEEDS_CLIENT, /* waits for auth_flow_set_client(): no way to register by itself */
	AUTH_READY,        /* auth_flow_browser_url() is to be opened, once the user has seen it */
	AUTH_WAITING,      /* for auth_flow_on_redirect() */
	AUTH_AUTHORIZED,
	AUTH_FAILED,
};

/* Strings are copied. */
struct auth_flow_options {
	const char *server_url;
	const char *client_name;
	const char *client_id;           /* registered beforehand; NULL: none */
	const char *client_secret;       /* its; NULL: none */
	const char *client_issuer;       /* where it was registered; NULL: the first that asks */
	const char *client_metadata_url; /* NULL: we have no such document */
	const char *scope;               /* wanted by the user; NULL: as the server says */
	bool client_credentials;         /* no user: the client's own credentials are enough */
	bool has_key;                    /* crypto->sign() proves who the client is */
};

struct auth_answer {
	int status;          /* 0: none came */
	const char *error;   /* why none came */
	const char *headers; /* "Name: value\n" each */
	const char *body;    /* NUL-terminated after len bytes */
	size_t len;
	int64_t took_ms;
};

/* The URL has to be one (auth_url_parse()). crypto and store, which may be NULL, are copied. */
struct auth_flow *auth_flow_create(const struct auth_flow_options *options,
    const struct auth_crypto *crypto, const struct auth_store *store);
void auth_flow_destroy(struct auth_flow *f);
/* Goes on with the token that is kept for the server. False: there is none, or no other than the
 * one that is held; or something is under way that is not its renewal. */
bool auth_flow_recall(struct auth_flow *f);

/* ---- what happened; now_s is since 1970 ---- */
/* 401, or 403 with insufficient_scope. Discovery begins, unless it is under way. */
void auth_flow_challenge(
    struct auth_flow *f, int status, const char *www_authenticate, int64_t now_s);
/* The token ends soon. False: it cannot be renewed without the user. */
bool auth_flow_renew(struct auth_flow *f, int64_t now_s);
void auth_flow_on_answer(struct auth_flow *f, const struct auth_answer *answer, int64_t now_s);
/* The user agreed; redirect_uri is where the browser shall come back to. In any state but WORKING;
 * from FAILED everything begins anew. */
void auth_flow_go(struct auth_flow *f, const char *redirect_uri, int64_t now_s);
void auth_flow_set_client(struct auth_flow *f, const char *id, const char *secret, int64_t now_s);
/* How the browser went: "opened by xdg-open", or why it did not. */
void auth_flow_on_opened(struct auth_flow *f, bool ok, const char *how);
/* The address that the browser was sent back to, or its query. False with err: it is not the answer
 * that is waited for, which may still come. */
bool auth_flow_on_redirect(struct auth_flow *f, const char *url, int64_t now_s, struct err *err);
void auth_flow_fail(struct auth_flow *f, const char *why); /* the driver cannot go on */
/* The next authorization registers anew: the server may not know the registration any more. */
void auth_flow_unregister(struct auth_flow *f);
/* The token, and the registration where no other token needs it. */
void auth_flow_forget(struct auth_flow *f);

/* ---- what is known ---- */
const struct auth_request *auth_flow_request(
    const struct auth_flow *f); /* NULL: nothing to fetch */
/* Where the request goes was said by the server (not by the user): private addresses are refused
 * unless the MCP server is on one. */
bool auth_flow_fetch_public_only(const struct auth_flow *f);
enum auth_state auth_flow_state(const struct auth_flow *f);
bool auth_flow_wants_user(const struct auth_flow *f); /* it does not go on by itself; NULL: false */
const char *auth_flow_sentence(const struct auth_flow *f);     /* what the state means, one line */
const char *auth_flow_browser_url(const struct auth_flow *f);  /* NULL: none */
const char *auth_flow_access_token(const struct auth_flow *f); /* NULL: none. Never to be shown */
int64_t auth_flow_expires_s(const struct auth_flow *f);        /* 0: unknown, or no token */
bool auth_flow_can_renew(const struct auth_flow *f);           /* there is a refresh token */
const char *auth_flow_server_url(const struct auth_flow *f);
const struct auth_steps *auth_flow_steps(const struct auth_flow *f);
/* No secret that is known stays in it. */
void auth_flow_hide(const struct auth_flow *f, struct buf *text);
uint64_t auth_flow_generation(const struct auth_flow *f); /* raised by every change */
/* The request gives a refresh token away, which may be good only once. */
bool auth_flow_is_renewing(const struct auth_flow *f);
const char *auth_flow_issuer(const struct auth_flow *f);   /* NULL: not known */
const char *auth_flow_resource(const struct auth_flow *f); /* the `resource` parameter */
/* Where the browser came back to before: what is registered for it need not be again. */
void auth_flow_redirect_uris(const struct auth_flow *f, struct auth_strings *out);

#endif
