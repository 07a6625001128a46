#include "form_priv.h"

#include "pool_priv.h"

#include "base/mem.h"

#include <stdlib.h>

/* Shapes are known by their schema, and what it adds to. */
static size_t
slot_of(const struct shape_map *map, const struct shape *base, const cJSON *schema)
{
	size_t at = (size_t)hash_word(pointer_hash(schema), (uintptr_t)base) & (map->cap - 1);

	while (map->slots[at] && (map->slots[at]->schema != schema || map->slots[at]->base != base))
		at = (at + 1) & (map->cap - 1);
	return at;
}

static void
map_grow(struct shape_map *map)
{
	struct shape_map old = *map;

	map->cap = old.cap ? old.cap * 2 : 16;
	map->slots = mem_zalloc(map->cap * sizeof(*map->slots));
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i])
			map->slots[slot_of(map, old.slots[i]->base, old.slots[i]->schema)] =
			    old.slots[i];
	free(old.slots);
}

const cJSON *
form_schema(const struct form *form)
{
	return form->doc ? json_root(form->doc) : NULL;
}

static void
add_sources(struct shape *shape, const struct shape *base, const cJSON *schema, const cJSON *root)
{
	if (base)
		add_sources(shape, base->base, base->schema, root);
	shape_add_part(shape, root, schema);
}

static struct shape *
find_or_add(struct form *form, const struct shape *base, const cJSON *schema)
{
	struct shape_map *map = &form->shapes;

	if (2 * map->len >= map->cap)
		map_grow(map);
	size_t at = slot_of(map, base, schema);
	if (map->slots[at])
		return map->slots[at];
	struct shape *shape = mem_zalloc(sizeof(*shape));
	shape->base = base;
	shape->schema = schema;
	shape->kind = FIELD_JSON;
	shape->is_root = !base && schema == form_schema(form);
	add_sources(shape, base, schema, form_schema(form));
	shape_decide(shape, form_schema(form), &form->budget);
	if (shape->is_root) { /* always an object: arguments are */
		shape->kind = FIELD_OBJECT;
		shape->nullable = false;
	}
	map->slots[at] = shape;
	map->len++;
	return shape;
}

const struct shape *
shape_of(struct form *form, const cJSON *schema)
{
	return find_or_add(form, NULL, schema);
}

const struct shape *
shape_with(struct form *form, const struct shape *base, const cJSON *schema)
{
	return base->schema == schema ? base : find_or_add(form, base, schema);
}

void
shapes_finish(struct form *form)
{
	for (size_t i = 0; i < form->shapes.cap; i++) {
		struct shape *shape = form->shapes.slots[i];
		if (!shape)
			continue;
		shape_clear(shape);
		free(shape);
	}
	free(form->shapes.slots);
}
