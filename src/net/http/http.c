/* SPDX-License-Identifier: MIT */
#include "http.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"
#include "mcp/message.h"
#include "net/fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool
is_closed(const struct http *h)
{
	return h->destroyed || h->closed;
}

void
headers_finish(struct headers *headers)
{
	for (size_t i = 0; i < headers->len; i++) {
		free(headers->items[i].name);
		free(headers->items[i].value);
	}
	free(headers->items);
}

/* The user's headers replace ours. */
static bool
is_users(const struct http *h, const char *name)
{
	for (size_t i = 0; i < h->headers.len; i++)
		if (strcasecmp(h->headers.items[i].name, name) == 0)
			return true;
	return false;
}

static void
add_own(struct http *h, struct exchange *x, const char *name, const char *value)
{
	if (!is_users(h, name) && !exchange_add_header(x, name, value))
		http_note(h, "left out a header that cannot be sent: %s", name);
}

struct exchange *
http_open(struct http *h, const struct opening *o, struct err *err)
{
	struct exchange_request request = {
		.method = o->method,
		.url = o->url,
		.body = o->message ? o->message->line : NULL,
		.body_len = o->message ? o->message->len : 0,
		.insecure = h->insecure,
		.connect_ms = o->total_ms ? o->total_ms : h->connect_ms,
		.head_ms = o->total_ms ? o->total_ms : HTTP_HEAD_MS,
		.first_byte_ms = o->first_byte_ms,
		.total_ms = o->total_ms,
	};
	struct exchange *x = exchange_create(h->loop, &request, o->events, o->user, err);

	if (!x)
		return NULL;
	const char *token = h->auth.token ? h->auth.token(h->auth.user) : NULL;
	add_own(h, x, "Accept", o->accept);
	if (o->message)
		add_own(h, x, "Content-Type", "application/json");
	for (size_t i = 0; o->message && i < o->message->headers.len; i++)
		add_own(
		    h, x, o->message->headers.items[i].name, o->message->headers.items[i].value);
	if (!o->message && h->version)
		add_own(h, x, "MCP-Protocol-Version", h->version);
	if (h->session && !(o->message && (o->message->modern || o->message->starts_session)))
		add_own(h, x, "Mcp-Session-Id", h->session);
	for (size_t i = 0; i < h->headers.len; i++) {
		const struct header *header = &h->headers.items[i];
		if (!token || strcasecmp(header->name, "Authorization") != 0)
			exchange_add_header(x, header->name, header->value);
	}
	if (token) {
		char *bearer = mem_printf("Bearer %s", token);
		exchange_add_header(x, "Authorization", bearer);
		free(bearer);
	}
	if (o->last_event && o->last_event[0])
		exchange_add_header(x, "Last-Event-ID", o->last_event);
	exchange_hold(x, h->held);
	return x;
}

/* ---- heads in the journal ---- */

/* Only the name of a header that the user gave: its value may come from the environment. */
static bool
add_http_name(struct buf *out, const void *http, const char *line, size_t len)
{
	const struct http *h = http;
	char *name = mem_strndup(line, len);

	name[strcspn(name, ":")] = '\0';
	bool users = is_users(h, name);
	if (users)
		buf_addf(out, "%s: " SECRET_HIDDEN, name);
	free(name);
	return users;
}

/* May have several lines unless is_line. id: of the request that it is about; 0: none. */
static void
note_text(struct http *h, char *text, uint64_t id, bool is_line)
{
	for (char *p = text; is_line && *p; p++)
		if ((unsigned char)*p < ' ')
			*p = ' ';
	if (!h->destroyed && !h->told_closed)
		h->events.on_note(h->user, text, id);
}

void
http_note_heads(struct http *h, const struct exchange *x, uint64_t id, const char *format, ...)
{
	struct buf text = BUF_INIT;
	char line[400];

	FORMAT_INTO(line, format);
	for (char *p = line; *p; p++)
		*p = (unsigned char)*p < ' ' ? ' ' : *p;
	buf_add_str(&text, line);
	header_lines_add(&text, "> ", exchange_head(x).sent, add_http_name, h);
	if (exchange_head(x).status > 0)
		header_lines_add(&text, "< HTTP ", exchange_head(x).status_text, NULL, NULL);
	header_lines_add(&text, "< ", exchange_head(x).headers, NULL, NULL);
	note_text(h, text.data, id, false);
	buf_finish(&text);
}

/* ---- the owner is notified ---- */

#define MAX_BODY_NOTE ((size_t)64 * 1024)

void
http_notify_reach(struct http *h, const char *trouble)
{
	bool was_unreached = h->unreached;

	h->unreached = trouble != NULL;
	if ((h->unreached || was_unreached) && h->events.on_reach && !is_closed(h))
		h->events.on_reach(h->user, trouble);
}

void
http_note(struct http *h, const char *format, ...)
{
	char text[400];

	FORMAT_INTO(text, format);
	note_text(h, text, 0, true);
}

void
http_note_bytes(struct http *h, const char *what, const char *bytes, size_t len)
{
	struct buf text = BUF_INIT;
	size_t kept = len < MAX_BODY_NOTE ? len : MAX_BODY_NOTE;

	buf_addf(&text, "%s: ", what);
	for (size_t i = 0; i < kept; i++)
		buf_add_char(&text, bytes[i] ? bytes[i] : ' ');
	if (len > kept)
		buf_addf(&text, " ... and %zu bytes more", len - kept);
	note_text(h, text.data, 0, true);
	buf_finish(&text);
}

/* ---- waiting ---- */

static bool
describe_wait(const struct transport *t, uint64_t id, char *out, size_t size)
{
	const struct http *h = (const struct http *)t;
	const struct post *p = NULL;

	for (size_t i = 0; i < h->posts.len && !p; i++)
		if (h->posts.items[i]->id == id)
			p = h->posts.items[i];
	if (h->kind == HTTP_EVENTS && h->stream.exchange && (!p || !h->endpoint)) {
		/* The server has accepted the message; its response comes on the only stream. */
		char wait[96];
		exchange_describe_wait(h->stream.exchange, wait, sizeof(wait));
		snprintf(out, size, "%s: %s",
		    h->endpoint ? "event stream" : "event that names the endpoint", wait);
	} else if (p) {
		static const char *const states[] = {
			[POST_WAITING] = "its turn to be sent",
			[POST_SENT] = "the messages sent before it",
			[POST_PARKED] = "authorization",
			[POST_LATER] = "the time when the server asked to come again",
			[POST_RESUMING] = "the time to resume its stream",
		};
		if (p->exchange)
			exchange_describe_wait(p->exchange, out, size);
		else
			snprintf(out, size, "%s", states[p->state]);
	} else {
		return false;
	}
	return true;
}

/* The delay that the server asks for; failures make it longer. */
int64_t
http_retry_delay_ms(const struct sse *sse, int failures)
{
	int64_t ms = sse->retry_ms >= 0 ? sse->retry_ms : HTTP_RETRY_MS;
	int64_t grown = HTTP_RETRY_MS;

	for (int i = 1; i < failures && grown < HTTP_MAX_RETRY_MS; i++)
		grown *= 2;
	if (failures > 1 && grown > ms)
		ms = grown < HTTP_MAX_RETRY_MS ? grown : HTTP_MAX_RETRY_MS;
	return ms > HTTP_MIN_RETRY_MS ? ms : HTTP_MIN_RETRY_MS;
}

/* ---- the GET stream: messages outside any request; with HTTP_EVENTS, all messages ---- */

static void stream_start(struct get_stream *s);

static void
get_stream_close(struct get_stream *s)
{
	loop_timer_cancel(&s->timer);
	exchange_destroy(s->exchange);
	s->exchange = NULL;
	s->wanted = s->parked = s->is_open = false;
}

static void
stream_give_up(struct get_stream *s, const char *why)
{
	if (s->http->kind == HTTP_EVENTS)
		http_fail(s->http, why);
	else
		http_note(s->http, "no GET stream: %s", why);
	get_stream_close(s);
}

/* The stream has ended or could not be opened. */
static void
stream_open_later(struct get_stream *s, const char *why, int64_t at_least_ms)
{
	struct http *h = s->http;
	const struct sse *sse = &s->body.sse;
	bool short_lived = loop_now_ms(h->loop) - s->opened_ms < HTTP_SHORT_STREAM_MS;

	if (sse->events + sse->ids == s->before && (short_lived || !s->is_open))
		s->failures++;
	else
		s->failures = 0;
	s->is_open = false;
	exchange_destroy(s->exchange);
	s->exchange = NULL;
	if (h->kind == HTTP_EVENTS || s->failures > HTTP_MAX_FAILURES) {
		stream_give_up(s, why);
		return;
	}
	int64_t delay_ms = http_retry_delay_ms(sse, s->failures);
	delay_ms = delay_ms > at_least_ms ? delay_ms : at_least_ms;
	http_note(h, "GET: %s; again in %g s", why, (double)delay_ms / 1000);
	loop_timer_set(h->loop, &s->timer, loop_now_ms(h->loop) + delay_ms);
}

static void
stream_on_timer(void *user)
{
	struct get_stream *s = user;

	http_enter(s->http);
	if (s->wanted && !s->parked)
		stream_start(s);
	http_leave(s->http);
}

static void
stream_on_head(void *user, struct exchange *x)
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
stream_on_body(void *user, const char *bytes, size_t len)
{
	struct get_stream *s = user;
	struct http *h = s->http;

	http_enter(h);
	response_body_feed(&s->body, bytes, len);
	http_pump(h); /* an endpoint may have come */
	http_leave(h);
}

static void
stream_on_auth(struct get_stream *s, const char *text)
{
	struct http *h = s->http;

	if (s->auth_round < h->auth_round) {
		stream_start(s);
		return;
	}
	s->parked = true;
	if (!http_challenge(h, s->exchange)) {
		s->parked = false;
		stream_give_up(s, text);
	}
}

static void
stream_on_redirect(struct get_stream *s)
{
	struct http *h = s->http;
	char text[400];
	char *to = http_redirect(h, s->exchange,
	    (struct redirect){
		.from = h->url, .before = s->redirects++, .text = text, .size = sizeof(text) });

	if (!to) {
		stream_give_up(s, text);
		return;
	}
	free(h->url);
	h->url = to;
	stream_start(s);
}

static void
stream_on_refused(struct get_stream *s)
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
		stream_on_redirect(s);
	} else if (s->was_open &&
		   http_session_is_gone(s->with_session, status, &s->body, s->http)) {
		struct http *h = s->http;
		const struct transport_error error = {
			.kind = TRANSPORT_SESSION, .status = status, .text = text
		};
		get_stream_close(s);
		if (!is_closed(h))
			h->events.on_error(h->user, &error);
	} else if (http_is_auth(s->exchange)) {
		stream_on_auth(s, text);
	} else if (later && seconds <= HTTP_MAX_RETRY_AFTER_S) {
		stream_open_later(s, text, seconds * 1000);
	} else {
		stream_give_up(s, text);
	}
}

static void
stream_on_end(void *user, const char *trouble)
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
		stream_on_refused(s);
	else if (s->exchange)
		stream_open_later(s, trouble ? trouble : "the server ended the event stream", 0);
	http_pump(h);
	http_leave(h);
}

static const struct exchange_events stream_events = {
	.on_head = stream_on_head,
	.on_body = stream_on_body,
	.on_end = stream_on_end,
};

static void
stream_start(struct get_stream *s)
{
	struct http *h = s->http;
	struct err err = { "" };
	const struct opening opening = {
		.method = "GET",
		.url = h->url,
		.accept = "text/event-stream",
		.last_event = s->body.sse.last_id,
		.first_byte_ms = h->kind == HTTP_EVENTS ? HTTP_NOTICE_MS : 0,
		.events = &stream_events,
		.user = s,
	};

	exchange_destroy(s->exchange);
	s->is_open = false;
	s->before = s->body.sse.events + s->body.sse.ids;
	s->auth_round = h->auth_round;
	s->with_session = h->session != NULL;
	s->exchange = http_open(h, &opening, &err);
	if (s->exchange)
		exchange_start(s->exchange);
	else
		stream_give_up(s, err.text);
}

void
get_stream_open(struct get_stream *s)
{
	if (s->wanted || s->http->closed || s->http->destroyed)
		return;
	s->wanted = true;
	s->failures = 0;
	stream_start(s);
}

/* ---- memory ---- */

static void
sweep(struct http *h)
{
	for (size_t i = 0; i < h->dead.len; i++)
		post_free(h->dead.items[i]);
	h->dead.len = 0;
}

static void
free_http(struct http *h)
{
	sweep(h);
	response_body_finish(&h->stream.body);
	headers_finish(&h->headers);
	free(h->posts.items);
	free(h->dead.items);
	free(h->url);
	free(h->endpoint);
	free(h->session);
	free(h->version);
	free(h);
}

void
http_enter(struct http *h)
{
	h->busy++;
}

void
http_leave(struct http *h)
{
	if (--h->busy > 0)
		return;
	if (h->destroyed)
		free_http(h);
	else
		sweep(h);
}

static void
drop_all(struct http *h)
{
	while (h->posts.len > 0)
		post_end(h->posts.items[h->posts.len - 1]);
	get_stream_close(&h->stream);
}

/* ---- the order of messages ---- */

/* Requests are sent in parallel. A notification or response must have arrived before any later
 * message is sent: a server must know that it is initialized before it gets a request. */
void
http_pump(struct http *h)
{
	size_t under_way = 0;
	bool blocked = h->kind == HTTP_EVENTS && !h->endpoint;

	if (is_closed(h) || h->auth_pending)
		return;
	for (size_t i = 0; i < h->posts.len; i++)
		under_way += h->posts.items[i]->state == POST_SENT ||
			     h->posts.items[i]->state == POST_RESUMING;
	for (size_t i = 0; i < h->posts.len && !blocked && under_way < HTTP_MAX_POSTS; i++) {
		struct post *p = h->posts.items[i];
		if (p->state == POST_WAITING && !p->failure) {
			post_start(p);
			under_way++;
		}
		blocked = !p->is_request && !p->has_head && !p->failure;
	}
}

/* ---- closing ---- */

static void
on_closing(void *user)
{
	struct http *h = user;

	if (h->told_closed)
		return;
	http_enter(h);
	exchange_destroy(h->delete_session);
	h->delete_session = NULL;
	h->told_closed = true;
	h->events.on_closed(h->user, &h->transport, h->closed_text);
	http_leave(h);
}

void
http_fail(struct http *h, const char *how)
{
	if (is_closed(h))
		return;
	h->closed = true;
	snprintf(h->closed_text, sizeof(h->closed_text), "%s", how);
	drop_all(h);
	loop_timer_set(h->loop, &h->closing, loop_now_ms(h->loop));
}

static void
on_delete_head(void *user, struct exchange *x)
{
	http_note_heads(user, x, 0, "DELETE: %s", exchange_head(x).status_text);
}

static void
on_delete_end(void *user, const char *trouble)
{
	if (trouble)
		http_note(user, "DELETE: %s", trouble);
	on_closing(user);
}

static void
close_session(struct transport *t, int64_t grace_ms)
{
	struct http *h = (struct http *)t;

	if (is_closed(h))
		return;
	h->closed = true;
	snprintf(h->closed_text, sizeof(h->closed_text), "closed");
	drop_all(h);
	if (h->session && grace_ms > 0) {
		static const struct exchange_events events = {
			.on_head = on_delete_head,
			.on_end = on_delete_end,
		};
		const struct opening opening = {
			.method = "DELETE",
			.url = h->url,
			.accept = "application/json",
			.total_ms = grace_ms,
			.events = &events,
			.user = h,
		};
		h->delete_session = http_open(h, &opening, NULL);
		if (h->delete_session)
			exchange_start(h->delete_session);
	}
	if (!h->delete_session)
		loop_timer_set(h->loop, &h->closing, loop_now_ms(h->loop));
}

static void
destroy(struct transport *t)
{
	struct http *h = (struct http *)t;

	if (h->destroyed)
		return;
	drop_all(h);
	exchange_destroy(h->delete_session);
	h->delete_session = NULL;
	loop_timer_cancel(&h->closing);
	h->destroyed = true;
	if (h->busy == 0)
		free_http(h);
}

/* ---- messages ---- */

static bool
send_message(struct transport *t, const struct outbound *m, struct err *err)
{
	struct http *h = (struct http *)t;

	if (is_closed(h))
		return err_set(err, "the connection is closed");
	http_enter(h);
	if (m->cancels) {
		for (size_t i = 0; i < h->posts.len; i++) {
			if (h->posts.items[i]->id == m->cancels) {
				post_cancel(h->posts.items[i]);
				break;
			}
		}
	}
	if (!m->cancels || !m->modern) {
		struct post *p = post_create(h, m);
		if (p->starts_session) {
			free(h->session);
			h->session = NULL;
			h->session_round++;
			if (h->kind == HTTP_STREAMABLE) {
				get_stream_close(&h->stream);
				h->stream.was_open = false;
				response_body_finish(&h->stream.body);
				response_body_init(&h->stream.body, h, 0, NULL);
			}
		}
		if (m->version && !m->modern) {
			free(h->version);
			h->version = mem_strdup(m->version);
		}
		*VEC_PUSH(&h->posts) = p;
		h->waiting_bytes += p->len;
		if (h->waiting_bytes > HTTP_MAX_OUTBOX)
			post_fail_later(p, TRANSPORT_UNREACHABLE,
			    "too many bytes wait already to be sent or answered");
		http_pump(h);
	}
	http_leave(h);
	return true;
}

static void
hold(struct transport *t, bool held)
{
	struct http *h = (struct http *)t;

	h->held = held;
	for (size_t i = 0; i < h->posts.len; i++)
		if (h->posts.items[i]->exchange)
			exchange_hold(h->posts.items[i]->exchange, held);
	if (h->stream.exchange)
		exchange_hold(h->stream.exchange, held);
}

static void
settle(struct transport *t, const char *why)
{
	struct http *h = (struct http *)t;

	h->auth_pending = false;
	if (!why) {
		http_enter(h);
		h->auth_round++;
		for (size_t i = 0; i < h->posts.len; i++) {
			struct post *p = h->posts.items[i];
			if (p->state != POST_PARKED || p->failure)
				continue;
			/* Continues in the loop, like everything else. */
			p->state = p->is_resumed ? POST_RESUMING : POST_LATER;
			loop_timer_set(h->loop, &p->timer, loop_now_ms(h->loop));
		}
		if (h->stream.parked) /* reopened in the next turn */
			loop_timer_set(h->loop, &h->stream.timer, loop_now_ms(h->loop));
		h->stream.parked = false;
		http_pump(h);
		http_leave(h);
		return;
	}
	for (size_t i = 0; i < h->posts.len; i++)
		if (h->posts.items[i]->state == POST_PARKED)
			post_fail_later(h->posts.items[i], TRANSPORT_FORBIDDEN, why);
	if (!h->stream.parked)
		return;
	get_stream_close(&h->stream);
	if (h->kind == HTTP_EVENTS)
		http_fail(h, why);
}

static const struct transport_ops ops = {
	.send = send_message,
	.hold = hold,
	.describe_wait = describe_wait,
	.settle = settle,
	.close = close_session,
	.destroy = destroy,
};

/* ---- creating ---- */

struct transport *
http_create(struct loop *loop, const struct http_options *options,
    const struct transport_events *events, void *user, struct err *err)
{
	struct http *h = mem_zalloc(sizeof(*h));

	h->transport.ops = &ops;
	h->loop = loop;
	h->events = *events;
	h->user = user;
	h->url = mem_strdup(options->url);
	h->kind = options->kind;
	h->insecure = options->insecure;
	h->max_message = options->max_message ? options->max_message : HTTP_MAX_MESSAGE;
	h->connect_ms = options->connect_ms ? options->connect_ms : HTTP_CONNECT_MS;
	h->auth = options->auth;
	h->closing = (struct loop_timer){ .fn = on_closing, .user = h };
	h->stream = (struct get_stream){ .http = h,
		.timer = { .fn = stream_on_timer, .user = &h->stream } };
	response_body_init(&h->stream.body, h, 0, NULL);
	h->api = curl_api_of(h->loop, err);
	bool ok = h->api && url_check(h->api, options->url, err);
	for (const char *const *line = options->headers; ok && line && *line; line++) {
		const char *colon = strchr(*line, ':'); /* "Name: value" */
		ok = colon && colon != *line && !strpbrk(*line, "\r\n");
		if (ok)
			*VEC_PUSH(&h->headers) =
			    (struct header){ .name = mem_strndup(*line, (size_t)(colon - *line)),
				    .value = mem_strdup(colon + 1 + strspn(colon + 1, " \t")) };
		else
			err_set(err, "\"%.80s\" is not a header such as \"Name: value\"", *line);
	}
	if (!ok) {
		destroy(&h->transport);
		return NULL;
	}
	if (h->kind == HTTP_EVENTS)
		get_stream_open(&h->stream);
	return &h->transport;
}
