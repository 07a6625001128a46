/* SPDX-License-Identifier: MIT */
#include "json/equal.h"

#include "arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "json/keys.h"
#include "json/number.h"
#include "json/rows.h"

#include <stdlib.h>
#include <string.h>

/* Work that is left: two values, or all the items from these two on. */
struct node_pair {
	const cJSON *a, *b;
	bool siblings;
};

struct node_pairs {
	struct node_pair *items;
	size_t len, cap;
	size_t cost;
};

/* Texts that begin alike may be long. */
static bool
equal_texts(struct node_pairs *work, const char *a, const char *b)
{
	if (a == b)
		return true;
	if (a[0] != b[0])
		return false;
	size_t len = strlen(a);
	work->cost += len / 16;
	return strncmp(a, b, len + 1) == 0;
}

/* Did the parser find no key twice? Nothing is known of a tree that libcjson made: false. */
static bool
has_distinct_keys(const cJSON *object)
{
	const struct json_node *more = json_node_of(object);

	return more && more->children.distinct == more->children.count;
}

static size_t
count_distinct(const cJSON *object, const struct json_keys *keys)
{
	size_t count = 0;

	if (has_distinct_keys(object))
		return json_count(object);
	for (const cJSON *member = object->child; member; member = member->next)
		count += json_keys_find(keys, member->string) == member;
	return count;
}

/* False: the objects have different keys. */
static bool
push_members(struct node_pairs *work, const cJSON *a, const cJSON *b)
{
	bool distinct = has_distinct_keys(a) && has_distinct_keys(b);

	if (distinct && json_count(a) != json_count(b))
		return false;
	/* The same keys in the same order, as in rows, need no look-ups. */
	const cJSON *x = a->child, *y = b->child;
	for (; distinct && x && y && equal_texts(work, x->string, y->string); x = x->next)
		y = y->next;
	if (distinct && !x) {
		*VEC_PUSH(work) = (struct node_pair){ a->child, b->child, true };
		return true;
	}
	struct json_keys in_a, in_b;
	work->cost += 4 * (json_count(a) + json_count(b));
	json_keys_init(&in_a, a);
	json_keys_init(&in_b, b);
	bool same = count_distinct(a, &in_a) == count_distinct(b, &in_b);
	for (const cJSON *member = a->child; same && member; member = member->next) {
		if (!has_distinct_keys(a) && json_keys_find(&in_a, member->string) != member)
			continue;
		const cJSON *other = json_keys_find(&in_b, member->string);
		same = other != NULL;
		if (other)
			*VEC_PUSH(work) = (struct node_pair){ member, other, false };
	}
	json_keys_finish(&in_a);
	json_keys_finish(&in_b);
	return same;
}

/* False: they differ. Containers: their content is left to do. */
static bool
compare_one(struct node_pairs *work, const cJSON *a, const cJSON *b)
{
	enum json_type type = json_type(a);

	work->cost += 2;
	if (type != json_type(b))
		return false;
	switch (type) {
	case JSON_BOOLEAN:
		return cJSON_IsTrue(a) == cJSON_IsTrue(b);
	case JSON_NUMBER:
		if (!json_number_is_double(a))
			work->cost += strlen(json_number_written(a)) / 16;
		return json_number_compare(a, b) == 0;
	case JSON_STRING:
		return equal_texts(work, a->valuestring, b->valuestring);
	case JSON_ARRAY:
		if (json_count(a) != json_count(b))
			return false;
		if (json_is_lazy(a) || json_is_lazy(b)) {
			/* Arrays in their items are not lazy, so this never recurses. */
			struct json_items x, y;
			bool same = true;
			json_items_init(&x, a, NULL);
			json_items_init(&y, b, NULL);
			for (; same && x.item && y.item; json_items_next(&x), json_items_next(&y))
				same = json_equal_counted(x.item, y.item, &work->cost);
			json_items_finish(&x);
			json_items_finish(&y);
			return same;
		}
		if (a->child)
			*VEC_PUSH(work) = (struct node_pair){ a->child, b->child, true };
		return true;
	case JSON_OBJECT:
		return (!a->child && !b->child) || push_members(work, a, b);
	default:
		return true;
	}
}

bool
json_equal(const cJSON *a, const cJSON *b)
{
	size_t cost = 0;

	return json_equal_counted(a, b, &cost);
}

bool
json_equal_counted(const cJSON *a, const cJSON *b, size_t *cost)
{
	struct node_pairs work = { 0 };
	bool same = a == b || compare_one(&work, a, b);

	if (work.len == 0) {
		*cost += work.cost;
		return same;
	}
	while (same && work.len > 0) {
		struct node_pair pair = work.items[--work.len];
		if (pair.siblings && pair.a->next)
			*VEC_PUSH(&work) = (struct node_pair){ pair.a->next, pair.b->next, true };
		same = pair.a == pair.b || compare_one(&work, pair.a, pair.b);
	}
	free(work.items);
	*cost += work.cost;
	return same;
}

/* A container that is being hashed, with the hash of its children so far. */
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
		return hash_mix(type, cJSON_IsTrue(node));
	case JSON_NUMBER:
		if (!json_number_is_double(node))
			*cost += strlen(json_number_written(node)) / 16;
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

	if (type == JSON_OBJECT && !has_distinct_keys(container))
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
			struct json_items it;
			hash = JSON_ARRAY;
			for (json_items_init(&it, node, NULL); it.item; json_items_next(&it))
				hash = hash_mix(hash, json_hash_counted(it.item, cost));
			json_items_finish(&it);
			hash = hash_mix(hash, JSON_ARRAY);
		} else if (!json_first(node)) {
			hash = hash_leaf(node, type, cost);
		} else if (!hash_flat(node, type, &hash, cost)) {
			struct open_hash *top = VEC_PUSH(&open);
			*top = (struct open_hash){
				.container = node, .child = node->child, .sum = type
			};
			if (type == JSON_OBJECT && !has_distinct_keys(node))
				json_keys_init(&top->keys, node);
			node = node->child;
			continue;
		}
		while (open.len > 0) {
			struct open_hash *top = &open.items[open.len - 1];
			const cJSON *child = top->child;
			top->child = child->next;
			*cost += 2;
			/* The sum over members does not depend on their order, the hash of items
			 * does. The last of several members with the same key counts. */
			if (cJSON_IsArray(top->container))
				top->sum = hash_mix(top->sum, hash);
			else if (!top->keys.object ||
				 json_keys_find(&top->keys, child->string) == child)
				top->sum += hash_text(hash, child->string, cost);
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
