#include "check.h"

#include "schema/report/report.h"

/* ---- all rules ---- */

static bool
run_rules(struct checker *c, const struct subject *s)
{
	const struct rule *end = s->node->rules + s->node->rule_count;
	bool ok = true;

	for (const struct rule *rule = s->node->rules; rule < end && !c->stopped; rule++) {
		if (!(rule->applies & s->type))
			continue;
		c->steps++;
		if (rule->check(c, rule, s))
			continue;
		ok = false;
		if (!c->collecting)
			break;
	}
	return ok;
}

/* A failing schema evaluates nothing (2020-12 core, 7.7.1). A collecting run has already
 * reported the failure and should not also report the declared children as unevaluated. */
static bool
run_marked(struct checker *c, struct subject *s)
{
	struct marks own, *outer = s->marks;

	if (!s->node->tracks || !(s->type & (TYPE_OBJECT | TYPE_ARRAY)))
		return run_rules(c, s);
	marks_init(&own, s->value);
	s->marks = &own;
	bool ok = run_rules(c, s);
	if (outer && (ok || c->collecting))
		marks_merge(outer, &own);
	marks_finish(&own);
	s->marks = outer;
	return ok;
}

bool
check_rules(struct checker *c, const struct node *node, const cJSON *value, struct marks *marks)
{
	struct subject s = {
		.node = node,
		.value = value,
		.type = type_of(value),
		.marks = marks,
		.undecided_before = c->undecided,
	};

	if (c->stopped)
		return true;
	check_budget(c);
	if (c->depth > CHECK_DEPTH)
		check_stop(c, "nested too deeply");
	else if (c->job && job_is_stopped(c->job))
		check_stop(c, "stopped");
	if (c->stopped)
		return true;
	struct resource_scope scope = { .up = c->scope, .resource = node->resource };
	bool enters = c->schema->has_dynamic && (!c->scope || c->scope->resource != node->resource);
	bool remember = memo_wanted(c, &s);
	c->depth++;
	c->nested += node->again;
	if (enters)
		c->scope = &scope;
	bool ok = remember ? memo_run(c, &s, run_marked) : run_marked(c, &s);
	if (enters)
		c->scope = scope.up;
	c->nested -= node->again;
	c->depth--;
	return ok;
}

static bool
report_nothing_allowed(struct checker *c, const struct node *node, const cJSON *value)
{
	struct subject s = { .node = node, .value = value, .type = type_of(value) };

	return report_add(c, NULL, &s, (struct fact){ 0 });
}

bool
check_node(struct checker *c, const struct node *node, const cJSON *value, struct marks *marks)
{
	if (!marks && !c->collecting && node->alike->plan != NODE_RULES)
		return check_fast(c, node->alike, value);
	if (node->same_as)
		node = node->same_as;
	if (node->plan == NODE_ANYTHING)
		return true;
	if (node->never)
		return report_nothing_allowed(c, node, value);
	return node->rule_count == 0 || check_rules(c, node, value, marks);
}
