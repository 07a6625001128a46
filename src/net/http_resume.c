#include "http_post_priv.h"

#include <stdio.h>

/*
 * The stream of an answer that broke, opened again by GET and Last-Event-ID
 * (2025-11-25/basic/transports, "Resumability and Redelivery").
 */

uint64_t
http_progress(const struct sse *sse)
{
	return sse->events + sse->ids;
}

/* What the server wants counts; only failures make it longer. */
int64_t
http_delay_ms(const struct sse *sse, int failures)
{
	int64_t ms = sse->retry_ms >= 0 ? sse->retry_ms : HTTP_RETRY_MS;
	int64_t grown = HTTP_RETRY_MS;

	for (int i = 1; i < failures && grown < HTTP_MAX_RETRY_MS; i++)
		grown *= 2;
	if (failures > 1 && grown > ms)
		ms = grown < HTTP_MAX_RETRY_MS ? grown : HTTP_MAX_RETRY_MS;
	return ms > HTTP_MIN_RETRY_MS ? ms : HTTP_MIN_RETRY_MS;
}

static void
on_head(void *user, struct exchange *x)
{
	struct post *p = user;
	struct http *h = p->http;

	http_enter(h);
	http_note(h, "GET, %s from event %.40s on: %s", p->method, p->intake.sse.last_id,
	    exchange_status_text(x));
	bool ok = exchange_status(x) == 200 && intake_kind_of(x, true) == INTAKE_EVENTS;
	intake_begin(&p->intake, ok ? INTAKE_EVENTS : INTAKE_REFUSAL);
	p->failures = ok ? 0 : p->failures;
	p->has_head = true;
	http_leave(h);
}

static void
on_refused(struct post *p)
{
	int status = exchange_status(p->exchange);
	char text[160];

	snprintf(text, sizeof(text),
	    "the stream of the answer broke, and cannot be resumed: HTTP %s",
	    exchange_status_text(p->exchange));
	intake_note_instead(&p->intake, "GET");
	if (answer_lost_session(p->with_session, status, &p->intake, p->http)) {
		post_lost(p, LOST_SESSION, status, text);
	} else if (!http_is_auth(p->exchange)) {
		post_lost(p, LOST_BROKEN, status, text);
	} else {
		p->state = POST_PARKED;
		if (!http_challenge(p->http, p->exchange))
			post_lost(p, LOST_FORBIDDEN, status, text);
	}
}

static void
on_end(void *user, const char *trouble)
{
	struct post *p = user;
	struct http *h = p->http;

	http_enter(h);
	bool refused = p->has_head && p->intake.kind == INTAKE_REFUSAL;
	if (p->has_head)
		intake_end(&p->intake, !trouble);
	if (!p->exchange || p->intake.answered || p->cancelled)
		post_end(p);
	else if (refused)
		on_refused(p);
	else
		post_broken(p, 0, trouble);
	http_pump(h);
	http_leave(h);
}

static const struct exchange_events events = {
	.on_head = on_head,
	.on_body = post_on_body,
	.on_end = on_end,
};

bool
post_resume(struct post *p)
{
	struct http *h = p->http;
	const struct sse *sse = &p->intake.sse;

	if (p->modern || p->cancelled || h->kind != HTTP_STREAMABLE || !sse->last_id[0])
		return false;
	if (++p->failures > HTTP_MAX_FAILURES)
		return false;
	int64_t delay_ms = http_delay_ms(sse, p->failures);
	http_note(h, "%s: its stream ended without the answer; resumed in %g s", p->method,
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
		.last_event = p->intake.sse.last_id,
		.first_byte_ms = HTTP_NOTICE_MS,
		.events = &events,
		.user = p,
	};

	if (p->session_round != h->session_round)
		post_lost(p, LOST_SESSION, 0, "its session was given up");
	else if (!post_open(p, &opening, NULL))
		post_lost(p, LOST_BROKEN, 0, "its stream cannot be resumed");
}
