#include "schema/compiled.h"

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

struct schema_parts {
	const struct schema *schema;
	const struct node **slots; /* open addressing, a power of two */
	size_t mask;
};

static size_t
slot_of(const struct schema_parts *parts, const cJSON *source)
{
	size_t at = pointer_hash(source) & parts->mask;

	while (parts->slots[at] && parts->slots[at]->source != source)
		at = (at + 1) & parts->mask;
	return at;
}

struct schema_parts *
schema_parts_create(const struct schema *schema)
{
	struct schema_parts *parts = mem_zalloc(sizeof(*parts));

	parts->schema = schema;
	parts->mask = 63;
	while (parts->mask < 2 * schema->nodes.len)
		parts->mask = parts->mask * 2 + 1;
	parts->slots = mem_zalloc((parts->mask + 1) * sizeof(*parts->slots));
	for (size_t i = 0; i < schema->nodes.len; i++) {
		const struct node *node = schema->nodes.items[i];
		if (node->wanted)
			parts->slots[slot_of(parts, node->source)] = node;
	}
	return parts;
}

void
schema_parts_destroy(struct schema_parts *parts)
{
	if (!parts)
		return;
	free(parts->slots);
	free(parts);
}

struct report *
schema_check_part(const struct schema_parts *parts, const cJSON *part, const cJSON *instance,
    const struct check_options *options)
{
	const struct node *node = parts->slots[slot_of(parts, part)];

	return node ? schema_check_by(parts->schema, node, instance, options) : NULL;
}
