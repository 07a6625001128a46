#include "format_priv.h"

#include "regex_priv.h"

#include <string.h>

static const struct format FORMATS[] = {
	{ "date-time", "a date and time (2026-03-12T14:30:00Z)", is_date_time },
	{ "date", "a date (2026-03-12)", is_date },
	{ "time", "a time (14:30:00Z)", is_time },
	{ "duration", "a duration (P3DT4H)", is_duration },
	{ "email", "an e-mail address", is_email },
	{ "uri", "a URI (https://example.org/)", is_uri },
	{ "uri-reference", "a URI reference", is_uri_reference },
	{ "uuid", "a UUID (123e4567-e89b-12d3-a456-426614174000)", is_uuid },
	{ "ipv4", "an IPv4 address (192.0.2.1)", is_ipv4 },
	{ "ipv6", "an IPv6 address (2001:db8::1)", is_ipv6 },
	{ "hostname", "a host name (example.org)", is_hostname },
	{ "regex", "a regular expression", regex_is_valid },
	{ "json-pointer", "a JSON Pointer (/a/0)", is_json_pointer },
	{ "relative-json-pointer", "a relative JSON Pointer (1/a)", is_relative_json_pointer },
};

const struct format *
format_find(const char *name)
{
	for (size_t i = 0; i < sizeof(FORMATS) / sizeof(*FORMATS); i++)
		if (strcmp(FORMATS[i].name, name) == 0)
			return &FORMATS[i];
	return NULL;
}

bool
format_matches(const struct format *format, const char *text)
{
	return format->matches(text);
}

/* RFC 6901. */
bool
is_json_pointer(const char *text)
{
	if (*text && *text != '/')
		return false;
	for (; *text; text++)
		if (*text == '~' && text[1] != '0' && text[1] != '1')
			return false;
	return true;
}

bool
is_relative_json_pointer(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	if (digits == 0 || (digits > 1 && text[0] == '0'))
		return false;
	text += digits;
	return strcmp(text, "#") == 0 || is_json_pointer(text);
}

/* RFC 4122: 8-4-4-4-12 hexadecimal digits. */
bool
is_uuid(const char *text)
{
	size_t i = 0;

	for (; text[i]; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		if (dash ? text[i] != '-' : !strchr("0123456789abcdefABCDEF", text[i]))
			return false;
	}
	return i == 36;
}
