#include "http_post_priv.h"

#include "base/mem.h"
#include "base/vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One message on its way: its life, and when it goes. */

static void on_timer(void *user);

const char *
post_name(const struct post *p, char out[POST_NAME])
{
	if (p->is_request)
		snprintf(out, POST_NAME, "%.60s #%" PRIu64, p->method, p->id);
	else
		snprintf(out, POST_NAME, "%.60s", p->method);
	return out;
}

struct post *
post_create(struct http *h, const struct outbound *m)
{
	struct post *p = mem_zalloc(sizeof(*p));
	const char *method = m->method ? m->method : "message";
	bool answer = m->kind == MESSAGE_RESULT || m->kind == MESSAGE_ERROR;

	p->http = h;
	p->id = m->id;
	p->is_request = m->id != 0;
	p->method = answer ? mem_printf("answer to %s", method) : mem_strdup(method);
	p->line = mem_dup(m->line, m->len);
	p->len = m->len;
	p->modern = m->modern;
	p->starts_session = m->kind == MESSAGE_REQUEST && strcmp(method, "initialize") == 0;
	p->opens_stream = !m->modern && strcmp(method, "notifications/initialized") == 0;
	p->timer = (struct loop_timer){ .fn = on_timer, .user = p };
	post_take_headers(p, m);
	intake_init(&p->intake, h, m->id);
	return p;
}

void
post_free(struct post *p)
{
	exchange_destroy(p->exchange);
	intake_finish(&p->intake);
	for (size_t i = 0; i < p->headers.len; i++) {
		free(p->headers.items[i].name);
		free(p->headers.items[i].value);
	}
	free(p->headers.items);
	free(p->method);
	free(p->line);
	free(p->url);
	free(p->doom);
	free(p);
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

void
post_lost(struct post *p, enum lost_how how, int status, const char *text)
{
	const struct blob *body = p->intake.instead;
	struct lost lost = {
		.how = how,
		.id = p->id,
		.status = status,
		.text = text,
		.body = body ? body->data : NULL,
		.body_len = body ? body->len : 0,
	};

	if (!p->cancelled)
		http_tell_lost(p->http, &lost);
	post_end(p);
}

/* ---- sending ---- */

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
		post_doom(p, LOST_UNREACHABLE, err.text);
}

bool
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
post_again(struct post *p, int64_t delay_ms)
{
	struct http *h = p->http;

	exchange_destroy(p->exchange);
	p->exchange = NULL;
	p->state = POST_LATER;
	loop_timer_set(h->loop, &p->timer, loop_now_ms(h->loop) + delay_ms);
}

void
post_doom(struct post *p, enum lost_how how, const char *text)
{
	struct loop *loop = p->http->loop;

	free(p->doom);
	p->doom = mem_strdup(text);
	p->doom_how = how;
	loop_timer_set(loop, &p->timer, loop_now_ms(loop));
}

/* From the loop, as everything else. */
void
post_unpark(struct post *p)
{
	struct loop *loop = p->http->loop;

	if (p->state != POST_PARKED || p->doom)
		return;
	p->state = p->is_resumed ? POST_RESUMING : POST_LATER;
	loop_timer_set(loop, &p->timer, loop_now_ms(loop));
}

static void
on_timer(void *user)
{
	struct post *p = user;
	struct http *h = p->http;

	char name[POST_NAME];

	http_enter(h);
	if (p->intake.answered && !p->cancelled)
		http_note(
		    h, "%s was answered, but its stream stays open: closed", post_name(p, name));
	if (p->cancelled || p->intake.answered)
		post_end(p);
	else if (p->doom)
		post_lost(p, p->doom_how, 0, p->doom);
	else if (p->state == POST_RESUMING)
		post_reopen(p);
	else
		p->state = POST_WAITING;
	http_pump(h);
	http_leave(h);
}

/* Its owner wants no answer any more. A server of the modern era sees that by the stream's end; one
 * before it is told by a message, and the stream is left to it for a while. */
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
