#include "fast.h"

/*
 * The pass for which only the outcome counts: it keeps no place, no trail, no marks and no scope,
 * and it takes the rules that nearly all schemas are made of without a subject for each. The plan
 * of a node and the kind of a rule select a function from the tables at the end. Whatever these
 * leave alone (undecided rules, deep nesting, an exhausted budget, unevaluated*) is for
 * check_node().
 */

typedef bool rule_fn(struct checker *c, const struct node *node, const struct rule *rule,
    const cJSON *value, way at);

static rule_fn *const RULES[RULE_UNEVALUATED + 1];

/* Neither stopped, nor too deep, nor so nested that results are worth remembering? */
static inline bool
is_simple(const struct checker *c, const struct node *node, way at)
{
	return c->steps <= c->max_steps && (at & 0xffff) <= CHECK_DEPTH &&
	       (at < (MEMO_NESTED + 1) * WAY_NESTED || !node->shared);
}

static __attribute__((noinline)) bool
check_otherwise(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	struct counters before = leave(c, at);
	bool ok = node->plan == NODE_RULES ? check_node(c, node, value, NULL)
					   : check_rules(c, node, value, NULL);

	come_back(c, before);
	return ok;
}

static __attribute__((noinline)) bool
check_far(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	struct counters before = leave(c, at);
	bool ok = check_here(c, node, &(const struct subject){ .node = node, .value = value });

	come_back(c, before);
	return ok;
}

static inline bool
holds_here(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	if (inplace_of(at) >= MAX_INPLACE / 2)
		return check_far(c, node, value, at);
	return holds(c, node, value, at + WAY_DEEPER + WAY_INPLACE + WAY_NESTED);
}

/* ---- rules ---- */

/* Out of line: a subject on the stack would cost each rule a stack guard. */
static __attribute__((noinline)) bool
rule_checked(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	struct counters before = leave(c, at);
	const struct subject s = {
		.node = node,
		.value = value,
		.type = type_of(value),
		.undecided_before = c->undecided,
	};
	bool ok = rule->check(c, rule, &s);

	come_back(c, before);
	return ok;
}

static bool
constant_holds(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	return constants_allow(c, rule, value);
}

/* The same for a rule that looks at no other node. */
static bool
leaf_checked(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	const struct subject s = { .node = node, .value = value, .type = type_of(value) };

	return rule->check(c, rule, &s);
}

static bool
type_holds(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	return passes_type(c, rule->as.types, value);
}

static bool
member_rule_holds(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	if (!node->object->few_required)
		return rule_checked(c, node, rule, value, at);
	return node->object->pattern_count ? patterned_hold(c, node->object, value, at)
					   : members_hold(c, node->object, value, at);
}

static bool
element_rule_holds(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	if (node->array->prefix.len > 0 && json_is_lazy(value))
		return rule_checked(c, node, rule, value, at);
	return items_hold(c, node->array, value, at);
}

static bool
reference_holds(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	return holds_here(c, rule->as.node, value, at);
}

static bool
all_hold(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	for (size_t i = 0; i < rule->as.list.len; i++)
		if (!holds_here(c, rule->as.list.items[i], value, at))
			return false;
	return true;
}

/* False: a branch leaves a doubt or a warning, so the other branches count too. */
static bool
decide(struct checker *c, const struct rule *rule, const cJSON *value, const struct branches *among,
    way at, bool *ok)
{
	size_t count = among ? among->len : rule->as.list.len, valid = 0, looked = 0;
	unsigned type = type_of(value);
	struct trial start = trial_begin(c);

	for (size_t i = 0; i < count; i++) {
		const struct node *branch = rule->as.list.items[among ? among->items[i] : i];
		if (!(branch->accepts & type))
			continue;
		check_charge(c, looked++ > 0);
		bool holds = holds_here(c, branch, value, at);
		bool doubtful = holds && !trial_clean(c, &start);
		trial_drop(c, &start);
		if (c->stopped || doubtful)
			return false;
		valid += holds;
		if (holds && (valid > 1 || rule->kind == RULE_ANY_OF))
			break;
	}
	*ok = valid == 1;
	return true;
}

/* The only branch that this type of value and, if it is an object, its kind leave, if it is one. */
static const struct node *
only_branch(
    const struct node_list *list, const struct branches *among, unsigned type, size_t *count)
{
	const struct node *one = NULL;

	*count = 0;
	for (size_t i = 0; i < among->len && *count < 2; i++) {
		const struct node *branch = list->items[among->items[i]];
		if (!(branch->accepts & type))
			continue;
		one = branch;
		++*count;
	}
	return one;
}

static __attribute__((noinline)) bool
undistinguished_hold(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	const struct branches *among = NULL;
	size_t count;
	bool ok;

	if (type_of(value) == TYPE_OBJECT)
		among = branches_among(c, &rule->as.list, value);
	if (among) {
		const struct node *one = only_branch(&rule->as.list, among, TYPE_OBJECT, &count);
		if (count < 2)
			return one && holds_here(c, one, value, at);
	}
	if (decide(c, rule, value, among, at, &ok))
		return ok;
	return rule_checked(c, node, rule, value, at);
}

static bool
alternatives_hold(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	const struct node_list *list = &rule->as.list;
	unsigned type = type_of(value);

	if (list->sure & type)
		return true;
	if (list->constants) {
		c->steps++;
		return is_leaf(value) && is_in_set(c, list->constants, value);
	}
	unsigned only = list->only[__builtin_ctz(type | cJSON_Raw)];
	if (only == ONLY_SEVERAL)
		return undistinguished_hold(c, node, rule, value, at);
	return only != ONLY_NONE && holds_here(c, list->items[only - 1], value, at);
}

/* if, then, else; *ok. False: a doubt or a warning about the condition. */
static bool
condition_holds(struct checker *c, const struct rule *rule, const cJSON *value, way at, bool *ok)
{
	struct trial start = trial_begin(c);
	bool holds = holds_here(c, rule->as.branch.test, value, at);
	bool doubtful = holds && !trial_clean(c, &start);

	trial_drop(c, &start);
	if (c->stopped || doubtful)
		return false;
	const struct node *next = holds ? rule->as.branch.yes : rule->as.branch.no;
	*ok = !next || holds_here(c, next, value, at);
	return true;
}

static bool
if_holds(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	bool ok;

	if (!rule->as.branch.yes && !rule->as.branch.no)
		return true;
	return condition_holds(c, rule, value, at, &ok) ? ok
							: rule_checked(c, node, rule, value, at);
}

static rule_fn *const RULES[] = {
	[RULE_NONE] = rule_checked,
	[RULE_TYPE] = type_holds,
	[RULE_ENUM] = constant_holds,
	[RULE_CONST] = constant_holds,
	[RULE_BOUND] = leaf_checked,
	[RULE_PATTERN] = leaf_checked,
	[RULE_LEAF] = leaf_checked,
	[RULE_MEMBERS] = member_rule_holds,
	[RULE_ELEMENTS] = element_rule_holds,
	[RULE_CHILDREN] = rule_checked,
	[RULE_NAMES] = rule_checked,
	[RULE_REF] = reference_holds,
	[RULE_DYNAMIC_REF] = rule_checked,
	[RULE_RECURSIVE_REF] = rule_checked,
	[RULE_ALL_OF] = all_hold,
	[RULE_ANY_OF] = alternatives_hold,
	[RULE_ONE_OF] = alternatives_hold,
	[RULE_NOT] = rule_checked,
	[RULE_IF] = if_holds,
	[RULE_IN_PLACE] = rule_checked,
	[RULE_UNDECIDED] = rule_checked,
	[RULE_UNEVALUATED] = rule_checked,
};

/* ---- nodes ---- */

static bool
anything_holds(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	return true;
}

/* A type that `sure` leaves: no other, or a number that must be an integer. */
static bool
plain_type_holds(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	c->steps++;
	return passes_type(c, node->types, value);
}

static bool
rules_hold(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	const struct rule *end = node->rules + node->rule_count;
	unsigned type = type_of(value);

	if (!is_simple(c, node, at))
		return check_otherwise(c, node, value, at);
	at += node->again * WAY_NESTED;
	c->steps += node->rule_count;
	for (const struct rule *rule = node->rules; rule < end; rule++)
		if (rule->applies & type && !RULES[rule->kind](c, node, rule, value, at))
			return false;
	return true;
}

static bool
row_holds(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	if (type_of(value) != TYPE_OBJECT)
		return rules_hold(c, node, value, at);
	if (!is_simple(c, node, at))
		return check_otherwise(c, node, value, at);
	c->steps++;
	return members_hold(c, node->row, value, at);
}

static bool
list_holds(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	if (!is_simple(c, node, at))
		return check_otherwise(c, node, value, at);
	c->steps++;
	if (!(type_of(value) & TYPE_ARRAY))
		return passes_type(c, node->types, value);
	return node->types & TYPE_ARRAY && items_hold(c, node->array, value, at);
}

static bool
one_rule_holds(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	const struct rule *rule = &node->rules[node->rule_count - 1];

	if (!is_simple(c, node, at))
		return check_otherwise(c, node, value, at);
	at += node->again * WAY_NESTED;
	c->steps++;
	if (!passes_type(c, node->types, value))
		return false;
	return !(rule->applies & type_of(value)) || RULES[rule->kind](c, node, rule, value, at);
}

plan_fn *const FAST_PLANS[] = {
	[NODE_ANYTHING] = anything_holds,
	[NODE_TYPE] = plain_type_holds,
	[NODE_ROW] = row_holds,
	[NODE_LIST] = list_holds,
	[NODE_RULE] = one_rule_holds,
	[NODE_FAST] = rules_hold,
	[NODE_RULES] = check_otherwise,
};

bool
check_fast(struct checker *c, const struct node *node, const cJSON *value)
{
	way at = c->depth * WAY_DEEPER + c->inplace * WAY_INPLACE + c->nested * WAY_NESTED;

	return FAST_PLANS[node->plan](c, node, value, at);
}
