/* SPDX-License-Identifier: MIT */
/* Any bytes in any pieces: lines come out as if they had come in one piece, and nothing is lost
 * uncounted. */
#include "fuzz.h"

#include "mcp/frame.h"

#include <stdlib.h>

struct tally {
	size_t lines, bytes, dropped, hash;
};

static void
on_line(void *user, struct frame_line line)
{
	struct tally *t = user;

	t->lines++;
	t->bytes += line.bytes->len;
	t->dropped += line.dropped;
	for (size_t i = 0; i < line.bytes->len; i++)
		t->hash = t->hash * 31 + (unsigned char)line.bytes->data[i];
	blob_unref(line.bytes);
}

static struct tally
run(const char *bytes, size_t len, size_t step, size_t max_line)
{
	struct tally t = { 0 };
	struct frame f;

	frame_init(&f, max_line, on_line, &t);
	for (size_t at = 0; at < len; at += step)
		frame_feed(&f, bytes + at, len - at < step ? len - at : step);
	frame_end(&f);
	frame_finish(&f);
	return t;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	const char *bytes = (const char *)data + 2;
	struct tally whole = run(bytes, size - 2, size, data[0]);
	struct tally split = run(bytes, size - 2, data[1] % 16 + 1, data[0]);
	if (whole.lines != split.lines || whole.bytes != split.bytes ||
	    whole.dropped != split.dropped || whole.hash != split.hash)
		abort();
	return whole.bytes + whole.dropped > size ? abort(), 0 : 0;
}
