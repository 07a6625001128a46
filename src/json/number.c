/* SPDX-License-Identifier: MIT */
#include "json/number.h"

#include "base/vec.h"
#include "arena.h"
#include "decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Powers of ten up to here are exact, and so is a product that stays below 2^53. */
static const double power[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15 };

/* digits / 10^k, with k digits after the point. The buffer has room. */
static void
put_decimal(bool negative, uint64_t digits, unsigned k, char *to)
{
	char reversed[JSON_NUMBER_TEXT_MAX];
	size_t n = 0;

	for (unsigned i = 0; digits > 0 || i <= k; i++, digits /= 10) {
		if (i == k && k > 0)
			reversed[n++] = '.';
		reversed[n++] = (char)('0' + digits % 10);
	}
	if (negative)
		reversed[n++] = '-';
	while (n > 0)
		*to++ = reversed[--n];
	*to = '\0';
}

/* value as digits / 10^k with at most 15 digits: most numbers, and all that the parser left
 * without a text. */
static bool
print_short(double value, char *buffer)
{
	double size = fabs(value);

	for (unsigned k = 0; k < ARRAY_LEN(power); k++) {
		double scaled = rint(size * power[k]);
		if (scaled >= 1e15)
			return false;
		if (scaled / power[k] != size)
			continue;
		put_decimal(signbit(value) != 0, (uint64_t)scaled, k, buffer);
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
	struct decimal x, y;

	/* Doubles without stored text are in the order of their shortest texts. */
	if (json_number_is_double(a) && json_number_is_double(b))
		return (a->valuedouble > b->valuedouble) - (a->valuedouble < b->valuedouble);
	decimal_from_number(&x, a, a_text);
	decimal_from_number(&y, b, b_text);
	return decimal_compare(&x, &y);
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
	decimal_from_number(&d, number, text);
	return decimal_is_integer(&d);
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
	decimal_from_number(&x, a, a_text);
	decimal_from_number(&y, b, b_text);
	if (decimal_count(&y) == 0)
		return JSON_NO;
	return decimal_is_multiple(&x, &y);
}

uint64_t
json_number_hash(const cJSON *number)
{
	char text[JSON_NUMBER_TEXT_MAX];
	struct decimal d;
	int64_t small;

	if (as_small_integer(number, &small))
		return decimal_hash_integer(small);

	decimal_from_number(&d, number, text);
	return decimal_hash(&d);
}

bool
json_number_to_size(const cJSON *number, size_t max, size_t *out)
{
	char text[JSON_NUMBER_TEXT_MAX];
	struct decimal d;
	size_t value = 0;

	if (!cJSON_IsNumber(number))
		return false;
	decimal_from_number(&d, number, text);
	if (d.negative || !decimal_is_integer(&d) || d.exponent || d.point > 20)
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
