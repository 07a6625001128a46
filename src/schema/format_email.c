#include "format_priv.h"

#include "base/utf8.h"

#include <string.h>
#include <strings.h>

#define ATEXT LETTERS DIGITS "!#$%&'*+-/=?^_`{|}~"
#define LOCAL_MAX 64 /* octets, RFC 5321 section 4.5.3.1.1 */

/* One character outside ASCII where they may stand (UTF8-non-ascii, RFC 6532); else 0. */
static size_t
take_foreign(const char *text, const char *end, bool idn)
{
	uint32_t point;

	return idn && (unsigned char)*text & 0x80 ? utf8_decode(text, (size_t)(end - text), &point)
						  : 0;
}

/* Takes "a b" in quotes. */
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

/* Takes words with single dots between them. */
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
			return "a dot begins it or follows another";
		word = n > 0;
		n += n == 0;
	}
	if (*at < end && **at == '@' && !word)
		return "nothing or a dot stands before the @";
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
		return *at == ' ' ? "there is a space in it"
				  : "a character is not allowed before the @";
	if (at - text > LOCAL_MAX)
		return "more than 64 characters stand before the @";
	at++;
	if (*at == '[')
		return is_literal(at, (size_t)(end - at)) ? NULL
							  : "the brackets hold no IP address";
	/* A U-label of an address need not be normalised by its writer. */
	if (host_fault(at, (size_t)(end - at), idn ? HOST_IDN | HOST_NOT_NORMAL : 0))
		return *at ? "what follows the @ is not a host name" : "nothing follows the @";
	return NULL;
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
