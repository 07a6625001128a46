#include "judge.h"

#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
judge_init(struct judge *judge, const cJSON *schema, const struct schema_options *options)
{
	struct schema_options plain = *options;

	plain.plainly = true;
	*judge = (struct judge){ 0 };
	judge->planned = schema_compile(schema, options, &judge->problem);
	judge->plain = schema_compile(schema, &plain, NULL);
}

void
judge_finish(struct judge *judge)
{
	schema_destroy(judge->planned);
	schema_destroy(judge->plain);
}

static enum judgement
judge_one_way(const struct schema *schema, const cJSON *value, enum check_mode mode)
{
	static const enum judgement JUDGEMENTS[] = {
		[SCHEMA_VALID] = JUDGED_VALID,
		[SCHEMA_INVALID] = JUDGED_INVALID,
		[SCHEMA_UNDECIDED] = JUDGED_UNDECIDED,
	};
	const struct check_options options = { .mode = mode };
	struct report *report = schema_check(schema, value, &options);
	enum judgement said = JUDGEMENTS[report_outcome(report)];
	size_t count = report_count(report);
	size_t kept = report_kept(report) - report_warnings(report);

	if ((said == JUDGED_INVALID) != (count > 0))
		said = JUDGED_VARIOUSLY;
	if (mode != CHECK_FLAG && (count > 0) != (kept > 0))
		said = JUDGED_VARIOUSLY;
	report_destroy(report);
	return said;
}

enum judgement
judge(const struct judge *judge, const cJSON *value)
{
	static const enum check_mode MODES[] = { CHECK_FLAG, CHECK_COLLECTING, CHECK_AS_NEEDED };

	if (!judge->planned != !judge->plain)
		return JUDGED_VARIOUSLY;
	if (!judge->planned)
		return JUDGED_REFUSED;
	enum judgement first = judge_one_way(judge->planned, value, MODES[0]);
	for (size_t i = 1; i < 6; i++)
		if (judge_one_way(i < 3 ? judge->planned : judge->plain, value, MODES[i % 3]) !=
		    first)
			return JUDGED_VARIOUSLY;
	return first;
}

struct json_doc *
judge_load(const char *path)
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
