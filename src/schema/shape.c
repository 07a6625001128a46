#include "shape_priv.h"

#include "base/vec.h"
#include "schema/form.h"

#include <string.h>

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

/* ---- choices ---- */

static void
add_choice(struct shape *shape, const cJSON *value, const char *label)
{
	if (json_type(value) == JSON_NULL) {
		shape->nullable = true;
		return;
	}
	*VEC_PUSH(&shape->choices) = (struct choice){ .value = value, .label = label };
}

static bool
choices_from_enum(struct shape *shape, const cJSON *values)
{
	if (json_type(values) != JSON_ARRAY || json_count(values) > FORM_MAX_CHOICES)
		return false;
	const cJSON *name = json_first(shape_get(shape, "enumNames"));
	for (const cJSON *v = json_first(values); v; v = v->next) {
		add_choice(shape, v, json_string(name));
		name = name ? name->next : NULL;
	}
	return shape->choices.len > 0;
}

/* Every variant a const or an enum, with a title or without. */
static bool
choices_from_variants(struct shape *shape)
{
	size_t count = 0;

	for (const cJSON *v = json_first(shape->variants); v; v = v->next) {
		const cJSON *values = json_get(v, "enum");
		if (!json_get(v, "const") && json_type(values) != JSON_ARRAY && !is_null_schema(v))
			return false;
		count += 1 + json_count(values);
	}
	if (count > FORM_MAX_CHOICES)
		return false;
	for (const cJSON *v = json_first(shape->variants); v; v = v->next) {
		const cJSON *value = json_get(v, "const");
		if (value)
			add_choice(shape, value, json_get_string(v, "title"));
		else
			for (value = json_first(json_get(v, "enum")); value; value = value->next)
				add_choice(shape, value, NULL);
	}
	return shape->choices.len > 0;
}

static bool
decide_choices(struct shape *shape)
{
	const cJSON *value = shape_get(shape, "const");

	if (value) {
		*VEC_PUSH(&shape->choices) = (struct choice){ .value = value };
		shape->kind = FIELD_CONST;
		return true;
	}
	if (!choices_from_enum(shape, shape_get(shape, "enum")) && !choices_from_variants(shape))
		return false;
	shape->kind = shape->choices.len == 1 ? FIELD_CONST : FIELD_ENUM;
	return true;
}

/* ---- types ---- */

static bool
has_properties(const struct shape *shape)
{
	for (unsigned i = 0; i < shape->part_count; i++)
		if (json_count(json_get(shape->parts[i], "properties")) > 0)
			return true;
	return false;
}

static bool
has_plain_items(const struct shape *shape)
{
	return json_type(shape_get(shape, "items")) == JSON_OBJECT &&
	       !shape_get(shape, "prefixItems");
}

static enum field_kind
kind_of_type(const struct shape *shape, const char *type)
{
	static const struct {
		const char *type;
		enum field_kind kind;
	} kinds[] = {
		{ "string", FIELD_STRING },
		{ "number", FIELD_NUMBER },
		{ "integer", FIELD_INTEGER },
		{ "boolean", FIELD_BOOLEAN },
		{ "null", FIELD_CONST },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].type, type) == 0)
			return kinds[i].kind;
	if (strcmp(type, "object") == 0) {
		const cJSON *more = shape_get(shape, "additionalProperties");
		bool closed = json_type(more) == JSON_BOOLEAN && !json_is_true(more);
		return has_properties(shape) || closed ? FIELD_OBJECT : FIELD_JSON;
	}
	return strcmp(type, "array") == 0 && has_plain_items(shape) ? FIELD_ARRAY : FIELD_JSON;
}

/* One type's name, "number" for number and integer together, NULL for none or too many. */
static const char *
single_type(struct shape *shape)
{
	const cJSON *type = shape_get(shape, "type");
	const char *found = json_string(type);

	if (json_type(type) != JSON_ARRAY)
		return found;
	for (const cJSON *t = json_first(type); t; t = t->next) {
		const char *name = json_string(t);
		if (!name)
			return NULL;
		if (strcmp(name, "null") == 0) {
			shape->nullable = true;
		} else if (!found) {
			found = name;
		} else if (strcmp(name, found) != 0) {
			bool numbers =
			    (strcmp(name, "number") == 0 || strcmp(name, "integer") == 0) &&
			    (strcmp(found, "number") == 0 || strcmp(found, "integer") == 0);
			if (!numbers)
				return NULL;
			found = "number";
		}
	}
	return found || !shape->nullable ? found : "null";
}

void
shape_decide(struct shape *shape)
{
	const char *type = single_type(shape);

	if (decide_choices(shape))
		return;
	if (type) {
		shape->kind = kind_of_type(shape, type);
		if (shape->kind == FIELD_CONST)
			*VEC_PUSH(&shape->choices) = (struct choice){ .value = &null_value };
	} else if (!shape_get(shape, "type")) {
		if (has_properties(shape))
			shape->kind = FIELD_OBJECT;
		else if (has_plain_items(shape) && !shape->variants)
			shape->kind = FIELD_ARRAY;
	}
}
