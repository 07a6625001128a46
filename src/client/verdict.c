/* SPDX-License-Identifier: MIT */
#include "client/verdict.h"

#include "base/strings.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/call.h"
#include "data/text_data.h"
#include "schema/report.h"

#include <string.h>

#define PATH_BYTES 400 /* printed of a path */

const struct verdict_look verdict_looks[VERDICT_COUNT] = {
#define X(id, verdict_name, verdict_mark, role, sentence) { verdict_name, verdict_mark, sentence },
	VERDICTS(X)
#undef X
};

/* In order of priority: an error is not held to the schema (SEP-2200), and an unusable schema comes
 * before a violation. */
void
verdict_begin(struct verdict *v, const cJSON *output_schema, const cJSON *structured, bool is_error)
{
	*v = (struct verdict){ .kind = VERDICT_NO_SCHEMA };
	if (!output_schema)
		return;
	v->schema = schema_compile(output_schema, NULL, &v->problem);
	if (is_error)
		v->kind = VERDICT_NOT_APPLIED;
	else if (!v->schema)
		v->kind = VERDICT_SCHEMA_BROKEN;
	else if (!structured)
		v->kind = VERDICT_MISSING;
	else
		v->kind = VERDICT_CHECKING;
}

void
verdict_end(struct verdict *v, struct report *report)
{
	v->report = report;
	static const enum verdict_kind kinds[] = {
		[SCHEMA_VALID] = VERDICT_VALID,
		[SCHEMA_INVALID] = VERDICT_INVALID,
		[SCHEMA_UNDECIDED] = VERDICT_UNDECIDED,
	};
	v->kind = kinds[(report_facts(report)->outcome)];
}

void
verdict_finish(struct verdict *v)
{
	report_destroy(v->report);
	schema_destroy(v->schema);
	*v = (struct verdict){ 0 };
}

void
verdict_line(const struct verdict *v, struct buf *out)
{
	if (v->kind == VERDICT_INVALID) {
		units_add_counted(out, report_facts(v->report)->violations, "violation");
		buf_add_str(out, " of outputSchema");
	} else {
		buf_add_str(out, verdict_looks[v->kind].text);
	}
	if (v->report || v->kind == VERDICT_CHECKING)
		buf_addf(out, " (%s)", schema_draft_name(schema_draft(v->schema)));
	if (v->kind == VERDICT_VALID) {
		buf_add_str(out, ", ");
		units_add_counted(out, report_facts(v->report)->steps, "check");
	}
}

void
verdict_reason(const struct verdict *v, struct buf *out)
{
	if (v->kind == VERDICT_SCHEMA_BROKEN) {
		buf_addf(out, "at %s: %s", v->problem.pointer[0] ? v->problem.pointer : "the root",
		    v->problem.text);
		return;
	}
	if (!v->report || report_facts(v->report)->unchecked_count == 0)
		return;
	buf_add_str(out, "not checked: ");
	report_add_unchecked(v->report, out);
}

/* ---- the text of a result without structuredContent ---- */

#define BLOCKS_MAX 64 /* looked at: a result may have half a million */

bool
text_claim_find(const struct call *c, struct text_claim *out)
{
	if (c->state != CALL_DONE || c->verdict.kind != VERDICT_MISSING)
		return false;
	for (size_t i = 0; i < c->result.len && i < BLOCKS_MAX; i++) {
		const struct content_block *b = &c->result.blocks[i];
		if (!b->text || !text_data_begins_json(b->text, b->text_len))
			continue;
		*out = (struct text_claim){ c->output_schema, b->text, b->text_len, i + 1 };
		return true;
	}
	return false;
}

void
text_claim_check(const struct text_claim *claim, struct job *job, struct buf *out)
{
	struct schema_problem problem;
	struct json_doc *doc = NULL;
	struct schema *schema = NULL;

	if (text_data_read(claim->text, claim->len, job, &doc, NULL) == TEXT_DATA_JSON)
		schema = schema_compile(claim->schema, NULL, &problem);
	if (schema) {
		struct report *r =
		    schema_check(schema, json_root(doc), &(struct check_options){ .job = job });
		buf_addf(out, "the JSON in text block %zu ", claim->number);
		switch (report_facts(r)->outcome) {
		case SCHEMA_VALID:
			buf_add_str(out,
			    "would conform, but clients look for it only in structuredContent");
			break;
		case SCHEMA_INVALID:
			buf_add_str(out, "would not conform either: ");
			/* Only violations: a warning about a format would refuse nothing. */
			struct buf path = { .max = PATH_BYTES };
			size_t i = 0;
			while (i < report_facts(r)->kept && report_at(r, i)->warning)
				i++;
			units_add_counted(out, report_facts(r)->violations, "violation");
			if (i < report_facts(r)->kept) {
				report_instance_path(r, i, &path);
				buf_addf(out,
				    "%s%s%s%s: ", report_facts(r)->violations > 1 ? ", first" : "",
				    path.len > 0 ? " at " : "", buf_text(&path),
				    path.overflowed ? "…" : "");
				report_line(r, i, out);
			}
			buf_finish(&path);
			break;
		case SCHEMA_UNDECIDED:
			buf_add_str(out, "could not be fully checked: no violation found so far");
			break;
		}
		report_destroy(r);
	}
	schema_destroy(schema);
	json_doc_destroy(doc);
}

/* ---- compatibility: other clients with the same result ---- */

#define STEPS 64 /* compared */

struct way {
	struct report_step steps[STEPS];
	size_t depth;
};

/* The order of best_match(): the shorter path first, then the greater one. */
static bool
comes_first(const struct way *a, const struct way *b)
{
	size_t count = a->depth < STEPS ? a->depth : STEPS;

	if (a->depth != b->depth)
		return a->depth < b->depth;
	for (size_t i = 0; i < count; i++) {
		const struct report_step *x = &a->steps[i], *y = &b->steps[i];
		int order = x->key && y->key ? strcmp(x->key, y->key)
					     : (x->index > y->index) - (x->index < y->index);
		if (order != 0)
			return order > 0;
	}
	return false;
}

/* The report must have at least one violation. */
static size_t
best_match(const struct report *r, const cJSON *root)
{
	struct way ways[2], *best_way = &ways[0], *way = &ways[1];
	size_t best = REPORT_NONE;

	for (size_t i = 0; i < report_facts(r)->kept; i++) {
		if (report_at(r, i)->warning)
			continue;
		way->depth = report_way(r, i, root, way->steps, STEPS);
		way->depth -= report_at(r, i)->missing != NULL;
		if (best != REPORT_NONE && !comes_first(way, best_way))
			continue;
		struct way *other = best_way;
		best_way = way;
		way = other;
		best = i;
	}
	return best;
}

/* The client of the Python SDK raises one RuntimeError with the violation that best_match() picks.
 */
static void
add_raises(const struct report *r, const cJSON *structured, struct buf *out)
{
	size_t count = report_facts(r)->violations;
	struct buf path = { .max = PATH_BYTES };

	if (count == 1) {
		buf_add_str(out, "Python SDK: an exception instead of this result");
		return;
	}
	buf_addf(out, "Python SDK: raises 1 of these %zu", count);
	if (count + report_facts(r)->warnings > report_facts(r)->kept)
		return;
	size_t best = best_match(r, structured);
	report_instance_path(r, best, &path);
	buf_addf(out, ", probably %s%s%s", buf_text(&path), path.overflowed ? "…" : "",
	    path.len > 0 ? ": " : "");
	buf_finish(&path);
	report_line(r, best, out);
}

/* ---- $ref and its siblings ---- */

/* Whether any subschema has asserting siblings of $ref; values are not searched. */
static bool
has_siblings_of_ref(const cJSON *schema)
{
	static const char *const VALUES[] = { "default", "examples", "enum", "const", NULL };
	static const char *const SILENT[] = { "$ref", "$schema", "$id", "$comment", "title",
		"description", "default", "examples", "definitions", "$defs", "readOnly",
		"writeOnly", "deprecated", NULL };
	bool refers = json_get_string(schema, "$ref") != NULL;

	for (const cJSON *m = json_first(schema); m; m = m->next) {
		if (refers && m->string && !words_have(SILENT, m->string))
			return true;
		if (!(m->string && words_have(VALUES, m->string)) && has_siblings_of_ref(m))
			return true;
	}
	return false;
}

static void
add_line(struct buf *out, size_t *count, const char *text)
{
	if ((*count)++ > 0)
		buf_add_char(out, '\n');
	buf_add_str(out, text);
}

size_t
compat_add_lines(const struct call *c, struct buf *out)
{
	const struct verdict *v = &c->verdict;
	const struct report_facts *facts = v->report ? report_facts(v->report) : NULL;
	const cJSON *structured = c->result.structured;
	size_t count = 0;

	if (c->state != CALL_DONE)
		return 0;
	/* The client of the TypeScript SDK, on which the Inspector is built: InvalidParams,
	 * "Structured content does not match the tool's output schema". */
	if (v->kind == VERDICT_INVALID) {
		add_line(
		    out, &count, "TypeScript SDK, Inspector: error -32602 instead of this result");
		add_line(out, &count, "");
		add_raises(v->report, structured, out);
	}
	/* InvalidRequest */
	if (v->kind == VERDICT_MISSING)
		add_line(out, &count,
		    "TypeScript SDK: error -32600, \"did not return structured content\"");
	/* ajv-formats is on in the TypeScript SDK; the Python SDK gives jsonschema no format
	 * checker. */
	if (facts && facts->warnings > 0 && facts->violations == 0)
		add_line(out, &count,
		    "ajv asserts formats and refuses this result; the Python SDK ignores them");
	if (v->kind == VERDICT_NOT_APPLIED && structured)
		add_line(out, &count,
		    "TypeScript SDK: checks structuredContent of errors too, may hide this error");
	if (v->kind == VERDICT_SCHEMA_BROKEN)
		add_line(out, &count, "Inspector: accepts any result if a schema does not compile");
	/* Any JSON value since 2026-07-28 (SEP-2106), only an object before. */
	if (structured && !cJSON_IsObject(structured))
		add_line(out, &count,
		    "clients before 2026-07-28 refuse structuredContent that is not an object");
	if (!v->schema)
		return count;
	enum schema_draft draft = schema_draft(v->schema);
	/* A known deviation of ajv; "a validator SHOULD ignore other keywords": draft-07 section
	 * 8.3. */
	if ((draft == SCHEMA_DRAFT_06 || draft == SCHEMA_DRAFT_07) &&
	    has_siblings_of_ref(c->output_schema)) {
		add_line(out, &count, "ajv evaluates the siblings of $ref, ");
		buf_addf(out, "%s ignores them", schema_draft_name(draft));
	}
	/* Its validators cover 2020-12, 2019-09, draft-07 and draft-06. */
	if (draft == SCHEMA_DRAFT_04 || draft == SCHEMA_DRAFT_V1) {
		add_line(out, &count, "TypeScript SDK: has no validator for ");
		buf_add_str(out, schema_draft_name(draft));
	}
	return count;
}
