/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "json/equal.h"
#include "schema/check/check.h"

#include <stdlib.h>
#include <string.h>

#define MAX_HOPS 16
#define MAX_PATHS 32 /* properties to consider */
#define MAX_PROBES 64
#define CONSTANT_LOOKS 32 /* rules to examine for a constant */
#define BRANCH_LOOKS 300  /* nodes and properties to examine in a branch */

/* A property that a branch constrains. */
struct trait {
	uint32_t branch;
	uint32_t path;            /* index in paths */
	uint32_t part;            /* of nested alternatives in the branch */
	const struct rule *names; /* const or enum; NULL: only required */
	bool required;
};

struct kind_path {
	const char *names[KINDS_DEPTH];
	unsigned depth;
	size_t branches; /* branches that list values */
	uint32_t last;   /* the last such branch */
	uint64_t values; /* a bit for each hash of a value, to estimate how many there are */
	size_t listed;   /* values in all branches */
	bool preferred;  /* named by the `discriminator` of OpenAPI */
};

struct kind_search {
	struct pool **pool;
	size_t *work;
	unsigned looks; /* left in this branch; at 0 the rest of the branch is unknown */
	const char *preferred;
	struct kind_path paths[MAX_PATHS];
	size_t path_count;
	struct {
		struct trait *items;
		size_t len, cap;
	} traits;
	uint32_t branch;
};

/* ---- constraints on every value of a node ---- */

static const struct rule *
constant_within(const struct node *node, unsigned *looks)
{
	node = node_meant(node);
	for (size_t i = 0; *looks > 0 && i < node->rule_count; i++) {
		const struct rule *rule = &node->rules[i], *found = NULL;
		const struct node *sub;
		--*looks;
		if (rule->kind == RULE_CONST || rule->kind == RULE_ENUM)
			return rule;
		for (size_t j = 0; *looks > 0 && !found && (sub = rule_always(rule, j)); j++)
			found = constant_within(sub, looks);
		if (found)
			return found;
	}
	return NULL;
}

const struct rule *
node_constant(const struct node *node)
{
	unsigned looks = CONSTANT_LOOKS;

	return node ? constant_within(node, &looks) : NULL;
}

/* ---- collecting traits ---- */

static void
add_trait(struct kind_search *s, const char *const *names, unsigned depth,
    const struct rule *constant, bool required)
{
	size_t number = 0;

	for (; number < s->path_count; number++) {
		unsigned same = 0;
		while (s->paths[number].depth == depth && same < depth &&
		       strcmp(s->paths[number].names[same], names[same]) == 0)
			same++;
		if (s->paths[number].depth == depth && same == depth)
			break;
	}
	if (number == MAX_PATHS)
		return;
	if (number == s->path_count) {
		struct kind_path *path = &s->paths[s->path_count++];
		*path = (struct kind_path){ .depth = depth, .last = UINT32_MAX };
		memcpy(path->names, names, depth * sizeof(*names));
		path->preferred = depth == 1 && s->preferred && strcmp(names[0], s->preferred) == 0;
	}
	*VEC_PUSH(&s->traits) = (struct trait){ .branch = s->branch,
		.path = (uint32_t)number,
		.names = constant,
		.required = required };
}

static void collect_traits(struct kind_search *s, const struct node *node, const char **names,
    unsigned depth, bool required, unsigned hops);

/* Keeps the traits of nested alternatives, from `first` on, that every alternative has. */
static void
keep_common(struct kind_search *s, size_t first, uint32_t parts)
{
	struct {
		uint32_t listing, requiring, last_listing, last_requiring; /* parts */
	} of[MAX_PATHS] = { 0 };
	size_t kept = first;

	for (size_t i = first; i < s->traits.len; i++) {
		const struct trait *t = &s->traits.items[i];
		if (t->names && of[t->path].last_listing != t->part + 1) {
			of[t->path].listing++;
			of[t->path].last_listing = t->part + 1;
		}
		if (t->required && of[t->path].last_requiring != t->part + 1) {
			of[t->path].requiring++;
			of[t->path].last_requiring = t->part + 1;
		}
	}
	for (size_t i = first; i < s->traits.len; i++) {
		struct trait t = s->traits.items[i];
		t.required = of[t.path].requiring == parts;
		if (of[t.path].listing < parts)
			t.names = NULL;
		if (t.names || t.required)
			s->traits.items[kept++] = t;
	}
	s->traits.len = kept;
}

/* anyOf or oneOf in a branch: only what all its alternatives demand applies to every value. */
static void
look_at_alternatives(struct kind_search *s, const struct node_list *list, const char **names,
    unsigned depth, bool required, unsigned hops)
{
	size_t first = s->traits.len;
	uint32_t parts = 0;

	for (size_t i = 0; i < list->len && s->looks > 0; i++) {
		size_t from = s->traits.len;
		if (!(node_meant(list->items[i])->accepts & TYPE_OBJECT))
			continue;
		collect_traits(s, list->items[i], names, depth, required, hops);
		for (; from < s->traits.len; from++)
			s->traits.items[from].part = parts;
		parts++;
	}
	if (s->looks > 0)
		keep_common(s, first, parts);
	else
		s->traits.len = first;
}

/* Collects the constraints on the properties of every value of node. */
static void
collect_traits(struct kind_search *s, const struct node *node, const char **names, unsigned depth,
    bool required, unsigned hops)
{
	node = node_meant(node);
	if (s->looks == 0 || hops == 0)
		return;
	s->looks--;
	for (size_t i = 0; i < node->rule_count; i++) {
		const struct node *sub;
		for (size_t j = 0; (sub = rule_always(&node->rules[i], j)); j++)
			collect_traits(s, sub, names, depth, required, hops - 1);
		if (node->rules[i].kind == RULE_ANY_OF || node->rules[i].kind == RULE_ONE_OF)
			look_at_alternatives(
			    s, &node->rules[i].as.list, names, depth, required, hops - 1);
	}
	for (size_t i = 0; s->looks > 0 && node->object && i < node->object->count; i++) {
		const struct known_member *m = &node->object->members[i];
		const struct rule *constant = node_constant(m->node);
		bool needed = required && m->required, leaves = constant != NULL;
		for (const cJSON *v = leaves ? constant_first(constant) : NULL; v && leaves;
		     v = constant_next(constant, v))
			leaves = is_leaf(v);
		s->looks--;
		names[depth] = m->name;
		if (leaves)
			add_trait(s, names, depth + 1, constant, needed);
		else if (!m->node && m->required)
			add_trait(s, names, depth + 1, NULL, needed);
		else if (m->node && depth + 1 < KINDS_DEPTH)
			collect_traits(s, m->node, names, depth + 1, needed, hops - 1);
	}
}

/* One value in each branch, and another in nearly each: the tag of a tagged union. */
static bool
is_tag(const struct kind_path *p)
{
	size_t most = p->branches < 32 ? p->branches : 32; /* of 64 hashes */

	return p->listed == p->branches && (size_t)__builtin_popcountll(p->values) * 4 >= most * 3;
}

/* The property that most branches list values for, then a tag, then the one with the most values;
 * the one that OpenAPI's `discriminator` names comes first. */
static const struct kind_path *
choose_path(struct kind_search *s)
{
	const struct kind_path *best = NULL;

	for (size_t i = 0; i < s->traits.len; i++) {
		const struct trait *t = &s->traits.items[i];
		struct kind_path *path = &s->paths[t->path];
		size_t cost = 0;
		if (!t->names)
			continue;
		path->branches += path->last != t->branch;
		path->last = t->branch;
		for (const cJSON *v = constant_first(t->names); v; v = constant_next(t->names, v)) {
			path->values |= (uint64_t)1 << (json_hash_counted(v, &cost) >> 7 & 63);
			path->listed++;
		}
		*s->work -= cost < *s->work ? cost : *s->work;
	}
	for (size_t i = 0; i<s->path_count && * s->work> 0; i++) {
		const struct kind_path *p = &s->paths[i];
		bool varies = p->values & (p->values - 1);
		if (p->branches < 2 || !varies)
			continue;
		if (p->preferred)
			return p;
		int more_values =
		    best ? __builtin_popcountll(p->values) - __builtin_popcountll(best->values) : 0;
		if (!best || (p->branches != best->branches  ? p->branches > best->branches
				 : is_tag(p) != is_tag(best) ? is_tag(p)
							     : more_values > 0))
			best = p;
	}
	return best;
}

/* ---- the table ---- */

/* A shortcut for strings, because most constants are strings. */
static uint64_t
hash_of(const struct kinds *kinds, const cJSON *value, size_t *cost)
{
	if (type_of(value) != TYPE_STRING)
		return json_hash_counted(value, cost);
	size_t len = strlen(value->valuestring);
	*cost += len / 16;
	return text_hash(kinds, value->valuestring, len);
}

/* The slot of value, or the free slot for it; NULL if too many values collide. */
static struct kind *
slot_of(const struct kinds *kinds, const cJSON *value, uint64_t hash, size_t *cost)
{
	size_t i = (size_t)hash & kinds->mask;

	for (size_t probes = 0; probes < MAX_PROBES; probes++) {
		struct kind *kind = &kinds->slots[i];
		if (!kind->value)
			return kind;
		bool texts = type_of(kind->value) == TYPE_STRING && type_of(value) == TYPE_STRING;
		if (kind->hash == hash &&
		    (texts ? strcmp(kind->value->valuestring, value->valuestring) == 0
			   : json_equal_counted(kind->value, value, cost)))
			return kind;
		i = (i + 1) & kinds->mask;
	}
	return NULL;
}

static void
branches_push(struct branches *branches, uint32_t branch)
{
	if (branches->len == 0 || branches->items[branches->len - 1] != branch)
		branches->items[branches->len++] = branch;
}

static struct branches
branches_merge(struct pool **pool, const struct branches *a, const struct branches *b)
{
	struct branches out = { .items = pool_alloc(pool, (a->len + b->len) * sizeof(*a->items)) };
	size_t i = 0, j = 0;

	while (i < a->len || j < b->len)
		if (j == b->len || (i < a->len && a->items[i] <= b->items[j]))
			branches_push(&out, a->items[i++]);
		else
			branches_push(&out, b->items[j++]);
	return out;
}

/* The first pass counts the branches of each value, the second one stores them. */
static bool
fill_slots(struct kind_search *s, struct kinds *kinds, size_t path, bool counting)
{
	for (size_t i = 0; i < s->traits.len; i++) {
		const struct trait *t = &s->traits.items[i];
		size_t cost = 0;
		if (t->path != path || !t->names)
			continue;
		for (const cJSON *v = constant_first(t->names); v; v = constant_next(t->names, v)) {
			uint64_t hash = hash_of(kinds, v, &cost);
			struct kind *kind = slot_of(kinds, v, hash, &cost);
			if (!kind)
				return false;
			kind->hash = hash;
			kind->value = kind->value ? kind->value : v;
			if (counting)
				kind->branches.len++;
			else
				branches_push(&kind->branches, t->branch);
		}
	}
	return true;
}

/* Finds the branches that list values and those that require the property. */
static void
sort_branches(struct kind_search *s, struct kinds *kinds, size_t path, size_t count)
{
	enum { LISTS = 1, REQUIRES = 2 };
	uint8_t *flags = pool_alloc(s->pool, count);

	for (size_t i = 0; i < s->traits.len; i++) {
		const struct trait *t = &s->traits.items[i];
		if (t->path == path)
			flags[t->branch] |=
			    (uint8_t)((t->names ? LISTS : 0) | (t->required ? REQUIRES : 0));
	}
	kinds->missing.items = pool_alloc(s->pool, count * sizeof(uint32_t));
	kinds->others.items = pool_alloc(s->pool, count * sizeof(uint32_t));
	for (uint32_t i = 0; i < count; i++) {
		if (!(flags[i] & LISTS))
			branches_push(&kinds->others, i);
		if (!(flags[i] & REQUIRES))
			branches_push(&kinds->missing, i);
	}
}

static const struct kinds *
kinds_build(struct kind_search *s, const struct kind_path *path, size_t count)
{
	size_t number = (size_t)(path - s->paths), values = 0;
	struct kinds *kinds = pool_alloc(s->pool, sizeof(*kinds));

	memcpy(kinds->path, path->names, sizeof(kinds->path));
	kinds->depth = path->depth;
	for (unsigned i = 0; i < path->depth; i++) {
		size_t len = strlen(path->names[i]);
		kinds->keys[i] =
		    (struct json_key){ json_key_hash(path->names[i], len), (uint32_t)len };
	}
	kinds->names = pool_alloc(s->pool, s->traits.len * sizeof(*kinds->names));
	for (size_t i = 0; i < s->traits.len; i++) {
		const struct trait *t = &s->traits.items[i];
		if (t->path != number || !t->names)
			continue;
		kinds->names[kinds->name_count++] = t->names;
		values += t->names->kind == RULE_CONST ? 1 : json_count(t->names->value);
	}
	sort_branches(s, kinds, number, count);
	/* the list of each value also includes `others` */
	if (kinds->others.len * values > 8 * (count + values))
		return NULL;
	kinds->mask = 7;
	while (kinds->mask < values * 2)
		kinds->mask = kinds->mask * 2 + 1;
	kinds->slots = pool_alloc(s->pool, (kinds->mask + 1) * sizeof(*kinds->slots));
	if (!fill_slots(s, kinds, number, true))
		return NULL;
	for (size_t i = 0; i <= kinds->mask; i++) {
		struct branches *b = &kinds->slots[i].branches;
		b->items = b->len ? pool_alloc(s->pool, b->len * sizeof(*b->items)) : NULL;
		b->len = 0;
	}
	fill_slots(s, kinds, number, false);
	for (size_t i = 0; i <= kinds->mask; i++)
		if (kinds->slots[i].value && kinds->others.len > 0)
			kinds->slots[i].branches =
			    branches_merge(s->pool, &kinds->slots[i].branches, &kinds->others);
	return kinds;
}

static const struct kinds *
kinds_create(
    struct pool **pool, const struct node *holder, const struct node_list *list, size_t *work)
{
	struct kind_search s = { .pool = pool, .work = work };
	const char *names[KINDS_DEPTH];
	const struct kinds *kinds = NULL;
	size_t objects = 0;

	for (size_t i = 0; i < list->len; i++)
		objects += (list->items[i]->accepts & TYPE_OBJECT) != 0;
	if (objects < 2)
		return NULL;
	s.preferred = json_get_string(json_get(holder->source, "discriminator"), "propertyName");
	for (; *work > 0 && s.branch < list->len; s.branch++) {
		s.looks = *work < BRANCH_LOOKS ? (unsigned)*work : BRANCH_LOOKS;
		*work -= s.looks;
		collect_traits(&s, list->items[s.branch], names, 0, true, MAX_HOPS);
		*work += s.looks;
	}
	const struct kind_path *path = choose_path(&s);
	if (path)
		kinds = kinds_build(&s, path, list->len);
	free(s.traits.items);
	return kinds;
}

/* ---- lookup ---- */

const struct branches *
kinds_branches(const struct kinds *kinds, const cJSON *object, size_t *cost)
{
	const cJSON *value = object; /* the property */

	*cost += json_count(object) / 4;
	for (unsigned i = 0; i < kinds->depth; i++) {
		if (type_of(value) != TYPE_OBJECT)
			return NULL;
		const struct json_key key = kinds->keys[i];
		for (value = value->child; value; value = value->next) {
			const struct json_key own = json_key_of(value);
			if (own.hash == key.hash && own.len == key.len &&
			    json_key_is(value->string, kinds->path[i], key.len))
				break;
		}
		if (!value)
			return &kinds->missing;
	}
	if (!is_leaf(value))
		return &kinds->others;
	const struct kind *kind = slot_of(kinds, value, hash_of(kinds, value, cost), cost);
	return kind && kind->value ? &kind->branches : &kinds->others;
}

/* ---- required names ---- */

/*
 * Distinguishes the branches of an anyOf or oneOf by the names they require, if kinds cannot: a
 * branch can only match an object that has its rarest one.
 */
struct presence {
	struct object_rules names;
	struct branches *branches; /* for each name; empty if it is the rarest of none */
	struct branches others;    /* those that require no name */
};

#define REQUIRED_HOPS 8
#define FEW 2             /* branches that are tried without a table */
#define REQUIRED_LOOKS 64 /* nodes and names to look_for_names at in a branch */

/* A branch requires a name. */
struct requirement {
	uint32_t branch, name;
};

struct presence_search {
	struct pool **pool;
	struct presence *presence;
	struct {
		struct requirement *items;
		size_t len, cap;
	} needs; /* in the order of the branches */
	uint32_t branch;
	unsigned looks;
};

static void
look_for_names(struct presence_search *s, const struct node *node, unsigned hops)
{
	node = node_meant(node);
	if (s->looks == 0 || hops == 0)
		return;
	s->looks--;
	for (size_t i = 0; i < node->rule_count; i++) {
		const struct node *sub;
		for (size_t j = 0; (sub = rule_always(&node->rules[i], j)); j++)
			look_for_names(s, sub, hops - 1);
	}
	for (size_t i = 0; node->object && i < node->object->count && s->looks > 0; i++) {
		const struct known_member *m = &node->object->members[i];
		s->looks--;
		if (!m->required)
			continue;
		struct object_rules *names = &s->presence->names;
		*VEC_PUSH(&s->needs) = (struct requirement){ s->branch,
			(uint32_t)(object_add(s->pool, names, m->name) - names->members) };
	}
}

/* Gives each branch to the name it requires that the fewest require. Returns false if that does
 * not help. */
static bool
presence_fill(struct presence_search *s, const struct node_list *list)
{
	struct presence *p = s->presence;
	size_t *wanted = pool_alloc(s->pool, p->names.count * sizeof(*wanted)), at = 0, used = 0;

	for (size_t i = 0; i < s->needs.len; i++)
		wanted[s->needs.items[i].name]++;
	p->branches = pool_alloc(s->pool, p->names.count * sizeof(*p->branches));
	p->others.items = pool_alloc(s->pool, list->len * sizeof(*p->others.items));
	for (uint32_t branch = 0; branch < list->len; branch++) {
		const struct requirement *rarest = NULL;
		if (!(node_meant(list->items[branch])->accepts & TYPE_OBJECT))
			continue;
		for (; at < s->needs.len && s->needs.items[at].branch == branch; at++)
			if (!rarest || wanted[s->needs.items[at].name] < wanted[rarest->name])
				rarest = &s->needs.items[at];
		struct branches *to = rarest ? &p->branches[rarest->name] : &p->others;
		if (!to->items)
			to->items = pool_alloc(s->pool, wanted[rarest->name] * sizeof(*to->items));
		used += rarest && to->len == 0;
		branches_push(to, branch);
	}
	/* the list of each name also includes `others` */
	if (used < list->len / 2 || p->others.len * used > 8 * list->len)
		return false;
	for (size_t i = 0; i < p->names.count; i++)
		if (p->branches[i].len > 0 && p->others.len > 0)
			p->branches[i] = branches_merge(s->pool, &p->branches[i], &p->others);
	return true;
}

/* NULL if it would not help. */
static const struct presence *
presence_create(struct pool **pool, const struct node_list *list, size_t *work)
{
	struct presence_search s = { .pool = pool };

	if (list->len <= FEW)
		return NULL;
	s.presence = pool_alloc(pool, sizeof(*s.presence));
	object_rules_init(&s.presence->names);
	for (; s.branch<list->len && * work> 0; s.branch++) {
		s.looks = *work < REQUIRED_LOOKS ? (unsigned)*work : REQUIRED_LOOKS;
		*work -= s.looks;
		if (node_meant(list->items[s.branch])->accepts & TYPE_OBJECT)
			look_for_names(&s, list->items[s.branch], REQUIRED_HOPS);
		*work += s.looks;
	}
	bool helps = *work > 0 && s.needs.len > 0 && presence_fill(&s, list);
	free(s.needs.items);
	return helps ? s.presence : NULL;
}

void
branches_distinguish(
    struct pool **pool, const struct node *holder, struct node_list *list, size_t *work)
{
	list->kinds = kinds_create(pool, holder, list, work);
	if (!list->kinds)
		list->presence = presence_create(pool, list, work);
}

const struct branches *
branches_among(struct checker *c, const struct node_list *list, const cJSON *object)
{
	const struct presence *presence = list->presence;
	const struct branches *found = NULL;

	if (!list->kinds && !presence)
		return NULL;
	c->steps++;
	if (!presence) {
		size_t cost = 0;
		found = kinds_branches(list->kinds, object, &cost);
		check_charge(c, cost / 8);
		return found;
	}
	check_charge(c, json_count(object) / 8);
	for (const cJSON *child = object->child; child; child = child->next) {
		const struct known_member *m = object_member(&presence->names, child);
		const struct branches *own =
		    m ? &presence->branches[m - presence->names.members] : NULL;
		if (!own || own->len == 0 || own == found)
			continue;
		if (found)
			return NULL;
		found = own;
	}
	return found ? found : &presence->others;
}
