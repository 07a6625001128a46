/* SPDX-License-Identifier: MIT */
#ifndef FORM_SAMPLE_H
#define FORM_SAMPLE_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * Makes a value that a schema probably allows, for generated calls. It takes the schema's own
 * suggestion (const, default, examples, enum), or else a value of the right type within simple
 * bounds. Objects get all their properties. The value is a guess and may violate patterns and
 * conditions. Never fetches anything and always terminates.
 */

/* Appends one JSON value. schema may be anything, even NULL. */
void sample_add(struct buf *out, const cJSON *schema);

#endif
