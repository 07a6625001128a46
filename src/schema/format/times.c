/* SPDX-License-Identifier: MIT */
#include "format.h"

#include "base/ascii.h"
#include "base/moment.h"

#include <string.h>

/* Times, RFC 3339 section 5.6 and appendix A. Each take_ moves *at past the text it reads and
 * reports errors in it. */

static bool
take_digits(const char **at, size_t count, unsigned *value)
{
	*value = 0;
	for (size_t i = 0; i < count; i++, (*at)++) {
		if (**at < '0' || **at > '9')
			return false;
		*value = *value * 10 + (unsigned)(**at - '0');
	}
	return true;
}

static bool
take_char(const char **at, char c)
{
	if (**at != c)
		return false;
	(*at)++;
	return true;
}

static const char *
take_date(const char **at)
{
	unsigned year, month, day;

	if (!take_digits(at, 4, &year) || !take_char(at, '-') || !take_digits(at, 2, &month) ||
	    !take_char(at, '-') || !take_digits(at, 2, &day))
		return "";
	if (month < 1 || month > 12)
		return "months go from 01 to 12";
	if (day < 1 || day > (unsigned)moment_days_in(year, month))
		return "the month has no such day";
	return NULL;
}

const char *
date_fault(const char *text, unsigned variant)
{
	const char *fault = take_date(&text);

	return fault || *text == '\0' ? fault : "";
}

const char *
time_fault(const char *text, unsigned variant)
{
	unsigned hour, minute, second, east = 0, east_minutes = 0; /* the offset from UTC */

	if (!take_digits(&text, 2, &hour) || !take_char(&text, ':') ||
	    !take_digits(&text, 2, &minute) || !take_char(&text, ':') ||
	    !take_digits(&text, 2, &second))
		return "";
	if (take_char(&text, '.')) {
		size_t digits = strspn(text, ASCII_DIGITS);
		if (digits == 0)
			return "no digit follows the point";
		text += digits;
	}
	if (hour > 23 || minute > 59 || second > 60)
		return "there is no such time of day";
	char sign = *text;
	if (sign == '\0')
		return "its offset is missing (Z or +01:00)";
	text++;
	if (sign != 'Z' && sign != 'z' &&
	    ((sign != '+' && sign != '-') || !take_digits(&text, 2, &east) ||
		!take_char(&text, ':') || !take_digits(&text, 2, &east_minutes) || east > 23 ||
		east_minutes > 59))
		return "its offset is neither Z nor like +01:00";
	int offset = (int)(east * 60 + east_minutes) * (sign == '-' ? -1 : 1);
	int utc = ((int)(hour * 60 + minute) - offset + 2 * 1440) % 1440;
	if (second == 60 && utc != 23 * 60 + 59)
		return "only 23:59 UTC has a second 60";
	return *text == '\0' ? NULL : "";
}

const char *
date_time_fault(const char *text, unsigned variant)
{
	const char *fault = take_date(&text);

	if (fault)
		return fault;
	if (*text == '\0')
		return "its time is missing";
	if (*text != 'T' && *text != 't')
		return "a T must follow the date";
	return time_fault(text + 1, 0);
}

/* Some of these units, each at most once, in order and without a gap. */
static const char *
take_units(const char **at, const char *units, bool *any)
{
	const char *next = NULL;

	while (**at >= '0' && **at <= '9') {
		*at += strspn(*at, ASCII_DIGITS);
		if (**at == '.' || **at == ',')
			return "fractions are not allowed";
		const char *unit = **at ? strchr(units, **at) : NULL;
		if (!unit)
			return **at ? "a number has the wrong unit" : "a number has no unit";
		if (next && unit != next)
			return "a unit is out of order or left out (write P1Y0M2D)";
		next = unit + 1;
		*any = true;
		(*at)++;
	}
	return NULL;
}

const char *
duration_fault(const char *text, unsigned variant)
{
	bool dates = false, times = false;

	if (*text++ != 'P')
		return "";
	size_t digits = strspn(text, ASCII_DIGITS);
	if (digits > 0 && text[digits] == 'W')
		return text[digits + 1] ? "weeks cannot be combined with other units" : NULL;
	const char *fault = take_units(&text, "YMD", &dates);
	if (fault)
		return fault;
	if (*text == 'T') {
		text++;
		fault = take_units(&text, "HMS", &times);
		if (fault)
			return fault;
		if (!times)
			return "nothing follows the T";
	}
	if (*text)
		return "";
	return dates || times ? NULL : "it has no unit";
}
