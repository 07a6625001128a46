#include "compile.h"

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

	if (node->rule_count != 1 || rule->kind != RULE_REF ||
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

/* ---- types ---- */

static bool
is_alternatives(const struct rule *rule)
{
	return rule->kind == RULE_ANY_OF || rule->kind == RULE_ONE_OF;
}

static unsigned types_accepted(struct node *node, unsigned hops);

static unsigned
types_of_rule(const struct rule *rule, unsigned hops)
{
	unsigned types = 0;

	if (rule->kind == RULE_TYPE)
		return rule->as.types & TYPE_INTEGER ? rule->as.types | TYPE_NUMBER
						     : rule->as.types;
	if (rule->kind == RULE_CONST)
		return type_of_constant(rule->value);
	if (rule->kind == RULE_REF)
		return types_accepted(rule->as.node, hops);
	if (rule->kind == RULE_ENUM)
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

/* Does the node have no rules but `type` and one of that kind? */
static bool
is_only(const struct node *node, unsigned kind)
{
	size_t types = node->rule_count > 0 && node->rules[0].kind == RULE_TYPE;

	return node->rule_count == types + 1 && node->rules[types].kind == kind;
}

static enum node_plan
plan_of(const struct schema *schema, const struct node *node)
{
	bool leaf = true, flat = true;

	if (node->rule_count == 0)
		return node->never ? NODE_RULES : NODE_ANYTHING;
	if (node->rule_count == 1 && node->rules->kind == RULE_TYPE)
		return NODE_TYPE;
	for (size_t i = 0; i < node->rule_count && flat; i++) {
		enum rule_kind kind = node->rules[i].kind;
		leaf &= kind <= RULE_LEAF && kind != RULE_NONE;
		flat &= kind <= RULE_NAMES && kind != RULE_NONE;
	}
	if (leaf && flat)
		return NODE_LEAF;
	if (schema->has_dynamic || node->tracks)
		return NODE_RULES;
	if (is_only(node, RULE_MEMBERS) && node->object->simple)
		return NODE_ROW;
	if (is_only(node, RULE_ELEMENTS) && node->array->prefix.len == 0)
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
		if (rule->kind == RULE_ONE_OF)
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
 * (memo.c). */
static uint8_t
times_again(const struct node *node)
{
	const struct object_rules *rules = node->object;
	size_t times = rules ? rules->pattern_count + (rules->count > 0) : 0;
	size_t items = 0;

	for (size_t i = 0; i < node->rule_count; i++) {
		const struct rule *rule = &node->rules[i];
		bool children = rule->kind == RULE_ELEMENTS || rule->kind == RULE_CHILDREN;
		items += children && (rule->applies & TYPE_ARRAY);
		times += rule->kind == RULE_CHILDREN && (rule->applies & TYPE_OBJECT);
	}
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
		if (rule->as.list.kinds && is_only(node, rule->kind) && !node->tracks &&
		    !schema->has_dynamic)
			node->plan = NODE_KINDS;
	}
}

void
plan_all(struct schema *schema)
{
	size_t work = MAX_KINDS_WORK;

	references_settle(schema);
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
