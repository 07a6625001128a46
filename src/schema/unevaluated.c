#include "check_priv.h"
#include "items_priv.h"
#include "compile_priv.h"
#include "report_priv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void
marks_init(struct marks *marks, const cJSON *value)
{
	marks->count = json_count(value);
	marks->bits = marks->small;
	memset(marks->small, 0, sizeof(marks->small));
	if (marks->count > 64 * sizeof(marks->small) / sizeof(*marks->small))
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

bool
compile_unevaluated(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	node->tracks = true;
	return compile_schema(k, node, keyword, value);
}

static bool
check_unmarked(struct checker *c, const struct rule *rule, const struct subject *s,
    const struct json_items *it)
{
	const struct node *node = rule->as.node;

	if (!node->never || !c->collecting)
		return check_item(c, node, it);
	return report_child(
	    c, rule, s->node, items_lasting(c, it), it->index, (struct fact){ .a = it->index });
}

/* What is unknown so far may have looked at the child: a failure is then no more than a doubt. */
static bool
check_unevaluated(struct checker *c, const struct rule *rule, const struct subject *s)
{
	struct json_items it;
	bool ok = true;

	if (c->doubts > s->doubts_before)
		return check_doubt(c, s->node, rule->value, "depends on the others");
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

bool
check_unevaluated_properties(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_unevaluated(c, rule, s);
}

bool
check_unevaluated_items(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_unevaluated(c, rule, s);
}
