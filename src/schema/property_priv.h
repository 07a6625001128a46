#ifndef SCHEMA_PROPERTY_PRIV_H
#define SCHEMA_PROPERTY_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A Unicode property, named as PCRE2 names it: "{L}", "{sc:Greek}". PCRE2 has
 * the tables but lists nothing, so it is asked about one character after the
 * other, and the answers are kept. Threads may share a property.
 */
struct property;

/* NULL if PCRE2 does not know it. */
struct property *property_create(const char *text, size_t len);
void property_destroy(struct property *property);
bool property_is(const struct property *property, const char *text, size_t len);
bool property_holds(const struct property *property, uint32_t ch);

#endif
