#include "rpc/header_value.h"

#include "base/base64.h"

#include <stdbool.h>
#include <string.h>

#define OPENING "=?base64?"
#define CLOSING "?="

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* What looks encoded has to be, or it would be decoded. */
static bool
looks_encoded(const char *text, size_t len)
{
	return len >= strlen(OPENING CLOSING) && memcmp(text, OPENING, strlen(OPENING)) == 0 &&
	       memcmp(text + len - strlen(CLOSING), CLOSING, strlen(CLOSING)) == 0;
}

static bool
is_plain(const char *text, size_t len)
{
	if (len > 0 && (is_blank(text[0]) || is_blank(text[len - 1])))
		return false;
	for (size_t i = 0; i < len; i++)
		if (text[i] < 0x20 || text[i] > 0x7e)
			return false;
	return !looks_encoded(text, len);
}

void
header_value_add(struct buf *out, const char *text)
{
	size_t len = strlen(text);
	struct buf bytes = BUF_INIT;

	if (is_plain(text, len)) {
		buf_add(out, text, len);
		return;
	}
	for (size_t i = 0; i < len; i++) {
		bool nul = text[i] == '\xc0' && text[i + 1] == '\x80';
		buf_add_char(&bytes, nul ? '\0' : text[i]);
		i += nul;
	}
	buf_add_str(out, OPENING);
	base64_add(out, buf_text(&bytes), bytes.len, BASE64_PLAIN);
	buf_add_str(out, CLOSING);
	buf_finish(&bytes);
}
