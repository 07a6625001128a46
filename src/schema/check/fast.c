/* SPDX-License-Identifier: MIT */
#include "check.h"

#include "schema/report/report.h"

/*
 * The pass for which only the outcome counts: it keeps no place, no trail, no marks and no scope,
 * and it takes the rules that nearly all schemas are made of without a subject for each. The plan
 * of a node and the kind of a rule select a function from the tables at the end. check_node() does
 * the rest: undecided rules, deep nesting, an exhausted budget and unevaluated*.
 */

/*
 * How far the check has come: the checker's depth, inplace and nested in one word. It is passed
 * down, so that nothing has to be undone on the way back.
 */
typedef uint64_t way;
#define WAY_DEEPER UINT64_C(1)
#define WAY_INPLACE (UINT64_C(1) << 16)
#define WAY_NESTED (UINT64_C(1) << 32)
#define WAY_INPLACE_MASK (UINT64_C(0xffff) * WAY_INPLACE)

/* By node_plan. node is `alike` and `sure` has not decided. */
typedef bool plan_fn(struct checker *c, const struct node *node, const cJSON *value, way at);
static plan_fn *const FAST_PLANS[NODE_RULES + 1];

typedef bool rule_fn(struct checker *c, const struct node *node, const struct rule *rule,
    const cJSON *value, way at);

static rule_fn *const RULES[RULE_UNEVALUATED + 1];

static inline unsigned
inplace_of(way at)
{
	return (unsigned)(at / WAY_INPLACE) & 0xffff;
}

static inline way
way_to_child(way at)
{
	return (at & ~WAY_INPLACE_MASK) + WAY_DEEPER;
}

/* The counters before a way out of this pass, to be set again on return. */
struct counters {
	unsigned depth, inplace, nested;
};

static inline struct counters
leave(struct checker *c, way at)
{
	struct counters before = { c->depth, c->inplace, c->nested };

	c->depth = (unsigned)at & 0xffff;
	c->inplace = inplace_of(at);
	c->nested = (unsigned)(at / WAY_NESTED);
	return before;
}

static inline void
come_back(struct checker *c, struct counters before)
{
	c->depth = before.depth;
	c->inplace = before.inplace;
	c->nested = before.nested;
}

/* The same for any node whose `sure` has not decided, and for any. */
static inline bool
unsure_holds(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	node = node->alike;
	return FAST_PLANS[node->plan](c, node, value, at);
}

static inline bool
holds(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	return node->alike->sure & type_of(value) || unsure_holds(c, node, value, at);
}

/* The parser lays nodes and names out in the order of the text, so the next reads of a check are
 * a few cache lines ahead. Prefetched this early, they arrive in time. */
#define LOOK_AHEAD 4

static inline void
look_ahead(const cJSON *node, unsigned lines)
{
	__builtin_prefetch((const void *)((uintptr_t)node + (uintptr_t)lines * 64));
}

/* ---- members ---- */

/* No name is declared. */
static bool
map_holds(struct checker *c, const struct object_rules *rules, const cJSON *object, way at)
{
	for (const cJSON *child = object->child; child; child = child->next) {
		look_ahead(child, LOOK_AHEAD);
		if (!(rules->sure & type_of(child)) &&
		    !unsure_holds(c, rules->additional, child, at))
			return false;
	}
	return true;
}

/* Only one name is declared and others may have any value. */
static bool
one_name_holds(struct checker *c, const struct object_rules *rules, const cJSON *object, way at)
{
	const struct known_member *m = rules->members;
	uint32_t hash = m->key.hash;
	uint64_t seen = 0;

	for (const cJSON *child = object->child; child; child = child->next) {
		look_ahead(child, LOOK_AHEAD);
		if (json_key_of(child).hash != hash ||
		    !json_key_is(m->name, child->string, m->key.len))
			continue;
		seen = m->required_bit;
		if (!(m->sure & type_of(child)) && !unsure_holds(c, m->checked_by, child, at))
			return false;
	}
	return seen == rules->required_bits;
}

static inline bool
names_hold(struct checker *c, const struct object_rules *rules, const cJSON *object, way at)
{
	uint64_t seen = 0;

	for (const cJSON *child = object->child; child; child = child->next) {
		look_ahead(child, LOOK_AHEAD);
		const struct known_member *m = object_member(rules, child);
		const struct node *node = m ? m->checked_by : rules->additional;
		seen |= m ? m->required_bit : 0;
		if (!((m ? m->sure : rules->sure) & type_of(child)) &&
		    !unsure_holds(c, node, child, at))
			return false;
	}
	return seen == rules->required_bits;
}

/* Members and items are counted after they are checked: a violation among them stays certain even
 * if there are more than the budget has steps. */
static bool
members_hold(struct checker *c, const struct object_rules *rules, const cJSON *object, way at)
{
	bool ok;

	at = way_to_child(at);
	if (rules->count == 0)
		ok = map_holds(c, rules, object, at);
	else if (rules->count == 1 && rules->sure == TYPE_ANY)
		ok = one_name_holds(c, rules, object, at);
	else
		ok = names_hold(c, rules, object, at);
	c->steps += json_count(object);
	return ok;
}

/* The matches are not charged, because the steps of a check must not depend on earlier checks; so
 * there are few of them. */
#define FEW_PATTERNS 8

static __attribute__((noinline)) bool
find_patterned(const struct object_rules *rules, struct known_member *m)
{
	struct regex_run run = { 0 };
	uint8_t patterned = rules->pattern_count > FEW_PATTERNS ? PATTERNED_PERHAPS : PATTERNED_NOT;

	for (size_t i = 0; i < rules->pattern_count && patterned == PATTERNED_NOT; i++) {
		struct regex *regex = rules->patterns[i].regex;
		if (!regex || !regex_is_tabled(regex) ||
		    regex_match(regex, m->name, &run) != REGEX_NO)
			patterned = PATTERNED_PERHAPS;
	}
	atomic_store_explicit(&m->patterned, patterned, memory_order_relaxed);
	return patterned == PATTERNED_PERHAPS;
}

static inline bool
is_patterned(const struct object_rules *rules, struct known_member *m)
{
	uint8_t patterned = atomic_load_explicit(&m->patterned, memory_order_relaxed);

	return patterned == PATTERNED_UNKNOWN ? find_patterned(rules, m)
					      : patterned == PATTERNED_PERHAPS;
}

static bool
patterned_hold(struct checker *c, const struct object_rules *rules, const cJSON *object, way at)
{
	uint64_t seen = 0;
	size_t index = 0;
	struct counters before = leave(c, at);
	bool ok = true;

	at = way_to_child(at);
	for (const cJSON *child = object->child; child && ok; child = child->next, index++) {
		struct known_member *m = object_member(rules, child);
		bool matched = m && m->node;
		look_ahead(child, LOOK_AHEAD);
		seen |= m ? m->required_bit : 0;
		if (m && !is_patterned(rules, m))
			ok = m->sure & type_of(child) || unsure_holds(c, m->checked_by, child, at);
		else
			ok = (!matched || holds(c, m->node, child, at)) &&
			     check_patterns(c, rules, child, index, &matched) &&
			     (matched || !rules->additional ||
				 holds(c, rules->additional, child, at));
	}
	c->steps += index;
	come_back(c, before);
	return ok && seen == rules->required_bits;
}

/* ---- items ---- */

/* A stopped check ends after at most this many items. */
#define MANY_ITEMS 4096

static __attribute__((noinline)) bool
many_items_hold(struct checker *c, const struct array_rules *rules, const cJSON *array, way at)
{
	struct json_items it;
	bool ok = true;

	for (items_begin(c, &it, array); it.item && ok && !c->stopped; items_next(c, &it)) {
		if (it.index % MANY_ITEMS == MANY_ITEMS - 1 && c->job && job_is_stopped(c->job))
			check_stop(c, "stopped");
		c->steps++;
		ok = it.index < rules->prefix.len || holds(c, rules->rest, it.item, at);
	}
	return ok || c->stopped; /* the report owns the reader */
}

static bool
items_hold(struct checker *c, const struct array_rules *rules, const cJSON *array, way at)
{
	const struct node *rest = rules->rest;
	const cJSON *item = array->child;

	at = way_to_child(at);
	for (size_t i = 0; item && i < rules->prefix.len; item = item->next, i++)
		if (!holds(c, rules->prefix.items[i], item, at))
			return false;
	if (!rest)
		return true;
	size_t count = json_count(array);
	if (json_is_lazy(array) || count >= MANY_ITEMS)
		return many_items_hold(c, rules, array, at);
	bool ok = true;
	for (unsigned sure = rest->sure; item && ok; item = item->next) {
		look_ahead(item, LOOK_AHEAD);
		ok = sure & type_of(item) || unsure_holds(c, rest, item, at);
	}
	c->steps += count;
	return ok;
}

/* ---- rules ---- */

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

static __attribute__((noinline)) bool
undistinguished_hold(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	const struct node_list *list = &rule->as.list;
	const struct branches *among = NULL;
	unsigned type = type_of(value);
	size_t valid = 0, looked = 0;

	if (type == TYPE_OBJECT)
		among = branches_among(c, list, value);
	if (among) { /* does its kind leave only one branch? */
		const struct node *one = NULL;
		size_t left = 0;
		for (size_t i = 0; i < among->len && left < 2; i++) {
			const struct node *branch = list->items[among->items[i]];
			if (!(branch->accepts & type))
				continue;
			one = branch;
			left++;
		}
		if (left < 2)
			return one && holds_here(c, one, value, at);
	}
	struct trial start = trial_begin(c);
	for (size_t i = 0; i < (among ? among->len : list->len); i++) {
		const struct node *branch = list->items[among ? among->items[i] : i];
		if (!(branch->accepts & type))
			continue;
		check_charge(c, looked++ > 0);
		bool holds = holds_here(c, branch, value, at);
		bool doubtful = holds && !trial_clean(c, &start);
		trial_drop(c, &start);
		/* after a doubt or a warning the other branches count too */
		if (c->stopped || doubtful)
			return rule_checked(c, node, rule, value, at);
		valid += holds;
		if (holds && (valid > 1 || rule->kind == RULE_ANY_OF))
			break;
	}
	return valid == 1;
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

static bool
if_holds(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value, way at)
{
	if (!rule->as.branch.yes && !rule->as.branch.no)
		return true;
	struct trial start = trial_begin(c);
	bool holds = holds_here(c, rule->as.branch.test, value, at);
	bool doubtful = holds && !trial_clean(c, &start);
	trial_drop(c, &start);
	if (c->stopped || doubtful)
		return rule_checked(c, node, rule, value, at);
	const struct node *next = holds ? rule->as.branch.yes : rule->as.branch.no;
	return !next || holds_here(c, next, value, at);
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

static plan_fn *const FAST_PLANS[] = {
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

enum schema_outcome
schema_outcome(
    const struct schema *schema, const cJSON *instance, const struct check_options *options)
{
	const struct node *node = schema->root->alike;
	struct checker c;

	if (node->sure & type_of(instance))
		return SCHEMA_VALID;
	/* the first name of an object, and its first members (json/arena.h) */
	look_ahead(instance, 1);
	look_ahead(instance, 5);
	look_ahead(instance, 6);
	checker_init(&c, schema, schema->root, options);
	c.max_steps = c.budget;
	bool ok = unsure_holds(&c, node, instance, 0) || c.stopped;
	/* few checks keep anything */
	if (c.memo.slots || c.undecided_list.items || c.report || regex_run_holds(&c.regex)) {
		checker_finish(&c);
		report_destroy(c.report);
	}
	if (!ok)
		return SCHEMA_INVALID;
	return c.undecided > 0 ? SCHEMA_UNDECIDED : SCHEMA_VALID;
}
