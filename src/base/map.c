/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include "base/mem.h"

#include <stdlib.h>

void
map_finish(struct map *m)
{
	free(m->slots);
	*m = (struct map){ 0 };
}

void
map_clear(struct map *m)
{
	if (m->slots)
		memset(m->slots, 0, m->cap * sizeof(*m->slots));
	m->len = 0;
}

static void
put(struct map *m, uint64_t hash, const void *value)
{
	size_t i = (size_t)hash & (m->cap - 1);

	while (m->slots[i].value)
		i = (i + 1) & (m->cap - 1);
	m->slots[i] = (struct map_slot){ hash, value };
}

static void
grow(struct map *m)
{
	struct map old = *m;
	size_t first = 0; /* a free slot: values with the same hash come in order from there */

	m->cap = old.cap ? old.cap * 2 : 16;
	m->slots = mem_zalloc(m->cap * sizeof(*m->slots));
	while (old.cap && old.slots[first].value)
		first++;
	for (size_t i = 0; i < old.cap; i++) {
		const struct map_slot *slot = &old.slots[(first + i) & (old.cap - 1)];
		if (slot->value)
			put(m, slot->hash, slot->value);
	}
	free(old.slots);
}

void
map_add(struct map *m, uint64_t hash, const void *value)
{
	if (m->len * 2 >= m->cap)
		grow(m);
	put(m, hash, value);
	m->len++;
}
