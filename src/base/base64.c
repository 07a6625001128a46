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
