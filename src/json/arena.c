#include "arena_priv.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

enum {
	LINE = 64, /* a node is a cache line */
	FIRST_BLOCK = 1024,
	LAST_BLOCK = 1024 * 1024,
	HUGE_FROM = 8 * 1024 * 1024, /* what a huge page may leave unused is little then */
};
static_assert(LINE % sizeof(cJSON) == 0, "blocks hold whole nodes");

struct arena_block {
	struct arena_block *next;
	size_t size;
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

/* An eighth more each time wastes little and still takes few blocks. */
static size_t
next_size(const struct arena *arena)
{
	size_t size = arena->held / 8;

	if (arena->held >= HUGE_FROM)
		return MEM_HUGE;
	return size < FIRST_BLOCK ? FIRST_BLOCK : size > LAST_BLOCK ? LAST_BLOCK : size;
}

/* A pool of nodes is used up when its end is met: whole lines, from line to line. */
static void
set_pool(struct arena_pool *pool, struct arena_block *block)
{
	uintptr_t start = ((uintptr_t)(block + 1) + LINE - 1) / LINE * LINE;
	uintptr_t end = ((uintptr_t)block + block->size) / LINE * LINE;

	pool->at = (char *)start;
	pool->end = (char *)end;
}

void
arena_refill(struct arena *arena, struct arena_pool *pool, size_t len)
{
	size_t size = next_size(arena);
	bool huge = size == MEM_HUGE && len <= size - LINE * 2;

	if (size < len + LINE * 2)
		size = len + LINE * 2;
	struct arena_block *block = huge ? mem_alloc_huge(size) : mem_alloc(size);
	*block = (struct arena_block){ arena->blocks, size };
	arena->blocks = block;
	arena->held += size;
	set_pool(pool, block);
}

/* Two blocks, one for each pool, are kept: the next content will be of the same size, mostly. */
void
arena_rewind(struct arena *arena)
{
	struct arena_block *last = arena->blocks, *first = last ? last->next : NULL;

	if (first && first->next) {
		arena_finish(arena);
		return;
	}
	arena->nodes = arena->bytes = (struct arena_pool){ 0 };
	if (last)
		set_pool(&arena->nodes, last);
	if (first)
		set_pool(&arena->bytes, first);
}
