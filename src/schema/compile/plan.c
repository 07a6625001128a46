#include "compile.h"

#include "base/vec.h"

#include <string.h>

#define MAX_HOPS 64
#define MAX_BITS 64 /* required members that have a bit */
#define MAX_CIRCLES 100
#define MAX_ROWS_WORK 200000   /* of members looked up to see whether they can share a row */
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

/* The only schema that a node applies, to the same value. */
static const struct node *
only_applies(const struct schema *schema, const struct node *node)
{
	const struct rule *rule = node->rules;

	if (node->same_as)
		return node->same_as;
	if (node->rule_count != 1 || schema->has_dynamic || node->tracks)
		return NULL;
	if (rule->kind == RULE_REF)
		return rule->as.node;
	return rule->kind >= RULE_ALL_OF && rule->kind <= RULE_ONE_OF && rule->as.list.len == 1
		   ? rule->as.list.items[0]
		   : NULL;
}

/* A chain that is too long, or a circle, ends at its first node. */
static const struct node *
node_alike(const struct schema *schema, const struct node *node)
{
	const struct node *at = node;

	for (unsigned hops = 0; hops < MAX_HOPS; hops++) {
		const struct node *next = only_applies(schema, at);
		if (!next)
			return at;
		at = next;
	}
	return node;
}

/* ---- types ---- */

static bool
is_alternatives(const struct rule *rule)
{
	return rule->kind == RULE_ANY_OF || rule->kind == RULE_ONE_OF;
}

/* How far a search through nodes has come with one of them. */
enum { UNKNOWN, IN_HAND, KNOWN };

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
	for (size_t i = 0; rule->kind == RULE_ALL_OF && i < rule->as.list.len; i++)
		types &= types_accepted(rule->as.list.items[i], hops);
	return types;
}

/* Every type counts as possible while a node is in progress or the path is long. */
static unsigned
types_accepted(struct node *node, unsigned hops)
{
	if (node->accepts_state == KNOWN)
		return node->accepts;
	if (node->accepts_state == IN_HAND || hops == 0)
		return TYPE_ANY;
	node->accepts_state = IN_HAND;
	unsigned types = node->never ? 0 : TYPE_ANY;
	for (size_t i = 0; i < node->rule_count && types; i++)
		types &= types_of_rule(&node->rules[i], hops - 1);
	node->accepts = (uint8_t)(types & TYPE_ANY);
	node->accepts_state = KNOWN;
	return node->accepts;
}

static unsigned types_sure(struct node *node, unsigned hops);

/* The types that one branch alone decides. */
static unsigned
sure_of_alternatives(const struct rule *rule, unsigned hops)
{
	unsigned sure = 0, seen = 0;

	for (size_t i = 0; i < rule->as.list.len; i++) {
		unsigned own = types_sure(rule->as.list.items[i], hops);
		unsigned accepts = rule->as.list.items[i]->accepts;
		if (rule->kind == RULE_ONE_OF)
			sure = (sure & ~accepts) | (own & ~seen);
		else
			sure |= own;
		seen |= accepts;
	}
	return sure;
}

static unsigned
sure_of_rule(struct rule *rule, unsigned hops)
{
	unsigned sure = 0;

	if (rule->kind == RULE_TYPE)
		sure = rule->as.types;
	else if (rule->kind == RULE_REF)
		sure = types_sure(rule->as.node, hops);
	else if (is_alternatives(rule))
		sure = rule->as.list.sure = sure_of_alternatives(rule, hops);
	else if (rule->kind == RULE_ALL_OF)
		sure = TYPE_ANY;
	for (size_t i = 0; rule->kind == RULE_ALL_OF && i < rule->as.list.len; i++)
		sure &= types_sure(rule->as.list.items[i], hops);
	return sure | ~rule->applies;
}

/* The types of value that pass without a look at the value; none while a node is in progress or
 * the path is long. Call it once types_accepted() is known for all nodes. */
static unsigned
types_sure(struct node *node, unsigned hops)
{
	if (node->sure_state == KNOWN)
		return node->sure;
	if (node->sure_state == IN_HAND || hops == 0)
		return 0;
	node->sure_state = IN_HAND;
	unsigned types = node->never ? 0 : TYPE_ANY;
	for (size_t i = 0; i < node->rule_count; i++)
		types &= sure_of_rule(&node->rules[i], hops - 1);
	node->sure = (uint8_t)(types & TYPE_ANY);
	node->sure_state = KNOWN;
	return node->sure;
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
	bool leaf = true;

	if (node->rule_count == 0)
		return node->never ? NODE_RULES : NODE_ANYTHING;
	if (node->rule_count == 1 && node->rules->kind == RULE_TYPE)
		return NODE_TYPE;
	for (size_t i = 0; i < node->rule_count; i++)
		leaf &= node->rules[i].kind <= RULE_LEAF;
	if (!leaf && (schema->has_dynamic || node->tracks))
		return NODE_RULES;
	if (is_only(node, RULE_MEMBERS) && node->object->few_required &&
	    node->object->pattern_count == 0)
		return NODE_ROW;
	if (is_only(node, RULE_ELEMENTS) && node->array->prefix.len == 0)
		return NODE_LIST;
	return is_only(node, node->rules[node->rule_count - 1].kind) ? NODE_RULE : NODE_FAST;
}

/* The types that a member may have without a further look. */
static void
note_sure(struct object_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		struct known_member *m = &rules->members[i];
		m->checked_by = m->node ? m->node : rules->additional;
		m->sure = m->checked_by ? m->checked_by->sure : TYPE_ANY;
	}
	rules->sure = rules->additional ? rules->additional->sure : TYPE_ANY;
}

void
number_required(struct object_rules *rules)
{
	unsigned bit = 0;

	rules->few_required = rules->required_count <= MAX_BITS;
	for (size_t i = 0; i < rules->count && rules->few_required; i++)
		if (rules->members[i].required) {
			rules->members[i].required_bit = (uint64_t)1 << bit++;
			rules->required_bits |= rules->members[i].required_bit;
		}
}

static bool descends(struct node *node, unsigned hops);

static bool
any_descends(const struct node_list *list, unsigned hops)
{
	bool any = false;

	for (size_t i = 0; i < list->len && !any; i++)
		any = list->items[i] && descends(list->items[i], hops);
	return any;
}

/* Does a schema that the rule applies to the value itself look at its children? */
static bool
rule_descends(const struct rule *rule, unsigned hops)
{
	const struct node *const *const branch = (const struct node *[]){ rule->as.branch.test,
		rule->as.branch.yes, rule->as.branch.no };
	bool any = false;

	switch (rule->kind) {
	case RULE_REF:
	case RULE_NOT:
		return rule->as.node && descends(rule->as.node, hops);
	case RULE_ALL_OF:
	case RULE_ANY_OF:
	case RULE_ONE_OF:
		return any_descends(&rule->as.list, hops);
	case RULE_IF:
		for (size_t i = 0; i < 3 && !any; i++)
			any = branch[i] && descends((struct node *)branch[i], hops);
		return any;
	default:
		return rule->kind > RULE_NAMES && rule->kind < RULE_UNDECIDED;
	}
}

/* True while a node is in progress or the path is long. */
static bool
descends(struct node *node, unsigned hops)
{
	if (node->descends_state == KNOWN)
		return node->descends;
	if (node->descends_state == IN_HAND || hops == 0)
		return true;
	node->descends_state = IN_HAND;
	bool any = false;
	for (size_t i = 0; i < node->rule_count && !any; i++) {
		const struct rule *rule = &node->rules[i];
		any = rule->kind >= RULE_MEMBERS && rule->kind <= RULE_CHILDREN;
		any = any || rule_descends(rule, hops - 1);
	}
	node->descends = any;
	node->descends_state = KNOWN;
	return any;
}

/* How many schemas the rule applies to the value itself that look at its children. Alternatives
 * count once: of them a value mostly matches one. */
static size_t
times_in_place(const struct rule *rule)
{
	size_t times = 0;

	if (rule->kind <= RULE_NAMES || rule->kind >= RULE_UNDECIDED)
		return 0;
	if (rule->kind != RULE_ALL_OF && rule->kind != RULE_IN_PLACE)
		return rule_descends(rule, MAX_HOPS);
	for (size_t i = 0; i < rule->as.list.len; i++)
		times += rule->as.list.items[i] && descends(rule->as.list.items[i], MAX_HOPS);
	return times;
}

/* A child that several keywords check multiplies the work on each level, as alternatives do
 * (memo.c). */
static uint8_t
doublings(const struct node *node)
{
	const struct object_rules *rules = node->object;
	size_t members = rules ? rules->pattern_count + (rules->count > 0) : 0;
	size_t items = 0, in_place = 0;

	members += members == 0 && rules && rules->additional;
	for (size_t i = 0; i < node->rule_count; i++) {
		const struct rule *rule = &node->rules[i];
		bool children = rule->kind == RULE_ELEMENTS || rule->kind == RULE_CHILDREN;
		items += children && (rule->applies & TYPE_ARRAY);
		members += rule->kind == RULE_CHILDREN && (rule->applies & TYPE_OBJECT);
		in_place += times_in_place(rule);
	}
	size_t times = (members > items ? members : items) + in_place;
	uint8_t twice = 0;
	while (times > (size_t)1 << twice)
		twice++;
	return twice;
}

/* Which branch a value of each type may match. */
static void
note_only(struct node_list *list)
{
	for (unsigned bit = 0; bit < ARRAY_LEN(list->only); bit++) {
		list->only[bit] = ONLY_NONE;
		for (size_t i = 0; i < list->len && list->only[bit] != ONLY_SEVERAL; i++)
			if (list->items[i]->accepts >> bit & 1)
				list->only[bit] = list->only[bit] == ONLY_NONE && i + 1 < ONLY_NONE
						      ? (uint8_t)(i + 1)
						      : ONLY_SEVERAL;
	}
}

static void
plan_alternatives(struct schema *schema, struct node *node, size_t *work)
{
	for (size_t i = 0; i < node->rule_count; i++) {
		struct rule *rule = &node->rules[i];
		if (!is_alternatives(rule))
			continue;
		note_only(&rule->as.list);
		rule->as.list.kinds = kinds_create(&schema->pool, node, &rule->as.list, work);
		if (!rule->as.list.kinds)
			rule->as.list.presence =
			    presence_create(&schema->pool, &rule->as.list, work);
	}
}

static void
plan_row(struct schema *schema, struct node *node, size_t *work)
{
	if (node->plan < NODE_ROW || node->plan == NODE_RULES)
		return;
	if (node->accepts & TYPE_OBJECT)
		node->row =
		    node->plan == NODE_ROW ? node->object : row_create(&schema->pool, node, work);
	if (node->row)
		node->plan = NODE_ROW;
	else if (node->plan == NODE_ROW)
		node->plan = NODE_FAST;
}

void
plan_all(struct schema *schema)
{
	size_t work = MAX_KINDS_WORK;

	references_settle(schema);
	for (size_t i = 0; i < schema->nodes.len; i++) {
		struct node *node = schema->nodes.items[i];
		node->again = doublings(node);
		node->plan = NODE_RULES;
		node->accepts = TYPE_ANY;
		node->alike = node;
	}
	if (schema->plainly)
		return;
	skip_references(schema);
	for (size_t i = 0; i < schema->nodes.len; i++) {
		struct node *node = schema->nodes.items[i];
		node->alike = node_alike(schema, node);
		if (node->object)
			number_required(node->object);
		node->plan = (uint8_t)plan_of(schema, node);
		types_accepted(node, MAX_HOPS);
	}
	for (size_t i = 0; i < schema->nodes.len; i++)
		types_sure(schema->nodes.items[i], MAX_HOPS);
	for (size_t i = 0; i < schema->nodes.len; i++) {
		if (schema->nodes.items[i]->object)
			note_sure(schema->nodes.items[i]->object);
		plan_alternatives(schema, schema->nodes.items[i], &work);
	}
	work = MAX_ROWS_WORK;
	for (size_t i = 0; i < schema->nodes.len; i++)
		plan_row(schema, schema->nodes.items[i], &work);
}
