#include "keyword.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* unevaluatedProperties, unevaluatedItems: the children that no keyword before has evaluated. */

void
marks_init(struct marks *marks, const cJSON *value)
{
	marks->count = json_count(value);
	marks->bits = marks->small;
	memset(marks->small, 0, sizeof(marks->small));
	if (marks->count > 64 * ARRAY_LEN(marks->small))
		marks->bits = mem_zalloc((marks->count + 63) / 64 * sizeof(uint64_t));
}

void
marks_finish(struct marks *marks)
{
	if (marks->bits != marks->small)
		free(marks->bits);
}

void
marks_merge(struct marks *to, const struct marks *from)
{
	for (size_t i = 0; i < (to->count + 63) / 64; i++)
		to->bits[i] |= from->bits[i];
}

static bool
compile_unevaluated(struct compiler *k, const cJSON *value)
{
	k->node->tracks = true;
	return compile_schema(k, value);
}

static bool
check_unmarked(struct checker *c, const struct rule *rule, const struct subject *s,
    const struct json_items *it)
{
	const struct node *node = rule->as.node;

	if (!c->collecting || !matches_nothing(node))
		return check_item(c, node, it);
	return report_child(
	    c, rule, s->node, items_lasting(c, it), it->index, (struct fact){ .a = it->index });
}

/* An undecided keyword may have evaluated the child, so a failure here is undecided too. */
static bool
check_unevaluated(struct checker *c, const struct rule *rule, const struct subject *s)
{
	struct json_items it;
	bool ok = true;

	if (c->undecided > s->undecided_before)
		return check_undecided(c, s->node, rule->value, "depends on the others");
	for (items_begin(c, &it, s->value); it.item; items_next(c, &it)) {
		if (marks_has(s->marks, it.index))
			continue;
		ok &= check_unmarked(c, rule, s, &it);
		marks_set(s->marks, it.index);
		if ((!ok && !c->collecting) || c->stopped)
			break;
	}
	c->steps += it.index;
	json_items_finish(&it);
	return ok;
}

const struct keyword_functions keyword_unevaluated = {
	.compile = compile_unevaluated,
	.check = check_unevaluated,
	.expected = add_not_declared,
	.line = add_not_declared_line,
	.fault = "not declared",
	.walk = walk_children,
	.edge = EDGE_LEFT,
};
