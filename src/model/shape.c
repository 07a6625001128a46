#include "model/shape.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"

#include <stdlib.h>
#include <string.h>

/* How deep tables are looked for, and how many are listed. */
#define FIND_DEPTH 8
#define SPOTS_MAX 200
/* Rows looked at to tell what an array holds. */
#define KIND_SAMPLE 100

/* ---- schemas along the way ---- */

static const cJSON *
follow_ref(const cJSON *root, const cJSON *schema)
{
	for (int hops = 0; hops < 16; hops++) {
		const char *ref = json_get_string(schema, "$ref");
		if (!ref || ref[0] != '#' || (ref[1] && ref[1] != '/'))
			return schema;
		const cJSON *target = json_pointer_find(root, ref + 1);
		if (!target)
			return schema;
		schema = target;
	}
	return schema;
}

/* The schema that has the keyword: schema itself or the first alternative that has it. */
static const cJSON *
schema_with(const cJSON *root, const cJSON *schema, const char *keyword, int depth)
{
	static const char *const groups[] = { "allOf", "anyOf", "oneOf" };

	schema = follow_ref(root, schema);
	if (json_get(schema, keyword) || depth == 0)
		return json_get(schema, keyword) ? schema : NULL;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		for (const cJSON *s = json_first(json_get(schema, groups[i])); s; s = s->next) {
			const cJSON *found = schema_with(root, s, keyword, depth - 1);
			if (found)
				return found;
		}
	}
	return NULL;
}

const cJSON *
shape_schema_member(const cJSON *root, const cJSON *schema, const char *key)
{
	const cJSON *holder = schema_with(root, schema, "properties", 4);
	const cJSON *member = json_get(json_get(holder, "properties"), key);

	if (member)
		return follow_ref(root, member);
	holder = schema_with(root, schema, "additionalProperties", 4);
	member = json_get(holder, "additionalProperties");
	return json_type(member) == JSON_OBJECT ? follow_ref(root, member) : NULL;
}

const cJSON *
shape_schema_items(const cJSON *root, const cJSON *schema)
{
	const cJSON *holder = schema_with(root, schema, "items", 4);
	const cJSON *items = json_get(holder, "items");

	return json_type(items) == JSON_OBJECT ? follow_ref(root, items) : NULL;
}

/* ---- finding tables ---- */

static enum table_kind
array_kind(const cJSON *array, const cJSON *root, const cJSON *schema)
{
	size_t objects = 0, arrays = 0, seen = 0;

	for (const cJSON *row = json_first(array); row && seen < KIND_SAMPLE;
	     row = row->next, seen++) {
		objects += json_type(row) == JSON_OBJECT;
		arrays += json_type(row) == JSON_ARRAY;
	}
	if (seen == 0)
		return schema_with(root, shape_schema_items(root, schema), "properties", 4)
			   ? TABLE_OBJECTS
			   : TABLE_SCALARS;
	if (objects * 2 >= seen)
		return TABLE_OBJECTS;
	return arrays * 2 >= seen ? TABLE_ARRAYS : TABLE_SCALARS;
}

/* An object is a map of rows when it has two members or more, all objects, that share a key. */
static bool
is_map(const cJSON *object)
{
	const cJSON *first = json_first(object);
	size_t seen = 0;

	if (json_count(object) < 2 || json_count(first) == 0)
		return false;
	for (const cJSON *m = first; m && seen < KIND_SAMPLE; m = m->next, seen++) {
		if (json_type(m) != JSON_OBJECT || !json_get(m, json_first(first)->string))
			return false;
	}
	return true;
}

static void
add_spot(struct table_spots *spots, const cJSON *node, const cJSON *schema, enum table_kind kind,
    const struct buf *pointer)
{
	*VEC_PUSH(spots) = (struct table_spot){ .pointer = mem_strdup(buf_text(pointer)),
		.node = node,
		.schema = schema,
		.kind = kind };
}

static void
find(struct table_spots *spots, const cJSON *node, const cJSON *root, const cJSON *schema,
    int depth, struct buf *pointer)
{
	if (spots->len == SPOTS_MAX || depth == 0)
		return;
	if (json_type(node) == JSON_ARRAY) {
		add_spot(spots, node, schema, array_kind(node, root, schema), pointer);
		return;
	}
	if (json_type(node) != JSON_OBJECT)
		return;
	if (is_map(node))
		add_spot(spots, node, schema, TABLE_MAP, pointer);
	for (const cJSON *m = json_first(node); m; m = m->next) {
		size_t len = pointer->len;
		json_pointer_add_key(pointer, m->string);
		find(spots, m, root, shape_schema_member(root, schema, m->string), depth - 1,
		    pointer);
		buf_truncate(pointer, len);
	}
}

void
shape_find(struct table_spots *spots, const cJSON *value, const cJSON *schema)
{
	struct buf pointer = BUF_INIT;

	*spots = (struct table_spots){ 0 };
	find(spots, value, schema, follow_ref(schema, schema), FIND_DEPTH, &pointer);
	buf_finish(&pointer);
}

void
shape_finish(struct table_spots *spots)
{
	for (size_t i = 0; i < spots->len; i++)
		free(spots->items[i].pointer);
	free(spots->items);
	*spots = (struct table_spots){ 0 };
}

size_t
shape_best(const struct table_spots *spots)
{
	size_t best = spots->len;

	for (size_t i = 0; i < spots->len; i++)
		if (best == spots->len || spots->items[i].kind < spots->items[best].kind)
			best = i;
	return best;
}
