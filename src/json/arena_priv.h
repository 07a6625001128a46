#ifndef JSON_ARENA_PRIV_H
#define JSON_ARENA_PRIV_H

#include "json/doc.h"

/*
 * The memory of one document: nodes, each in a cache line of its own, and bytes,
 * packed. Nothing is released before all of it is.
 */
struct arena_pool {
	char *at, *end;
};

struct arena_block;

struct arena {
	struct arena_block *blocks;
	size_t held; /* bytes asked of the heap; the larger, the larger the next block */
	struct arena_pool nodes, bytes;
};

void arena_finish(struct arena *arena);
void arena_rewind(struct arena *arena); /* what is in it is forgotten */
/* A fresh block that holds at least len bytes. What was left of the old one is given up. */
void arena_refill(struct arena *arena, struct arena_pool *pool, size_t len);

static inline cJSON *
arena_node(struct arena *arena)
{
	if (arena->nodes.at == arena->nodes.end)
		arena_refill(arena, &arena->nodes, sizeof(cJSON));
	cJSON *node = (cJSON *)arena->nodes.at;
	arena->nodes.at += sizeof(cJSON);
	return node;
}

static inline char *
arena_bytes(struct arena *arena, size_t len)
{
	if ((size_t)(arena->bytes.end - arena->bytes.at) < len)
		arena_refill(arena, &arena->bytes, len);
	char *bytes = arena->bytes.at;
	arena->bytes.at += len;
	return bytes;
}

#endif
