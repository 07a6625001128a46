/* SPDX-License-Identifier: MIT */
#ifndef JSON_DECIMAL_H
#define JSON_DECIMAL_H

#include "json/number.h"

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

void decimal_from_text(struct decimal *decimal, const char *text); /* points into it */
/* number's text may be put into scratch; the decimal points into it. */
void decimal_from_number(
    struct decimal *decimal, const cJSON *number, char scratch[JSON_NUMBER_TEXT_MAX]);

static inline size_t
decimal_count(const struct decimal *d)
{
	return d->head_len + d->tail_len;
}

/* Digit i as 0..9; i below decimal_count(). */
static inline unsigned
decimal_digit(const struct decimal *d, size_t i)
{
	return (unsigned)((i < d->head_len ? d->head[i] : d->tail[i - d->head_len]) - '0');
}

int decimal_compare(const struct decimal *a, const struct decimal *b); /* <0, 0, >0 */
bool decimal_is_integer(const struct decimal *d);
uint64_t decimal_hash(const struct decimal *d);
uint64_t decimal_hash_integer(int64_t value); /* the same hash; fewer than 16 digits */
/* Is a a whole multiple of b? b is not zero; signs do not matter. */
enum json_answer decimal_is_multiple(const struct decimal *a, const struct decimal *b);

#endif
