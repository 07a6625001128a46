#include "decimal_priv.h"

#include <string.h>

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
	wide_int apart = decimal_point_difference(a, b);
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
