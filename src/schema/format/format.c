/* SPDX-License-Identifier: MIT */
#include "format.h"

#include "base/ascii.h"
#include "base/moment.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "schema/regex/regex.h"

#include <string.h>

/* ---- characters ---- */

static void
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

/* Characters allowed in addition to a charset. */
enum {
	ALSO_PERCENT = 1 << 0,   /* %41 */
	ALSO_UCS = 1 << 1,       /* ucschar of RFC 3987 section 2.2 */
	ALSO_PRIVATE = 1 << 2,   /* iprivate */
	ALSO_DIRECTING = 1 << 3, /* the ucschars that section 4.1 forbids in IRIs */
};

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

/* The size of the character at text in bytes (three for %41); 0 if it is not allowed there. */
static size_t
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

/* Why it is not allowed; never NULL. */
static const char *
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

/* ---- references ---- */

/* The parts of a URI reference, RFC 3986 section 3. A missing part has a NULL start. */
struct part {
	const char *at;
	size_t len;
};

struct uri {
	struct part scheme, authority, path, query, fragment;
};

static void
uri_split(const char *text, struct uri *uri)
{
	*uri = (struct uri){ 0 };
	size_t n = strcspn(text, ":/?#");
	if (text[n] == ':' && n > 0) {
		uri->scheme = (struct part){ text, n };
		text += n + 1;
	}
	if (text[0] == '/' && text[1] == '/') {
		text += 2;
		n = strcspn(text, "/?#");
		uri->authority = (struct part){ text, n };
		text += n;
	}
	n = strcspn(text, "?#");
	uri->path = (struct part){ text, n };
	text += n;
	if (*text == '?') {
		text++;
		n = strcspn(text, "#");
		uri->query = (struct part){ text, n };
		text += n;
	}
	if (*text == '#')
		uri->fragment = (struct part){ text + 1, strlen(text + 1) };
}

/* RFC 3986 section 5.2.4, on path[from..). */
static void
remove_dots(struct buf *path)
{
	struct buf out = BUF_INIT;
	const char *at = buf_text(path);

	while (*at) {
		size_t n = strcspn(at + 1, "/") + 1;
		bool last = at[n] == '\0';
		if (n == 2 && memcmp(at, "/.", 2) == 0) {
			if (last)
				buf_add_char(&out, '/');
		} else if (n == 3 && memcmp(at, "/..", 3) == 0) {
			while (out.len > 0 && out.data[out.len - 1] != '/')
				buf_truncate(&out, out.len - 1);
			if (out.len > 0)
				buf_truncate(&out, out.len - 1);
			if (last)
				buf_add_char(&out, '/');
		} else {
			buf_add(&out, at, n);
		}
		at += n;
	}
	buf_clear(path);
	buf_add(path, buf_text(&out), out.len);
	buf_finish(&out);
}

static void
add_part(struct buf *out, const char *before, const struct part *part, const char *after)
{
	if (!part->at)
		return;
	buf_add_str(out, before);
	buf_add(out, part->at, part->len);
	buf_add_str(out, after);
}

void
uri_resolve(const char *base_text, const char *reference, struct buf *out)
{
	struct uri base, ref;
	struct buf path = BUF_INIT;

	uri_split(base_text, &base);
	uri_split(reference, &ref);
	if (!ref.scheme.at) {
		ref.scheme = base.scheme;
		if (!ref.authority.at) {
			ref.authority = base.authority;
			if (ref.path.len == 0) {
				if (!ref.query.at)
					ref.query = base.query;
				buf_add(&path, base.path.at, base.path.len);
			} else if (ref.path.at[0] != '/') {
				/* RFC 3986 section 5.2.3. */
				size_t keep = base.path.len;
				while (keep > 0 && base.path.at[keep - 1] != '/')
					keep--;
				buf_add(&path, base.path.at, keep);
				if (base.authority.at && base.path.len == 0)
					buf_add_char(&path, '/');
				buf_add(&path, ref.path.at, ref.path.len);
			}
		}
	}
	if (path.len == 0)
		buf_add(&path, ref.path.at, ref.path.len);
	if (path.len > 0 && path.data[0] == '/')
		remove_dots(&path);
	add_part(out, "", &ref.scheme, ":");
	add_part(out, "//", &ref.authority, "");
	buf_add(out, buf_text(&path), path.len);
	add_part(out, "?", &ref.query, "");
	add_part(out, "#", &ref.fragment, "");
	buf_finish(&path);
}

/* ---- formats ---- */

#define SUB_DELIMS "!$&'()*+,;="
#define UNRESERVED LETTERS DIGITS "-._~"

enum { NEEDS_SCHEME = 1 << 0, IS_IRI = 1 << 1 };

struct syntax {
	struct charset text; /* unreserved, sub-delims */
	unsigned also;
};

/* All of text[0..len) consists of allowed characters or of these. */
static const char *
part_fault(
    const struct syntax *syntax, const char *extra, unsigned also, const char *text, size_t len)
{
	const char *end = text + len;
	struct charset set = syntax->text;

	charset_add(&set, extra);
	also |= syntax->also;
	while (text < end) {
		size_t n = charset_take(&set, also, text, end);
		if (n == 0)
			return charset_fault(also, *text);
		text += n;
	}
	return NULL;
}

/* "v1.x", RFC 3986 section 3.2.2. */
static bool
is_future_address(const char *text, size_t len)
{
	struct charset set = charset_of(UNRESERVED SUB_DELIMS ":");
	size_t at = 1;

	if (len == 0 || (*text | 0x20) != 'v')
		return false;
	while (at < len && hex_digit(text[at]) >= 0)
		at++;
	if (at == 1 || at + 1 >= len || text[at] != '.')
		return false;
	for (at++; at < len && charset_has(&set, text[at]);)
		at++;
	return at == len;
}

static const char *
authority_fault(const struct syntax *syntax, const char *text, size_t len)
{
	const char *at = memchr(text, '@', len), *end = text + len;

	if (at) {
		const char *fault = part_fault(syntax, ":", 0, text, (size_t)(at - text));
		if (fault)
			return fault;
		text = at + 1;
	}
	const char *port = end;
	while (port > text && port[-1] >= '0' && port[-1] <= '9')
		port--;
	if (port > text && port[-1] == ':')
		end = port - 1;
	/* Any other colon belongs to the host only within brackets. */
	if (text < end && *text != '[' && memchr(text, ':', (size_t)(end - text)))
		return "the host's colon is not followed by a port";
	len = (size_t)(end - text);
	if (len == 0 || *text != '[')
		return part_fault(syntax, "", 0, text, len);
	if (len > 2 && text[len - 1] == ']' &&
	    (ipv6_is(text + 1, len - 2, 1) || is_future_address(text + 1, len - 2)))
		return NULL;
	return "the brackets do not contain an IPv6 address";
}

static const char *
reference_fault(const char *text, unsigned kind)
{
	struct syntax syntax = { charset_of(UNRESERVED SUB_DELIMS), ALSO_PERCENT };
	const char *fault = NULL;
	size_t name = strspn(text, LETTERS DIGITS "+-.");
	bool scheme = name > 0 && text[name] == ':' && strchr(LETTERS, *text);
	unsigned private = kind & IS_IRI ? ALSO_PRIVATE : 0;

	if (kind & IS_IRI)
		syntax.also |= ALSO_UCS;
	if (!scheme && kind & NEEDS_SCHEME)
		return "it does not begin with a scheme, such as https:";
	text += scheme ? name + 1 : 0;
	bool authority = text[0] == '/' && text[1] == '/';
	if (authority) {
		size_t n = strcspn(text + 2, "/?#");
		fault = authority_fault(&syntax, text + 2, n);
		text += 2 + n;
	}
	size_t path = strcspn(text, "?#");
	/* a colon in the first segment would be read as the end of a scheme */
	if (!fault && !scheme && !authority && memchr(text, ':', strcspn(text, "/?#")))
		fault = "the part before its colon is not a scheme";
	fault = fault ? fault : part_fault(&syntax, ":@/", 0, text, path);
	text += path;
	if (!fault && *text == '?') {
		size_t query = strcspn(++text, "#");
		fault = part_fault(&syntax, ":@/?", private, text, query);
		text += query;
	}
	if (!fault && *text == '#')
		fault = part_fault(&syntax, ":@/?", 0, text + 1, strlen(text + 1));
	return fault;
}

static const char *
uri_fault(const char *text)
{
	return reference_fault(text, NEEDS_SCHEME);
}

static const char *
uri_reference_fault(const char *text)
{
	return reference_fault(text, 0);
}

static const char *
iri_fault(const char *text)
{
	return reference_fault(text, IS_IRI | NEEDS_SCHEME);
}

static const char *
iri_reference_fault(const char *text)
{
	return reference_fault(text, IS_IRI);
}

/* ---- templates ---- */

/* RFC 6570 section 2.1, plus the apostrophe, which erratum 6937 allows. */
#define LITERALS LETTERS DIGITS "!#$&'()*+,-./:;=?@[]_~"
#define OPERATORS "+#./;?&=,!@|"

/* A name: letters, digits, _ and %41, separated by single dots. */
static bool
take_name(const struct charset *set, const char **at, const char *end)
{
	for (;;) {
		size_t n = charset_take(set, ALSO_PERCENT, *at, end);
		if (n == 0)
			return false;
		do
			*at += n;
		while (*at < end && (n = charset_take(set, ALSO_PERCENT, *at, end)) > 0);
		if (**at != '.')
			return true;
		(*at)++;
	}
}

/* The rest of an expression after "{", with its "}". */
static const char *
take_expression(const struct charset *names, const char **at, const char *end)
{
	if (**at && strchr(OPERATORS, **at))
		(*at)++;
	for (;;) {
		if (!take_name(names, at, end))
			return **at == '}' || **at == ',' ? "a name is missing in braces"
							  : "a name in braces is invalid";
		if (**at == '*') {
			(*at)++;
		} else if (**at == ':') {
			size_t digits = strspn(++*at, DIGITS);
			if (digits == 0 || digits > 4 || **at == '0')
				return "the length after : is not between 1 and 9999";
			*at += digits;
		}
		if (**at == '}') {
			(*at)++;
			return NULL;
		}
		if (**at != ',')
			return **at ? "names in braces must be separated by commas"
				    : "a brace is not closed";
		(*at)++;
	}
}

static const char *
uri_template_fault(const char *text)
{
	struct charset literals = charset_of(LITERALS), names = charset_of(LETTERS DIGITS "_");
	unsigned also = ALSO_PERCENT | ALSO_UCS | ALSO_PRIVATE | ALSO_DIRECTING;
	const char *end = text + strlen(text);

	while (text < end) {
		if (*text == '{') {
			text++;
			const char *fault = take_expression(&names, &text, end);
			if (fault)
				return fault;
			continue;
		}
		size_t n = charset_take(&literals, also, text, end);
		if (n == 0)
			return *text == '}' ? "a closing brace has no opening brace"
					    : charset_fault(also, *text);
		text += n;
	}
	return NULL;
}

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
