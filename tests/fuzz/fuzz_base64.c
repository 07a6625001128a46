/* SPDX-License-Identifier: MIT */
/* Base64: the size is known beforehand, and all bytes come back. */
#include "fuzz.h"

#include "base/base64.h"
#include "mcp/content.h"

#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf bytes = BUF_INIT, text = BUF_INIT;
	size_t expected;
	bool sized = base64_decoded_size((const char *)data, size, &expected);

	if (base64_decode(&bytes, (const char *)data, size)) {
		demand(sized && bytes.len == expected);
		base64_add(&text, buf_text(&bytes), bytes.len, BASE64_PLAIN);
		demand(text.len == size); /* spare bits of the last digit may differ */
	}
	buf_clear(&bytes);
	buf_clear(&text);
	base64_add(&text, data, size, BASE64_PLAIN);
	demand(base64_decode(&bytes, buf_text(&text), text.len) && bytes.len == size);
	demand(memcmp(buf_text(&bytes), data, size) == 0);
	buf_finish(&bytes);
	buf_finish(&text);
	return 0;
}
