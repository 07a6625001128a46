/* SPDX-License-Identifier: MIT */
#include "host/authorizer.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "host/stores.h"
#include "host/user_programs.h"
#include "net/crypto.h"
#include "net/fetch.h"
#include "net/loopback.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct authorizer {
	struct loop *loop;
	struct authorizer_events events;
	void *user;
	struct auth_flow *flow;
	struct crypto_key *key;
	char *redirect_uri, *tokens_path;
	char *last_uri; /* redirect address of the last run: use the same port again */
	enum authorizer_consent consent;
	bool insecure;

	struct fetch *fetch;
	struct fetch *visit;
	struct revoker *revoker; /* NULL: nothing is being revoked */
	struct loopback *listener;
	struct browser *browser;
	struct loop_timer wait, renew, retry, claim_again;
	int claim;                 /* lock on the refresh token; -1: not held */
	int64_t claiming_until_ms; /* wait for another process until then; 0: not waiting */
	uint64_t noted;            /* last step written to the journal */
	bool waiting;              /* the transport holds messages back */
	int64_t waiting_since_us;
	bool retrying; /* with a token that another process obtained */
	bool fresh;    /* a token not yet announced */
	bool opened;   /* the browser was opened for this URL */
	bool moving;   /* move() is running */
	bool again;    /* move() must run again */
};

static void authorizer_move(void *user);

/* How often to retry a claim that another process holds, and how long to wait for it. */
#define CLAIM_PAUSE_MS 100
#define CLAIM_WAIT_MS 30000

static int64_t
authorizer_now_s(void)
{
	return clock_wall_ms() / 1000;
}

static void
note_trouble(struct authorizer *a, const struct err *err)
{
	if (!err->text[0])
		return;
	char *text = mem_printf("authorization: %s", err->text);
	a->events.on_note(a->user, text);
	free(text);
}

/* ---- the flow's store ---- */

static bool
find_tokens(void *user, const char *issuer, const char *resource, struct auth_kept *out)
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
change_tokens(void *user, const struct auth_change *change_tokens)
{
	struct authorizer *a = user;
	struct err err = { "" };

	token_store_change(
	    a->tokens_path, auth_flow_info(a->flow).server_url, change_tokens, NULL, &err);
	note_trouble(a, &err);
}

static bool
authorizer_recall(struct authorizer *a)
{
	bool newer = auth_flow_recall(a->flow);

	if (newer)
		a->events.on_note(
		    a->user, "authorization: another mcpane process has a newer token");
	return newer;
}

/* ---- only one process uses a refresh token ---- */

static void
authorizer_end_claim(struct authorizer *a)
{
	loop_timer_cancel(&a->claim_again);
	a->claiming_until_ms = 0;
	if (a->claim >= 0)
		close(a->claim);
	a->claim = -1;
}

/* Returns whether the flow's request can be sent now: a refresh token is used by one process. */
static bool
authorizer_may_send(struct authorizer *a)
{
	const struct auth_flow_info flow = auth_flow_info(a->flow);
	int64_t now_ms = loop_now_ms(a->loop);

	if (!a->tokens_path || !flow.is_renewing)
		return true;
	if (a->claim >= 0 ||
	    token_store_claim(a->tokens_path, flow.issuer, flow.resource, &a->claim)) {
		a->claiming_until_ms = 0;
	} else {
		if (a->claiming_until_ms == 0)
			a->claiming_until_ms = now_ms + CLAIM_WAIT_MS;
		loop_timer_set(a->loop, &a->claim_again, now_ms + CLAIM_PAUSE_MS);
		if (now_ms < a->claiming_until_ms)
			return false;
	}
	if (!authorizer_recall(a))
		return true;
	authorizer_end_claim(a);
	return false;
}

/* why: the transport's messages are refused; NULL: they are sent. */
static void
authorizer_settle(struct authorizer *a, const char *why)
{
	int64_t waited_us = a->waiting ? clock_now_us() - a->waiting_since_us : 0;

	if (!a->waiting && (why || !a->fresh))
		return;
	a->waiting = false;
	if (!why)
		a->fresh = false;
	a->events.on_settled(a->user, why, waited_us);
}

static void
authorizer_set_renewal(struct authorizer *a)
{
	const struct auth_flow_info flow = auth_flow_info(a->flow);
	int64_t left_s = flow.expires_s - authorizer_now_s() - AUTHORIZER_RENEW_S;

	loop_timer_cancel(&a->renew);
	if (flow.expires_s == 0 || !flow.can_renew)
		return;
	/* a token valid for less than a minute is renewed after a refusal */
	if (left_s > 0 && left_s < INT32_MAX)
		loop_timer_set(a->loop, &a->renew, loop_now_ms(a->loop) + left_s * 1000);
}

static void
on_renew_timer(void *user)
{
	struct authorizer *a = user;

	authorizer_recall(a);
	authorizer_set_renewal(a); /* if the token is newer; an expired one cannot be timed */
	if (auth_flow_info(a->flow).expires_s - authorizer_now_s() > AUTHORIZER_RENEW_S)
		return;
	if (auth_flow_renew(a->flow, authorizer_now_s()))
		authorizer_move(a);
}

static void
authorizer_ask(struct authorizer *a, const char *text, const char *url)
{
	if (a->consent == AUTHORIZER_OPENS)
		a->events.on_ask(a->user, text, url);
}

#define CALLBACK_PATH "/callback"
/* The redirect address if no browser is used; it has no listener. */
#define VISIT_REDIRECT "http://127.0.0.1:33418" CALLBACK_PATH

static void
authorizer_stop_listening(struct authorizer *a)
{
	loop_timer_cancel(&a->wait);
	loopback_destroy(a->listener);
	a->listener = NULL;
}

static enum loopback_visit
on_visit(void *user, const char *target)
{
	struct authorizer *a = user;
	struct err err = { "" };

	if (!auth_flow_on_redirect(a->flow, target, authorizer_now_s(), &err)) {
		authorizer_ask(a, err.text, NULL);
		authorizer_move(a);
		return LOOPBACK_STRAY;
	}
	bool refused = auth_flow_info(a->flow).state == AUTH_FAILED;
	authorizer_move(a);
	return refused ? LOOPBACK_REFUSED : LOOPBACK_TAKEN;
}

static void
on_waited_long(void *user)
{
	struct authorizer *a = user;

	auth_flow_fail(a->flow, "the browser did not return within ten minutes");
	authorizer_move(a);
}

static bool
listen_at(struct authorizer *a, const char *uri, struct err *err)
{
	struct auth_url u;

	if (!auth_url_parse(&u, uri, err))
		return false;
	if (u.kind == AUTH_HOST_LOOPBACK)
		a->listener = loopback_create(
		    a->loop, u.port ? u.port : 80, u.path[0] ? u.path : "/", on_visit, a, err);
	/* without a listener the user pastes the answer */
	bool ok = a->listener || u.kind != AUTH_HOST_LOOPBACK;
	auth_url_finish(&u);
	return ok;
}

/* Returns the redirect URI: the user's, else an earlier one, so that the client need not register
 * again, else one with any free port. The caller frees it; NULL with err. */
static char *
authorizer_listen(struct authorizer *a, struct err *err)
{
	struct strings before = { 0 };
	char *uri = NULL;

	authorizer_stop_listening(a);
	if (a->consent == AUTHORIZER_VISITS)
		return mem_strdup(a->redirect_uri ? a->redirect_uri : VISIT_REDIRECT);
	if (a->redirect_uri)
		return listen_at(a, a->redirect_uri, err) ? mem_strdup(a->redirect_uri) : NULL;
	auth_flow_redirect_uris(a->flow, &before);
	if (a->last_uri)
		strings_add(&before, a->last_uri);
	for (size_t i = 0; !uri && i < before.len; i++)
		if (listen_at(a, before.items[i], NULL) && a->listener)
			uri = mem_strdup(before.items[i]);
	strings_finish(&before);
	if (!uri)
		a->listener = loopback_create(a->loop, 0, CALLBACK_PATH, on_visit, a, err);
	if (!uri && a->listener)
		uri = mem_printf("http://127.0.0.1:%d" CALLBACK_PATH, loopback_port(a->listener));
	free(a->last_uri);
	a->last_uri = mem_strdup(uri);
	return uri;
}

static void
authorizer_go(struct authorizer *a)
{
	struct err err = { "" };
	char *uri = authorizer_listen(a, &err);

	a->opened = false;
	if (uri)
		auth_flow_go(a->flow, uri, authorizer_now_s());
	else
		auth_flow_fail(a->flow, err.text);
	free(uri);
}

static void
on_browser_end(void *user, bool ok, const char *how)
{
	struct authorizer *a = user;

	browser_destroy(a->browser);
	a->browser = NULL;
	if (ok)
		return;
	authorizer_ask(a, how, NULL);
	auth_flow_on_opened(a->flow, false, how);
	authorizer_move(a);
}

/* The browser may redirect even if opening it failed. */
static void
authorizer_open_browser(struct authorizer *a)
{
	const char *url = auth_flow_info(a->flow).browser_url;
	struct err err = { "no browser is here" };

	a->opened = true;
	loop_timer_set(a->loop, &a->wait, loop_now_ms(a->loop) + AUTHORIZER_WAIT_MS);
	browser_destroy(a->browser);
	a->browser = NULL;
	bool likely = browser_is_likely();
	if (likely)
		a->browser = browser_open(a->loop, url, on_browser_end, a, &err);
	if (!a->browser) {
		if (likely)
			authorizer_ask(a, err.text, NULL);
		auth_flow_on_opened(a->flow, false, err.text);
		return;
	}
	char *how = mem_printf("started: %s", a->browser->name);
	auth_flow_on_opened(a->flow, true, how);
	free(how);
}

/* ---- without a browser ---- */

static void
on_visited(void *user, const struct fetch_answer *answer)
{
	struct authorizer *a = user;
	char *location = answer->error ? NULL : header_find(answer->headers, "Location", 0);
	struct err err = { "" };

	a->visit = NULL;
	if (!location)
		err_set(&err, "the authorization endpoint answered %d without a redirect: %s",
		    answer->status, answer->error ? answer->error : "");
	if (!location || !auth_flow_on_redirect(a->flow, location, authorizer_now_s(), &err))
		auth_flow_fail(a->flow, err.text);
	free(location);
	authorizer_move(a);
}

/* ---- fetches ---- */

static void
on_fetched(void *user, const struct fetch_answer *answer)
{
	struct authorizer *a = user;

	a->fetch = NULL;
	auth_flow_on_answer(a->flow,
	    &(struct auth_answer){ .status = answer->status,
		.error = answer->error,
		.headers = answer->headers,
		.body = answer->body,
		.len = answer->body_len,
		.took_ms = answer->took_ms },
	    authorizer_now_s());
	a->fresh = auth_flow_info(a->flow).state == AUTH_AUTHORIZED;
	authorizer_end_claim(a);
	authorizer_move(a);
}

static void
fetch_request(struct authorizer *a, const struct auth_request *r)
{
	const char **headers = mem_zalloc((r->headers.len + 1) * sizeof(*headers));
	const struct auth_flow_info flow = auth_flow_info(a->flow);
	struct auth_url own, other;
	bool insecure = false; /* for the server's own origin only */
	struct err err = { "" };

	if (a->insecure && auth_url_parse(&own, flow.server_url, NULL)) {
		insecure =
		    auth_url_parse(&other, r->url, NULL) && auth_url_same_origin(&own, &other);
		auth_url_finish(&own);
		auth_url_finish(&other);
	}
	for (size_t i = 0; i < r->headers.len; i++)
		headers[i] = r->headers.items[i];
	a->fetch = fetch_start(a->loop,
	    &(struct fetch_request){ .method = r->method,
		.url = r->url,
		.headers = headers,
		.body = r->body.len > 0 ? r->body.data : NULL,
		.body_len = r->body.len,
		.max_redirects = 3,
		.insecure = insecure,
		.public_only = flow.public_only },
	    on_fetched, a, &err);
	free(headers);
	if (a->fetch)
		return;
	authorizer_end_claim(a);
	auth_flow_fail(a->flow, err.text);
}

/* ---- the next step ---- */

static void
on_ready(struct authorizer *a)
{
	if (a->opened)
		return;
	if (a->consent == AUTHORIZER_VISITS) {
		struct err err = { "" };
		const struct auth_flow_info flow = auth_flow_info(a->flow);
		struct fetch_request request = { .url = flow.browser_url,
			.public_only = flow.public_only };
		a->opened = true;
		a->visit = fetch_start(a->loop, &request, on_visited, a, &err);
		if (a->visit)
			auth_flow_on_opened(a->flow, true, "the URL is fetched instead of shown");
		else
			auth_flow_fail(a->flow, err.text);
	} else if (a->consent == AUTHORIZER_OPENS) {
		authorizer_ask(a,
		    browser_is_likely() ? "the browser is sent to"
					: "no browser is here; open this where there is one",
		    auth_flow_info(a->flow).browser_url);
		authorizer_open_browser(a);
	}
}

/* Does what the state of the flow asks for. */
static void
authorizer_step(struct authorizer *a, enum auth_state state)
{
	const struct auth_flow_info flow = auth_flow_info(a->flow);
	char *why = NULL; /* the flow goes on only with the user */

	switch (state) {
	case AUTH_NEEDED:
		authorizer_ask(a, flow.sentence, NULL);
		if (a->consent == AUTHORIZER_OPENS || a->consent == AUTHORIZER_VISITS)
			authorizer_go(a);
		else if (a->consent == AUTHORIZER_REFUSES)
			why = mem_printf("%s; --login opens the browser for it", flow.sentence);
		break;
	case AUTH_NEEDS_CLIENT:
		if (a->consent != AUTHORIZER_ASKS)
			why = mem_printf("%s (--client-id ID --redirect-uri URI)", flow.sentence);
		break;
	case AUTH_READY:
		on_ready(a);
		break;
	case AUTH_AUTHORIZED:
		authorizer_stop_listening(a);
		authorizer_set_renewal(a);
		a->opened = false;
		authorizer_settle(a, NULL);
		break;
	case AUTH_FAILED:
		authorizer_stop_listening(a);
		a->opened = false;
		authorizer_settle(a, flow.sentence);
		break;
	default:
		break;
	}
	if (why)
		authorizer_settle(a, why);
	free(why);
}

/* Runs until the flow has to wait. Functions called from here may call it again. */
static void
authorizer_move(void *user)
{
	struct authorizer *a = user;

	if (a->moving) {
		a->again = true;
		return;
	}
	a->moving = true;
	for (int turns = 0; turns < 16; turns++) {
		const struct auth_flow_info flow = auth_flow_info(a->flow);
		a->again = false;
		if (flow.request && !a->fetch && authorizer_may_send(a))
			fetch_request(a, flow.request);
		else
			authorizer_step(a, flow.state);
		if (!a->again && auth_flow_info(a->flow).generation == flow.generation)
			break;
	}
	a->moving = false;
	/* note each finished step on one line: the request, its status, its meaning */
	const struct auth_steps *steps = auth_flow_info(a->flow).steps;
	for (size_t i = 0; i < steps->len; i++) {
		const struct auth_step *s = &steps->items[i];
		if (s->id <= a->noted || s->open)
			continue;
		struct buf line = BUF_INIT;
		buf_add_str(&line, "authorization: ");
		auth_step_add_line(&line, s);
		a->noted = s->id;
		a->events.on_note(a->user, buf_text(&line));
		buf_finish(&line);
	}
	a->events.on_change(a->user);
}

/* ---- random values, signatures, time ---- */

static bool
make_random(void *user, void *out, size_t len, struct err *err)
{
	return crypto_random(out, len, err);
}

static bool
sign_assertion(void *user, const void *bytes, size_t len, uint8_t out[64], struct err *err)
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
on_retry_timer(void *user)
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
on_tokens_revoked(void *user, const char *outcome)
{
	struct authorizer *a = user;
	struct err err;

	err_set(&err, "%s", outcome);
	note_trouble(a, &err);
	revoker_destroy(a->revoker);
	a->revoker = NULL;
}

void
authorizer_forget(struct authorizer *a)
{
	const char *server_url = auth_flow_info(a->flow).server_url;
	struct auth_kept kept = { 0 };

	revoker_destroy(a->revoker);
	a->revoker = NULL;
	if (a->tokens_path &&
	    token_store_find(a->tokens_path, server_url, NULL, NULL, &kept, &(struct err){ "" }))
		a->revoker = revoker_create(a->loop, server_url, &kept, on_tokens_revoked, a);
	auth_kept_finish(&kept);
	fetch_cancel(a->fetch);
	fetch_cancel(a->visit);
	a->fetch = a->visit = NULL;
	authorizer_end_claim(a);
	authorizer_stop_listening(a);
	loop_timer_cancel(&a->renew);
	auth_flow_forget(a->flow);
	authorizer_settle(a, "the authorization was deleted");
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

struct authorizer *
authorizer_create(struct loop *loop, const struct authorizer_options *options,
    const struct authorizer_events *events, void *user, struct err *err)
{
	struct authorizer *a = mem_zalloc(sizeof(*a));
	struct auth_flow_options flow = options->flow;
	struct err why = { "" };
	struct auth_url url;

	*a = (struct authorizer){ .loop = loop,
		.events = *events,
		.user = user,
		.consent = options->consent,
		.insecure = options->insecure,
		.wait = { .fn = on_waited_long, .user = a },
		.renew = { .fn = on_renew_timer, .user = a },
		.retry = { .fn = on_retry_timer, .user = a },
		.claim_again = { .fn = authorizer_move, .user = a },
		.claim = -1 };
	bool ok = auth_url_parse(&url, options->flow.server_url, &why) ||
		  err_set(err, "%.150s: %s", options->flow.server_url, why.text);
	if (ok)
		auth_url_finish(&url);
	if (!ok || !authorizer_check(options, err)) {
		free(a);
		return NULL;
	}
	if (options->client_key_pem)
		a->key = crypto_key_create(
		    options->client_key_pem, strlen(options->client_key_pem), NULL);
	flow.has_key = a->key != NULL;
	flow.client_credentials = flow.client_credentials || a->key;
	flow.needs_scope = options->consent != AUTHORIZER_REFUSES;
	struct auth_crypto crypto = { .random = make_random, .sign = sign_assertion, .user = a };
	a->redirect_uri = mem_strdup(options->redirect_uri);
	a->tokens_path = mem_strdup(options->tokens_path);
	struct auth_store store = { find_tokens, find_clients, change_tokens, a };
	a->flow =
	    auth_flow_create(&flow, &crypto, a->tokens_path ? &store : &(struct auth_store){ 0 });
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
authorizer_info(struct authorizer *a)
{
	return (struct authorizer_info){ .flow = a->flow,
		.waiting = a->waiting,
		.http = { .token = get_token, .challenge = on_challenge, .user = a } };
}
