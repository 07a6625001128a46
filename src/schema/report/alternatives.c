#include "words.h"

#include "base/mem.h"
#include "json/equal.h"
#include "json/rows.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/*
 * anyOf and oneOf: finds the intended branch. It discards branches for other types of value,
 * then those for another kind (kinds.c) or another name (`discriminator` of OpenAPI), and then
 * the others by what they say of the properties that are there (branch_fit()). If one branch is
 * left, its own violations explain the failure best; otherwise a single violation names the
 * branches that are left.
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

/* The children that all branches left declare. */
static uint64_t
shared_children(const struct running *r, const struct fit *fits)
{
	uint64_t shared = UINT64_MAX;

	for (size_t i = 0; i < r->rule->as.list.len; i++)
		if (r->in[i])
			shared &= fits[i].known;
	return shared;
}

/* Those that fail in all of them. */
static uint64_t
failing_children(const struct running *r, const struct fit *fits)
{
	uint64_t failing = shared_children(r, fits);

	for (size_t i = 0; i < r->rule->as.list.len; i++)
		if (r->in[i])
			failing &= fits[i].failing;
	return failing;
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
		/* a longer tuple is no better */
		return r->s->type & TYPE_ARRAY
			   ? 0
			   : FIT_CHILDREN - (unsigned)__builtin_popcountll(fit->known);
	}
}
#define RANK_STEPS 7

/* If all branches left fail for one child alone, and declare the same for it, one of them can tell.
 */
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
		const struct node *node = branch_child(r->rule->as.list.items[i], child, index);
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
	for (size_t i = 0; i < len && !c->stopped; i++) {
		if (r->in[i])
			fits[i] = branch_fit(c, r->rule->as.list.items[i], r->s->value);
		check_budget(c);
	}
	for (unsigned step = 0; step < RANK_STEPS && r->left > 1 && !c->stopped; step++) {
		uint64_t shared = shared_children(r, fits), failing = failing_children(r, fits);
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

/* The union of the types of all branches; meaningful if no branch takes the type of the value. */
static unsigned
narrow_by_type(struct checker *c, struct running *r)
{
	unsigned all = 0;

	for (size_t i = 0; i < r->rule->as.list.len; i++) {
		unsigned looks = MAX_LOOKS;
		unsigned types = branch_types(r->rule->as.list.items[i], &looks);
		r->in[i] = types && passes_type(c, types, r->s->value);
		all |= types;
	}
	recount(r);
	return all & TYPE_NUMBER ? all & ~TYPE_INTEGER : all;
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
	const char *name = json_string(value);
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
	const char *text = json_string(value);
	size_t len = text ? strnlen(text, BYTES) : 0;
	struct json_doc *doc = len > 0 && len < BYTES ? json_parse(text, len, NULL, NULL) : NULL;
	bool quoted = doc && is_leaf(json_root(doc)) && passes_type(c, types, json_root(doc));

	json_doc_destroy(doc);
	return quoted;
}

static bool
explain(struct checker *c, struct running *r)
{
	unsigned types = narrow_by_type(c, r);
	bool object = r->s->type == TYPE_OBJECT;

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
	if (r->left == 1 && node_constant(r->rule->as.list.items[r->last]) &&
	    is_quoted(c, r->s->value, types))
		return report_left(c, r);
	if (r->left == 1)
		return check_here(c, r->rule->as.list.items[r->last], r->s);
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
