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

static size_t
kept_head(const struct frame *f)
{
	return f->max_line < FRAME_KEPT_HEAD ? f->max_line : FRAME_KEPT_HEAD;
}

static void
deliver(struct frame *f, struct blob *bytes, bool unterminated)
{
	struct frame_line line = {
		.bytes = bytes,
		.dropped = f->dropped,
		.unterminated = unterminated,
	};

	f->dropped = 0;
	f->on_line(f->user, line);
}

/* Frees the rest, because a line that is too long may never end. */
static void
cut_to_head(struct frame *f)
{
	struct buf head = BUF_INIT;
	size_t keep = kept_head(f);

	if (f->pending.len <= keep)
		return;
	f->dropped += f->pending.len - keep;
	buf_add(&head, f->pending.data, keep);
	buf_finish(&f->pending);
	f->pending = head;
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
	size_t room = kept_head(f);
	size_t part = room > f->pending.len ? room - f->pending.len : 0;
	if (part > len)
		part = len;
	f->dropped = len - part;
	buf_add(&f->pending, bytes, part);
	cut_to_head(f);
}

/* A \r alone is an empty line ended by CR LF. */
static bool
is_empty(const char *bytes, size_t len)
{
	return len == 0 || (len == 1 && bytes[0] == '\r');
}

static void
end_line(struct frame *f, bool unterminated)
{
	if (f->dropped == 0 && is_empty(f->pending.data, f->pending.len))
		buf_clear(&f->pending);
	else
		deliver(f, blob_take_buf(&f->pending), unterminated);
}

/* A line that was read in one piece bypasses the buffer. */
static void
add_whole_line(struct frame *f, const char *bytes, size_t len)
{
	if (!is_empty(bytes, len))
		deliver(f, blob_from_bytes(bytes, len), false);
}

void
frame_feed(struct frame *f, const char *bytes, size_t len)
{
	while (len > 0) {
		const char *end = memchr(bytes, '\n', len);
		size_t part = end ? (size_t)(end - bytes) : len;

		if (end && f->pending.len == 0 && f->dropped == 0 && part <= f->max_line) {
			add_whole_line(f, bytes, part);
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
find(const char *from, const char *end, char c)
{
	const char *found = memchr(from, c, (size_t)(end - from));

	return found ? found : end;
}

void
frame_feed_body(struct frame *f, const char *bytes, size_t len)
{
	const char *end = bytes + len, *lf = find(bytes, end, '\n');

	while (bytes < end) {
		const char *part = find(bytes, lf, '\r');
		frame_feed(f, bytes, (size_t)(part - bytes));
		if (part == end)
			return;
		frame_feed(f, " ", 1);
		bytes = part + 1;
		if (part == lf)
			lf = find(bytes, end, '\n');
	}
}
