#include "arena_priv.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

enum {
	LINE = 64, /* a node is a cache line */
	FIRST_BLOCK = 2048,
	LAST_BLOCK = 1024 * 1024,
};
static_assert(LINE % sizeof(cJSON) == 0, "blocks hold whole nodes");

struct arena_block {
	struct arena_block *next;
};

void
arena_finish(struct arena *arena)
{
	for (struct arena_block *next, *block = arena->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	*arena = (struct arena){ 0 };
}

void
arena_refill(struct arena *arena, struct arena_pool *pool, size_t len)
{
	size_t grown = pool->block_len ? pool->block_len * 2 : FIRST_BLOCK;

	pool->block_len = grown < LAST_BLOCK ? grown : LAST_BLOCK;
	if (len < pool->block_len)
		len = pool->block_len;
	struct arena_block *block = mem_alloc(sizeof(*block) + LINE + len);
	block->next = arena->blocks;
	arena->blocks = block;
	arena->held += sizeof(*block) + LINE + len;
	uintptr_t start = ((uintptr_t)(block + 1) + LINE - 1) / LINE * LINE;
	pool->at = (char *)start;
	pool->end = pool->at + len;
}
