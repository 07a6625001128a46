#ifndef SCHEMA_OUTPUT_H
#define SCHEMA_OUTPUT_H

#include "json/write.h"
#include "schema/schema.h"

/*
 * A report as JSON, for programs. Lists are bounded by what the report keeps, and by 64 MiB: where
 * a value is deep, each location in it is long. Where there is more, that is said.
 */

/* JSON Schema 2020-12 core, 12.4.1: {"valid": …}. What could not be decided is not called valid;
 * "error" says so. */
void output_flag(struct json_writer *w, const struct report *report);

/* 12.4.2: an output unit with "errors" or, of a valid value, "annotations", each a list of units.
 * Warnings are neither. */
void output_basic(struct json_writer *w, const struct report *report);

/* A unit for what is not even checked: {"valid": false, …, "error": text}. */
void output_failure(struct json_writer *w, const char *text);

/*
 * Our own: "errors", how many are "omitted" from them, "warnings" (both where there are any) and
 * "unchecked" as members of an object that is open. Each violation has instancePath, schemaPath,
 * keywordLocation (where it was reached through a reference), absoluteKeywordLocation (where the
 * schema has a URI), keyword, expected, found and message. report: NULL for empty lists.
 */
void output_findings(struct json_writer *w, const struct report *report);
/* The same for a schema that cannot be used. */
void output_problem(struct json_writer *w, const struct schema_problem *problem);

#endif
