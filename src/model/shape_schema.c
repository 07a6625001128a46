#include "json/pointer.h"
#include "model/shape.h"

static const cJSON *
ref_target(const cJSON *root, const cJSON *schema)
{
	const char *ref = json_get_string(schema, "$ref");

	return ref && ref[0] == '#' ? json_pointer_find(root, ref + 1) : NULL;
}

static void
add_branch(struct schema_branches *b, const cJSON *schema)
{
	if (json_type(schema) != JSON_OBJECT || b->len == SCHEMA_BRANCHES_MAX)
		return;
	for (size_t i = 0; i < b->len; i++)
		if (b->items[i] == schema)
			return;
	b->items[b->len++] = schema;
}

void
schema_branches(struct schema_branches *b, const cJSON *root, const cJSON *schema)
{
	static const char *const groups[] = { "allOf", "anyOf", "oneOf" };

	b->len = 0;
	add_branch(b, schema);
	for (size_t i = 0; i < b->len; i++) {
		add_branch(b, ref_target(root, b->items[i]));
		for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
			const cJSON *group = json_get(b->items[i], groups[g]);
			const cJSON *s = json_first(group);
			for (; s && b->len < SCHEMA_BRANCHES_MAX; s = s->next)
				add_branch(b, s);
		}
	}
}

const cJSON *
shape_schema_member(const cJSON *root, const cJSON *schema, const char *key)
{
	struct schema_branches b;

	schema_branches(&b, root, schema);
	for (size_t i = 0; i < b.len; i++) {
		const cJSON *member = json_get(json_get(b.items[i], "properties"), key);
		if (member)
			return member;
	}
	for (size_t i = 0; i < b.len; i++) {
		const cJSON *any = json_get(b.items[i], "additionalProperties");
		if (json_type(any) == JSON_OBJECT)
			return any;
	}
	return NULL;
}

const cJSON *
shape_schema_items(const cJSON *root, const cJSON *schema)
{
	struct schema_branches b;

	schema_branches(&b, root, schema);
	for (size_t i = 0; i < b.len; i++) {
		const cJSON *items = json_get(b.items[i], "items");
		if (json_type(items) == JSON_OBJECT)
			return items;
	}
	return NULL;
}

#define ANNOTATION_DEPTH 8

static const cJSON *
annotation_at(const cJSON *root, const cJSON *schema, const char *keyword, int depth)
{
	const cJSON *found = json_get(schema, keyword), *target = ref_target(root, schema);

	if (!found && target && depth > 0)
		found = annotation_at(root, target, keyword, depth - 1);
	for (const cJSON *s = json_first(json_get(schema, "allOf")); s && !found && depth > 0;
	     s = s->next)
		found = annotation_at(root, s, keyword, depth / 2);
	return found;
}

const cJSON *
shape_annotation(const cJSON *root, const cJSON *schema, const char *keyword)
{
	return annotation_at(root, schema, keyword, ANNOTATION_DEPTH);
}
