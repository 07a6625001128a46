#include "report.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/*
 * anyOf and oneOf: finds the intended branch. It discards branches for other types of value,
 * then those for another kind (kinds.c) or another name (`discriminator` of OpenAPI), then
 * those with other constants, and then those that share no property with the value. If one
 * branch is left, its own violations explain the failure best; otherwise a single violation
 * names the branches that are left.
 */
#define MAX_HOPS 16
#define MAX_LOOKS 1000 /* nodes to visit for the possible types */

static unsigned possible_types(const struct node *node, unsigned hops, unsigned *looks);

static unsigned
types_of_list(const struct rule *rule, unsigned hops, unsigned *looks)
{
	bool all = rule->kind == RULE_ALL_OF;
	unsigned types = all ? TYPE_ANY | TYPE_INTEGER : 0;

	for (size_t i = 0; i < rule->as.list.len; i++) {
		unsigned more = possible_types(rule->as.list.items[i], hops, looks);
		more |= more & TYPE_NUMBER ? TYPE_INTEGER : 0;
		types = all ? types & more : types | more;
	}
	return types;
}

static unsigned
types_of_rule(const struct rule *rule, unsigned hops, unsigned *looks)
{
	unsigned types = TYPE_ANY;

	if (rule->kind == RULE_TYPE) {
		types = rule->as.types;
	} else if (rule->kind == RULE_CONST) {
		types = type_of_constant(rule->value);
	} else if (rule->kind == RULE_ENUM) {
		types = 0;
		for (const cJSON *e = json_first(rule->value); e; e = e->next)
			types |= type_of_constant(e);
	} else if (hops == 0 || *looks == 0) {
		types = TYPE_ANY;
	} else if (rule->kind == RULE_REF || rule->kind == RULE_RECURSIVE_REF) {
		types = possible_types(rule->as.node, hops - 1, looks);
	} else if (rule->kind == RULE_DYNAMIC_REF && rule->as.branch.test) {
		types = possible_types(rule->as.branch.test, hops - 1, looks);
	} else if (rule->kind == RULE_ALL_OF || rule->kind == RULE_ANY_OF ||
		   rule->kind == RULE_ONE_OF) {
		types = types_of_list(rule, hops - 1, looks);
	}
	return types;
}

/* The types that can pass, as far as `type` and equivalent keywords show directly. TYPE_INTEGER
 * means integers only; numbers have both bits. */
static unsigned
possible_types(const struct node *node, unsigned hops, unsigned *looks)
{
	unsigned types = TYPE_ANY | TYPE_INTEGER;

	node = node_meant(node);
	if (node->never)
		return 0;
	*looks -= *looks > 0;
	for (size_t i = 0; i < node->rule_count; i++) {
		unsigned more = types_of_rule(&node->rules[i], hops, looks);
		types &= more & TYPE_NUMBER ? more | TYPE_INTEGER : more;
	}
	return types;
}

/* The properties that a branch declares, directly or through a reference. */
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
			if (node->rules[i].kind == RULE_REF)
				next = node->rules[i].as.node;
		node = next;
	}
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

/* Does the value match every constant property of the branch that it has? *any: it has one. */
static bool
constants_hold(struct checker *c, const struct node *branch, const cJSON *value, bool *any)
{
	const struct object_rules *rules = branch_members(branch);

	for (const cJSON *child = json_first(value); child && rules; child = child->next) {
		const struct known_member *m = object_find(rules, child->string);
		if (!m || !node_constant(m->node))
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

/* The branches that may be the intended one. */
struct running {
	const struct rule *rule;
	const struct subject *s;
	bool *in, *keep;
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

/* Drops the branches without `keep`, unless none would be left. */
static void
narrow(struct running *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->rule->as.list.len; i++)
		kept += r->in[i] && r->keep[i];
	for (size_t i = 0; i < r->rule->as.list.len && kept > 0; i++)
		r->in[i] = r->in[i] && r->keep[i];
	recount(r);
}

static void
narrow_by_constant(struct checker *c, struct running *r)
{
	bool some = false;

	for (size_t i = 0; i < r->rule->as.list.len; i++) {
		bool any = false;
		r->keep[i] =
		    r->in[i] && constants_hold(c, r->rule->as.list.items[i], r->s->value, &any);
		some = some || (r->keep[i] && any);
	}
	if (some)
		narrow(r);
}

static void
narrow_by_property(struct running *r)
{
	for (size_t i = 0; i < r->rule->as.list.len; i++)
		r->keep[i] = r->in[i] && shares_property(r->rule->as.list.items[i], r->s->value);
	narrow(r);
}

/* The union of the types of all branches; meaningful if no branch takes the type of the value. */
static unsigned
narrow_by_type(struct checker *c, struct running *r)
{
	unsigned all = 0;

	for (size_t i = 0; i < r->rule->as.list.len; i++) {
		unsigned looks = MAX_LOOKS;
		unsigned types = possible_types(r->rule->as.list.items[i], MAX_HOPS, &looks);
		r->in[i] = types && passes_type(c, types, r->s->value);
		all |= types;
	}
	recount(r);
	return all & TYPE_NUMBER ? all & ~TYPE_INTEGER : all;
}

/* Reports the property that names the kind as wrong or missing. */
static bool
report_kind(struct checker *c, const struct running *r, bool missing)
{
	const struct kinds *kinds = r->rule->as.list.kinds;
	struct check_frame frames[KINDS_DEPTH], *before = c->frame;
	const cJSON *value = r->s->value;
	struct fact fact = { .b = 1 };
	unsigned depth = 0;

	for (; depth < kinds->depth; depth++) {
		const cJSON *child = json_get(value, kinds->path[depth]);
		if (!child)
			break;
		frames[depth] = (struct check_frame){ .up = c->frame, .value = child };
		for (const cJSON *m = value->child; m != child; m = m->next)
			frames[depth].index++;
		c->frame = &frames[depth];
		value = child;
	}
	fact.missing = missing ? kinds->path[depth] : NULL;
	report_add(c, r->rule, r->s, fact);
	c->frame = before;
	return true;
}

/* Keeps the branches of the value's kind. Returns true if there are none, after reporting it. */
static bool
narrow_by_kind(struct checker *c, struct running *r)
{
	const struct kinds *kinds = r->rule->as.list.kinds;
	size_t cost = 0;
	bool blocked;

	if (!kinds || r->s->type != TYPE_OBJECT)
		return false;
	const cJSON *value = kinds_property(kinds, r->s->value, &blocked);
	const struct branches *only = kinds_branches(kinds, r->s->value, &cost);
	if (blocked)
		return false;
	memset(r->keep, 0, r->rule->as.list.len);
	for (size_t i = 0; i < only->len; i++)
		r->keep[only->items[i]] = true;
	size_t kept = 0, before = r->left;
	for (size_t i = 0; i < r->rule->as.list.len; i++)
		kept += r->in[i] && r->keep[i];
	if (kept == 0)
		return before > 1 && report_kind(c, r, !value);
	narrow(r);
	return false;
}

static bool
is_named(const char *ref, const char *name)
{
	const char *last = ref ? strrchr(ref, '/') : NULL;

	return ref && (strcmp(ref, name) == 0 || (last && strcmp(last + 1, name) == 0));
}

/* OpenAPI's `discriminator` names the branch by its $ref if no constant does. */
static void
narrow_by_discriminator(struct running *r)
{
	const cJSON *discriminator = json_get(r->s->node->source, "discriminator");
	const char *property = json_get_string(discriminator, "propertyName");
	const char *name = property ? json_get_string(r->s->value, property) : NULL;
	const char *mapped =
	    name ? json_get_string(json_get(discriminator, "mapping"), name) : NULL;

	for (size_t i = 0; name && i < r->rule->as.list.len; i++) {
		const cJSON *branch = r->rule->as.list.items[i]->source;
		r->keep[i] =
		    r->in[i] && is_named(json_get_string(branch, "$ref"), mapped ? mapped : name);
	}
	if (name)
		narrow(r);
}

/* Marks what the remaining branches declare, so it is not reported again. */
static void
mark_declared(const struct running *r)
{
	size_t index = 0;

	for (const cJSON *m = json_first(r->s->value); m && r->s->marks; m = m->next, index++)
		for (size_t i = 0; i < r->rule->as.list.len; i++) {
			const struct object_rules *rules =
			    r->in[i] ? branch_members(r->rule->as.list.items[i]) : NULL;
			if (rules && m->string && object_find(rules, m->string))
				marks_set(r->s->marks, index);
		}
}

static bool
explain(struct checker *c, struct running *r)
{
	unsigned types = narrow_by_type(c, r);
	struct fact fact = { 0 };

	if (r->left == 0)
		return report_add(c, r->rule, r->s, (struct fact){ .types = types });
	if (r->left > 1 && narrow_by_kind(c, r)) {
		mark_declared(r);
		return false;
	}
	if (r->s->type == TYPE_OBJECT && r->left > 1)
		narrow_by_discriminator(r);
	if (r->s->type == TYPE_OBJECT && r->left > 1)
		narrow_by_constant(c, r);
	if (r->s->type == TYPE_OBJECT && r->left > 1)
		narrow_by_property(r);
	if (r->left == 1)
		return check_here(c, r->rule->as.list.items[r->last], r->s);
	for (size_t i = 0; i < r->rule->as.list.len && i < 64; i++)
		fact.left |= (uint64_t)r->in[i] << i;
	mark_declared(r);
	return report_add(c, r->rule, r->s, fact);
}

bool
explain_alternatives(struct checker *c, const struct rule *rule, const struct subject *s)
{
	struct running r = { .rule = rule, .s = s };

	check_charge(c, rule->as.list.len);
	r.in = mem_zalloc(2 * rule->as.list.len);
	r.keep = r.in + rule->as.list.len;
	bool ok = explain(c, &r);
	free(r.in);
	return ok;
}
