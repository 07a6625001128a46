#include "schema/check/check.h"

#include "base/vec.h"

#include <stdlib.h>

#define MAX_HOPS 8
#define FEW 2           /* branches that are tried without a table */
#define BRANCH_LOOKS 64 /* nodes and names to look at in a branch */

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

static bool
accepts_objects(const struct node *node)
{
	return (node_meant(node)->accepts & TYPE_OBJECT) != 0;
}

static void
look(struct presence_search *s, const struct node *node, unsigned hops)
{
	node = node_meant(node);
	if (s->looks == 0 || hops == 0)
		return;
	s->looks--;
	for (size_t i = 0; i < node->rule_count; i++) {
		const struct node *sub;
		for (size_t j = 0; (sub = rule_always(&node->rules[i], j)); j++)
			look(s, sub, hops - 1);
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

/* Gives each branch to the name it requires that the fewest require; returns how many names that
 * are. */
static size_t
share_out(struct presence_search *s, const struct node_list *list)
{
	struct presence *p = s->presence;
	size_t *wanted = pool_alloc(s->pool, p->names.count * sizeof(*wanted)), at = 0, used = 0;

	for (size_t i = 0; i < s->needs.len; i++)
		wanted[s->needs.items[i].name]++;
	p->branches = pool_alloc(s->pool, p->names.count * sizeof(*p->branches));
	p->others.items = pool_alloc(s->pool, list->len * sizeof(*p->others.items));
	for (uint32_t branch = 0; branch < list->len; branch++) {
		const struct requirement *rarest = NULL;
		if (!accepts_objects(list->items[branch]))
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
	return used;
}

static bool
build(struct presence_search *s, const struct node_list *list)
{
	struct presence *p = s->presence;
	size_t used = share_out(s, list);

	/* the list of each name also includes `others` */
	if (used < list->len / 2 || p->others.len * used > 8 * list->len)
		return false;
	for (size_t i = 0; i < p->names.count; i++)
		if (p->branches[i].len > 0 && p->others.len > 0)
			p->branches[i] = branches_merge(s->pool, &p->branches[i], &p->others);
	return true;
}

const struct presence *
presence_create(struct pool **pool, const struct node_list *list, size_t *work)
{
	struct presence_search s = { .pool = pool };
	bool helps = list->len > FEW;

	if (!helps)
		return NULL;
	s.presence = pool_alloc(pool, sizeof(*s.presence));
	object_rules_init(&s.presence->names);
	for (; s.branch<list->len && * work> 0; s.branch++) {
		s.looks = *work < BRANCH_LOOKS ? (unsigned)*work : BRANCH_LOOKS;
		*work -= s.looks;
		if (accepts_objects(list->items[s.branch]))
			look(&s, list->items[s.branch], MAX_HOPS);
		*work += s.looks;
	}
	helps = *work > 0 && s.needs.len > 0 && build(&s, list);
	free(s.needs.items);
	return helps ? s.presence : NULL;
}

const struct branches *
presence_branches(const struct presence *presence, const cJSON *object)
{
	const struct branches *found = NULL;

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
