#include "curl.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"
#include "net/fetch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* ---- delivering ---- */

static bool
is_silenced(const struct exchange *x)
{
	return x->destroyed || x->held;
}

static void
deliver_body(struct exchange *x)
{
	struct buf piece = x->inbox;

	x->inbox = (struct buf)BUF_INIT;
	if (x->events.on_body)
		x->events.on_body(x->user, piece.data, piece.len);
	/* Reuse the memory, unless more bytes came meanwhile. */
	if (x->inbox.cap == 0) {
		buf_clear(&piece);
		x->inbox = piece;
	} else {
		buf_finish(&piece);
	}
}

static void
deliver_end(struct exchange *x)
{
	bool whole = x->code == CURLE_OK && x->stop == STOP_NONE && x->has_head;

	x->told_end = true;
	loop_timer_cancel(&x->timer);
	if (!whole)
		exchange_explain(x);
	x->events.on_end(x->user, whole ? NULL : x->trouble);
}

/* libcurl hands over what it kept at once. If that is refused, it says so here and never again. */
static void
go_on(struct exchange *x)
{
	x->paused = false;
	CURLcode code = x->cl->api.easy_pause(x->easy, CURLPAUSE_CONT);
	if (code != CURLE_OK && !x->ended)
		exchange_on_done(x, code);
}

void
exchange_deliver(struct exchange *x)
{
	x->busy = true;
	if (!is_silenced(x) && x->has_head && !x->told_head) {
		x->told_head = true;
		if (x->events.on_head)
			x->events.on_head(x->user, x);
	}
	if (!is_silenced(x) && x->inbox.len > 0)
		deliver_body(x);
	if (!is_silenced(x) && x->paused)
		go_on(x);
	if (!is_silenced(x) && x->ended && !x->told_end && x->inbox.len == 0)
		deliver_end(x);
	x->busy = false;
	if (x->destroyed) {
		buf_finish(&x->inbox);
		free(x);
	}
}

void
exchange_on_done(struct exchange *x, CURLcode code)
{
	x->ended = true;
	x->code = code;
	curl_loop_ready(x->cl, x);
}

/* We end it. */
static void
stop(struct exchange *x, enum exchange_stop why)
{
	if (x->ended)
		return;
	x->stop = why;
	x->ended = true;
	curl_loop_ready(x->cl, x);
}

/* ---- time ---- */

static bool
is_past(const struct exchange *x, CURLINFO info)
{
	curl_off_t us = 0;

	x->cl->api.easy_getinfo(x->easy, info, &us);
	return us > 0;
}

enum exchange_phase
exchange_phase(const struct exchange *x)
{
	if (x->has_head)
		return PHASE_BODY;
	if (x->first_line_ms)
		return PHASE_HEAD;
	if (is_past(x, CURLINFO_PRETRANSFER_TIME_T))
		return PHASE_FIRST_BYTE;
	if (x->connected)
		return PHASE_TLS;
	return x->dialled ? PHASE_CONNECT : PHASE_NAME;
}

const char *const exchange_phase_names[] = {
	[PHASE_NAME] = "name look-up",
	[PHASE_CONNECT] = "connection",
	[PHASE_TLS] = "TLS handshake",
	[PHASE_FIRST_BYTE] = "first byte",
	[PHASE_HEAD] = "head of the response",
	[PHASE_BODY] = "body",
};

void
exchange_describe_wait(const struct exchange *x, char *out, size_t size)
{
	enum exchange_phase phase = exchange_phase(x);
	const char *name = exchange_phase_names[phase];
	int64_t now = loop_now_ms(x->cl->loop);

	if (phase == PHASE_BODY)
		snprintf(out, size, "%s, silent for %.1f s after %" PRIu64 " bytes", name,
		    (double)(now - x->last_ms) / 1000, x->received);
	else
		snprintf(out, size, "%s, for %.1f s", name, (double)(now - x->started_ms) / 1000);
}

/* When the next time limit passes; INT64_MAX: never. */
static int64_t
next_time(const struct exchange *x)
{
	int64_t next = x->total_ms ? x->started_ms + x->total_ms : INT64_MAX;
	int64_t at = INT64_MAX;

	if (x->has_head)
		return next;
	if (x->first_line_ms)
		at = x->first_line_ms + x->head_ms;
	else if (x->first_byte_ms)
		at = x->started_ms + x->first_byte_ms;
	return at < next ? at : next;
}

void
exchange_set_timer(struct exchange *x)
{
	int64_t next = next_time(x);

	if (next == INT64_MAX)
		loop_timer_cancel(&x->timer);
	else
		loop_timer_set(x->cl->loop, &x->timer, next);
}

static void
on_timer(void *user)
{
	struct exchange *x = user;
	int64_t now = loop_now_ms(x->cl->loop);

	if (x->ended)
		return;
	if (next_time(x) > now)
		exchange_set_timer(x);
	else if (x->total_ms && now >= x->started_ms + x->total_ms)
		stop(x, STOP_TOTAL);
	else
		stop(x, x->first_line_ms ? STOP_HEAD : STOP_FIRST_BYTE);
}

/* ---- create and destroy ---- */

struct exchange *
exchange_create(struct loop *loop, const struct exchange_request *request,
    const struct exchange_events *events, void *user, struct err *err)
{
	struct curl_loop *cl = curl_loop_of(loop, err);

	if (!cl)
		return NULL;
	struct exchange *x = mem_zalloc(sizeof(*x));
	x->cl = cl;
	/* never one that was used before: until 8.1.1 it keeps a pointer to freed headers, which a
	 * response that begins with a folded header makes libcurl write to */
	x->easy = cl->api.easy_init();
	x->events = *events;
	x->user = user;
	x->connect_ms = request->connect_ms;
	x->head_ms = request->head_ms;
	x->first_byte_ms = request->first_byte_ms;
	x->total_ms = request->total_ms;
	x->timer = (struct loop_timer){ .fn = on_timer, .user = x };
	buf_init(&x->head, EXCHANGE_MAX_HEAD);
	exchange_set_up(x, request);
	return x;
}

void
exchange_destroy(struct exchange *x)
{
	if (!x || x->destroyed)
		return;
	loop_timer_cancel(&x->timer);
	curl_loop_forget(x->cl, x);
	if (x->started)
		x->cl->api.multi_remove_handle(x->cl->multi, x->easy);
	x->cl->api.easy_cleanup(x->easy);
	x->cl->api.slist_free_all(x->headers);
	buf_finish(&x->sent);
	buf_finish(&x->head);
	x->destroyed = true;
	if (x->busy)
		return;
	buf_finish(&x->inbox);
	free(x);
}

bool
exchange_add_header(struct exchange *x, const char *name, const char *value)
{
	if (strpbrk(name, "\r\n:") || strpbrk(value, "\r\n") || !*name)
		return false;
	struct buf line = BUF_INIT;
	buf_add_str(&line, name);
	buf_add_str(&line, *value ? ": " : ";"); /* libcurl's syntax for an empty value */
	buf_add_str(&line, value);
	x->headers = x->cl->api.slist_append(x->headers, buf_text(&line));
	buf_finish(&line);
	return true;
}

/* Headers that libcurl adds unless it is told not to. */
static void
leave_out_defaults(struct exchange *x)
{
	static const char *const names[] = { "Accept", "Content-Type" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		size_t len = strlen(names[i]);
		const struct curl_slist *line = x->headers;
		char none[24];
		while (line && (strncasecmp(line->data, names[i], len) != 0 ||
				   !strchr(":;", line->data[len])))
			line = line->next;
		snprintf(none, sizeof(none), "%s:", names[i]);
		if (!line)
			x->headers = x->cl->api.slist_append(x->headers, none);
	}
}

void
exchange_start(struct exchange *x)
{
	if (x->as_is)
		leave_out_defaults(x);
	x->started = true;
	x->started_ms = loop_now_ms(x->cl->loop);
	x->cl->api.easy_setopt(x->easy, CURLOPT_HTTPHEADER, x->headers);
	x->cl->api.multi_add_handle(x->cl->multi, x->easy);
	exchange_set_timer(x);
	curl_loop_go(x->cl);
}

void
exchange_hold(struct exchange *x, bool held)
{
	x->held = held;
	if (!held)
		curl_loop_ready(x->cl, x);
}

/* ---- facts ---- */

struct exchange_head
exchange_head(const struct exchange *x)
{
	return (struct exchange_head){
		.status = x->has_head ? x->status : 0,
		.status_text = x->status_text,
		.headers = buf_text(&x->head),
		.sent = buf_text(&x->sent),
	};
}

char *
header_find(const char *headers, const char *name, size_t nth)
{
	size_t len = strlen(name);

	for (const char *line = headers; *line;) {
		const char *end = strchr(line, '\n');
		size_t size = end ? (size_t)(end - line) : strlen(line);
		if (size > len && line[len] == ':' && strncasecmp(line, name, len) == 0 &&
		    nth-- == 0) {
			const char *value = line + len + 1;
			value += strspn(value, " \t");
			return mem_strndup(value, (size_t)(line + size - value));
		}
		line += size + (end ? 1 : 0);
	}
	return NULL;
}

void
header_lines_add(
    struct buf *out, const char *mark, const char *head, header_line_fn *add, const void *user)
{
	while (*head) {
		size_t len = strcspn(head, "\r\n"), start = out->len;
		if (len > 0) {
			buf_addf(out, "\n%s", mark);
			if (!add || !add(out, user, head, len))
				secret_hide_header(out, head, len);
		}
		for (size_t i = start + 1; i < out->len; i++)
			if ((unsigned char)out->data[i] < ' ')
				out->data[i] = ' ';
		head += len + strspn(head + len, "\r\n");
	}
}

char *
exchange_header(const struct exchange *x, const char *name, size_t nth)
{
	return header_find(buf_text(&x->head), name, nth);
}

/* Seconds or a date (RFC 9110, 10.2.3). */
int64_t
exchange_retry_after_s(const struct exchange *x)
{
	char *value = exchange_header(x, "Retry-After", 0);
	int64_t now = time(NULL);

	if (!value)
		return -1;
	value[strcspn(value, "\r")] = '\0';
	int64_t seconds = strtoll(value, NULL, 10); /* of too many digits: the most there is */
	if (!*value || value[strspn(value, "0123456789")]) {
		int64_t at = x->cl->api.getdate(value, NULL);
		seconds = at < 0 ? -1 : at > now ? at - now : 0;
	}
	free(value);
	return seconds;
}
