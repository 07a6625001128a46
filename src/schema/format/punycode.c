#include "format.h"

#include <string.h>

/* RFC 3492 section 5. */
#define BASE 36
#define T_MIN 1
#define T_MAX 26
#define SKEW 38
#define DAMP 700
#define INITIAL_BIAS 72
#define INITIAL_POINT 0x80
#define LAST_POINT 0x10ffff

/* Section 6.1. */
static uint32_t
adapt(uint32_t delta, uint32_t count, bool first)
{
	uint32_t k = 0;

	delta /= first ? DAMP : 2;
	for (delta += delta / count; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
		delta /= BASE - T_MIN;
	return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static uint32_t
threshold(uint32_t k, uint32_t bias)
{
	if (k <= bias + T_MIN)
		return T_MIN;
	return k >= bias + T_MAX ? T_MAX : k - bias;
}

static int
digit_value(char c)
{
	if (c >= 'a' && c <= 'z')
		return c - 'a';
	return c >= '0' && c <= '9' ? c - '0' + 26 : -1;
}

/* Reads one delta, a number of variable length, and adds it to *value. */
static bool
take_delta(const char **at, const char *end, uint32_t bias, uint32_t *value)
{
	uint32_t weight = 1;

	for (uint32_t k = BASE;; k += BASE) {
		int digit = *at < end ? digit_value(*(*at)++) : -1;
		if (digit < 0 || (uint32_t)digit > (UINT32_MAX - *value) / weight)
			return false;
		*value += (uint32_t)digit * weight;
		uint32_t t = threshold(k, bias);
		if ((uint32_t)digit < t)
			return true;
		if (weight > UINT32_MAX / (BASE - t))
			return false;
		weight *= BASE - t;
	}
}

bool
punycode_decode(const char *text, size_t len, struct label *label)
{
	const char *end = text + len, *dash = memrchr(text, '-', len);
	uint32_t point = INITIAL_POINT, bias = INITIAL_BIAS, i = 0;

	label->count = 0;
	if (len > PUNYCODE_MAX)
		return false;
	if (dash && dash > text) {
		for (; text < dash; text++)
			label->points[label->count++] = (unsigned char)*text;
		text++;
	}
	while (text < end) {
		uint32_t before = i, count = (uint32_t)label->count + 1;
		if (!take_delta(&text, end, bias, &i))
			return false;
		bias = adapt(i - before, count, before == 0);
		if (i / count > LAST_POINT - point)
			return false;
		point += i / count;
		i %= count;
		memmove(label->points + i + 1, label->points + i,
		    (label->count - i) * sizeof(*label->points));
		label->points[i++] = point;
		label->count++;
	}
	return true;
}

static bool
put(char out[PUNYCODE_MAX], size_t *len, char c)
{
	if (*len == PUNYCODE_MAX)
		return false;
	out[(*len)++] = c;
	return true;
}

static bool
put_digit(char out[PUNYCODE_MAX], size_t *len, uint32_t digit)
{
	return put(out, len, (char)(digit < 26 ? 'a' + digit : '0' + digit - 26));
}

static bool
put_delta(char out[PUNYCODE_MAX], size_t *len, uint32_t delta, uint32_t bias)
{
	for (uint32_t k = BASE;; k += BASE) {
		uint32_t t = threshold(k, bias);
		if (delta < t)
			return put_digit(out, len, delta);
		if (!put_digit(out, len, t + (delta - t) % (BASE - t)))
			return false;
		delta = (delta - t) / (BASE - t);
	}
}

static uint32_t
least_from(const struct label *label, uint32_t point)
{
	uint32_t least = UINT32_MAX;

	for (size_t i = 0; i < label->count; i++)
		if (label->points[i] >= point && label->points[i] < least)
			least = label->points[i];
	return least;
}

size_t
punycode_encode(const struct label *label, char out[PUNYCODE_MAX])
{
	uint32_t point = INITIAL_POINT, bias = INITIAL_BIAS, delta = 0;
	size_t len = 0;

	for (size_t i = 0; i < label->count; i++)
		if (label->points[i] < 0x80 && !put(out, &len, (char)label->points[i]))
			return 0;
	uint32_t basic = (uint32_t)len, done = basic;
	if (basic > 0 && !put(out, &len, '-'))
		return 0;
	/* Labels have at most 63 code points below 0x110000, which keeps delta below 2^27. */
	for (; done < label->count; point++, delta++) {
		uint32_t next = least_from(label, point);
		delta += (next - point) * (done + 1);
		point = next;
		for (size_t i = 0; i < label->count; i++) {
			delta += label->points[i] < point;
			if (label->points[i] != point)
				continue;
			if (!put_delta(out, &len, delta, bias))
				return 0;
			done++;
			bias = adapt(delta, done, done == basic + 1);
			delta = 0;
		}
	}
	return len;
}
