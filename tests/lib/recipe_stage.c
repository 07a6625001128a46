/* SPDX-License-Identifier: MIT */
#include "recipe_stage.h"

#include "base/mem.h"
#include "json/print.h"

#include <string.h>

static const char orders[] =
    "{\"orders\":[{\"id\":\"A1\",\"status\":\"pending\",\"total\":5},{\"id\":\"A2\",\"status\":"
    "\"failed\",\"total\":12345678901234567890},{\"id\":\"A3\",\"status\":\"failed\",\"total\":7."
    "50}]}";

static void
on_record(void *user, const struct recipe_record *record)
{
	struct recipe_stage *s = user;
	struct recipe_record untimed = *record;

	untimed.took_us = 0;
	recipe_add_line(&untimed, &s->said);
	report_add_case(&s->report, record);
}

static void
reply(struct recipe_stage *s, const struct recipe_want *want)
{
	static const struct recipe_finding findings[] = { { "odd-name", "its name is odd", 2 },
		{ "lost-text", "a text is lost", 1 } };
	struct buf result = BUF_INIT;
	struct recipe_reply r = { .verdict = "valid", .took_us = 3000, .call = 1 };

	buf_addf(&s->calls, "%s %s\n", want->name, buf_text(&want->arguments));
	if (strcmp(want->name, "orders") == 0)
		buf_add_str(&result, orders);
	else if (strcmp(want->name, "echo") == 0)
		buf_add_str(&result, buf_text(&want->arguments));
	else
		buf_addf(&result, "{\"did\":\"%s\"}", want->name);
	if (strcmp(want->name, "invalid") == 0) {
		r.verdict = "invalid";
		r.violations = "/did: found a string, expected an integer";
	} else if (strcmp(want->name, "slow") == 0) {
		r.took_us = 2000000;
	} else if (strcmp(want->name, "found") == 0) {
		r.findings = findings;
		r.finding_count = 2;
	} else if (strcmp(want->name, "fails") == 0 ||
		   (strcmp(want->name, "flaky") == 0 && ++s->flaky < 3)) {
		r.verdict = "not-applied";
		r.failure = RECIPE_ERROR_ANSWER;
		r.error = "the tool reported an error: no such \033[31morder\nA9";
	} else if (strcmp(want->name, "silent") == 0 || strcmp(want->name, "ends") == 0) {
		r.verdict = "no-result";
		r.failure = RECIPE_NO_ANSWER;
		r.error = "no answer in 60 s";
		r.is_over = want->name[0] == 'e';
	}
	if (r.failure != RECIPE_NO_ANSWER) {
		r.result_doc = json_parse(result.data, result.len, NULL, NULL);
		r.data_doc = json_doc_ref(r.result_doc);
		r.result = r.data = json_root(r.result_doc);
	}
	recipe_run_on_reply(s->run, &r);
	buf_finish(&result);
}

static void
answer(struct recipe_stage *s, struct recipe_want *want)
{
	struct query_answer a = { .at = QUERY_NOWHERE };

	query_run(want->expression, buf_text(&want->value), want->value.len, &a);
	recipe_run_on_jq(s->run, &a);
	query_answer_finish(&a);
}

static void
look(struct recipe_stage *s, const struct recipe_want *want)
{
	struct recipe_snapshot snapshot = { .text = buf_text(&s->snapshot),
		.len = s->snapshot.len,
		.written = s->update,
		.trouble = s->snapshot.len == 0 && !s->update ? "no snapshot" : NULL };

	if (s->update) {
		buf_clear(&s->snapshot);
		buf_add(&s->snapshot, want->value.data, want->value.len);
	}
	recipe_run_on_snapshot(s->run, &snapshot);
}

static void
wait(struct recipe_stage *s, const struct recipe_want *want)
{
	s->delayed_us += want->delay_us;
	recipe_run_on_delay(s->run);
}

bool
recipe_stage_play(struct recipe_stage *s, const char *text)
{
	struct recipe_run_options options = {
		.environment = s->environment, .given = s->given, .on_record = on_record, .user = s
	};
	struct recipe_want *want;

	s->given = (struct variables){ 0 };
	options.recipe = s->recipe = recipe_parse(text, strlen(text), &s->problem);
	if (!s->recipe) {
		variables_finish(&options.given);
		return err_set(&s->err, "%s", s->problem.text);
	}
	report_add_suite(&s->report, s->recipe->name ? s->recipe->name : "recipe", "recipe.json");
	s->run = recipe_run_create(&options, &s->err);
	if (!s->run)
		return false;
	for (size_t n = 1; (want = recipe_run_next(s->run))->kind != RECIPE_WANTS_NOTHING; n++) {
		if (s->most > 0 && n > s->most)
			recipe_run_stop(s->run, "stopped");
		else if (want->kind == RECIPE_WANTS_CALL)
			reply(s, want);
		else if (want->kind == RECIPE_WANTS_JQ)
			answer(s, want);
		else if (want->kind == RECIPE_WANTS_DELAY)
			wait(s, want);
		else
			look(s, want);
	}
	return true;
}

void
recipe_stage_finish(struct recipe_stage *s)
{
	recipe_run_destroy(s->run);
	recipe_destroy(s->recipe);
	recipe_report_finish(&s->report);
	variables_finish(&s->given);
	buf_finish(&s->said);
	buf_finish(&s->calls);
	buf_finish(&s->snapshot);
	*s = (struct recipe_stage){ 0 };
}
