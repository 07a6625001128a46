/* SPDX-License-Identifier: MIT */
#include "compile.h"

#include "base/vec.h"

/*
 * `$ref`, allOf and their siblings may describe an object piece by piece. If each name is checked
 * by one piece alone, the fast pass checks the object as one row, in one loop over its members.
 */

#define MAX_PIECES 16
#define MAX_BITS 64 /* required members that have a bit */
#define MAX_ROW_NAMES 64
#define MAX_ROW_LOOKS 64

struct row_pieces {
	const struct object_rules *items[MAX_PIECES];
	size_t len, names;
	unsigned looks;
};

/* False: an object has to obey something else. */
static bool
take_apart(struct row_pieces *pieces, const struct node *node)
{
	bool ok = node->plan != NODE_RULES;

	if (pieces->looks == 0)
		return false;
	pieces->looks--;
	for (size_t i = 0; i < node->rule_count && ok; i++) {
		const struct rule *rule = &node->rules[i];
		const struct node *sub;
		if (!(rule->applies & TYPE_OBJECT))
			continue;
		if (rule->kind == RULE_MEMBERS) {
			ok = pieces->len < MAX_PIECES && node->object->pattern_count == 0 &&
			     node->object->few_required;
			if (ok)
				pieces->items[pieces->len++] = node->object;
			pieces->names += node->object->count;
			ok = ok && pieces->names <= MAX_ROW_NAMES;
		} else
			ok = rule->kind == RULE_REF || rule->kind == RULE_ALL_OF ||
			     (rule->kind == RULE_TYPE && rule->as.types & TYPE_OBJECT);
		for (size_t j = 0; ok && (sub = rule_always(rule, j)); j++)
			ok = take_apart(pieces, sub->alike);
	}
	return ok;
}

/* The only schema that does not accept every value of that name; NULL: none. False: several. If
 * name is NULL: of the undeclared names. */
static bool
only_check(const struct row_pieces *pieces, const char *name, struct node **only)
{
	*only = NULL;
	for (size_t i = 0; i < pieces->len; i++) {
		const struct object_rules *rules = pieces->items[i];
		const struct known_member *m = name ? object_find(rules, name) : NULL;
		struct node *node = m ? m->checked_by : rules->additional;
		if (!node || node->sure == TYPE_ANY)
			continue;
		if (*only && (*only)->alike != node->alike)
			return false;
		*only = node;
	}
	return true;
}

static bool
are_apart(const struct row_pieces *pieces, size_t *work)
{
	struct node *only;
	size_t cost = pieces->names * pieces->len;

	if (cost > *work)
		return false;
	*work -= cost;
	for (size_t i = 0; i < pieces->len; i++)
		for (size_t j = 0; j < pieces->items[i]->count; j++)
			if (!only_check(pieces, pieces->items[i]->members[j].name, &only))
				return false;
	return only_check(pieces, NULL, &only);
}

/* Gives each required member its bit, if they are few. */
static void
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

static struct object_rules *
join_pieces(struct pool **pool, const struct row_pieces *pieces)
{
	struct object_rules *row = pool_alloc(pool, sizeof(*row));

	object_rules_init(row);
	for (size_t i = 0; i < pieces->len; i++)
		for (size_t j = 0; j < pieces->items[i]->count; j++) {
			const struct known_member *m = &pieces->items[i]->members[j];
			struct known_member *own = object_add(pool, row, m->name);
			row->required_count += m->required && !own->required;
			if (m->required)
				own->required = m->required;
			only_check(pieces, m->name, &own->checked_by);
			own->sure = own->checked_by ? own->checked_by->sure : TYPE_ANY;
		}
	only_check(pieces, NULL, &row->additional);
	row->sure = row->additional ? row->additional->sure : TYPE_ANY;
	number_required(row);
	return row;
}

#define MAX_HOPS 64
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

/* The end of a chain of nodes that apply one schema only, to the same value. A chain that is too
 * long, or a circle, ends at its first node. */
static const struct node *
node_alike(const struct schema *schema, const struct node *node)
{
	const struct node *at = node;

	for (unsigned hops = 0; hops < MAX_HOPS; hops++) {
		const struct rule *rule = at->rules;
		const struct node *next = at->same_as;
		bool plain = !next && at->rule_count == 1 && !schema->has_dynamic && !at->tracks;
		if (plain && rule->kind == RULE_REF)
			next = rule->as.node;
		else if (plain && rule->kind >= RULE_ALL_OF && rule->kind <= RULE_ONE_OF &&
			 rule->as.list.len == 1)
			next = rule->as.list.items[0];
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

static unsigned
sure_of_rule(struct rule *rule, unsigned hops)
{
	const struct node_list *list = &rule->as.list;
	unsigned sure = 0, seen = 0;

	if (rule->kind == RULE_TYPE)
		sure = rule->as.types;
	else if (rule->kind == RULE_REF)
		sure = types_sure(rule->as.node, hops);
	else if (rule->kind == RULE_ALL_OF)
		sure = TYPE_ANY;
	for (size_t i = 0; rule->kind == RULE_ALL_OF && i < list->len; i++)
		sure &= types_sure(list->items[i], hops);
	/* of alternatives: the types that one branch alone decides */
	for (size_t i = 0; is_alternatives(rule) && i < list->len; i++) {
		unsigned own = types_sure(list->items[i], hops), accepts = list->items[i]->accepts;
		if (rule->kind == RULE_ONE_OF)
			sure = (sure & ~accepts) | (own & ~seen);
		else
			sure |= own;
		seen |= accepts;
	}
	if (is_alternatives(rule))
		rule->as.list.sure = sure;
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

static bool descends(struct node *node, unsigned hops);

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
		for (size_t i = 0; i < rule->as.list.len && !any; i++)
			any = rule->as.list.items[i] && descends(rule->as.list.items[i], hops);
		return any;
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

/* A child that several keywords check multiplies the work on each level, as alternatives do
 * (check.c). */
static uint8_t
doublings(const struct node *node)
{
	const struct object_rules *rules = node->object;
	size_t members = rules ? rules->pattern_count + (rules->count > 0) : 0;
	size_t items = 0;
	/* Schemas for the value itself that look at its children. Alternatives count once: of them
	 * a value mostly matches one. */
	size_t in_place = 0;

	members += members == 0 && rules && rules->additional;
	for (size_t i = 0; i < node->rule_count; i++) {
		const struct rule *rule = &node->rules[i];
		bool children = rule->kind == RULE_ELEMENTS || rule->kind == RULE_CHILDREN;
		items += children && (rule->applies & TYPE_ARRAY);
		members += rule->kind == RULE_CHILDREN && (rule->applies & TYPE_OBJECT);
		if (rule->kind != RULE_ALL_OF && rule->kind != RULE_IN_PLACE) {
			in_place += rule->kind > RULE_NAMES && rule->kind < RULE_UNDECIDED &&
				    rule_descends(rule, MAX_HOPS);
			continue;
		}
		for (size_t j = 0; j < rule->as.list.len; j++)
			in_place +=
			    rule->as.list.items[j] && descends(rule->as.list.items[j], MAX_HOPS);
	}
	size_t times = (members > items ? members : items) + in_place;
	uint8_t twice = 0;
	while (times > (size_t)1 << twice)
		twice++;
	return twice;
}

/* Which branches of anyOf and oneOf may a value match, by its type or by its properties? */
static void
plan_alternatives(struct schema *schema, struct node *node, size_t *work)
{
	for (size_t i = 0; i < node->rule_count; i++) {
		struct node_list *list = &node->rules[i].as.list;
		if (!is_alternatives(&node->rules[i]))
			continue;
		for (unsigned bit = 0; bit < ARRAY_LEN(list->only); bit++) {
			uint8_t *only = &list->only[bit];
			*only = ONLY_NONE;
			for (size_t j = 0; j < list->len && *only != ONLY_SEVERAL; j++)
				if (list->items[j]->accepts >> bit & 1)
					*only = *only == ONLY_NONE && j + 1 < ONLY_NONE
						    ? (uint8_t)(j + 1)
						    : ONLY_SEVERAL;
		}
		branches_distinguish(&schema->pool, node, list, work);
	}
}

static void
plan_row(struct schema *schema, struct node *node, size_t *work)
{
	struct row_pieces pieces = { .looks = MAX_ROW_LOOKS };

	if (node->plan < NODE_ROW || node->plan == NODE_RULES)
		return;
	if (node->accepts & TYPE_OBJECT) {
		bool is_apart = node->plan != NODE_ROW && take_apart(&pieces, node);
		if (node->plan == NODE_ROW)
			node->row = node->object;
		else if (is_apart && pieces.len == 1)
			node->row = pieces.items[0];
		else if (is_apart && pieces.len > 1 && are_apart(&pieces, work))
			node->row = join_pieces(&schema->pool, &pieces);
	}
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
	/* Skips nodes that only refer to another; leaves a circle of such nodes alone. */
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
		struct object_rules *rules = schema->nodes.items[i]->object;
		for (size_t j = 0; rules && j < rules->count; j++) {
			struct known_member *m = &rules->members[j];
			m->checked_by = m->node ? m->node : rules->additional;
			m->sure = m->checked_by ? m->checked_by->sure : TYPE_ANY;
		}
		if (rules)
			rules->sure = rules->additional ? rules->additional->sure : TYPE_ANY;
		plan_alternatives(schema, schema->nodes.items[i], &work);
	}
	work = MAX_ROWS_WORK;
	for (size_t i = 0; i < schema->nodes.len; i++)
		plan_row(schema, schema->nodes.items[i], &work);
}
