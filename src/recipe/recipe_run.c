/* SPDX-License-Identifier: MIT */
#include "state.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

void
recipe_step_add_title(const struct recipe_step *step, const struct variables *v, struct buf *out)
{
	static const char *const verbs[] = {
		[RECIPE_CALL] = "", [RECIPE_READ] = "read ", [RECIPE_GET] = "get "
	};
	bool calls = recipe_kind_calls(step->kind);
	const char *text = step->name ? step->name : step->action;
	struct err err;

	buf_clear(out);
	if (step->name || calls) {
		buf_add_str(out, step->name ? "" : verbs[step->kind]);
		size_t before = out->len;
		if (!variables_fill_text(v, text, out, &err)) {
			buf_truncate(out, before);
			buf_add_str(out, text);
		}
	} else if (step->kind == RECIPE_ASSERT && cJSON_GetStringValue(step->conditions))
		buf_addf(out, "assert %s", cJSON_GetStringValue(step->conditions));
	else if (step->kind == RECIPE_ASSERT)
		buf_addf(out, "assert %zu condition%s", json_count(step->conditions),
		    plural(json_count(step->conditions)));
	else if (step->kind == RECIPE_GROUP)
		buf_addf(out, "%zu step%s", step->steps.len, plural(step->steps.len));
	else
		buf_addf(out, "%s %s", recipe_kind_names[step->kind], step->action);
}

void
step_add_brief(const cJSON *value, size_t max_bytes, struct buf *out)
{
	struct buf plain = BUF_INIT;
	struct json_doc *doc;
	struct json_writer w;

	if (!json_has_at_most(value, 200)) { /* a longer value is not searched for secrets */
		buf_addf(out, "%s of %zu", json_type_name(json_type(value)), json_count(value));
		return;
	}
	json_write_init(&w, &plain);
	json_write_redacted(&w, value);
	if ((doc = json_parse(buf_text(&plain), plain.len, NULL, NULL)))
		json_print_brief(out, json_root(doc), max_bytes);
	json_doc_destroy(doc);
	buf_finish(&plain);
}

/* Return the frame of the innermost each, or NULL. */
static const struct run_frame *
run_each_frame(const struct recipe_run *r)
{
	for (size_t i = r->frames.len; i-- > 0;)
		if (r->frames.items[i].rounds > 0)
			return &r->frames.items[i];
	return NULL;
}

/* Report a step; rounds: of an each that opens, else 0. */
static void
run_record(struct recipe_run *r, const struct recipe_step *step, enum recipe_outcome outcome,
    size_t rounds)
{
	const struct run_frame *each = run_each_frame(r);
	struct buf title = BUF_INIT, place = BUF_INIT;

	recipe_step_add_title(step, &r->variables, &title);
	/* Leave out attempts, because their number differs from run to run. */
	for (size_t i = 0; i < r->frames.len; i++)
		if (r->frames.items[i].items)
			buf_addf(
			    &place, "%s%zu", place.len > 0 ? "." : "", r->frames.items[i].round);
	while (r->lines.len > 0 && r->lines.data[r->lines.len - 1] == '\n')
		buf_truncate(&r->lines, r->lines.len - 1);
	struct buf *const shown[] = { &title, &r->detail, &r->lines };
	for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
		struct buf plain = BUF_INIT;
		if (secret_hide_values(
			&plain, buf_text(shown[i]), shown[i]->len, SECRET_VALUES_NOTED)) {
			buf_finish(shown[i]);
			*shown[i] = plain;
		}
	}
	const struct recipe_record record = {
		.step = step,
		.outcome = outcome,
		.failure = r->failure,
		.depth = r->frames.len - 1,
		.round = each && !rounds ? each->round : 0,
		.rounds = rounds ? rounds
			  : each ? each->rounds
				 : 0,
		.place = buf_text(&place),
		.title = buf_text(&title),
		.detail = buf_text(&r->detail),
		.message = buf_text(&r->lines),
		.took_us = r->took_us,
		.attempt = r->attempt,
		.call = r->call,
	};
	r->counts.passed += outcome == RECIPE_PASSED;
	r->counts.skipped += outcome == RECIPE_SKIPPED;
	r->counts.failed += outcome == RECIPE_FAILED;
	if (r->options.on_record)
		r->options.on_record(r->options.user, &record);
	buf_finish(&title);
	buf_finish(&place);
}

#define STEPS_MAX 1000000 /* limit of steps in a run, including nested rounds */
#define ARGUMENTS_MAX ((size_t)64 << 20)
#define COLLECTED_MAX ((size_t)64 << 20)

static const struct recipe_step *
running(const struct recipe_run *r)
{
	const struct run_frame *f = r->frames.len > 0 ? top(r) : NULL;

	return f && !f->ends && f->at < f->steps->len ? &f->steps->items[f->at] : NULL;
}

/* ---- requests to the owner ---- */

/* Fail the current step for this reason. */
static void
run_fail(struct recipe_run *r, enum recipe_failure failure, const char *why)
{
	if (!r->failure)
		r->failure = failure;
	buf_addf(&r->lines, "%s\n", why);
	r->phase = AT_END;
}

static void
run_want_jq(struct recipe_run *r, const char *text, const cJSON *value)
{
	struct err err;

	if (!expression_make(&r->expression, text, value, &r->variables, &r->want.value, &err)) {
		run_fail(r, RECIPE_WRONG, err.text);
		return;
	}
	r->want.kind = RECIPE_WANTS_JQ;
	r->want.expression = buf_text(&r->expression.whole);
}

/* Forget the state of the previous step. */
static void
run_clear_step(struct recipe_run *r)
{
	buf_clear(&r->lines);
	buf_clear(&r->detail);
	r->failure = RECIPE_NO_FAILURE;
	r->skipped = false;
	r->took_us = 0;
	r->call = 0;
}

/* Request a delay before the next attempt. */
static void
run_want_retry(struct recipe_run *r, int64_t delay_us)
{
	run_clear_step(r);
	r->phase = AT_RETRY;
	if (delay_us > 0)
		r->want.kind = RECIPE_WANTS_DELAY;
	r->want.delay_us = delay_us;
}

/* Find the input of jq in this step; false: no step has saved the variable of `from` yet. */
static bool
find_input(struct recipe_run *r, const struct recipe_step *step, const cJSON **value)
{
	const struct variable *from =
	    step->from ? variables_find(&r->variables, step->from, strlen(step->from)) : NULL;

	*value = from ? from->value : r->current.node;
	if (!step->from || from)
		return true;
	buf_addf(&r->lines, "there is no variable \"%s\": ", step->from);
	run_fail(r, RECIPE_WRONG, "\"from\" names one that an earlier step saved");
	return false;
}

static void
want_call(struct recipe_run *r, const struct recipe_step *step)
{
	struct buf name = { .max = 64 << 10 };
	struct json_doc *doc;
	struct err err;

	buf_finish(&r->want.arguments);
	buf_init(&r->want.arguments, ARGUMENTS_MAX);
	if (!variables_fill_text(&r->variables, step->action, &name, &err) ||
	    (step->arguments &&
		!variables_fill(&r->variables, step->arguments, &r->want.arguments, &err))) {
		buf_finish(&name);
		run_fail(r, RECIPE_WRONG, err.text);
		return;
	}
	if (!step->arguments)
		buf_add_str(&r->want.arguments, "{}");
	if ((doc = json_parse(r->want.arguments.data, r->want.arguments.len, NULL, NULL)) &&
	    json_first(json_root(doc)))
		step_add_brief(json_root(doc), WORDS_BYTES, &r->detail);
	json_doc_destroy(doc);
	free((char *)r->want.name);
	r->want.name = buf_detach(&name);
	r->want.calls = step->kind;
	r->want.kind = RECIPE_WANTS_CALL;
}

/* ---- steps ---- */

/* Count a step; false: the limit is reached. */
static bool
count_step(struct recipe_run *r)
{
	r->is_over |= ++r->steps > STEPS_MAX;
	if (r->is_over)
		run_fail(r, RECIPE_WRONG, "the recipe has run a million steps, and ends here");
	return !r->is_over;
}

/* Check the next condition, if there is one; `until` is the last one. */
static void
check_condition(struct recipe_run *r)
{
	const struct recipe_step *step = running(r);

	if (r->condition) {
		r->phase = AT_CONDITION;
		run_want_jq(r, cJSON_GetStringValue(r->condition), r->checked.node);
	} else if (step->retry.until && !r->failure) {
		r->phase = AT_UNTIL;
		run_want_jq(r, step->retry.until, r->current.node);
	} else {
		r->phase = AT_END;
	}
}

static void
begin_conditions(struct recipe_run *r, const cJSON *conditions)
{
	r->conditions = conditions;
	r->condition = cJSON_GetStringValue(conditions) ? conditions : json_first(conditions);
	check_condition(r);
}

static void
run_push_frame(struct recipe_run *r, const struct recipe_step *owner)
{
	*VEC_PUSH(&r->frames) = (struct run_frame){ .steps = &owner->steps, .owner = owner };
	value_set(&top(r)->outside, r->current.doc, r->current.node);
	top(r)->rounds = owner->retry.attempts;
	top(r)->round = owner->retry.attempts > 0;
	r->phase = AT_BEGIN;
}

static void
act(struct recipe_run *r, const struct recipe_step *step)
{
	const cJSON *value;

	if (recipe_kind_calls(step->kind)) {
		want_call(r, step);
	} else if (step->kind == RECIPE_GROUP) {
		run_record(r, step, RECIPE_OPENED, 0);
		run_push_frame(r, step);
	} else if (!find_input(r, step, &value)) {
		return;
	} else if (step->kind == RECIPE_ASSERT) {
		value_set(&r->checked, NULL, value);
		begin_conditions(r, step->conditions);
	} else {
		run_want_jq(r, step->action, value);
	}
}

/* Save a value in a variable; name NULL: do nothing. */
static void
run_save(struct recipe_run *r, const char *name, struct json_doc *doc, const cJSON *node)
{
	if (name && doc)
		variables_set(&r->variables, name, json_doc_ref(doc), node);
}

/* Return whether another attempt makes sense: an error in the recipe would be repeated. */
static bool
may_retry(const struct recipe_run *r)
{
	return r->failure && r->failure != RECIPE_WRONG && !r->is_over;
}

/* Advance the frame past the step that ended. */
static void
run_advance(struct recipe_run *r, struct run_frame *f, bool failed, bool goes_on)
{
	bool independent = !f->owner && r->options.recipe->is_independent;

	f->failed |= failed && !goes_on;
	f->at++;
	f->ends = r->is_over || (failed && !goes_on && !independent);
	r->phase = AT_BEGIN;
}

static void
run_end_step(struct recipe_run *r, const struct recipe_step *step)
{
	struct run_frame *retried = NULL; /* the innermost group with an attempt left */

	for (size_t i = may_retry(r) ? r->frames.len : 0; i-- > 1 && !retried;)
		if (r->frames.items[i].round < r->frames.items[i].owner->retry.attempts)
			retried = &r->frames.items[i];
	enum recipe_outcome outcome = retried      ? RECIPE_RETRIED
				      : r->failure ? RECIPE_FAILED
				      : r->skipped ? RECIPE_SKIPPED
						   : RECIPE_PASSED;
	if (retried)
		retried->again = true;
	if (r->failure && step->message) {
		/* Prepend the message of the step to the reasons of the failure. */
		struct buf *lines = &r->lines;
		struct buf told = BUF_INIT;
		struct err err;
		if (!variables_fill_text(&r->variables, step->message, &told, &err)) {
			buf_clear(&told);
			buf_add_str(&told, step->message);
		}
		buf_addf(&told, "\n%s", buf_text(lines));
		buf_finish(lines);
		*lines = told;
	}
	run_record(r, step, outcome, 0);
	if (r->failure && !retried && !r->first_failure)
		r->first_failure = r->failure;
	value_set(&r->checked, NULL, NULL);
	run_advance(r, top(r), r->failure != RECIPE_NO_FAILURE, step->goes_on);
}

/* Begin another attempt; false: it may not begin yet. */
static bool
retry(struct recipe_run *r, const struct recipe_step *step)
{
	if (!step) {
		/* Begin another attempt at the group. */
		struct run_frame *f = top(r);
		value_set(&r->current, f->outside.doc, f->outside.node);
		f->round++;
		f->at = 0;
		f->failed = f->ends = f->again = f->until = false;
		r->phase = AT_BEGIN;
		return true;
	}
	if (r->options.may_begin && !r->options.may_begin(r->options.user))
		return false;
	r->attempt++;
	r->phase = AT_ACTION;
	count_step(r);
	return true;
}

static void
run_pop_frame(struct recipe_run *r)
{
	struct run_frame *f = top(r);

	json_doc_destroy(f->items);
	json_doc_destroy(f->outside.doc);
	buf_finish(&f->collected);
	r->frames.len--;
}

/* Report the top-level steps that were not reached as skipped. wrong: a step that fails before it
 * begins because of `why`; may be NULL. */
static void
skip_rest(struct recipe_run *r, const struct recipe_step *wrong, const char *why)
{
	const struct run_frame *f = top(r);

	r->attempt = 0;
	for (size_t i = f->at; i < f->steps->len; i++) {
		const struct recipe_step *step = &f->steps->items[i];
		run_clear_step(r);
		r->failure = step == wrong ? RECIPE_WRONG : RECIPE_NO_FAILURE;
		buf_add_str(
		    &r->lines, step == wrong ? why : "not run, because the recipe ended before");
		run_record(r, step, step == wrong ? RECIPE_FAILED : RECIPE_SKIPPED, 0);
	}
	run_pop_frame(r);
	r->is_over = true;
}

/* ---- results from the owner ---- */

static void
on_picked(struct recipe_run *r, const struct recipe_step *step)
{
	const cJSON *results = json_root(r->answer);
	const cJSON *value = step->all ? results : json_first(results);
	char why[120];

	if (!step->all && json_count(results) != 1) {
		snprintf(why, sizeof(why),
		    "jq gave %zu results: \"all\": true keeps them as an array",
		    json_count(results));
		run_fail(r, RECIPE_WRONG, why);
		return;
	}
	run_save(r, step->save, r->answer, value); /* its name may be that of a secret */
	step_add_brief(value, WORDS_BYTES, &r->detail);
	value_set(&r->current, r->answer, value);
	r->phase = AT_END;
}

/* Fail the step unless the answer is true. what: prefix of the reason. */
static void
expect_true(struct recipe_run *r, const char *what, const cJSON *value)
{
	const cJSON *results = json_root(r->answer);
	struct buf found = BUF_INIT;

	if (results_are_true(results))
		return;
	if (json_first(results))
		step_add_brief(json_first(results), 40, &found);
	buf_addf(&r->lines, "%s%s: %s", what, r->expression.text,
	    found.len > 0 ? buf_text(&found) : "no result");
	buf_clear(&found);
	if (value)
		step_add_brief(value, WORDS_BYTES, &found);
	buf_addf(&r->lines, ", for %s\n", found.len > 0 ? buf_text(&found) : "nothing");
	r->failure = r->failure ? r->failure : RECIPE_FAILED_EXPECTATION;
	buf_finish(&found);
}

static void
check_value(struct recipe_run *r, const struct recipe_step *step)
{
	const struct recipe_expect *e = &step->expect;
	const cJSON *value = r->checked.node;
	struct json_writer w;

	bool equals = !e->equals || expect_value(e->equals, value, false, &r->variables, &r->lines);
	bool contains =
	    !e->contains || expect_value(e->contains, value, true, &r->variables, &r->lines);
	if (!(equals && contains) && !r->failure)
		r->failure = RECIPE_FAILED_EXPECTATION;
	if (!e->snapshot) {
		begin_conditions(r, e->conditions);
		return;
	}
	r->phase = AT_SNAPSHOT;
	buf_finish(&r->want.value);
	json_write_init(&w, &r->want.value);
	if (value)
		json_write_redacted(&w, value);
	else
		json_write_null(&w);
	r->want.snapshot = e->snapshot;
	r->want.kind = RECIPE_WANTS_SNAPSHOT;
}

/* ---- frames: the rounds of each, groups, and attempts at groups ---- */

/* End an attempt at a group; false: `until` is pending, or another attempt follows. */
static bool
end_attempt(struct recipe_run *r, struct run_frame *f)
{
	const struct recipe_retry *retry = &f->owner->retry;

	if (!f->until) {
		f->until = true;
		run_clear_step(r);
		if (retry->until && !f->again && !f->failed && !r->is_over) {
			r->phase = AT_UNTIL;
			run_want_jq(r, retry->until, r->current.node);
			if (r->want.kind != RECIPE_WANTS_NOTHING)
				return false;
		}
	}
	bool again = f->again || (r->failure && r->failure != RECIPE_WRONG);
	if (again && f->round < retry->attempts && !r->is_over) {
		run_want_retry(r, retry->delay_us);
		return false;
	}
	if (r->failure && f->round > 1)
		buf_addf(&r->lines, "after %zu attempts\n", f->round);
	return true;
}

static void
start_round(struct recipe_run *r, struct run_frame *f)
{
	value_set(&r->current, f->items, f->item);
	run_save(r, f->owner->as, f->items, f->item);
	f->round++;
	f->at = 0;
	f->any_failed |= f->failed;
	f->failed = f->ends = false;
	r->phase = AT_BEGIN;
}

/* End the top frame: begin another round or attempt, or end the step around it. */
static void
run_end_frame(struct recipe_run *r)
{
	struct run_frame *f = top(r);
	const struct recipe_step *owner = f->owner;
	struct buf *collected = &f->collected;

	if (owner->retry.attempts > 0 && !end_attempt(r, f))
		return;
	bool in_vain = owner->retry.attempts > 0 && r->failure;
	if (owner->save && !f->failed) { /* collect the value of the round */
		buf_add_str(collected, collected->len > 1 ? "," : "");
		if (r->current.node)
			json_print(collected, r->current.node);
		else
			buf_add_str(collected, "null");
	}
	bool kept = !collected->overflowed;
	bool failed = f->failed || f->any_failed || !kept;
	if (f->item && f->item->next && kept && !r->is_over && (!failed || owner->goes_on)) {
		f->item = f->item->next;
		start_round(r, f);
		return;
	}
	if (owner->kind == RECIPE_EACH)
		value_set(&r->current, f->outside.doc, f->outside.node);
	if (owner->save && kept) {
		buf_add_char(collected, ']');
		struct json_doc *doc = json_parse(buf_text(collected), collected->len, NULL, NULL);
		if (doc) {
			run_save(r, owner->save, doc, json_root(doc));
			value_set(&r->current, doc, json_root(doc));
		}
		json_doc_destroy(doc);
	}
	run_pop_frame(r);
	if (kept && !in_vain) {
		run_advance(r, top(r), failed, owner->goes_on);
		return;
	}
	if (!kept) {
		run_clear_step(r);
		run_fail(r, RECIPE_WRONG, "the result of the rounds is larger than 64 MiB");
	}
	run_end_step(r, owner);
}

/* Begin the rounds of an each with the results of jq. */
static void
run_on_items(struct recipe_run *r, const struct recipe_step *step)
{
	size_t rounds = json_count(json_root(r->answer));

	if (rounds == 0) {
		buf_add_str(&r->lines, "jq gave nothing to do it for");
		r->skipped = true;
		r->phase = AT_END;
		run_save(r, step->save, r->answer, json_root(r->answer));
		return;
	}
	run_record(r, step, RECIPE_OPENED, rounds);
	run_push_frame(r, step);
	struct run_frame *f = top(r);
	f->items = json_doc_ref(r->answer);
	f->item = json_first(json_root(f->items));
	f->rounds = rounds;
	buf_init(&f->collected, COLLECTED_MAX);
	buf_add_char(&f->collected, '[');
	start_round(r, f);
}

void
recipe_run_on_jq(struct recipe_run *r, const struct query_answer *answer)
{
	const struct recipe_step *step = running(r); /* NULL: evaluating `until` of a group */
	struct buf reason = BUF_INIT;

	BUG_IF(r->want.kind != RECIPE_WANTS_JQ || (!step && r->phase != AT_UNTIL));
	r->want.kind = RECIPE_WANTS_NOTHING;
	if (r->checks.len > 0) {
		struct recipe_checks *c = &r->checks;
		if (!answer->trouble.text[0])
			c->from = c->to;
		else if (c->to - c->from > 1)
			c->one_by_one = c->to;
		else {
			const struct recipe_step *wrong = c->items[c->from].step;
			recipe_add_place(r->options.recipe, c->items[c->from].node, &reason);
			expression_read(&r->expression, answer, &reason);
			checks_finish(c);
			r->first_failure = RECIPE_WRONG;
			skip_rest(r, wrong, buf_text(&reason));
		}
		buf_finish(&reason);
		return;
	}
	json_doc_destroy(r->answer);
	r->answer = json_parse(buf_text(&answer->text), answer->text.len, NULL, NULL);
	if (!expression_read(&r->expression, answer, &reason) || !r->answer) {
		run_fail(r, RECIPE_WRONG, reason.len > 0 ? buf_text(&reason) : "jq gave no JSON");
	} else if (r->phase == AT_WHEN) {
		r->skipped = !results_are_true(json_root(r->answer));
		r->phase = r->skipped ? AT_END : AT_ACTION;
		if (r->skipped)
			buf_addf(&r->lines, "not when %s", step->when);
	} else if (r->phase == AT_CONDITION) {
		expect_true(r, step->kind == RECIPE_ASSERT ? "" : "jq: ", r->checked.node);
		r->condition = cJSON_GetStringValue(r->conditions) ? NULL : r->condition->next;
		check_condition(r);
	} else if (r->phase == AT_UNTIL) {
		expect_true(r, "until: ", r->current.node);
		r->phase = AT_END;
	} else if (r->phase == AT_OF && json_count(json_root(r->answer)) != 1) {
		run_fail(r, RECIPE_WRONG, "\"of\" has to give one result");
	} else if (r->phase == AT_OF) {
		value_set(&r->checked, r->answer, json_first(json_root(r->answer)));
		check_value(r, step);
	} else if (step->kind == RECIPE_PICK) {
		on_picked(r, step);
	} else {
		run_on_items(r, step);
	}
	buf_finish(&reason);
}

void
recipe_run_on_reply(struct recipe_run *r, struct recipe_reply *reply)
{
	const struct recipe_step *step = running(r);

	BUG_IF(r->want.kind != RECIPE_WANTS_CALL || !step);
	r->want.kind = RECIPE_WANTS_NOTHING;
	r->took_us = reply->took_us;
	r->call = reply->call;
	r->is_over |= reply->is_over;
	if (reply->result)
		variables_set(
		    &r->variables, "reply", json_doc_ref(reply->result_doc), reply->result);
	value_set(&r->current, reply->data_doc, reply->data);
	value_set(&r->checked, reply->data_doc, reply->data);
	r->failure = expect_reply(&step->expect, reply, &r->variables, &r->lines);
	if (reply->error && r->failure)
		r->phase = AT_END;
	else if (step->expect.of)
		run_want_jq(r, step->expect.of, r->checked.node);
	if (r->phase == AT_ACTION)
		r->phase = AT_OF;
	if (r->phase == AT_OF && r->want.kind == RECIPE_WANTS_NOTHING)
		check_value(r, step);
	json_doc_destroy(reply->result_doc);
	json_doc_destroy(reply->data_doc);
}

void
recipe_run_on_snapshot(struct recipe_run *r, const struct recipe_snapshot *snapshot)
{
	const struct recipe_step *step = running(r);

	BUG_IF(r->want.kind != RECIPE_WANTS_SNAPSHOT || !step);
	r->want.kind = RECIPE_WANTS_NOTHING;
	if (!expect_snapshot(snapshot, buf_text(&r->want.value), r->want.value.len, &r->lines) &&
	    !r->failure)
		r->failure = RECIPE_FAILED_EXPECTATION;
	begin_conditions(r, step->expect.conditions);
}

void
recipe_run_on_delay(struct recipe_run *r)
{
	BUG_IF(r->want.kind != RECIPE_WANTS_DELAY);
	r->want.kind = RECIPE_WANTS_NOTHING;
}

/* ---- create, destroy and drive ---- */

struct recipe_want *
recipe_run_next(struct recipe_run *r)
{
	while (r->want.kind == RECIPE_WANTS_NOTHING && r->frames.len > 0) {
		const struct recipe_step *step = running(r);
		const cJSON *value;
		if (r->checks.len > 0 && checks_next(&r->checks, &r->expression)) {
			/* compile the next expressions */
			buf_finish(&r->want.value);
			buf_init(&r->want.value, QUERY_MAX_BYTES);
			buf_add_str(&r->want.value, "null");
			r->want.kind = RECIPE_WANTS_JQ;
			r->want.expression = buf_text(&r->expression.whole);
		} else if (r->checks.len > 0) {
			checks_finish(&r->checks);
		} else if (r->phase == AT_RETRY) {
			if (!retry(r, step))
				break;
		} else if (!step && r->frames.len > 1) {
			run_end_frame(r);
		} else if (!step) {
			skip_rest(r, NULL, NULL);
		} else if (r->phase == AT_BEGIN) {
			if (r->options.may_begin && !r->options.may_begin(r->options.user))
				break;
			run_clear_step(r);
			r->attempt = recipe_kind_calls(step->kind) && step->retry.attempts > 0;
			r->phase = AT_WHEN;
			if (!count_step(r))
				continue;
			if (!step->when)
				r->phase = AT_ACTION;
			else if (find_input(r, step, &value))
				run_want_jq(r, step->when, value);
		} else if (r->phase == AT_ACTION) {
			act(r, step);
		} else if (may_retry(r) && r->attempt > 0 && r->attempt < step->retry.attempts) {
			run_record(r, step, RECIPE_RETRIED, 0);
			run_want_retry(r, step->retry.delay_us);
		} else {
			if (r->failure && r->attempt > 1)
				buf_addf(&r->lines, "after %zu attempts\n", r->attempt);
			if (!r->failure && !r->skipped && recipe_kind_calls(step->kind))
				run_save(r, step->save, r->current.doc, r->current.node);
			run_end_step(r, step);
		}
	}
	return &r->want;
}

void
recipe_run_stop(struct recipe_run *r, const char *why)
{
	bool waits = r->want.kind != RECIPE_WANTS_NOTHING;

	r->want.kind = RECIPE_WANTS_NOTHING;
	r->is_over = true;
	checks_finish(&r->checks);
	if (r->frames.len == 0)
		return;
	if (waits || r->phase == AT_RETRY)
		run_fail(r, RECIPE_NO_ANSWER, why);
	else
		top(r)->ends = true;
	recipe_run_next(r);
}

struct recipe_run *
recipe_run_create(const struct recipe_run_options *options, struct err *err)
{
	struct recipe_run *r = mem_zalloc(sizeof(*r));

	r->options = *options;
	r->variables = options->given;
	r->options.given = (struct variables){ 0 };
	if (!checks_start(&r->checks, options, &r->variables, err)) {
		recipe_run_destroy(r);
		return NULL;
	}
	*VEC_PUSH(&r->frames) = (struct run_frame){ .steps = &options->recipe->steps };
	return r;
}

void
recipe_run_destroy(struct recipe_run *r)
{
	if (!r)
		return;
	while (r->frames.len > 0)
		run_pop_frame(r);
	free(r->frames.items);
	checks_finish(&r->checks);
	variables_finish(&r->variables);
	value_set(&r->current, NULL, NULL);
	value_set(&r->checked, NULL, NULL);
	json_doc_destroy(r->answer);
	free((char *)r->want.name);
	buf_finish(&r->want.arguments);
	buf_finish(&r->want.value);
	buf_finish(&r->expression.whole);
	buf_finish(&r->lines);
	buf_finish(&r->detail);
	free(r);
}

struct recipe_run_view
recipe_run_view(const struct recipe_run *r)
{
	const struct run_frame *each = run_each_frame(r);
	const struct recipe_step *step = running(r);
	size_t depth = r->frames.len > 0 ? r->frames.len - 1 : 0;
	bool between = !step && depth > 0; /* attempts at a group */

	return (struct recipe_run_view){
		.step = between ? top(r)->owner : step,
		.at = r->frames.len > 0 ? r->frames.items[0].at : 0,
		.depth = between ? depth - 1 : depth,
		.round = each ? each->round : 0,
		.rounds = each ? each->rounds : 0,
		.attempt = r->attempt,
		.counts = r->counts,
		.failure = r->first_failure,
		.is_over = r->frames.len == 0,
	};
}
