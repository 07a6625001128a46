#include "post.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Responses whose status is not 2xx: redirects, authorization, retries, errors. */

/* ---- redirects ---- */

bool
http_is_redirect(int status)
{
	return status >= 300 && status <= 399 && status != 304;
}

/* Only 307 and 308 keep the method (RFC 9110, 15.4); and a message for one origin is never sent to
 * another without the user. */
static const char *
why_not_followed(const struct http *h, const struct redirect *r)
{
	if (!url_same_origin(h->api, h->url, r->to))
		return ", to another origin: not followed; if the server is there, give that URL";
	if (r->is_post && r->status != 307 && r->status != 308)
		return ", which a POST does not follow; if the server is there, give that URL";
	return r->before >= HTTP_MAX_REDIRECTS ? ", which is one redirect too many" : NULL;
}

char *
http_redirect(struct http *h, const struct exchange *x, struct redirect r)
{
	char *location = exchange_header(x, "Location", 0);
	const char *why = NULL, *words = exchange_head(x).status_text;

	r.status = exchange_head(x).status;
	r.to = location ? url_resolve(h->api, r.from, location) : NULL;
	char *shown = location ? url_to_show(r.to ? r.to : location) : NULL;
	if (r.to) {
		why = why_not_followed(h, &r);
		snprintf(r.text, r.size, "HTTP %s: redirected to %.200s%s", words, shown,
		    why ? why : "");
	} else if (location) {
		snprintf(r.text, r.size,
		    "HTTP %s: redirected to \"%.100s\", which is not an http or https URL", words,
		    shown);
	} else {
		snprintf(
		    r.text, r.size, "HTTP %s without a Location: redirected to nowhere", words);
	}
	free(location);
	free(shown);
	if (r.to && !why) {
		http_note(h, "%s", r.text);
		return r.to;
	}
	free(r.to);
	return NULL;
}

static bool
take_redirect(struct post *p, int status)
{
	struct http *h = p->http;
	const char *usual = h->endpoint ? h->endpoint : h->url;
	char text[400];

	if (!http_is_redirect(status))
		return false;
	char *to = http_redirect(h, p->exchange,
	    (struct redirect){ .from = p->url ? p->url : usual,
		.is_post = true,
		.before = p->redirects++,
		.text = text,
		.size = sizeof(text) });
	if (!to) {
		post_fail(p, TRANSPORT_STATUS, status, text);
		return true;
	}
	free(p->url);
	p->url = to;
	p->state = POST_WAITING;
	return true;
}

/* ---- authorization ---- */

/* All values of WWW-Authenticate, joined; NULL: none. Caller frees. */
static char *
challenges_of(const struct exchange *x)
{
	struct buf all;
	char *value;

	buf_init(&all, EXCHANGE_MAX_HEAD);
	for (size_t i = 0; (value = exchange_header(x, "WWW-Authenticate", i)); i++) {
		buf_addf(&all, "%s%s", i ? ", " : "", value);
		free(value);
	}
	return all.data ? buf_detach(&all) : NULL;
}

bool
http_is_auth(const struct exchange *x)
{
	int status = exchange_head(x).status;
	char *challenges = status == 403 ? challenges_of(x) : NULL;
	bool scope = challenges && strstr(challenges, "insufficient_scope");

	free(challenges);
	return status == 401 || scope;
}

bool
http_challenge(struct http *h, const struct exchange *x)
{
	if (h->auth_pending)
		return true;
	if (!h->auth.challenge)
		return false;
	char *challenges = challenges_of(x);
	uint64_t round = h->auth_round;
	h->auth_pending = true;
	bool will = h->auth.challenge(h->auth.user, exchange_head(x).status, challenges);
	if (!will && h->auth_round == round)
		h->auth_pending = false;
	free(challenges);
	return will;
}

static bool
take_auth(struct post *p, int status)
{
	struct http *h = p->http;
	char text[120];

	if (!http_is_auth(p->exchange))
		return false;
	if (p->auth_round < h->auth_round) { /* there is a newer token than it was sent with */
		p->state = POST_WAITING;
		return true;
	}
	snprintf(text, sizeof(text), "HTTP %s", exchange_head(p->exchange).status_text);
	p->state = POST_PARKED;
	if (!http_challenge(h, p->exchange))
		post_fail(p, TRANSPORT_FORBIDDEN, status, text);
	return true;
}

/* ---- retry later ---- */

static bool
take_delay(struct post *p, int status)
{
	int64_t seconds = exchange_retry_after_s(p->exchange);

	if ((status != 429 && status != 503) || seconds < 0 || seconds > HTTP_MAX_RETRY_AFTER_S ||
	    p->retries == HTTP_MAX_RETRIES)
		return false;
	p->retries++;
	http_note(p->http, "%s: sent again in %" PRId64 " s (%d of %d)", p->method, seconds,
	    p->retries, HTTP_MAX_RETRIES);
	post_again(p, seconds * 1000);
	return true;
}

static void
describe(const struct post *p, int status, char *text, size_t size)
{
	int64_t seconds = exchange_retry_after_s(p->exchange);
	const char *words = exchange_head(p->exchange).status_text;

	if (p->retries == HTTP_MAX_RETRIES)
		snprintf(text, size, "HTTP %s, %d times", words, p->retries + 1);
	else if ((status == 429 || status == 503) && seconds >= 0)
		snprintf(text, size, "HTTP %s: the server asks to retry in %" PRId64 " s", words,
		    seconds);
	else
		snprintf(text, size, "HTTP %s", words);
}

/* ---- errors ---- */

bool
http_session_is_gone(
    bool with_session, int status, const struct response_body *rb, const struct http *h)
{
	const struct blob *body = rb->rejected.bytes;

	if (!with_session || h->kind != HTTP_STREAMABLE)
		return false;
	/* 404 by the specification; some servers send 400. */
	return status == 404 ||
	       (status == 400 && !rb->answered && body && strcasestr(body->data, "session"));
}

static void
note_body(const struct post *p)
{
	char name[POST_NAME], whose[POST_NAME + 8];

	snprintf(whose, sizeof(whose), "POST %s", post_name(p, name));
	response_body_note_rejected(&p->body, whose);
}

/* Delivers a JSON-RPC message in the body; any other body goes to the journal. */
void
post_refused(struct post *p)
{
	struct response_body *rb = &p->body;
	int status = exchange_head(p->exchange).status;
	char text[200];

	response_body_end(rb, true);
	if (!p->exchange || p->cancelled) {
		post_end(p);
		return;
	}
	describe(p, status, text, sizeof(text));
	bool session_gone =
	    status == 404 && http_session_is_gone(p->with_session, status, rb, p->http);
	bool message = response_body_holds_response(rb) && !session_gone;
	if (!message)
		note_body(p);
	if (take_redirect(p, status) || take_auth(p, status) || take_delay(p, status)) {
		if (message)
			note_body(p);
		return;
	}
	if (message)
		response_body_deliver_rejected(rb);
	if (rb->answered)
		post_end(p);
	else if (http_session_is_gone(p->with_session, status, rb, p->http))
		post_fail(p, TRANSPORT_SESSION, status, text);
	else
		post_fail(p, TRANSPORT_STATUS, status, text);
}
