#include "format.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <string.h>
#include <strings.h>

/* ---- addresses ---- */

static bool
ipv4_is(const char *text, size_t len)
{
	const char *end = text + len;

	for (unsigned parts = 1;; parts++) {
		const char *first = text;
		unsigned value = 0;
		while (text < end && *text >= '0' && *text <= '9' && text - first < 4)
			value = value * 10 + (unsigned)(*text++ - '0');
		if (text == first || text - first > 3 || value > 255 ||
		    (text - first > 1 && *first == '0'))
			return false;
		if (text == end)
			return parts == 4;
		if (*text++ != '.' || parts == 4)
			return false;
	}
}

/* A group of one to four digits; returns its length, 0 if there is none. */
static size_t
group_length(const char *text, const char *end)
{
	size_t n = 0;

	while (text + n < end && n < 5 && hex_digit(text[n]) >= 0)
		n++;
	return n < 5 ? n : 0;
}

bool
ipv6_is(const char *text, size_t len, unsigned least_gap)
{
	const char *end = text + len;
	unsigned groups = 0;
	bool gap = false, more = true;

	if (len >= 2 && memcmp(text, "::", 2) == 0) {
		gap = true;
		text += 2;
		more = text < end;
	}
	while (more && groups < 8) {
		size_t n = group_length(text, end);
		if (n == 0)
			return false;
		if (text + n < end && text[n] == '.') {
			groups += 2;
			if (!ipv4_is(text, (size_t)(end - text)))
				return false;
			more = false;
			break;
		}
		groups++;
		text += n;
		more = text < end;
		if (more && *text++ != ':')
			return false;
		if (more && text < end && *text == ':') {
			if (gap)
				return false;
			gap = true;
			more = ++text < end;
		}
	}
	return !more && (gap ? groups + least_gap <= 8 : groups == 8);
}

const char *
ipv4_fault(const char *text)
{
	if (ipv4_is(text, strlen(text)))
		return NULL;
	if (*text == '\0' || strspn(text, DIGITS ".") < strlen(text))
		return "";
	return "it must be four numbers up to 255 without leading zeros";
}

const char *
ipv6_fault(const char *text)
{
	size_t len = strlen(text);

	if (ipv6_is(text, len, 1))
		return NULL;
	if (strchr(text, '%'))
		return "a zone (after %) is not part of it";
	if (strchr(text, '/'))
		return "a prefix length (after /) is not part of it";
	return *text == '[' ? "brackets are not part of it" : "";
}

/* ---- e-mail ---- */

#define ATEXT LETTERS DIGITS "!#$%&'*+-/=?^_`{|}~"
#define LOCAL_MAX 64 /* octets, RFC 5321 section 4.5.3.1.1 */

/* The size of the non-ASCII character (UTF8-non-ascii, RFC 6532), or 0 if none is allowed here. */
static size_t
take_foreign(const char *text, const char *end, bool idn)
{
	uint32_t point;

	return idn && (unsigned char)*text & 0x80 ? utf8_decode(text, (size_t)(end - text), &point)
						  : 0;
}

/* Takes a quoted string: "a b". */
static const char *
take_quoted(const char **at, const char *end, bool idn)
{
	for ((*at)++; *at < end && **at != '"';) {
		size_t n = **at >= 0x20 && **at < 0x7f ? 1 : take_foreign(*at, end, idn);
		if (n && **at == '\\') {
			(*at)++;
			n = *at < end && **at >= 0x20 && **at < 0x7f;
		}
		if (n == 0)
			return "a character is not allowed in the quotes";
		*at += n;
	}
	if (*at == end)
		return "the quotes are not closed";
	(*at)++;
	return NULL;
}

/* Takes words separated by single dots. */
static const char *
take_words(const char **at, const char *end, bool idn)
{
	struct charset atext = charset_of(ATEXT);
	bool word = false;

	for (size_t n; *at < end; *at += n) {
		n = charset_has(&atext, **at) ? 1 : take_foreign(*at, end, idn);
		if (n == 0 && **at != '.')
			break;
		if (n == 0 && !word)
			return "it begins with a dot or has two in a row";
		word = n > 0;
		n += n == 0;
	}
	if (*at < end && **at == '@' && !word)
		return "the part before the @ is empty or ends with a dot";
	return NULL;
}

/* "[192.0.2.1]", RFC 5321 section 4.1.3. */
static bool
is_literal(const char *text, size_t len)
{
	if (len < 2 || text[len - 1] != ']')
		return false;
	text++;
	len -= 2;
	if (len > 5 && strncasecmp(text, "IPv6:", 5) == 0)
		return ipv6_is(text + 5, len - 5, 2);
	return ipv4_is(text, len);
}

static const char *
mailbox_fault(const char *text, bool idn)
{
	const char *at = text, *end = text + strlen(text);

	if (!strchr(text, '@'))
		return "there is no @";
	const char *fault = *at == '"' ? take_quoted(&at, end, idn) : take_words(&at, end, idn);
	if (fault)
		return fault;
	if (*at != '@')
		return *at == ' ' ? "it contains a space"
				  : "a character is not allowed before the @";
	if (at - text > LOCAL_MAX)
		return "there are more than 64 characters before the @";
	at++;
	if (*at == '[')
		return is_literal(at, (size_t)(end - at))
			   ? NULL
			   : "the brackets do not contain an IP address";
	fault = idn ? loose_idn_hostname_fault(at) : hostname_fault(at);
	if (!fault || fault == FORMAT_UNCHECKED)
		return fault;
	return *at ? "the part after the @ is not a host name" : "nothing follows the @";
}

const char *
email_fault(const char *text)
{
	return mailbox_fault(text, false);
}

const char *
idn_email_fault(const char *text)
{
	return mailbox_fault(text, true);
}
