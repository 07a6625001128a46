/* SPDX-License-Identifier: MIT */
#include "format.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/shared_library.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <idn2.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HOST_MAX 253 /* octets as sent, with the dots */
#define LABEL_MAX 63 /* octets as sent, so also code points */

struct label {
	char text[LABEL_MAX * 4 + 1]; /* UTF-8 */
	size_t len, points;
	bool ascii;
};

struct host {
	bool is_idn; /* also U-labels and their dots */
	int flags;   /* for libidn2 */
	size_t octets;
	bool rtl, disordered;
};

const char FORMAT_UNCHECKED[] = "the library libidn2.so.0 is missing";
static const char BAD_TEXT[] = "only letters, digits and hyphens are allowed";
static const char BAD_DIRECTIONS[] = "it mixes writing directions (RFC 5893)";
static const char BAD_A_LABEL[] = "a label that begins with xn-- is not Punycode";
static const char BAD_HYPHEN[] = "a label begins or ends with a hyphen";

/* ---- IDNA2008 by libidn2 ---- */

/* A function of libunistring. dlsym() finds it because libidn2 is linked to libunistring. */
int uc_bidi_class(uint32_t point);
enum { BIDI_L = 0, BIDI_R = 3, BIDI_AL = 4, BIDI_EN = 8, BIDI_AN = 11, BIDI_NSM = 13 };

#define FUNCTIONS(X)            \
	X(idn2_register_u8)     \
	X(idn2_to_unicode_8z8z) \
	X(idn2_free)            \
	X(uc_bidi_class)

struct idn {
	FUNCTIONS(SHARED_LIBRARY_POINTER)
};

/* NULL if it is missing. Two threads may get here at once; the first result is kept. */
static const struct idn *
load_idn(void)
{
	static _Atomic(struct idn *) loaded;
	static _Atomic bool missing;
	struct idn *idn = atomic_load(&loaded), *none = NULL;
	struct err why;

	if (idn || atomic_load(&missing))
		return idn;
	idn = mem_zalloc(sizeof(*idn));
	if (!SHARED_LIBRARY_LOAD("libidn2.so.0", FUNCTIONS, idn, &why)) {
		atomic_store(&missing, true);
		free(idn);
		return NULL;
	}
	if (atomic_compare_exchange_strong(&loaded, &none, idn))
		return idn;
	free(idn);
	return none;
}

static const char *
fault_of_code(int code, const struct label *label)
{
	static const struct {
		int code;
		const char *fault;
	} FAULTS[] = {
		{ IDN2_OK, NULL },
		{ IDN2_2HYPHEN, "a label has -- in its third and fourth place" },
		{ IDN2_HYPHEN_STARTEND, BAD_HYPHEN },
		{ IDN2_LEADING_COMBINING, "a label begins with a combining mark" },
		{ IDN2_CONTEXTJ, "a character is not allowed in that place" },
		{ IDN2_CONTEXTO, "a character is not allowed in that place" },
		{ IDN2_NOT_NFC, "a label is not in Unicode's composed form (NFC)" },
		{ IDN2_BIDI, BAD_DIRECTIONS },
		{ IDN2_TOO_BIG_LABEL, "a label is longer than 63 characters in Punycode" },
		{ IDN2_PUNYCODE_BIG_OUTPUT, "a label is longer than 63 characters in Punycode" },
		{ IDN2_PUNYCODE_BAD_INPUT, BAD_A_LABEL },
		{ IDN2_PUNYCODE_OVERFLOW, BAD_A_LABEL },
		{ IDN2_INVALID_ALABEL, BAD_A_LABEL },
		{ IDN2_UALABEL_MISMATCH, BAD_A_LABEL },
	};

	for (size_t i = 0; i < ARRAY_LEN(FAULTS); i++)
		if (FAULTS[i].code == code)
			return FAULTS[i].fault;
	if (code == IDN2_MALLOC)
		BUG("no room for a host name");
	return label->text[strcspn(label->text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")]
		   ? "a capital letter is next to letters outside ASCII"
		   : "a character is not allowed in host names";
}

/* Notes the directions of a U-label: RFC 5893 section 2. */
static void
look_at_directions(const struct idn *idn, const struct label *label, struct host *host)
{
	enum { L = 1, R = 2, AN = 4, EN = 8, OTHER = 16 };
	unsigned first = 0, last = 0, seen = 0;
	uint32_t point;

	for (size_t at = 0; at < label->len;) {
		at += utf8_decode(label->text + at, label->len - at, &point);
		int class = idn->uc_bidi_class(point);
		bool rtl = class == BIDI_R || class == BIDI_AL;
		unsigned now = class == BIDI_L    ? L
			       : rtl              ? R
			       : class == BIDI_AN ? AN
			       : class == BIDI_EN ? EN
						  : OTHER;
		first = first ? first : now;
		last = class == BIDI_NSM ? last : now;
		seen |= now;
	}
	bool ordered = first & L ? !(seen & (R | AN)) && last & (L | EN)
				 : first & R && !(seen & L) && !(seen & EN && seen & AN) &&
				       last & (R | EN | AN);
	host->rtl |= (seen & (R | AN)) != 0;
	host->disordered |= !ordered;
}

/* Replaces an A-label by its U-label. *octets: the length of the A-label. */
static const char *
idn_fault(struct host *host, struct label *label, bool encoded, size_t *octets)
{
	const struct idn *idn = load_idn();
	const uint8_t *text = (const uint8_t *)label->text;
	uint8_t *name = NULL;
	char *decoded = NULL;

	if (!idn)
		return FORMAT_UNCHECKED;
	int code = idn->idn2_register_u8(
	    encoded ? NULL : text, encoded ? text : NULL, &name, encoded ? 0 : host->flags);
	if (code == IDN2_OK && encoded)
		code = idn->idn2_to_unicode_8z8z(label->text, &decoded, 0);
	if (code == IDN2_OK) {
		*octets = strlen((const char *)name);
		if (decoded) {
			label->len = strnlen(decoded, sizeof(label->text) - 1);
			memcpy(label->text, decoded, label->len);
		}
		look_at_directions(idn, label, host);
	}
	idn->idn2_free(name);
	idn->idn2_free(decoded);
	return fault_of_code(code, label);
}

/* ---- host names ---- */

/* The label at *at; *dot: a dot follows it. Returns false if it is longer than allowed. */
static bool
take_label(
    const char **at, const char *end, const struct host *host, struct label *label, bool *dot)
{
	label->len = label->points = 0;
	label->ascii = true;
	*dot = false;
	while (*at < end && !*dot) {
		uint32_t point = 0;
		const char *from = *at;
		size_t n = utf8_decode(from, (size_t)(end - from), &point);
		*at += n ? n : 1;
		/* RFC 3490 section 3.1. */
		bool idn_dot = point == 0x3002 || point == 0xff0e || point == 0xff61;
		*dot = n && (point == '.' || (host->is_idn && idn_dot));
		if (*dot)
			break;
		if (label->points++ == LABEL_MAX)
			return false;
		memcpy(label->text + label->len, from, (size_t)(*at - from));
		label->len += (size_t)(*at - from);
		label->ascii &= !((unsigned char)*from & 0x80);
	}
	label->text[label->len] = '\0';
	return true;
}

/* RFC 1123 section 2.1. */
static const char *
ascii_fault(struct host *host, struct label *label)
{
	char *text = label->text;
	size_t octets;

	for (size_t i = 0; i < label->len; i++) {
		if (text[i] >= 'A' && text[i] <= 'Z')
			text[i] |= 0x20;
		bool letter = text[i] >= 'a' && text[i] <= 'z';
		if (!letter && text[i] != '-' && (text[i] < '0' || text[i] > '9'))
			return BAD_TEXT;
	}
	if (text[0] == '-' || text[label->len - 1] == '-')
		return BAD_HYPHEN;
	if (strncmp(text, "xn--", 4) == 0)
		return label->len > 4 ? idn_fault(host, label, true, &octets) : BAD_A_LABEL;
	host->disordered |= text[0] <= '9'; /* starts with a digit */
	return NULL;
}

static const char *
host_fault(const char *text, bool is_idn, int flags)
{
	struct host host = { .is_idn = is_idn, .flags = flags };
	const char *end = text + strlen(text);
	bool dot;

	if (text == end)
		return "it is empty";
	do {
		struct label label;
		if (!take_label(&text, end, &host, &label, &dot))
			return "a label is longer than 63 characters";
		const char *fault = BAD_TEXT;
		size_t octets = label.len;
		if (octets == 0)
			return host.octets == 0 ? "it begins with a dot"
						: "a dot is followed by another or by nothing";
		if (label.ascii)
			fault = ascii_fault(&host, &label);
		else if (is_idn)
			fault = idn_fault(&host, &label, false, &octets);
		if (fault)
			return fault;
		host.octets += octets;
		host.octets += dot;
		if (host.octets > HOST_MAX)
			return "it is longer than 253 characters";
	} while (dot);
	return host.rtl && host.disordered ? BAD_DIRECTIONS : NULL;
}

const char *
hostname_fault(const char *text)
{
	return host_fault(text, false, 0);
}

const char *
idn_hostname_fault(const char *text)
{
	return host_fault(text, true, 0);
}

/* The writer of an e-mail address need not normalize its U-labels. */
const char *
loose_idn_hostname_fault(const char *text)
{
	return host_fault(text, true, IDN2_NFC_INPUT);
}

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
		size_t n = 0; /* the digits of a group */
		while (text + n < end && n < 5 && hex_digit(text[n]) >= 0)
			n++;
		if (n == 0 || n == 5)
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
	if (*at == '[') { /* "[192.0.2.1]", RFC 5321 section 4.1.3 */
		size_t len = (size_t)(end - at) - 1;
		bool closed = len > 0 && at[len] == ']', v6 = strncasecmp(at, "[IPv6:", 6) == 0;
		bool fine = closed && (v6 && len > 6 ? ipv6_is(at + 6, len - 6, 2)
						     : ipv4_is(at + 1, len - 1));
		return fine ? NULL : "the brackets do not contain an IP address";
	}
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
