/* SPDX-License-Identifier: MIT */
/* Any bytes in any pieces: events, id and retry come out as if they had come in one piece. */
#include "fuzz.h"

#include "mcp/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tally {
	size_t events, bytes, dropped, unfinished, hash;
	char id[SSE_MAX_ID];
	int64_t retry_ms;
};

static void
hash(struct tally *t, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		t->hash = t->hash * 31 + (unsigned char)bytes[i];
}

static void
on_event(void *user, struct sse_event event)
{
	struct tally *t = user;

	if (memchr(event.data.bytes->data, '\n', event.data.bytes->len) ||
	    memchr(event.data.bytes->data, '\r', event.data.bytes->len))
		abort();
	t->events++;
	t->bytes += event.data.bytes->len;
	t->dropped += event.data.dropped;
	hash(t, event.data.bytes->data, event.data.bytes->len);
	hash(t, event.type, strlen(event.type));
	blob_unref(event.data.bytes);
}

static void
run(struct tally *t, const char *bytes, size_t len, size_t step, size_t max_data)
{
	struct sse s;

	memset(t, 0, sizeof(*t));
	sse_init(&s, max_data, on_event, t);
	for (size_t at = 0; at < len; at += step)
		sse_feed(&s, bytes + at, len - at < step ? len - at : step);
	t->unfinished = sse_end(&s);
	snprintf(t->id, sizeof(t->id), "%s", s.last_id);
	t->retry_ms = s.retry_ms;
	if (t->events != s.events)
		abort();
	sse_finish(&s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct tally whole, split;

	if (size < 2)
		return 0;
	run(&whole, (const char *)data + 2, size - 2, size, data[0]);
	run(&split, (const char *)data + 2, size - 2, data[1] % 16 + 1, data[0]);
	if (memcmp(&whole, &split, sizeof(whole)) != 0)
		abort();
	return 0;
}
