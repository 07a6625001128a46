/* SPDX-License-Identifier: MIT */
#include "json/number.h"

#include "arena.h"
#include "base/ascii.h"
#include "base/map.h"
#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The exact value of a number text: sign * 0.DIGITS * 10^point, where the digits
 * start and end with a nonzero one and are two runs of the text, before and after
 * its decimal point. Zero has no digits and no sign. An exponent of more than 18
 * digits is not in `point`; it stays text, and is added to `point` when compared.
 */
struct decimal {
	const char *head, *tail;
	size_t head_len, tail_len;
	int64_t point;
	const char *exponent; /* its digits, NULL if it is in `point` */
	size_t exponent_len;
	bool exponent_negative;
	bool negative;
};

#define EXPONENT_DIGITS 18
#define HASH_FAR INT64_C(100000000000000000)

static size_t
decimal_count(const struct decimal *d)
{
	return d->head_len + d->tail_len;
}

/* Digit i as 0..9; i below decimal_count(). */
static unsigned
decimal_digit(const struct decimal *d, size_t i)
{
	return (unsigned)((i < d->head_len ? d->head[i] : d->tail[i - d->head_len]) - '0');
}

/* The decimal points into s. */
static void
decimal_from_text(struct decimal *d, const char *s)
{
	*d = (struct decimal){ .negative = *s == '-' };
	s += d->negative;
	d->head = s;
	d->head_len = strspn(s, ASCII_DIGITS);
	s += d->head_len;
	d->point = (int64_t)d->head_len;
	if (*s == '.') {
		d->tail = s + 1;
		d->tail_len = strspn(s + 1, ASCII_DIGITS);
		s += 1 + d->tail_len;
	}
	if (*s == 'e' || *s == 'E') {
		d->exponent_negative = *++s == '-';
		s += *s == '-' || *s == '+';
		while (*s == '0')
			s++;
		d->exponent_len = strspn(s, ASCII_DIGITS);
		int64_t exponent = 0;
		for (size_t i = 0; i < d->exponent_len && i < EXPONENT_DIGITS; i++)
			exponent = exponent * 10 + (s[i] - '0');
		if (d->exponent_len > EXPONENT_DIGITS)
			d->exponent = s;
		else
			d->point += d->exponent_negative ? -exponent : exponent;
	}
	/* zeros at both ends */
	for (; d->head_len > 0 && d->head[0] == '0'; d->head++, d->head_len--)
		d->point--;
	for (; d->head_len == 0 && d->tail_len > 0 && d->tail[0] == '0'; d->tail++, d->tail_len--)
		d->point--;
	while (d->tail_len > 0 && d->tail[d->tail_len - 1] == '0')
		d->tail_len--;
	while (d->tail_len == 0 && d->head_len > 0 && d->head[d->head_len - 1] == '0')
		d->head_len--;
	if (decimal_count(d) == 0) {
		d->point = 0;
		d->exponent = NULL;
		d->negative = false;
	}
}

/* The digit of an exponent at 10^place, with its sign. */
static int
exponent_digit(const struct decimal *d, size_t place)
{
	if (!d->exponent || place >= d->exponent_len)
		return 0;
	int digit = d->exponent[d->exponent_len - 1 - place] - '0';
	return d->exponent_negative ? -digit : digit;
}

__extension__ typedef __int128 wide_int;
#define DECIMAL_FAR ((wide_int)INT64_MAX * 1000000000)

/* a's point - b's; exact unless it is about DECIMAL_FAR or larger, or as far below 0. */
static wide_int
point_difference(const struct decimal *a, const struct decimal *b)
{
	size_t a_len = a->exponent ? a->exponent_len : 0, b_len = b->exponent ? b->exponent_len : 0;
	wide_int difference = 0;

	for (size_t i = a_len > b_len ? a_len : b_len; i-- > 0;) {
		difference = difference * 10 + exponent_digit(a, i) - exponent_digit(b, i);
		/* digits after it cannot make a number this large small again */
		if (difference > DECIMAL_FAR)
			difference = DECIMAL_FAR;
		else if (difference < -DECIMAL_FAR)
			difference = -DECIMAL_FAR;
	}
	return difference + a->point - b->point;
}

static int
decimal_compare(const struct decimal *a, const struct decimal *b)
{
	size_t a_count = decimal_count(a), b_count = decimal_count(b);
	int larger = a->negative ? -1 : 1; /* the answer when |a| > |b| */

	if (a_count == 0)
		return b_count == 0 ? 0 : b->negative ? 1 : -1;
	if (b_count == 0 || a->negative != b->negative)
		return larger;
	wide_int apart = point_difference(a, b);
	if (apart != 0)
		return apart > 0 ? larger : -larger;
	for (size_t i = 0; i < a_count && i < b_count; i++)
		if (decimal_digit(a, i) != decimal_digit(b, i))
			return decimal_digit(a, i) > decimal_digit(b, i) ? larger : -larger;
	return a_count == b_count ? 0 : a_count > b_count ? larger : -larger;
}

/*
 * With a = A * 10^i and b = B * 10^k, A and B integers that do not end in 0: no
 * multiple where i < k, for A would have to end in one. Else it is the question
 * whether B divides A * 10^(i - k), and only a remainder has to be carried along.
 */
enum {
	SMALL_DIGITS = 19, /* fit in 64 bits */
	MOST_DIGITS = 4096,
	LIMB_DIGITS = 9,
	LIMB = 1000000000,
	LIMBS = MOST_DIGITS / LIMB_DIGITS + 2,
};

__extension__ typedef unsigned __int128 wide;

static bool
divides_small(const struct decimal *a, uint64_t zeros, const struct decimal *b)
{
	uint64_t divisor = 0, rest = 0, factor;

	for (size_t i = 0; i < decimal_count(b); i++)
		divisor = divisor * 10 + decimal_digit(b, i);
	for (size_t i = 0; i < decimal_count(a); i++)
		rest = (uint64_t)(((wide)rest * 10 + decimal_digit(a, i)) % divisor);
	factor = 10 % divisor;
	for (; zeros > 0; zeros >>= 1) {
		if (zeros & 1)
			rest = (uint64_t)((wide)rest * factor % divisor);
		factor = (uint64_t)((wide)factor * factor % divisor);
	}
	return rest == 0;
}

/* A natural number, lowest limb first, all `len` of them in use. */
struct big {
	uint32_t limb[LIMBS];
	size_t len;
};

static void
big_push_digit(struct big *n, unsigned digit)
{
	uint64_t carry = digit;

	for (size_t i = 0; i < n->len; i++) {
		carry += (uint64_t)n->limb[i] * 10;
		n->limb[i] = (uint32_t)(carry % LIMB);
		carry /= LIMB;
	}
	if (carry > 0)
		n->limb[n->len++] = (uint32_t)carry;
}

static bool
big_is_less(const struct big *a, const struct big *b)
{
	if (a->len != b->len)
		return a->len < b->len;
	for (size_t i = a->len; i-- > 0;)
		if (a->limb[i] != b->limb[i])
			return a->limb[i] < b->limb[i];
	return false;
}

/* Long division as on paper; the caller bounds the digits of all three. */
static bool
divides_big(const struct decimal *a, size_t zeros, const struct decimal *b)
{
	struct big divisor = { .len = 0 }, rest = { .len = 0 };

	for (size_t i = 0; i < decimal_count(b); i++)
		big_push_digit(&divisor, decimal_digit(b, i));
	for (size_t i = 0; i < decimal_count(a) + zeros; i++) {
		big_push_digit(&rest, i < decimal_count(a) ? decimal_digit(a, i) : 0);
		while (!big_is_less(&rest, &divisor)) { /* subtract it */
			int64_t borrow = 0;
			for (size_t j = 0; j < rest.len; j++) {
				int64_t left = (int64_t)rest.limb[j] - borrow -
					       (j < divisor.len ? divisor.limb[j] : 0);
				borrow = left < 0;
				rest.limb[j] = (uint32_t)(left + borrow * LIMB);
			}
			while (rest.len > 0 && rest.limb[rest.len - 1] == 0)
				rest.len--;
		}
	}
	return rest.len == 0;
}

/* Powers of ten up to here are exact, and so is a product that stays below 2^53. */
static const double power[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15 };

/* value as digits / 10^k with at most 15 digits: most numbers, and all that the parser left
 * without a text. */
static bool
print_short(double value, char *buffer)
{
	char reversed[JSON_NUMBER_TEXT_MAX];
	double size = fabs(value);
	size_t n = 0;

	for (unsigned k = 0; k < ARRAY_LEN(power); k++) {
		double scaled = rint(size * power[k]);
		if (scaled >= 1e15)
			return false;
		if (scaled / power[k] != size)
			continue;
		uint64_t digits = (uint64_t)scaled;
		for (unsigned i = 0; digits > 0 || i <= k; i++, digits /= 10) {
			if (i == k && k > 0)
				reversed[n++] = '.';
			reversed[n++] = (char)('0' + digits % 10);
		}
		if (signbit(value))
			reversed[n++] = '-';
		while (n > 0)
			*buffer++ = reversed[--n];
		*buffer = '\0';
		return true;
	}
	return false;
}

const char *
json_number_written(const cJSON *number)
{
	const struct json_node *more = json_node_of(number);

	return more ? more->written : NULL;
}

const char *
json_number_text(const cJSON *number, char buffer[JSON_NUMBER_TEXT_MAX])
{
	double value = number->valuedouble;

	if (!json_number_is_double(number))
		return json_number_written(number);
	if (!isfinite(value)) {
		snprintf(buffer, JSON_NUMBER_TEXT_MAX, "null");
		return buffer;
	}
	if (print_short(value, buffer))
		return buffer;
	for (int precision = 1; precision <= 17; precision++) {
		snprintf(buffer, JSON_NUMBER_TEXT_MAX, "%.*g", precision, value);
		if (strtod(buffer, NULL) == value)
			break;
	}
	/* A locale may write the decimal point otherwise, even in several bytes. */
	char *point = buffer + strspn(buffer, "-0123456789");
	size_t len = strcspn(point, "-+e0123456789");
	if (len > 0) {
		*point = '.';
		memmove(point + 1, point + len, strlen(point + len) + 1);
	}
	return buffer;
}

static size_t
digits_at(const char *text, size_t len, size_t at)
{
	size_t n = 0;

	while (at + n < len && text[at + n] >= '0' && text[at + n] <= '9')
		n++;
	return n;
}

bool
json_is_number_text(const char *text, size_t len)
{
	size_t at = len > 0 && text[0] == '-';
	size_t n = digits_at(text, len, at);

	if (n == 0 || (n > 1 && text[at] == '0'))
		return false;
	at += n;
	if (at < len && text[at] == '.') {
		n = digits_at(text, len, ++at);
		if (n == 0)
			return false;
		at += n;
	}
	if (at < len && (text[at] == 'e' || text[at] == 'E')) {
		at++;
		at += at < len && (text[at] == '+' || text[at] == '-');
		n = digits_at(text, len, at);
		if (n == 0)
			return false;
		at += n;
	}
	return at == len;
}

int
json_number_compare(const cJSON *a, const cJSON *b)
{
	char a_text[JSON_NUMBER_TEXT_MAX], b_text[JSON_NUMBER_TEXT_MAX];

	/* Doubles without stored text are in the order of their shortest texts. */
	if (json_number_is_double(a) && json_number_is_double(b))
		return (a->valuedouble > b->valuedouble) - (a->valuedouble < b->valuedouble);
	return json_number_compare_texts(json_number_text(a, a_text), json_number_text(b, b_text));
}

int
json_number_compare_texts(const char *a, const char *b)
{
	struct decimal x, y;

	decimal_from_text(&x, a);
	decimal_from_text(&y, b);
	return decimal_compare(&x, &y);
}

bool
json_number_is_integer(const cJSON *number)
{
	char text[JSON_NUMBER_TEXT_MAX];
	struct decimal d;

	if (json_number_is_double(number))
		return isfinite(number->valuedouble) &&
		       rint(number->valuedouble) == number->valuedouble;
	decimal_from_text(&d, json_number_text(number, text));
	if (d.exponent)
		return !d.exponent_negative; /* no text has as many digits */
	return d.point >= 0 && (uint64_t)d.point >= decimal_count(&d);
}

/* A small integer, written in full: by far the most common number. */
static bool
as_small_integer(const cJSON *number, int64_t *value)
{
	double d = number->valuedouble;

	if (!json_number_is_double(number) || !(fabs(d) < 1e15) || rint(d) != d)
		return false;
	*value = (int64_t)d;
	return true;
}

enum json_answer
json_number_is_multiple(const cJSON *a, const cJSON *b)
{
	char a_text[JSON_NUMBER_TEXT_MAX], b_text[JSON_NUMBER_TEXT_MAX];
	int64_t small_a, small_b;
	struct decimal x, y;

	if (as_small_integer(a, &small_a) && as_small_integer(b, &small_b) && small_b != 0)
		return small_a % small_b == 0 ? JSON_YES : JSON_NO;
	decimal_from_text(&x, json_number_text(a, a_text));
	decimal_from_text(&y, json_number_text(b, b_text));
	size_t x_count = decimal_count(&x), y_count = decimal_count(&y);
	if (x_count == 0 || y_count == 0)
		return y_count == 0 ? JSON_NO : JSON_YES;
	wide_int apart = point_difference(&x, &y);
	/* between where the last digits stand */
	wide_int zeros_apart = apart - (wide_int)x_count + (wide_int)y_count;
	if (zeros_apart < 0 || apart < 0)
		return JSON_NO;
	if (zeros_apart > INT64_MAX)
		return JSON_TOO_HARD;
	uint64_t zeros = (uint64_t)zeros_apart;
	if (y_count <= SMALL_DIGITS)
		return divides_small(&x, zeros, &y) ? JSON_YES : JSON_NO;
	if (x_count > MOST_DIGITS || y_count > MOST_DIGITS || zeros > MOST_DIGITS - x_count)
		return JSON_TOO_HARD;
	return divides_big(&x, (size_t)zeros, &y) ? JSON_YES : JSON_NO;
}

uint64_t
json_number_hash(const cJSON *number)
{
	char text[JSON_NUMBER_TEXT_MAX];
	struct decimal d;
	int64_t small;

	if (as_small_integer(number, &small)) { /* the same hash; it has fewer than 16 digits */
		uint64_t left = small < 0 ? -(uint64_t)small : (uint64_t)small, digits = 0;
		unsigned count = 0, point = 0;
		for (; left > 0 && left % 10 == 0; point++)
			left /= 10;
		for (; left > 0; left /= 10, point++)
			digits |= left % 10 << 4 * count++;
		return hash_mix(hash_mix(point, small < 0), digits);
	}
	decimal_from_text(&d, json_number_text(number, text));
	/* very large exponents may be in `point` or not: all of them hash alike */
	bool far = d.exponent || d.point > HASH_FAR || d.point < -HASH_FAR;
	uint64_t word = 0, h = hash_mix(far ? HASH_FAR : (uint64_t)d.point, d.negative);
	for (size_t i = 0; i < decimal_count(&d); i++) {
		word = word << 4 | decimal_digit(&d, i);
		if (i % 16 == 15)
			h = hash_mix(h, word);
	}
	return hash_mix(h, word);
}

bool
json_number_to_size(const cJSON *number, size_t max, size_t *out)
{
	char text[JSON_NUMBER_TEXT_MAX];
	struct decimal d;
	size_t value = 0;

	if (!cJSON_IsNumber(number))
		return false;
	decimal_from_text(&d, json_number_text(number, text));
	if (d.negative || d.exponent || d.point < 0 || d.point > 20 ||
	    (uint64_t)d.point < decimal_count(&d))
		return false;
	for (size_t i = 0; i < (size_t)d.point; i++) {
		unsigned digit = i < decimal_count(&d) ? decimal_digit(&d, i) : 0;
		if (digit > max || value > (max - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*out = value;
	return true;
}
