/* SPDX-License-Identifier: MIT */
/* A short pattern, 256 KB of it: what hides secrets takes minutes if its work grows like the
 * square, and libFuzzer has a time limit. The work itself is counted in tests/linear, by fixed
 * patterns. */
#include "fuzz.h"

#include "base/secret.h"
#include "json/write.h"

#include <string.h>

static void
hide(const char *text, size_t len)
{
	struct buf out = BUF_INIT;

	secret_hide_text(&out, text, len);
	demand(out.len <= 10 * len);
	buf_finish(&out);
}

static void
redact(const char *text, size_t len)
{
	struct buf out = BUF_INIT;
	struct json_writer w;
	bool hidden;

	json_write_init(&w, &out);
	json_write_redacted_text(&w, text, len, 1 << 12, &hidden);
	buf_finish(&out);
}

/* The pattern as the text of a string, and as a JSON value. */
static void
redact_both(const char *text, size_t len)
{
	struct buf json = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &json);
	json_write_array(&w);
	json_write_stringn(&w, text, len);
	json_write_raw(&w, text, len);
	json_write_array_end(&w);
	redact(buf_text(&json), json.len);
	redact(text, len);
	buf_finish(&json);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { LONGEST = 40, BYTES = 256 << 10 };
	struct buf text = BUF_INIT;

	size = size < LONGEST ? size : LONGEST;
	while (size > 0 && text.len < BYTES)
		buf_add(&text, data, size);
	hide(buf_text(&text), text.len);
	redact_both(buf_text(&text), text.len);
	buf_finish(&text);
	return 0;
}
