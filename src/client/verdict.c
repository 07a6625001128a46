#include "client/verdict.h"

#include "base/units.h"

const struct verdict_look verdict_looks[VERDICT_COUNT] = {
#define X(id, verdict_name, verdict_mark, role, sentence) { verdict_name, verdict_mark, sentence },
	VERDICTS(X)
#undef X
};

static enum verdict_kind
from_outcome(enum schema_outcome outcome)
{
	static const enum verdict_kind kinds[] = {
		[SCHEMA_VALID] = VERDICT_VALID,
		[SCHEMA_INVALID] = VERDICT_INVALID,
		[SCHEMA_UNDECIDED] = VERDICT_UNDECIDED,
	};
	return kinds[outcome];
}

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

struct report *
verdict_check(const struct verdict *v, const cJSON *structured, const struct check_options *options)
{
	return schema_check(v->schema, structured, options);
}

void
verdict_end(struct verdict *v, struct report *report)
{
	v->report = report;
	v->kind = from_outcome(report_facts(report)->outcome);
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
