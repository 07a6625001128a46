/* SPDX-License-Identifier: MIT */
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

/*
 * The annotations of a value: title, description, default, examples, deprecated, readOnly,
 * writeOnly, format, content… and unknown keywords, from every subschema that applies to it. A
 * subschema that fails contributes none (2020-12 core, 7.7.1).
 */
enum annotate_mode {
	ANNOTATE_VALID,  /* an invalid value has no annotations, as the specification says */
	ANNOTATE_ANYWAY, /* drops only the failed branches of anyOf, oneOf, if and contains */
};

struct walk_step;

struct annotation {
	const cJSON *node; /* in the instance; the member or item if the annotation is about one */
	const char *keyword; /* "title" */
	const cJSON *value;  /* in the schema's tree */
	const struct walk_step *step;
};

/* Returns false to stop. The annotation is valid only during the call. */
typedef bool annotation_fn(void *ctx, const struct annotation *annotation);

/* Visits outer values before inner ones. Returns false if it stopped early, either because the
 * callback asked for it or because it would take too long. */
bool schema_annotations(const struct schema *schema, const cJSON *instance, enum annotate_mode mode,
    annotation_fn *fn, void *ctx);

/* Append the locations of the value and of the keyword, in the format of report.h. */
void annotation_instance_path(const struct annotation *annotation, struct buf *out);
void annotation_keyword_path(const struct annotation *annotation, struct buf *out);
bool annotation_absolute_path(const struct annotation *annotation, struct buf *out);

#endif
