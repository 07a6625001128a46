/* SPDX-License-Identifier: MIT */
#include "validator.h"

#include "base/path.h"
#include "json/pointer.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
validator_init(
    struct validator *validator, const cJSON *schema, const struct schema_options *options)
{
	struct schema_options plain = *options;

	plain.plainly = true;
	*validator = (struct validator){ .text = schema };
	validator->planned = schema_compile(schema, options, &validator->problem);
	validator->plain = schema_compile(schema, &plain, NULL);
}

void
validator_finish(struct validator *validator)
{
	schema_destroy(validator->planned);
	schema_destroy(validator->plain);
}

static enum validity
check_one_way(const struct schema *schema, const cJSON *value, enum check_mode mode)
{
	static const enum validity VALIDITIES[] = {
		[SCHEMA_VALID] = IS_VALID,
		[SCHEMA_INVALID] = IS_INVALID,
		[SCHEMA_UNDECIDED] = IS_UNDECIDED,
	};
	const struct check_options options = { .mode = mode };
	struct report *report = schema_check(schema, value, &options);
	enum validity said = VALIDITIES[report_facts(report)->outcome];
	size_t count = report_facts(report)->violations;
	size_t kept = report_facts(report)->kept - report_facts(report)->warnings;

	if ((said == IS_INVALID) != (count > 0))
		said = IS_INCONSISTENT;
	if (mode != CHECK_FLAG && (count > 0) != (kept > 0))
		said = IS_INCONSISTENT;
	if (schema_outcome(schema, value, &options) != report_facts(report)->outcome)
		said = IS_INCONSISTENT;
	report_destroy(report);
	return said;
}

static void
tell(const struct schema *schema, const cJSON *value, struct buf *out)
{
	struct report *report = schema_check(schema, value, NULL);

	buf_addf(out, "%d %zu %zu\n", (int)report_facts(report)->outcome,
	    report_facts(report)->violations, report_facts(report)->warnings);
	for (size_t i = 0; i < report_facts(report)->kept && i < 20; i++) {
		report_instance_path(report, i, out);
		buf_add_char(out, ' ');
		report_keyword_path(report, i, out);
		buf_add_char(out, ' ');
		report_line(report, i, out);
		buf_addf(out, " %zu\n", report_count_below(report, report_at(report, i)->node));
	}
	report_destroy(report);
}

/* Return whether the locations of the first violations resolve to the reported values. */
static bool
check_places(const struct validator *validator, const cJSON *value)
{
	struct report *report = schema_check(validator->planned, value, NULL);
	struct buf path = BUF_INIT;
	bool fine = true;

	for (size_t i = 0; i < report_facts(report)->kept && i < 20 && fine; i++) {
		buf_clear(&path);
		report_instance_path(report, i, &path);
		fine = json_pointer_find(value, buf_text(&path)) != NULL;
		buf_clear(&path);
		report_schema_path(report, i, &path);
		/* URI#… refers to another document */
		if (fine && (path.len == 0 || path.data[0] == '/'))
			fine = json_pointer_find(validator->text, buf_text(&path)) != NULL;
	}
	if (!fine)
		fprintf(stderr, "leads nowhere: %s\n", buf_text(&path));
	buf_finish(&path);
	report_destroy(report);
	return fine;
}

/* Return whether a value with lazy arrays gives the same report. */
static bool
check_lazily(const struct schema *schema, const cJSON *value)
{
	struct buf text = BUF_INIT, said = BUF_INIT, again = BUF_INIT;

	json_print(&text, value);
	struct json_doc *doc = json_parse(buf_text(&text), text.len,
	    &(struct json_options){ .lazy_bytes = 1, .max_depth = SIZE_MAX }, NULL);
	bool same = doc != NULL;
	if (same) {
		tell(schema, value, &said);
		tell(schema, json_root(doc), &again);
		same = strcmp(buf_text(&said), buf_text(&again)) == 0;
		if (!same)
			fprintf(
			    stderr, "as nodes:\n%slazily:\n%s", buf_text(&said), buf_text(&again));
	}
	json_doc_destroy(doc);
	buf_finish(&text);
	buf_finish(&said);
	buf_finish(&again);
	return same;
}

enum validity
validate(const struct validator *validator, const cJSON *value)
{
	static const enum check_mode MODES[] = { CHECK_FLAG, CHECK_COLLECTING, CHECK_AS_NEEDED };

	if (!validator->planned != !validator->plain)
		return IS_INCONSISTENT;
	if (!validator->planned)
		return IS_REFUSED;
	enum validity first = check_one_way(validator->planned, value, MODES[0]);
	for (size_t i = 1; i < 6; i++) {
		enum validity said = check_one_way(
		    i < 3 ? validator->planned : validator->plain, value, MODES[i % 3]);
		/* a plan may skip a cycle on which the other ways give up */
		if (said != first && said != IS_UNDECIDED && first != IS_UNDECIDED)
			return IS_INCONSISTENT;
		if (said != first)
			first = IS_UNDECIDED;
	}
	if (!check_places(validator, value))
		return IS_INCONSISTENT;
	if (!check_lazily(validator->planned, value) || !check_lazily(validator->plain, value))
		return IS_INCONSISTENT;
	return first;
}

struct json_doc *
load_document(const char *path)
{
	struct buf text = BUF_INIT;
	struct err err;
	struct json_error error = { 0 };
	struct json_doc *doc = NULL;

	if (!path_read_file(path, &text, &err))
		fprintf(stderr, "%s\n", err.text);
	else if (!(doc = json_parse(buf_text(&text), text.len, NULL, &error)))
		fprintf(stderr, "%s:%u: %s\n", path, error.line, error.text);
	buf_finish(&text);
	if (!doc)
		exit(1);
	return doc;
}
