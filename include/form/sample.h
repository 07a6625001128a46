#ifndef FORM_SAMPLE_H
#define FORM_SAMPLE_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * A value that a schema most likely allows, for calls that nobody types: what it names itself
 * (const, default, examples, enum), else something of its type within its simplest bounds. All
 * properties of an object are there. A guess: it may break patterns and conditions. It never
 * fetches and always ends.
 */

/* Appends one JSON value. The schema may be anything, also NULL. */
void sample_add(struct buf *out, const cJSON *schema);

#endif
