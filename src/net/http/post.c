/* SPDX-License-Identifier: MIT */
#include "http.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/doc.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Messages that are POSTed to the server, and the bodies of its responses. */

/* ---- bodies ---- */

static bool
is_response_to(const struct response_body *rb, const cJSON *value)
{
	struct message m;

	message_classify(value, &m);
	if (m.kind == MESSAGE_BATCH) {
		for (const cJSON *item = json_first(value); item; item = item->next)
			if (cJSON_IsObject(item) && is_response_to(rb, item))
				return true;
		return false;
	}
	if (m.kind != MESSAGE_RESULT && m.kind != MESSAGE_ERROR)
		return false;
	if (!rb->awaits_id) {
		size_t number;
		return cJSON_IsNumber(m.id) && json_number_to_size(m.id, SIZE_MAX, &number) &&
		       number == rb->awaits;
	}
	struct json_doc *doc = json_parse(rb->awaits_id, strlen(rb->awaits_id), NULL, NULL);
	bool same = m.id && doc && json_equal(m.id, json_root(doc));
	json_doc_destroy(doc);
	return same;
}

/* In a stream, notifications and server requests may precede the response. */
static void
describe_other(struct response_body *rb, const cJSON *value)
{
	struct message m;
	struct buf id = BUF_INIT;

	message_classify(value, &m);
	if (rb->kind == BODY_EVENTS &&
	    (m.kind == MESSAGE_NOTIFICATION || m.kind == MESSAGE_REQUEST))
		return;
	enum json_type type = json_type(m.id);
	const char *words = json_get_string(m.error, "message");
	json_print_brief(&id, m.id, 40);
	if (m.kind == MESSAGE_ERROR && (type == JSON_ABSENT || type == JSON_NULL))
		snprintf(rb->flaw, sizeof(rb->flaw), "an error without an id%s%.100s",
		    words ? ": " : "", words ? words : "");
	else if (m.kind != MESSAGE_RESULT && m.kind != MESSAGE_ERROR)
		snprintf(
		    rb->flaw, sizeof(rb->flaw), "%s", m.flaw ? m.flaw : message_kind_names[m.kind]);
	else if (rb->awaits_id)
		snprintf(rb->flaw, sizeof(rb->flaw), "its id is %s, not %.40s", buf_text(&id),
		    rb->awaits_id);
	else
		snprintf(rb->flaw, sizeof(rb->flaw), "its id is %s, not %" PRIu64, buf_text(&id),
		    rb->awaits);
	buf_finish(&id);
}

/* A large message is assumed to be the response: the owner parses it in a thread. */
static void
check_message(struct response_body *rb, struct raw_message *raw)
{
	if (!raw->is_read && (raw->dropped > 0 || raw->bytes->len >= RAW_MESSAGE_LARGE)) {
		const char *text = raw->bytes->data + strspn(raw->bytes->data, " \t\r\n");
		bool is_json = *text == '{' || *text == '[';
		rb->answered = !rb->cut && is_json;
		if (!rb->cut && !is_json)
			snprintf(
			    rb->flaw, sizeof(rb->flaw), "not JSON: it begins with \"%.20s\"", text);
		return;
	}
	raw_message_read(raw, NULL);
	rb->answered = raw->doc && is_response_to(rb, json_root(raw->doc));
	if (!raw->doc)
		snprintf(rb->flaw, sizeof(rb->flaw), "%s", raw->flaw);
	else if (!rb->answered)
		describe_other(rb, json_root(raw->doc));
}

/* Takes the message. */
static void
notify(struct response_body *rb, struct raw_message *raw)
{
	struct http *h = rb->http;

	if (rb->awaits && !rb->answered)
		check_message(rb, raw);
	raw->stream = rb->awaits;
	raw->in_session = h->session != NULL;
	if (h->destroyed || h->closed)
		raw_message_finish(raw);
	else
		h->events.on_message(h->user, raw);
}

static bool
response_body_holds_response(struct response_body *rb)
{
	struct message m = { .kind = MESSAGE_INVALID };

	if (!rb->rejected.bytes)
		return false;
	raw_message_read(&rb->rejected, NULL);
	if (rb->rejected.doc)
		message_classify(json_root(rb->rejected.doc), &m);
	return m.kind == MESSAGE_ERROR || m.kind == MESSAGE_RESULT;
}

void
response_body_note_rejected(const struct response_body *rb, const char *whose)
{
	char what[140];

	if (!rb->rejected.bytes)
		return;
	snprintf(what, sizeof(what), "%s, body", whose);
	http_note_bytes(rb->http, what, rb->rejected.bytes->data, rb->rejected.bytes->len);
}

static void
on_body(void *user, struct frame_line line)
{
	struct response_body *rb = user;
	struct raw_message raw;

	if (rb->kind != BODY_JSON) {
		raw_message_finish(&rb->rejected);
		raw_message_init(&rb->rejected, line);
		return;
	}
	/* "Implementations MUST NOT add a byte order mark", but parsers may ignore it (RFC
	 * 8259, 8.1). */
	struct blob *all = line.bytes;
	if (all->len >= 3 && memcmp(all->data, "\xef\xbb\xbf", 3) == 0) {
		http_note(
		    rb->http, "the body begins with a byte order mark, which JSON must not have");
		line.bytes = blob_from_bytes(all->data + 3, all->len - 3);
		blob_unref(all);
	}
	raw_message_init(&raw, line);
	blob_ref(line.bytes);
	notify(rb, &raw);
	if (rb->awaits && !rb->answered) {
		raw_message_finish(&rb->rejected);
		raw_message_init(&rb->rejected, line);
	} else {
		blob_unref(line.bytes);
	}
}

/* Events of other types are not MCP messages. */
static void
on_event(void *user, struct sse_event event)
{
	struct response_body *rb = user;

	if (strcmp(event.type, "message") == 0) {
		struct raw_message raw;
		raw_message_init(&raw, event.data);
		notify(rb, &raw);
		return;
	}
	if (strcmp(event.type, "endpoint") == 0 && rb->http->kind == HTTP_EVENTS) {
		struct http *h = rb->http;
		char *to = url_resolve(h->api, h->url, event.data.bytes->data);
		char *shown = url_to_show(to ? to : event.data.bytes->data);
		char text[160];
		if (to && url_same_origin(h->api, h->url, to)) {
			http_note(h, "messages go to %s", shown);
			free(h->endpoint);
			h->endpoint = to;
		} else {
			snprintf(text, sizeof(text),
			    "it wants messages sent to another origin, %.80s: refused", shown);
			http_fail(h, text);
			free(to);
		}
		free(shown);
	} else {
		http_note(rb->http, "an event of type \"%s\": ignored", event.type);
	}
	blob_unref(event.data.bytes);
}

void
response_body_init(struct response_body *rb, struct http *h, uint64_t awaits, const char *awaits_id)
{
	*rb = (struct response_body){ .http = h, .awaits = awaits, .awaits_id = awaits_id };
	sse_init(&rb->sse, h->max_message, on_event, rb);
	frame_init(&rb->frame, h->max_message, on_body, rb);
}

void
response_body_finish(struct response_body *rb)
{
	sse_finish(&rb->sse);
	frame_finish(&rb->frame);
	raw_message_finish(&rb->rejected);
}

void
response_body_begin(struct response_body *rb, enum response_body_kind kind)
{
	size_t max = rb->http->max_message;

	rb->kind = kind;
	rb->cut = false;
	rb->flaw[0] = '\0';
	raw_message_finish(&rb->rejected);
	frame_finish(&rb->frame);
	if (kind == BODY_REFUSAL && max > HTTP_MAX_REFUSAL)
		max = HTTP_MAX_REFUSAL;
	frame_init(&rb->frame, max, on_body, rb);
}

void
response_body_feed(struct response_body *rb, const char *bytes, size_t len)
{
	if (rb->kind == BODY_EVENTS)
		sse_feed(&rb->sse, bytes, len);
	else if (rb->kind != BODY_NONE)
		frame_feed_body(&rb->frame, bytes, len);
}

void
response_body_end(struct response_body *rb, bool whole)
{
	rb->cut = !whole;
	if (rb->kind == BODY_EVENTS) {
		/* An event without the empty line at its end is not an event, but its data may
		 * explain why. */
		struct buf part = BUF_INIT;
		char what[120];
		buf_add_str(&part, buf_text(&rb->sse.data.pending));
		size_t dropped = sse_end(&rb->sse);
		if (dropped > 0) {
			snprintf(what, sizeof(what),
			    "the stream ended within an event (no empty line ends it), %zu bytes",
			    dropped);
			http_note_bytes(rb->http, what, buf_text(&part), part.len);
			snprintf(rb->flaw, sizeof(rb->flaw), "an event that no empty line ends");
		}
		buf_finish(&part);
	} else {
		frame_feed(&rb->frame, "\n", 1);
	}
}

enum response_body_kind
response_body_kind_of(const struct exchange *x, bool must_answer)
{
	char *type = exchange_header(x, "Content-Type", 0);
	enum response_body_kind other = exchange_head(x).status == 202 ? BODY_NONE : BODY_REFUSAL;
	enum response_body_kind kind = must_answer ? BODY_JSON : other;

	if (type && strncasecmp(type, "text/event-stream", 17) == 0)
		kind = BODY_EVENTS;
	else if (type && strncasecmp(type, "application/json", 16) == 0)
		kind = BODY_JSON;
	free(type);
	return kind;
}

/* ---- redirects ---- */

/* "tools/call #3"; out */
static const char *
post_name(const struct post *p, char out[POST_NAME])
{
	if (p->rpc_id)
		snprintf(out, POST_NAME, "%.60s #%.20s", p->method, p->rpc_id);
	else if (p->is_request)
		snprintf(out, POST_NAME, "%.60s #%" PRIu64, p->method, p->id);
	else
		snprintf(out, POST_NAME, "%.60s", p->method);
	return out;
}

bool
http_is_redirect(int status)
{
	return status >= 300 && status <= 399 && status != 304;
}

char *
http_redirect(struct http *h, const struct exchange *x, struct redirect r)
{
	char *location = exchange_header(x, "Location", 0);
	const char *why = NULL, *words = exchange_head(x).status_text;
	int status = exchange_head(x).status;
	char *to = location ? url_resolve(h->api, r.from, location) : NULL;
	char *shown = location ? url_to_show(to ? to : location) : NULL;

	if (to) {
		/* Only 307 and 308 keep the method (RFC 9110, 15.4); and a message for one origin
		 * is never sent to another without the user. */
		if (!url_same_origin(h->api, h->url, to))
			why = ", to another origin: not followed; if the server is there, give "
			      "that URL";
		else if (r.is_post && status != 307 && status != 308)
			why = ", which a POST does not follow; if the server is there, give that "
			      "URL";
		else if (r.before >= HTTP_MAX_REDIRECTS)
			why = ", which is one redirect too many";
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
	if (to && !why) {
		http_note(h, "%s", r.text);
		return to;
	}
	free(to);
	return NULL;
}

void
post_end(struct post *p)
{
	struct http *h = p->http;

	loop_timer_cancel(&p->timer);
	exchange_destroy(p->exchange);
	p->exchange = NULL;
	for (size_t i = 0; i < h->posts.len; i++) {
		if (h->posts.items[i] != p)
			continue;
		VEC_REMOVE(&h->posts, i);
		h->waiting_bytes -= p->len;
		*VEC_PUSH(&h->dead) = p;
		return;
	}
}

static void
post_fail(struct post *p, enum transport_error_kind kind, int status, const char *text)
{
	const struct blob *body = p->body.rejected.bytes;
	const struct transport_error error = {
		.kind = kind,
		.id = p->told,
		.status = status,
		.text = text,
		.body = body ? body->data : NULL,
		.body_len = body ? body->len : 0,
	};

	if (!p->cancelled && !p->http->closed && !p->http->destroyed)
		p->http->events.on_error(p->http->user, &error);
	post_end(p);
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
	exchange_destroy(p->exchange);
	p->exchange = NULL;
	p->state = POST_LATER;
	loop_timer_set(p->http->loop, &p->timer, loop_now_ms(p->http->loop) + seconds * 1000);
	return true;
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
static void
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
	size_t size = sizeof(text);
	int64_t seconds = exchange_retry_after_s(p->exchange);
	const char *words = exchange_head(p->exchange).status_text;
	if (p->retries == HTTP_MAX_RETRIES)
		snprintf(text, size, "HTTP %s, %d times", words, p->retries + 1);
	else if ((status == 429 || status == 503) && seconds >= 0)
		snprintf(text, size, "HTTP %s: the server asks to retry in %" PRId64 " s", words,
		    seconds);
	else
		snprintf(text, size, "HTTP %s", words);
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
	if (message) {
		struct raw_message raw = rb->rejected;
		blob_ref(raw.bytes);
		rb->rejected.doc = NULL;
		notify(rb, &raw);
	}
	if (rb->answered)
		post_end(p);
	else if (http_session_is_gone(p->with_session, status, rb, p->http))
		post_fail(p, TRANSPORT_SESSION, status, text);
	else
		post_fail(p, TRANSPORT_STATUS, status, text);
}

static void post_on_timer(void *user);
static const struct exchange_events post_events;

static void
add_header(struct post *p, const char *prefix, const char *name, const char *value)
{
	*VEC_PUSH(&p->headers) =
	    (struct header){ .name = mem_printf("%s%s", prefix, name), .value = mem_strdup(value) };
}

/* 2026-07-28/basic/transports/streamable-http.mdx, "Standard Request Headers". */
static void
take_headers(struct post *p, const struct outbound *m)
{
	struct buf name = BUF_INIT;

	if (m->version)
		add_header(p, "", "MCP-Protocol-Version", m->version);
	if (!m->modern)
		return;
	if (m->method && (m->kind == MESSAGE_REQUEST || m->kind == MESSAGE_NOTIFICATION))
		add_header(p, "", "Mcp-Method", m->method);
	if (m->name) {
		header_value_add(&name, m->name);
		add_header(p, "", "Mcp-Name", buf_text(&name));
		buf_finish(&name);
	}
	for (size_t i = 0; i < m->param_count; i++)
		if (m->params[i].value)
			add_header(p, "Mcp-Param-", m->params[i].name, m->params[i].value);
}

struct post *
post_create(struct http *h, const struct outbound *m)
{
	struct post *p = mem_zalloc(sizeof(*p));
	const char *method = m->method ? m->method : "message";
	bool answer = m->kind == MESSAGE_RESULT || m->kind == MESSAGE_ERROR;

	p->http = h;
	p->id = m->id;
	p->told = m->id ? m->id : m->told;
	p->rpc_id = mem_strdup(m->rpc_id);
	p->is_request = m->id != 0;
	p->method = answer ? mem_printf("answer to %s", method) : mem_strdup(method);
	p->line = mem_dup(m->line, m->len);
	p->len = m->len;
	p->modern = m->modern;
	p->starts_session = m->kind == MESSAGE_REQUEST && strcmp(method, "initialize") == 0;
	p->opens_stream = !m->modern && strcmp(method, "notifications/initialized") == 0;
	p->timer = (struct loop_timer){ .fn = post_on_timer, .user = p };
	take_headers(p, m);
	response_body_init(&p->body, h, m->id, p->rpc_id);
	return p;
}

void
post_free(struct post *p)
{
	exchange_destroy(p->exchange);
	response_body_finish(&p->body);
	headers_finish(&p->headers);
	free(p->method);
	free(p->rpc_id);
	free(p->line);
	free(p->url);
	free(p->failure);
	free(p);
}

/* ---- sending ---- */

/* Replaces its exchange by a new one. False with err: it could not be started. */
static bool
post_open(struct post *p, const struct opening *opening, struct err *err)
{
	struct http *h = p->http;

	exchange_destroy(p->exchange);
	p->state = POST_SENT;
	p->has_head = false;
	p->auth_round = h->auth_round;
	p->exchange = http_open(h, opening, err);
	if (p->exchange)
		exchange_start(p->exchange);
	return p->exchange != NULL;
}

void
post_start(struct post *p)
{
	struct http *h = p->http;
	struct err err;
	const struct opening opening = {
		.method = "POST",
		.url = p->url        ? p->url
		       : h->endpoint ? h->endpoint
				     : h->url,
		.message = p,
		.accept = "application/json, text/event-stream",
		.first_byte_ms = p->is_request ? 0 : HTTP_NOTICE_MS,
		.events = &post_events,
		.user = p,
	};

	p->with_session = h->session && !p->modern && !p->starts_session;
	p->session_round = h->session_round;
	if (!post_open(p, &opening, &err))
		post_fail_later(p, TRANSPORT_UNREACHABLE, err.text);
}

void
post_fail_later(struct post *p, enum transport_error_kind kind, const char *text)
{
	struct loop *loop = p->http->loop;

	free(p->failure);
	p->failure = mem_strdup(text);
	p->failure_kind = kind;
	loop_timer_set(loop, &p->timer, loop_now_ms(loop));
}

/* A modern server is notified by the end of the stream. A legacy server gets a notification, and
 * its stream stays open for a while. */
void
post_cancel(struct post *p)
{
	struct http *h = p->http;
	char name[POST_NAME], wait[96];

	p->cancelled = true;
	if (p->exchange) {
		exchange_describe_wait(p->exchange, wait, sizeof(wait));
		http_note(h, "%s is cancelled; it waited for: %s", post_name(p, name), wait);
	}
	if (p->modern || p->state != POST_SENT) {
		post_end(p);
		return;
	}
	loop_timer_set(h->loop, &p->timer, loop_now_ms(h->loop) + HTTP_LINGER_MS);
}

/* ---- resuming a response (2025-11-25/basic/transports, "Resumability and Redelivery") ---- */

static bool
post_resume(struct post *p)
{
	struct http *h = p->http;
	const struct sse *sse = &p->body.sse;

	if (p->modern || p->cancelled || h->kind != HTTP_STREAMABLE || !sse->last_id[0])
		return false;
	if (++p->failures > HTTP_MAX_FAILURES)
		return false;
	int64_t delay_ms = http_retry_delay_ms(sse, p->failures);
	http_note(h, "%s: its stream ended before the response; resumed in %g s", p->method,
	    (double)delay_ms / 1000);
	exchange_destroy(p->exchange);
	p->exchange = NULL;
	p->state = POST_RESUMING;
	p->is_resumed = true;
	loop_timer_set(h->loop, &p->timer, loop_now_ms(h->loop) + delay_ms);
	return true;
}

/* The stream of its response ended too soon: resumes it, else fails. trouble: NULL for none. */
static void
post_broken(struct post *p, int status, const char *trouble)
{
	const char *flaw = p->body.flaw;
	char text[300];

	if (post_resume(p))
		return;
	snprintf(text, sizeof(text), "the stream ended before the response%s%s",
	    flaw[0] ? "; the last message: " : "", flaw);
	post_fail(p, TRANSPORT_BROKEN, status, trouble ? trouble : text);
}

/* A stream that stays open after its response is closed soon, or it would use a slot forever. */
static void
post_on_body(void *user, const char *bytes, size_t len)
{
	struct post *p = user;
	struct http *h = p->http;

	http_enter(h);
	response_body_feed(&p->body, bytes, len);
	if (p->exchange && p->body.answered && !p->cancelled && !p->timer.loop)
		loop_timer_set(h->loop, &p->timer, loop_now_ms(h->loop) + HTTP_LINGER_MS);
	http_leave(h);
}

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

/* The stream of a legacy server's response ended too soon. False: it cannot be resumed. */
static void
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

/* ---- the response, from head to end ---- */

static void
post_on_timer(void *user)
{
	struct post *p = user;
	struct http *h = p->http;

	char name[POST_NAME];
	http_enter(h);
	if (p->body.answered && !p->cancelled)
		http_note(
		    h, "%s was answered, but its stream stays open: closed", post_name(p, name));
	if (p->cancelled || p->body.answered)
		post_end(p);
	else if (p->failure)
		post_fail(p, p->failure_kind, 0, p->failure);
	else if (p->state == POST_RESUMING)
		post_reopen(p);
	else
		p->state = POST_WAITING;
	http_pump(h);
	http_leave(h);
}

static void
take_session(struct post *p, const struct exchange *x)
{
	struct http *h = p->http;
	char *id = p->starts_session ? exchange_header(x, "Mcp-Session-Id", 0) : NULL, *c = id;

	if (!id)
		return;
	/* "The session ID MUST only contain visible ASCII characters (ranging from 0x21 to 0x7E)."
	 */
	while (*c >= 0x21 && *c <= 0x7e)
		c++;
	if (*c || c == id || c - id > HTTP_MAX_SESSION_ID) {
		http_note(h, "the session id breaks the rules of the specification: not used");
		free(id);
		return;
	}
	free(h->session);
	h->session = id;
	http_note(h, "the server opened a session (Mcp-Session-Id)");
}

static void
on_head(void *user, struct exchange *x)
{
	struct post *p = user;
	struct http *h = p->http;
	char *type = exchange_header(x, "Content-Type", 0);
	char name[POST_NAME];
	int status = exchange_head(x).status;

	http_enter(h);
	http_note_heads(h, x, p->told, "POST %s: %s%s%.60s", post_name(p, name),
	    exchange_head(x).status_text, type ? ", " : "", type ? type : "");
	free(type);
	http_notify_reach(h, NULL);
	p->has_head = true;
	if (p->exchange && status >= 200 && status < 300) {
		take_session(p, x);
		if (p->url) { /* within the origin: later messages go there directly */
			free(h->url);
			h->url = p->url;
			p->url = NULL;
		}
		if (p->opens_stream && h->kind == HTTP_STREAMABLE)
			get_stream_open(&h->stream);
		bool must_answer = p->is_request && h->kind == HTTP_STREAMABLE;
		response_body_begin(&p->body, response_body_kind_of(x, must_answer));
	} else {
		response_body_begin(&p->body, BODY_REFUSAL);
	}
	http_pump(h);
	http_leave(h);
}

/* A response with status 2xx is complete. */
static void
on_answer_end(struct post *p, int status, const char *trouble)
{
	enum response_body_kind kind = p->body.kind;

	response_body_end(&p->body, !trouble);
	if (!p->exchange) /* cancelled by the owner meanwhile */
		return;
	if (kind == BODY_REFUSAL)
		note_body(p);
	if (!p->is_request || p->body.answered || p->cancelled || p->http->kind == HTTP_EVENTS) {
		post_end(p);
	} else if (!trouble && kind == BODY_JSON) {
		/* The body is complete and is not the response. */
		struct exchange *x = p->exchange;
		char *type = exchange_header(x, "Content-Type", 0);
		const char *words = exchange_head(x).status_text;
		char text[300];
		if (!p->body.rejected.bytes)
			snprintf(text, sizeof(text),
			    "HTTP %s without a body, although a response was due", words);
		else
			snprintf(text, sizeof(text),
			    "HTTP %s, %.60s: the body is not a response: %s", words,
			    type ? type : "no Content-Type", p->body.flaw);
		free(type);
		post_fail(p, TRANSPORT_STATUS, status, text);
	} else {
		post_broken(p, status, trouble);
	}
}

static void
post_on_end(void *user, const char *trouble)
{
	struct post *p = user;
	struct http *h = p->http;
	int status = exchange_head(p->exchange).status;
	char name[POST_NAME];

	http_enter(h);
	if (trouble && p->exchange && !p->has_head)
		http_note_heads(
		    h, p->exchange, p->told, "POST %s: %s", post_name(p, name), trouble);
	else if (trouble)
		http_note(h, "POST %s: %s", post_name(p, name), trouble);
	if (trouble && !p->has_head)
		http_notify_reach(h, trouble);
	if (!p->exchange)
		post_end(p);
	else if (!p->has_head)
		post_fail(p, TRANSPORT_UNREACHABLE, 0, trouble);
	else if (status >= 200 && status < 300)
		on_answer_end(p, status, trouble);
	else
		post_refused(p);
	http_pump(h);
	http_leave(h);
}

static const struct exchange_events post_events = {
	.on_head = on_head,
	.on_body = post_on_body,
	.on_end = post_on_end,
};
