#include "http_post_priv.h"

#include <stdarg.h>
#include <stdio.h>

/* What the transport's owner is told, and may ask. */

#define MAX_BODY_NOTE ((size_t)64 * 1024)

bool
http_is_mute(const struct http *h)
{
	return h->destroyed || h->closed;
}

void
http_tell_line(struct http *h, struct frame_line line)
{
	if (http_is_mute(h))
		blob_unref(line.bytes);
	else
		h->events.on_line(h->user, line);
}

void
http_tell_lost(struct http *h, const struct lost *lost)
{
	if (!http_is_mute(h))
		h->events.on_lost(h->user, lost);
}

void
http_tell_reach(struct http *h, const char *trouble)
{
	bool was_unreached = h->unreached;

	h->unreached = trouble != NULL;
	if ((h->unreached || was_unreached) && h->events.on_reach && !http_is_mute(h))
		h->events.on_reach(h->user, trouble);
}

void
http_tell_note(struct http *h, const char *text)
{
	if (!h->destroyed && !h->told_closed)
		h->events.on_note(h->user, text);
}

static void
tell_line(struct http *h, char *text)
{
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < ' ')
			*p = ' ';
	http_tell_note(h, text);
}

void
http_note(struct http *h, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	tell_line(h, text);
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
	tell_line(h, text.data);
	buf_finish(&text);
}

/* ---- what a request waits for ---- */

static void
describe_post(const struct post *p, char *out, size_t size)
{
	static const char *const states[] = {
		[POST_WAITING] = "its turn to be sent",
		[POST_SENT] = "what was sent before it",
		[POST_PARKED] = "authorization",
		[POST_LATER] = "the time when the server asked to come again",
		[POST_RESUMING] = "the time to resume its stream",
	};

	if (p->exchange)
		exchange_describe_wait(p->exchange, out, size);
	else
		snprintf(out, size, "%s", states[p->state]);
}

/* The server took the message; the answer comes on the one stream. */
static void
describe_stream(const struct http *h, char *out, size_t size)
{
	char wait[96];

	exchange_describe_wait(h->stream.exchange, wait, sizeof(wait));
	snprintf(out, size, "%s: %s",
	    h->endpoint ? "event stream" : "event that names the endpoint", wait);
}

bool
http_describe_wait(const struct http *h, uint64_t id, char *out, size_t size)
{
	const struct post *p = NULL;

	for (size_t i = 0; i < h->posts.len && !p; i++)
		if (h->posts.items[i]->id == id)
			p = h->posts.items[i];
	if (h->kind == HTTP_EVENTS && h->stream.exchange && (!p || !h->endpoint))
		describe_stream(h, out, size);
	else if (p)
		describe_post(p, out, size);
	else
		return false;
	return true;
}
