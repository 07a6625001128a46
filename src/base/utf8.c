/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include "base/buf.h"

#include <string.h>

/* The smallest code point of each sequence length: anything below is an overlong form. */
static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };

static size_t
length_by_lead(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

size_t
utf8_decode(const char *s, size_t len, uint32_t *code_point)
{
	size_t need = len > 0 ? length_by_lead((unsigned char)s[0]) : 0;

	if (need == 0 || need > len)
		return 0;
	uint32_t cp = (unsigned char)s[0];
	if (need > 1)
		cp &= 0x7fu >> need;
	for (size_t i = 1; i < need; i++) {
		unsigned char c = (unsigned char)s[i];
		if ((c & 0xc0) != 0x80)
			return 0;
		cp = cp << 6 | (c & 0x3f);
	}
	if (cp < smallest[need] || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		return 0;
	*code_point = cp;
	return need;
}

size_t
utf8_encode(uint32_t cp, char out[4])
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = 0xfffd;
	size_t len = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (size_t i = len; i-- > 1; cp >>= 6)
		out[i] = (char)(0x80 | (cp & 0x3f));
	out[0] = (char)(lead[len] | cp);
	return len;
}

size_t
utf8_first_invalid(const char *s, size_t len)
{
	size_t at = 0;

	while (at < len) {
		uint32_t cp;
		size_t used = (unsigned char)s[at] < 0x80 ? 1 : utf8_decode(s + at, len - at, &cp);
		if (used == 0)
			break;
		at += used;
	}
	return at;
}

size_t
utf8_invalid_length(const char *s, size_t len)
{
	const unsigned char *b = (const unsigned char *)s;

	if (len >= 2 && b[0] == 0xc0 && b[1] == 0x80)
		return 2;
	bool surrogate =
	    len >= 3 && b[0] == 0xed && b[1] >= 0xa0 && b[1] <= 0xbf && (b[2] & 0xc0) == 0x80;
	return surrogate ? 3 : 1;
}

/* The length of that start. */
static size_t
cut(const char *s, size_t len, size_t max)
{
	size_t end = max;

	if (len <= max)
		return len;
	while (end > 0 && max - end < 4 && ((unsigned char)s[end] & 0xc0) == 0x80)
		end--;
	return max - end < 4 ? end : max; /* a row of bytes 10xxxxxx is not a character */
}

void
utf8_add_cut(struct buf *out, const char *s, size_t len, size_t max)
{
	size_t kept = cut(s, len, max);

	buf_add(out, s, kept);
	buf_add_str(out, kept < len ? "…" : "");
}

void
utf8_copy(char *out, size_t size, const char *text)
{
	size_t len = cut(text, strnlen(text, size), size - 1);

	memcpy(out, text, len);
	out[len] = '\0';
}

void
utf8_add_valid(struct buf *out, const char *s, size_t len)
{
	for (;;) {
		size_t valid = utf8_first_invalid(s, len);
		buf_add(out, s, valid);
		if (valid == len)
			return;
		buf_add_str(out, "\xef\xbf\xbd");
		size_t used = valid + utf8_invalid_length(s + valid, len - valid);
		s += used;
		len -= used;
	}
}
