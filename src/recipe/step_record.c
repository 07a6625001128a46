#include "state.h"

#include "base/secret.h"
#include "base/units.h"
#include "json/print.h"
#include "json/write.h"

#include <string.h>

static void
add_kind(const struct recipe_step *step, const struct variables *v, struct buf *out)
{
	static const char *const verbs[] = {
		[RECIPE_CALL] = "", [RECIPE_READ] = "read ", [RECIPE_GET] = "get "
	};
	size_t before;
	struct err err;

	if (step->kind == RECIPE_ASSERT && json_string(step->conditions))
		buf_addf(out, "assert %s", json_string(step->conditions));
	else if (step->kind == RECIPE_ASSERT)
		buf_addf(out, "assert %zu condition%s", json_count(step->conditions),
		    plural(json_count(step->conditions)));
	else if (step->kind == RECIPE_GROUP)
		buf_addf(out, "%zu step%s", step->steps.len, plural(step->steps.len));
	else if (!recipe_kind_calls(step->kind))
		buf_addf(out, "%s %s", recipe_kind_names[step->kind], step->action);
	if (!recipe_kind_calls(step->kind))
		return;
	buf_add_str(out, verbs[step->kind]);
	before = out->len;
	if (!variables_fill_text(v, step->action, out, &err)) {
		buf_truncate(out, before);
		buf_add_str(out, step->action);
	}
}

void
recipe_step_add_title(const struct recipe_step *step, const struct variables *v, struct buf *out)
{
	struct err err;

	if (step->name && variables_fill_text(v, step->name, out, &err))
		return;
	buf_clear(out);
	if (step->name)
		buf_add_str(out, step->name);
	else
		add_kind(step, v, out);
}

void
step_add_brief(const cJSON *value, size_t max_bytes, struct buf *out)
{
	struct buf plain = BUF_INIT;
	struct json_doc *doc;
	struct json_writer w;

	if (!json_has_at_most(value, 200)) { /* secrets in it are not searched for */
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

void
step_add_detail(const cJSON *value, struct buf *out)
{
	buf_clear(out);
	step_add_brief(value, WORDS_BYTES, out);
}

void
step_put_message(const struct recipe_step *step, const struct variables *v, struct buf *lines)
{
	struct buf told = BUF_INIT;
	struct err err;

	if (!variables_fill_text(v, step->message, &told, &err)) {
		buf_clear(&told);
		buf_add_str(&told, step->message);
	}
	buf_addf(&told, "\n%s", buf_text(lines));
	buf_finish(lines);
	*lines = told;
}

/* Values that are known to be secrets are hidden wherever they are. */
static void
hide_values(struct buf *text)
{
	struct buf plain = BUF_INIT;

	if (!secret_hide_values(&plain, buf_text(text), text->len, SECRET_VALUES_NOTED))
		return;
	buf_finish(text);
	*text = plain;
}

/* Attempts are no part of it: how many there are differs from run to run. */
static void
add_place(const struct recipe_run *r, struct buf *out)
{
	for (size_t i = 0; i < r->frames.len; i++)
		if (r->frames.items[i].items)
			buf_addf(out, "%s%zu", out->len > 0 ? "." : "", r->frames.items[i].round);
}

void
run_record(struct recipe_run *r, const struct recipe_step *step, enum recipe_outcome outcome,
    size_t rounds)
{
	const struct run_frame *each = run_each_frame(r);
	struct buf title = BUF_INIT, place = BUF_INIT;

	recipe_step_add_title(step, &r->variables, &title);
	add_place(r, &place);
	while (r->lines.len > 0 && r->lines.data[r->lines.len - 1] == '\n')
		buf_truncate(&r->lines, r->lines.len - 1);
	hide_values(&title);
	hide_values(&r->detail);
	hide_values(&r->lines);
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
