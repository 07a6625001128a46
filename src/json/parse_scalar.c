/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "plain_text.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The bytes between two quotes, looked over but not decoded yet. */
struct span {
	const char *start, *end;
	size_t bad; /* bytes that are not UTF-8; each takes two bytes more when replaced */
	bool verbatim;
};

/* Length of the escape at a backslash; 0: not one. */
static size_t
escape_length(const char *at, const char *end)
{
	if (end - at < 2)
		return 0;
	if (at[1] != 'u')
		return at[1] && strchr("\"\\/bfnrt", at[1]) ? 2 : 0;
	return end - at >= 6 && hex_number(at + 2, 4) >= 0 ? 6 : 0;
}

static bool
fail_escape(struct parser *p, const char *at)
{
	if (p->end - at < 2)
		return parse_fail(p, at, "ends inside a string");
	if (at[1] == 'u')
		return parse_fail(p, at, "\\u needs four hexadecimal digits");
	if (at[1] > 0x20 && at[1] < 0x7f)
		return parse_fail(p, at, "'\\%c' is not an escape", at[1]);
	return parse_fail(p, at, "a backslash that starts no escape");
}

static inline bool
scan(struct parser *p, struct span *span)
{
	const char *at = p->at + 1;

	*span = (struct span){ .start = at, .verbatim = true };
	for (;;) {
		at = skip_verbatim(at, p->end);
		if (at == p->end)
			return parse_fail(p, p->at, "a string without a closing quote");
		unsigned char c = (unsigned char)*at;
		if (c == '"')
			break;
		if (c < 0x20)
			return parse_fail(
			    p, at, "control character 0x%02x in a string; write \\u%04x", c, c);
		uint32_t cp;
		size_t used = c == '\\' ? escape_length(at, p->end)
					: utf8_decode(at, (size_t)(p->end - at), &cp);
		if (c == '\\' && used == 0)
			return fail_escape(p, at);
		if (c == '\\' || used == 0)
			span->verbatim = false;
		span->bad += used == 0;
		at += used ? used : 1;
	}
	span->end = at;
	p->at = at + 1;
	return true;
}

/* Like utf8_encode(), but NUL in two bytes and surrogates in three. */
static size_t
encode_loose(uint32_t cp, char *to)
{
	if (cp != 0 && (cp < 0xd800 || cp > 0xdfff))
		return utf8_encode(cp, to);
	if (cp == 0) {
		memcpy(to, "\xc0\x80", 2);
		return 2;
	}
	to[0] = '\xed';
	to[1] = (char)(0x80 | (cp >> 6 & 0x3f));
	to[2] = (char)(0x80 | (cp & 0x3f));
	return 3;
}

/* at is on the backslash of a \u escape; moves past it, and past its other half. */
static uint32_t
unicode_escape(struct parser *p, const char **at, const char *end)
{
	const char *start = *at;
	uint32_t cp = (uint32_t)hex_number(start + 2, 4);

	*at += 6;
	if (cp == 0)
		parse_note_flaw(p, JSON_FLAW_NUL, start);
	if (cp < 0xd800 || cp > 0xdfff)
		return cp;
	if (cp < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
		uint32_t low = (uint32_t)hex_number(*at + 2, 4);
		if (low >= 0xdc00 && low <= 0xdfff) {
			*at += 6;
			return 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	parse_note_flaw(p, JSON_FLAW_LONE_SURROGATE, start);
	return cp;
}

static char *
decode_escape(struct parser *p, const char **at, const char *end, char *to)
{
	static const char meaning[256] = {
		['"'] = '"',
		['\\'] = '\\',
		['/'] = '/',
		['b'] = '\b',
		['f'] = '\f',
		['n'] = '\n',
		['r'] = '\r',
		['t'] = '\t',
	};
	unsigned char letter = (unsigned char)(*at)[1];

	if (letter == 'u')
		return to + encode_loose(unicode_escape(p, at, end), to);
	*to = meaning[letter];
	*at += 2;
	return to + 1;
}

/* Writes the meaning of a span; room for its length and span.bad * 2 bytes more. */
static size_t
decode(struct parser *p, const struct span *span, char *out)
{
	const char *at = span->start;
	char *to = out;

	while (at < span->end) {
		const char *plain = skip_verbatim(at, span->end);
		memcpy(to, at, (size_t)(plain - at));
		to += plain - at;
		at = plain;
		if (at == span->end)
			break;
		if (*at == '\\') {
			to = decode_escape(p, &at, span->end, to);
			continue;
		}
		uint32_t cp;
		size_t used = utf8_decode(at, (size_t)(span->end - at), &cp);
		if (used == 0) {
			parse_note_flaw(p, JSON_FLAW_INVALID_UTF8, at);
			to += utf8_encode(0xfffd, to);
			at++;
			continue;
		}
		memcpy(to, at, used);
		to += used;
		at += used;
	}
	return (size_t)(to - out);
}

/* The meaning of a span as NUL-terminated bytes of the doc. */
static char *
keep(struct parser *p, const struct span *span, size_t *len)
{
	size_t room = (size_t)(span->end - span->start) + span->bad * 2;
	char *text = arena_bytes(p->arena, room + 1);

	*len = room;
	if (span->verbatim)
		memcpy(text, span->start, room);
	else
		*len = decode(p, span, text);
	text[*len] = '\0';
	p->arena->bytes.at = text + *len + 1;
	return text;
}

char *
parse_string(struct parser *p)
{
	struct span span;
	size_t len;

	return scan(p, &span) ? keep(p, &span, &len) : NULL;
}

struct interned *
parse_key(struct parser *p)
{
	/* Rows have the same keys in the same order. */
	struct interned *guess = p->last_key ? p->last_key->following : NULL;
	size_t len = guess ? guess->len : 0;
	if (guess && (size_t)(p->end - p->at) >= len + 2 && p->at[len + 1] == '"' &&
	    guess->verbatim && memcmp(p->at + 1, guess->text, len) == 0) {
		p->at += len + 2;
		return p->last_key = guess;
	}
	struct span span;
	if (!scan(p, &span))
		return NULL;
	struct interned *key;
	if (span.verbatim) {
		key = intern_key(&p->intern, span.start, (size_t)(span.end - span.start), true);
	} else {
		char *text = keep(p, &span, &len);
		key = intern_key(&p->intern, text, len, false);
	}
	if (p->last_key)
		p->last_key->following = key;
	return p->last_key = key;
}

/* The parts of a number that its conversion needs. */
struct lexeme {
	const char *start, *end;
	uint64_t digits;     /* the first 19 digits as an integer */
	size_t digit_count;  /* leading zeros not counted, but those after "0." */
	size_t fraction_len; /* digits after the point */
	int exponent;        /* the digits after the e, to some limit */
	bool negative, has_exponent;
};

static inline bool
is_digit(const struct parser *p, const char *at)
{
	return at < p->end && *at >= '0' && *at <= '9';
}

static inline const char *
take_digits(const struct parser *p, const char *at, struct lexeme *lexeme)
{
	const char *start = at;

	for (; is_digit(p, at); at++)
		if (lexeme->digit_count + (size_t)(at - start) < 19)
			lexeme->digits = lexeme->digits * 10 + (uint64_t)(*at - '0');
	lexeme->digit_count += (size_t)(at - start);
	return at;
}

static const char *
take_exponent(struct parser *p, const char *at, struct lexeme *lexeme)
{
	int sign = at < p->end && *at == '-' ? -1 : 1;

	if (at < p->end && (*at == '+' || *at == '-'))
		at++;
	if (!is_digit(p, at)) {
		parse_fail(p, at, "expected a digit in the exponent");
		return NULL;
	}
	for (; is_digit(p, at); at++)
		if (lexeme->exponent < 10000)
			lexeme->exponent = lexeme->exponent * 10 + (*at - '0');
	lexeme->exponent *= sign;
	return at;
}

/* RFC 8259, section 6. */
static inline bool
scan_number(struct parser *p, struct lexeme *lexeme)
{
	const char *at = p->at;

	*lexeme = (struct lexeme){ .start = at, .negative = *at == '-' };
	at += lexeme->negative;
	if (!is_digit(p, at))
		return parse_fail(p, at, "expected a digit after '-'");
	if (*at == '0' && is_digit(p, at + 1))
		return parse_fail(p, at, "a number has no leading zeros");
	if (*at == '0')
		at++;
	else
		at = take_digits(p, at, lexeme);
	if (at < p->end && *at == '.') {
		if (!is_digit(p, ++at))
			return parse_fail(p, at, "expected a digit after the decimal point");
		const char *fraction = at;
		at = take_digits(p, at, lexeme);
		lexeme->fraction_len = (size_t)(at - fraction);
	}
	if (at < p->end && (*at == 'e' || *at == 'E')) {
		lexeme->has_exponent = true;
		at = take_exponent(p, at + 1, lexeme);
		if (!at)
			return false;
	}
	lexeme->end = at;
	p->at = at;
	return true;
}

/* Would json_number_text() write the double just like this? 15 digits always survive. */
static inline bool
is_shortest(const struct lexeme *lexeme)
{
	if (lexeme->has_exponent || lexeme->digit_count > 15)
		return false;
	if (lexeme->fraction_len > 0)
		return lexeme->end[-1] != '0';
	return !(lexeme->negative && lexeme->digits == 0);
}

/* The program's locale may have a decimal comma; the C locale costs nothing to ask for. */
static double
convert_slowly(const char *text)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	double value = strtod_l(text, NULL, c);

	freelocale(c);
	return value;
}

/* Powers of ten that a double holds exactly. */
static const double power[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

__extension__ typedef unsigned __int128 wide;

/* The double nearest to digits / 10^scale, digits not 0 and scale at most 19: divides with more
 * bits than needed and rounds once, ties to even. */
static double
divide_exactly(uint64_t digits, unsigned scale)
{
	uint64_t divisor = 1;
	int zeros = __builtin_clzll(digits);
	wide dividend = (wide)(digits << zeros) << 64;

	while (scale-- > 0)
		divisor *= 10;
	wide quotient = dividend / divisor;
	bool inexact = quotient * divisor != dividend;
	uint64_t high = (uint64_t)(quotient >> 64);
	int extra = (high ? 128 - __builtin_clzll(high) : 64) - 53; /* it has 64 bits at least */
	uint64_t mantissa = (uint64_t)(quotient >> extra);
	wide rest = quotient & (((wide)1 << extra) - 1), half = (wide)1 << (extra - 1);
	if (rest > half || (rest == half && (inexact || mantissa % 2)))
		mantissa++;
	return ldexp((double)mantissa, extra - 64 - zeros);
}

/* The double nearest to a number; text is the same with a NUL behind. */
static double
convert(const struct lexeme *lexeme, const char *text)
{
	int scale = (int)lexeme->fraction_len - lexeme->exponent;
	double value;

	if (lexeme->digit_count > 19 || lexeme->fraction_len > 19)
		return convert_slowly(text);
	if (lexeme->digits == 0)
		value = 0;
	else if (scale >= 0 && scale <= 19)
		value = divide_exactly(lexeme->digits, (unsigned)scale);
	else if (scale < 0 && scale >= -22 && lexeme->digits < UINT64_C(1) << 53)
		value = (double)lexeme->digits * power[-scale];
	else
		return convert_slowly(text);
	return lexeme->negative ? -value : value;
}

bool
parse_number(struct parser *p, double *value, const char **written)
{
	struct lexeme lexeme;

	if (!scan_number(p, &lexeme))
		return false;
	if (is_shortest(&lexeme)) {
		/* Both sides are exact, so the quotient is the nearest double. */
		*value = (double)lexeme.digits / power[lexeme.fraction_len];
		*value = lexeme.negative ? -*value : *value;
		*written = NULL;
	} else {
		size_t len = (size_t)(lexeme.end - lexeme.start);
		char *text = arena_bytes(p->arena, len + 1);
		memcpy(text, lexeme.start, len);
		text[len] = '\0';
		*written = text;
		*value = convert(&lexeme, text);
	}
	return true;
}
