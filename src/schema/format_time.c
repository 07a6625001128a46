#include "format_priv.h"

#include <string.h>

/* RFC 3339 section 5.6. */

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

static unsigned
days_in(unsigned year, unsigned month)
{
	static const unsigned char DAYS[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return DAYS[month - 1] + (month == 2 && leap);
}

static bool
take_date(const char **at)
{
	unsigned year, month, day;

	return take_digits(at, 4, &year) && take_char(at, '-') && take_digits(at, 2, &month) &&
	       take_char(at, '-') && take_digits(at, 2, &day) && month >= 1 && month <= 12 &&
	       day >= 1 && day <= days_in(year, month);
}

/* "Z" or "+01:30"; *minutes east of UTC. */
static bool
take_offset(const char **at, int *minutes)
{
	unsigned hour, minute;
	char sign = **at;

	*minutes = 0;
	if (sign == 'Z' || sign == 'z') {
		(*at)++;
		return true;
	}
	if (sign != '+' && sign != '-')
		return false;
	(*at)++;
	if (!take_digits(at, 2, &hour) || !take_char(at, ':') || !take_digits(at, 2, &minute) ||
	    hour > 23 || minute > 59)
		return false;
	*minutes = (int)(hour * 60 + minute) * (sign == '-' ? -1 : 1);
	return true;
}

static bool
take_time(const char **at)
{
	unsigned hour, minute, second;
	int offset;

	if (!take_digits(at, 2, &hour) || !take_char(at, ':') || !take_digits(at, 2, &minute) ||
	    !take_char(at, ':') || !take_digits(at, 2, &second))
		return false;
	if (take_char(at, '.')) {
		size_t digits = strspn(*at, "0123456789");
		if (digits == 0)
			return false;
		*at += digits;
	}
	if (!take_offset(at, &offset) || hour > 23 || minute > 59 || second > 60)
		return false;
	/* A leap second ends a day of UTC. */
	int utc = ((int)(hour * 60 + minute) - offset + 2 * 1440) % 1440;
	return second < 60 || utc == 23 * 60 + 59;
}

bool
is_date(const char *text)
{
	return take_date(&text) && *text == '\0';
}

bool
is_time(const char *text)
{
	return take_time(&text) && *text == '\0';
}

bool
is_date_time(const char *text)
{
	if (!take_date(&text) || (*text != 'T' && *text != 't'))
		return false;
	text++;
	return is_time(text);
}

/* Some of the units of one half, each once and in order. */
static bool
take_units(const char **at, const char *units, bool *any, bool contiguous)
{
	const char *next = units;

	while (**at >= '0' && **at <= '9') {
		*at += strspn(*at, "0123456789");
		const char *unit = **at ? strchr(next, **at) : NULL;
		if (!unit || (contiguous && *any && unit != next))
			return false;
		next = unit + 1;
		*any = true;
		(*at)++;
	}
	return true;
}

/* RFC 3339 appendix A: weeks alone, or units without a gap. */
bool
is_duration(const char *text)
{
	bool any = false, time = false;

	if (*text++ != 'P')
		return false;
	size_t digits = strspn(text, "0123456789");
	if (digits > 0 && text[digits] == 'W')
		return text[digits + 1] == '\0';
	if (!take_units(&text, "YMD", &any, true))
		return false;
	if (*text == 'T') {
		text++;
		if (!take_units(&text, "HMS", &time, true) || !time)
			return false;
	}
	return (any || time) && *text == '\0';
}
