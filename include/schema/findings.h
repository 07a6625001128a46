#ifndef SCHEMA_FINDINGS_H
#define SCHEMA_FINDINGS_H

#include "schema/library.h"

/*
 * What there is to say of a schema itself: what its metaschema forbids, why it cannot be used, and
 * what is written in it and says nothing: keywords nobody knows, those of another draft, those that
 * stand beside a $ref which hides them. Nothing is fetched for it.
 */
struct schema_finding {
	bool error;    /* else the schema can be used, but may not mean what was meant */
	char *pointer; /* in the schema; URI#pointer in another document */
	char *text;
};

#define SCHEMA_FINDINGS_MAX 100

struct schema_findings {
	struct schema_finding *items;
	size_t len, cap;
	size_t rest; /* more that are not kept */
};

/* Adds to findings, which may have some already, in the order: errors, then in that of the text.
 * options: as for schema_compile(), with a library. */
void schema_find(
    struct schema_findings *findings, const cJSON *root, const struct schema_options *options);
/* Takes the text. */
void schema_findings_add(
    struct schema_findings *findings, bool error, const char *pointer, char *text);
void schema_findings_finish(struct schema_findings *findings);

#endif
