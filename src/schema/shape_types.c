#include "shape_priv.h"

#include <string.h>

#define NUMBER (SHAPE_INTEGER | SHAPE_FRACTION)

static const struct {
	const char *name;
	unsigned types;
} names[] = {
	{ "string", SHAPE_STRING },
	{ "number", NUMBER },
	{ "integer", SHAPE_INTEGER },
	{ "boolean", SHAPE_BOOLEAN },
	{ "object", SHAPE_OBJECT },
	{ "array", SHAPE_ARRAY },
	{ "null", SHAPE_NULL },
};

static unsigned
type_of_name(const char *name)
{
	for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i].name, name) == 0)
			return names[i].types;
	return 0;
}

static unsigned
types_of(const cJSON *type)
{
	unsigned types = type_of_name(json_string(type));

	if (json_type(type) == JSON_ARRAY)
		for (const cJSON *t = json_first(type); t; t = t->next)
			types |= type_of_name(json_string(t));
	return types;
}

unsigned
shape_types(const struct shape *shape, bool *said)
{
	unsigned types = shape->type ? type_of_name(shape->type) : SHAPE_ANY;

	*said = shape->type != NULL;
	for (unsigned i = 0; i < shape->part_count; i++) {
		const cJSON *type = json_get(shape->parts[i], "type");
		if (!type)
			continue;
		*said = true;
		types &= types_of(type);
	}
	return types;
}

static const char *
take_type(unsigned *types, unsigned some)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((names[i].types & some) && (*types & names[i].types) == names[i].types) {
			*types &= ~names[i].types;
			return names[i].name;
		}
	return NULL;
}

const char *
shape_next_type(const struct shape *shape, unsigned *types)
{
	for (const cJSON *t = json_first(shape_get(shape, "type")); t; t = t->next) {
		const char *name = take_type(types, type_of_name(json_string(t)));
		if (name)
			return name;
	}
	return take_type(types, SHAPE_ANY);
}
