#include "parse_priv.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a number looks like, as far as it takes to convert it. */
struct lexeme {
	const char *start, *end;
	uint64_t digits;     /* the first 19 digits as an integer */
	size_t digit_count;  /* leading zeros not counted, but those after "0." */
	size_t fraction_len; /* digits after the point */
	int exponent;        /* what is written after the e, to some limit */
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
parse_number(struct parser *p, cJSON *to)
{
	struct lexeme lexeme;
	double value;

	if (!scan_number(p, &lexeme))
		return false;
	if (is_shortest(&lexeme)) {
		/* Both sides are exact, so the quotient is the nearest double. */
		value = (double)lexeme.digits / power[lexeme.fraction_len];
		value = lexeme.negative ? -value : value;
	} else {
		to->valuestring = keep_text(p, &lexeme);
		value = convert(&lexeme, to->valuestring);
	}
	to->valuedouble = value;
	to->valueint = value >= INT_MAX ? INT_MAX : value <= INT_MIN ? INT_MIN : (int)value;
	return true;
}
