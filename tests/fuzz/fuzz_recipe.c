/* SPDX-License-Identifier: MIT */
/* Any bytes are a recipe or are refused with a position; a recipe runs to its end with any answers,
 * which are also bytes of the file. */
#include "fuzz.h"

#include "recipe/report.h"

#include <locale.h>
#include <string.h>

#define WANTS_MAX 200

static void
on_record(void *user, const struct recipe_record *record)
{
	struct buf line = BUF_INIT;

	demand(record->title && record->detail && record->message);
	recipe_add_line(record, &line);
	for (size_t i = 0; i < line.len; i++)
		demand((unsigned char)line.data[i] >= ' ' || line.data[i] == '\n');
	buf_finish(&line);
	report_add_case(user, record);
}

static void
reply(struct recipe_run *r, const struct recipe_want *want, const uint8_t *data, size_t size)
{
	static const char *const verdicts[] = { "valid", "invalid", "missing", "no-schema" };
	uint8_t byte = size > 0 ? data[size - 1] : 0;
	struct recipe_reply reply = { .verdict = verdicts[byte & 3], .took_us = byte };
	struct json_doc *arguments =
	    json_parse(want->arguments.data, want->arguments.len, NULL, NULL);

	demand(arguments && json_type(json_root(arguments)) == JSON_OBJECT);
	reply.result_doc = arguments;
	reply.data_doc = json_doc_ref(arguments);
	reply.result = reply.data = json_root(arguments);
	if (byte & 4) {
		reply.error = "no";
		reply.failure = byte & 8 ? RECIPE_NO_ANSWER : RECIPE_ERROR_ANSWER;
		reply.is_over = byte & 16;
	}
	recipe_run_on_reply(r, &reply);
}

/* jq is simulated: its results are its input, twice, or an error. */
static void
answer(struct recipe_run *r, const struct recipe_want *want, uint8_t byte)
{
	struct query_answer a = { .at = byte, .count = 1 };

	struct json_doc *value = json_parse(want->value.data, want->value.len, NULL, NULL);

	demand(value != NULL);
	json_doc_destroy(value);
	buf_addf(&a.text, byte & 1 ? "[%s]" : "[%s,true]", buf_text(&want->value));
	if ((byte & 15) == 15)
		err_set(&a.trouble, "no");
	a.more = (byte & 31) == 16;
	recipe_run_on_jq(r, &a);
	query_answer_finish(&a);
}

static void
play(const struct recipe *recipe, const uint8_t *data, size_t size)
{
	struct recipe_report report = { 0 };
	struct err err = { "" };
	struct recipe_want *want;

	report_add_suite(&report, recipe->name ? recipe->name : "", "file");
	const struct recipe_run_options options = {
		.recipe = recipe, .on_record = on_record, .user = &report
	};
	struct recipe_run *r = recipe_run_create(&options, &err);
	for (size_t n = 0; r && (want = recipe_run_next(r))->kind != RECIPE_WANTS_NOTHING; n++) {
		const struct recipe_snapshot snapshot = { .text = (const char *)data, .len = size };
		if (n == WANTS_MAX)
			recipe_run_stop(r, "enough");
		else if (want->kind == RECIPE_WANTS_CALL)
			reply(r, want, data, size - n % (size + 1));
		else if (want->kind == RECIPE_WANTS_JQ)
			answer(r, want, data[n % size]);
		else if (want->kind == RECIPE_WANTS_DELAY)
			recipe_run_on_delay(r);
		else
			recipe_run_on_snapshot(r, &snapshot);
	}
	demand(r ? recipe_run_view(r).is_over : err.text[0] != '\0');
	recipe_run_destroy(r);
	for (int f = RECIPE_TEXT; f <= RECIPE_GITHUB; f++) {
		struct buf out = BUF_INIT;
		recipe_report_add(&report, (enum recipe_format)f, &out);
		demand(out.len > 0);
		buf_finish(&out);
	}
	recipe_report_finish(&report);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recipe_problem problem;
	/* the bytes of a file end with a NUL here, as they do in a buffer */
	struct buf text = BUF_INIT;

	setlocale(LC_ALL, "C.UTF-8");
	buf_add(&text, data, size);
	struct recipe *recipe = recipe_parse(buf_text(&text), text.len, &problem);
	if (recipe)
		play(recipe, (const uint8_t *)buf_text(&text), text.len);
	else
		demand(problem.line > 0 && problem.text[0]);
	recipe_destroy(recipe);
	buf_finish(&text);
	return 0;
}
