#ifndef SCHEMA_FORMAT_FORMAT_H
#define SCHEMA_FORMAT_FORMAT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns why a text does not have a format, in words that follow "is not a date: ", or NULL
 * if it does. "": the example says enough. Takes time linear in the text at most.
 */
typedef const char *fault_fn(const char *text);

/* The formats of JSON Schema 2020-12 validation, section 7.3; older drafts name some of them. */
struct format {
	const char *name;
	const char *noun;    /* "a date" */
	const char *example; /* "2026-03-12", or NULL */
	fault_fn *fault;
};

const struct format *format_find(const char *name); /* NULL: an annotation */
const struct format *format_at(size_t index);       /* NULL past the last */
bool format_matches(const struct format *format, const char *text);

/* RFC 3339 section 5.6 and appendix A. */
fault_fn date_fault, time_fault, date_time_fault, duration_fault;
/* RFC 5321 section 4.1.2 and RFC 6531 section 3.3. */
fault_fn email_fault, idn_email_fault;
/* RFC 1123 section 2.1 with RFC 5891 section 4.4; RFC 5890 section 2.3.2.3. */
fault_fn hostname_fault, idn_hostname_fault;
/* RFC 2673 section 3.2 and RFC 4291 section 2.2. */
fault_fn ipv4_fault, ipv6_fault;
/* RFC 3986, RFC 3987 and RFC 6570 section 2. */
fault_fn uri_fault, uri_reference_fault, iri_fault, iri_reference_fault, uri_template_fault;

/* ---- helpers for several formats ---- */

/* RFC 3986 section 5.2; appends. */
void uri_resolve(const char *base, const char *reference, struct buf *out);
bool uri_decode(const char *text, struct buf *out); /* %XX; false if malformed */

/* :: stands for at least least_gap groups: 1, but 2 in e-mail (RFC 5321 section 4.1.3). */
bool ipv6_is(const char *text, size_t len, unsigned least_gap);

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* A set of ASCII characters. */
struct charset {
	uint64_t bits[2];
};

struct charset charset_of(const char *members);
void charset_add(struct charset *set, const char *members);
bool charset_has(const struct charset *set, char c);

/* The characters allowed beside a charset. */
enum {
	ALSO_PERCENT = 1 << 0,   /* %41 */
	ALSO_UCS = 1 << 1,       /* ucschar of RFC 3987 section 2.2 */
	ALSO_PRIVATE = 1 << 2,   /* iprivate */
	ALSO_DIRECTING = 1 << 3, /* the ucschars that section 4.1 forbids in IRIs */
};
/* The size of the character at text in bytes (three for %41); 0 if it is not allowed there. */
size_t charset_take(const struct charset *set, unsigned also, const char *text, const char *end);
/* Why it is not allowed; never NULL. */
const char *charset_fault(unsigned also, char c);

/* Labels of internationalized host names: IDNA2008, RFC 5890 to 5893. */

#define LABEL_MAX 63 /* octets as sent, so also code points */

struct label {
	uint32_t points[LABEL_MAX];
	size_t count;
};

/* Why the text is not a U-label, apart from its length (see fault_fn). Does not check for NFC. */
const char *label_fault(const struct label *label, bool normal);
bool label_is_rtl(const struct label *label);     /* makes its host a Bidi domain name */
bool label_is_ordered(const struct label *label); /* the Bidi rule, RFC 5893 section 2 */
bool label_is_normal(const struct label *label);  /* NFC, for letters that labels may contain */

/* Punycode, RFC 3492, without "xn--". Encoding returns the number of octets, 0 if there are too
 * many. */
#define PUNYCODE_MAX (LABEL_MAX - 4)
size_t punycode_encode(const struct label *label, char out[PUNYCODE_MAX]);
bool punycode_decode(const char *text, size_t len, struct label *label);

/* ---- the tables ---- */
enum {
	LETTER_ALWAYS = 1 << 0, /* in any label */
	LETTER_IN_CONTEXT = 1 << 1,
	LETTER_MARK = 1 << 2, /* general category M */
	LETTER_GREEK = 1 << 3,
	LETTER_HEBREW = 1 << 4,
	LETTER_JAPANESE = 1 << 5, /* Hiragana, Katakana or Han */
	LETTER_JOINS_LAST = 1 << 6,
	LETTER_JOINS_NEXT = 1 << 7,
	LETTER_JOINS_THROUGH = 1 << 8,
	LETTER_L = 1 << 9, /* Bidi classes: R includes AL; no bit is any other class */
	LETTER_R = 1 << 10,
	LETTER_AN = 1 << 11,
	LETTER_EN = 1 << 12,
	LETTER_NSM = 1 << 13,
};

struct letter {
	unsigned short traits; /* 0: in no label */
	unsigned char order;   /* canonical combining class */
};

/* Never NULL. */
const struct letter *letter_of(uint32_t point);

/* The runs of equal letters from `first` on start at idna_runs[at]. */
struct letter_block {
	uint32_t first;
	unsigned short at;
};

struct composite {
	uint32_t whole, first, second;
};

extern const struct letter idna_letters[];
extern const struct letter_block idna_blocks[];
extern const size_t idna_block_count;
extern const unsigned char idna_runs[];
extern const struct composite idna_composites[]; /* sorted by whole */
extern const size_t idna_composite_count;

#endif
