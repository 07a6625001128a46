/* SPDX-License-Identifier: MIT */
#include "format.h"

#include "base/ascii.h"
#include "base/moment.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "schema/regex/regex.h"

#include <string.h>

/* ---- times, RFC 3339 section 5.6 and appendix A ---- */

/* Each take_ moves *at past the text it reads and reports errors in it. */

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

/* "Z" or "+01:30"; *minutes is the offset east of UTC. */
static const char *
take_offset(const char **at, int *minutes)
{
	unsigned hour, minute;
	char sign = **at;

	*minutes = 0;
	if (sign == '\0')
		return "its offset is missing (Z or +01:00)";
	(*at)++;
	if (sign == 'Z' || sign == 'z')
		return NULL;
	if ((sign != '+' && sign != '-') || !take_digits(at, 2, &hour) || !take_char(at, ':') ||
	    !take_digits(at, 2, &minute) || hour > 23 || minute > 59)
		return "its offset is neither Z nor like +01:00";
	*minutes = (int)(hour * 60 + minute) * (sign == '-' ? -1 : 1);
	return NULL;
}

static const char *
take_time(const char **at)
{
	unsigned hour, minute, second;
	int offset;

	if (!take_digits(at, 2, &hour) || !take_char(at, ':') || !take_digits(at, 2, &minute) ||
	    !take_char(at, ':') || !take_digits(at, 2, &second))
		return "";
	if (take_char(at, '.')) {
		size_t digits = strspn(*at, DIGITS);
		if (digits == 0)
			return "no digit follows the point";
		*at += digits;
	}
	if (hour > 23 || minute > 59 || second > 60)
		return "there is no such time of day";
	const char *fault = take_offset(at, &offset);
	if (fault)
		return fault;
	int utc = ((int)(hour * 60 + minute) - offset + 2 * 1440) % 1440;
	if (second == 60 && utc != 23 * 60 + 59)
		return "only 23:59 UTC has a second 60";
	return NULL;
}

static const char *
date_fault(const char *text)
{
	const char *fault = take_date(&text);

	return fault || *text == '\0' ? fault : "";
}

static const char *
time_fault(const char *text)
{
	const char *fault = take_time(&text);

	return fault || *text == '\0' ? fault : "";
}

static const char *
date_time_fault(const char *text)
{
	const char *fault = take_date(&text);

	if (fault)
		return fault;
	if (*text == '\0')
		return "its time is missing";
	if (*text != 'T' && *text != 't')
		return "a T must follow the date";
	return time_fault(text + 1);
}

/* Some of these units, each at most once, in order and without a gap. */
static const char *
take_units(const char **at, const char *units, bool *any)
{
	const char *next = NULL;

	while (**at >= '0' && **at <= '9') {
		*at += strspn(*at, DIGITS);
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

static const char *
duration_fault(const char *text)
{
	bool dates = false, times = false;

	if (*text++ != 'P')
		return "";
	size_t digits = strspn(text, DIGITS);
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

/* ---- characters ---- */

void
charset_add(struct charset *set, const char *members)
{
	for (; *members; members++)
		set->bits[*members >> 6 & 1] |= UINT64_C(1) << (*members & 63);
}

struct charset
charset_of(const char *members)
{
	struct charset set = { { 0, 0 } };

	charset_add(&set, members);
	return set;
}

bool
charset_has(const struct charset *set, char c)
{
	unsigned char byte = (unsigned char)c;

	return byte < 128 && set->bits[byte >> 6] >> (byte & 63) & 1;
}

/* RFC 3987 section 2.2. */
static bool
is_ucs(uint32_t point)
{
	if (point < 0x10000)
		return (point >= 0xa0 && point < 0xd800) || (point >= 0xf900 && point <= 0xfdcf) ||
		       (point >= 0xfdf0 && point <= 0xffef);
	return point < 0xf0000 && (point & 0xffff) <= 0xfffd &&
	       (point < 0xe0000 || point >= 0xe1000);
}

size_t
charset_take(const struct charset *set, unsigned also, const char *text, const char *end)
{
	uint32_t point = 0;

	if (charset_has(set, *text))
		return 1;
	if (*text == '%' && also & ALSO_PERCENT)
		return end - text >= 3 && hex_number(text + 1, 2) >= 0 ? 3 : 0;
	if (!((unsigned char)*text & 0x80) || !(also & (ALSO_UCS | ALSO_PRIVATE)))
		return 0;
	size_t n = utf8_decode(text, (size_t)(end - text), &point);
	/* The formatting characters of RFC 3987 section 4.1. */
	bool directs = point == 0x200e || point == 0x200f || (point >= 0x202a && point <= 0x202e);
	if (n == 0 || (directs && !(also & ALSO_DIRECTING)))
		return 0;
	bool is_private = (point >= 0xe000 && point <= 0xf8ff) ||
			  (point >= 0xf0000 && (point & 0xffff) <= 0xfffd);
	bool may = (also & ALSO_UCS && is_ucs(point)) || (also & ALSO_PRIVATE && is_private);
	return may ? n : 0;
}

const char *
charset_fault(unsigned also, char c)
{
	if (c == '%')
		return "% is not followed by two hexadecimal digits";
	if (c == ' ')
		return "a space must be written as %20";
	if ((unsigned char)c & 0x80 && !(also & ALSO_UCS))
		return "a character outside ASCII must be written as %XX";
	return strchr("\\^`{|}<>\"", c) ? "one of \\ ^ ` { | } < > \" is in it"
					: "a character is not allowed in that place";
}

/* ---- the table ---- */

/* RFC 6901 section 3. */
static const char *
json_pointer_fault(const char *text)
{
	if (*text && *text != '/')
		return "it does not begin with /";
	for (text = strchr(text, '~'); text; text = strchr(text + 1, '~'))
		if (text[1] != '0' && text[1] != '1')
			return "a ~ is written ~0";
	return NULL;
}

/* The end of a number without leading zeros; NULL if the text does not begin with one. */
static const char *
after_number(const char *text)
{
	size_t digits = strspn(text, DIGITS);

	return digits == 0 || (digits > 1 && *text == '0') ? NULL : text + digits;
}

/* draft-bhutton-relative-json-pointer-00 section 3. */
static const char *
relative_json_pointer_fault(const char *text)
{
	const char *rest = after_number(text);

	if (rest && (*rest == '+' || *rest == '-'))
		rest = after_number(rest + 1);
	if (!rest)
		return "it must begin with a number without leading zeros";
	if (strcmp(rest, "#") == 0)
		return NULL;
	return *rest && *rest != '/' ? "only # or / may follow its number"
				     : json_pointer_fault(rest);
}

/* RFC 4122 section 3. */
static const char *
uuid_fault(const char *text)
{
	size_t i = 0;

	for (; text[i]; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		if (i == 36 || (dash ? text[i] != '-' : hex_digit(text[i]) < 0))
			return "";
	}
	return i == 36 ? NULL : "";
}

/* clang-format off */
static const struct format FORMATS[] = {
	{ "date-time", "a date and time", "2026-03-12T14:30:00Z", date_time_fault, false },
	{ "date", "a date", "2026-03-12", date_fault, false },
	{ "time", "a time", "14:30:00Z", time_fault, false },
	{ "duration", "a duration", "P3DT4H", duration_fault, false },
	{ "email", "an e-mail address", "ann@example.org", email_fault, true },
	{ "idn-email", "an e-mail address", "ann@example.org", idn_email_fault, true },
	{ "hostname", "a host name", "example.org", hostname_fault, true },
	{ "idn-hostname", "a host name", "b\303\274cher.example", idn_hostname_fault, true },
	{ "ipv4", "an IPv4 address", "192.0.2.1", ipv4_fault, false },
	{ "ipv6", "an IPv6 address", "2001:db8::1", ipv6_fault, false },
	{ "uri", "a URI", "https://example.org/", uri_fault, false },
	{ "uri-reference", "a URI reference", "/a?b#c", uri_reference_fault, false },
	{ "iri", "an IRI", "https://example.org/\303\251", iri_fault, false },
	{ "iri-reference", "an IRI reference", "/\303\251", iri_reference_fault, false },
	{ "uri-template", "a URI template", "/users/{id}", uri_template_fault, false },
	{ "uuid", "a UUID", "123e4567-e89b-12d3-a456-426614174000", uuid_fault, false },
	{ "json-pointer", "a JSON Pointer", "/a/0", json_pointer_fault, false },
	{ "relative-json-pointer", "a relative JSON Pointer", "1/a", relative_json_pointer_fault, false },
	{ "regex", "a regular expression", "^[a-z]+$", regex_fault, false },
};
/* clang-format on */

#define FORMAT_COUNT ARRAY_LEN(FORMATS)

const struct format *
format_at(size_t index)
{
	return index < FORMAT_COUNT ? &FORMATS[index] : NULL;
}

const struct format *
format_find(const char *name)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (strcmp(FORMATS[i].name, name) == 0)
			return &FORMATS[i];
	return NULL;
}

/* A label outside ASCII takes libidn2 up to half a microsecond an octet; the length of a host name
 * is limited. */
size_t
format_cost(const struct format *format, const char *text)
{
	size_t len = strlen(text), ascii = 0;

	while (format->hosts && ascii < len && !((unsigned char)text[ascii] & 0x80))
		ascii++;
	bool foreign = format->hosts && (ascii < len || strstr(text, "--"));
	return len / 2 + (foreign ? 8 * (len < 1024 ? len : 1024) : 0);
}
