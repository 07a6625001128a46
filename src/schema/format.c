#include "format_priv.h"

#include "base/hex.h"

#include "regex_priv.h"

#include <string.h>

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

/* A number without leading zeros; NULL where none is. */
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
		return "a number without leading zeros must begin it";
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
	{ "date-time", "a date and time", "2026-03-12T14:30:00Z", date_time_fault },
	{ "date", "a date", "2026-03-12", date_fault },
	{ "time", "a time", "14:30:00Z", time_fault },
	{ "duration", "a duration", "P3DT4H", duration_fault },
	{ "email", "an e-mail address", "ann@example.org", email_fault },
	{ "idn-email", "an e-mail address", "ann@example.org", idn_email_fault },
	{ "hostname", "a host name", "example.org", hostname_fault },
	{ "idn-hostname", "a host name",
	    "b\xc3\xbc"
	    "cher.example",
	    idn_hostname_fault },
	{ "ipv4", "an IPv4 address", "192.0.2.1", ipv4_fault },
	{ "ipv6", "an IPv6 address", "2001:db8::1", ipv6_fault },
	{ "uri", "a URI", "https://example.org/", uri_fault },
	{ "uri-reference", "a URI reference", "/a?b#c", uri_reference_fault },
	{ "iri", "an IRI", "https://example.org/\xc3\xa9", iri_fault },
	{ "iri-reference", "an IRI reference", "/\xc3\xa9", iri_reference_fault },
	{ "uri-template", "a URI template", "/users/{id}", uri_template_fault },
	{ "uuid", "a UUID", "123e4567-e89b-12d3-a456-426614174000", uuid_fault },
	{ "json-pointer", "a JSON Pointer", "/a/0", json_pointer_fault },
	{ "relative-json-pointer", "a relative JSON Pointer", "1/a", relative_json_pointer_fault },
	{ "regex", "a regular expression", "^[a-z]+$", pattern_fault },
};

#define FORMAT_COUNT (sizeof(FORMATS) / sizeof(*FORMATS))

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

bool
format_matches(const struct format *format, const char *text)
{
	return !format->fault(text);
}
