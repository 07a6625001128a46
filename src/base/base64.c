/* SPDX-License-Identifier: MIT */
#include "base/base64.h"

static const char *const alphabets[] = {
	[BASE64_PLAIN] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
	[BASE64_URL] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
};

void
base64_add(struct buf *out, const void *bytes, size_t len, enum base64_kind kind)
{
	const unsigned char *at = bytes;
	const char *alphabet = alphabets[kind];

	for (size_t i = 0; i < len; i += 3) {
		size_t left = len - i < 3 ? len - i : 3;
		unsigned group = (unsigned)at[i] << 16;
		if (left > 1)
			group |= (unsigned)at[i + 1] << 8;
		if (left > 2)
			group |= at[i + 2];
		for (size_t digit = 0; digit <= left; digit++)
			buf_add_char(out, alphabet[group >> (18 - 6 * digit) & 63]);
		for (size_t pad = left; kind == BASE64_PLAIN && pad < 3; pad++)
			buf_add_char(out, '=');
	}
}

static int
digit_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool
base64_decode(struct buf *out, const char *text, size_t len)
{
	if (len % 4 != 0)
		return false;
	for (size_t i = 0; i < len; i += 4) {
		size_t digits = 4;
		unsigned group = 0;
		while (i + 4 == len && digits > 2 && text[i + digits - 1] == '=')
			digits--;
		for (size_t k = 0; k < 4; k++) {
			int value = k < digits ? digit_value(text[i + k]) : 0;
			if (value < 0)
				return false;
			group = group << 6 | (unsigned)value;
		}
		for (size_t k = 0; k + 1 < digits; k++)
			buf_add_char(out, (char)(group >> (16 - 8 * k) & 255));
	}
	return true;
}
