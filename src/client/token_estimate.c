/* SPDX-License-Identifier: MIT */
#include "client/lens.h"

#include <string.h>

/*
 * Tokenizers cut a text into words, digits, signs and blanks before they look into their
 * vocabulary, so the costs of such pieces, in hundredths of a token, come near the real number.
 * They were fitted to o200k_base and cl100k_base with tests/bench/tokens.mjs.
 */
enum { BLANK, LETTERS, DIGITS, SIGNS, CYRILLIC, OTHER };

#define PER_TOKEN 100

/* The kind of each byte, in a table because a branch per byte would cost more than all else. */
static const char kinds[257] = "\3\3\3\3\3\3\3\3\3\0\0\3\3\0\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3"
			       "\0\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3\2\2\2\2\2\2\2\2\2\2\3\3\3\3\3\3"
			       "\3\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\3\3\3\3\3"
			       "\3\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\3\3\3\3\3"
			       "\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5"
			       "\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5"
			       "\5\5\5\5\5\5\5\5\5\5\5\5\5\4\4\4\4\4\4\4\4\4\4\4\4\4\4\4\5\5\5\5"
			       "\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5\5";

static bool
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* A run of letters falls into words: "createdAt", "HTTPServer". */
static size_t
word_len(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && is_upper(text[n]))
		n++;
	if (n > 1)
		return n < len ? n - 1 : n;
	while (n < len && !is_upper(text[n]))
		n++;
	return n;
}

static size_t
cost_of_letters(const char *text, size_t len)
{
	size_t cost = 0;

	for (size_t i = 0, n; i < len; i += n) {
		n = word_len(text + i, len - i);
		if (is_upper(text[i + n - 1]))
			cost += n == 1 ? 187 : n < 4 ? 166 : 41 * n;
		else
			cost += n < 6 ? 100 : n < 9 ? 93 : n < 12 ? 125 : 209 + (n - 12) * 16;
	}
	return cost;
}

/* A blank belongs to the next word, and the end of a line to the sign before it. */
static size_t
cost_of_blanks(const char *text, size_t len, int before, int behind)
{
	size_t line = len, cost;

	while (line > 0 && text[line - 1] != '\n' && text[line - 1] != '\r')
		line--;
	cost = line == 0 ? 0 : before == SIGNS ? 32 : 125;
	if (len - line > 1)
		return cost + 97;
	return len > line && behind == DIGITS ? cost + 121 : cost;
}

static size_t
cost_of_signs(const char *text, size_t len, int before, int behind)
{
	size_t same = 1;

	if (len == 1)
		return before != BLANK && behind == LETTERS ? 25 : 82;
	if (len < 4)
		return len == 2 ? 101 : 117;
	while (same < len && text[same] == text[0])
		same++;
	return same == len ? 101 * (1 + len / 16) : 30 * len;
}

/* By the first byte of a character. */
static size_t
cost_of_character(unsigned char c)
{
	if (c < 0xc0)
		return 0; /* in a character */
	if (c < 0xcd)
		return 107; /* Latin with marks */
	if (c == 0xe0)
		return 95; /* Indic, Thai */
	if (c >= 0xe3 && c <= 0xe9)
		return 73; /* Chinese, Japanese */
	if (c >= 0xea && c <= 0xed)
		return 88; /* Korean */
	return c < 0xf0 ? 204 : 182;
}

static size_t
cost_of_others(const char *text, size_t len, bool cyrillic)
{
	size_t cost = cyrillic ? 70 : 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		cost += !cyrillic ? cost_of_character(c) : c >= 0xc0 ? 29 : 0;
	}
	return cost;
}

size_t
tokens_estimate(const char *text, size_t len)
{
	char before = BLANK, behind;
	size_t cost = 0;

	for (size_t i = 0, end; i < len; i = end) {
		char kind = kinds[(unsigned char)text[i]];
		const char *run = text + i;
		/* the bytes within a character belong to its kind */
		bool wide = kind == CYRILLIC || kind == OTHER;
		for (end = i + 1; end < len; end++) {
			unsigned char c = (unsigned char)text[end];
			if (kinds[c] != kind && !(wide && c >= 0x80 && c < 0xc0))
				break;
		}
		behind = end < len ? kinds[(unsigned char)text[end]] : BLANK;
		if (kind == LETTERS)
			cost += cost_of_letters(run, end - i);
		else if (kind == DIGITS)
			cost += (end - i + 2) / 3 * 105;
		else if (kind == SIGNS)
			cost += cost_of_signs(run, end - i, before, behind);
		else if (kind == BLANK)
			cost += cost_of_blanks(run, end - i, before, behind);
		else
			cost += cost_of_others(run, end - i, kind == CYRILLIC);
		before = kind;
	}
	return len > 0 && cost < PER_TOKEN ? 1 : (cost + PER_TOKEN / 2) / PER_TOKEN;
}

size_t
tokens_estimate_soon(const char *text, size_t len)
{
	enum { LOOKED_AT = 64 << 10 };
	size_t part = len < LOOKED_AT ? len : LOOKED_AT;
	size_t tokens = tokens_estimate(text, part);

	return part < len ? (size_t)((double)tokens * (double)len / (double)part) : tokens;
}
