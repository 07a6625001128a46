/* SPDX-License-Identifier: MIT */
#include "decimal.h"

#include "base/map.h"

#include <string.h>

#define EXPONENT_DIGITS 18
#define HASH_FAR INT64_C(100000000000000000)

static size_t
digit_run(const char *s)
{
	size_t n = 0;

	while (s[n] >= '0' && s[n] <= '9')
		n++;
	return n;
}

static void
read_exponent(struct decimal *d, const char *s)
{
	bool negative = *s == '-';
	int64_t value = 0;

	s += *s == '-' || *s == '+';
	while (*s == '0')
		s++;
	size_t len = digit_run(s);
	if (len > EXPONENT_DIGITS) {
		d->exponent = s;
		d->exponent_len = len;
		d->exponent_negative = negative;
		return;
	}
	for (size_t i = 0; i < len; i++)
		value = value * 10 + (s[i] - '0');
	d->point += negative ? -value : value;
}

static void
strip_zeros(struct decimal *d)
{
	while (d->head_len > 0 && d->head[0] == '0') {
		d->head++;
		d->head_len--;
		d->point--;
	}
	while (d->head_len == 0 && d->tail_len > 0 && d->tail[0] == '0') {
		d->tail++;
		d->tail_len--;
		d->point--;
	}
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

void
decimal_from_text(struct decimal *decimal, const char *s)
{
	*decimal = (struct decimal){ .negative = *s == '-' };
	s += decimal->negative;
	decimal->head = s;
	decimal->head_len = digit_run(s);
	s += decimal->head_len;
	decimal->point = (int64_t)decimal->head_len;
	if (*s == '.') {
		decimal->tail = s + 1;
		decimal->tail_len = digit_run(s + 1);
		s += 1 + decimal->tail_len;
	}
	if (*s == 'e' || *s == 'E')
		read_exponent(decimal, s + 1);
	strip_zeros(decimal);
}

void
decimal_from_number(
    struct decimal *decimal, const cJSON *number, char scratch[JSON_NUMBER_TEXT_MAX])
{
	decimal_from_text(decimal, json_number_text(number, scratch));
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

int
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

bool
decimal_is_integer(const struct decimal *d)
{
	if (d->exponent)
		return !d->exponent_negative; /* no text has as many digits */
	return d->point >= 0 && (uint64_t)d->point >= decimal_count(d);
}

uint64_t
decimal_hash(const struct decimal *d)
{
	/* very large exponents may be in `point` or not: all of them hash alike */
	bool far = d->exponent || d->point > HASH_FAR || d->point < -HASH_FAR;
	uint64_t word = 0, h = hash_mix(far ? HASH_FAR : (uint64_t)d->point, d->negative);
	size_t count = decimal_count(d);

	for (size_t i = 0; i < count; i++) {
		word = word << 4 | decimal_digit(d, i);
		if (i % 16 == 15)
			h = hash_mix(h, word);
	}
	return hash_mix(h, word);
}

uint64_t
decimal_hash_integer(int64_t value)
{
	uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value, digits = 0, h;
	unsigned count = 0, point = 0;

	for (; left > 0 && left % 10 == 0; point++)
		left /= 10;
	for (; left > 0; left /= 10, point++)
		digits |= left % 10 << 4 * count++;
	h = hash_mix(point, value < 0);
	return hash_mix(h, digits);
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

static uint64_t
times_modulo(uint64_t a, uint64_t b, uint64_t modulus)
{
	return (uint64_t)((wide)a * b % modulus);
}

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
			rest = times_modulo(rest, factor, divisor);
		factor = times_modulo(factor, factor, divisor);
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

static void
big_subtract(struct big *a, const struct big *b)
{
	int64_t borrow = 0;

	for (size_t i = 0; i < a->len; i++) {
		int64_t rest = (int64_t)a->limb[i] - (i < b->len ? b->limb[i] : 0) - borrow;
		borrow = rest < 0;
		a->limb[i] = (uint32_t)(rest + borrow * LIMB);
	}
	while (a->len > 0 && a->limb[a->len - 1] == 0)
		a->len--;
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
		while (!big_is_less(&rest, &divisor))
			big_subtract(&rest, &divisor);
	}
	return rest.len == 0;
}

enum json_answer
decimal_is_multiple(const struct decimal *a, const struct decimal *b)
{
	size_t a_count = decimal_count(a), b_count = decimal_count(b);

	if (a_count == 0)
		return JSON_YES;
	wide_int apart = point_difference(a, b);
	/* between where the last digits stand */
	wide_int zeros_apart = apart - (wide_int)a_count + (wide_int)b_count;
	if (zeros_apart < 0 || apart < 0)
		return JSON_NO;
	if (zeros_apart > INT64_MAX)
		return JSON_TOO_HARD;
	uint64_t zeros = (uint64_t)zeros_apart;
	if (b_count <= SMALL_DIGITS)
		return divides_small(a, zeros, b) ? JSON_YES : JSON_NO;
	if (a_count > MOST_DIGITS || b_count > MOST_DIGITS || zeros > MOST_DIGITS - a_count)
		return JSON_TOO_HARD;
	return divides_big(a, (size_t)zeros, b) ? JSON_YES : JSON_NO;
}
