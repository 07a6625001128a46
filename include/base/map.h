#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/hash.h"

/*
 * A hash table of pointers, zeroed to start with and released by map_finish(). It knows hashes, not
 * keys: the key stays in the value, and the caller compares it. Hash texts from outside by
 * text_hash(), so that nobody can prepare names that collide. Values are borrowed, and never NULL;
 * single ones cannot be removed.
 */
struct map {
	struct map_slot {
		uint64_t hash;
		const void *value; /* NULL: a free slot */
	} * slots;
	size_t cap, len; /* cap: 0, or a power of two */
};

void map_finish(struct map *m);
void map_clear(struct map *m); /* empties, keeps the memory */
/* Does not replace a value with the same key: look first. */
void map_add(struct map *m, uint64_t hash, const void *value);

/* The values with this hash, in the order they were added. Start with *at = 0; NULL after the last
 * one. */
static inline void *
map_next(const struct map *m, uint64_t hash, size_t *at)
{
	while (m->cap > 0) {
		const struct map_slot *slot = &m->slots[((size_t)hash + (*at)++) & (m->cap - 1)];
		if (!slot->value || slot->hash == hash)
			return (void *)slot->value;
	}
	return NULL;
}

/* All values, in no order; likewise. */
static inline void *
map_step(const struct map *m, size_t *at)
{
	while (*at < m->cap && !m->slots[*at].value)
		++*at;
	return *at < m->cap ? (void *)m->slots[(*at)++].value : NULL;
}

/* MAP_EACH(&map, hash, value) if (has the key) return value; */
#define MAP_EACH(m, hash, value) \
	for (size_t map_at = 0; ((value) = map_next((m), (hash), &map_at)) != NULL;)
#define MAP_ALL(m, value) for (size_t map_at = 0; ((value) = map_step((m), &map_at)) != NULL;)

#endif
