/* SPDX-License-Identifier: MIT */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Hashes for tables in memory, fast and not for anything that leaves the program. */

static inline uint64_t
hash_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/* The low bits select a slot in a table whose size is a power of two. */
static inline size_t
pointer_hash(const void *p)
{
	return (size_t)(((uint64_t)(uintptr_t)p >> 4) * 0x9e3779b97f4a7c15u >> 24);
}

/* One to seven bytes, without reading past them. */
static inline uint64_t
hash_rest(const char *bytes, size_t len)
{
	uint32_t low, high;

	if (len >= 4) {
		memcpy(&low, bytes, sizeof(low));
		memcpy(&high, bytes + len - 4, sizeof(high));
		return (uint64_t)high << 32 | low;
	}
	return (uint64_t)(unsigned char)bytes[0] << 16 |
	       (uint64_t)(unsigned char)bytes[len / 2] << 8 | (unsigned char)bytes[len - 1];
}

/* The seed is the address of the table's owner, so a server cannot prepare names that collide. */
static inline uint64_t
text_hash(const void *seed, const char *text, size_t len)
{
	uint64_t hash = hash_word((uintptr_t)seed, len), word = 0;

	if (len >= 8) {
		for (size_t i = 0; i + 8 < len; i += 8) {
			memcpy(&word, text + i, 8);
			hash = hash_word(hash, word);
		}
		memcpy(&word, text + len - 8, 8);
	} else if (len > 0) {
		word = hash_rest(text, len);
	}
	return hash_word(hash_word(hash, word), len);
}

/* Slower and better mixed: for values that are compared by their hashes. */
static inline uint64_t
hash_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b) * 0x9e3779b97f4a7c15;

	h = (h ^ h >> 32) * 0xd6e8feb86659fd93;
	return h ^ h >> 29;
}

static inline uint64_t
hash_bytes(uint64_t seed, const char *bytes, size_t len)
{
	uint64_t h = hash_mix(seed, len), word;

	for (; len >= sizeof(word); bytes += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		h = hash_mix(h, word);
	}
	return len > 0 ? hash_mix(h, hash_rest(bytes, len)) : h;
}

/* ---- a table ---- */

/*
 * A hash table of pointers. Zeroed memory is an empty one; map_finish() releases it. It stores
 * hashes, not keys: the key is part of the value, and the caller compares it. Hash untrusted texts
 * with text_hash(), so that a server cannot prepare names that collide. Values are borrowed, never
 * NULL, and cannot be removed one by one.
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
