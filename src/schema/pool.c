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
