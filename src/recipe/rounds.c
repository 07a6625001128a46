#include "state.h"

#include "base/vec.h"
#include "json/print.h"

#define COLLECTED_MAX ((size_t)64 << 20)

/* Frames: the rounds of each, groups, and the attempts at them. */

const struct run_frame *
run_each_frame(const struct recipe_run *r)
{
	for (size_t i = r->frames.len; i-- > 0;)
		if (r->frames.items[i].rounds > 0)
			return &r->frames.items[i];
	return NULL;
}

void
run_push_frame(struct recipe_run *r, const struct recipe_step *owner)
{
	*VEC_PUSH(&r->frames) = (struct run_frame){ .steps = &owner->steps, .owner = owner };
	value_set(&top(r)->outside, r->current.doc, r->current.node);
	top(r)->rounds = owner->retry.attempts;
	top(r)->round = owner->retry.attempts > 0;
	r->phase = AT_BEGIN;
}

/* ---- attempts at a group ---- */

/* False: `until` has to be looked at first. */
static bool
has_until(struct recipe_run *r, struct run_frame *f)
{
	const char *until = f->owner->retry.until;

	if (f->until)
		return true;
	f->until = true;
	run_clear_step(r);
	if (!until || f->again || f->failed || r->is_over)
		return true;
	r->phase = AT_UNTIL;
	run_want_jq(r, until, r->current.node);
	return r->want.kind == RECIPE_WANTS_NOTHING;
}

/* The steps of an attempt are done. False: this takes its time, or another attempt follows. */
static bool
end_attempt(struct recipe_run *r, struct run_frame *f)
{
	const struct recipe_retry *retry = &f->owner->retry;

	if (!has_until(r, f))
		return false;
	bool again = f->again || (r->failure && r->failure != RECIPE_WRONG);
	if (again && f->round < retry->attempts && !r->is_over) {
		run_want_retry(r, retry->delay_us);
		return false;
	}
	if (r->failure && f->round > 1)
		buf_addf(&r->lines, "after %zu attempts\n", f->round);
	return true;
}

void
run_advance(struct recipe_run *r, struct run_frame *f, bool failed, bool goes_on)
{
	bool independent = !f->owner && r->options.recipe->is_independent;

	f->failed |= failed && !goes_on;
	f->at++;
	f->ends = r->is_over || (failed && !goes_on && !independent);
	r->phase = AT_BEGIN;
}

void
run_pop_frame(struct recipe_run *r)
{
	struct run_frame *f = top(r);

	json_doc_destroy(f->items);
	json_doc_destroy(f->outside.doc);
	buf_finish(&f->collected);
	r->frames.len--;
}

/* Keeps the value of the round that ended. False: there is too much of it. */
static bool
collect(struct recipe_run *r, struct run_frame *f)
{
	if (!f->owner->save || f->failed)
		return true;
	if (f->collected.len > 1)
		buf_add_char(&f->collected, ',');
	if (r->current.node)
		json_print(&f->collected, r->current.node);
	else
		buf_add_str(&f->collected, "null");
	return !f->collected.overflowed;
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

/* The array of what the rounds gave. */
static void
save_collected(struct recipe_run *r, const char *name, struct buf *collected)
{
	buf_add_char(collected, ']');
	struct json_doc *doc = json_parse(buf_text(collected), collected->len, NULL, NULL);

	if (doc) {
		run_save(r, name, doc, json_root(doc));
		value_set(&r->current, doc, json_root(doc));
	}
	json_doc_destroy(doc);
}

void
run_end_frame(struct recipe_run *r)
{
	struct run_frame *f = top(r);
	const struct recipe_step *owner = f->owner;
	if (owner->retry.attempts > 0 && !end_attempt(r, f))
		return;
	bool in_vain = owner->retry.attempts > 0 && r->failure;
	bool kept = owner->kind != RECIPE_EACH || collect(r, f);
	bool failed = f->failed || f->any_failed || !kept;

	if (f->item && f->item->next && kept && !r->is_over && (!failed || owner->goes_on)) {
		f->item = f->item->next;
		start_round(r, f);
		return;
	}
	if (owner->kind == RECIPE_EACH)
		value_set(&r->current, f->outside.doc, f->outside.node);
	if (owner->save && kept)
		save_collected(r, owner->save, &f->collected);
	run_pop_frame(r);
	if (kept && !in_vain) {
		run_advance(r, top(r), failed, owner->goes_on);
		return;
	}
	if (!kept) {
		run_clear_step(r);
		run_fail(r, RECIPE_WRONG, "what the rounds gave is larger than 64 MiB");
	}
	run_end_step(r, owner);
}

void
run_on_items(struct recipe_run *r, const struct recipe_step *step)
{
	size_t rounds = json_count(json_root(r->answer));

	if (rounds == 0) {
		buf_add_str(&r->lines, "jq gave nothing to do it for");
		r->skipped = true;
		r->phase = AT_END;
		if (step->save)
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
