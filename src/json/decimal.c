#include "decimal_priv.h"

#include "hash_priv.h"

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
		read_exponent(decimal, s + 1);
	strip_zeros(decimal);
}

/* The digit of an exponent that stands for 10^place, with its sign. */
static int
exponent_digit(const struct decimal *d, size_t place)
{
	if (!d->exponent || place >= d->exponent_len)
		return 0;
	int digit = d->exponent[d->exponent_len - 1 - place] - '0';
	return d->exponent_negative ? -digit : digit;
}

wide_int
decimal_point_difference(const struct decimal *a, const struct decimal *b)
{
	size_t a_len = a->exponent ? a->exponent_len : 0, b_len = b->exponent ? b->exponent_len : 0;
	wide_int difference = 0;

	for (size_t i = a_len > b_len ? a_len : b_len; i-- > 0;) {
		difference = difference * 10 + exponent_digit(a, i) - exponent_digit(b, i);
		/* what is this large stays so, whatever the digits after it add */
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
	wide_int apart = decimal_point_difference(a, b);
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
