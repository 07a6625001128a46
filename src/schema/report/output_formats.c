/* SPDX-License-Identifier: MIT */
#include "schema/output.h"

#include "report.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ANNOTATIONS 10000
#define MAX_LISTED ((size_t)64 << 20) /* in bytes; locations in a deep value are long */

typedef void words_fn(const struct report *report, size_t index, struct buf *out);

struct output {
	struct json_writer *w;
	const struct report *report;
	struct buf text;
	size_t errors, annotations; /* units written so far */
	size_t end;                 /* the most bytes of output at the end of a unit */
	bool full;                  /* a unit was left out because it would go beyond */
};

static void
output_init(struct output *o, struct json_writer *w, const struct report *report)
{
	*o = (struct output){ .w = w, .report = report, .end = w->out->len + MAX_LISTED };
}

/* Removes the output since start if it exceeds the bound. */
static bool
fits(struct output *o, struct json_writer start, size_t len)
{
	o->full = o->w->out->len > o->end;
	if (o->full) {
		buf_truncate(o->w->out, len);
		*o->w = start;
	}
	return !o->full;
}

static const char *
words(struct output *o, words_fn *fn, size_t index)
{
	buf_clear(&o->text);
	fn(o->report, index, &o->text);
	return buf_text(&o->text);
}

static void
write_words(struct output *o, const char *key, words_fn *fn, size_t index)
{
	json_write_member_string(o->w, key, words(o, fn, index));
}

static void
write_absolute(struct output *o, size_t index)
{
	buf_clear(&o->text);
	if (report_absolute_path(o->report, index, &o->text))
		json_write_member_string(o->w, "absoluteKeywordLocation", buf_text(&o->text));
}

typedef void write_fn(struct output *o, size_t index);

/* Returns the number of listed units. */
static size_t
write_list(struct output *o, const char *key, write_fn *write, bool warnings)
{
	size_t listed = 0;

	json_write_key(o->w, key);
	json_write_array(o->w);
	for (size_t i = 0; o->report && i < o->report->facts.kept; i++) {
		if (report_at(o->report, i)->warning != warnings || o->full)
			continue;
		const struct json_writer start = *o->w;
		size_t len = o->w->out->len;
		write(o, i);
		listed += fits(o, start, len);
	}
	json_write_array_end(o->w);
	return listed;
}

/* ---- formats of the specification ---- */

/* Facts that the list of violations does not show. */
static void
write_reservation(struct output *o)
{
	bool undecided = o->report->facts.outcome == SCHEMA_UNDECIDED;

	buf_clear(&o->text);
	if (undecided) {
		buf_add_str(&o->text, "undecided, not checked: ");
		report_add_unchecked(o->report, &o->text);
	}
	if (!undecided && o->report->facts.violations > o->errors)
		buf_addf(&o->text, "%zu violations, %zu of them listed",
		    o->report->facts.violations, o->errors);
	if (o->text.len > 0)
		json_write_member_string(o->w, "error", buf_text(&o->text));
}

void
output_flag(struct json_writer *w, const struct report *report)
{
	struct output o;

	output_init(&o, w, report);
	json_write_object(w);
	json_write_member_bool(w, "valid", report->facts.outcome == SCHEMA_VALID);
	if (report->facts.outcome == SCHEMA_UNDECIDED)
		write_reservation(&o);
	json_write_object_end(w);
	buf_finish(&o.text);
}

static void
write_error_unit(struct output *o, size_t index)
{
	json_write_object(o->w);
	json_write_member_bool(o->w, "valid", false);
	write_words(o, "keywordLocation", report_keyword_path, index);
	write_absolute(o, index);
	write_words(o, "instanceLocation", report_instance_path, index);
	write_words(o, "error", report_line, index);
	json_write_object_end(o->w);
}

static bool
write_annotation_unit(void *ctx, const struct annotation *a)
{
	struct output *o = ctx;
	const struct json_writer start = *o->w;
	size_t len = o->w->out->len;

	if (o->annotations == 0) {
		json_write_key(o->w, "annotations");
		json_write_array(o->w);
	}
	json_write_object(o->w);
	json_write_member_bool(o->w, "valid", true);
	buf_clear(&o->text);
	annotation_keyword_path(a, &o->text);
	json_write_member_string(o->w, "keywordLocation", buf_text(&o->text));
	buf_clear(&o->text);
	if (annotation_absolute_path(a, &o->text))
		json_write_member_string(o->w, "absoluteKeywordLocation", buf_text(&o->text));
	buf_clear(&o->text);
	annotation_instance_path(a, &o->text);
	json_write_member_string(o->w, "instanceLocation", buf_text(&o->text));
	json_write_key(o->w, "annotation");
	json_write_value(o->w, a->value);
	json_write_object_end(o->w);
	o->annotations += fits(o, start, len);
	return o->annotations < MAX_ANNOTATIONS && !o->full;
}

static void
open_root_unit(struct json_writer *w, bool valid)
{
	json_write_object(w);
	json_write_member_bool(w, "valid", valid);
	json_write_member_string(w, "keywordLocation", "");
	json_write_member_string(w, "instanceLocation", "");
}

void
output_basic(struct json_writer *w, const struct report *report)
{
	struct output o;

	bool is_valid = report->facts.outcome == SCHEMA_VALID;

	output_init(&o, w, report);
	open_root_unit(w, is_valid);
	bool all = !is_valid || schema_annotations(report->schema, report->instance, ANNOTATE_VALID,
				    write_annotation_unit, &o);
	if (o.annotations > 0)
		json_write_array_end(w);
	if (!all) {
		/* The value is still valid, so this is not an "error". */
		buf_clear(&o.text);
		buf_addf(&o.text, "the first %zu annotations are listed, there may be more",
		    o.annotations);
		json_write_member_string(o.w, "note", buf_text(&o.text));
	}
	if (report->facts.outcome == SCHEMA_INVALID)
		o.errors = write_list(&o, "errors", write_error_unit, false);
	write_reservation(&o);
	json_write_object_end(w);
	buf_finish(&o.text);
}

void
output_failure(struct json_writer *w, const char *text)
{
	open_root_unit(w, false);
	json_write_member_string(w, "error", text);
	json_write_object_end(w);
}

/* ---- our own format ---- */

static void
write_violation(struct output *o, size_t index)
{
	struct buf path = BUF_INIT;

	json_write_object(o->w);
	write_words(o, "instancePath", report_instance_path, index);
	report_schema_path(o->report, index, &path);
	json_write_member_string(o->w, "schemaPath", buf_text(&path));
	if (strcmp(words(o, report_keyword_path, index), buf_text(&path)) != 0)
		json_write_member_string(o->w, "keywordLocation", buf_text(&o->text));
	buf_finish(&path);
	write_absolute(o, index);
	json_write_member_string(o->w, "keyword", report_at(o->report, index)->keyword);
	write_words(o, "expected", report_expected, index);
	write_words(o, "found", report_found, index);
	write_words(o, "message", report_line, index);
	json_write_object_end(o->w);
}

static void
write_unchecked(struct json_writer *w, const struct report *report)
{
	json_write_key(w, "unchecked");
	json_write_array(w);
	for (size_t i = 0; report && i < report->facts.unchecked_count; i++)
		json_write_string(w, report->facts.unchecked[i]);
	json_write_array_end(w);
}

void
output_findings(struct json_writer *w, const struct report *report)
{
	struct output o;

	output_init(&o, w, report);
	o.errors = write_list(&o, "errors", write_violation, false);
	if (report && report->facts.violations > o.errors)
		json_write_member_int(w, "omitted", (int64_t)(report->facts.violations - o.errors));
	if (report && report->facts.warnings > 0)
		write_list(&o, "warnings", write_violation, true);
	write_unchecked(w, report);
	buf_finish(&o.text);
}

void
output_problem(struct json_writer *w, const struct schema_problem *problem)
{
	json_write_key(w, "errors");
	json_write_array(w);
	json_write_object(w);
	json_write_member_string(w, "instancePath", "");
	json_write_member_string(w, "schemaPath", problem->pointer);
	json_write_member_string(w, "message", problem->text);
	json_write_object_end(w);
	json_write_array_end(w);
	write_unchecked(w, NULL);
}
