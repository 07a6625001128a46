/* SPDX-License-Identifier: MIT */
/* A text without its secrets, parsed as a whole and in pieces of a few bytes: the same. */
#include "fuzz.h"

#include "json/write.h"

#include <string.h>

static bool
redact(const char *text, size_t len, size_t piece, struct buf *out, bool *hidden)
{
	struct json_writer w;

	buf_clear(out);
	json_write_init(&w, out);
	return json_write_redacted_text(&w, text, len, piece, hidden);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf whole = BUF_INIT, pieces = BUF_INIT;
	const char *text = (const char *)data;
	bool in_whole, in_pieces;

	bool ok = redact(text, size, SIZE_MAX, &whole, &in_whole);
	for (size_t piece = 0; piece < 32; piece = piece * 2 + 1) {
		bool also = redact(text, size, piece, &pieces, &in_pieces);
		demand(!ok || also);
		demand(!ok || in_whole == in_pieces);
		demand(!ok || (whole.len == pieces.len &&
				  memcmp(buf_text(&whole), buf_text(&pieces), whole.len) == 0));
		/* only the bound of the depth is that of each piece */
		demand(ok || !also || memchr(text, '[', size) || memchr(text, '{', size));
	}
	buf_finish(&whole);
	buf_finish(&pieces);
	return 0;
}
