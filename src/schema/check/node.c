#include "check.h"

#include "base/mem.h"
#include "schema/report/report.h"

#include <stdatomic.h>
#include <string.h>

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

static bool
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

static bool
check_leaf(struct checker *c, const struct node *node, const cJSON *value)
{
	struct subject s = { .node = node, .value = value, .type = type_of(value) };

	check_budget(c);
	return c->stopped || run_rules(c, &s);
}

/* ---- the fast pass ---- */

/* The fast pass over rows and arrays reports nothing, so it needs no frames and no facts. */

#define MANY_ROWS 8

static inline bool
holds(struct checker *c, const struct node *node, const cJSON *value)
{
	if (node->plan <= NODE_TYPE && node->types & type_of(value)) {
		c->steps += node->plan == NODE_TYPE;
		return true;
	}
	return check_node(c, node, value, NULL);
}

/* Objects of one kind have their keys in the same order, and equal keys of one document usually
 * share a pointer. The value kept between checks is only a guess, which any thread may improve.
 */
static inline const struct known_member *
next_member(struct checker *c, const struct object_rules *rules, const char *name, size_t *last)
{
	const char **keys = c->keys ? c->keys + rules->first_key : NULL;
	size_t guess = atomic_load_explicit(&rules->following[*last], memory_order_relaxed);
	const struct known_member *found = guess < rules->count ? &rules->members[guess] : NULL;

	if (found && keys && keys[guess] == name) {
		*last = guess + 1;
		return found;
	}
	if (!found || strcmp(found->name, name) != 0) {
		found = object_find(rules, name);
		if (!found)
			return NULL;
		guess = (size_t)(found - rules->members);
		atomic_store_explicit(
		    &rules->following[*last], (uint32_t)guess, memory_order_relaxed);
	}
	if (keys)
		keys[guess] = name;
	*last = guess + 1;
	return found;
}

const struct known_member *
member_next(struct checker *c, const struct object_rules *rules, const char *name, size_t *last)
{
	return next_member(c, rules, name, last);
}

static bool
members_hold(struct checker *c, const struct object_rules *rules, const cJSON *object)
{
	uint64_t seen = 0;
	size_t last = 0;

	for (const cJSON *child = object->child; child; child = child->next) {
		const struct node *node = rules->additional;
		const struct known_member *m = next_member(c, rules, child->string, &last);
		if (m) {
			seen |= (uint64_t)1 << (last - 1);
			node = m->node ? m->node : node;
		}
		c->steps++;
		if (node && !holds(c, node, child))
			return false;
	}
	return (seen & rules->required_bits) == rules->required_bits;
}

/* Comparing keys by pointer pays off for many rows. */
void
expect_rows(struct checker *c, const cJSON *array)
{
	bool rows = json_is_lazy(array) || (array->child && type_of(array->child) == TYPE_OBJECT);

	if (rows && !c->keys && json_count(array) >= MANY_ROWS)
		c->keys = mem_zalloc((c->schema->key_count + 1) * sizeof(*c->keys));
}

static bool
lazy_items_hold(struct checker *c, const struct node *node, const cJSON *array)
{
	struct json_items it;

	for (items_begin(c, &it, array); it.item; items_next(c, &it)) {
		c->steps++;
		if (!holds(c, node, it.item))
			break;
	}
	return !it.item; /* the report owns the reader */
}

static bool
items_hold(struct checker *c, const struct node *node, const cJSON *array)
{
	expect_rows(c, array);
	if (json_is_lazy(array))
		return lazy_items_hold(c, node, array);
	for (const cJSON *item = array->child; item; item = item->next) {
		c->steps++;
		if (!holds(c, node, item))
			return false;
	}
	return true;
}

/* `type`, and all of the contents. */
static bool
row_holds(struct checker *c, const struct node *node, const cJSON *value)
{
	unsigned type = type_of(value);
	bool ok = passes_type(c, node->types, value);

	c->steps += node->types != TYPE_ANY;
	if (!ok || type != (node->plan == NODE_ROW ? TYPE_OBJECT : TYPE_ARRAY))
		return ok;
	c->steps++;
	return node->plan == NODE_ROW ? members_hold(c, node->object, value)
				      : items_hold(c, node->array->rest, value);
}

static bool
rules_hold(struct checker *c, const struct node *node, const cJSON *value)
{
	struct subject s = { .node = node, .value = value, .type = type_of(value) };
	bool ok = true;

	c->nested += node->again;
	for (size_t i = 0; i < node->rule_count && ok; i++) {
		const struct rule *rule = &node->rules[i];
		if (!(rule->applies & s.type))
			continue;
		c->steps++;
		if (rule->kind == RULE_MEMBERS && node->object->simple)
			ok = members_hold(c, node->object, value);
		else if (rule->kind == RULE_ELEMENTS && node->array->prefix.len == 0)
			ok = items_hold(c, node->array->rest, value);
		else
			ok = rule->check(c, rule, &s);
	}
	c->nested -= node->again;
	return ok;
}

/* An object whose kind leaves one branch. Returns false if there may be several. */
static bool
branch_holds(struct checker *c, const struct node *node, const cJSON *value, bool *ok)
{
	const struct rule *rule = &node->rules[node->rule_count - 1];
	const struct subject s = { .node = node, .value = value };
	size_t cost = 0;

	if (type_of(value) != TYPE_OBJECT || !(node->types & TYPE_OBJECT))
		return false;
	const struct branches *only = kinds_branches(rule->as.list.kinds, value, &cost);
	if (!only || only->len > 1)
		return false;
	c->steps += 2;
	check_charge(c, cost / 8);
	*ok = only->len == 1 && check_here(c, rule->as.list.items[only->items[0]], &s);
	return true;
}

/* Returns false if the plan does not decide *ok. */
static bool
check_fast(struct checker *c, const struct node *node, const cJSON *value, bool *ok)
{
	unsigned inplace = c->inplace;

	if (c->collecting || c->stopped || c->nested > MEMO_NESTED || c->steps > c->max_steps ||
	    c->depth > CHECK_DEPTH)
		return false;
	if (node->plan == NODE_KINDS)
		return branch_holds(c, node, value, ok);
	c->inplace = 0;
	c->depth++;
	*ok = node->plan == NODE_FLAT ? rules_hold(c, node, value) : row_holds(c, node, value);
	c->depth--;
	c->inplace = inplace;
	return true;
}

bool
check_node(struct checker *c, const struct node *node, const cJSON *value, struct marks *marks)
{
	bool ok;

	if (node->same_as)
		node = node->same_as;
	switch (node->plan) {
	case NODE_ANYTHING:
		return true;
	case NODE_TYPE:
		if (!passes_type(c, node->types, value))
			break;
		c->steps++;
		return true;
	case NODE_LEAF:
		return check_leaf(c, node, value);
	case NODE_ROW:
	case NODE_LIST:
	case NODE_FLAT:
	case NODE_KINDS:
		if (marks || !check_fast(c, node, value, &ok))
			break;
		return ok;
	default:
		if (node->never)
			return report_nothing_allowed(c, node, value);
		if (node->rule_count == 0)
			return true;
	}
	return check_rules(c, node, value, marks);
}
