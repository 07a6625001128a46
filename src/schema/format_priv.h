#ifndef SCHEMA_FORMAT_PRIV_H
#define SCHEMA_FORMAT_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What keeps a text from being one, in words that follow "is not a date: ". NULL: nothing does.
 * "": the example says enough. Takes time in proportion to the text at most.
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

/* ---- shared between them ---- */

enum {
	HOST_IDN = 1 << 0,        /* U-labels and their dots too */
	HOST_NOT_NORMAL = 1 << 1, /* NFC is not asked for */
};
const char *host_fault(const char *text, size_t len, unsigned flags);

/* :: stands for least_gap groups or more: 1, but 2 in e-mail (RFC 5321 section 4.1.3). */
bool ipv4_is(const char *text, size_t len);
bool ipv6_is(const char *text, size_t len, unsigned least_gap);

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Some of the characters of ASCII. */
struct charset {
	uint64_t bits[2];
};

struct charset charset_of(const char *members);
void charset_add(struct charset *set, const char *members);
bool charset_has(const struct charset *set, char c);

/* What may stand in a text beside a charset. */
enum {
	ALSO_PERCENT = 1 << 0,   /* %41 */
	ALSO_UCS = 1 << 1,       /* ucschar of RFC 3987 section 2.2 */
	ALSO_PRIVATE = 1 << 2,   /* iprivate */
	ALSO_DIRECTING = 1 << 3, /* those of ucschar that section 4.1 keeps out of IRIs */
};
/* Bytes of the one character at text (three for %41); 0: it may not stand there. */
size_t charset_take(const struct charset *set, unsigned also, const char *text, const char *end);
/* Why it may not, never NULL. */
const char *charset_fault(unsigned also, char c);

#endif
