/* SPDX-License-Identifier: MIT */
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
/* The text cannot be checked because a library is missing: these words say so. */
extern const char FORMAT_UNCHECKED[];

/* The formats of JSON Schema 2020-12 validation, section 7.3; older drafts name some of them. */
struct format {
	const char *name;
	const char *noun;    /* "a date" */
	const char *example; /* "2026-03-12", or NULL */
	fault_fn *fault;
	bool hosts; /* it contains a host name */
};

const struct format *format_find(const char *name); /* NULL: an annotation */
const struct format *format_at(size_t index);       /* NULL past the last */
/* Steps to charge for the check of a text. */
size_t format_cost(const struct format *format, const char *text);

/* RFC 5321 section 4.1.2 and RFC 6531 section 3.3. */
fault_fn email_fault, idn_email_fault;
/* RFC 1123 section 2.1 with RFC 5891 section 4.4; RFC 5890 section 2.3.2.3. */
fault_fn hostname_fault, idn_hostname_fault;
/* The same without a demand for Unicode's composed form. */
fault_fn loose_idn_hostname_fault;
/* RFC 2673 section 3.2 and RFC 4291 section 2.2. */
fault_fn ipv4_fault, ipv6_fault;

/* ---- helpers for several formats ---- */

/* RFC 3986 section 5.2; appends. */
void uri_resolve(const char *base, const char *reference, struct buf *out);

/* :: replaces at least least_gap groups: 1, but 2 in e-mail (RFC 5321 section 4.1.3). */
bool ipv6_is(const char *text, size_t len, unsigned least_gap);

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* A set of ASCII characters. */
struct charset {
	uint64_t bits[2];
};

struct charset charset_of(const char *members);
bool charset_has(const struct charset *set, char c);

#endif
