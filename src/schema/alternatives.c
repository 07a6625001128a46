#include "report_priv.h"

#include "object_priv.h"

#include <stdlib.h>

/*
 * anyOf and oneOf: the branch that was meant. Branches for another type of
 * value go first, then those that share no property with it, then those whose
 * constant (a "kind" property) is another one. If one is left, its own
 * complaints say it best; otherwise there is one that counts the alternatives.
 */
#define MAX_BRANCHES 256
#define MAX_HOPS 16

/* The types that can pass, as far as `type` and what stands for it say at once. */
static unsigned
possible_types(const struct node *node, unsigned hops)
{
	unsigned types = TYPE_ANY;

	if (node->same_as)
		node = node->same_as;
	if (node->never)
		return 0;
	for (size_t i = 0; i < node->rule_count && hops > 0; i++) {
		const struct rule *rule = &node->rules[i];
		unsigned more = TYPE_ANY;
		if (rule->check == check_type) {
			more = rule->as.types;
		} else if (rule->check == check_const) {
			more = type_of_constant(rule->value);
		} else if (rule->check == check_enum) {
			more = 0;
			for (const cJSON *e = json_first(rule->value); e; e = e->next)
				more |= type_of_constant(e);
		} else if (rule->check == check_ref || rule->check == check_recursive_ref) {
			more = possible_types(rule->as.node, hops - 1);
		} else if (rule->check == check_dynamic_ref) {
			more = possible_types(rule->as.branch.test, hops - 1);
		}
		if (types & TYPE_NUMBER && more & TYPE_INTEGER)
			types = (types & ~TYPE_NUMBER) | TYPE_INTEGER;
		types &= more & TYPE_NUMBER ? more | TYPE_INTEGER : more;
	}
	return types;
}

/* Where a branch declares properties: itself, or what it refers to. */
const struct object_rules *
branch_members(const struct node *node)
{
	for (unsigned hops = 0; node && hops < MAX_HOPS; hops++) {
		if (node->same_as)
			node = node->same_as;
		if (node->object)
			return node->object;
		const struct node *next = NULL;
		for (size_t i = 0; i < node->rule_count; i++)
			if (node->rules[i].check == check_ref)
				next = node->rules[i].as.node;
		node = next;
	}
	return NULL;
}

const struct rule *
branch_constant(const struct node *node)
{
	if (node && node->same_as)
		node = node->same_as;
	for (size_t i = 0; node && i < node->rule_count; i++)
		if (node->rules[i].check == check_const || node->rules[i].check == check_enum)
			return &node->rules[i];
	return NULL;
}

static bool
shares_property(const struct node *branch, const cJSON *value)
{
	const struct object_rules *rules = branch_members(branch);

	for (const cJSON *c = json_first(value); c && rules; c = c->next)
		if (object_find(rules, c->string))
			return true;
	return false;
}

/* Does every constant property of the branch that the value has hold? *any: there is one. */
static bool
constants_hold(struct checker *c, const struct node *branch, const cJSON *value, bool *any)
{
	const struct object_rules *rules = branch_members(branch);

	for (const cJSON *child = json_first(value); child && rules; child = child->next) {
		const struct member *m = object_find(rules, child->string);
		if (!m || !branch_constant(m->node))
			continue;
		c->collecting = false;
		bool holds = check_quietly(c, m->node, child);
		c->collecting = true;
		if (!holds)
			return false;
		*any = true;
	}
	return true;
}

static bool
names_kind(const struct node_list *branches, const char *name)
{
	for (size_t i = 0; i < branches->len; i++) {
		const struct object_rules *rules = branch_members(branches->items[i]);
		const struct member *m = rules ? object_find(rules, name) : NULL;
		if (!m || !m->required || !branch_constant(m->node))
			return false;
	}
	return true;
}

/* The property that tells objects of several kinds apart: every branch requires it, and says what
 * it has to be. May be NULL. */
static const char *
branches_kind(const struct node_list *branches)
{
	const struct object_rules *rules =
	    branches->len > 0 ? branch_members(branches->items[0]) : NULL;

	for (size_t i = 0; rules && i < rules->count; i++)
		if (names_kind(branches, rules->members[i].name))
			return rules->members[i].name;
	return NULL;
}

/* A kind that none of the branches has, or none at all: what is wrong is that property. */
static bool
explain_kind(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const struct node_list *branches = &rule->as.list;
	const char *name = s->type == TYPE_OBJECT ? branches_kind(branches) : NULL;
	const cJSON *kind = name ? json_get(s->value, name) : NULL;
	size_t index = 0;

	if (name && !kind)
		report_add(c, rule, s, (struct fact){ .missing = name, .b = 1 });
	if (!kind)
		return name != NULL;
	c->collecting = false;
	bool known = false;
	for (size_t i = 0; i < branches->len && !known; i++)
		known = check_quietly(
		    c, object_find(branch_members(branches->items[i]), name)->node, kind);
	c->collecting = true;
	if (known)
		return false;
	for (const cJSON *m = s->value->child; m != kind; m = m->next)
		index++;
	report_child(c, rule, s->node, kind, index, (struct fact){ .b = 1 });
	return true;
}

/* Which branches are still in the running; they share one array of flags. */
struct running {
	const struct rule *rule;
	const struct subject *s;
	bool in[MAX_BRANCHES];
	size_t left, last;
};

static void
recount(struct running *r)
{
	r->left = 0;
	for (size_t i = 0; i < r->rule->as.list.len; i++) {
		if (!r->in[i])
			continue;
		r->left++;
		r->last = i;
	}
}

/* Drops the branches for which keep is false, unless that would leave none. */
static void
narrow(struct running *r, const bool *keep)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->rule->as.list.len; i++)
		kept += r->in[i] && keep[i];
	for (size_t i = 0; i < r->rule->as.list.len && kept > 0; i++)
		r->in[i] = r->in[i] && keep[i];
	recount(r);
}

static void
narrow_by_constant(struct checker *c, struct running *r)
{
	bool keep[MAX_BRANCHES] = { false }, some = false;

	for (size_t i = 0; i < r->rule->as.list.len; i++) {
		bool any = false;
		keep[i] =
		    r->in[i] && constants_hold(c, r->rule->as.list.items[i], r->s->value, &any);
		some = some || (keep[i] && any);
	}
	if (some)
		narrow(r, keep);
}

static void
narrow_by_property(struct running *r)
{
	bool keep[MAX_BRANCHES] = { false };

	for (size_t i = 0; i < r->rule->as.list.len; i++)
		keep[i] = r->in[i] && shares_property(r->rule->as.list.items[i], r->s->value);
	narrow(r, keep);
}

/* The union of the types of all branches, once no branch takes the value's own. */
static unsigned
narrow_by_type(struct checker *c, struct running *r)
{
	unsigned all = 0;

	for (size_t i = 0; i < r->rule->as.list.len; i++) {
		unsigned types = possible_types(r->rule->as.list.items[i], MAX_HOPS);
		r->in[i] = types && passes_type(c, types, r->s->value);
		all |= types;
	}
	recount(r);
	return all & TYPE_NUMBER ? all & ~TYPE_INTEGER : all;
}

bool
explain_alternatives(struct checker *c, const struct rule *rule, const struct subject *s)
{
	struct running r = { .rule = rule, .s = s };
	size_t count = rule->as.list.len;

	if (count > MAX_BRANCHES)
		return report_add(c, rule, s, (struct fact){ 0 });
	unsigned types = narrow_by_type(c, &r);
	if (r.left == 0)
		return report_add(c, rule, s, (struct fact){ .types = types });
	if (s->type == TYPE_OBJECT && r.left > 1)
		narrow_by_constant(c, &r);
	if (s->type == TYPE_OBJECT && r.left > 1)
		narrow_by_property(&r);
	if (r.left > 1 && explain_kind(c, rule, s))
		return false;
	if (r.left > 1)
		return report_add(c, rule, s, (struct fact){ 0 });
	struct subject inner = *s;
	inner.marks = NULL;
	return check_here(c, rule->as.list.items[r.last], &inner);
}
