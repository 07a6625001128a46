#include "state.h"

#include "base/clock.h"
#include "base/mem.h"
#include "host/token_store.h"
#include "net/crypto.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How often to retry a claim that another process holds, and how long to wait for it. */
#define CLAIM_PAUSE_MS 100
#define CLAIM_WAIT_MS 30000

static void
note_trouble(struct authorizer *a, const struct err *err)
{
	if (!err->text[0])
		return;
	char *text = mem_printf("authorization: %s", err->text);
	authorizer_note(a, text);
	free(text);
}

/* ---- the flow's store ---- */

static bool
find(void *user, const char *issuer, const char *resource, struct auth_kept *out)
{
	struct authorizer *a = user;
	struct err err = { "" };

	bool found = token_store_find(
	    a->tokens_path, auth_flow_info(a->flow).server_url, issuer, resource, out, &err);
	note_trouble(a, &err);
	return found;
}

static void
find_clients(void *user, const char *issuer, struct auth_clients *out)
{
	struct authorizer *a = user;
	struct err err = { "" };

	token_store_find_clients(a->tokens_path, issuer, out, &err);
	note_trouble(a, &err);
}

static void
change(void *user, const struct auth_change *change)
{
	struct authorizer *a = user;
	struct err err = { "" };

	token_store_change(a->tokens_path, auth_flow_info(a->flow).server_url, change, NULL, &err);
	note_trouble(a, &err);
}

static struct auth_store
authorizer_store(struct authorizer *a)
{
	if (!a->tokens_path)
		return (struct auth_store){ 0 };
	return (struct auth_store){ find, find_clients, change, a };
}

bool
authorizer_recall(struct authorizer *a)
{
	bool newer = auth_flow_recall(a->flow);

	if (newer)
		authorizer_note(a, "authorization: another mcpane process has a newer token");
	return newer;
}

/* ---- only one process uses a refresh token ---- */

static bool
claim(struct authorizer *a)
{
	const struct auth_flow_info flow = auth_flow_info(a->flow);
	int64_t now_ms = loop_now_ms(a->loop);

	if (a->claim >= 0 ||
	    token_store_claim(a->tokens_path, flow.issuer, flow.resource, &a->claim)) {
		a->claiming_until_ms = 0;
		return true;
	}
	if (a->claiming_until_ms == 0)
		a->claiming_until_ms = now_ms + CLAIM_WAIT_MS;
	loop_timer_set(a->loop, &a->claim_again, now_ms + CLAIM_PAUSE_MS);
	return now_ms >= a->claiming_until_ms;
}

bool
authorizer_may_send(struct authorizer *a)
{
	if (!a->tokens_path || !auth_flow_info(a->flow).is_renewing)
		return true;
	if (!claim(a))
		return false;
	if (!authorizer_recall(a))
		return true;
	authorizer_end_claim(a);
	return false;
}

void
authorizer_end_claim(struct authorizer *a)
{
	loop_timer_cancel(&a->claim_again);
	a->claiming_until_ms = 0;
	if (a->claim >= 0)
		close(a->claim);
	a->claim = -1;
}

static void
authorizer_on_claim(void *user)
{
	authorizer_move(user);
}

int64_t
authorizer_now_s(void)
{
	return clock_wall_ms() / 1000;
}

/* ---- random values, signatures, time ---- */

static bool
make_random(void *user, void *out, size_t len, struct err *err)
{
	return crypto_random(out, len, err);
}

static bool
sign(void *user, const void *bytes, size_t len, uint8_t out[64], struct err *err)
{
	struct authorizer *a = user;

	return crypto_sign_es256(a->key, bytes, len, out, err);
}

/* ---- for net/http ---- */

static const char *
get_token(void *user)
{
	struct authorizer *a = user;

	return auth_flow_info(a->flow).access_token;
}

/* Retries with the token of another process, from a separate turn of the loop. */
static void
on_retry(void *user)
{
	struct authorizer *a = user;

	a->retrying = false;
	authorizer_move(a);
}

static bool
on_challenge(void *user, int status, const char *www_authenticate)
{
	struct authorizer *a = user;

	if (!a->waiting)
		a->waiting_since_us = clock_now_us();
	a->waiting = true;
	if (a->retrying)
		return true;
	if (status == 401 && authorizer_recall(a)) {
		a->retrying = true;
		loop_timer_set(a->loop, &a->retry, loop_now_ms(a->loop));
		return true;
	}
	auth_flow_challenge(a->flow, status, www_authenticate, authorizer_now_s());
	authorizer_move(a);
	return true;
}

struct http_auth
authorizer_http(struct authorizer *a)
{
	return (struct http_auth){ .token = get_token, .challenge = on_challenge, .user = a };
}

/* ---- user actions ---- */

bool
authorizer_next(struct authorizer *a, struct err *err)
{
	enum auth_state state = auth_flow_info(a->flow).state;

	if (state == AUTH_WORKING)
		return err_set(err, "authorization is in progress");
	if (state == AUTH_NEEDS_CLIENT)
		return err_set(err, ":client-id gives the id of a client that you registered");
	if (auth_flow_info(a->flow).may_accept_slash)
		auth_flow_accept_slash(a->flow);
	if (state == AUTH_READY || state == AUTH_WAITING)
		authorizer_open_browser(a);
	else
		authorizer_go(a);
	authorizer_move(a);
	return true;
}

bool
authorizer_again(struct authorizer *a, struct err *err)
{
	const struct auth_flow_info flow = auth_flow_info(a->flow);

	if (flow.state == AUTH_WORKING)
		return err_set(err, "authorization is in progress");
	/* the authorization server may have forgotten our client */
	if (flow.browser_url)
		auth_flow_unregister(a->flow);
	if (flow.state != AUTH_FAILED)
		auth_flow_fail(a->flow, "restarted by the user");
	authorizer_go(a);
	authorizer_move(a);
	return true;
}

bool
authorizer_paste(struct authorizer *a, const char *url, struct err *err)
{
	if (!auth_flow_on_redirect(a->flow, url, authorizer_now_s(), err))
		return false;
	authorizer_move(a);
	return true;
}

bool
authorizer_set_client(struct authorizer *a, const char *id, const char *secret, struct err *err)
{
	if (!auth_is_plain(id) || (secret && !auth_is_plain(secret)))
		return err_set(err, "a client id must consist of printable ASCII characters");
	auth_flow_set_client(a->flow, id, secret, authorizer_now_s());
	authorizer_move(a);
	return true;
}

static void
on_revoked(void *user, const char *outcome)
{
	struct authorizer *a = user;
	struct err err;

	err_set(&err, "%s", outcome);
	note_trouble(a, &err);
	revoker_destroy(a->revoker);
	a->revoker = NULL;
}

/* In the background: the tokens are deleted here whatever comes of it. */
static void
revoke_tokens(struct authorizer *a)
{
	const char *server_url = auth_flow_info(a->flow).server_url;
	struct auth_kept kept = { 0 };

	revoker_destroy(a->revoker);
	a->revoker = NULL;
	if (a->tokens_path &&
	    token_store_find(a->tokens_path, server_url, NULL, NULL, &kept, &(struct err){ "" }))
		a->revoker = revoker_create(a->loop, server_url, &kept, on_revoked, a);
	auth_kept_finish(&kept);
}

void
authorizer_forget(struct authorizer *a)
{
	revoke_tokens(a);
	fetch_cancel(a->fetch);
	fetch_cancel(a->visit);
	a->fetch = a->visit = NULL;
	authorizer_end_claim(a);
	authorizer_stop_listening(a);
	loop_timer_cancel(&a->renew);
	auth_flow_forget(a->flow);
	authorizer_refuse(a, "the authorization was deleted");
	authorizer_move(a);
}

/* ---- create and destroy ---- */

bool
authorizer_check(const struct authorizer_options *o, struct err *err)
{
	struct err why = { "" };

	if (o->flow.client_metadata_url &&
	    !auth_client_is_document_url(o->flow.client_metadata_url))
		return err_set(err, "a client metadata URL must use https and have a path: %.150s",
		    o->flow.client_metadata_url);
	if (o->redirect_uri && !auth_url_is_safe(o->redirect_uri, &why))
		return err_set(err, "the redirect URI %.100s: %s", o->redirect_uri, why.text);
	if (o->flow.client_id && !auth_is_plain(o->flow.client_id))
		return err_set(err, "a client id must consist of printable ASCII characters");
	if (o->flow.client_secret && !auth_is_plain(o->flow.client_secret))
		return err_set(err, "the client secret contains characters that cannot be sent");
	if (!o->client_key_pem)
		return true;
	struct crypto_key *key =
	    crypto_key_create(o->client_key_pem, strlen(o->client_key_pem), &why);
	crypto_key_destroy(key);
	return key || err_set(err, "the client key: %s", why.text);
}

static bool
is_url(const char *text, struct err *err)
{
	struct err why = { "" };
	struct auth_url u;

	if (!auth_url_parse(&u, text, &why))
		return err_set(err, "%.150s: %s", text, why.text);
	auth_url_finish(&u);
	return true;
}

struct authorizer *
authorizer_create(struct loop *loop, const struct authorizer_options *options,
    const struct authorizer_events *events, void *user, struct err *err)
{
	struct authorizer *a = mem_zalloc(sizeof(*a));
	struct auth_flow_options flow = options->flow;

	*a = (struct authorizer){ .loop = loop,
		.events = *events,
		.user = user,
		.consent = options->consent,
		.insecure = options->insecure,
		.wait = { .fn = authorizer_on_waited_long, .user = a },
		.renew = { .fn = authorizer_on_renew, .user = a },
		.retry = { .fn = on_retry, .user = a },
		.claim_again = { .fn = authorizer_on_claim, .user = a },
		.claim = -1 };
	if (!is_url(options->flow.server_url, err) || !authorizer_check(options, err)) {
		free(a);
		return NULL;
	}
	if (options->client_key_pem)
		a->key = crypto_key_create(
		    options->client_key_pem, strlen(options->client_key_pem), NULL);
	flow.has_key = a->key != NULL;
	flow.client_credentials = flow.client_credentials || a->key;
	flow.needs_scope = options->consent != AUTHORIZER_REFUSES;
	struct auth_crypto crypto = { .random = make_random, .sign = sign, .user = a };
	a->redirect_uri = mem_strdup(options->redirect_uri);
	a->tokens_path = mem_strdup(options->tokens_path);
	struct auth_store store = authorizer_store(a);
	a->flow = auth_flow_create(&flow, &crypto, &store);
	auth_flow_recall(a->flow);
	authorizer_set_renewal(a);
	return a;
}

void
authorizer_destroy(struct authorizer *a)
{
	if (!a)
		return;
	fetch_cancel(a->fetch);
	fetch_cancel(a->visit);
	revoker_destroy(a->revoker);
	authorizer_stop_listening(a);
	loop_timer_cancel(&a->renew);
	loop_timer_cancel(&a->retry);
	authorizer_end_claim(a);
	browser_destroy(a->browser);
	auth_flow_destroy(a->flow);
	crypto_key_destroy(a->key);
	free(a->redirect_uri);
	free(a->last_uri);
	free(a->tokens_path);
	free(a);
}

struct authorizer_info
authorizer_info(const struct authorizer *a)
{
	return (struct authorizer_info){ .flow = a->flow, .waiting = a->waiting };
}
