#include "check_priv.h"

#include "items_priv.h"
#include "object_priv.h"

#include "base/mem.h"

#include <stdatomic.h>
#include <string.h>

#define MANY_ROWS 8

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

/* Objects of one kind have their keys in the same order, and equal keys of one document are mostly
 * the same pointer. What is kept between checks is a guess that any thread may better. */
static inline const struct member *
next_member(struct checker *c, const struct object_rules *rules, const char *name, size_t *last)
{
	const char **keys = c->keys ? c->keys + rules->first_key : NULL;
	size_t guess = atomic_load_explicit(&rules->following[*last], memory_order_relaxed);
	const struct member *found = guess < rules->count ? &rules->members[guess] : NULL;

	if (found && keys && keys[guess] == name) {
		*last = guess + 1;
		return found;
	}
	if (!found || strcmp(found->name, name) != 0) {
		found = object_find(rules, name);
		if (!found)
			return NULL;
		guess = (size_t)(found - rules->members);
		atomic_store_explicit(
		    &rules->following[*last], (uint32_t)guess, memory_order_relaxed);
	}
	if (keys)
		keys[guess] = name;
	*last = guess + 1;
	return found;
}

const struct member *
member_next(struct checker *c, const struct object_rules *rules, const char *name, size_t *last)
{
	return next_member(c, rules, name, last);
}

bool
members_hold(struct checker *c, const struct object_rules *rules, const cJSON *object)
{
	uint64_t seen = 0;
	size_t last = 0;

	for (const cJSON *child = object->child; child; child = child->next) {
		const struct node *node = rules->additional;
		const struct member *m = next_member(c, rules, child->string, &last);
		if (m) {
			seen |= (uint64_t)1 << (last - 1);
			node = m->node ? m->node : node;
		}
		c->steps++;
		if (node && !holds(c, node, child))
			return false;
	}
	return (seen & rules->required_bits) == rules->required_bits;
}

/* Comparing keys by pointer pays where there are many rows. */
void
expect_rows(struct checker *c, const cJSON *array)
{
	bool rows = json_is_lazy(array) || (array->child && type_of(array->child) == TYPE_OBJECT);

	if (rows && !c->keys && json_count(array) >= MANY_ROWS)
		c->keys = mem_zalloc((c->schema->key_count + 1) * sizeof(*c->keys));
}

static bool
lazy_items_hold(struct checker *c, const struct node *node, const cJSON *array)
{
	struct json_items it;

	for (items_begin(c, &it, array); it.item; items_next(c, &it)) {
		c->steps++;
		if (!holds(c, node, it.item))
			break;
	}
	return !it.item; /* the reader is the report's */
}

bool
items_hold(struct checker *c, const struct node *node, const cJSON *array)
{
	expect_rows(c, array);
	if (json_is_lazy(array))
		return lazy_items_hold(c, node, array);
	for (const cJSON *item = array->child; item; item = item->next) {
		c->steps++;
		if (!holds(c, node, item))
			return false;
	}
	return true;
}
