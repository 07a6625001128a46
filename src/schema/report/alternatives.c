/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "base/mem.h"
#include "json/equal.h"
#include "json/rows.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The branches of anyOf and oneOf: the types they accept, the properties they know. */

#define MAX_HOPS 16

static unsigned possible_types(const struct node *node, unsigned hops, unsigned *looks);

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
		bool all = rule->kind == RULE_ALL_OF;
		types = all ? TYPE_ANY | TYPE_INTEGER : 0;
		for (size_t i = 0; i < rule->as.list.len; i++) {
			unsigned more = possible_types(rule->as.list.items[i], hops - 1, looks);
			more |= more & TYPE_NUMBER ? TYPE_INTEGER : 0;
			types = all ? types & more : types | more;
		}
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

#define FIT_CHILDREN 64 /* children to compare, at most */

/* How a value fits a branch: a bit for each child. */
struct fit {
	uint64_t known;    /* it declares a schema for it */
	uint64_t failing;  /* that schema fails */
	uint64_t mistyped; /* because of the type */
	uint64_t unnamed;  /* because of a const, enum or pattern */
	bool lacks;        /* a required property is missing, or an array is too short */
	bool forbids;  /* a property is undeclared in a closed object, or an array is too long */
	unsigned rank; /* for the caller */
};

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

static void
fit_child_part(void *ctx, const struct node *part)
{
	const struct fitting *f = ctx;
	struct subject s = { .node = part, .value = f->value, .type = type_of(f->value) };

	check_charge(f->c, 1);
	f->fit->mistyped |= part->never ? f->bit : 0;
	for (size_t i = 0; i < part->rule_count; i++) {
		const struct rule *rule = &part->rules[i];
		bool constant = rule->kind == RULE_CONST || rule->kind == RULE_ENUM ||
				rule->kind == RULE_PATTERN;
		if ((!constant && rule->kind != RULE_TYPE) || !(rule->applies & s.type) ||
		    rule->check(f->c, rule, &s))
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
fit_part(void *ctx, const struct node *part)
{
	const struct fitting *f = ctx;

	check_charge(f->c, 1 + json_count(f->value) / 16);
	fit_children(f, part);
	if (part->object && cJSON_IsObject(f->value)) {
		bool closed = part->object->additional && part->object->pattern_count == 0 &&
			      matches_nothing(part->object->additional);
		size_t index = 0;
		for (size_t i = 0; i < part->object->count && i < FIT_CHILDREN; i++)
			f->fit->lacks |= part->object->members[i].required &&
					 json_count(f->value) <= MEMBERS_MAX &&
					 !json_get(f->value, part->object->members[i].name);
		for (const cJSON *m = json_first(f->value); m && closed && index++ < FIT_CHILDREN;
		     m = m->next)
			f->fit->forbids |= !object_find(part->object, m->string);
	}
	if (json_type(f->value) == JSON_ARRAY) {
		/* a tuple of another length was not meant */
		size_t count = json_count(f->value);
		for (size_t i = 0; i < part->rule_count; i++) {
			const struct rule *rule = &part->rules[i];
			f->fit->lacks |=
			    strcmp(rule->keyword->name, "minItems") == 0 && count < rule->as.count;
			f->fit->forbids |=
			    strcmp(rule->keyword->name, "maxItems") == 0 && count > rule->as.count;
		}
		f->fit->forbids |= part->array && part->array->rest &&
				   matches_nothing(part->array->rest) &&
				   count > part->array->prefix.len;
	}
}

/*
 * anyOf and oneOf: finds the intended branch. It discards branches for other types of value,
 * then those for another kind (kinds.c) or another name (`discriminator` of OpenAPI), and then
 * ranks the others by how their properties fit (struct fit). If one branch is left, its own
 * violations explain the failure best; otherwise a single violation names the branches that are
 * left.
 */
#define MAX_LOOKS 1000 /* nodes to visit for the possible types */
#define MAX_LEFT 1024  /* branches that a violation remembers */
#define MAX_FITS 65536 /* branches times children to compare */

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

/* The steps of the comparison, most important first: the rank of a branch, 0 is best. shared,
 * failing: the children above. */
static unsigned
rank(const struct running *r, const struct fit *fit, unsigned step, uint64_t shared,
    uint64_t failing)
{
	switch (step) {
	case 0:
		return fit->known == 0;
	case 1:
		return fit->unnamed != 0;
	case 2:
		return fit->lacks;
	case 3:
		return fit->forbids;
	case 4:
		return (fit->failing & shared) != 0;
	case 5:
		return (fit->mistyped & failing) != 0;
	default:
		/* a longer tuple is not better */
		return r->s->type & TYPE_ARRAY
			   ? 0
			   : FIT_CHILDREN - (unsigned)__builtin_popcountll(fit->known);
	}
}
#define RANK_STEPS 7

/* If all branches left fail for the same child alone and declare the same for it, keeps one. */
static void
narrow_to_same_reason(struct running *r, const struct fit *fits)
{
	uint64_t failing = fits[r->last].failing;
	const cJSON *child = json_first(r->s->value), *said = NULL;
	size_t index = 0;

	if (!failing || failing & (failing - 1) || json_is_lazy(r->s->value))
		return;
	for (; child && failing >> index != 1; index++)
		child = child->next;
	for (size_t i = 0; i < r->rule->as.list.len; i++) {
		if (!r->in[i])
			continue;
		const struct node *branch = node_meant(r->rule->as.list.items[i]), *node = NULL;
		for (unsigned hops = 0; branch && !node && hops < MAX_HOPS; hops++) {
			node = node_of_child(branch, child, index);
			branch = referred(branch);
		}
		bool same = node && fits[i].failing == failing && !fits[i].lacks &&
			    !fits[i].forbids && (!said || json_equal(said, node->source));
		if (!same)
			return;
		said = node->source;
	}
	memset(r->keep, 0, r->rule->as.list.len);
	r->keep[r->last] = true;
	narrow(r);
}

/* Keeps the branches that fit best, by one step of the comparison after the other. */
static void
narrow_by_fit(struct checker *c, struct running *r)
{
	size_t len = r->rule->as.list.len, count = json_count(r->s->value);

	count = count < FIT_CHILDREN ? count : FIT_CHILDREN;
	if (r->left * (count + 1) > MAX_FITS)
		return;
	struct fit *fits = mem_zalloc(len * sizeof(*fits));
	struct trial trial = trial_begin(c);
	bool collecting = c->collecting;
	c->collecting = false;
	for (size_t i = 0; i < len && !c->stopped; i++) {
		if (!r->in[i])
			continue;
		struct fitting f = { .c = c, .fit = &fits[i], .value = r->s->value };
		unsigned looks = PART_LOOKS;
		for_each_part(r->rule->as.list.items[i], fit_part, &f, MAX_HOPS, &looks);
		check_budget(c);
	}
	c->collecting = collecting;
	trial_drop(c, &trial);
	for (unsigned step = 0; step < RANK_STEPS && r->left > 1 && !c->stopped; step++) {
		uint64_t shared = UINT64_MAX, failing = UINT64_MAX; /* in all branches left */
		for (size_t i = 0; i < len; i++) {
			shared &= r->in[i] ? fits[i].known : UINT64_MAX;
			failing &= r->in[i] ? fits[i].failing : UINT64_MAX;
		}
		failing &= shared;
		unsigned best = UINT_MAX;
		for (size_t i = 0; i < len; i++) {
			fits[i].rank = rank(r, &fits[i], step, shared, failing);
			if (r->in[i] && fits[i].rank < best)
				best = fits[i].rank;
		}
		for (size_t i = 0; i < len; i++)
			r->keep[i] = r->in[i] && fits[i].rank == best;
		narrow(r);
	}
	if (r->left > 1 && !c->stopped)
		narrow_to_same_reason(r, fits);
	free(fits);
}

/* Reports the property at this path, which names the kind, as wrong or missing. by: what lists the
 * kinds. */
static bool
report_kind(struct checker *c, const struct running *r, const char *const *path, unsigned length,
    enum kinds_by by)
{
	struct check_frame frames[KINDS_DEPTH], *before = c->frame;
	const cJSON *value = r->s->value;
	struct fact fact = { .b = by };
	unsigned depth = 0;

	for (; depth < length; depth++) {
		const cJSON *child = json_get(value, path[depth]);
		if (!child)
			break;
		frames[depth] = (struct check_frame){ .up = c->frame, .value = child };
		for (const cJSON *m = value->child; m != child; m = m->next)
			frames[depth].index++;
		c->frame = &frames[depth];
		value = child;
	}
	fact.missing = depth < length ? path[depth] : NULL;
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
	kinds_property(kinds, r->s->value, &blocked);
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
		return before > 1 && report_kind(c, r, kinds->path, kinds->depth, KINDS_BY_VALUE);
	narrow(r);
	return false;
}

static bool
is_named(const char *ref, const char *name)
{
	const char *last = ref ? strrchr(ref, '/') : NULL;

	return ref && (strcmp(ref, name) == 0 || (last && strcmp(last + 1, name) == 0));
}

/* Keeps the branch that OpenAPI's `discriminator` names by its $ref. Returns true if there is none,
 * after reporting it. */
static bool
narrow_by_discriminator(struct checker *c, struct running *r)
{
	const cJSON *discriminator = json_get(r->s->node->source, "discriminator");
	const cJSON *mapping = json_get(discriminator, "mapping");
	const char *property = json_get_string(discriminator, "propertyName");
	const cJSON *value = property ? json_get(r->s->value, property) : NULL;
	const char *name = cJSON_GetStringValue(value);
	const char *mapped = name ? json_get_string(mapping, name) : NULL;
	size_t named = 0, kept = 0;

	if (!value)
		return false;
	for (size_t i = 0; i < r->rule->as.list.len; i++) {
		const char *ref = json_get_string(r->rule->as.list.items[i]->source, "$ref");
		named += ref != NULL;
		r->keep[i] = r->in[i] && name && is_named(ref, mapped ? mapped : name);
		kept += r->keep[i];
	}
	if (kept == 0 && !r->rule->as.list.kinds && named == r->rule->as.list.len)
		return report_kind(c, r, &property, 1, KINDS_BY_NAME);
	narrow(r);
	return false;
}

/* OpenAPI requires the property, even if the branches do not. */
static bool
lacks_discriminator(struct checker *c, struct running *r)
{
	const cJSON *discriminator = json_get(r->s->node->source, "discriminator");
	const char *property = json_get_string(discriminator, "propertyName");

	if (!property || json_get(r->s->value, property))
		return false;
	const struct kinds *kinds = r->rule->as.list.kinds;
	if (kinds && kinds->depth == 1 && strcmp(kinds->path[0], property) == 0)
		return report_kind(c, r, kinds->path, 1, KINDS_BY_VALUE);
	return !kinds && json_get(discriminator, "mapping") &&
	       report_kind(c, r, &property, 1, KINDS_BY_NAME);
}

/* Marks the children that the remaining branches declare, so they are not reported again. */
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
report_left(struct checker *c, const struct running *r)
{
	uint32_t left[MAX_LEFT];
	struct fact fact = { .left = left, .left_total = r->left };

	for (size_t i = 0; i < r->rule->as.list.len && fact.left_count < MAX_LEFT; i++)
		if (r->in[i])
			left[fact.left_count++] = (uint32_t)i;
	mark_declared(r);
	return report_add(c, r->rule, r->s, fact);
}

/* "5" where a branch takes 5, and others words: both were perhaps meant. */
static bool
is_quoted(struct checker *c, const cJSON *value, unsigned types)
{
	enum { BYTES = 32 };
	const char *text = cJSON_GetStringValue(value);
	size_t len = text ? strnlen(text, BYTES) : 0;
	struct json_doc *doc = len > 0 && len < BYTES ? json_parse(text, len, NULL, NULL) : NULL;
	bool quoted = doc && is_leaf(json_root(doc)) && passes_type(c, types, json_root(doc));

	json_doc_destroy(doc);
	return quoted;
}

static bool
explain(struct checker *c, struct running *r)
{
	unsigned types = 0; /* of all branches */
	bool object = r->s->type == TYPE_OBJECT;

	for (size_t i = 0; i < r->rule->as.list.len; i++) {
		unsigned looks = MAX_LOOKS;
		unsigned accepted = branch_types(r->rule->as.list.items[i], &looks);
		r->in[i] = accepted && passes_type(c, accepted, r->s->value);
		types |= accepted;
	}
	recount(r);
	types &= types & TYPE_NUMBER ? ~(unsigned)TYPE_INTEGER : ~0u;
	if (r->left == 0)
		return report_add(c, r->rule, r->s, (struct fact){ .types = types });
	if (object && r->left > 1 && (narrow_by_kind(c, r) || narrow_by_discriminator(c, r))) {
		mark_declared(r);
		return false;
	}
	if (r->left > 1 && (r->s->type & (TYPE_OBJECT | TYPE_ARRAY)))
		narrow_by_fit(c, r);
	if (object && r->left > 1 && lacks_discriminator(c, r)) {
		mark_declared(r);
		return false;
	}
	const struct node *last = r->rule->as.list.items[r->last];
	if (r->left == 1 && !(node_constant(last) && is_quoted(c, r->s->value, types)))
		return check_here(c, last, r->s);
	return report_left(c, r);
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
