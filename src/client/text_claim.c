#include "client/verdict.h"

#include "base/units.h"
#include "data/text_data.h"
#include "client/call.h"
#include "schema/report.h"

#define PATH_BYTES 400 /* shown */
#define BLOCKS_MAX 64  /* looked at: a result may have half a million */

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

/* Only violations: a warning about a format would refuse nothing. */
static void
add_first(const struct report *r, struct buf *out)
{
	struct buf path = { .max = PATH_BYTES };
	size_t i = 0;

	while (i < report_facts(r)->kept && report_at(r, i)->warning)
		i++;
	units_add_counted(out, report_facts(r)->violations, "violation");
	if (i < report_facts(r)->kept) {
		report_instance_path(r, i, &path);
		buf_addf(out, "%s%s%s%s: ", report_facts(r)->violations > 1 ? ", first" : "",
		    path.len > 0 ? " at " : "", buf_text(&path), path.overflowed ? "…" : "");
		report_line(r, i, out);
	}
	buf_finish(&path);
}

static void
add_outcome(const struct report *r, size_t number, struct buf *out)
{
	buf_addf(out, "the JSON in text block %zu ", number);
	switch (report_facts(r)->outcome) {
	case SCHEMA_VALID:
		buf_add_str(
		    out, "would conform, but clients look for it only in structuredContent");
		break;
	case SCHEMA_INVALID:
		buf_add_str(out, "would not conform either: ");
		add_first(r, out);
		break;
	case SCHEMA_UNDECIDED:
		buf_add_str(out, "could not be fully checked: no violation found so far");
		break;
	}
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
		add_outcome(r, claim->number, out);
		report_destroy(r);
	}
	schema_destroy(schema);
	json_doc_destroy(doc);
}
