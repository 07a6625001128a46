#include "parse_priv.h"

#include "base/hex.h"
#include "base/utf8.h"
#include "plain_priv.h"

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
	if (guess && (size_t)(p->end - p->at) >= guess->len + 2 && p->at[guess->len + 1] == '"' &&
	    guess->verbatim && memcmp(p->at + 1, guess->text, guess->len) == 0) {
		p->at += guess->len + 2;
		return p->last_key = guess;
	}
	struct span span;
	if (!scan(p, &span))
		return NULL;
	struct interned *key;
	if (span.verbatim) {
		key = intern_key(&p->intern, span.start, (size_t)(span.end - span.start), true);
	} else {
		size_t len;
		char *text = keep(p, &span, &len);
		key = intern_key(&p->intern, text, len, false);
	}
	if (p->last_key)
		p->last_key->following = key;
	return p->last_key = key;
}
