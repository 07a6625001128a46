#include "auth/url.h"

#include "base/hex.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void
auth_form_add_encoded(struct buf *out, const char *text)
{
	static const char digits[] = "0123456789ABCDEF";

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			     (c >= '0' && c <= '9') || strchr("-._~", c);
		if (plain) {
			buf_add_char(out, (char)c);
		} else {
			buf_add_char(out, '%');
			buf_add_char(out, digits[c >> 4]);
			buf_add_char(out, digits[c & 15]);
		}
	}
}

void
auth_form_add(struct buf *out, const char *name, const char *value)
{
	if (!value)
		return;
	if (out->len > 0)
		buf_add_char(out, '&');
	auth_form_add_encoded(out, name);
	buf_add_char(out, '=');
	auth_form_add_encoded(out, value);
}

/* NULL: it holds a NUL, which would cut it short. */
static char *
decode(const char *text, size_t len)
{
	char *out = mem_alloc(len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		int byte = text[i] == '%' && i + 2 < len ? hex_number(text + i + 1, 2) : -1;
		if (byte >= 0) {
			out[n++] = (char)byte;
			i += 2;
		} else {
			out[n++] = text[i] == '+' ? ' ' : text[i];
		}
		if (out[n - 1] == '\0') {
			free(out);
			return NULL;
		}
	}
	out[n] = '\0';
	return out;
}

char *
auth_form_get(const char *form, size_t len, const char *name, size_t *count)
{
	char *value = NULL;
	size_t found = 0;

	for (size_t at = 0; at < len;) {
		const char *member = form + at;
		const char *end = memchr(member, '&', len - at);
		size_t member_len = end ? (size_t)(end - member) : len - at;
		const char *equals = memchr(member, '=', member_len);
		size_t name_len = equals ? (size_t)(equals - member) : member_len;
		char *decoded = decode(member, name_len);
		if (decoded && strcmp(decoded, name) == 0 && found++ == 0)
			value =
			    equals ? decode(equals + 1, member_len - name_len - 1) : mem_strdup("");
		free(decoded);
		at += member_len + 1;
	}
	if (count)
		*count = found;
	return value;
}
