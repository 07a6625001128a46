#include "format.h"

#include "base/hex.h"
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

/* ---- host names ---- */

enum {
	HOST_IDN = 1 << 0,        /* also U-labels and their dots */
	HOST_NOT_NORMAL = 1 << 1, /* skips the check for NFC */
};

#define HOST_MAX 253 /* octets as sent, with the dots */

struct host {
	unsigned flags;
	size_t octets;
	bool rtl, disordered;
};

static const char BAD_TEXT[] = "only letters, digits and hyphens are allowed";

/* RFC 3490 section 3.1. */
static bool
is_idn_dot(uint32_t point)
{
	return point == 0x3002 || point == 0xff0e || point == 0xff61;
}

/* The label at *at; *dot: a dot follows it. Returns false if it is longer than allowed. */
static bool
take_label(
    const char **at, const char *end, const struct host *host, struct label *label, bool *dot)
{
	bool idn = host->flags & HOST_IDN;

	label->count = 0;
	*dot = false;
	while (*at < end && !*dot) {
		uint32_t point;
		size_t n = utf8_decode(*at, (size_t)(end - *at), &point);
		*at += n ? n : 1;
		*dot = n && (point == '.' || (idn && is_idn_dot(point)));
		if (*dot)
			break;
		if (label->count == LABEL_MAX)
			return false;
		label->points[label->count++] = n ? point : UINT32_MAX;
	}
	return true;
}

static bool
is_ascii(const struct label *label)
{
	for (size_t i = 0; i < label->count; i++)
		if (label->points[i] >= 0x80)
			return false;
	return true;
}

/* RFC 5891 section 5.4: replaces the label by its U-label. */
static const char *
a_label_fault(struct label *label)
{
	char text[LABEL_MAX], again[PUNYCODE_MAX];
	size_t len = label->count - 4;

	for (size_t i = 0; i < len; i++)
		text[i] = (char)label->points[i + 4];
	if (len == 0 || !punycode_decode(text, len, label) || is_ascii(label) ||
	    punycode_encode(label, again) != len || memcmp(text, again, len) != 0)
		return "a label that begins with xn-- is not Punycode";
	return label_fault(label, true);
}

/* RFC 1123 section 2.1. */
static const char *
ascii_fault(struct label *label)
{
	static const char PREFIX[] = "xn--";
	uint32_t *points = label->points;
	size_t same = 0;

	for (size_t i = 0; i < label->count; i++) {
		if (points[i] >= 'A' && points[i] <= 'Z')
			points[i] |= 0x20;
		bool letter = points[i] >= 'a' && points[i] <= 'z';
		if (!letter && points[i] != '-' && (points[i] < '0' || points[i] > '9'))
			return BAD_TEXT;
	}
	if (points[0] == '-' || points[label->count - 1] == '-')
		return "a label begins or ends with a hyphen";
	while (same < label->count && PREFIX[same] && points[same] == (uint32_t)PREFIX[same])
		same++;
	return PREFIX[same] ? NULL : a_label_fault(label);
}

static const char *
idn_fault(const struct host *host, const struct label *label, size_t *octets)
{
	char encoded[PUNYCODE_MAX];

	if (!(host->flags & HOST_IDN))
		return BAD_TEXT;
	const char *fault = label_fault(label, !(host->flags & HOST_NOT_NORMAL));
	if (fault)
		return fault;
	*octets = punycode_encode(label, encoded) + 4;
	return *octets == 4 ? "a label is longer than 63 characters in Punycode" : NULL;
}

static const char *
add_label(struct host *host, struct label *label)
{
	size_t octets = label->count;

	if (octets == 0)
		return host->octets == 0 ? "it begins with a dot"
					 : "a dot is followed by another or by nothing";
	const char *fault = is_ascii(label) ? ascii_fault(label) : idn_fault(host, label, &octets);
	if (fault)
		return fault;
	host->octets += octets;
	if (is_ascii(label)) {
		host->disordered |= label->points[0] <= '9'; /* starts with a digit */
	} else {
		host->rtl |= label_is_rtl(label);
		host->disordered |= !label_is_ordered(label);
	}
	return NULL;
}

static const char *
host_fault(const char *text, size_t len, unsigned flags)
{
	struct host host = { .flags = flags };
	const char *end = text + len;
	bool dot;

	if (len == 0)
		return "it is empty";
	do {
		struct label label;
		if (!take_label(&text, end, &host, &label, &dot))
			return "a label is longer than 63 characters";
		const char *fault = add_label(&host, &label);
		if (fault)
			return fault;
		host.octets += dot;
		if (host.octets > HOST_MAX)
			return "it is longer than 253 characters";
	} while (dot);
	if (host.rtl && host.disordered)
		return "it mixes writing directions (RFC 5893)";
	return NULL;
}

const char *
hostname_fault(const char *text)
{
	return host_fault(text, strlen(text), 0);
}

const char *
idn_hostname_fault(const char *text)
{
	return host_fault(text, strlen(text), HOST_IDN);
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
	/* The writer of an address need not normalize its U-labels. */
	if (host_fault(at, (size_t)(end - at), idn ? HOST_IDN | HOST_NOT_NORMAL : 0))
		return *at ? "the part after the @ is not a host name" : "nothing follows the @";
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
