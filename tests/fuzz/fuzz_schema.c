/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "json/pointer.h"
#include "json/print.h"
#include "schema/findings.h"
#include "schema/schema.h"

#include <stdlib.h>
#include <string.h>

static void
read_all(const struct report *report, const cJSON *instance)
{
	struct buf out = { .max = 1 << 20 };
	size_t below = 0;

	for (size_t i = 0; i < report_facts(report)->kept; i++) {
		const struct violation *v = report_at(report, i);
		report_instance_path(report, i, &out);
		report_schema_path(report, i, &out);
		report_expected(report, i, &out);
		report_found(report, i, &out);
		report_line(report, i, &out);
		report_cell(report, i, &out);
		report_excerpt(report, i, &out);
		buf_clear(&out);
		if (!v->warning && report_count_below(report, v->node) == 0)
			abort();
		size_t at = v->missing ? report_find_missing(report, v->node, v->missing)
				       : report_find(report, v->node);
		if (at == REPORT_NONE || at > i)
			abort();
		below += !v->warning;
	}
	if (below > report_facts(report)->violations ||
	    report_count_below(report, instance) != report_facts(report)->violations)
		abort();
	if ((report_facts(report)->outcome == SCHEMA_INVALID) !=
	    (report_facts(report)->violations > 0))
		abort();
	if ((report_facts(report)->outcome == SCHEMA_UNDECIDED) &&
	    report_facts(report)->unchecked_count == 0)
		abort();
	buf_finish(&out);
}

/* A reported location exists. */
static void
follow_all(const struct report *report, const cJSON *text, const cJSON *value)
{
	struct buf path = BUF_INIT;

	for (size_t i = 0; i < report_facts(report)->kept; i++) {
		buf_clear(&path);
		report_instance_path(report, i, &path);
		demand(json_pointer_find(value, buf_text(&path)));
		buf_clear(&path);
		report_schema_path(report, i, &path);
		/* URI#… is in another document */
		bool own = path.len == 0 || path.data[0] == '/';
		demand(!own || json_pointer_find(text, buf_text(&path)));
	}
	buf_finish(&path);
}

static bool
is_over_budget(const struct report *report)
{
	for (size_t i = 0; i < report_facts(report)->unchecked_count; i++)
		if (strcmp(report_facts(report)->unchecked[i], "too many steps") == 0 ||
		    strstr(report_facts(report)->unchecked[i], "in a row") ||
		    strstr(report_facts(report)->unchecked[i], "leads back") ||
		    strstr(report_facts(report)->unchecked[i], "too slow"))
			return true;
	return false;
}

/* Every way of checking comes to one outcome, unless one of them gave up. */
static void
compare(const struct schema *schema, const cJSON *value, const struct report *first)
{
	for (int mode = CHECK_AS_NEEDED; mode <= CHECK_FLAG; mode++) {
		const struct check_options limits = {
			.mode = (enum check_mode)mode,
			.max_steps = 400000,
			.max_violations = 100,
		};
		struct report *report = schema_check(schema, value, &limits);
		if (report_facts(report)->outcome != report_facts(first)->outcome &&
		    !is_over_budget(report) && !is_over_budget(first))
			abort();
		report_destroy(report);
	}
}

static void
use_lazily(const struct schema *schema, const cJSON *value, const struct report *first)
{
	const struct check_options limits = { .max_steps = 400000, .max_violations = 100 };
	struct buf text = BUF_INIT;

	json_print(&text, value);
	struct json_doc *doc =
	    json_parse(buf_text(&text), text.len, &(struct json_options){ .lazy_bytes = 1 }, NULL);
	if (!doc)
		abort();
	struct report *report = schema_check(schema, json_root(doc), &limits);
	read_all(report, json_root(doc));
	if (report_facts(report)->outcome != report_facts(first)->outcome &&
	    !is_over_budget(report) && !is_over_budget(first))
		abort();
	report_destroy(report);
	json_doc_destroy(doc);
	buf_finish(&text);
}

static void
sum_up(const struct report *report)
{
	struct summary summary;
	struct buf out = BUF_INIT;

	if (!summary_init(&summary, report))
		return;
	demand(summary.failed > 1 && summary.failed <= summary.rows);
	demand(summary.groups.len > 0 || summary.rest > 0);
	summary_line(&summary, 5, &out);
	summary_finish(&summary);
	buf_finish(&out);
}

/* Locations in the schema exist, too; a long pointer is cut. */
static void
find(const cJSON *text, const struct schema_options *options, bool follow)
{
	struct schema_findings findings = { 0 };

	schema_find(&findings, text, options);
	for (size_t i = 0; i < findings.len && follow; i++) {
		const char *pointer = findings.items[i].pointer;
		bool own = !*pointer || *pointer == '/';
		demand(!own || strlen(pointer) > 240 || json_pointer_find(text, pointer));
	}
	schema_findings_finish(&findings);
}

static void
use(const struct json_doc *docs[2], struct schema_library *library)
{
	const cJSON *text = json_root(docs[0]), *value = json_root(docs[1]);
	struct schema_problem problem;
	struct schema_options options = { .library = library, .uri = "x:schema" };
	const struct check_options limits = { .max_steps = 200000, .max_violations = 100 };
	struct schema *schema = schema_compile(text, &options, &problem);

	options.plainly = true;
	struct schema *plain = schema_compile(text, &options, NULL);
	if (!schema != !plain)
		abort();
	if (schema) {
		struct report *report = schema_check(schema, value, &limits);
		read_all(report, value);
		sum_up(report);
		/* the pointer of a key that is there twice leads to the first */
		if (json_flaws(docs[0])->count + json_flaws(docs[1])->count == 0)
			follow_all(report, text, value);
		use_lazily(schema, value, report);
		compare(schema, value, report);
		compare(plain, value, report);
		report_destroy(report);
	}
	schema_destroy(schema);
	schema_destroy(plain);
	struct report *review = schema_review(library, text, NULL, &problem);
	if (review)
		read_all(review, text);
	find(text, &options, json_flaws(docs[0])->count == 0);
	report_destroy(review);
}

/* A schema, an instance and a document known as x:doc, separated by NULs or, without any, by line
 * ends. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int parting = memchr(data, 0, size) ? 0 : '\n';
	struct json_doc *docs[3] = { NULL };

	for (size_t i = 0; i < 3 && size > 0; i++) {
		const uint8_t *cut = memchr(data, parting, size);
		size_t len = cut ? (size_t)(cut - data) : size;
		docs[i] = json_parse((const char *)data, len, NULL, NULL);
		data += len + (cut != NULL);
		size -= len + (cut != NULL);
	}
	struct schema_library *library = schema_library_create();
	if (docs[2])
		schema_library_add(library, "x:doc", json_root(docs[2]));
	if (docs[0] && docs[1])
		use((const struct json_doc *[]){ docs[0], docs[1] }, library);
	schema_library_destroy(library);
	for (size_t i = 0; i < 3; i++)
		json_doc_destroy(docs[i]);
	return 0;
}
