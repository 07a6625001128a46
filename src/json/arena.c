/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include "base/mem.h"
#include "base/vec.h"

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE = 64, /* of the cache */
	FIRST_BLOCK = 1024,
	LAST_BLOCK = 1024 * 1024,
	HUGE_FROM = 8 * 1024 * 1024, /* the unused end of a huge page is little then */
	/* A small arena keeps bytes next to their nodes, so that both are in few pages. */
	SMALL = 64 * 1024,
	CHUNK = 4 * LINE,
};
static_assert(sizeof(struct interned) <= sizeof(cJSON), "an entry takes the place of a node");

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

/* Whole lines, from line to line. */
static void
set_pool(struct arena_pool *pool, struct arena_block *block)
{
	uintptr_t start = ((uintptr_t)(block + 1) + LINE - 1) / LINE * LINE;
	uintptr_t end = ((uintptr_t)block + block->size) / LINE * LINE;

	pool->at = (char *)start;
	pool->end = (char *)end;
}

/* An eighth more each time wastes little and still takes few blocks. */
static void
new_block(struct arena *arena, struct arena_pool *pool, size_t len)
{
	size_t size = arena->held / 8;

	size = arena->held >= HUGE_FROM ? MEM_HUGE
	       : size < FIRST_BLOCK     ? FIRST_BLOCK
	       : size > LAST_BLOCK      ? LAST_BLOCK
					: size;
	bool huge = size == MEM_HUGE && len <= size - LINE * 2;

	if (size < len + LINE * 2)
		size = len + LINE * 2;
	struct arena_block *block = huge ? mem_alloc_huge(size) : mem_alloc(size);
	*block = (struct arena_block){ arena->blocks, size };
	arena->blocks = block;
	arena->held += size;
	set_pool(pool, block);
}

void
arena_refill(struct arena *arena, struct arena_pool *pool, size_t len)
{
	struct arena_pool *nodes = &arena->nodes;

	if (pool == nodes || arena->held >= SMALL || len > CHUNK) {
		new_block(arena, pool, len);
		return;
	}
	if (nodes->end - nodes->at < CHUNK)
		new_block(arena, nodes, CHUNK);
	*pool = (struct arena_pool){ nodes->at, nodes->at + CHUNK };
	nodes->at += CHUNK;
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

void
intern_init(struct intern *in, struct arena *arena)
{
	*in = (struct intern){ .arena = arena };
}

void
intern_finish(struct intern *in)
{
	map_finish(&in->keys);
	arena_finish(&in->entries);
	free(in->undo.items);
	*in = (struct intern){ 0 };
}

char *
arena_key(struct arena *arena, const char *text, struct json_key key)
{
	size_t align = alignof(uint64_t), len = key.len, bytes = json_key_bytes(len);
	uintptr_t room = (uintptr_t)arena_bytes(arena, sizeof(key) + bytes + align - 1);
	char *at = (char *)((room + align - 1) / align * align);

	memcpy(at, &key, sizeof(key));
	memcpy(at + sizeof(key), text, len);
	memset(at + sizeof(key) + len, 0, bytes - len);
	arena->bytes.at = at + sizeof(key) + bytes;
	return at + sizeof(key);
}

struct interned *
intern_key(struct intern *in, const char *text, size_t len, bool verbatim)
{
	uint32_t hash = json_key_hash(text, len);
	struct interned *key;

	MAP_EACH(&in->keys, hash, key)
		if (key->len == len && memcmp(key->text, text, len) == 0) {
			key->verbatim |= verbatim;
			return key;
		}
	key = (struct interned *)arena_node(&in->entries);
	*key = (struct interned){ .len = len,
		.verbatim = verbatim,
		.text = arena_key(in->arena, text, (struct json_key){ hash, (uint32_t)len }) };
	map_add(&in->keys, hash, key);
	return key;
}
