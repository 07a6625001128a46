/* SPDX-License-Identifier: MIT */
#include "format.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/shared_library.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "schema/regex/regex.h"

#include <idn2.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Variants of a format. */
enum { NEEDS_SCHEME = 1, IS_IRI = 2, IS_IDN = 4, IS_LOOSE = 8 /* not in composed form */ };

/* ---- characters ---- */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Characters allowed in addition to a set of ASCII characters. */
enum {
	ALSO_PERCENT = 1 << 0,   /* %41 */
	ALSO_UCS = 1 << 1,       /* ucschar of RFC 3987 section 2.2 */
	ALSO_PRIVATE = 1 << 2,   /* iprivate */
	ALSO_DIRECTING = 1 << 3, /* the ucschars that section 4.1 forbids in IRIs */
};

/* The size of the character at text in bytes (three for %41); 0 if it is not allowed there. */
static size_t
charset_take(const char *set, unsigned also, const char *text, const char *end)
{
	uint32_t point = 0;

	if (*text && strchr(set, *text))
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
	/* ucschar and iprivate of RFC 3987 section 2.2. */
	bool is_ucs = point < 0x10000 ? (point >= 0xa0 && point < 0xd800) ||
					    (point >= 0xf900 && point <= 0xfdcf) ||
					    (point >= 0xfdf0 && point <= 0xffef)
				      : point < 0xf0000 && (point & 0xffff) <= 0xfffd &&
					    (point < 0xe0000 || point >= 0xe1000);
	bool is_private = (point >= 0xe000 && point <= 0xf8ff) ||
			  (point >= 0xf0000 && (point & 0xffff) <= 0xfffd);
	bool may = (also & ALSO_UCS && is_ucs) || (also & ALSO_PRIVATE && is_private);
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

/* ---- host names, by libidn2 for IDNA2008 ---- */

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

/* RFC 1123 section 2.1 with RFC 5891 section 4.4; RFC 5890 section 2.3.2.3. */
static const char *
host_fault(const char *text, unsigned variant)
{
	struct host host = { .is_idn = variant & IS_IDN,
		.flags = variant & IS_LOOSE ? IDN2_NFC_INPUT : 0 };
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
		else if (host.is_idn)
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

/* ---- addresses, RFC 2673 section 3.2 and RFC 4291 section 2.2 ---- */

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

/* :: replaces at least least_gap groups: 1, but 2 in e-mail (RFC 5321 section 4.1.3). */
static bool
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

static const char *
ipv4_fault(const char *text, unsigned variant)
{
	if (ipv4_is(text, strlen(text)))
		return NULL;
	if (*text == '\0' || strspn(text, ASCII_DIGITS ".") < strlen(text))
		return "";
	return "it must be four numbers up to 255 without leading zeros";
}

static const char *
ipv6_fault(const char *text, unsigned variant)
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

/* ---- URIs ---- */

#define SUB_DELIMS "!$&'()*+,;="
#define PLAIN LETTERS ASCII_DIGITS "-._~" SUB_DELIMS /* unreserved, sub-delims */

/* All of text[0..len) consists of characters of the set or of these. */
static const char *
part_fault(const char *set, unsigned also, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		size_t n = charset_take(set, also, text, end);
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
	size_t at = 1;

	if (len == 0 || (*text | 0x20) != 'v')
		return false;
	while (at < len && hex_digit(text[at]) >= 0)
		at++;
	if (at == 1 || at + 1 >= len || text[at] != '.')
		return false;
	return at + 1 + strspn(text + at + 1, PLAIN ":") == len;
}

static const char *
authority_fault(unsigned also, const char *text, size_t len)
{
	const char *at = memchr(text, '@', len), *end = text + len;

	if (at) {
		const char *fault = part_fault(PLAIN ":", also, text, (size_t)(at - text));
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
		return part_fault(PLAIN, also, text, len);
	if (len > 2 && text[len - 1] == ']' &&
	    (ipv6_is(text + 1, len - 2, 1) || is_future_address(text + 1, len - 2)))
		return NULL;
	return "the brackets do not contain an IPv6 address";
}

static const char *
reference_fault(const char *text, unsigned variant)
{
	unsigned also = variant & IS_IRI ? ALSO_PERCENT | ALSO_UCS : ALSO_PERCENT;
	const char *fault = NULL;
	size_t name = strspn(text, LETTERS ASCII_DIGITS "+-.");
	bool scheme = name > 0 && text[name] == ':' && strchr(LETTERS, *text);
	unsigned private = variant & IS_IRI ? ALSO_PRIVATE : 0;

	if (!scheme && variant & NEEDS_SCHEME)
		return "it does not begin with a scheme, such as https:";
	text += scheme ? name + 1 : 0;
	bool authority = text[0] == '/' && text[1] == '/';
	if (authority) {
		size_t n = strcspn(text + 2, "/?#");
		fault = authority_fault(also, text + 2, n);
		text += 2 + n;
	}
	size_t path = strcspn(text, "?#");
	/* a colon in the first segment would be read as the end of a scheme */
	if (!fault && !scheme && !authority && memchr(text, ':', strcspn(text, "/?#")))
		fault = "the part before its colon is not a scheme";
	fault = fault ? fault : part_fault(PLAIN ":@/", also, text, path);
	text += path;
	if (!fault && *text == '?') {
		size_t query = strcspn(++text, "#");
		fault = part_fault(PLAIN ":@/?", also | private, text, query);
		text += query;
	}
	if (!fault && *text == '#')
		fault = part_fault(PLAIN ":@/?", also, text + 1, strlen(text + 1));
	return fault;
}

/* ---- templates ---- */

/* RFC 6570 section 2.1, plus the apostrophe, which erratum 6937 allows. */
#define LITERALS LETTERS ASCII_DIGITS "!#$&'()*+,-./:;=?@[]_~"
#define OPERATORS "+#./;?&=,!@|"

/* A name: letters, digits, _ and %41, separated by single dots. */
static bool
take_format_name(const char **at, const char *end)
{
	for (;;) {
		size_t n = charset_take(LETTERS ASCII_DIGITS "_", ALSO_PERCENT, *at, end);
		if (n == 0)
			return false;
		for (; n > 0; n = charset_take(LETTERS ASCII_DIGITS "_", ALSO_PERCENT, *at, end))
			*at += n;
		if (**at != '.')
			return true;
		(*at)++;
	}
}

/* The rest of an expression after "{", with its "}". */
static const char *
take_expression(const char **at, const char *end)
{
	if (**at && strchr(OPERATORS, **at))
		(*at)++;
	for (;;) {
		if (!take_format_name(at, end))
			return **at == '}' || **at == ',' ? "a name is missing in braces"
							  : "a name in braces is invalid";
		if (**at == '*') {
			(*at)++;
		} else if (**at == ':') {
			size_t digits = strspn(++*at, ASCII_DIGITS);
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
uri_template_fault(const char *text, unsigned variant)
{
	unsigned also = ALSO_PERCENT | ALSO_UCS | ALSO_PRIVATE | ALSO_DIRECTING;
	const char *end = text + strlen(text);

	while (text < end) {
		if (*text == '{') {
			text++;
			const char *fault = take_expression(&text, end);
			if (fault)
				return fault;
			continue;
		}
		size_t n = charset_take(LITERALS, also, text, end);
		if (n == 0)
			return *text == '}' ? "a closing brace has no opening brace"
					    : charset_fault(also, *text);
		text += n;
	}
	return NULL;
}

/* ---- e-mail ---- */

#define ATEXT LETTERS ASCII_DIGITS "!#$%&'*+-/=?^_`{|}~"
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
	bool word = false;

	for (size_t n; *at < end; *at += n) {
		n = strchr(ATEXT, **at) ? 1 : take_foreign(*at, end, idn);
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

/* RFC 5321 section 4.1.2 and RFC 6531 section 3.3. */
static const char *
mailbox_fault(const char *text, unsigned variant)
{
	const char *at = text, *end = text + strlen(text);
	bool idn = variant & IS_IDN;

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
	/* the writer need not normalize U-labels */
	fault = host_fault(at, idn ? IS_IDN | IS_LOOSE : 0);
	if (!fault || fault == FORMAT_UNCHECKED)
		return fault;
	return *at ? "the part after the @ is not a host name" : "nothing follows the @";
}

/* ---- the table ---- */

/* RFC 6901 section 3. */
static const char *
json_pointer_fault(const char *text, unsigned variant)
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
	size_t digits = strspn(text, ASCII_DIGITS);

	return digits == 0 || (digits > 1 && *text == '0') ? NULL : text + digits;
}

/* draft-bhutton-relative-json-pointer-00 section 3. */
static const char *
relative_json_pointer_fault(const char *text, unsigned variant)
{
	const char *rest = after_number(text);

	if (rest && (*rest == '+' || *rest == '-'))
		rest = after_number(rest + 1);
	if (!rest)
		return "it must begin with a number without leading zeros";
	if (strcmp(rest, "#") == 0)
		return NULL;
	return *rest && *rest != '/' ? "only # or / may follow its number"
				     : json_pointer_fault(rest, 0);
}

/* RFC 4122 section 3. */
static const char *
uuid_fault(const char *text, unsigned variant)
{
	size_t i = 0;

	for (; text[i]; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		if (i == 36 || (dash ? text[i] != '-' : hex_digit(text[i]) < 0))
			return "";
	}
	return i == 36 ? NULL : "";
}

static const char *
pattern_fault(const char *text, unsigned variant)
{
	return regex_fault(text);
}

/* clang-format off */
const struct format formats[] = {
	{ "date-time", "a date and time", "2026-03-12T14:30:00Z", date_time_fault, 0, false },
	{ "date", "a date", "2026-03-12", date_fault, 0, false },
	{ "time", "a time", "14:30:00Z", time_fault, 0, false },
	{ "duration", "a duration", "P3DT4H", duration_fault, 0, false },
	{ "email", "an e-mail address", "ann@example.org", mailbox_fault, 0, true },
	{ "idn-email", "an e-mail address", "ann@example.org", mailbox_fault, IS_IDN, true },
	{ "hostname", "a host name", "example.org", host_fault, 0, true },
	{ "idn-hostname", "a host name", "b\303\274cher.example", host_fault, IS_IDN, true },
	{ "ipv4", "an IPv4 address", "192.0.2.1", ipv4_fault, 0, false },
	{ "ipv6", "an IPv6 address", "2001:db8::1", ipv6_fault, 0, false },
	{ "uri", "a URI", "https://example.org/", reference_fault, NEEDS_SCHEME, false },
	{ "uri-reference", "a URI reference", "/a?b#c", reference_fault, 0, false },
	{ "iri", "an IRI", "https://example.org/\303\251", reference_fault, IS_IRI | NEEDS_SCHEME, false },
	{ "iri-reference", "an IRI reference", "/\303\251", reference_fault, IS_IRI, false },
	{ "uri-template", "a URI template", "/users/{id}", uri_template_fault, 0, false },
	{ "uuid", "a UUID", "123e4567-e89b-12d3-a456-426614174000", uuid_fault, 0, false },
	{ "json-pointer", "a JSON Pointer", "/a/0", json_pointer_fault, 0, false },
	{ "relative-json-pointer", "a relative JSON Pointer", "1/a", relative_json_pointer_fault, 0, false },
	{ "regex", "a regular expression", "^[a-z]+$", pattern_fault, 0, false },
	{ NULL, NULL, NULL, NULL, 0, false },
};
/* clang-format on */

const struct format *
format_find(const char *name)
{
	const struct format *format = formats;

	while (format->name && strcmp(format->name, name) != 0)
		format++;
	return format->name ? format : NULL;
}
