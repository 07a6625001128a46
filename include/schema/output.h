#ifndef SCHEMA_OUTPUT_H
#define SCHEMA_OUTPUT_H

#include "json/write.h"
#include "schema/schema.h"

/*
 * A report as JSON, for programs. Arrays are limited to the violations that the report keeps,
 * and to 64 MiB, because locations in a deep value are long: an item that would pass the bound is
 * left out. The output says how much was left out.
 */

/* JSON Schema 2020-12 core, 12.4.1: {"valid": …}. An undecided value is not valid; "error" gives
 * the reason. */
void output_flag(struct json_writer *w, const struct report *report);

/* 12.4.2: an output unit with "errors" or, for a valid value, "annotations": arrays of units,
 * without warnings. */
void output_basic(struct json_writer *w, const struct report *report);

/* A unit for a value that cannot be checked at all: {"valid": false, …, "error": text}. */
void output_failure(struct json_writer *w, const char *text);

/*
 * Our own format: "errors", how many are "omitted", "warnings" (both only if there are any)
 * and "unchecked", as members of the open object. Each violation has instancePath, schemaPath,
 * keywordLocation (if a reference was followed), absoluteKeywordLocation (if the schema has a
 * URI), keyword, expected, found and message. report may be NULL, which gives empty arrays.
 */
void output_findings(struct json_writer *w, const struct report *report);
/* The same for a schema that cannot be used. */
void output_problem(struct json_writer *w, const struct schema_problem *problem);

#endif
