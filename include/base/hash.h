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

/* The seed is the address of what the table belongs to: nobody can prepare names that collide. */
static inline uint64_t
text_hash(const void *seed, const char *text, size_t len)
{
	uint64_t hash = hash_word((uintptr_t)seed, len), word = 0;
	uint32_t low, high;

	if (len >= 8) {
		for (size_t i = 0; i + 8 < len; i += 8) {
			memcpy(&word, text + i, 8);
			hash = hash_word(hash, word);
		}
		memcpy(&word, text + len - 8, 8);
	} else if (len >= 4) {
		memcpy(&low, text, 4);
		memcpy(&high, text + len - 4, 4);
		word = (uint64_t)high << 32 | low;
	} else if (len > 0) {
		word = (uint64_t)(unsigned char)text[0] << 16 |
		       (uint64_t)(unsigned char)text[len / 2] << 8 | (unsigned char)text[len - 1];
	}
	return hash_word(hash_word(hash, word), len);
}

#endif
