#ifndef JSON_HASH_PRIV_H
#define JSON_HASH_PRIV_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t
hash_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b) * 0x9e3779b97f4a7c15;

	h = (h ^ h >> 32) * 0xd6e8feb86659fd93;
	return h ^ h >> 29;
}

/* The bytes that are left after whole words, fewer than eight, without reading past them. */
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
