#include "shape_priv.h"

#include "base/hex.h"
#include "json/pointer.h"

#include <string.h>

static void
add_percent_decoded(struct buf *out, const char *text)
{
	for (; *text; text++) {
		int byte = *text == '%' ? hex_number(text + 1, 2) : -1;
		buf_add_char(out, byte < 0 ? *text : (char)byte);
		text += byte < 0 ? 0 : 2;
	}
}

static const cJSON *
find_anchor(const cJSON *definitions, const char *name)
{
	for (const cJSON *d = json_first(definitions); d; d = d->next) {
		const char *anchor = json_get_string(d, "$anchor");
		if (anchor && strcmp(anchor, name) == 0)
			return d;
	}
	return NULL;
}

static const cJSON *
resolve(const cJSON *root, const char *ref)
{
	if (ref[0] != '#')
		return NULL;
	if (ref[1] && ref[1] != '/') {
		const cJSON *found = find_anchor(json_get(root, "$defs"), ref + 1);
		return found ? found : find_anchor(json_get(root, "definitions"), ref + 1);
	}
	struct buf pointer = BUF_INIT;
	add_percent_decoded(&pointer, ref + 1);
	const cJSON *found = json_pointer_find(root, buf_text(&pointer));
	buf_finish(&pointer);
	return found;
}

bool
is_null_schema(const cJSON *schema)
{
	const char *type = json_get_string(schema, "type");
	const cJSON *values = json_get(schema, "enum");

	return (type && strcmp(type, "null") == 0) ||
	       json_type(json_get(schema, "const")) == JSON_NULL ||
	       (json_count(values) == 1 && json_type(json_first(values)) == JSON_NULL);
}

static void
add_group(struct shape *shape, const cJSON *group)
{
	for (unsigned i = 0; i < shape->group_count; i++)
		if (shape->groups[i] == group)
			return;
	if (shape->group_count < SHAPE_GROUPS)
		shape->groups[shape->group_count++] = group;
}

/* anyOf [T, null] is a nullable T; several are a group, of which choices may still be made. */
static void
add_alternatives(struct shape *shape, const cJSON *root, const cJSON *group)
{
	const cJSON *only = NULL;
	size_t count = 0;

	if (json_type(group) != JSON_ARRAY)
		return;
	for (const cJSON *v = json_first(group); v; v = v->next) {
		if (is_null_schema(v)) {
			shape->nullable = true;
		} else {
			only = v;
			count++;
		}
	}
	if (count == 1)
		shape_add_part(shape, root, only);
	else if (count > 1)
		add_group(shape, group);
}

void
shape_add_part(struct shape *shape, const cJSON *root, const cJSON *schema)
{
	if (json_type(schema) != JSON_OBJECT)
		return;
	for (unsigned i = 0; i < shape->part_count; i++)
		if (shape->parts[i] == schema)
			return;
	if (shape->part_count == SHAPE_PARTS) {
		shape->overflowed = true;
		return;
	}
	shape->parts[shape->part_count++] = schema;
	if (json_is_true(json_get(schema, "nullable")))
		shape->nullable = true;
	const char *ref = json_get_string(schema, "$ref");
	if (ref) {
		const cJSON *target = resolve(root, ref);
		if (target)
			shape_add_part(shape, root, target);
		else
			shape->unresolved = ref;
	}
	const cJSON *all = json_get(schema, "allOf");
	if (json_type(all) == JSON_ARRAY)
		for (const cJSON *s = json_first(all); s && !shape->overflowed; s = s->next)
			shape_add_part(shape, root, s);
	add_alternatives(shape, root, json_get(schema, "anyOf"));
	add_alternatives(shape, root, json_get(schema, "oneOf"));
}
