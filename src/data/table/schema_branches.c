/* SPDX-License-Identifier: MIT */
#include "json/pointer.h"

#include "base/mem.h"
#include "base/strings.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/rows.h"
#include "data/shape.h"

#include <stdlib.h>
#include <string.h>

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
		for (size_t g = 0; g < ARRAY_LEN(groups); g++) {
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

/* Bounds of the search: depth, containers visited, tables found. */
#define FIND_DEPTH 8
#define VISITS_MAX 20000
#define SPOTS_MAX 200
/* Rows sampled to determine the kind of an array. */
#define KIND_SAMPLE 100
/* Tables inside a map of at most this many members are found too: it can be a plain object. */
#define MAP_PARTS 20

/* Return the kind of an array from its first rows, or that of an empty array from its schema. */
static enum table_kind
array_kind(const cJSON *array, const cJSON *root, const cJSON *schema)
{
	size_t objects = 0, arrays = 0, seen = 0;
	struct schema_branches items = { .len = 0 };
	struct json_items it;

	for (json_items_init(&it, array, NULL); it.item && seen < KIND_SAMPLE; seen++) {
		objects += json_type(it.item) == JSON_OBJECT;
		arrays += json_type(it.item) == JSON_ARRAY;
		json_items_next(&it);
	}
	json_items_finish(&it);
	if (seen == 0)
		schema_branches(&items, root, shape_schema_items(root, schema));
	for (size_t i = 0; i < items.len; i++)
		if (json_count(json_get(items.items[i], "properties")) > 0)
			return TABLE_OBJECTS;
	if (seen == 0)
		return TABLE_SCALARS;
	if (objects * 2 >= seen)
		return TABLE_OBJECTS;
	return arrays * 2 >= seen ? TABLE_ARRAYS : TABLE_SCALARS;
}

/* An object is a map of rows if it has at least two members, all objects, that share a key. */
static bool
is_map(const cJSON *object)
{
	const cJSON *first = json_first(object);
	size_t seen = 0;

	if (json_count(object) < 2 || json_type(first) != JSON_OBJECT || json_count(first) == 0)
		return false;
	for (const cJSON *m = first; m && seen < KIND_SAMPLE; m = m->next, seen++)
		if (!json_get(m, json_first(first)->string))
			return false;
	return true;
}

struct finder {
	struct table_spots *spots;
	const cJSON *root; /* of the schema */
	struct buf pointer;
	size_t visits;
};

static void
find_tables(struct finder *f, const cJSON *node, const cJSON *schema, int depth)
{
	bool is_array = json_type(node) == JSON_ARRAY, is_rows = is_array || is_map(node);

	f->visits++;
	if (is_rows)
		*VEC_PUSH(f->spots) =
		    (struct table_spot){ .pointer = mem_strdup(buf_text(&f->pointer)),
			    .node = node,
			    .schema = schema,
			    .kind = is_array ? array_kind(node, f->root, schema) : TABLE_MAP };
	if (is_array || (is_rows && json_count(node) > MAP_PARTS))
		return;
	for (const cJSON *m = json_first(node); m && depth > 1; m = m->next) {
		if (f->spots->len == SPOTS_MAX || f->visits >= VISITS_MAX)
			return;
		if (json_count(m) == 0 && json_type(m) != JSON_ARRAY)
			continue;
		size_t len = f->pointer.len;
		json_pointer_add_key(&f->pointer, m->string);
		find_tables(f, m, shape_schema_member(f->root, schema, m->string), depth - 1);
		buf_truncate(&f->pointer, len);
	}
}

void
shape_find(struct table_spots *spots, const cJSON *value, const cJSON *schema)
{
	struct finder f = { .spots = spots, .root = schema };

	*spots = (struct table_spots){ 0 };
	find_tables(&f, value, schema, FIND_DEPTH);
	buf_finish(&f.pointer);
}

void
shape_finish(struct table_spots *spots)
{
	for (size_t i = 0; i < spots->len; i++)
		free(spots->items[i].pointer);
	free(spots->items);
	*spots = (struct table_spots){ 0 };
}

static size_t
depth_of(const struct table_spot *spot)
{
	size_t depth = 0;

	for (const char *at = spot->pointer; (at = strchr(at, '/')); at++)
		depth++;
	return depth;
}

size_t
shape_best(const struct table_spots *spots)
{
	size_t best = spots->len;

	for (size_t i = 0; i < spots->len; i++) {
		const struct table_spot *a = &spots->items[i], *b = &spots->items[best];
		if (best == spots->len ||
		    (a->kind != b->kind ? a->kind < b->kind : depth_of(a) < depth_of(b)))
			best = i;
	}
	return best;
}

/* ---- a schema in a few words ---- */

#define CHOICES_BYTES 60

static void
add_choices(const cJSON *choices, struct buf *out)
{
	size_t start = out->len;

	for (const cJSON *c = json_first(choices); c; c = c->next) {
		buf_add_str(out, c == json_first(choices) ? "one of " : ", ");
		if (out->len - start > CHOICES_BYTES) {
			buf_add_str(out, "…");
			return;
		}
		if (cJSON_GetStringValue(c) && *cJSON_GetStringValue(c))
			buf_add_str(out, cJSON_GetStringValue(c));
		else
			json_print_brief(out, c, CHOICES_BYTES);
	}
}

/* Schemas can refer to themselves and each other, so the work is bounded. */
struct type_words {
	const cJSON *root;
	int left; /* schemas left to visit */
};

static void add_type(struct type_words *w, const cJSON *schema, struct buf *out);

/* "string or array of integer or null", each once. */
static bool
add_alternatives(struct type_words *w, const cJSON *schemas, struct buf *out)
{
	struct strings seen = { 0 };
	size_t start = out->len;

	for (const cJSON *s = json_first(schemas); s && w->left > 0; s = s->next) {
		struct buf words = BUF_INIT;
		add_type(w, s, &words);
		bool is_new = !strings_have(&seen, buf_text(&words));
		if (is_new && out->len - start > CHOICES_BYTES) {
			buf_add_str(out, " or …");
			w->left = 0;
		} else if (is_new) {
			buf_addf(out, "%s%s", out->len > start ? " or " : "", buf_text(&words));
			strings_add(&seen, buf_text(&words));
		}
		buf_finish(&words);
	}
	strings_finish(&seen);
	return out->len > start;
}

static void
add_type(struct type_words *w, const cJSON *schema, struct buf *out)
{
	const cJSON *target = ref_target(w->root, schema);

	if (w->left-- <= 0) {
		buf_add_str(out, "…");
		return;
	}
	if (json_type(json_get(schema, "enum")) == JSON_ARRAY) {
		add_choices(json_get(schema, "enum"), out);
		return;
	}
	const cJSON *type = json_get(schema, "type");
	size_t start = out->len;
	if (cJSON_GetStringValue(type))
		buf_add_str(out, cJSON_GetStringValue(type));
	for (const cJSON *t = json_type(type) == JSON_ARRAY ? json_first(type) : NULL; t;
	     t = t->next)
		if (cJSON_GetStringValue(t))
			buf_addf(
			    out, "%s%s", out->len > start ? " or " : "", cJSON_GetStringValue(t));
	bool named = out->len > start;
	if (!named && target) {
		add_type(w, target, out);
		return;
	}
	if (!named && (add_alternatives(w, json_get(schema, "anyOf"), out) ||
			  add_alternatives(w, json_get(schema, "oneOf"), out)))
		return;
	if (!named)
		buf_add_str(out, json_get(schema, "properties") ? "object" : "any value");
	const cJSON *items = shape_schema_items(w->root, schema);
	if (items) {
		buf_add_str(out, " of ");
		add_type(w, items, out);
	}
	if (json_get_string(schema, "format"))
		buf_addf(out, ", %s", json_get_string(schema, "format"));
}

void
shape_add_type(const cJSON *root, const cJSON *schema, struct buf *out)
{
	enum { LOOKED_AT = 12 };

	add_type(&(struct type_words){ root, LOOKED_AT }, schema, out);
}
