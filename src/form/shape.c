#include "shape.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "form/form.h"
#include "tree.h"

#include <stdlib.h>

static const cJSON null_value = { .type = cJSON_NULL };

const cJSON *
shape_get(const struct shape *shape, const char *keyword)
{
	for (unsigned i = 0; i < shape->part_count; i++) {
		const cJSON *value = json_get(shape->parts[i], keyword);
		if (value)
			return value;
	}
	return NULL;
}

const char *
shape_get_string(const struct shape *shape, const char *keyword)
{
	for (unsigned i = 0; i < shape->part_count; i++) {
		const char *text = json_get_string(shape->parts[i], keyword);
		if (text)
			return text;
	}
	return NULL;
}

const cJSON *
shape_property(const struct shape *shape, const char *name)
{
	for (unsigned i = shape->part_count; i-- > 0;) {
		const cJSON *property = json_get(json_get(shape->parts[i], "properties"), name);
		if (property)
			return property;
	}
	return NULL;
}

static bool
has_properties(const struct shape *shape)
{
	for (unsigned i = 0; i < shape->part_count; i++)
		if (json_count(json_get(shape->parts[i], "properties")) > 0)
			return true;
	return false;
}

/* An object without declared properties takes any; one with properties is not meant to, unless its
 * schema says that it may. */
const cJSON *
shape_entry(const struct shape *shape)
{
	static const cJSON anything = { .type = cJSON_True };
	const cJSON *more = shape_get(shape, "additionalProperties");
	const cJSON *patterns = shape_get(shape, "patternProperties");

	if (json_type(more) == JSON_OBJECT || json_is_true(more))
		return more;
	if (json_type(patterns) == JSON_OBJECT && json_first(patterns))
		return json_first(patterns);
	return more || shape->is_root || has_properties(shape) ? NULL : &anything;
}

const cJSON *
shape_tuple(const struct shape *shape)
{
	const cJSON *prefix = shape_get(shape, "prefixItems"), *items = shape_get(shape, "items");

	if (json_type(prefix) == JSON_ARRAY && json_first(prefix))
		return prefix;
	return json_type(items) == JSON_ARRAY && json_first(items) ? items : NULL;
}

const cJSON *
shape_item(const struct shape *shape, size_t index)
{
	const cJSON *tuple = shape_tuple(shape), *item = json_first(tuple);
	const cJSON *rest = shape_get(shape, "items");

	for (; item && index > 0; index--)
		item = item->next;
	if (item)
		return item;
	if (rest && rest == tuple)
		rest = shape_get(shape, "additionalItems");
	return json_type(rest) == JSON_OBJECT || json_is_true(rest) ? rest : NULL;
}

static void
shape_clear(struct shape *shape)
{
	for (size_t i = 0; i < shape->variants.len; i++) {
		struct variant *v = &shape->variants.items[i];
		if (v->shape)
			shape_clear(v->shape);
		free(v->shape);
		free(v->name);
	}
	free(shape->variants.items);
	free(shape->choices.items);
}

/* ---- choices ---- */

static void
add_choice(struct shape *shape, const cJSON *value, const char *label, const char *description)
{
	if (json_type(value) == JSON_NULL) {
		shape->nullable = true;
		return;
	}
	*VEC_PUSH(&shape->choices) = (struct choice){ value, label, description };
}

/* If several parts have choices, the shortest list contains the ones that all parts allow. */
static const cJSON *
shortest_enum(const struct shape *shape)
{
	const cJSON *found = NULL;

	for (unsigned i = 0; i < shape->part_count; i++) {
		const cJSON *values = json_get(shape->parts[i], "enum");
		if (json_type(values) == JSON_ARRAY &&
		    (!found || json_count(values) < json_count(found)))
			found = values;
	}
	return found;
}

/* All schemas of a form share one budget because there may be very many choices. */
static bool
may_list(size_t count, size_t *budget)
{
	if (count > FORM_MAX_CHOICES || count > *budget)
		return false;
	*budget -= count;
	return true;
}

static bool
choices_from_enum(struct shape *shape, size_t *budget)
{
	const cJSON *values = shortest_enum(shape);

	if (!values || !may_list(json_count(values), budget))
		return false;
	const cJSON *name = json_first(shape_get(shape, "enumNames"));
	for (const cJSON *v = json_first(values); v; v = v->next) {
		add_choice(shape, v, json_string(name), NULL);
		name = name ? name->next : NULL;
	}
	return shape->choices.len > 0;
}

bool
shape_is_choice(const cJSON *group)
{
	for (const cJSON *v = json_first(group); v; v = v->next)
		if (!json_get(v, "const") && json_type(json_get(v, "enum")) != JSON_ARRAY &&
		    !is_null_schema(v))
			return false;
	return true;
}

/* Every alternative is a const or an enum, with or without a title. */
static bool
choices_from_group(struct shape *shape, const cJSON *group, size_t *budget)
{
	size_t count = 0;

	for (const cJSON *v = json_first(group); v; v = v->next)
		count += 1 + json_count(json_get(v, "enum"));
	if (!may_list(count, budget))
		return false;
	for (const cJSON *v = json_first(group); v; v = v->next) {
		const cJSON *value = json_get(v, "const");
		if (value)
			add_choice(shape, value, json_get_string(v, "title"),
			    json_get_string(v, "description"));
		else
			for (value = json_first(json_get(v, "enum")); value; value = value->next)
				add_choice(shape, value, NULL, NULL);
	}
	return shape->choices.len > 0;
}

static bool
decide_choices(struct shape *shape, size_t *budget)
{
	const cJSON *value = shape_get(shape, "const");

	if (value) {
		*VEC_PUSH(&shape->choices) = (struct choice){ .value = value };
		shape->kind = FIELD_CONST;
		return true;
	}
	bool found = choices_from_enum(shape, budget);
	for (unsigned i = 0; i < shape->group_count && !found; i++)
		found = shape_is_choice(shape->groups[i]) &&
			choices_from_group(shape, shape->groups[i], budget);
	if (found)
		shape->kind = shape->choices.len == 1 ? FIELD_CONST : FIELD_ENUM;
	return found;
}

/* ---- types ---- */

static enum field_kind
kind_of_array(const struct shape *shape)
{
	const cJSON *tuple = shape_tuple(shape);

	if (tuple)
		return json_count(tuple) <= SHAPE_TUPLE ? FIELD_ARRAY : FIELD_JSON;
	return json_type(shape_get(shape, "items")) == JSON_OBJECT ? FIELD_ARRAY : FIELD_JSON;
}

static enum field_kind
kind_of_types(struct shape *shape, unsigned types)
{
	if (types & SHAPE_NULL)
		shape->nullable = true;
	switch (types & ~(unsigned)SHAPE_NULL) {
	case SHAPE_STRING:
		return FIELD_STRING;
	case SHAPE_INTEGER:
		return FIELD_INTEGER;
	case SHAPE_FRACTION | SHAPE_INTEGER:
		return FIELD_NUMBER;
	case SHAPE_BOOLEAN:
		return FIELD_BOOLEAN;
	case SHAPE_OBJECT:
		return FIELD_OBJECT;
	case SHAPE_ARRAY:
		return kind_of_array(shape);
	case 0:
		return types ? FIELD_CONST : FIELD_JSON;
	default:
		return FIELD_JSON;
	}
}

static void
decide_type(struct shape *shape)
{
	bool said;
	unsigned types = shape_types(shape, &said);

	if (said)
		shape->kind = kind_of_types(shape, types);
	else if (has_properties(shape))
		shape->kind = FIELD_OBJECT;
	else
		shape->kind = kind_of_array(shape);
	if (shape->kind == FIELD_CONST)
		*VEC_PUSH(&shape->choices) = (struct choice){ .value = &null_value };
}

void
shape_decide(struct shape *shape, const cJSON *root, size_t *budget)
{
	if (!decide_choices(shape, budget) && !shape_find_variants(shape, root, budget))
		decide_type(shape);
}

void
shape_decide_plain(struct shape *shape, size_t *budget)
{
	if (!decide_choices(shape, budget))
		decide_type(shape);
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
	uint64_t hash = hash_word(pointer_hash(schema), (uintptr_t)base);
	struct shape *shape;

	MAP_EACH(&form->shapes, hash, shape)
		if (shape->schema == schema && shape->base == base)
			return shape;
	shape = mem_zalloc(sizeof(*shape));
	shape->base = base;
	shape->schema = schema;
	shape->kind = FIELD_JSON;
	shape->is_root = !base && schema == form_schema(form);
	add_sources(shape, base, schema, form_schema(form));
	shape_decide(shape, form_schema(form), &form->budget);
	if (shape->is_root) { /* arguments are always an object */
		shape->kind = FIELD_OBJECT;
		shape->nullable = false;
	}
	map_add(&form->shapes, hash, shape);
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
	struct shape *shape;

	MAP_ALL(&form->shapes, shape) {
		shape_clear(shape);
		free(shape);
	}
	map_finish(&form->shapes);
}
