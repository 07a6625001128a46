#include "authorizer_priv.h"

#include "base/clock.h"
#include "base/mem.h"
#include "host/tokens.h"
#include "net/crypto.h"

#include <stdlib.h>
#include <string.h>

int64_t
authorizer_now_s(void)
{
	return clock_wall_ms() / 1000;
}

/* ---- what the flow cannot make itself ---- */

static bool
make_random(void *user, void *out, size_t len, struct err *err)
{
	(void)user;
	return crypto_random(out, len, err);
}

static bool
sign(void *user, const void *bytes, size_t len, uint8_t out[64], struct err *err)
{
	struct authorizer *a = user;

	return crypto_sign_es256(a->key, bytes, len, out, err);
}

/* ---- the store ---- */

void
authorizer_note(struct authorizer *a, const char *text)
{
	a->events.on_note(a->user, text);
}

static void
save(struct authorizer *a)
{
	struct auth_kept kept;
	struct err err = { "" };

	if (!a->tokens_path)
		return;
	auth_flow_keep(a->flow, &kept);
	if (!tokens_save(a->tokens_path, auth_flow_server_url(a->flow), &kept, &err))
		authorizer_note(a, err.text);
}

static void
load(struct authorizer *a)
{
	struct auth_kept kept;
	struct err said = { "" };

	if (!a->tokens_path)
		return;
	if (!tokens_load(a->tokens_path, auth_flow_server_url(a->flow), &kept, &said))
		authorizer_note(a, said.text);
	a->registered_uri = mem_strdup(kept.client.redirect_uri);
	auth_flow_restore(a->flow, &kept);
}

/* ---- the journal ---- */

/* Steps as they end, one line each: what was asked, the status, what it means. */
static void
note_steps(struct authorizer *a)
{
	const struct auth_steps *steps = auth_flow_steps(a->flow);

	for (size_t i = 0; i < steps->len; i++) {
		const struct auth_step *s = &steps->items[i];
		if (s->id <= a->noted || s->open)
			continue;
		struct buf line = BUF_INIT;
		buf_addf(&line, "authorization: %s", s->title);
		if (s->method)
			buf_addf(&line, ": %s %s", s->method, s->url);
		if (s->status)
			buf_addf(&line, ": %d", s->status);
		if (s->outcome[0])
			buf_addf(&line, ": %s", s->outcome);
		a->noted = s->id;
		authorizer_note(a, buf_text(&line));
		buf_finish(&line);
	}
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
	a->fresh = auth_flow_state(a->flow) == AUTH_AUTHORIZED;
	save(a);
	authorizer_move(a);
}

/* Who said "this certificate is all right" said it of his own server only. */
static bool
is_own_origin(const struct authorizer *a, const char *url)
{
	struct auth_url own, other;

	if (!auth_url_parse(&own, auth_flow_server_url(a->flow), NULL))
		return false;
	bool same = auth_url_parse(&other, url, NULL) && auth_url_same_origin(&own, &other);
	auth_url_finish(&own);
	auth_url_finish(&other);
	return same;
}

static void
fetch(struct authorizer *a, const struct auth_request *r)
{
	const char **headers = mem_zalloc((r->headers.len + 1) * sizeof(*headers));
	struct err err = { "" };

	for (size_t i = 0; i < r->headers.len; i++)
		headers[i] = r->headers.items[i];
	a->fetch = fetch_start(a->loop,
	    &(struct fetch_request){ .method = r->method,
		.url = r->url,
		.headers = headers,
		.body = r->body.len > 0 ? r->body.data : NULL,
		.body_len = r->body.len,
		.max_redirects = 3,
		.insecure = a->insecure && is_own_origin(a, r->url),
		.public_only = auth_flow_fetch_public_only(a->flow) },
	    on_fetched, a, &err);
	free(headers);
	if (!a->fetch)
		auth_flow_fail(a->flow, err.text);
}

/* ---- what comes next ---- */

static void
refuse(struct authorizer *a, const char *why)
{
	if (!a->waiting)
		return;
	a->waiting = false;
	a->events.on_refused(a->user, why, clock_now_us() - a->waiting_since_us);
}

static void
refuse_alone(struct authorizer *a)
{
	char *why = mem_printf("%s; --login opens the browser for it", auth_flow_sentence(a->flow));

	refuse(a, why);
	free(why);
}

static void
on_needed(struct authorizer *a)
{
	if (a->consent == AUTHORIZER_OPENS || a->consent == AUTHORIZER_VISITS)
		authorizer_go(a);
	else if (a->consent == AUTHORIZER_REFUSES)
		refuse_alone(a);
}

static void
on_ready(struct authorizer *a)
{
	struct err err = { "" };

	if (a->opened)
		return;
	if (a->consent == AUTHORIZER_VISITS) {
		authorizer_visit(a);
	} else if (a->consent == AUTHORIZER_OPENS) {
		a->events.on_url(a->user, auth_flow_browser_url(a->flow));
		if (!authorizer_open_browser(a, &err))
			authorizer_note(a, err.text);
	}
}

static void
on_client(struct authorizer *a)
{
	if (a->consent != AUTHORIZER_ASKS)
		refuse(a, auth_flow_sentence(a->flow));
}

static void
set_renewal(struct authorizer *a)
{
	int64_t left_s = auth_flow_expires_s(a->flow) - authorizer_now_s() - AUTHORIZER_RENEW_S;

	loop_timer_cancel(&a->renew);
	if (auth_flow_expires_s(a->flow) == 0 || !auth_flow_can_renew(a->flow))
		return;
	/* a token that lives for less than a minute is renewed when it is refused */
	if (left_s > 0 && left_s < INT32_MAX)
		loop_timer_set(a->loop, &a->renew, loop_now_ms(a->loop) + left_s * 1000);
}

static void
on_renew(void *user)
{
	struct authorizer *a = user;

	if (auth_flow_renew(a->flow, authorizer_now_s()))
		authorizer_move(a);
}

static void
on_authorized(struct authorizer *a)
{
	authorizer_stop_listening(a);
	set_renewal(a);
	a->opened = false;
	if (!a->waiting && !a->fresh)
		return;
	int64_t waited_us = a->waiting ? clock_now_us() - a->waiting_since_us : 0;
	a->waiting = false;
	a->fresh = false;
	a->events.on_token(a->user, waited_us);
}

static void
on_failed(struct authorizer *a)
{
	authorizer_stop_listening(a);
	a->opened = false;
	refuse(a, auth_flow_sentence(a->flow));
}

static void
step(struct authorizer *a)
{
	static void (*const handlers[])(struct authorizer *) = {
		[AUTH_NEEDED] = on_needed,
		[AUTH_NEEDS_CLIENT] = on_client,
		[AUTH_READY] = on_ready,
		[AUTH_AUTHORIZED] = on_authorized,
		[AUTH_FAILED] = on_failed,
	};
	const struct auth_request *request = auth_flow_request(a->flow);
	enum auth_state state = auth_flow_state(a->flow);

	if (request && !a->fetch)
		fetch(a, request);
	else if (state < sizeof(handlers) / sizeof(handlers[0]) && handlers[state])
		handlers[state](a);
}

/* Until the flow rests. What is called from here may call back in. */
void
authorizer_move(struct authorizer *a)
{
	if (a->moving) {
		a->again = true;
		return;
	}
	a->moving = true;
	for (int turns = 0; turns < 16; turns++) {
		uint64_t before = auth_flow_generation(a->flow);
		a->again = false;
		step(a);
		if (!a->again && auth_flow_generation(a->flow) == before)
			break;
	}
	a->moving = false;
	note_steps(a);
	a->events.on_change(a->user);
}

/* ---- for net/http ---- */

static const char *
get_token(void *user)
{
	struct authorizer *a = user;

	return auth_flow_access_token(a->flow);
}

static bool
on_challenge(void *user, int status, const char *www_authenticate)
{
	struct authorizer *a = user;

	if (!a->waiting)
		a->waiting_since_us = clock_now_us();
	a->waiting = true;
	auth_flow_challenge(a->flow, status, www_authenticate, authorizer_now_s());
	authorizer_move(a);
	return true;
}

struct http_auth
authorizer_http(struct authorizer *a)
{
	return (struct http_auth){ .token = get_token, .challenge = on_challenge, .user = a };
}

/* ---- asked by the user ---- */

bool
authorizer_next(struct authorizer *a, struct err *err)
{
	enum auth_state state = auth_flow_state(a->flow);
	bool ok = true;

	if (state == AUTH_WORKING)
		return err_set(err, "it is under way");
	if (state == AUTH_NEEDS_CLIENT)
		return err_set(err, ":client-id gives the id of a client that you registered");
	if (state == AUTH_READY || state == AUTH_WAITING)
		ok = authorizer_open_browser(a, err);
	else
		authorizer_go(a);
	authorizer_move(a);
	return ok;
}

bool
authorizer_again(struct authorizer *a, struct err *err)
{
	if (auth_flow_state(a->flow) == AUTH_WORKING)
		return err_set(err, "it is under way");
	if (auth_flow_state(a->flow) != AUTH_FAILED)
		auth_flow_fail(a->flow, "begun again by the user");
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
		return err_set(err, "a client id is of plain ASCII characters");
	auth_flow_set_client(a->flow, id, secret, authorizer_now_s());
	authorizer_move(a);
	return true;
}

void
authorizer_forget(struct authorizer *a)
{
	struct err err = { "" };

	fetch_cancel(a->fetch);
	fetch_cancel(a->visit);
	a->fetch = a->visit = NULL;
	authorizer_stop_listening(a);
	loop_timer_cancel(&a->renew);
	auth_flow_forget(a->flow);
	if (a->tokens_path &&
	    !tokens_save(a->tokens_path, auth_flow_server_url(a->flow), NULL, &err))
		authorizer_note(a, err.text);
	refuse(a, "the authorization was forgotten");
	authorizer_move(a);
}

/* ---- life ---- */

static bool
check(const struct authorizer_options *o, struct err *err)
{
	struct err why = { "" };
	struct auth_url u;

	if (!auth_url_parse(&u, o->flow.server_url, &why))
		return err_set(err, "%.150s: %s", o->flow.server_url, why.text);
	auth_url_finish(&u);
	if (o->flow.client_metadata_url &&
	    !auth_client_is_document_url(o->flow.client_metadata_url))
		return err_set(err, "a client metadata URL is https with a path: %.150s",
		    o->flow.client_metadata_url);
	if (o->redirect_uri && !auth_url_is_safe(o->redirect_uri, &why))
		return err_set(err, "the redirect URI %.100s: %s", o->redirect_uri, why.text);
	if (o->flow.client_id && !auth_is_plain(o->flow.client_id))
		return err_set(err, "a client id is of plain ASCII characters");
	return !o->flow.client_secret || auth_is_plain(o->flow.client_secret) ||
	       err_set(err, "the client secret holds what cannot be sent");
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
		.renew = { .fn = on_renew, .user = a } };
	if (check(options, err) && options->client_key_pem)
		a->key = crypto_key_create(
		    options->client_key_pem, strlen(options->client_key_pem), err);
	if (!check(options, NULL) || (options->client_key_pem && !a->key)) {
		free(a);
		return NULL;
	}
	flow.has_key = a->key != NULL;
	flow.client_credentials = flow.client_credentials || a->key;
	struct auth_crypto crypto = { .random = make_random, .sign = sign, .user = a };
	a->flow = auth_flow_create(&flow, &crypto);
	a->redirect_uri = mem_strdup(options->redirect_uri);
	a->tokens_path = mem_strdup(options->tokens_path);
	load(a);
	set_renewal(a);
	return a;
}

void
authorizer_destroy(struct authorizer *a)
{
	if (!a)
		return;
	fetch_cancel(a->fetch);
	fetch_cancel(a->visit);
	authorizer_stop_listening(a);
	loop_timer_cancel(&a->renew);
	browser_destroy(a->browser);
	auth_flow_destroy(a->flow);
	crypto_key_destroy(a->key);
	free(a->redirect_uri);
	free(a->registered_uri);
	free(a->tokens_path);
	free(a);
}

const struct auth_flow *
authorizer_flow(const struct authorizer *a)
{
	return a->flow;
}

bool
authorizer_is_waiting(const struct authorizer *a)
{
	return a->waiting;
}
