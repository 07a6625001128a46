#ifndef HOST_AUTHORIZER_H
#define HOST_AUTHORIZER_H

#include "auth/flow.h"
#include "net/http.h"

/*
 * The authorization of one server at work: joins the flow (auth/flow.h) with fetches,
 * the listener on 127.0.0.1, the browser and the store of tokens. net/http asks it for
 * tokens and tells it of refusals.
 */
struct authorizer;

enum authorizer_consent {
	AUTHORIZER_ASKS,    /* the user sees what is asked and says so by authorizer_next() */
	AUTHORIZER_OPENS,   /* agreed beforehand (--login): the URL is told, the browser opened */
	AUTHORIZER_VISITS,  /* no browser: the URL is fetched, its Location is the answer */
	AUTHORIZER_REFUSES, /* nobody is there: a browser is never opened */
};

/* Strings are copied. */
struct authorizer_options {
	struct auth_flow_options flow;
	const char *client_key_pem; /* for private_key_jwt; NULL: none */
	const char *redirect_uri;   /* NULL: /callback on a free port of 127.0.0.1 */
	const char *tokens_path;    /* NULL: nothing is kept */
	enum authorizer_consent consent;
	bool insecure; /* certificates of the server's own origin are not checked */
};

/* All from the loop or from within calls below. */
struct authorizer_events {
	void (*on_change)(void *user);                 /* the flow moved */
	void (*on_note)(void *user, const char *text); /* one line for the journal, no secrets */
	/* AUTHORIZER_OPENS: to be shown to the user, whole. url NULL: only the text. */
	void (*on_ask)(void *user, const char *text, const char *url);
	/* http_resume() and http_give_up(): messages waited so long. on_token also when none did.
	 */
	void (*on_token)(void *user, int64_t waited_us);
	void (*on_refused)(void *user, const char *why, int64_t waited_us);
};

/* How long the browser may take. */
#define AUTHORIZER_WAIT_MS ((int64_t)10 * 60 * 1000)
/* A token is renewed so long before its end. */
#define AUTHORIZER_RENEW_S 60

/* What the user gave, and so all but flow.server_url, is fit for use. */
bool authorizer_check(const struct authorizer_options *options, struct err *err);
/* NULL with err: no such URL, or what authorizer_check() says. */
struct authorizer *authorizer_create(struct loop *loop, const struct authorizer_options *options,
    const struct authorizer_events *events, void *user, struct err *err);
void authorizer_destroy(struct authorizer *a); /* NULL-safe */
struct http_auth authorizer_http(struct authorizer *a);
const struct auth_flow *authorizer_flow(const struct authorizer *a);
/* A message waits for on_token or on_refused. */
bool authorizer_is_waiting(const struct authorizer *a);

/* ---- asked by the user ---- */
/* What comes next: agrees, or opens the browser at the URL that is shown. */
bool authorizer_next(struct authorizer *a, struct err *err);
bool authorizer_again(struct authorizer *a, struct err *err); /* from the start */
/* The address that a browser elsewhere was sent back to. */
bool authorizer_paste(struct authorizer *a, const char *url, struct err *err);
bool authorizer_set_client(
    struct authorizer *a, const char *id, const char *secret, struct err *err);
void authorizer_forget(struct authorizer *a);

#endif
