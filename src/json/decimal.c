#include "decimal_priv.h"

#include "hash_priv.h"

#include <string.h>

#define EXPONENT_MAX INT64_C(1000000000000000000)

static size_t
digit_run(const char *s)
{
	size_t n = 0;

	while (s[n] >= '0' && s[n] <= '9')
		n++;
	return n;
}

static int64_t
read_exponent(const char *s)
{
	bool negative = *s == '-';
	int64_t value = 0;

	for (s += *s == '-' || *s == '+'; *s >= '0' && *s <= '9'; s++)
		value = value < EXPONENT_MAX / 10 ? value * 10 + (*s - '0') : EXPONENT_MAX;
	return negative ? -value : value;
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
		d->negative = false;
	}
}

void
decimal_from_number(
    struct decimal *decimal, const cJSON *number, char scratch[JSON_NUMBER_TEXT_MAX])
{
	const char *s = json_number_text(number, scratch);

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
		decimal->point += read_exponent(s + 1);
	strip_zeros(decimal);
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
	if (a->point != b->point)
		return a->point > b->point ? larger : -larger;
	for (size_t i = 0; i < a_count && i < b_count; i++)
		if (decimal_digit(a, i) != decimal_digit(b, i))
			return decimal_digit(a, i) > decimal_digit(b, i) ? larger : -larger;
	return a_count == b_count ? 0 : a_count > b_count ? larger : -larger;
}

bool
decimal_is_integer(const struct decimal *d)
{
	return d->point >= 0 && (uint64_t)d->point >= decimal_count(d);
}

uint64_t
decimal_hash(const struct decimal *d)
{
	uint64_t word = 0, h = hash_mix((uint64_t)d->point, d->negative);
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
