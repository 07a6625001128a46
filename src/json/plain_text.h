/* SPDX-License-Identifier: MIT */
#ifndef JSON_PLAIN_TEXT_H
#define JSON_PLAIN_TEXT_H

#include <stdbool.h>
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

/* Past well-formed characters of two and three bytes: text that is not English is made of them. The
 * odd ones, and those of four bytes, are left to utf8_decode(). */
static inline const char *
skip_wide(const char *at, const char *end)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	while (end - at >= 8) {
		uint64_t w, leads;
		memcpy(&w, at, sizeof(w));
		leads = w & UINT64_C(0x001e001e001e001e); /* none is C0 or C1: overlong */
		if ((w & UINT64_C(0xc0e0c0e0c0e0c0e0)) != UINT64_C(0x80c080c080c080c0) ||
		    ((leads + UINT64_C(0x7fff7fff7fff7fff)) & UINT64_C(0x8000800080008000)) !=
			UINT64_C(0x8000800080008000))
			break;
		at += 8;
	}
#endif
	while (end - at >= 3) {
		const unsigned char *s = (const unsigned char *)at;
		unsigned pair = (unsigned)s[0] << 8 | s[1];
		if (s[0] >= 0xc2 && s[0] < 0xe0 && (s[1] & 0xc0) == 0x80)
			at += 2;
		else if ((s[0] & 0xf0) == 0xe0 && (s[1] & 0xc0) == 0x80 && (s[2] & 0xc0) == 0x80 &&
			 pair >= 0xe0a0 && (pair < 0xeda0 || pair >= 0xee80))
			at += 3;
		else
			break;
	}
	return at;
}

/* Past white space (RFC 8259 section 2). */
static inline const char *
skip_space(const char *at, const char *end)
{
	while (at < end && (unsigned char)*at <= ' ' &&
	       (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
		at++;
	return at;
}

/* From the opening quote of a string past the closing one, or to the end. *escapes, if given, is
 * set if there is a backslash. */
static inline const char *
skip_string(const char *at, const char *end, bool *escapes)
{
	for (at = skip_plain(at + 1, end); at < end && *at != '"'; at = skip_plain(at, end)) {
		if (escapes)
			*escapes |= *at == '\\';
		at += *at == '\\' ? 2 : 1;
	}
	return at < end ? at + 1 : end;
}

/* Past the value that begins here, in a text that was parsed before: brackets match. */
static inline const char *
skip_value(const char *at, const char *end)
{
	size_t depth = 0;

	do {
		if (*at == '"') {
			at = skip_string(at, end, NULL);
			continue;
		}
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		at++;
	} while (depth > 0 && at < end);
	while (at < end && (unsigned char)*at > ' ' && *at != ',' && *at != '}' && *at != ']')
		at++;
	return at;
}

/* Characters that a JSON string holds unescaped, or nearly all of them. */
static inline const char *
skip_verbatim(const char *at, const char *end)
{
	for (;;) {
		const char *plain = skip_plain(at, end);
		at = skip_wide(plain, end);
		if (at == plain)
			return at;
	}
}

#endif
