#include "check.h"

/*
 * The pass for which only the outcome counts: it keeps no place, no trail, no marks and no scope,
 * and it takes the rules that nearly all schemas are made of without a call for each. Whatever it
 * leaves alone (undecided rules, deep nesting, an exhausted budget, unevaluated*) is for
 * check_node().
 */

static inline bool
holds(struct checker *c, const struct node *node, const cJSON *value)
{
	node = node->alike;
	if (node->plan <= NODE_TYPE && node->types & type_of(value)) {
		c->steps += node->plan == NODE_TYPE;
		return true;
	}
	unsigned inplace = c->inplace;
	c->inplace = 0;
	bool ok = check_fast(c, node, value);
	c->inplace = inplace;
	return ok;
}

/* ---- children ---- */

static bool
members_hold(struct checker *c, const struct object_rules *rules, const cJSON *object)
{
	uint64_t seen = 0;

	for (const cJSON *child = object->child; child; child = child->next) {
		__builtin_prefetch(child->next);
		const struct known_member *m = object_member(rules, child);
		seen |= m ? m->required_bit : 0;
		c->steps++;
		if ((m ? m->sure : rules->sure) & type_of(child))
			continue;
		if (!holds(c, m && m->node ? m->node : rules->additional, child))
			return false;
	}
	return seen == rules->required_bits;
}

static __attribute__((noinline)) bool
patterned_hold(struct checker *c, const struct object_rules *rules, const cJSON *object)
{
	uint64_t seen = 0;
	size_t index = 0;

	for (const cJSON *child = object->child; child; child = child->next, index++) {
		const struct known_member *m = object_member(rules, child);
		bool matched = m && m->node;
		seen |= m ? m->required_bit : 0;
		c->steps++;
		if ((matched && !holds(c, m->node, child)) ||
		    !check_patterns(c, rules, child, index, &matched) ||
		    (!matched && rules->additional && !holds(c, rules->additional, child)))
			return false;
	}
	return seen == rules->required_bits;
}

/* A stopped check ends within so many items. */
static inline bool
is_stopped(struct checker *c, size_t index)
{
	if (index % 4096 == 4095 && c->job && job_is_stopped(c->job))
		check_stop(c, "stopped");
	return c->stopped;
}

static __attribute__((noinline)) bool
lazy_items_hold(struct checker *c, const struct node *node, const cJSON *array)
{
	struct json_items it;

	for (items_begin(c, &it, array); it.item && !is_stopped(c, it.index); items_next(c, &it)) {
		c->steps++;
		if (!holds(c, node, it.item))
			break;
	}
	return !it.item || c->stopped; /* the report owns the reader */
}

static bool
items_hold(struct checker *c, const struct array_rules *rules, const cJSON *array)
{
	const struct node *rest = rules->rest;
	const cJSON *item = array->child;
	size_t i = 0;

	if (json_is_lazy(array))
		return !rest || lazy_items_hold(c, rest, array);
	for (; item && i < rules->prefix.len; item = item->next, i++)
		if (!holds(c, rules->prefix.items[i], item))
			return false;
	for (; item && rest && !is_stopped(c, i); item = item->next, i++) {
		c->steps++;
		if (!holds(c, rest, item))
			return false;
	}
	return true;
}

/* ---- the value itself ---- */

static __attribute__((noinline)) bool
check_far(struct checker *c, const struct node *node, const cJSON *value)
{
	return check_here(c, node, &(const struct subject){ .node = node, .value = value });
}

static bool
holds_here(struct checker *c, const struct node *node, const cJSON *value)
{
	node = node->alike;
	if (c->inplace >= MAX_INPLACE / 2)
		return check_far(c, node, value);
	c->inplace++;
	c->nested++;
	bool ok = check_fast(c, node, value);
	c->nested--;
	c->inplace--;
	return ok;
}

/* Out of line: a subject on the stack would cost each rule a stack guard. */
static __attribute__((noinline)) bool
rule_checked(
    struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value)
{
	const struct subject s = {
		.node = node,
		.value = value,
		.type = type_of(value),
		.undecided_before = c->undecided,
	};

	return rule->check(c, rule, &s);
}

/* False: a branch leaves a doubt or a warning, so the other branches count too. */
static bool
decide(struct checker *c, const struct rule *rule, const cJSON *value, const struct branches *among,
    bool *ok)
{
	size_t count = among ? among->len : rule->as.list.len, valid = 0, looked = 0;
	unsigned type = type_of(value);
	struct trial start = trial_begin(c);

	for (size_t i = 0; i < count; i++) {
		const struct node *branch = rule->as.list.items[among ? among->items[i] : i];
		if (!(branch->accepts & type))
			continue;
		check_charge(c, looked++ > 0);
		bool holds = holds_here(c, branch, value);
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
only_branch(const struct rule *rule, const struct branches *among, unsigned type, size_t *count)
{
	size_t len = among ? among->len : rule->as.list.len;
	const struct node *one = NULL;

	*count = 0;
	for (size_t i = 0; i < len && *count < 2; i++) {
		const struct node *branch = rule->as.list.items[among ? among->items[i] : i];
		if (!(branch->accepts & type))
			continue;
		one = branch;
		++*count;
	}
	return one;
}

static __attribute__((noinline)) bool
alternatives_hold(struct checker *c, const struct node *node, const struct rule *rule,
    const cJSON *value, unsigned type)
{
	const struct branches *among = NULL;
	size_t count;
	bool ok;

	if (rule->as.list.sure & type)
		return true;
	if (rule->as.list.constants) {
		c->steps++;
		return is_leaf(value) && is_in_set(c, rule->as.list.constants, value);
	}
	if (type == TYPE_OBJECT)
		among = branches_among(c, &rule->as.list, value);
	const struct node *one = only_branch(rule, among, type, &count);
	if (count < 2)
		return one && holds_here(c, one, value);
	if (decide(c, rule, value, among, &ok))
		return ok;
	return rule_checked(c, node, rule, value);
}

static bool
all_hold(struct checker *c, const struct node_list *list, const cJSON *value)
{
	for (size_t i = 0; i < list->len && !c->stopped; i++)
		if (!holds_here(c, list->items[i], value))
			return false;
	return true;
}

/* if, then, else; *ok. False: a doubt or a warning about the condition. */
static bool
condition_holds(struct checker *c, const struct rule *rule, const cJSON *value, bool *ok)
{
	struct trial start = trial_begin(c);
	bool holds = holds_here(c, rule->as.branch.test, value);
	bool doubtful = holds && !trial_clean(c, &start);

	trial_drop(c, &start);
	if (c->stopped || doubtful)
		return false;
	const struct node *next = holds ? rule->as.branch.yes : rule->as.branch.no;
	*ok = !next || holds_here(c, next, value);
	return true;
}

static __attribute__((noinline)) bool
if_holds(struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value)
{
	bool ok;

	if (!rule->as.branch.yes && !rule->as.branch.no)
		return true;
	return condition_holds(c, rule, value, &ok) ? ok : rule_checked(c, node, rule, value);
}

static bool
rule_holds(struct checker *c, const struct node *node, const struct rule *rule, const cJSON *value,
    unsigned type)
{
	switch (rule->kind) {
	case RULE_TYPE:
		return passes_type(c, rule->as.types, value);
	case RULE_MEMBERS:
		if (!node->object->few_required)
			break;
		return node->object->pattern_count ? patterned_hold(c, node->object, value)
						   : members_hold(c, node->object, value);
	case RULE_ELEMENTS:
		if (node->array->prefix.len > 0 && json_is_lazy(value))
			break;
		return items_hold(c, node->array, value);
	case RULE_REF:
		return holds_here(c, rule->as.node, value);
	case RULE_ALL_OF:
		return all_hold(c, &rule->as.list, value);
	case RULE_ANY_OF:
	case RULE_ONE_OF:
		return alternatives_hold(c, node, rule, value, type);
	case RULE_IF:
		return if_holds(c, node, rule, value);
	default:
		break;
	}
	return rule_checked(c, node, rule, value);
}

static bool
rules_hold(struct checker *c, const struct node *node, const cJSON *value, unsigned type)
{
	const struct rule *end = node->rules + node->rule_count;
	bool ok = true;

	c->nested += node->again;
	for (const struct rule *rule = node->rules; rule < end && ok && !c->stopped; rule++)
		if (rule->applies & type) {
			c->steps++;
			ok = rule_holds(c, node, rule, value, type);
		}
	c->nested -= node->again;
	return ok;
}

bool
check_fast(struct checker *c, const struct node *node, const cJSON *value)
{
	unsigned type = type_of(value);

	if (node->plan == NODE_RULES)
		return check_node(c, node, value, NULL);
	if (c->steps > c->max_steps || c->depth > CHECK_DEPTH || c->stopped ||
	    (c->nested > MEMO_NESTED && node->shared))
		return check_rules(c, node, value, NULL);
	c->depth++;
	bool ok = true;
	if (node->plan == NODE_FAST) {
		ok = rules_hold(c, node, value, type);
	} else if (node->plan != NODE_ANYTHING) {
		c->steps += node->types != TYPE_ANY;
		ok = passes_type(c, node->types, value);
		if (ok && node->plan == NODE_ROW && type == TYPE_OBJECT) {
			c->steps++;
			ok = members_hold(c, node->object, value);
		} else if (ok && node->plan == NODE_LIST && type == TYPE_ARRAY) {
			c->steps++;
			ok = items_hold(c, node->array, value);
		}
	}
	c->depth--;
	return ok;
}
