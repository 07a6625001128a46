#include "memo_priv.h"

#include "base/mem.h"

#define MEMO_SIZE 8192

enum memo_result { MEMO_NONE, MEMO_HOLDS, MEMO_FAILS, MEMO_COLLECTED };

struct memo {
	const struct node *node;
	const cJSON *value;
	uint64_t way;   /* the scope it was in, where that matters */
	uint64_t marks; /* the children it looked at, where it holds */
	bool has_marks;
	enum memo_result result;
};

/* What dynamic references lead to depends on the resources passed on the way. */
uint64_t
memo_way(struct checker *c)
{
	uint64_t way = c->epoch;
	size_t length = 0;

	if (!c->schema->has_dynamic)
		return way;
	for (const struct scope *at = c->scope; at; at = at->up, length++)
		way = hash_word(way, (uintptr_t)at->resource);
	check_charge(c, length / 4);
	return way;
}

static struct memo *
memo_slot(struct checker *c, const struct subject *s, uint64_t way)
{
	uint64_t x = hash_word(way, (uintptr_t)s->node);

	x = hash_word(x, (uintptr_t)s->value);
	if (!c->memo)
		c->memo = mem_zalloc(MEMO_SIZE * sizeof(*c->memo));
	return &c->memo[x & (MEMO_SIZE - 1)];
}

bool
memo_wanted(const struct checker *c, const struct subject *s)
{
	return c->nested > MEMO_NESTED && s->node->shared && !c->naming;
}

bool
memo_recall(struct checker *c, const struct subject *s, uint64_t way, bool *result)
{
	const struct memo *memo = memo_slot(c, s, way);

	if (memo->way != way || memo->node != s->node || memo->value != s->value)
		return false;
	if (memo->result == MEMO_FAILS && c->collecting)
		return false; /* the reasons are still wanted */
	*result = memo->result == MEMO_HOLDS;
	if (*result && s->marks) {
		if (!memo->has_marks)
			return false;
		s->marks->bits[0] |= memo->marks;
	}
	return memo->result != MEMO_NONE;
}

/* Marks of more than 64 children are not kept; a run that needs them is made again. */
void
memo_keep(struct checker *c, const struct subject *s, uint64_t way, const struct trial *before,
    bool result)
{
	if (c->stopped || (result && !trial_clean(c, before)))
		return;
	int kind = c->collecting ? MEMO_COLLECTED : MEMO_FAILS;
	bool has_marks = s->marks && s->marks->count <= 64;
	*memo_slot(c, s, way) = (struct memo){
		.node = s->node,
		.value = s->value,
		.way = way,
		.has_marks = has_marks,
		.marks = has_marks ? s->marks->bits[0] : 0,
		.result = result ? MEMO_HOLDS : kind,
	};
}
