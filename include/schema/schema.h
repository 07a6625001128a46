/* SPDX-License-Identifier: MIT */
#ifndef SCHEMA_SCHEMA_H
#define SCHEMA_SCHEMA_H

#include "json/doc.h"

/*
 * JSON Schema: compile once, validate many values, and locate every violation at the node it
 * is about. Nothing is ever fetched. An unresolved reference, an unknown dialect and a
 * misspelled keyword leave the values they apply to undecided; other unknown keywords are
 * annotations.
 *
 * A compiled schema and a report borrow the trees they were made from; a report also borrows
 * its schema. Validation does not change the schema, so several threads may share one.
 */
struct schema;
struct report;

enum schema_draft {
	SCHEMA_DRAFT_UNKNOWN,
	SCHEMA_DRAFT_04,
	SCHEMA_DRAFT_06,
	SCHEMA_DRAFT_07,
	SCHEMA_DRAFT_2019_09,
	SCHEMA_DRAFT_2020_12, /* the default without $schema (MCP, SEP-1613) */
	SCHEMA_DRAFT_V1,      /* https://json-schema.org/v1, not yet released */
};
const char *schema_draft_name(enum schema_draft draft); /* "2020-12", "draft-07", "v1" */

enum schema_format_mode {
	SCHEMA_FORMAT_WARNS, /* default: a violation with `warning` set; the value stays valid */
	SCHEMA_FORMAT_IGNORED,
	SCHEMA_FORMAT_ASSERTS,
};

struct schema_library;

struct schema_options {
	enum schema_draft draft; /* used without $schema; UNKNOWN means 2020-12 */
	enum schema_format_mode format;
	struct schema_library
	    *library;    /* the documents that references may lead to; NULL: metaschemas only */
	const char *uri; /* of the schema itself: the base URI for its references */
	/* Behavior of one draft that its successors forbid. */
	bool asserts_content; /* draft-07: contentEncoding base64, contentMediaType JSON */
	bool strict_integers; /* root in draft-04: 1.0 and 1e2 are not integers */
	bool plainly;         /* for tests: plan no shortcuts, which is slower */
};

/* Why a schema cannot be used. */
struct schema_problem {
	char pointer[256]; /* location in the schema; URI#pointer in another document */
	char text[256];    /* "minimum must be a number" */
};

/* options and problem may be NULL. Returns NULL if the schema is broken. */
struct schema *schema_compile(
    const cJSON *root, const struct schema_options *options, struct schema_problem *problem);
void schema_destroy(struct schema *schema);
enum schema_draft schema_draft(const struct schema *schema);

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

#include "schema/report.h"

#endif
