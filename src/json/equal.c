#include "json/equal.h"

#include "base/vec.h"
#include "hash_priv.h"
#include "json/number.h"
#include "json/rows.h"
#include "json/keys.h"

#include <stdlib.h>
#include <string.h>

/* Work that is left: two values, or all the items from these two on. */
struct pair {
	const cJSON *a, *b;
	bool siblings;
};

struct pairs {
	struct pair *items;
	size_t len, cap;
	size_t cost;
};

/* Texts that begin alike may be long. */
static bool
equal_texts(struct pairs *work, const char *a, const char *b)
{
	if (a == b)
		return true;
	if (a[0] != b[0])
		return false;
	size_t len = strlen(a);
	work->cost += len / 16;
	return strncmp(a, b, len + 1) == 0;
}

static size_t
count_distinct(const cJSON *object, const struct json_keys *keys)
{
	size_t count = 0;

	if (json_keys_are_distinct(object))
		return (size_t)object->valueint;
	for (const cJSON *member = object->child; member; member = member->next)
		count += json_keys_find(keys, member->string) == member;
	return count;
}

/* Two objects of as many different keys: are they the same in the same order, as in rows? */
static bool
push_parallel(struct pairs *work, const cJSON *a, const cJSON *b)
{
	const cJSON *x = a->child, *y = b->child;
	for (; x && y; x = x->next, y = y->next)
		if (!equal_texts(work, x->string, y->string))
			return false;
	*VEC_PUSH(work) = (struct pair){ a->child, b->child, true };
	return true;
}

/* False: the objects have different keys. */
static bool
push_members(struct pairs *work, const cJSON *a, const cJSON *b)
{
	bool distinct = json_keys_are_distinct(a) && json_keys_are_distinct(b);

	if (distinct && a->valueint != b->valueint)
		return false;
	if (distinct && push_parallel(work, a, b))
		return true;
	struct json_keys in_a, in_b;
	work->cost += 4 * (json_count(a) + json_count(b));
	json_keys_init(&in_a, a);
	json_keys_init(&in_b, b);
	bool same = count_distinct(a, &in_a) == count_distinct(b, &in_b);
	for (const cJSON *member = a->child; same && member; member = member->next) {
		if (!json_keys_are_distinct(a) && json_keys_find(&in_a, member->string) != member)
			continue;
		const cJSON *other = json_keys_find(&in_b, member->string);
		same = other != NULL;
		if (other)
			*VEC_PUSH(work) = (struct pair){ member, other, false };
	}
	json_keys_finish(&in_a);
	json_keys_finish(&in_b);
	return same;
}

/* At least one of two arrays of as many items is lazy. What is in their items is not, so this goes
 * no deeper than one level. */
static bool
equal_items(struct pairs *work, const cJSON *a, const cJSON *b)
{
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

/* False: they differ. Containers: their content is left to do. */
static bool
compare_one(struct pairs *work, const cJSON *a, const cJSON *b)
{
	enum json_type type = json_type(a);

	work->cost += 2;
	if (type != json_type(b))
		return false;
	switch (type) {
	case JSON_BOOLEAN:
		return json_is_true(a) == json_is_true(b);
	case JSON_NUMBER:
		if (a->valuestring)
			work->cost += strlen(a->valuestring) / 16;
		return json_number_compare(a, b) == 0;
	case JSON_STRING:
		return equal_texts(work, a->valuestring, b->valuestring);
	case JSON_ARRAY:
		if (json_count(a) != json_count(b))
			return false;
		if (json_is_lazy(a) || json_is_lazy(b))
			return equal_items(work, a, b);
		if (a->child)
			*VEC_PUSH(work) = (struct pair){ a->child, b->child, true };
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
	struct pairs work = { 0 };
	bool same = a == b || compare_one(&work, a, b);

	while (same && work.len > 0) {
		struct pair pair = work.items[--work.len];
		if (pair.siblings && pair.a->next)
			*VEC_PUSH(&work) = (struct pair){ pair.a->next, pair.b->next, true };
		same = pair.a == pair.b || compare_one(&work, pair.a, pair.b);
	}
	free(work.items);
	*cost += work.cost;
	return same;
}
