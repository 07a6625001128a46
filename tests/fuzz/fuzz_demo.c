/* SPDX-License-Identifier: MIT */
/* Any bytes to the demo server: it survives, and every line it writes is JSON. */
#include "fuzz.h"

#include "base/buf.h"
#include "demo/demo.h"
#include "json/doc.h"

#include <stdlib.h>
#include <string.h>

/* Enough for anything but a very long table. */
#define STEPS_MAX 300

static void
check_lines(const struct buf *out)
{
	const char *at = buf_text(out), *end;

	while ((end = strchr(at, '\n'))) {
		struct json_doc *doc = json_parse(at, (size_t)(end - at), NULL, NULL);
		if (!doc)
			abort();
		json_doc_destroy(doc);
		at = end + 1;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct demo_output out = { 0 };
	struct demo *d = demo_create(&out);
	int64_t now_ms = 0;
	size_t steps = 0;

	demo_on_bytes(d, (const char *)data, size);
	demo_on_bytes(d, "\n", 1);
	do {
		while (steps < STEPS_MAX && demo_work(d, now_ms))
			steps++;
		now_ms = demo_next_time(d);
	} while (steps < STEPS_MAX && out.crash == DEMO_ALIVE && now_ms != INT64_MAX);
	check_lines(&out.bytes);
	demo_destroy(d);
	buf_finish(&out.bytes);
	return 0;
}
