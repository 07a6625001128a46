#include "parse_priv.h"

#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* What a number looks like, as far as it takes to convert it. */
struct lexeme {
	const char *start, *end;
	uint64_t digits;     /* the first 19 digits as an integer */
	size_t digit_count;  /* leading zeros not counted, but those after "0." */
	size_t fraction_len; /* digits after the point */
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
		lexeme->has_exponent = true;
		at++;
		if (at < p->end && (*at == '+' || *at == '-'))
			at++;
		if (!is_digit(p, at))
			return parse_fail(p, at, "expected a digit in the exponent");
		while (is_digit(p, at))
			at++;
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

static char *
keep_text(struct parser *p, const struct lexeme *lexeme)
{
	size_t len = (size_t)(lexeme->end - lexeme->start);
	char *text = arena_bytes(p->arena, len + 1);

	memcpy(text, lexeme->start, len);
	text[len] = '\0';
	return text;
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

bool
parse_number(struct parser *p, cJSON *to)
{
	/* Both sides of the division are exact, so the quotient is the nearest double. */
	static const double power[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
		1e11, 1e12, 1e13, 1e14, 1e15 };
	struct lexeme lexeme;

	if (!scan_number(p, &lexeme))
		return false;
	double value;
	if (is_shortest(&lexeme)) {
		value = (double)lexeme.digits / power[lexeme.fraction_len];
		value = lexeme.negative ? -value : value;
	} else {
		to->valuestring = keep_text(p, &lexeme);
		value = convert_slowly(to->valuestring);
	}
	to->valuedouble = value;
	to->valueint = value >= INT_MAX ? INT_MAX : value <= INT_MIN ? INT_MIN : (int)value;
	return true;
}
