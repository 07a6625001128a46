#include "state.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>

static void
tell_user(struct authorizer *a, const char *text, const char *url)
{
	if (a->consent == AUTHORIZER_OPENS)
		a->events.on_ask(a->user, text, url);
}

#define CALLBACK_PATH "/callback"
/* The redirect address if no browser is used; nobody listens there. */
#define VISIT_REDIRECT "http://127.0.0.1:33418" CALLBACK_PATH

void
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
		tell_user(a, err.text, NULL);
		authorizer_move(a);
		return LOOPBACK_STRAY;
	}
	bool refused = auth_flow_info(a->flow).state == AUTH_FAILED;
	authorizer_move(a);
	return refused ? LOOPBACK_REFUSED : LOOPBACK_TAKEN;
}

void
authorizer_on_waited_long(void *user)
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

/* Reuses the last redirect URI, so that the client need not register again. NULL: its port is
 * taken. */
static const char *
listen_again(struct authorizer *a, const struct strings *uris)
{
	for (size_t i = 0; i < uris->len; i++)
		if (listen_at(a, uris->items[i], NULL) && a->listener)
			return uris->items[i];
	return NULL;
}

static char *
listen_anywhere(struct authorizer *a, struct err *err)
{
	struct strings before = { 0 };

	auth_flow_redirect_uris(a->flow, &before);
	if (a->last_uri)
		strings_add(&before, a->last_uri);
	char *uri = mem_strdup(listen_again(a, &before));
	strings_finish(&before);
	if (!uri)
		a->listener = loopback_create(a->loop, 0, CALLBACK_PATH, on_visit, a, err);
	if (!uri && a->listener)
		uri = mem_printf("http://127.0.0.1:%d" CALLBACK_PATH, loopback_port(a->listener));
	free(a->last_uri);
	a->last_uri = mem_strdup(uri);
	return uri;
}

/* The redirect URI: the user's, else the registered one, else any free port. Caller frees; NULL
 * with err. */
static char *
listen_for(struct authorizer *a, struct err *err)
{
	authorizer_stop_listening(a);
	if (a->consent == AUTHORIZER_VISITS)
		return mem_strdup(a->redirect_uri ? a->redirect_uri : VISIT_REDIRECT);
	if (a->redirect_uri)
		return listen_at(a, a->redirect_uri, err) ? mem_strdup(a->redirect_uri) : NULL;
	return listen_anywhere(a, err);
}

void
authorizer_go(struct authorizer *a)
{
	struct err err = { "" };
	char *uri = listen_for(a, &err);

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
	tell_user(a, how, NULL);
	auth_flow_on_opened(a->flow, false, how);
	authorizer_move(a);
}

/* The browser may redirect even if opening it failed. */
void
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
			tell_user(a, err.text, NULL);
		auth_flow_on_opened(a->flow, false, err.text);
		return;
	}
	char *how = mem_printf("started: %s", browser_name(a->browser));
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

static void
visit(struct authorizer *a)
{
	struct err err = { "" };
	const struct auth_flow_info flow = auth_flow_info(a->flow);
	struct fetch_request request = { .url = flow.browser_url, .public_only = flow.public_only };

	a->opened = true;
	a->visit = fetch_start(a->loop, &request, on_visited, a, &err);
	if (a->visit)
		auth_flow_on_opened(a->flow, true, "the URL is fetched instead of shown");
	else
		auth_flow_fail(a->flow, err.text);
}

/* Performs what the flow asks for until it has to wait. */

/* ---- the journal ---- */

void
authorizer_note(struct authorizer *a, const char *text)
{
	a->events.on_note(a->user, text);
}

/* Notes each finished step on one line: the request, its status, its meaning. */
static void
note_steps(struct authorizer *a)
{
	const struct auth_steps *steps = auth_flow_info(a->flow).steps;

	for (size_t i = 0; i < steps->len; i++) {
		const struct auth_step *s = &steps->items[i];
		if (s->id <= a->noted || s->open)
			continue;
		struct buf line = BUF_INIT;
		buf_add_str(&line, "authorization: ");
		auth_step_add_line(&line, s);
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
	a->fresh = auth_flow_info(a->flow).state == AUTH_AUTHORIZED;
	authorizer_end_claim(a);
	authorizer_move(a);
}

/* insecure covers the server's own origin only. */
static bool
is_own_origin(const struct authorizer *a, const char *url)
{
	struct auth_url own, other;

	if (!auth_url_parse(&own, auth_flow_info(a->flow).server_url, NULL))
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
		.public_only = auth_flow_info(a->flow).public_only },
	    on_fetched, a, &err);
	free(headers);
	if (a->fetch)
		return;
	authorizer_end_claim(a);
	auth_flow_fail(a->flow, err.text);
}

/* ---- the next step ---- */

void
authorizer_refuse(struct authorizer *a, const char *why)
{
	if (!a->waiting)
		return;
	a->waiting = false;
	a->events.on_settled(a->user, why, clock_now_us() - a->waiting_since_us);
}

static void
refuse_alone(struct authorizer *a)
{
	char *why =
	    mem_printf("%s; --login opens the browser for it", auth_flow_info(a->flow).sentence);

	authorizer_refuse(a, why);
	free(why);
}

static void
on_needed(struct authorizer *a)
{
	tell_user(a, auth_flow_info(a->flow).sentence, NULL);
	if (a->consent == AUTHORIZER_OPENS || a->consent == AUTHORIZER_VISITS)
		authorizer_go(a);
	else if (a->consent == AUTHORIZER_REFUSES)
		refuse_alone(a);
}

static void
on_ready(struct authorizer *a)
{
	if (a->opened)
		return;
	if (a->consent == AUTHORIZER_VISITS) {
		visit(a);
	} else if (a->consent == AUTHORIZER_OPENS) {
		tell_user(a,
		    browser_is_likely() ? "the browser is sent to"
					: "no browser is here; open this where there is one",
		    auth_flow_info(a->flow).browser_url);
		authorizer_open_browser(a);
	}
}

static void
on_client(struct authorizer *a)
{
	if (a->consent == AUTHORIZER_ASKS)
		return;
	char *why =
	    mem_printf("%s (--client-id ID --redirect-uri URI)", auth_flow_info(a->flow).sentence);
	authorizer_refuse(a, why);
	free(why);
}

void
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

void
authorizer_on_renew(void *user)
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
on_authorized(struct authorizer *a)
{
	authorizer_stop_listening(a);
	authorizer_set_renewal(a);
	a->opened = false;
	if (!a->waiting && !a->fresh)
		return;
	int64_t waited_us = a->waiting ? clock_now_us() - a->waiting_since_us : 0;
	a->waiting = false;
	a->fresh = false;
	a->events.on_settled(a->user, NULL, waited_us);
}

static void
on_failed(struct authorizer *a)
{
	authorizer_stop_listening(a);
	a->opened = false;
	authorizer_refuse(a, auth_flow_info(a->flow).sentence);
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
	const struct auth_flow_info flow = auth_flow_info(a->flow);

	if (flow.request && !a->fetch && authorizer_may_send(a))
		fetch(a, flow.request);
	else if (flow.state < ARRAY_LEN(handlers) && handlers[flow.state])
		handlers[flow.state](a);
}

/* Runs until the flow has to wait. Functions called from here may call it again. */
void
authorizer_move(struct authorizer *a)
{
	if (a->moving) {
		a->again = true;
		return;
	}
	a->moving = true;
	for (int turns = 0; turns < 16; turns++) {
		uint64_t before = auth_flow_info(a->flow).generation;
		a->again = false;
		step(a);
		if (!a->again && auth_flow_info(a->flow).generation == before)
			break;
	}
	a->moving = false;
	note_steps(a);
	a->events.on_change(a->user);
}
