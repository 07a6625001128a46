#include "mcp/recording.h"

#include <string.h>

/* The bytes of streams to lines of a recording, and the bytes of its file to lines. */

/* Of a longer message only the head is recorded. */
#define MESSAGE_MOST ((size_t)128 << 20)
#define STDERR_MOST ((size_t)64 << 10)

static void
take(struct recording_writer *w, enum recording_kind kind, struct frame_line line)
{
	recording_writer_add(w, &(struct recording_entry){ .kind = kind,
				    .wall_us = w->now_us,
				    .bytes = line.bytes->data,
				    .len = line.bytes->len,
				    .dropped = line.dropped,
				    .unterminated = line.unterminated });
	blob_unref(line.bytes);
}

static void
on_sent(void *user, struct frame_line line)
{
	take(user, RECORDING_SENT, line);
}

static void
on_received(void *user, struct frame_line line)
{
	take(user, RECORDING_RECEIVED, line);
}

static void
on_error_line(void *user, struct frame_line line)
{
	take(user, RECORDING_STDERR, line);
}

void
recording_writer_init(struct recording_writer *w)
{
	frame_init(&w->sent, MESSAGE_MOST, on_sent, w);
	frame_init(&w->received, MESSAGE_MOST, on_received, w);
	frame_init(&w->errors, STDERR_MOST, on_error_line, w);
}

void
recording_writer_finish(struct recording_writer *w, int64_t now_us)
{
	w->now_us = now_us;
	frame_end(&w->sent);
	frame_end(&w->received);
	frame_end(&w->errors);
	frame_finish(&w->sent);
	frame_finish(&w->received);
	frame_finish(&w->errors);
	buf_finish(&w->line);
}

void
recording_writer_feed(struct recording_writer *w, enum recording_kind kind, const char *bytes,
    size_t len, int64_t now_us)
{
	struct frame *f = kind == RECORDING_SENT       ? &w->sent
			  : kind == RECORDING_RECEIVED ? &w->received
						       : &w->errors;

	w->now_us = now_us;
	if (len > 0)
		frame_feed(f, bytes, len);
	else
		frame_end(f);
}

void
recording_writer_add(struct recording_writer *w, const struct recording_entry *e)
{
	buf_clear(&w->line);
	recording_add(&w->line, e, w->with_secrets);
	w->on_line(w->user, w->line.data, w->line.len);
}

/* ---- lines of a file ---- */

static void
end_line(struct recording_lines *l, const char *text)
{
	if (l->len > 0)
		l->on_line(l->user, text, (size_t)l->len, l->start);
	buf_clear(&l->pending);
	l->start += l->len;
	l->len = 0;
}

void
recording_feed(struct recording_lines *l, const char *bytes, size_t len)
{
	size_t max = l->max_line ? l->max_line : RECORDING_MAX_LINE;

	while (len > 0) {
		const char *end = memchr(bytes, '\n', len);
		size_t part = end ? (size_t)(end - bytes) : len;
		bool whole = end && l->len == 0 && part <= max;

		l->len += part;
		if (l->len > max)
			buf_finish(&l->pending);
		else if (!whole)
			buf_add(&l->pending, bytes, part);
		if (end) {
			end_line(l, whole ? bytes : l->len > max ? NULL : buf_text(&l->pending));
			l->start++;
			part++;
		}
		bytes += part;
		len -= part;
	}
}

void
recording_feed_end(struct recording_lines *l)
{
	size_t max = l->max_line ? l->max_line : RECORDING_MAX_LINE;

	end_line(l, l->len > max ? NULL : buf_text(&l->pending));
	buf_finish(&l->pending);
}
