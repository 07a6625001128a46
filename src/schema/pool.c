#include "pool_priv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define POOL_BLOCK 8192

struct pool {
	struct pool *next;
	size_t used, size;
	_Alignas(16) char bytes[];
};

void *
pool_alloc(struct pool **pool, size_t size)
{
	struct pool *block = *pool;

	size = (size + 15) & ~(size_t)15;
	if (!block || block->size - block->used < size) {
		size_t room = size > POOL_BLOCK ? size : POOL_BLOCK;
		block = mem_zalloc(sizeof(*block) + room);
		block->size = room;
		block->next = *pool;
		*pool = block;
	}
	void *at = block->bytes + block->used;
	block->used += size;
	return at;
}

char *
pool_text(struct pool **pool, const char *text, size_t len)
{
	char *copy = pool_alloc(pool, len + 1);

	memcpy(copy, text, len);
	return copy;
}

void
pool_destroy(struct pool *pool)
{
	while (pool) {
		struct pool *next = pool->next;
		free(pool);
		pool = next;
	}
}

static uint64_t
mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b) * 0x9e3779b97f4a7c15u;

	return h ^ h >> 32;
}

uint64_t
text_hash(const void *seed, const char *text, size_t len)
{
	uint64_t hash = mix((uintptr_t)seed, len), word = 0;

	for (; len >= sizeof(word); text += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = mix(hash, word);
	}
	word = 0;
	memcpy(&word, text, len);
	return mix(mix(hash, word), 1);
}
