#include "schema/schema.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
read_all(const struct report *report, const cJSON *instance)
{
	struct buf out = { .max = 1 << 20 };
	size_t below = 0;

	for (size_t i = 0; i < report_kept(report); i++) {
		const struct violation *v = report_at(report, i);
		report_instance_path(report, i, &out);
		report_schema_path(report, i, &out);
		report_expected(report, i, &out);
		report_found(report, i, &out);
		report_line(report, i, &out);
		buf_clear(&out);
		if (!v->warning && report_count_below(report, v->node) == 0)
			abort();
		size_t at = v->missing ? report_find_missing(report, v->node, v->missing)
				       : report_find(report, v->node);
		if (at == REPORT_NONE || at > i)
			abort();
		below += !v->warning;
	}
	if (below > report_count(report) ||
	    report_count_below(report, instance) != report_count(report))
		abort();
	if ((report_outcome(report) == SCHEMA_INVALID) != (report_count(report) > 0))
		abort();
	if ((report_outcome(report) == SCHEMA_UNDECIDED) && report_unchecked_count(report) == 0)
		abort();
	buf_finish(&out);
}

/* A schema and an instance, parted by the first NUL or, where there is none, the first line end. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *cut = memchr(data, 0, size);

	if (!cut)
		cut = memchr(data, '\n', size);
	if (!cut)
		return 0;
	size_t len = (size_t)(cut - data);
	struct json_doc *text = json_parse((const char *)data, len, NULL, NULL);
	struct json_doc *value = json_parse((const char *)cut + 1, size - len - 1, NULL, NULL);
	if (text && value) {
		struct schema_problem problem;
		const struct schema_options options = { .format = SCHEMA_FORMAT_WARNS };
		const struct check_options limits = { .max_steps = 200000, .max_violations = 100 };
		struct schema *schema = schema_compile(json_root(text), &options, &problem);
		struct report *report =
		    schema ? schema_check(schema, json_root(value), &limits) : NULL;
		if (report)
			read_all(report, json_root(value));
		report_destroy(report);
		schema_destroy(schema);
	}
	json_doc_destroy(text);
	json_doc_destroy(value);
	return 0;
}
