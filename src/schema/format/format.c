#include "format.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "schema/regex/regex.h"

#include <string.h>

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

/* The formatting characters of RFC 3987 section 4.1. */
static bool
is_directing(uint32_t point)
{
	return point == 0x200e || point == 0x200f || (point >= 0x202a && point <= 0x202e);
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

static bool
is_private(uint32_t point)
{
	return (point >= 0xe000 && point <= 0xf8ff) ||
	       (point >= 0xf0000 && (point & 0xffff) <= 0xfffd);
}

size_t
charset_take(const struct charset *set, unsigned also, const char *text, const char *end)
{
	uint32_t point;

	if (charset_has(set, *text))
		return 1;
	if (*text == '%' && also & ALSO_PERCENT)
		return end - text >= 3 && hex_number(text + 1, 2) >= 0 ? 3 : 0;
	if (!((unsigned char)*text & 0x80) || !(also & (ALSO_UCS | ALSO_PRIVATE)))
		return 0;
	size_t n = utf8_decode(text, (size_t)(end - text), &point);
	if (n == 0 || (is_directing(point) && !(also & ALSO_DIRECTING)))
		return 0;
	bool may = (also & ALSO_UCS && is_ucs(point)) || (also & ALSO_PRIVATE && is_private(point));
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

/* ECMA-262. */
static const char *
pattern_fault(const char *text)
{
	return regex_fault(text);
}

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

/* A number without leading zeros; NULL if there is none. */
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

static const struct format FORMATS[] = {
	{ "date-time", "a date and time", "2026-03-12T14:30:00Z", date_time_fault, false },
	{ "date", "a date", "2026-03-12", date_fault, false },
	{ "time", "a time", "14:30:00Z", time_fault, false },
	{ "duration", "a duration", "P3DT4H", duration_fault, false },
	{ "email", "an e-mail address", "ann@example.org", email_fault, true },
	{ "idn-email", "an e-mail address", "ann@example.org", idn_email_fault, true },
	{ "hostname", "a host name", "example.org", hostname_fault, true },
	{ "idn-hostname", "a host name",
	    "b\xc3\xbc"
	    "cher.example",
	    idn_hostname_fault, true },
	{ "ipv4", "an IPv4 address", "192.0.2.1", ipv4_fault, false },
	{ "ipv6", "an IPv6 address", "2001:db8::1", ipv6_fault, false },
	{ "uri", "a URI", "https://example.org/", uri_fault, false },
	{ "uri-reference", "a URI reference", "/a?b#c", uri_reference_fault, false },
	{ "iri", "an IRI", "https://example.org/\xc3\xa9", iri_fault, false },
	{ "iri-reference", "an IRI reference", "/\xc3\xa9", iri_reference_fault, false },
	{ "uri-template", "a URI template", "/users/{id}", uri_template_fault, false },
	{ "uuid", "a UUID", "123e4567-e89b-12d3-a456-426614174000", uuid_fault, false },
	{ "json-pointer", "a JSON Pointer", "/a/0", json_pointer_fault, false },
	{ "relative-json-pointer", "a relative JSON Pointer", "1/a", relative_json_pointer_fault,
	    false },
	{ "regex", "a regular expression", "^[a-z]+$", pattern_fault, false },
};

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
