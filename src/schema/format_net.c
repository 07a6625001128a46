#include "format_priv.h"

#include <string.h>

#define DIGITS "0123456789"
#define HEX DIGITS "abcdefABCDEF"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define UNRESERVED LETTERS DIGITS "-._~"
#define SUB_DELIMS "!$&'()*+,;="

static bool
is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool
is_ipv4_part(const char *text, size_t len)
{
	const char *end = text + len;
	unsigned parts = 0;

	for (;;) {
		unsigned value = 0, digits = 0;
		while (text < end && is_one_of(*text, DIGITS) && digits < 4) {
			value = value * 10 + (unsigned)(*text++ - '0');
			digits++;
		}
		if (digits == 0 || digits > 3 || value > 255 ||
		    (digits > 1 && text[-(int)digits] == '0'))
			return false;
		parts++;
		if (text == end)
			return parts == 4;
		if (*text++ != '.')
			return false;
	}
}

bool
is_ipv4(const char *text)
{
	return is_ipv4_part(text, strlen(text));
}

/* RFC 4291 section 2.2. */
bool
is_ipv6_part(const char *text, size_t len)
{
	const char *end = text + len;
	unsigned groups = 0;
	bool gap = false;

	if (len >= 2 && text[0] == ':' && text[1] == ':') {
		gap = true;
		text += 2;
	}
	while (text < end) {
		const char *colon = memchr(text, ':', (size_t)(end - text));
		size_t n = (size_t)((colon ? colon : end) - text);
		if (!colon && memchr(text, '.', n)) {
			groups += 2;
			return is_ipv4_part(text, n) && (gap ? groups < 8 : groups == 8);
		}
		if (n == 0 || n > 4)
			return false;
		for (size_t i = 0; i < n; i++)
			if (!is_one_of(text[i], HEX))
				return false;
		groups++;
		text += n;
		if (text == end)
			break;
		text++;
		if (text < end && *text == ':') {
			if (gap)
				return false;
			gap = true;
			text++;
		} else if (text == end) {
			return false;
		}
	}
	return gap ? groups < 8 : groups == 8;
}

bool
is_ipv6(const char *text)
{
	return is_ipv6_part(text, strlen(text));
}

/* RFC 1123 section 2.1; xn-- labels are not looked into. */
bool
is_hostname(const char *text)
{
	size_t len = strlen(text);

	if (len == 0 || len > 253)
		return false;
	while (*text) {
		size_t label = strspn(text, LETTERS DIGITS "-");
		if (label == 0 || label > 63 || text[0] == '-' || text[label - 1] == '-')
			return false;
		if (label >= 4 && text[2] == '-' && text[3] == '-' && (text[0] | 32) != 'x')
			return false;
		text += label;
		if (*text == '\0')
			return true;
		if (*text++ != '.')
			return false;
	}
	return false;
}

static bool
is_quoted_local(const char *text, size_t len)
{
	if (len < 2 || text[0] != '"' || text[len - 1] != '"')
		return false;
	for (size_t i = 1; i + 1 < len; i++) {
		if (text[i] == '"')
			return false;
		if (text[i] == '\\' && ++i + 1 >= len)
			return false;
	}
	return true;
}

static bool
is_dotted_local(const char *text, size_t len)
{
	bool dot = true;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '.' && dot)
			return false;
		if (text[i] != '.' && !is_one_of(text[i], LETTERS DIGITS "!#$%&'*+-/=?^_`{|}~"))
			return false;
		dot = text[i] == '.';
	}
	return !dot;
}

/* RFC 5321 section 4.1.2. */
bool
is_email(const char *text)
{
	const char *at = strrchr(text, '@');

	if (!at || at == text || at - text > 64)
		return false;
	size_t local = (size_t)(at - text);
	if (!is_dotted_local(text, local) && !is_quoted_local(text, local))
		return false;
	const char *host = at + 1;
	size_t len = strlen(host);
	if (host[0] != '[')
		return is_hostname(host);
	if (host[len - 1] != ']')
		return false;
	if (strncmp(host, "[IPv6:", 6) == 0)
		return is_ipv6_part(host + 6, len - 7);
	return is_ipv4_part(host + 1, len - 2);
}

/* Text of these characters and %XX only. */
static bool
is_made_of(const char *text, size_t len, const char *set)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '%') {
			if (i + 2 >= len || !is_one_of(text[i + 1], HEX) ||
			    !is_one_of(text[i + 2], HEX))
				return false;
			i += 2;
		} else if (!is_one_of(text[i], set)) {
			return false;
		}
	}
	return true;
}

static bool
is_authority(const char *text, size_t len)
{
	const char *at = memchr(text, '@', len);

	if (at) {
		size_t user = (size_t)(at - text);
		if (!is_made_of(text, user, UNRESERVED SUB_DELIMS ":"))
			return false;
		text += user + 1;
		len -= user + 1;
	}
	size_t host = 0;
	if (len > 0 && text[0] == '[') {
		const char *close = memchr(text, ']', len);
		if (!close || !is_ipv6_part(text + 1, (size_t)(close - text) - 1))
			return false;
		host = (size_t)(close - text) + 1;
	} else {
		const char *colon = memchr(text, ':', len);
		host = colon ? (size_t)(colon - text) : len;
		if (!is_made_of(text, host, UNRESERVED SUB_DELIMS))
			return false;
	}
	if (host == len)
		return true;
	return text[host] == ':' && is_made_of(text + host + 1, len - host - 1, DIGITS) &&
	       !memchr(text + host + 1, '%', len - host - 1);
}

/* RFC 3986. */
static bool
is_uri_or_reference(const char *text, bool needs_scheme)
{
	size_t n = strspn(text, LETTERS DIGITS "+-.");
	bool scheme = text[n] == ':' && n > 0 && is_one_of(text[0], LETTERS);

	if (scheme)
		text += n + 1;
	else if (needs_scheme)
		return false;
	if (text[0] == '/' && text[1] == '/') {
		n = strcspn(text + 2, "/?#");
		if (!is_authority(text + 2, n))
			return false;
		text += 2 + n;
	}
	n = strcspn(text, "?#");
	/* Without a scheme a colon in the first segment would make one. */
	size_t segment = strcspn(text, "/?#");
	if (!scheme && memchr(text, ':', segment))
		return false;
	if (!is_made_of(text, n, UNRESERVED SUB_DELIMS ":@/"))
		return false;
	text += n;
	if (*text == '?') {
		n = strcspn(text + 1, "#");
		if (!is_made_of(text + 1, n, UNRESERVED SUB_DELIMS ":@/?"))
			return false;
		text += 1 + n;
	}
	return *text == '\0' ||
	       is_made_of(text + 1, strlen(text + 1), UNRESERVED SUB_DELIMS ":@/?");
}

bool
is_uri(const char *text)
{
	return is_uri_or_reference(text, true);
}

bool
is_uri_reference(const char *text)
{
	return is_uri_or_reference(text, false);
}
