/* SPDX-License-Identifier: MIT */
/* The bytes of both pipes of a server into lines of a recording: each can be read, and with their
 * secrets they are the bytes that came, but for blank lines. */
#include "fuzz.h"

#include "mcp/recording.h"

#include <string.h>

struct world {
	struct buf heard[2]; /* by direction */
	size_t lines;
};

static void
on_line(void *user, const char *text, size_t len)
{
	struct world *w = user;
	struct recording_entry e;
	struct buf bytes = BUF_INIT;

	demand(len > 1 && text[len - 1] == '\n' && !memchr(text, '\n', len - 1));
	demand(recording_read(text, len - 1, &e, &bytes, NULL));
	demand(e.kind == RECORDING_SENT || e.kind == RECORDING_RECEIVED);
	struct buf *heard = &w->heard[e.kind == RECORDING_RECEIVED];
	buf_add(heard, e.bytes, e.len);
	if (!e.unterminated)
		buf_add_char(heard, '\n');
	w->lines++;
	buf_finish(&bytes);
}

static bool
is_blank(const char *line, size_t len)
{
	return len == 0 || (len == 1 && *line == '\r');
}

/* Each stream without its blank lines. */
static void
add_expected(struct buf *out, const struct buf *in)
{
	for (const char *at = buf_text(in), *end = at + in->len, *stop; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		stop = stop ? stop : end;
		if (is_blank(at, (size_t)(stop - at)))
			continue;
		buf_add(out, at, (size_t)(stop - at));
		if (stop < end)
			buf_add_char(out, '\n');
	}
}

/* The first byte of a piece says how long it is and whose. */
static void
record(struct world *w, const uint8_t *data, size_t size, bool with_secrets, struct buf *in)
{
	struct recording_writer writer = {
		.on_line = on_line, .user = w, .with_secrets = with_secrets
	};

	recording_writer_init(&writer);
	while (size > 1) {
		size_t len = *data >> 1 < size - 1 ? *data >> 1 : size - 1;
		bool received = *data & 1;
		if (len > 0)
			recording_writer_feed(&writer,
			    received ? RECORDING_RECEIVED : RECORDING_SENT, (const char *)data + 1,
			    len, 1785240221000000);
		buf_add(&in[received], data + 1, len);
		data += len + 1;
		size -= len + 1;
	}
	recording_writer_finish(&writer, 1785240221000000);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int with_secrets = 0; with_secrets < 2; with_secrets++) {
		struct world w = { .lines = 0 };
		struct buf in[2] = { BUF_INIT, BUF_INIT }, expected = BUF_INIT;
		record(&w, data, size, with_secrets, in);
		for (int i = 0; i < 2; i++) {
			buf_clear(&expected);
			add_expected(&expected, &in[i]);
			demand(!with_secrets || (expected.len == w.heard[i].len &&
						    memcmp(buf_text(&expected),
							buf_text(&w.heard[i]), expected.len) == 0));
			buf_finish(&in[i]);
			buf_finish(&w.heard[i]);
		}
		buf_finish(&expected);
	}
	return 0;
}
