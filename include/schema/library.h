#ifndef SCHEMA_LIBRARY_H
#define SCHEMA_LIBRARY_H

#include "schema/schema.h"

/*
 * The documents that references of a schema may lead to besides the schema itself: those handed in,
 * and the metaschemas of every draft, which are built in. Nothing is ever fetched.
 *
 * A library is given to schema_compile() in its options and must outlive the schemas and reports
 * made with it. It fills itself while it is used: one thread at a time may compile with it.
 */
struct schema_library;

struct schema_library *schema_library_create(void);
void schema_library_destroy(struct schema_library *library);

/* A borrowed tree under an absolute URI (a fragment is dropped); a second one under it is ignored.
 */
void schema_library_add(struct schema_library *library, const char *uri, const cJSON *root);

/* Asked once for each URI that is not there. The tree it returns is borrowed; NULL: there is none.
 */
typedef const cJSON *schema_finder(void *ctx, const char *uri);
void schema_library_ask(struct schema_library *library, schema_finder *finder, void *ctx);

/* NULL: no such document. */
const cJSON *schema_library_find(struct schema_library *library, const char *uri);

/*
 * The schema's text as an instance of the metaschema of its dialect: everything that is wrong with
 * it, each violation on its node. schema_compile() stops at the first problem, and is silent about
 * values that mean nothing to it (a title that is a number). A schema of an unknown dialect is held
 * to the metaschema of the draft it is read as, and *problem says so. NULL: *problem says what is
 * wrong with a metaschema that was handed in.
 */
struct report *schema_review(struct schema_library *library, const cJSON *root,
    const struct schema_options *options, struct schema_problem *problem);

#endif
