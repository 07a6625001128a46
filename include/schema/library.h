#ifndef SCHEMA_LIBRARY_H
#define SCHEMA_LIBRARY_H

#include "schema/schema.h"

/*
 * The documents that the references of a schema may lead to, besides the schema itself: the
 * caller's documents and the built-in metaschemas of every draft. Nothing is ever fetched.
 *
 * Pass a library to schema_compile() in its options. It must outlive the schemas and reports
 * made with it. It fills up during use, so only one thread at a time may compile with it.
 */
struct schema_library;

struct schema_library *schema_library_create(void);
void schema_library_destroy(struct schema_library *library);

/* Adds a borrowed tree under an absolute URI, without its fragment. A URI that is taken keeps
 * its first tree. */
void schema_library_add(struct schema_library *library, const char *uri, const cJSON *root);

/* Called once for each URI that the library lacks. The returned tree is borrowed; NULL if the
 * finder has no document. */
typedef const cJSON *schema_finder(void *ctx, const char *uri);
void schema_library_ask(struct schema_library *library, schema_finder *finder, void *ctx);

/* NULL if there is no such document. */
const cJSON *schema_library_find(struct schema_library *library, const char *uri);

/*
 * Validates the schema against the metaschema of its dialect and reports every violation.
 * schema_compile() stops at the first problem and ignores values without meaning, such as a
 * title that is a number. A schema in an unknown dialect is validated against the metaschema of the
 * draft it is read as, which *problem reports. NULL if the caller's metaschema is broken: *problem
 * has the reason.
 */
struct report *schema_review(struct schema_library *library, const cJSON *root,
    const struct schema_options *options, struct schema_problem *problem);

#endif
