#include "form_priv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static size_t
slot_of(const struct shape_map *map, const cJSON *schema)
{
	size_t at = (size_t)(((uintptr_t)schema >> 4) * 0x9e3779b97f4a7c15u >> 20) & (map->cap - 1);

	while (map->slots[at] && map->slots[at]->schema != schema)
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
			map->slots[slot_of(map, old.slots[i]->schema)] = old.slots[i];
	free(old.slots);
}

const cJSON *
form_schema(const struct form *form)
{
	return form->doc ? json_root(form->doc) : NULL;
}

static struct shape *
find_or_add(struct form *form, const cJSON *schema)
{
	struct shape_map *map = &form->shapes;

	if (2 * map->len >= map->cap)
		map_grow(map);
	size_t at = slot_of(map, schema);
	if (map->slots[at])
		return map->slots[at];
	struct shape *shape = mem_zalloc(sizeof(*shape));
	shape->schema = schema;
	shape->kind = FIELD_JSON;
	shape_add_part(shape, form_schema(form), schema);
	shape_decide(shape);
	map->slots[at] = shape;
	map->len++;
	return shape;
}

const struct shape *
shape_of(struct form *form, const cJSON *schema)
{
	return find_or_add(form, schema);
}

const struct shape *
shape_of_root(struct form *form)
{
	struct shape *shape = find_or_add(form, form_schema(form));

	shape->kind = FIELD_OBJECT;
	shape->nullable = false;
	return shape;
}

static void
shape_destroy(struct shape *shape)
{
	if (!shape)
		return;
	free(shape->choices.items);
	free(shape);
}

void
shapes_finish(struct form *form)
{
	for (size_t i = 0; i < form->shapes.cap; i++)
		shape_destroy(form->shapes.slots[i]);
	free(form->shapes.slots);
	for (size_t i = 0; i < form->merged.len; i++)
		shape_destroy(form->merged.items[i]);
	free(form->merged.items);
}
