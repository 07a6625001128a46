#include "http.h"

#include <stdio.h>
#include <stdlib.h>

/* Streams opened by GET: a broken response that is resumed, and the stream of the session. */

/* Grows with every event and id. */
static uint64_t
progress(const struct sse *sse)
{
	return sse->events + sse->ids;
}

/* The delay that the server asks for; failures make it longer. */
static int64_t
retry_delay_ms(const struct sse *sse, int failures)
{
	int64_t ms = sse->retry_ms >= 0 ? sse->retry_ms : HTTP_RETRY_MS;
	int64_t grown = HTTP_RETRY_MS;

	for (int i = 1; i < failures && grown < HTTP_MAX_RETRY_MS; i++)
		grown *= 2;
	if (failures > 1 && grown > ms)
		ms = grown < HTTP_MAX_RETRY_MS ? grown : HTTP_MAX_RETRY_MS;
	return ms > HTTP_MIN_RETRY_MS ? ms : HTTP_MIN_RETRY_MS;
}

/* ---- resuming a response (2025-11-25/basic/transports, "Resumability and Redelivery") ---- */

static void
on_resumed_head(void *user, struct exchange *x)
{
	struct post *p = user;
	struct http *h = p->http;

	http_enter(h);
	http_note(h, "GET, %s from event %.40s on: %s", p->method, p->body.sse.last_id,
	    exchange_head(x).status_text);
	bool ok = exchange_head(x).status == 200 && response_body_kind_of(x, true) == BODY_EVENTS;
	response_body_begin(&p->body, ok ? BODY_EVENTS : BODY_REFUSAL);
	p->failures = ok ? 0 : p->failures;
	p->has_head = true;
	http_leave(h);
}

static void
on_resumed_end(void *user, const char *trouble)
{
	struct post *p = user;
	struct http *h = p->http;

	http_enter(h);
	bool refused = p->has_head && p->body.kind == BODY_REFUSAL;
	if (p->has_head)
		response_body_end(&p->body, !trouble);
	if (!p->exchange || p->body.answered || p->cancelled) {
		post_end(p);
	} else if (refused) {
		int status = exchange_head(p->exchange).status;
		char text[160];
		snprintf(text, sizeof(text),
		    "the stream of the response broke and cannot be resumed: HTTP %s",
		    exchange_head(p->exchange).status_text);
		response_body_note_rejected(&p->body, "GET");
		if (http_session_is_gone(p->with_session, status, &p->body, p->http)) {
			post_fail(p, TRANSPORT_SESSION, status, text);
		} else if (!http_is_auth(p->exchange)) {
			post_fail(p, TRANSPORT_BROKEN, status, text);
		} else {
			p->state = POST_PARKED;
			if (!http_challenge(p->http, p->exchange))
				post_fail(p, TRANSPORT_FORBIDDEN, status, text);
		}
	} else {
		post_broken(p, 0, trouble);
	}
	http_pump(h);
	http_leave(h);
}

static const struct exchange_events resumed_events = {
	.on_head = on_resumed_head,
	.on_body = post_on_body,
	.on_end = on_resumed_end,
};

bool
post_resume(struct post *p)
{
	struct http *h = p->http;
	const struct sse *sse = &p->body.sse;

	if (p->modern || p->cancelled || h->kind != HTTP_STREAMABLE || !sse->last_id[0])
		return false;
	if (++p->failures > HTTP_MAX_FAILURES)
		return false;
	int64_t delay_ms = retry_delay_ms(sse, p->failures);
	http_note(h, "%s: its stream ended before the response; resumed in %g s", p->method,
	    (double)delay_ms / 1000);
	exchange_destroy(p->exchange);
	p->exchange = NULL;
	p->state = POST_RESUMING;
	p->is_resumed = true;
	loop_timer_set(h->loop, &p->timer, loop_now_ms(h->loop) + delay_ms);
	return true;
}

void
post_reopen(struct post *p)
{
	struct http *h = p->http;
	const struct opening opening = {
		.method = "GET",
		.url = h->url,
		.accept = "text/event-stream",
		.last_event = p->body.sse.last_id,
		.first_byte_ms = HTTP_NOTICE_MS,
		.events = &resumed_events,
		.user = p,
	};

	if (p->session_round != h->session_round)
		post_fail(p, TRANSPORT_SESSION, 0, "its session has ended");
	else if (!post_open(p, &opening, NULL))
		post_fail(p, TRANSPORT_BROKEN, 0, "its stream cannot be resumed");
}

/* ---- the GET stream: messages outside any request; with HTTP_EVENTS, all messages ---- */

static void start(struct get_stream *s);

static void
give_up(struct get_stream *s, const char *why)
{
	if (s->http->kind == HTTP_EVENTS)
		http_fail(s->http, why);
	else
		http_note(s->http, "no GET stream: %s", why);
	get_stream_close(s);
}

/* The stream has ended or could not be opened. */
static void
open_later(struct get_stream *s, const char *why, int64_t at_least_ms)
{
	struct http *h = s->http;
	const struct sse *sse = &s->body.sse;
	bool short_lived = loop_now_ms(h->loop) - s->opened_ms < HTTP_SHORT_STREAM_MS;

	if (progress(sse) == s->before && (short_lived || !s->is_open))
		s->failures++;
	else
		s->failures = 0;
	s->is_open = false;
	exchange_destroy(s->exchange);
	s->exchange = NULL;
	if (h->kind == HTTP_EVENTS || s->failures > HTTP_MAX_FAILURES) {
		give_up(s, why);
		return;
	}
	int64_t delay_ms = retry_delay_ms(sse, s->failures);
	delay_ms = delay_ms > at_least_ms ? delay_ms : at_least_ms;
	http_note(h, "GET: %s; again in %g s", why, (double)delay_ms / 1000);
	loop_timer_set(h->loop, &s->timer, loop_now_ms(h->loop) + delay_ms);
}

static void
on_timer(void *user)
{
	struct get_stream *s = user;

	http_enter(s->http);
	if (s->wanted && !s->parked)
		start(s);
	http_leave(s->http);
}

static void
on_head(void *user, struct exchange *x)
{
	struct get_stream *s = user;
	char *type = exchange_header(x, "Content-Type", 0);

	http_enter(s->http);
	http_note_heads(s->http, x, 0, "GET: %s%s%.60s", exchange_head(x).status_text,
	    type ? ", " : "", type ? type : "");
	free(type);
	http_notify_reach(s->http, NULL);
	s->redirects = http_is_redirect(exchange_head(x).status) ? s->redirects : 0;
	s->is_open =
	    exchange_head(x).status == 200 && response_body_kind_of(x, true) == BODY_EVENTS;
	s->was_open |= s->is_open;
	s->opened_ms = loop_now_ms(s->http->loop);
	response_body_begin(&s->body, s->is_open ? BODY_EVENTS : BODY_REFUSAL);
	http_leave(s->http);
}

static void
on_body(void *user, const char *bytes, size_t len)
{
	struct get_stream *s = user;
	struct http *h = s->http;

	http_enter(h);
	response_body_feed(&s->body, bytes, len);
	http_pump(h); /* an endpoint may have come */
	http_leave(h);
}

static void
on_auth(struct get_stream *s, const char *text)
{
	struct http *h = s->http;

	if (s->auth_round < h->auth_round) {
		start(s);
		return;
	}
	s->parked = true;
	if (!http_challenge(h, s->exchange)) {
		s->parked = false;
		give_up(s, text);
	}
}

static void
on_redirect(struct get_stream *s)
{
	struct http *h = s->http;
	char text[400];
	char *to = http_redirect(h, s->exchange,
	    (struct redirect){
		.from = h->url, .before = s->redirects++, .text = text, .size = sizeof(text) });

	if (!to) {
		give_up(s, text);
		return;
	}
	free(h->url);
	h->url = to;
	start(s);
}

static void
on_refused(struct get_stream *s)
{
	int status = exchange_head(s->exchange).status;
	int64_t seconds = exchange_retry_after_s(s->exchange);
	/* 409: the server has not noticed yet that the previous stream ended. */
	bool later = status == 409 || status == 429 || status >= 500;
	char text[120];

	snprintf(text, sizeof(text), "HTTP %s%s", exchange_head(s->exchange).status_text,
	    status == 405  ? ", the server has none"
	    : status < 300 ? ", but no event stream"
			   : "");
	response_body_note_rejected(&s->body, "GET");
	if (http_is_redirect(status)) {
		on_redirect(s);
	} else if (s->was_open &&
		   http_session_is_gone(s->with_session, status, &s->body, s->http)) {
		struct http *h = s->http;
		const struct transport_error error = {
			.kind = TRANSPORT_SESSION, .status = status, .text = text
		};
		get_stream_close(s);
		http_notify_error(h, &error);
	} else if (http_is_auth(s->exchange)) {
		on_auth(s, text);
	} else if (later && seconds <= HTTP_MAX_RETRY_AFTER_S) {
		open_later(s, text, seconds * 1000);
	} else {
		give_up(s, text);
	}
}

static void
on_end(void *user, const char *trouble)
{
	struct get_stream *s = user;
	struct http *h = s->http;

	http_enter(h);
	bool had_head = exchange_head(s->exchange).status != 0;
	if (had_head)
		response_body_end(&s->body, !trouble);
	else if (trouble)
		http_notify_reach(h, trouble);
	if (s->exchange && had_head && s->body.kind == BODY_REFUSAL)
		on_refused(s);
	else if (s->exchange)
		open_later(s, trouble ? trouble : "the server ended the event stream", 0);
	http_pump(h);
	http_leave(h);
}

static const struct exchange_events events = {
	.on_head = on_head,
	.on_body = on_body,
	.on_end = on_end,
};

static void
start(struct get_stream *s)
{
	struct http *h = s->http;
	struct err err = { "" };
	const struct opening opening = {
		.method = "GET",
		.url = h->url,
		.accept = "text/event-stream",
		.last_event = s->body.sse.last_id,
		.first_byte_ms = h->kind == HTTP_EVENTS ? HTTP_NOTICE_MS : 0,
		.events = &events,
		.user = s,
	};

	exchange_destroy(s->exchange);
	s->is_open = false;
	s->before = progress(&s->body.sse);
	s->auth_round = h->auth_round;
	s->with_session = h->session != NULL;
	s->exchange = http_open(h, &opening, &err);
	if (s->exchange)
		exchange_start(s->exchange);
	else
		give_up(s, err.text);
}

void
get_stream_init(struct get_stream *s, struct http *h)
{
	*s = (struct get_stream){ .http = h, .timer = { .fn = on_timer, .user = s } };
	response_body_init(&s->body, h, 0, NULL);
}

void
get_stream_open(struct get_stream *s)
{
	if (s->wanted || s->http->closed || s->http->destroyed)
		return;
	s->wanted = true;
	s->failures = 0;
	start(s);
}

void
get_stream_close(struct get_stream *s)
{
	loop_timer_cancel(&s->timer);
	exchange_destroy(s->exchange);
	s->exchange = NULL;
	s->wanted = s->parked = s->is_open = false;
}

void
get_stream_unpark(struct get_stream *s)
{
	if (!s->parked)
		return;
	s->parked = false;
	loop_timer_set(s->http->loop, &s->timer, loop_now_ms(s->http->loop));
}
