/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/rows.h"
#include "plain_text.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors and flaws ---- */

/* Counts lines from the end of the last count, so that all of them together read the text
 * once. A place a little further back must be on the same line. */
static void
locate(struct parser *p, const char *at, unsigned *line, unsigned *column)
{
	const char *newline;

	while (at > p->position.at &&
	       (newline = memchr(p->position.at, '\n', (size_t)(at - p->position.at)))) {
		p->position.at = p->position.line_start = newline + 1;
		p->position.line++;
	}
	if (at > p->position.at)
		p->position.at = at;
	*line = p->position.line;
	*column = (unsigned)(at - p->position.line_start) + 1;
}

/* Records why the text is not JSON, and returns false. */
__attribute__((format(printf, 3, 4))) static bool
parse_fail(struct parser *p, const char *at, const char *format, ...)
{
	if (!p->error)
		return false;
	struct json_error *error = p->error;
	error->offset = (size_t)(at - p->start);
	locate(p, at, &error->line, &error->column);
	FORMAT_INTO(error->text, format);
	return false;
}

static void
parse_note_flaw(struct parser *p, enum json_flaw_kind kind, const char *at)
{
	struct json_doc *doc = p->doc;

	doc->flaws.count++;
	if (doc->flaws.len >= p->max_flaws)
		return;
	struct json_flaw *flaw = VEC_PUSH(&doc->flaws);
	flaw->kind = kind;
	flaw->offset = (size_t)(at - p->start);
	locate(p, at, &flaw->line, &flaw->column);
}

/* ---- strings, keys and numbers: each starts with p->at on its first byte ---- */

/* The bytes between two quotes, looked over but not decoded yet. */
struct span {
	const char *start, *end;
	size_t bad; /* bytes that are not UTF-8; each takes two bytes more when replaced */
	bool verbatim;
};

/* Length of the escape at a backslash; 0 after a failure, if it is not one. */
static size_t
escape_length(struct parser *p, const char *at)
{
	if (p->end - at < 2)
		return parse_fail(p, at, "ends inside a string");
	if (at[1] == 'u' && p->end - at >= 6 && hex_number(at + 2, 4) >= 0)
		return 6;
	if (at[1] == 'u')
		return parse_fail(p, at, "\\u needs four hexadecimal digits");
	if (at[1] && strchr("\"\\/bfnrt", at[1]))
		return 2;
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
		size_t used =
		    c == '\\' ? escape_length(p, at) : utf8_decode(at, (size_t)(p->end - at), &cp);
		if (c == '\\' && used == 0)
			return false;
		if (c == '\\' || used == 0)
			span->verbatim = false;
		span->bad += used == 0;
		at += used ? used : 1;
	}
	span->end = at;
	p->at = at + 1;
	return true;
}

/* at is on the backslash of a \u escape; moves past it, and past its other half. Writes UTF-8, but
 * NUL in two bytes and a lone surrogate in three; returns the end. */
static char *
decode_unicode(struct parser *p, const char **at, const char *end, char *to)
{
	const char *start = *at;
	uint32_t cp = (uint32_t)hex_number(start + 2, 4);

	*at += 6;
	if (cp == 0) {
		parse_note_flaw(p, JSON_FLAW_NUL, start);
		memcpy(to, "\xc0\x80", 2);
		return to + 2;
	}
	if (cp < 0xd800 || cp > 0xdfff)
		return to + utf8_encode(cp, to);
	if (cp < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
		uint32_t low = (uint32_t)hex_number(*at + 2, 4);
		if (low >= 0xdc00 && low <= 0xdfff) {
			*at += 6;
			return to +
			       utf8_encode(0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00), to);
		}
	}
	parse_note_flaw(p, JSON_FLAW_LONE_SURROGATE, start);
	to[0] = '\xed';
	to[1] = (char)(0x80 | (cp >> 6 & 0x3f));
	to[2] = (char)(0x80 | (cp & 0x3f));
	return to + 3;
}

/* Writes the meaning of a span; room for its length and span.bad * 2 bytes more. */
static size_t
decode(struct parser *p, const struct span *span, char *out)
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
	const char *at = span->start;
	char *to = out;

	while (at < span->end) {
		const char *plain = skip_verbatim(at, span->end);
		memcpy(to, at, (size_t)(plain - at));
		to += plain - at;
		at = plain;
		if (at == span->end)
			break;
		if (*at == '\\' && at[1] == 'u') {
			to = decode_unicode(p, &at, span->end, to);
			continue;
		}
		if (*at == '\\') {
			*to++ = meaning[(unsigned char)at[1]];
			at += 2;
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

/* The key in the document; NULL: failed. */
static struct interned *
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
		int sign = ++at < p->end && *at == '-' ? -1 : 1;
		lexeme->has_exponent = true;
		at += at < p->end && (*at == '+' || *at == '-');
		if (!is_digit(p, at))
			return parse_fail(p, at, "expected a digit in the exponent");
		for (; is_digit(p, at); at++)
			if (lexeme->exponent < 10000)
				lexeme->exponent = lexeme->exponent * 10 + (*at - '0');
		lexeme->exponent *= sign;
	}
	lexeme->end = at;
	p->at = at;
	return true;
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
	bool is_short = lexeme->digit_count <= 19 && lexeme->fraction_len <= 19;
	double value = 0;

	if (is_short && lexeme->digits != 0 && scale >= 0 && scale <= 19) {
		value = divide_exactly(lexeme->digits, (unsigned)scale);
	} else if (is_short && scale < 0 && scale >= -22 && lexeme->digits < UINT64_C(1) << 53) {
		value = (double)lexeme->digits * power[-scale];
	} else if (!is_short || lexeme->digits != 0) {
		/* The program's locale may have a decimal comma; the C locale costs nothing. */
		locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
		value = strtod_l(text, NULL, c);
		freelocale(c);
		return value;
	}
	return lexeme->negative ? -value : value;
}

/* ---- the grammar ---- */

enum {
	DEFAULT_DEPTH = 1000,
	DEFAULT_FLAWS = 64,
};

/* The token that the grammar expects next. */
enum step {
	STEP_VALUE,
	STEP_KEY,
	STEP_AFTER, /* a comma, a closing bracket or the end */
	STEP_DONE,
	STEP_FAIL,
};

static inline struct level *
innermost(struct parser *p)
{
	return p->levels.len > 0 ? &p->levels.items[p->levels.len - 1] : NULL;
}

static inline bool
is_object(const struct level *level)
{
	return level->container->node.type & cJSON_Object;
}

static enum step
fail(struct parser *p, const char *at, const char *what)
{
	parse_fail(p, at, "%s", what);
	return STEP_FAIL;
}

/* Puts a node of this type at the place of the next value. */
static inline cJSON *
place_node(struct parser *p, cJSON *node, int type)
{
	struct level *level = innermost(p);

	*node = (cJSON){ .type = type, .string = p->key };
	p->key = NULL;
	if (!level) {
		p->doc->root = node;
		return node;
	}
	if (level->last) {
		level->last->next = node;
		node->prev = level->last;
	} else {
		level->container->node.child = node;
	}
	level->last = node;
	level->count++;
	return node;
}

static enum step
close_container(struct parser *p)
{
	struct level *level = innermost(p);

	if (p->levels.len == p->lazy.level && !lazy_close(p))
		return STEP_VALUE;
	struct json_node *container = level->container;
	if (level->last)
		container->node.child->prev = level->last;
	if (!json_is_lazy(&container->node)) {
		container->children.count = level->count;
		container->children.distinct = level->scope.distinct;
	}
	if (is_object(level)) /* return the keys to the enclosing objects */
		while (p->intern.undo.len > level->scope.undo_mark) {
			const struct intern_undo *undo =
			    &p->intern.undo.items[--p->intern.undo.len];
			undo->key->scope = undo->scope;
			undo->key->depth = undo->depth;
		}
	p->levels.len--;
	p->at++;
	return STEP_AFTER;
}

static enum step
open_container(struct parser *p, int type, char close)
{
	if (p->levels.len >= p->max_depth) {
		parse_fail(p, p->at, "nested deeper than %zu", p->max_depth);
		return STEP_FAIL;
	}
	struct json_node *container = arena_long_node(p->arena);
	place_node(p, &container->node, type | cJSON_IsReference);
	struct level *level = VEC_PUSH(&p->levels);
	*level = (struct level){ .container = container };
	if (type == cJSON_Object)
		level->scope =
		    (struct scope){ .id = ++p->intern.last_scope, .undo_mark = p->intern.undo.len };
	p->at++;
	p->at = skip_space(p->at, p->end);
	if (p->at < p->end && *p->at == close)
		return close_container(p);
	if (type == cJSON_Array && p->lazy.min_bytes > 0)
		lazy_open(p);
	return type == cJSON_Object ? STEP_KEY : STEP_VALUE;
}

static enum step
not_a_value(struct parser *p)
{
	static const char *const hints[256] = {
		['\''] = "strings are written in double quotes",
		['+'] = "a number does not start with '+'",
		['.'] = "a number does not start with '.'",
		['/'] = "expected a value; JSON has no comments",
		['#'] = "expected a value; JSON has no comments",
		[0xef] = "expected a value; is this a byte order mark?",
		[0xfe] = "expected a value; is this UTF-16?",
		[0xff] = "expected a value; is this UTF-16?",
	};

	if (p->at == p->end)
		return fail(
		    p, p->at, p->start == p->end ? "empty" : "ends where a value is expected");
	unsigned char first = (unsigned char)*p->at;
	if (hints[first])
		return fail(p, p->at, hints[first]);
	struct level *level = innermost(p);
	if (level && level->count > 0 && !is_object(level) && first == ']')
		return fail(p, p->at, "a comma before ']'");
	char word[24];
	size_t len = 0;
	for (const char *c = p->at; c < p->end && len + 1 < sizeof(word); c++) {
		if (!ascii_is_alnum(*c))
			break;
		word[len++] = *c;
	}
	word[len] = '\0';
	if (len > 0)
		parse_fail(p, p->at, "expected a value, found %s", word);
	else if (first > 0x20 && first < 0x7f)
		parse_fail(p, p->at, "expected a value, found '%c'", first);
	else
		parse_fail(p, p->at, "expected a value, found byte 0x%02x", first);
	return STEP_FAIL;
}

static enum step
literal(struct parser *p, const char *word, size_t len, int type)
{
	if ((size_t)(p->end - p->at) < len || memcmp(p->at, word, len) != 0)
		return not_a_value(p);
	place_node(p, arena_node(p->arena), type)->valueint = type == cJSON_True;
	p->at += len;
	return STEP_AFTER;
}

static enum step
number(struct parser *p)
{
	struct lexeme lexeme;
	cJSON *node;
	double value;

	if (!scan_number(p, &lexeme))
		return STEP_FAIL;
	/* Would json_number_text() write the double just like this? 15 digits always survive. */
	if (!lexeme.has_exponent && lexeme.digit_count <= 15 &&
	    (lexeme.fraction_len > 0 ? lexeme.end[-1] != '0'
				     : !lexeme.negative || lexeme.digits != 0)) {
		/* Both sides are exact, so the quotient is the nearest double. */
		value = (double)lexeme.digits / power[lexeme.fraction_len];
		value = lexeme.negative ? -value : value;
		node = place_node(p, arena_node(p->arena), cJSON_Number);
	} else {
		size_t len = (size_t)(lexeme.end - lexeme.start);
		char *text = arena_bytes(p->arena, len + 1);
		memcpy(text, lexeme.start, len);
		text[len] = '\0';
		value = convert(&lexeme, text);
		struct json_node *exact = arena_long_node(p->arena);
		node = place_node(p, &exact->node, cJSON_Number | cJSON_IsReference);
		exact->written = text;
	}
	node->valuedouble = value;
	node->valueint = value >= INT_MAX ? INT_MAX : value <= INT_MIN ? INT_MIN : (int)value;
	return STEP_AFTER;
}

static enum step
value(struct parser *p)
{
	p->at = skip_space(p->at, p->end);
	if (p->at == p->end)
		return not_a_value(p);
	if (p->job && job_is_stopped(p->job))
		return fail(p, p->at, "stopped");
	if (p->levels.len == p->lazy.level)
		lazy_item(p);
	switch (*p->at) {
	case '{':
		return open_container(p, cJSON_Object, '}');
	case '[':
		return open_container(p, cJSON_Array, ']');
	case '"': {
		cJSON *node = place_node(p, arena_node(p->arena), cJSON_String);
		struct span span;
		size_t len;
		if (!scan(p, &span))
			return STEP_FAIL;
		node->valuestring = keep(p, &span, &len);
		return STEP_AFTER;
	}
	case 't':
		return literal(p, "true", 4, cJSON_True);
	case 'f':
		return literal(p, "false", 5, cJSON_False);
	case 'n':
		return literal(p, "null", 4, cJSON_NULL);
	default:
		if (*p->at != '-' && (*p->at < '0' || *p->at > '9'))
			return not_a_value(p);
		return number(p);
	}
}

static enum step
key(struct parser *p)
{
	p->at = skip_space(p->at, p->end);
	const char *start = p->at;
	struct level *level = innermost(p);
	if (p->at == p->end)
		return fail(p, p->at, "ends inside an object");
	if (*p->at != '"')
		return fail(p, p->at,
		    *p->at == '}' && level->last ? "a comma before '}'"
						 : "expected a key in double quotes");
	struct interned *key = parse_key(p);
	if (!key)
		return STEP_FAIL;
	if (key->scope == level->scope.id) {
		parse_note_flaw(p, JSON_FLAW_DUPLICATE_KEY, start);
	} else {
		if (key->scope != 0 && key->depth + 1 < p->levels.len &&
		    p->levels.items[key->depth].scope.id == key->scope) /* borrow it */
			*VEC_PUSH(&p->intern.undo) =
			    (struct intern_undo){ key, key->scope, key->depth };
		key->scope = level->scope.id;
		key->depth = (uint32_t)p->levels.len - 1;
		level->scope.distinct++;
	}
	p->key = key->text;
	p->at = skip_space(p->at, p->end);
	if (p->at == p->end || *p->at != ':')
		return fail(p, p->at, "expected ':' after the key");
	p->at++;
	return STEP_VALUE;
}

static enum step
after(struct parser *p)
{
	struct level *level = innermost(p);

	p->at = skip_space(p->at, p->end);
	if (!level)
		return p->at == p->end ? STEP_DONE : fail(p, p->at, "more text after the value");
	bool object = is_object(level);
	if (p->at < p->end && *p->at == ',') {
		p->at++;
		return object ? STEP_KEY : STEP_VALUE;
	}
	if (p->at < p->end && *p->at == (object ? '}' : ']'))
		return close_container(p);
	if (p->at == p->end)
		return fail(p, p->at, object ? "ends inside an object" : "ends inside an array");
	return fail(p, p->at, object ? "expected ',' or '}'" : "expected ',' or ']'");
}

bool
parse_value(struct parser *p)
{
	enum step step;

	do {
		step = value(p);
		while (step == STEP_AFTER)
			step = after(p);
		if (step == STEP_KEY)
			step = key(p);
	} while (step == STEP_VALUE);
	return step == STEP_DONE;
}

struct json_doc *
json_parse(
    const char *text, size_t len, const struct json_options *options, struct json_error *error)
{
	static const struct json_options defaults = { 0 };
	const struct json_options *wanted = options ? options : &defaults;
	struct json_doc *doc = mem_zalloc(sizeof(*doc));
	struct parser p = {
		.start = text,
		.at = text,
		.end = text + len,
		.doc = doc,
		.arena = &doc->arena,
		.max_depth = wanted->max_depth ? wanted->max_depth : DEFAULT_DEPTH,
		.max_flaws = wanted->max_flaws ? wanted->max_flaws : DEFAULT_FLAWS,
		.position = { .at = text, .line_start = text, .line = 1 },
		.job = wanted->job,
		.lazy = { .blob = wanted->blob,
		    .min_bytes = wanted->lazy_bytes,
		    .in = wanted->lazy_in,
		    .not_before = text,
		    .level = SIZE_MAX },
		.intern = { .arena = &doc->arena },
		.error = error,
	};

	bool ok = parse_value(&p);
	arena_finish(&p.lazy.scratch);
	free(p.lazy.starts.items);
	intern_finish(&p.intern);
	free(p.levels.items);
	if (ok)
		return doc;
	json_doc_destroy(doc);
	return NULL;
}
