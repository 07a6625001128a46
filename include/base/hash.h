#ifndef BASE_HASH_H
#define BASE_HASH_H

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

/* For a table whose size is a power of two: the low bits count. */
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

/* The seed is the address of the table's owner, so nobody can prepare names that collide. */
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

#endif
