#include "schema_priv.h"

#include "base/mem.h"

#include <stdlib.h>

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
