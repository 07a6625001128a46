#include "words.h"

#include "json/rows.h"

#include <string.h>

/* What a branch of anyOf or oneOf says of a value: the types it takes, the properties it knows. */

#define MAX_HOPS 16

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

/* The node that a node refers to by $ref; NULL if it refers to none. */
static const struct node *
referred(const struct node *node)
{
	const struct node *next = NULL;

	for (size_t i = 0; i < node->rule_count; i++)
		if (node->rules[i].kind == RULE_REF)
			next = node->rules[i].as.node;
	return next ? node_meant(next) : NULL;
}

/* The properties that a branch declares, directly or through a reference. */
const struct object_rules *
branch_members(const struct node *node)
{
	node = node ? node_meant(node) : NULL;
	for (unsigned hops = 0; node && hops < MAX_HOPS; hops++, node = referred(node))
		if (node->object)
			return node->object;
	return NULL;
}

unsigned
branch_types(const struct node *branch, unsigned *looks)
{
	return possible_types(branch, MAX_HOPS, looks);
}

/* ---- how well a branch fits ---- */

#define PART_LOOKS 32   /* subschemas for one value to look at */
#define MEMBERS_MAX 256 /* in larger objects no missing member is looked for */

/* Calls fn for the node and for all that apply to each of its values. */
typedef void part_fn(void *ctx, const struct node *part);

static void
for_each_part(const struct node *node, part_fn *fn, void *ctx, unsigned hops, unsigned *looks)
{
	node = node_meant(node);
	if (hops == 0 || *looks == 0)
		return;
	--*looks;
	fn(ctx, node);
	for (size_t i = 0; i < node->rule_count; i++) {
		const struct rule *rule = &node->rules[i];
		if (rule->kind == RULE_REF)
			for_each_part(rule->as.node, fn, ctx, hops - 1, looks);
		for (size_t j = 0; rule->kind == RULE_ALL_OF && j < rule->as.list.len; j++)
			for_each_part(rule->as.list.items[j], fn, ctx, hops - 1, looks);
	}
}

struct fitting {
	struct checker *c;
	struct fit *fit;
	const cJSON *value; /* of the branch, or its child */
	uint64_t bit;       /* of the child */
};

static bool
rule_holds(struct checker *c, const struct rule *rule, const struct node *node, const cJSON *value)
{
	struct subject s = { .node = node, .value = value, .type = type_of(value) };

	return !(rule->applies & s.type) || rule->check(c, rule, &s);
}

static void
fit_child_part(void *ctx, const struct node *part)
{
	const struct fitting *f = ctx;

	check_charge(f->c, 1);
	f->fit->mistyped |= part->never ? f->bit : 0;
	for (size_t i = 0; i < part->rule_count; i++) {
		const struct rule *rule = &part->rules[i];
		bool constant = rule->kind == RULE_CONST || rule->kind == RULE_ENUM ||
				rule->kind == RULE_PATTERN;
		if ((!constant && rule->kind != RULE_TYPE) ||
		    rule_holds(f->c, rule, part, f->value))
			continue;
		if (constant)
			f->fit->unnamed |= f->bit;
		else
			f->fit->mistyped |= f->bit;
	}
}

/* The schema of a member or item that the part declares, or NULL. */
static const struct node *
node_of_child(const struct node *part, const cJSON *child, size_t index)
{
	if (child->string) {
		const struct known_member *m =
		    part->object ? object_find(part->object, child->string) : NULL;
		return m ? m->node : NULL;
	}
	if (!part->array)
		return NULL;
	return index < part->array->prefix.len ? part->array->prefix.items[index]
					       : part->array->rest;
}

const struct node *
branch_child(const struct node *branch, const cJSON *child, size_t index)
{
	const struct node *found = NULL;

	branch = branch ? node_meant(branch) : NULL;
	for (unsigned hops = 0; branch && !found && hops < MAX_HOPS; hops++) {
		found = node_of_child(branch, child, index);
		branch = referred(branch);
	}
	return found;
}

static void
fit_children(const struct fitting *f, const struct node *part)
{
	struct json_items it;

	items_begin(f->c, &it, f->value);
	for (; it.item && it.index < FIT_CHILDREN; items_next(f->c, &it)) {
		struct fitting child = *f;
		const struct node *node = node_of_child(part, it.item, it.index);
		unsigned looks = PART_LOOKS;
		child.bit = (uint64_t)1 << it.index;
		child.value = it.item;
		if (!node)
			continue;
		f->fit->known |= matches_nothing(node) ? 0 : child.bit;
		if (!check_quietly(f->c, node, it.item))
			f->fit->failing |= child.bit;
		for_each_part(node, fit_child_part, &child, MAX_HOPS, &looks);
	}
	json_items_finish(&it);
}

static void
fit_members(const struct fitting *f, const struct object_rules *rules)
{
	bool closed =
	    rules->additional && rules->pattern_count == 0 && matches_nothing(rules->additional);
	size_t index = 0;

	for (size_t i = 0; i < rules->count && i < FIT_CHILDREN; i++)
		f->fit->lacks |= rules->members[i].required &&
				 json_count(f->value) <= MEMBERS_MAX &&
				 !json_get(f->value, rules->members[i].name);
	for (const cJSON *m = json_first(f->value); m && closed && index++ < FIT_CHILDREN;
	     m = m->next)
		f->fit->forbids |= !object_find(rules, m->string);
}

/* A tuple of another length is not the one that was meant. */
static void
fit_length(const struct fitting *f, const struct node *part)
{
	size_t count = json_count(f->value);

	for (size_t i = 0; i < part->rule_count; i++) {
		const struct rule *rule = &part->rules[i];
		f->fit->lacks |=
		    strcmp(rule->keyword->name, "minItems") == 0 && count < rule->as.count;
		f->fit->forbids |=
		    strcmp(rule->keyword->name, "maxItems") == 0 && count > rule->as.count;
	}
	f->fit->forbids |= part->array && part->array->rest &&
			   matches_nothing(part->array->rest) && count > part->array->prefix.len;
}

static void
fit_part(void *ctx, const struct node *part)
{
	const struct fitting *f = ctx;

	check_charge(f->c, 1 + json_count(f->value) / 16);
	fit_children(f, part);
	if (part->object && json_type(f->value) == JSON_OBJECT)
		fit_members(f, part->object);
	if (json_type(f->value) == JSON_ARRAY)
		fit_length(f, part);
}

struct fit
branch_fit(struct checker *c, const struct node *branch, const cJSON *value)
{
	struct fit fit = { 0 };
	struct fitting f = { .c = c, .fit = &fit, .value = value };
	struct trial trial = trial_begin(c);
	bool collecting = c->collecting;
	unsigned looks = PART_LOOKS;

	c->collecting = false;
	for_each_part(branch, fit_part, &f, MAX_HOPS, &looks);
	c->collecting = collecting;
	trial_drop(c, &trial);
	return fit;
}
