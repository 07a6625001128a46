#include "value_set_priv.h"

#include "json/equal.h"

#define MAX_PROBES 64

struct value_set {
	size_t mask;
	const cJSON *slots[];
};

struct value_set *
value_set_create(struct pool **pool, size_t count)
{
	size_t mask = 15;

	while (mask < count * 2)
		mask = mask * 2 + 1;
	struct value_set *set = pool_alloc(pool, sizeof(*set) + (mask + 1) * sizeof(*set->slots));
	set->mask = mask;
	return set;
}

/* Where value is or would go; past MAX_PROBES it is as good as lost. */
static size_t
slot_of(const struct value_set *set, const cJSON *value, size_t *probes, size_t *cost)
{
	size_t i = (size_t)json_hash_counted(value, cost) & set->mask;

	for (*probes = 0; set->slots[i] && *probes < MAX_PROBES; ++*probes) {
		if (json_equal_counted(set->slots[i], value, cost))
			break;
		i = (i + 1) & set->mask;
	}
	return i;
}

enum value_added
value_set_add(struct value_set *set, const cJSON *value)
{
	size_t probes, cost = 0;
	size_t i = slot_of(set, value, &probes, &cost);

	if (probes == MAX_PROBES)
		return VALUE_LOST;
	if (set->slots[i])
		return VALUE_KNOWN;
	set->slots[i] = value;
	return VALUE_NEW;
}

bool
value_set_has(const struct value_set *set, const cJSON *value, size_t *cost)
{
	size_t probes;
	size_t i = slot_of(set, value, &probes, cost);

	return set->slots[i] && probes < MAX_PROBES;
}
