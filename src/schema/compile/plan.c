#include "compile.h"

#include "base/vec.h"
#include "schema/check/check.h"

#include <string.h>

#define MAX_HOPS 64
#define MAX_BITS 64 /* members that a row can keep a bit for */
#define MAX_CIRCLES 100
#define MAX_KINDS_WORK 2000000 /* limit of properties examined to distinguish branches */

/* ---- references ---- */

static const struct rule *
only_reference(const struct node *node)
{
	const struct rule *rule = node->rules;

	if (node->rule_count != 1 || rule->check != check_ref ||
	    rule->as.node->resource != node->resource)
		return NULL;
	return rule;
}

/* The final target of a chain of such nodes, found once for all of them. NULL if it is a circle.
 */
static const struct node *
end_of_chain(const struct schema *schema, const struct node *node)
{
	const struct rule *ref;

	for (size_t hops = 0; hops <= schema->nodes.len; hops++) {
		if (node->same_as)
			return node->same_as;
		if (!(ref = only_reference(node)))
			return node;
		node = ref->as.node;
	}
	return NULL;
}

/* Skips nodes that only refer to another; leaves a circle of such nodes alone. */
static void
skip_references(struct schema *schema)
{
	size_t circles = 0;

	for (size_t i = 0; i < schema->nodes.len && circles < MAX_CIRCLES; i++) {
		struct node *node = schema->nodes.items[i];
		const struct node *end = end_of_chain(schema, node);
		const struct rule *ref;
		circles += end == NULL;
		for (; end && node != end && !node->same_as && (ref = only_reference(node));
		     node = ref->as.node)
			node->same_as = end;
	}
}

/* A dynamic reference with only one possible target is a plain one. */
static void
settle_dynamic(struct schema *schema, struct rule *rule, size_t recursive)
{
	if (rule->check == check_dynamic_ref) {
		const char *name = strchr(json_string(rule->value), '#') + 1;
		struct node *to = rule->as.branch.test;
		if (anchor_find(schema, to->resource, name, true)->rival) {
			schema->has_dynamic = true;
		} else {
			rule->check = check_ref;
			rule->as.node = to;
		}
	} else if (rule->check == check_recursive_ref) {
		const struct node *to = rule->as.node;
		if (recursive < 2 || !to->resource->recursive || to->resource->root != to)
			rule->check = check_ref;
		else
			schema->has_dynamic = true;
	}
}

static void
settle_all_dynamic(struct schema *schema)
{
	size_t recursive = 0;

	for (size_t i = 0; i < schema->resources.len; i++)
		recursive += schema->resources.items[i]->recursive;
	for (size_t i = 0; i < schema->nodes.len; i++) {
		struct node *node = schema->nodes.items[i];
		for (size_t r = 0; r < node->rule_count; r++)
			settle_dynamic(schema, &node->rules[r], recursive);
	}
}

/* ---- types ---- */

static bool
is_alternatives(const struct rule *rule)
{
	return rule->check == check_any_of || rule->check == check_one_of;
}

static unsigned types_accepted(struct node *node, unsigned hops);

static unsigned
types_of_rule(const struct rule *rule, unsigned hops)
{
	unsigned types = 0;

	if (rule->check == check_type)
		return rule->as.types & TYPE_INTEGER ? rule->as.types | TYPE_NUMBER
						     : rule->as.types;
	if (rule->check == check_const)
		return type_of_constant(rule->value);
	if (rule->check == check_ref)
		return types_accepted(rule->as.node, hops);
	if (rule->check == check_enum)
		for (const cJSON *e = json_first(rule->value); e; e = e->next)
			types |= type_of_constant(e);
	else if (is_alternatives(rule))
		for (size_t i = 0; i < rule->as.list.len; i++)
			types |= types_accepted(rule->as.list.items[i], hops);
	else
		types = TYPE_ANY;
	return types;
}

/* Every type counts as possible while a node is in progress or the path is long. */
static unsigned
types_accepted(struct node *node, unsigned hops)
{
	enum { UNKNOWN, IN_HAND, KNOWN };

	if (node->accepts_state == KNOWN)
		return node->accepts;
	if (node->accepts_state == IN_HAND || hops == 0)
		return TYPE_ANY;
	node->accepts_state = IN_HAND;
	unsigned types = node->never ? 0 : TYPE_ANY;
	for (size_t i = 0; i < node->rule_count && types; i++)
		types &= types_of_rule(&node->rules[i], hops - 1);
	node->accepts = types & TYPE_ANY;
	node->accepts_state = KNOWN;
	return node->accepts;
}

/* ---- plans ---- */

static bool
is_among(check_fn *check, check_fn *const *list, size_t len)
{
	size_t i = 0;

	while (i < len && list[i] != check)
		i++;
	return i < len;
}

static bool
is_leaf_rule(const struct rule *rule)
{
	static check_fn *const LEAVES[] = { check_type, check_enum, check_const, check_bound,
		check_multiple, check_min_length, check_max_length, check_pattern, check_format,
		check_min_size, check_max_size, check_unique, check_dependent_required };

	return is_among(rule->check, LEAVES, ARRAY_LEN(LEAVES));
}

static bool
is_flat_rule(const struct rule *rule)
{
	static check_fn *const CHILDREN[] = { check_members, check_elements, check_property_names,
		check_contains };

	return is_leaf_rule(rule) || is_among(rule->check, CHILDREN, ARRAY_LEN(CHILDREN));
}

/* Does the node have no rules but `type` and one with that check? */
static bool
is_only(const struct node *node, check_fn *check)
{
	size_t types = node->rule_count > 0 && node->rules[0].check == check_type;

	return node->rule_count == types + 1 && node->rules[types].check == check;
}

static enum node_plan
plan_of(const struct schema *schema, const struct node *node)
{
	bool leaf = true, flat = true;

	if (node->rule_count == 0)
		return node->never ? NODE_RULES : NODE_ANYTHING;
	if (node->rule_count == 1 && node->rules->check == check_type)
		return NODE_TYPE;
	for (size_t i = 0; i < node->rule_count && flat; i++) {
		leaf &= is_leaf_rule(&node->rules[i]);
		flat &= is_flat_rule(&node->rules[i]);
	}
	if (leaf && flat)
		return NODE_LEAF;
	if (schema->has_dynamic || node->tracks)
		return NODE_RULES;
	if (is_only(node, check_members) && node->object->simple)
		return NODE_ROW;
	if (is_only(node, check_elements) && node->array->prefix.len == 0)
		return NODE_LIST;
	return flat ? NODE_FLAT : NODE_RULES;
}

static void
simplify(struct object_rules *rules)
{
	rules->simple = rules->pattern_count == 0 && rules->count <= MAX_BITS;
	for (size_t i = 0; i < rules->count && rules->simple; i++)
		if (rules->members[i].required)
			rules->required_bits |= (uint64_t)1 << i;
}

/* The types that one branch alone decides. */
static unsigned
sure_types(const struct rule *rule)
{
	unsigned sure = 0, seen = 0;

	for (size_t i = 0; i < rule->as.list.len; i++) {
		const struct node *branch = node_meant(rule->as.list.items[i]);
		unsigned own = branch->plan <= NODE_TYPE ? branch->types & TYPE_ANY : 0;
		if (rule->check == check_one_of)
			sure = (sure & ~branch->accepts) | (own & ~seen);
		else
			sure |= own;
		seen |= branch->accepts;
	}
	return sure;
}

/* Reserves room in a checker's key cache for each declared property. */
static void
expect_order(struct schema *schema, struct object_rules *rules)
{
	rules->following = pool_alloc(&schema->pool, (rules->count + 1) * sizeof(uint32_t));
	for (uint32_t i = 0; i < rules->count; i++)
		rules->following[i] = i;
}

static void
number_keys(struct schema *schema)
{
	for (size_t i = 0; i < schema->nodes.len; i++) {
		struct object_rules *rules = schema->nodes.items[i]->object;
		if (!rules)
			continue;
		rules->first_key = schema->key_count;
		schema->key_count += (uint32_t)rules->count;
		expect_order(schema, rules);
	}
}

/* A child that several keywords check doubles the work on each level, like alternatives
 * (doubt.c). */
static uint8_t
times_again(const struct node *node)
{
	const struct object_rules *rules = node->object;
	size_t times = rules ? rules->pattern_count + (rules->count > 0) : 0;
	size_t items = 0;

	for (size_t i = 0; i < node->rule_count; i++)
		items += node->rules[i].check == check_elements ||
			 node->rules[i].check == check_contains;
	times = times > items ? times : items;
	return (uint8_t)(times > 256 ? 255 : times > 1 ? times - 1 : 0);
}

static void
plan_alternatives(struct schema *schema, struct node *node, size_t *work)
{
	for (size_t i = 0; i < node->rule_count; i++) {
		struct rule *rule = &node->rules[i];
		if (!is_alternatives(rule))
			continue;
		rule->as.list.sure = sure_types(rule);
		rule->as.list.kinds = kinds_create(&schema->pool, node, &rule->as.list, work);
		if (rule->as.list.kinds && is_only(node, rule->check) && !node->tracks &&
		    !schema->has_dynamic)
			node->plan = NODE_KINDS;
	}
}

void
plan_all(struct schema *schema)
{
	size_t work = MAX_KINDS_WORK;

	schema->has_dynamic = false;
	settle_all_dynamic(schema);
	number_keys(schema);
	for (size_t i = 0; i < schema->nodes.len; i++)
		schema->nodes.items[i]->again = times_again(schema->nodes.items[i]);
	for (size_t i = 0; i < schema->nodes.len; i++) {
		schema->nodes.items[i]->plan = NODE_RULES;
		schema->nodes.items[i]->accepts = TYPE_ANY;
	}
	if (schema->plainly)
		return;
	skip_references(schema);
	for (size_t i = 0; i < schema->nodes.len; i++) {
		struct node *node = schema->nodes.items[i];
		if (node->object)
			simplify(node->object);
		node->plan = (uint8_t)plan_of(schema, node);
		types_accepted(node, MAX_HOPS);
	}
	for (size_t i = 0; i < schema->nodes.len; i++)
		plan_alternatives(schema, schema->nodes.items[i], &work);
}
