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
typedef const char *fault_fn(const char *text, unsigned variant);
/* The text cannot be checked because a library is missing: these words say so. */
extern const char FORMAT_UNCHECKED[];

/* The formats of JSON Schema 2020-12 validation, section 7.3; older drafts name some of them. */
struct format {
	const char *name;
	const char *noun;    /* "a date" */
	const char *example; /* "2026-03-12", or NULL */
	fault_fn *fault;
	unsigned variant;
	bool hosts; /* it contains a host name */
};

static inline const char *
format_fault(const struct format *format, const char *text)
{
	return format->fault(text, format->variant);
}

const struct format *format_find(const char *name); /* NULL: an annotation */
extern const struct format formats[];               /* the last one has no name */

/* times.c */
fault_fn date_fault, time_fault, date_time_fault, duration_fault;

/* RFC 3986 section 5.2; appends. */
void uri_resolve(const char *base, const char *reference, struct buf *out);

#endif
