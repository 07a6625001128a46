/* SPDX-License-Identifier: MIT */
/* A list of approvals of any bytes approves only servers that have a line in it. */
#include "fuzz.h"

#include "base/buf.h"
#include "host/trust.h"

#include <string.h>

static const char mark[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/* The same question, asked line by line. */
static bool
has_line(const char *text, size_t len)
{
	const char *end = text + len;
	size_t n = strlen(mark);

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline + 1 : end;
		if ((size_t)(stop - text) > n && memcmp(text, mark, n) == 0 &&
		    (text[n] == ' ' || text[n] == '\n'))
			return true;
		text = stop;
	}
	return false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf text = BUF_INIT;

	demand(
	    trust_has_mark((const char *)data, size, mark) == has_line((const char *)data, size));
	buf_add(&text, data, size);
	buf_addf(&text, "\n%s \"f\"\n", mark);
	demand(trust_has_mark(buf_text(&text), text.len, mark));
	buf_finish(&text);
	return 0;
}
