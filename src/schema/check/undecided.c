#include "check.h"

#include "base/mem.h"
#include "base/vec.h"
#include "schema/report/report.h"

#include <stdlib.h>

/* ---- undecided rules ---- */

#define MAX_UNDECIDED 1024 /* kept */
#define PLACE_BYTES 200    /* longest location in a schema */

struct trial
trial_begin(const struct checker *c)
{
	return (struct trial){ .undecided = c->undecided, .warnings = c->warnings };
}

void
trial_drop(struct checker *c, const struct trial *trial)
{
	if (c->stopped)
		return;
	c->undecided = trial->undecided;
	c->warnings = trial->warnings;
	if (c->undecided_list.len > c->undecided)
		c->undecided_list.len = c->undecided;
}

bool
trial_undecided(const struct checker *c, const struct trial *trial)
{
	return c->undecided > trial->undecided;
}

bool
trial_clean(const struct checker *c, const struct trial *trial)
{
	return !trial_undecided(c, trial) && c->warnings == trial->warnings;
}

bool
check_undecided(struct checker *c, const struct node *node, const cJSON *member, const char *why)
{
	if (c->undecided_list.len == c->undecided && c->undecided < MAX_UNDECIDED)
		*VEC_PUSH(&c->undecided_list) =
		    (struct undecided){ .node = node, .member = member, .why = why };
	c->undecided++;
	return true;
}

static bool
check_undecided_rule(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_undecided(c, s->node, rule->value, rule->as.why);
}

const struct keyword_functions keyword_undecided = {
	.check = check_undecided_rule,
};

/* "/properties/id/pattern (too slow)", "too many steps" */
static const char *
undecided_text(struct report *report, const struct undecided *rule)
{
	struct buf place = { .max = PLACE_BYTES }, text = BUF_INIT;

	if (rule->node) {
		schema_add_location(report->schema, rule->node, rule->member, &place);
		buf_addf(
		    &text, "%s%s (%s)", buf_text(&place), place.overflowed ? "…" : "", rule->why);
	} else {
		buf_add_str(&text, rule->why);
	}
	const char *copy = pool_text(&report->pool, buf_text(&text), text.len);
	buf_finish(&place);
	buf_finish(&text);
	return copy;
}

static bool
is_told(const struct undecided_list *list, size_t index)
{
	const struct undecided *d = &list->items[index];

	for (const struct undecided *at = list->items; at < d; at++)
		if (at->node == d->node && at->member == d->member && at->why == d->why)
			return true;
	return false;
}

void
undecided_tell(struct checker *c)
{
	struct report *report = c->report;

	for (size_t i = 0; i < c->undecided_list.len; i++)
		if (!is_told(&c->undecided_list, i))
			*VEC_PUSH(&report->unchecked) =
			    undecided_text(report, &c->undecided_list.items[i]);
	report->facts.unchecked = report->unchecked.items;
	report->facts.unchecked_count = report->unchecked.len;
}

void
check_stop(struct checker *c, const char *why)
{
	if (c->stopped)
		return;
	c->stopped = true;
	/* The reason must be kept, however many there are. */
	c->undecided_list.len = 0;
	*VEC_PUSH(&c->undecided_list) = (struct undecided){ .why = why };
	c->undecided++;
}

void
check_budget(struct checker *c)
{
	if (c->steps > c->max_steps)
		check_stop(c, "too many steps");
}

/* ---- cached results ---- */

/* The table starts small because most checks cache few results or none. */
#define MEMO_FIRST 64
#define MEMO_MOST 8192

enum memo_result { MEMO_NONE, MEMO_HOLDS, MEMO_FAILS, MEMO_COLLECTED };

struct memo {
	const struct node *node;
	const cJSON *value;
	uint64_t context; /* the scope, if the result depends on it */
	uint64_t marks;   /* the children it evaluated, if it is valid */
	bool has_marks;
	enum memo_result result;
};

/* The target of a dynamic reference depends on the resources on the path. */
uint64_t
memo_context(struct checker *c)
{
	uint64_t context = c->epoch * 2 + c->muted;
	size_t length = 0;

	if (!c->schema->has_dynamic)
		return context;
	for (const struct resource_scope *at = c->scope; at; at = at->up, length++)
		context = hash_word(context, (uintptr_t)at->resource);
	check_charge(c, length / 4);
	return context;
}

static struct memo *
memo_slot(const struct checker *c, const struct node *node, const cJSON *value, uint64_t context)
{
	uint64_t x = hash_word(context, (uintptr_t)node);

	x = hash_word(x, (uintptr_t)value);
	return &c->memo.slots[x & (c->memo.count - 1)];
}

/* A slot holds one result; the last one stays. */
static void
memo_make_room(struct checker *c)
{
	struct memo_table old = c->memo;

	if (++c->memo.kept * 2 <= old.count || old.count == MEMO_MOST)
		return;
	c->memo.count = old.count ? old.count * 4 : MEMO_FIRST;
	if (c->memo.count > MEMO_MOST)
		c->memo.count = MEMO_MOST;
	c->memo.slots = mem_zalloc(c->memo.count * sizeof(*c->memo.slots));
	for (size_t i = 0; i < old.count; i++) {
		const struct memo *memo = &old.slots[i];
		if (memo->result != MEMO_NONE)
			*memo_slot(c, memo->node, memo->value, memo->context) = *memo;
	}
	free(old.slots);
}

bool
memo_wanted(const struct checker *c, const struct subject *s)
{
	return c->nested > MEMO_NESTED && s->node->shared && !c->naming;
}

bool
memo_recall(struct checker *c, const struct subject *s, uint64_t context, bool *result)
{
	if (c->memo.count == 0)
		return false;
	const struct memo *memo = memo_slot(c, s->node, s->value, context);
	if (memo->context != context || memo->node != s->node || memo->value != s->value)
		return false;
	if (memo->result == MEMO_FAILS && c->collecting)
		return false; /* the reasons are still missing */
	*result = memo->result == MEMO_HOLDS;
	if ((*result || c->muted) && s->marks) {
		if (!memo->has_marks)
			return false;
		s->marks->bits[0] |= memo->marks;
	}
	return memo->result != MEMO_NONE;
}

/* Marks of more than 64 children are not cached; a run that needs them is repeated. */
void
memo_keep(struct checker *c, const struct subject *s, uint64_t context, const struct trial *before,
    bool result)
{
	if (c->stopped || (result && !trial_clean(c, before)))
		return;
	int kind = c->collecting ? MEMO_COLLECTED : MEMO_FAILS;
	bool has_marks = s->marks && s->marks->count <= 64;
	memo_make_room(c);
	*memo_slot(c, s->node, s->value, context) = (struct memo){
		.node = s->node,
		.value = s->value,
		.context = context,
		.has_marks = has_marks,
		.marks = has_marks ? s->marks->bits[0] : 0,
		.result = result ? MEMO_HOLDS : kind,
	};
}
