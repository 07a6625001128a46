#ifndef JSON_PLAIN_PRIV_H
#define JSON_PLAIN_PRIV_H

#include <stdint.h>
#include <string.h>

#define EACH_BYTE(c) (UINT64_C(0x0101010101010101) * (c))

/* The first byte of a string that is a quote, a backslash, a control character or not ASCII. */
static inline const char *
skip_plain(const char *at, const char *end)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	while (end - at >= 8) {
		uint64_t w;
		memcpy(&w, at, sizeof(w));
		uint64_t quote = w ^ EACH_BYTE('"'), backslash = w ^ EACH_BYTE('\\');
		/* The lowest bit that is set is right; a borrow can only spoil those above it. */
		uint64_t hit = ((quote - EACH_BYTE(1)) & ~quote) |
			       ((backslash - EACH_BYTE(1)) & ~backslash) |
			       ((w - EACH_BYTE(0x20)) & ~w) | w;
		hit &= EACH_BYTE(0x80);
		if (hit)
			return at + (__builtin_ctzll(hit) >> 3);
		at += 8;
	}
#endif
	while (at < end && *at != '"' && *at != '\\' && (unsigned char)*at >= 0x20 &&
	       (unsigned char)*at < 0x80)
		at++;
	return at;
}

#endif
