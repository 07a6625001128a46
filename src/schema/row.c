#include "check_priv.h"

#include "object_priv.h"

#include <string.h>

/* The quick way through rows and lists: nothing is reported, so there are no frames and no facts.
 */

static inline bool
holds(struct checker *c, const struct node *node, const cJSON *value)
{
	if (node->plan <= NODE_TYPE && node->types & type_of(value)) {
		c->steps += node->plan == NODE_TYPE;
		return true;
	}
	return check_node(c, node, value, NULL);
}

/* Rows repeat their keys in the same order, and equal keys are mostly the same pointer. */
static const struct member *
member_of(struct checker *c, const struct object_rules *rules, const char *name, size_t next)
{
	const char **keys = c->keys + rules->first_key;
	const struct member *found = &rules->members[next];

	if (next >= rules->count || strcmp(found->name, name) != 0)
		found = object_find(rules, name);
	if (found)
		keys[found - rules->members] = name;
	return found;
}

bool
members_hold(struct checker *c, const struct object_rules *rules, const cJSON *object)
{
	const char **keys = c->keys + rules->first_key;
	const struct member *m;
	uint64_t seen = 0;
	size_t next = 0;

	for (const cJSON *child = object->child; child; child = child->next) {
		const struct node *node = rules->additional;
		if (next < rules->count && keys[next] == child->string)
			m = &rules->members[next];
		else
			m = rules->count ? member_of(c, rules, child->string, next) : NULL;
		if (m) {
			next = (size_t)(m - rules->members);
			seen |= (uint64_t)1 << next++;
			node = m->node ? m->node : node;
		}
		c->steps++;
		if (node && !holds(c, node, child))
			return false;
	}
	return (seen & rules->required_bits) == rules->required_bits;
}

bool
items_hold(struct checker *c, const struct node *node, const cJSON *array)
{
	for (const cJSON *item = array->child; item; item = item->next) {
		c->steps++;
		if (!holds(c, node, item))
			return false;
	}
	return true;
}
