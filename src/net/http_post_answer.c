#include "http_post_priv.h"

#include <stdio.h>
#include <stdlib.h>

/* The answer to a message, from its head to its end; http_answer.c has those that refuse it. */

static void
take_session(struct post *p, const struct exchange *x)
{
	struct http *h = p->http;
	char *id = p->starts_session ? exchange_header(x, "Mcp-Session-Id", 0) : NULL;

	if (!id)
		return;
	if (!http_is_session_id(id)) {
		http_note(h, "a session id that breaks the rules for one: not used");
		free(id);
		return;
	}
	free(h->session);
	h->session = id;
	http_note(h, "the server opened a session (Mcp-Session-Id)");
}

static void
on_success(struct post *p, const struct exchange *x)
{
	struct http *h = p->http;

	take_session(p, x);
	if (p->url) { /* within the origin: from here on all goes there at once */
		free(h->url);
		h->url = p->url;
		p->url = NULL;
	}
	if (p->opens_stream && h->kind == HTTP_STREAMABLE)
		stream_open(&h->stream);
	bool must_answer = p->is_request && h->kind == HTTP_STREAMABLE;
	intake_begin(&p->intake, intake_kind_of(x, must_answer));
}

static void
on_head(void *user, struct exchange *x)
{
	struct post *p = user;
	struct http *h = p->http;
	char *type = exchange_header(x, "Content-Type", 0);
	char name[POST_NAME];
	int status = exchange_status(x);

	http_enter(h);
	http_note_heads(h, x, "POST %s: %s%s%.60s", post_name(p, name), exchange_status_text(x),
	    type ? ", " : "", type ? type : "");
	free(type);
	http_tell_reach(h, NULL);
	p->has_head = true;
	if (p->exchange && status >= 200 && status < 300)
		on_success(p, x);
	else
		intake_begin(&p->intake, INTAKE_REFUSAL);
	http_pump(h);
	http_leave(h);
}

/* A stream that goes on after its answer has a while for it: it would take a place for ever. */
void
post_on_body(void *user, const char *bytes, size_t len)
{
	struct post *p = user;
	struct http *h = p->http;

	http_enter(h);
	intake_feed(&p->intake, bytes, len);
	if (p->exchange && p->intake.answered && !p->cancelled && !p->timer.loop)
		loop_timer_set(h->loop, &p->timer, loop_now_ms(h->loop) + HTTP_LINGER_MS);
	http_leave(h);
}

/* Whole, and no answer. */
static void
on_no_answer(struct post *p, int status)
{
	struct exchange *x = p->exchange;
	char *type = exchange_header(x, "Content-Type", 0);
	const char *words = exchange_status_text(x);
	char text[300];

	if (!p->intake.instead)
		snprintf(
		    text, sizeof(text), "HTTP %s without a body, where an answer was due", words);
	else
		snprintf(text, sizeof(text), "HTTP %s, %.60s: the body is no answer: %s", words,
		    type ? type : "of no type", p->intake.flaw);
	free(type);
	post_lost(p, LOST_STATUS, status, text);
}

void
post_broken(struct post *p, int status, const char *trouble)
{
	const char *flaw = p->intake.flaw;
	char text[300];

	if (post_resume(p))
		return;
	snprintf(text, sizeof(text), "the stream of the answer ended without it%s%s",
	    flaw[0] ? "; the last that came: " : "", flaw);
	post_lost(p, LOST_BROKEN, status, trouble ? trouble : text);
}

/* All that will come of a success has come. */
static void
on_answer_end(struct post *p, int status, const char *trouble)
{
	enum intake_kind kind = p->intake.kind;
	char name[POST_NAME], whose[POST_NAME + 8];

	intake_end(&p->intake, !trouble);
	if (!p->exchange) /* it was cancelled by what was just told */
		return;
	if (kind == INTAKE_REFUSAL) {
		snprintf(whose, sizeof(whose), "POST %s", post_name(p, name));
		intake_note_instead(&p->intake, whose);
	}
	if (!p->is_request || p->intake.answered || p->cancelled || p->http->kind == HTTP_EVENTS)
		post_end(p);
	else if (!trouble && kind == INTAKE_JSON)
		on_no_answer(p, status);
	else
		post_broken(p, status, trouble);
}

static void
on_end(void *user, const char *trouble)
{
	struct post *p = user;
	struct http *h = p->http;
	int status = exchange_status(p->exchange);
	char name[POST_NAME];

	http_enter(h);
	if (trouble && p->exchange && !p->has_head)
		http_note_heads(h, p->exchange, "POST %s: %s", post_name(p, name), trouble);
	else if (trouble)
		http_note(h, "POST %s: %s", post_name(p, name), trouble);
	if (trouble && !p->has_head)
		http_tell_reach(h, trouble);
	if (!p->exchange)
		post_end(p);
	else if (!p->has_head)
		post_lost(p, LOST_UNREACHABLE, 0, trouble);
	else if (status >= 200 && status < 300)
		on_answer_end(p, status, trouble);
	else
		post_refused(p);
	http_pump(h);
	http_leave(h);
}

const struct exchange_events post_events = {
	.on_head = on_head,
	.on_body = post_on_body,
	.on_end = on_end,
};
