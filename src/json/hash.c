#include "json/equal.h"

#include "base/vec.h"
#include "hash_priv.h"
#include "json/number.h"
#include "json/rows.h"
#include "json/keys.h"

#include <stdlib.h>
#include <string.h>

/* A container that is being hashed: what its children up to now came to. */
struct open_hash {
	const cJSON *container, *child;
	struct json_keys keys; /* of an object that may have duplicates */
	uint64_t sum;
};

struct open_hashes {
	struct open_hash *items;
	size_t len, cap;
};

static uint64_t
hash_text(uint64_t seed, const char *text, size_t *cost)
{
	size_t len = strlen(text);

	*cost += 1 + len / 16;
	return hash_bytes(seed, text, len);
}

static uint64_t
hash_leaf(const cJSON *node, enum json_type type, size_t *cost)
{
	*cost += 2;
	switch (type) {
	case JSON_BOOLEAN:
		return hash_mix(type, json_is_true(node));
	case JSON_NUMBER:
		if (node->valuestring)
			*cost += strlen(node->valuestring) / 16;
		return json_number_hash(node);
	case JSON_STRING:
		return hash_text(type, node->valuestring, cost);
	default:
		return hash_mix(type, 0);
	}
}

/* Content that is nothing but leaves, as that of most rows, needs no memory. */
static bool
hash_flat(const cJSON *container, enum json_type type, uint64_t *hash, size_t *cost)
{
	uint64_t sum = type;

	if (type == JSON_OBJECT && !json_keys_are_distinct(container))
		return false;
	for (const cJSON *child = container->child; child; child = child->next) {
		enum json_type child_type = json_type(child);
		if (json_is_lazy(child) ||
		    (child->child && (child_type == JSON_ARRAY || child_type == JSON_OBJECT)))
			return false;
		uint64_t leaf = hash_leaf(child, child_type, cost);
		if (type == JSON_ARRAY)
			sum = hash_mix(sum, leaf);
		else
			sum += hash_text(leaf, child->string, cost);
	}
	*cost += json_count(container);
	*hash = hash_mix(sum, type);
	return true;
}

static void
open_node(struct open_hashes *open, const cJSON *container)
{
	struct open_hash *top = VEC_PUSH(open);
	bool object = json_type(container) == JSON_OBJECT;

	*top = (struct open_hash){ .container = container, .child = container->child };
	top->sum = json_type(container);
	if (object && !json_keys_are_distinct(container))
		json_keys_init(&top->keys, container);
}

/* Members add up in any order, items in theirs alone. A key that was there before does not count.
 */
static void
add_child(struct open_hash *top, uint64_t hash, size_t *cost)
{
	const cJSON *child = top->child;

	top->child = child->next;
	*cost += 2;
	if (json_type(top->container) == JSON_ARRAY)
		top->sum = hash_mix(top->sum, hash);
	else if (!top->keys.object || json_keys_find(&top->keys, child->string) == child)
		top->sum += hash_text(hash, child->string, cost);
}

static uint64_t
hash_lazy(const cJSON *array, size_t *cost)
{
	uint64_t sum = JSON_ARRAY;
	struct json_items it;

	for (json_items_init(&it, array, NULL); it.item; json_items_next(&it))
		sum = hash_mix(sum, json_hash_counted(it.item, cost));
	json_items_finish(&it);
	return hash_mix(sum, JSON_ARRAY);
}

uint64_t
json_hash(const cJSON *node)
{
	size_t cost = 0;

	return json_hash_counted(node, &cost);
}

uint64_t
json_hash_counted(const cJSON *node, size_t *cost)
{
	struct open_hashes open = { 0 };
	uint64_t hash;

	for (;;) {
		enum json_type type = json_type(node);
		if (json_is_lazy(node)) {
			hash = hash_lazy(node, cost);
		} else if (!json_first(node)) {
			hash = hash_leaf(node, type, cost);
		} else if (!hash_flat(node, type, &hash, cost)) {
			open_node(&open, node);
			node = node->child;
			continue;
		}
		while (open.len > 0) {
			struct open_hash *top = &open.items[open.len - 1];
			add_child(top, hash, cost);
			if (top->child)
				break;
			hash = hash_mix(top->sum, json_type(top->container));
			json_keys_finish(&top->keys);
			open.len--;
		}
		if (open.len == 0)
			break;
		node = open.items[open.len - 1].child;
	}
	free(open.items);
	return hash;
}
