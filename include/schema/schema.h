#ifndef SCHEMA_SCHEMA_H
#define SCHEMA_SCHEMA_H

#include "json/doc.h"

/*
 * JSON Schema: compile once, check many values, get every violation located on
 * the node it is about. Nothing is ever fetched. A reference that leads neither into
 * the schema nor to a document handed in, an unknown dialect and a misspelt keyword
 * leave undecided the values they apply to; other unknown keywords are annotations.
 *
 * A compiled schema and a report borrow the trees they were made from; a report also its schema.
 * Checking does not change the schema: several threads may check by the same one at once.
 */
struct schema;
struct report;

enum schema_draft {
	SCHEMA_DRAFT_UNKNOWN,
	SCHEMA_DRAFT_04,
	SCHEMA_DRAFT_06,
	SCHEMA_DRAFT_07,
	SCHEMA_DRAFT_2019_09,
	SCHEMA_DRAFT_2020_12, /* where $schema is absent (MCP, SEP-1613) */
};
const char *schema_draft_name(enum schema_draft draft); /* "2020-12", "draft-07" */

enum schema_format_mode {
	SCHEMA_FORMAT_WARNS, /* default: a violation with `warning` set, the outcome stays valid */
	SCHEMA_FORMAT_IGNORED,
	SCHEMA_FORMAT_ASSERTS,
};

struct schema_library; /* schema/library.h */

struct schema_options {
	enum schema_draft draft; /* where $schema is absent; UNKNOWN means 2020-12 */
	enum schema_format_mode format;
	struct schema_library *library; /* what references may lead to; NULL: metaschemas alone */
	const char *uri;                /* of the schema itself: the base of its references */
	bool plainly;                   /* no shortcuts are planned: slower, for tests */
};

/* Why a schema cannot be used. */
struct schema_problem {
	char pointer[256]; /* where, in the schema; URI#pointer in another document */
	char text[256];    /* "minimum must be a number" */
};

/* options and problem may be NULL. NULL: the schema is broken. */
struct schema *schema_compile(
    const cJSON *root, const struct schema_options *options, struct schema_problem *problem);
void schema_destroy(struct schema *schema);
enum schema_draft schema_draft(const struct schema *schema);

#include "schema/report.h"

#endif
