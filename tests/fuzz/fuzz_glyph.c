/* SPDX-License-Identifier: MIT */
/* For any bytes the output is harmless, has the reported width, and the loop advances. */
#include "fuzz.h"

#include "base/buf.h"
#include "base/glyph.h"
#include "base/utf8.h"

#include <locale.h>
#include <wchar.h>

static void
check_glyph(const struct glyph *g)
{
	demand(g->width == 1 || g->width == 2);
	demand(wcwidth((wchar_t)g->ch) == g->width);
	demand(g->ch >= 0x20 && (g->ch < 0x7f || g->ch > 0x9f));
	demand(g->kind <= GLYPH_HIDDEN);
	for (int i = 0; i < 2; i++)
		demand(g->marks[i] == 0 || wcwidth((wchar_t)g->marks[i]) == 0);
	demand(g->marks[0] != 0 || g->marks[1] == 0);
}

/* Is this one line without anything a terminal would obey? */
static void
check_safe(const char *text, size_t len, bool lines)
{
	for (size_t at = 0; at < len;) {
		uint32_t cp;
		size_t used = utf8_decode(text + at, len - at, &cp);
		demand(used > 0);
		demand(cp >= 0x20 || (lines && (cp == '\n' || cp == '\t')));
		demand(cp < 0x7f || cp > 0x9f);
		demand(cp < 0x2028 || cp > 0x202e);
		demand(cp < 0x2060 || cp > 0x206f);
		demand(cp < 0xe0000 || cp > 0xe0fff);
		at += used;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool ready;
	const char *text = (const char *)data;
	struct buf out = BUF_INIT, again = BUF_INIT;
	size_t sum = 0;

	if (!ready)
		ready = setlocale(LC_CTYPE, "C.UTF-8") != NULL;
	demand(ready);
	for (size_t at = 0; at < size;) {
		struct glyph g;
		size_t used = glyph_next(text + at, size - at, &g);
		demand(used > 0 && used <= size - at);
		check_glyph(&g);
		sum += g.width;
		at += used;
	}
	demand(glyph_columns(text, size) == sum);
	glyph_append_safe(&out, text, size, 0);
	check_safe(buf_text(&out), out.len, false);
	demand(glyph_columns(buf_text(&out), out.len) == sum);
	glyph_append_safe(&again, text, size, 1);
	check_safe(buf_text(&again), again.len, true);
	buf_clear(&again);
	glyph_append_safe(&again, text, size, GLYPH_KEEP_BYTES);
	for (size_t at = 0; at < again.len; at++) {
		unsigned char c = (unsigned char)again.data[at];
		demand(c >= ' ' || c == '\n' || c == '\t' ||
		       (c == '\r' && at + 1 < again.len && again.data[at + 1] == '\n'));
		demand(c != 0x7f);
	}
	buf_finish(&out);
	buf_finish(&again);
	return 0;
}
