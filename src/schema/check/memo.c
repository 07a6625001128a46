#include "check.h"

#include "base/mem.h"

#include <stdlib.h>

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
static uint64_t
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

static bool
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
static void
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

bool
memo_run(struct checker *c, struct subject *s, bool (*run)(struct checker *, struct subject *))
{
	uint64_t context = memo_context(c);
	struct trial before = trial_begin(c);
	struct marks own, *outer = s->marks;
	bool ok;

	if (memo_recall(c, s, context, &ok))
		return ok;
	if (outer) {
		marks_init(&own, s->value);
		s->marks = &own;
	}
	ok = run(c, s);
	memo_keep(c, s, context, &before, ok);
	if (outer) {
		if (ok || c->collecting)
			marks_merge(outer, &own);
		marks_finish(&own);
		s->marks = outer;
	}
	return ok;
}
