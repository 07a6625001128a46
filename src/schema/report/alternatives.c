/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "base/mem.h"
#include "json/equal.h"
#include "json/rows.h"
#include "schema/keyword/keyword.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* anyOf and oneOf: which branch was meant, and the words about it. */

/* ---- the branches: the types they accept, the properties they know ---- */

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
 * means integers only; numbers have both bits. *looks goes down with each node visited. */
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

const struct object_rules *
branch_members(const struct node *node)
{
	node = node ? node_meant(node) : NULL;
	for (unsigned hops = 0; node && hops < MAX_HOPS; hops++, node = referred(node))
		if (node->object)
			return node->object;
	return NULL;
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
fit_part(void *ctx, const struct node *part)
{
	const struct fitting *f = ctx;
	struct json_items it;

	check_charge(f->c, 1 + json_count(f->value) / 16);
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

/* Drops the branches without `keep`. Returns false, and drops none, if none would be left. */
static bool
narrow(struct running *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->rule->as.list.len; i++)
		kept += r->in[i] && r->keep[i];
	if (kept == 0)
		return false;
	r->left = kept;
	for (size_t i = 0; i < r->rule->as.list.len; i++) {
		r->in[i] = r->in[i] && r->keep[i];
		r->last = r->in[i] ? i : r->last;
	}
	return true;
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

/* What lists the kinds: constants, or the names of OpenAPI's discriminator. */
enum kinds_by { KINDS_BY_VALUE = 1, KINDS_BY_NAME };

/* Reports the property at this path, which names the kind, as wrong or missing. */
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

	if (!kinds || r->s->type != TYPE_OBJECT)
		return false;
	const struct branches *only = kinds_branches(kinds, r->s->value, &cost);
	if (!only)
		return false;
	memset(r->keep, 0, r->rule->as.list.len);
	for (size_t i = 0; i < only->len; i++)
		r->keep[only->items[i]] = true;
	return !narrow(r) && report_kind(c, r, kinds->path, kinds->depth, KINDS_BY_VALUE);
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
	size_t named = 0;

	if (!value)
		return false;
	name = mapped ? mapped : name;
	for (size_t i = 0; i < r->rule->as.list.len; i++) {
		const char *ref = json_get_string(r->rule->as.list.items[i]->source, "$ref");
		const char *last = ref ? strrchr(ref, '/') : NULL;
		named += ref != NULL;
		r->keep[i] = ref && name &&
			     (strcmp(ref, name) == 0 || (last && strcmp(last + 1, name) == 0));
	}
	return !narrow(r) && !r->rule->as.list.kinds && named == r->rule->as.list.len &&
	       report_kind(c, r, &property, 1, KINDS_BY_NAME);
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
		unsigned accepted = possible_types(r->rule->as.list.items[i], MAX_HOPS, &looks);
		r->in[i] = accepted && passes_type(c, accepted, r->s->value);
		r->left += r->in[i];
		r->last = r->in[i] ? i : r->last;
		types |= accepted;
	}
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
	/* not on the stack: check_here() above comes back to this function at each level of a value
	 */
	uint32_t *left = mem_zalloc(MAX_LEFT * sizeof(*left));
	struct fact fact = { .left = left, .left_total = r->left };
	for (size_t i = 0; i < r->rule->as.list.len && fact.left_count < MAX_LEFT; i++)
		if (r->in[i])
			left[fact.left_count++] = (uint32_t)i;
	mark_declared(r);
	bool ok = report_add(c, r->rule, r->s, fact);
	free(left);
	return ok;
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

/* ---- words: a is the number of valid alternatives. If b is set, the violation is about the
 * property that names the kind (enum kinds_by); if several are valid, b is a bit set of them ----
 */

#define MEMBERS_TRIED 64 /* larger objects are not searched for missing members */
#define NAMES_MAX 64
#define TYPE_LOOKS 100 /* nodes to visit for the types of a branch */

/* False if the schema is not one of several constants and types. names: room for NAMES_MAX. */
static bool
add_alternatives(struct choices *choices, const struct record *r, cJSON *names)
{
	const struct node_list *list = &r->rule->as.list;

	if (r->a > 1)
		return false;
	if (r->b == KINDS_BY_NAME) {
		/* The names that OpenAPI's discriminator may have, as strings to choose from. */
		const cJSON *mapping =
		    json_get(json_get(r->node->source, "discriminator"), "mapping");
		const cJSON *at = json_count(mapping) > 0 ? mapping->child : r->rule->value->child;
		size_t count = 0;
		for (; at && count < NAMES_MAX; at = at->next) {
			const char *ref = json_get_string(at, "$ref");
			const char *name = json_count(mapping) > 0    ? at->string
					   : ref && strrchr(ref, '/') ? strrchr(ref, '/') + 1
								      : ref;
			if (!name)
				continue;
			names[count] = (cJSON){ .type = cJSON_String, .valuestring = (char *)name };
			choices_add(choices, &names[count++]);
		}
	}
	for (size_t i = 0; r->b == KINDS_BY_VALUE && i < list->kinds->name_count; i++)
		choices_add_rule(choices, list->kinds->names[i]);
	for (size_t i = 0; r->b == 0 && i < list->len; i++) {
		const struct node *node = node_meant(list->items[i]);
		const struct rule *constant = node_constant(node);
		if (constant) {
			choices_add_rule(choices, constant);
			continue;
		}
		/* a branch with nothing but types, or for other types than that of the value */
		bool plain = node->plan == NODE_TYPE;
		unsigned looks = TYPE_LOOKS, types = possible_types(node, MAX_HOPS, &looks);
		if (!plain && (!types || types & type_of(r->pub.node)))
			return false;
		choices->types |= (plain ? node->types : types) & (TYPE_ANY | TYPE_INTEGER);
	}
	return choices->count > 0;
}

void
append_alternatives(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };
	cJSON names[NAMES_MAX];

	if (r->a > 1)
		buf_addf(out, "exactly one of %zu alternatives", r->rule->as.list.len);
	else if (add_alternatives(&choices, r, names))
		add_choices(&choices, out);
	else if (r->types)
		add_types(r->types, out);
	else
		buf_addf(out, "one of %zu alternatives", r->rule->as.list.len);
}

/* ---- no branch is valid, and several may be the intended one ---- */

#define CLAUSES 4 /* branches described, at most */

struct clauses {
	size_t count;
	struct report *reports[CLAUSES]; /* of the first branches that are left */
};

/* Each branch only rejects names that others declare, so the branches exclude each other. */
static bool
add_exclusive(const struct clauses *clauses, const struct record *r, struct buf *out)
{
	size_t said = 0, start = out->len;

	if (!cJSON_IsObject(r->pub.node))
		return false;
	for (size_t i = 0; i < clauses->count; i++)
		for (size_t j = 0; j < clauses->reports[i]->records.len; j++) {
			const struct record *inner = clauses->reports[i]->records.items[j];
			if (!inner->rule ||
			    inner->rule->keyword->does->line != add_not_declared_line ||
			    !inner->place->up || inner->place->up->up)
				return false;
		}
	for (const cJSON *m = json_first(r->pub.node); m; m = m->next) {
		size_t by = 0;
		for (size_t i = 0; i < clauses->count; i++) {
			const struct report *report = clauses->reports[i];
			size_t j = 0;
			while (j < report->records.len && report->records.items[j]->pub.node != m)
				j++;
			by += j < report->records.len;
		}
		if (by == 0)
			continue;
		if (by == clauses->count || said == LISTED_WHOLE) {
			buf_truncate(out, start);
			return false;
		}
		buf_add_str(out, said++ ? " and " : "");
		add_property(m->string, out);
	}
	buf_add_str(out, " must not be present together");
	return true;
}

/* "and" or "field" + "op": the properties that the value lacks for this branch, `lacking` of
 * them. */
static bool
add_lacking(const struct node *branch, const struct record *r, struct did_you_mean *suggestion,
    size_t *lacking, struct buf *out)
{
	const struct object_rules *rules = branch_members(branch);
	const cJSON *value = r->pub.node;

	*lacking = 0;
	if (!rules || rules->count > MEMBERS_TRIED || json_count(value) > MEMBERS_TRIED)
		return false;
	for (size_t i = 0; i < rules->count; i++) {
		const struct known_member *m = &rules->members[i];
		if (!m->required || json_get(value, m->name))
			continue;
		if (*lacking == LISTED_SHORT)
			return false;
		did_you_mean_try(suggestion, m->name);
		buf_addf(out, "%s\"", *lacking ? " + " : "");
		add_short(m->name, out);
		buf_add_char(out, '"');
		++*lacking;
	}
	return *lacking > 0;
}

/* The value lacks something for each branch. */
static bool
add_lacking_of_all(const struct record *r, struct buf *out)
{
	const cJSON *only = json_first(r->pub.node);
	struct did_you_mean suggestion;
	struct buf lists[CLAUSES] = { 0 }, rest = BUF_INIT;
	bool all = cJSON_IsObject(r->pub.node) && r->left_count > 0, several = false;
	size_t shown = r->left_count < CLAUSES ? r->left_count : CLAUSES;

	suggest_for(&suggestion, only && !only->next ? only->string : NULL, r);
	for (size_t i = 0; i < r->left_count && all; i++) {
		size_t lacking;
		buf_clear(&rest);
		all = add_lacking(r->rule->as.list.items[r->left[i]], r, &suggestion, &lacking,
		    i < shown ? &lists[i] : &rest);
		several = several || lacking > 1;
	}
	if (all) {
		buf_add_str(out, "expected property ");
		for (size_t i = 0; i < shown; i++)
			buf_addf(out, "%s%s",
			    i == 0                                   ? ""
			    : several                                ? ", or "
			    : i + 1 < shown || r->left_total > shown ? ", "
								     : " or ",
			    buf_text(&lists[i]));
		if (shown < r->left_total)
			buf_addf(out, " or %zu others", r->left_total - shown);
		add_suggestion(&suggestion, "\"", out);
	}
	for (size_t i = 0; i < CLAUSES; i++)
		buf_finish(&lists[i]);
	buf_finish(&rest);
	return all;
}

/* Joins the violations into one sentence if they begin alike, or lists them. */
static void
join_clauses(struct buf *texts, size_t count, const struct record *r, struct buf *out)
{
	size_t alike = strlen(buf_text(&texts[0]));
	const char *first = buf_text(&texts[0]), *word = " and ";

	for (size_t i = 1; i < count; i++) {
		/* The length of the common beginning of two sentences, up to a word boundary. */
		const char *b = buf_text(&texts[i]);
		size_t same = 0, with = 0;
		for (; first[same] && first[same] == b[same]; same++)
			if (first[same] == ' ')
				with = same + 1;
		alike = with < alike ? with : alike;
	}
	if (strcmp(buf_text(&texts[0]), buf_text(&texts[count - 1])) != 0 &&
	    strncmp(first, "at ", alike) == 0)
		alike = 0;
	if (alike == 0) {
		add_found(r, out);
		buf_add_str(out, " matches none of ");
		add_count(r->rule->as.list.len, "alternative", "alternatives", out);
		buf_add_str(out, ": ");
		word = "; or ";
	}
	struct buf beginning = BUF_INIT;
	buf_add(&beginning, first, alike);
	if (strstr(buf_text(&beginning), " expected "))
		word = " or ";
	else if (strstr(buf_text(&beginning), " not "))
		word = " nor ";
	buf_finish(&beginning);
	size_t ending = 0; /* "expected 2 or 3 items": of what both end with after a blank */
	if (count == 2 && strcmp(word, " or ") == 0) {
		const char *a = first + alike, *b = buf_text(&texts[1]) + alike;
		size_t a_len = strlen(a), b_len = strlen(b);
		for (size_t same = 1; same < a_len && same < b_len; same++) {
			if (a[a_len - same] != b[b_len - same])
				break;
			if (a[a_len - same] == ' ')
				ending = same;
		}
	}
	for (size_t i = 0; i < count; i++) {
		bool again = false;
		for (size_t j = 0; j < i && !again; j++)
			again = strcmp(buf_text(&texts[j]), buf_text(&texts[i])) == 0;
		if (again)
			continue;
		buf_add_str(out, i ? word : "");
		buf_add_str(out, buf_text(&texts[i]) + (i ? alike : 0));
		if (i + 1 < count)
			buf_truncate(out, out->len - ending);
	}
}

static void
add_none_line(const struct record *r, struct buf *out)
{
	struct clauses clauses = { .count = r->left_count < CLAUSES ? r->left_count : CLAUSES };

	if (add_lacking_of_all(r, out))
		return;
	/* the violations of each branch */
	bool all = clauses.count > 1;
	for (size_t i = 0; i < clauses.count && all; i++) {
		struct report *report =
		    check_again(r, r->rule->as.list.items[r->left[i]], r->pub.node);
		clauses.reports[i] = report;
		all = report && report->facts.kept > 0 && report->facts.outcome == SCHEMA_INVALID;
	}
	if (!all) {
		add_found(r, out);
		buf_add_str(out, " matches none of ");
		add_count(r->rule->as.list.len, "alternative", "alternatives", out);
	} else if (r->left_count > CLAUSES || !add_exclusive(&clauses, r, out)) {
		struct buf texts[CLAUSES] = { 0 };
		for (size_t i = 0; i < clauses.count; i++) {
			struct buf path = BUF_INIT; /* below the value */
			report_instance_path(clauses.reports[i], 0, &path);
			if (path.len > 0)
				buf_addf(&texts[i], "at %s: ", buf_text(&path));
			buf_finish(&path);
			report_line(clauses.reports[i], 0, &texts[i]);
		}
		join_clauses(texts, clauses.count, r, out);
		for (size_t i = 0; i < clauses.count; i++)
			buf_finish(&texts[i]);
		if (r->left_count > CLAUSES)
			buf_addf(out, ", and %zu more alternatives fail", r->left_total - CLAUSES);
	}
	for (size_t i = 0; i < CLAUSES; i++)
		report_destroy(clauses.reports[i]);
}

/* ---- several branches are valid ---- */

/* A property that this valid branch requires and no other valid one does. */
static const char *
required_alone(const struct record *r, size_t branch)
{
	const struct node_list *list = &r->rule->as.list;
	const struct object_rules *rules = branch_members(list->items[branch]);

	for (size_t i = 0; rules && i < rules->count && i < MEMBERS_TRIED; i++) {
		bool alone = rules->members[i].required;
		for (size_t j = 0; j < list->len && r->b >> j && alone; j++) {
			const struct object_rules *other = branch_members(list->items[j]);
			const struct known_member *m =
			    j != branch && (r->b >> j & 1) && other
				? object_find(other, rules->members[i].name)
				: NULL;
			alone = !m || !m->required;
		}
		if (alone)
			return rules->members[i].name;
	}
	return NULL;
}

/* Each valid branch requires a property that the others do not. */
static bool
add_required_together(const struct record *r, struct buf *out)
{
	const char *names[LISTED_WHOLE];
	size_t count = 0;

	for (size_t i = 0; i < r->rule->as.list.len && i < 64 && r->b >> i; i++) {
		if (!(r->b >> i & 1))
			continue;
		names[count] = required_alone(r, i);
		if (!names[count] || count + 1 == LISTED_WHOLE)
			return false;
		count++;
	}
	if (count != r->a)
		return false;
	buf_add_str(out, count > 2 ? "only one of " : "");
	for (size_t i = 0; i < count; i++) {
		buf_add_str(out, i == 0 ? "" : i + 1 == count ? " and " : ", ");
		add_property(names[i], out);
	}
	buf_add_str(out, count > 2 ? " may be present" : " must not be present together");
	return true;
}

void
add_alternatives_line(const struct record *r, struct buf *out)
{
	struct choices choices = { 0 };
	cJSON names[NAMES_MAX];

	choices_want(&choices, r);
	if (!r->pub.missing && add_alternatives(&choices, r, names)) {
		add_choices_line(r, &choices, out);
		return;
	}
	if (r->types) {
		add_type_line(r, out);
		return;
	}
	if (r->pub.missing) {
		add_missing_line(r, out);
		buf_add_str(out, ", expected ");
		append_alternatives(r, out);
		return;
	}
	if (r->a <= 1) {
		add_none_line(r, out);
		return;
	}
	if (add_required_together(r, out))
		return;
	add_found(r, out);
	buf_addf(out, " matches %zu of %zu alternatives", r->a, r->rule->as.list.len);
	/* " (Circle and Box)" */
	size_t said = 0, index = 0, which = r->b;
	for (const cJSON *at = r->rule->value->child; at && which;
	     at = at->next, which >>= 1, index++) {
		if (!(which & 1) || said == LISTED_SHORT)
			continue;
		buf_add_str(out, said == 0 ? " (" : said + 1 == r->a ? " and " : ", ");
		/* The title, else the name of the reference, else the location. */
		if (!add_schema_name(at, out))
			buf_addf(out, "/%s/%zu", r->rule->keyword->name, index);
		said++;
	}
	if (said > 0 && said < r->a)
		buf_addf(out, " and %zu more", r->a - said);
	buf_add_str(out, said ? "), expected exactly one" : ", expected exactly one");
}
