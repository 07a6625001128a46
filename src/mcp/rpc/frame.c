/* SPDX-License-Identifier: MIT */
#include "mcp/frame.h"

#include <string.h>

void
frame_init(struct frame *f, size_t max_line, frame_line_fn *on_line, void *user)
{
	*f = (struct frame){ .max_line = max_line, .on_line = on_line, .user = user };
}

void
frame_finish(struct frame *f)
{
	buf_finish(&f->pending);
	f->dropped = 0;
}

static void
deliver_line(struct frame *f, struct blob *bytes, bool unterminated)
{
	struct frame_line line = {
		.bytes = bytes,
		.dropped = f->dropped,
		.unterminated = unterminated,
	};

	f->dropped = 0;
	f->on_line(f->user, line);
}

static void
add_part(struct frame *f, const char *bytes, size_t len)
{
	if (f->dropped > 0) {
		f->dropped += len;
		return;
	}
	if (len <= f->max_line - f->pending.len) {
		buf_add(&f->pending, bytes, len);
		return;
	}
	size_t keep = f->max_line < FRAME_KEPT_HEAD ? f->max_line : FRAME_KEPT_HEAD;
	size_t part = keep > f->pending.len ? keep - f->pending.len : 0;
	if (part > len)
		part = len;
	f->dropped = len - part;
	buf_add(&f->pending, bytes, part);
	/* Frees the rest, because a line that is too long may never end. */
	struct buf head = BUF_INIT;
	if (f->pending.len <= keep)
		return;
	f->dropped += f->pending.len - keep;
	buf_add(&head, f->pending.data, keep);
	buf_finish(&f->pending);
	f->pending = head;
}

/* A \r alone is an empty line ended by CR LF. */
static bool
is_empty_line(const char *bytes, size_t len)
{
	return len == 0 || (len == 1 && bytes[0] == '\r');
}

static void
end_line(struct frame *f, bool unterminated)
{
	if (f->dropped == 0 && is_empty_line(f->pending.data, f->pending.len))
		buf_clear(&f->pending);
	else
		deliver_line(f, blob_take_buf(&f->pending), unterminated);
}

void
frame_feed(struct frame *f, const char *bytes, size_t len)
{
	while (len > 0) {
		const char *end = memchr(bytes, '\n', len);
		size_t part = end ? (size_t)(end - bytes) : len;
		if (end && f->pending.len == 0 && f->dropped == 0 && part <= f->max_line) {
			/* A line that was read in one piece bypasses the buffer. */
			if (!is_empty_line(bytes, part))
				deliver_line(f, blob_from_bytes(bytes, part), false);
		} else {
			add_part(f, bytes, part);
			if (end)
				end_line(f, false);
		}
		if (end)
			part++;
		bytes += part;
		len -= part;
	}
}

void
frame_end(struct frame *f)
{
	end_line(f, true);
}

static const char *
find_byte(const char *from, const char *end, char c)
{
	const char *found = memchr(from, c, (size_t)(end - from));

	return found ? found : end;
}

void
frame_feed_body(struct frame *f, const char *bytes, size_t len)
{
	const char *end = bytes + len, *lf = find_byte(bytes, end, '\n');

	while (bytes < end) {
		const char *part = find_byte(bytes, lf, '\r');
		frame_feed(f, bytes, (size_t)(part - bytes));
		if (part == end)
			return;
		frame_feed(f, " ", 1);
		bytes = part + 1;
		if (part == lf)
			lf = find_byte(bytes, end, '\n');
	}
}

enum part { NAME, BEFORE_VALUE, VALUE };
enum field { UNKNOWN, TYPE, DATA, ID, RETRY, FIELD_COUNT };

static const char *const field_names[FIELD_COUNT] = { "", "event", "data", "id", "retry" };
static const unsigned char byte_order_mark[3] = { 0xef, 0xbb, 0xbf };

static void
on_event_data(void *user, struct frame_line line)
{
	struct sse *s = user;

	s->events++;
	s->on_event(
	    s->user, (struct sse_event){ .type = s->type[0] ? s->type : "message", .data = line });
}

void
sse_init(struct sse *s, size_t max_data, sse_event_fn *on_event, void *user)
{
	*s = (struct sse){ .retry_ms = -1, .on_event = on_event, .user = user };
	frame_init(&s->data, max_data, on_event_data, s);
}

void
sse_finish(struct sse *s)
{
	frame_finish(&s->data);
}

/* ---- the end of a line ---- */

static void
end_retry(struct sse *s)
{
	int64_t ms = 0;

	s->retry[s->value_len < sizeof(s->retry) ? s->value_len : 0] = '\0';
	for (const char *p = s->retry; *p; p++) {
		if (*p < '0' || *p > '9')
			return;
		ms = ms * 10 + (*p - '0');
		ms = ms < SSE_MAX_RETRY_MS ? ms : SSE_MAX_RETRY_MS;
	}
	if (s->retry[0])
		s->retry_ms = ms;
}

static void
begin_value(struct sse *s)
{
	s->field = UNKNOWN;
	for (enum field f = TYPE; f < FIELD_COUNT; f++)
		if (strlen(field_names[f]) == s->name_len &&
		    memcmp(field_names[f], s->name, s->name_len) == 0)
			s->field = (unsigned char)f;
	s->value_len = 0;
	s->id_invalid = false;
	if (s->field == DATA && s->has_data)
		frame_feed(&s->data, " ", 1);
	s->has_data |= s->field == DATA;
}

static void
end_field_line(struct sse *s)
{
	if (s->part == NAME && s->name_len > 0)
		begin_value(s);
	size_t len = s->value_len;
	if (s->part == NAME && s->name_len == 0) {
		memcpy(s->last_id, s->id, sizeof(s->last_id));
		s->ids += s->has_id;
		s->has_id = false;
		frame_feed(&s->data, "\n", 1);
		s->has_data = false;
		s->unfinished = 0;
		s->type[0] = '\0';
	} else if (s->field == TYPE) {
		s->type[len < sizeof(s->type) - 1 ? len : sizeof(s->type) - 1] = '\0';
	} else if (s->field == ID) {
		/* The standard ignores an id with a NUL; one that is too long is ignored as well.
		 */
		if (s->id_invalid || len >= sizeof(s->id))
			memcpy(s->id, s->last_id, sizeof(s->id));
		else
			s->id[len] = '\0';
		s->has_id = true;
	} else if (s->field == RETRY) {
		end_retry(s);
	}
	s->part = NAME;
	s->name_len = 0;
}

/* ---- the bytes of a line ---- */

static void
keep(char *to, size_t size, size_t at, const char *bytes, size_t len)
{
	if (at < size)
		memcpy(to + at, bytes, len < size - at ? len : size - at);
}

static void
add_frame_value(struct sse *s, const char *bytes, size_t len)
{
	switch (s->field) {
	case DATA:
		frame_feed(&s->data, bytes, len);
		s->unfinished += len;
		break;
	case TYPE:
		keep(s->type, sizeof(s->type), s->value_len, bytes, len);
		break;
	case ID:
		s->id_invalid |= memchr(bytes, '\0', len) != NULL;
		keep(s->id, sizeof(s->id), s->value_len, bytes, len);
		break;
	case RETRY:
		keep(s->retry, sizeof(s->retry), s->value_len, bytes, len);
		break;
	}
	s->value_len += len;
}

/* bytes: one line or a part of it, without the line end. */
static void
add_to_line(struct sse *s, const char *bytes, size_t len)
{
	if (s->part == NAME && len > 0) {
		const char *colon = memchr(bytes, ':', len);
		size_t name = colon ? (size_t)(colon - bytes) : len;
		keep(s->name, sizeof(s->name), s->name_len, bytes, name);
		s->name_len += name;
		if (!colon)
			return;
		begin_value(s);
		s->part = BEFORE_VALUE;
		bytes += name + 1;
		len -= name + 1;
	}
	if (s->part == BEFORE_VALUE && len > 0) {
		s->part = VALUE;
		if (*bytes == ' ') {
			bytes++;
			len--;
		}
	}
	if (s->part == VALUE && len > 0)
		add_frame_value(s, bytes, len);
}

/* Skips a complete byte order mark at the start; a part of one belongs to the line. */
static size_t
skip_mark(struct sse *s, const char *bytes, size_t len)
{
	size_t used = 0;

	while (
	    s->mark < 3 && used < len && (unsigned char)bytes[used] == byte_order_mark[s->mark]) {
		s->mark++;
		used++;
	}
	if (s->mark < 3 && used < len) {
		add_to_line(s, (const char *)byte_order_mark, s->mark);
		s->mark = 3;
	}
	return used;
}

void
sse_feed(struct sse *s, const char *bytes, size_t len)
{
	size_t used = s->mark < 3 ? skip_mark(s, bytes, len) : 0;
	const char *first_lf = memchr(bytes, '\n', len);
	size_t lf = first_lf ? (size_t)(first_lf - bytes) : len;

	while (used < len) {
		if (s->after_cr && bytes[used] == '\n')
			used++;
		s->after_cr = false;
		/* The first LF from here on is searched again only after it was passed, so that a
		 * stream of CRs takes linear time. */
		if (lf < used) {
			const char *next_lf = memchr(bytes + used, '\n', len - used);
			lf = next_lf ? (size_t)(next_lf - bytes) : len;
		}
		const char *cr = memchr(bytes + used, '\r', lf - used);
		size_t end = cr ? (size_t)(cr - bytes) : lf;
		add_to_line(s, bytes + used, end - used);
		used = end;
		if (used >= len)
			break;
		s->after_cr = bytes[used++] == '\r';
		end_field_line(s);
	}
}

size_t
sse_end(struct sse *s)
{
	size_t dropped = s->unfinished;

	frame_finish(&s->data);
	memcpy(s->id, s->last_id, sizeof(s->id));
	s->type[0] = '\0';
	s->part = NAME;
	s->name_len = s->value_len = s->unfinished = 0;
	s->mark = 0;
	s->after_cr = s->has_data = s->has_id = false;
	return dropped;
}
