/* SPDX-License-Identifier: MIT */
#ifndef SCHEMA_FINDINGS_H
#define SCHEMA_FINDINGS_H

#include "schema/schema.h"

/*
 * Problems of a schema itself: violations of its metaschema, the reason why it cannot be used,
 * and keywords that have no effect because they are unknown, belong to another draft or are hidden
 * by a $ref. Nothing is fetched.
 */
struct schema_finding {
	bool error; /* if false, the schema is usable, but may not mean what its author intended */
	char *pointer; /* in the schema; URI#pointer in another document */
	char *text;
};

#define SCHEMA_FINDINGS_MAX 100

struct schema_findings {
	struct schema_finding *items;
	size_t len, cap;
	size_t rest; /* number of findings that are not kept */
};

/* Appends to findings, which may hold some already: errors first, then document order. options:
 * as for schema_compile(), with a library. */
void schema_find(
    struct schema_findings *findings, const cJSON *root, const struct schema_options *options);
/* Takes ownership of the text. */
void schema_findings_add(
    struct schema_findings *findings, bool error, const char *pointer, char *text);
void schema_findings_finish(struct schema_findings *findings);

#endif
