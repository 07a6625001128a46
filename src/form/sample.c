/* SPDX-License-Identifier: MIT */
#include "form/sample.h"

#include "base/vec.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/write.h"

#include <string.h>

enum { DEPTH_MOST = 12, ITEMS_MOST = 16, LENGTH_MOST = 4096, VALUES_MOST = 2000 };

struct sample {
	const cJSON *root;
	struct json_writer w;
	int values; /* written so far */
};

static void add_value(struct sample *s, const cJSON *schema, int depth);

/* A definition in the same document; other references are ignored. */
static const cJSON *
follow_ref(const struct sample *s, const cJSON *schema, int depth)
{
	const char *ref = json_get_string(schema, "$ref");

	for (; ref && ref[0] == '#' && depth < DEPTH_MOST; depth++) {
		const cJSON *target = json_pointer_find(s->root, ref + 1);
		if (!target)
			break;
		schema = target;
		ref = json_get_string(schema, "$ref");
	}
	return schema;
}

/* Is there room for one more nested value? */
static bool
may_go_on(const struct sample *s, int depth)
{
	return depth < DEPTH_MOST && s->values < VALUES_MOST;
}

static size_t
schema_bound(const cJSON *schema, const char *key, size_t otherwise, size_t most)
{
	size_t value;

	return json_number_to_size(json_get(schema, key), most, &value) ? value : otherwise;
}

static void
add_string(struct sample *s, const cJSON *schema, int depth)
{
	static const struct {
		const char *format, *text;
	} known[] = {
		{ "email", "ada@example.com" },
		{ "uri", "https://example.com/" },
		{ "date", "2026-07-28" },
		{ "time", "12:00:00Z" },
		{ "date-time", "2026-07-28T12:00:00Z" },
		{ "uuid", "00000000-0000-4000-8000-000000000000" },
		{ "ipv4", "127.0.0.1" },
		{ "hostname", "example.com" },
	};
	const char *format = json_get_string(schema, "format");
	size_t min = schema_bound(schema, "minLength", 0, LENGTH_MOST);
	size_t max = schema_bound(schema, "maxLength", LENGTH_MOST, LENGTH_MOST);
	char text[LENGTH_MOST];

	for (size_t i = 0; format && i < ARRAY_LEN(known); i++) {
		if (strcmp(known[i].format, format) == 0) {
			json_write_string(&s->w, known[i].text);
			return;
		}
	}
	memset(text, 'x', sizeof(text));
	memcpy(text, "text", 4);
	json_write_stringn(&s->w, text, min > 4 ? min : max < 4 ? max : 4);
}

/* 1, or the nearest allowed number. */
static void
add_number(struct sample *s, const cJSON *schema, int depth)
{
	const cJSON *min = json_get(schema, "minimum"), *max = json_get(schema, "maximum"),
		    *above = json_get(schema, "exclusiveMinimum");

	if (json_type(min) == JSON_NUMBER && min->valuedouble > 1)
		json_write_value(&s->w, min);
	else if (json_type(max) == JSON_NUMBER && max->valuedouble < 1)
		json_write_value(&s->w, max);
	else if (json_type(above) == JSON_NUMBER && above->valuedouble >= 1 &&
		 above->valuedouble < 1e15)
		json_write_int(&s->w, (int64_t)above->valuedouble + 1);
	else
		json_write_int(&s->w, 1);
}

static void
add_array(struct sample *s, const cJSON *schema, int depth)
{
	const cJSON *first = json_first(json_get(schema, "prefixItems")),
		    *items = json_get(schema, "items");

	if (json_type(items) == JSON_ARRAY) { /* a tuple in older drafts */
		first = json_first(items);
		items = json_get(schema, "additionalItems");
	}
	size_t wanted = schema_bound(schema, "minItems", items ? 1 : 0, ITEMS_MOST);
	size_t most = schema_bound(schema, "maxItems", ITEMS_MOST, ITEMS_MOST);

	json_write_array(&s->w);
	for (size_t i = 0; (first || i < wanted) && i < most && may_go_on(s, depth); i++) {
		add_value(s, first ? first : items, depth + 1);
		first = first ? first->next : NULL;
	}
	json_write_array_end(&s->w);
}

static void
add_object(struct sample *s, const cJSON *schema, int depth)
{
	json_write_object(&s->w);
	for (const cJSON *p = json_first(json_get(schema, "properties")); p; p = p->next) {
		if (p->string && may_go_on(s, depth)) {
			json_write_key(&s->w, p->string);
			add_value(s, p, depth + 1);
		}
	}
	json_write_object_end(&s->w);
}

/* The value that the schema suggests, or NULL. */
static const cJSON *
suggested_value(const cJSON *schema)
{
	static const char *const values[] = { "const", "default" };
	static const char *const lists[] = { "examples", "enum" };

	for (size_t i = 0; i < 2; i++)
		if (json_get(schema, values[i]))
			return json_get(schema, values[i]);
	for (size_t i = 0; i < 2; i++)
		if (json_first(json_get(schema, lists[i])))
			return json_first(json_get(schema, lists[i]));
	return NULL;
}

static const char *
type_of(const cJSON *schema)
{
	const cJSON *type = json_get(schema, "type");

	for (const cJSON *t = json_first(type); t; t = t->next)
		if (cJSON_GetStringValue(t) && strcmp(cJSON_GetStringValue(t), "null") != 0)
			return cJSON_GetStringValue(t);
	if (cJSON_GetStringValue(type))
		return cJSON_GetStringValue(type);
	if (json_get(schema, "properties"))
		return "object";
	return json_get(schema, "items") ? "array" : NULL;
}

static void
add_value(struct sample *s, const cJSON *schema, int depth)
{
	static const struct {
		const char *type;
		void (*add)(struct sample *s, const cJSON *schema, int depth);
		cJSON always; /* without add() */
	} types[] = {
		{ "string", add_string, { 0 } },
		{ "integer", add_number, { 0 } },
		{ "number", add_number, { 0 } },
		{ "boolean", NULL, { .type = cJSON_True } },
		{ "null", NULL, { .type = cJSON_NULL } },
		{ "array", add_array, { 0 } },
		{ "object", add_object, { 0 } },
	};
	static const char *const groups[] = { "oneOf", "anyOf", "allOf" };

	s->values++;
	schema = follow_ref(s, schema, depth);
	if (suggested_value(schema)) {
		json_write_value(&s->w, suggested_value(schema));
		return;
	}
	const char *type = type_of(schema);
	bool simple = type && strcmp(type, "object") != 0 && strcmp(type, "array") != 0;
	const cJSON *alternative = NULL;
	for (size_t i = 0; i < ARRAY_LEN(groups) && !alternative; i++)
		alternative = json_first(json_get(schema, groups[i]));
	if (alternative && may_go_on(s, depth) && (!type || simple)) {
		add_value(s, alternative, depth + 1);
		return;
	}
	for (size_t i = 0; type && i < ARRAY_LEN(types); i++) {
		if (strcmp(types[i].type, type) == 0) {
			if (types[i].add)
				types[i].add(s, schema, depth);
			else
				json_write_value(&s->w, &types[i].always);
			return;
		}
	}
	json_write_string(&s->w, "text");
}

void
sample_add(struct buf *out, const cJSON *schema)
{
	struct sample s = { .root = schema };

	json_write_init(&s.w, out);
	add_value(&s, schema, 0);
}
