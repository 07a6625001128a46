#include "compile_priv.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes ---- */

static struct node_slot *
slot_of(const struct compiler *k, const cJSON *source)
{
	size_t mask = k->slot_count - 1;
	size_t i = pointer_hash(source) & mask;

	while (k->slots[i].source && k->slots[i].source != source)
		i = (i + 1) & mask;
	return &k->slots[i];
}

struct node *
node_of(const struct compiler *k, const cJSON *source)
{
	return k->slot_count ? slot_of(k, source)->node : NULL;
}

static void
slots_grow(struct compiler *k)
{
	struct node_slot *old = k->slots;
	size_t count = k->slot_count;

	k->slot_count = count ? count * 4 : 64;
	k->slots = mem_zalloc(k->slot_count * sizeof(*k->slots));
	for (size_t i = 0; i < count; i++)
		if (old[i].source)
			*slot_of(k, old[i].source) = old[i];
	free(old);
}

struct node *
node_add(struct compiler *k, const cJSON *source, struct spot spot, struct resource *resource)
{
	if (k->slots_used * 2 >= k->slot_count)
		slots_grow(k);
	struct node_slot *slot = slot_of(k, source);
	struct node *node = pool_alloc(&k->schema->pool, sizeof(*node));

	node->source = source;
	node->spot = spot;
	node->resource = resource;
	node->types = TYPE_ANY;
	slot->source = source;
	slot->node = node;
	k->slots_used++;
	*VEC_PUSH(&k->schema->nodes) = node;
	if (resource->document == k->schema->documents.items[0])
		compile_want(k, node);
	return node;
}

/* ---- resources and anchors by name ---- */

static void
index_put(struct index *index, uint64_t hash, uint32_t number)
{
	size_t i = (size_t)hash & (index->count - 1);

	while (index->slots[i].number)
		i = (i + 1) & (index->count - 1);
	index->slots[i] = (struct index_slot){ .hash = hash, .number = number };
}

static void
index_add(struct index *index, uint64_t hash, size_t number)
{
	if (index->used * 2 >= index->count) {
		struct index old = *index;
		index->count = old.count ? old.count * 4 : 8;
		index->slots = mem_zalloc(index->count * sizeof(*index->slots));
		for (size_t i = 0; i < old.count; i++)
			if (old.slots[i].number)
				index_put(index, old.slots[i].hash, old.slots[i].number);
		free(old.slots);
	}
	index_put(index, hash, (uint32_t)number + 1);
	index->used++;
}

/* Candidates: start with *at = 0, false when there are no more. */
static bool
index_next(const struct index *index, uint64_t hash, size_t *at, size_t *number)
{
	while (index->count) {
		const struct index_slot *slot =
		    &index->slots[((size_t)hash + (*at)++) & (index->count - 1)];
		if (!slot->number)
			break;
		*number = slot->number - 1;
		if (slot->hash == hash)
			return true;
	}
	return false;
}

static struct resource *
resource_known(const struct schema *schema, const char *uri, size_t len)
{
	uint64_t hash = text_hash(schema, uri, len);
	size_t at = 0, number;

	while (index_next(&schema->resources_by_uri, hash, &at, &number)) {
		struct resource *r = schema->resources.items[number];
		if (strncmp(r->uri, uri, len) == 0 && r->uri[len] == '\0')
			return r;
	}
	return NULL;
}

struct resource *
resource_add(struct compiler *k, const char *uri, size_t len, const struct document *document,
    struct dialect dialect)
{
	struct schema *schema = k->schema;
	struct resource *resource = pool_alloc(&schema->pool, sizeof(*resource));

	resource->uri = pool_text(&schema->pool, uri, len);
	resource->document = document;
	resource->dialect = dialect;
	if (!resource_known(schema, uri, len))
		index_add(
		    &schema->resources_by_uri, text_hash(schema, uri, len), schema->resources.len);
	*VEC_PUSH(&schema->resources) = resource;
	return resource;
}

struct resource *
resource_find(const struct schema *schema, const char *uri, size_t len)
{
	struct resource *found = resource_known(schema, uri, len);

	return found && found->root ? found : NULL;
}

static uint64_t
anchor_hash(const struct resource *resource, const char *name)
{
	return text_hash(resource, name, strlen(name));
}

/* Says so to the first of that name as well; further ones need not be found. */
static bool
has_rival(struct schema *schema, const char *name)
{
	uint64_t hash = text_hash(schema, name, strlen(name));
	size_t at = 0, number;

	while (index_next(&schema->dynamic_by_name, hash, &at, &number)) {
		struct anchor *first = &schema->anchors.items[number];
		if (strcmp(first->name, name) != 0)
			continue;
		first->rival = true;
		return true;
	}
	index_add(&schema->dynamic_by_name, hash, schema->anchors.len);
	return false;
}

void
anchor_add(struct compiler *k, const char *name, struct node *node, bool dynamic)
{
	struct schema *schema = k->schema;
	if (anchor_find(schema, node->resource, name, dynamic))
		return;
	index_add(&schema->anchors_by_name, anchor_hash(node->resource, name), schema->anchors.len);
	bool rival = dynamic && has_rival(schema, name);
	*VEC_PUSH(&schema->anchors) = (struct anchor){
		.resource = node->resource,
		.name = pool_text(&schema->pool, name, strlen(name)),
		.node = node,
		.dynamic = dynamic,
		.rival = rival,
	};
	/* It can be led to from anywhere. */
	if (dynamic) {
		node->shared = true;
		compile_want(k, node);
	}
}

const struct anchor *
anchor_find(
    const struct schema *schema, const struct resource *resource, const char *name, bool dynamic)
{
	uint64_t hash = anchor_hash(resource, name);
	size_t at = 0, number;

	while (index_next(&schema->anchors_by_name, hash, &at, &number)) {
		const struct anchor *a = &schema->anchors.items[number];
		if (a->resource == resource && (!dynamic || a->dynamic) &&
		    strcmp(a->name, name) == 0)
			return a;
	}
	return NULL;
}
