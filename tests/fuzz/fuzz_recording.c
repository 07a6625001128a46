/* SPDX-License-Identifier: MIT */
/* A file with anything in it as a recording: every line is refused, or it is read, written and read
 * alike, and a server is made of it that its own client talks to. */
#include "fuzz.h"

#include "mcp/replay.h"

#include <string.h>

struct world {
	const uint8_t *data;
	struct replay *replay;
	uint64_t next; /* no line begins before it */
	int64_t now_us;
	size_t sent;
};

static void
on_send(void *user, const char *line, size_t len)
{
	((struct world *)user)->sent += len;
}

static void
on_tell(void *user, const char *text)
{
	demand(text[0] && !strchr(text, '\n'));
}

static bool
on_load(void *user, uint64_t offset, size_t len, struct buf *out)
{
	return buf_add(out, ((struct world *)user)->data + offset, len);
}

static void
on_exit_code(void *user, int exit_code, int signal_number)
{
	demand(exit_code >= -1 && exit_code <= 255 && signal_number >= 0 && signal_number <= 64);
}

static void
check_line(const char *line, size_t len)
{
	struct recording_entry e, again;
	struct buf bytes = BUF_INIT, text = BUF_INIT, read = BUF_INIT;

	if (recording_read(line, len, &e, &bytes, NULL) && e.kind != RECORDING_HEADING) {
		e.wall_us = e.wall_us < 0 ? 0 : e.wall_us;
		recording_add(&text, &e, true);
		demand(recording_read(text.data, text.len - 1, &again, &read, NULL));
		demand(again.kind == e.kind && again.wall_us == e.wall_us);
		demand(again.exchange == e.exchange);
		demand(e.kind == RECORDING_CLOSED ||
		       (again.len == e.len && memcmp(again.bytes, e.bytes, e.len) == 0));
		buf_clear(&text);
		recording_add(&text, &e, false);
		demand(recording_read(text.data, text.len - 1, &again, &read, NULL));
	}
	buf_finish(&bytes);
	buf_finish(&text);
	buf_finish(&read);
}

static void
add_line(void *user, const char *text, size_t len, uint64_t offset)
{
	struct world *w = user;

	demand(offset >= w->next);
	w->next = offset + len;
	if (!text)
		return;
	check_line(text, len);
	replay_add(w->replay, text, len, offset, NULL);
}

static void
say_line(void *user, const char *text, size_t len, uint64_t offset)
{
	struct world *w = user;
	struct recording_entry e;
	struct buf bytes = BUF_INIT;

	if (text && recording_read(text, len, &e, &bytes, NULL) && e.kind == RECORDING_SENT)
		replay_on_line(w->replay, e.bytes, e.len, w->now_us++);
	buf_finish(&bytes);
}

static void
feed(struct world *w, size_t size, void (*fn)(void *, const char *, size_t, uint64_t))
{
	struct recording_lines lines = { .on_line = fn, .user = w, .max_line = 64 << 10 };
	size_t half = size / 2;

	recording_feed(&lines, (const char *)w->data, half);
	recording_feed(&lines, (const char *)w->data + half, size - half);
	recording_feed_end(&lines);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct replay_events events = {
		.on_send = on_send,
		.on_stderr = on_send,
		.load = on_load,
		.tell = on_tell,
		.on_exit = on_exit_code,
	};
	const struct replay_options options = { .strict = size & 1, .speed = (double)(size & 2) };
	struct world w = { .data = data };

	w.replay = replay_create(&options, &events, &w);
	feed(&w, size, add_line);
	replay_start(w.replay, w.now_us);
	feed(&w, size, say_line);
	replay_on_time(w.replay, INT64_MAX - 1);
	replay_on_closed(w.replay, INT64_MAX - 1);
	demand(replay_next_time(w.replay) == INT64_MAX);
	replay_destroy(w.replay);
	return 0;
}
