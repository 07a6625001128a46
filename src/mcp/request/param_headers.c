/* SPDX-License-Identifier: MIT */
#include "mcp/param_headers.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/pointer.h"
#include "mcp/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ANNOTATION "x-mcp-header"
#define NAME_MAX_BYTES 200

/* The keywords that hold subschemas. Anything else (const, default, unknown keywords) is data. */
enum subschemas { ONE_SCHEMA, LIST_OF_SCHEMAS, MAP_OF_SCHEMAS };

static const struct {
	const char *keyword;
	enum subschemas form;
} keywords[] = {
	{ "properties", MAP_OF_SCHEMAS },
	{ "patternProperties", MAP_OF_SCHEMAS },
	{ "dependentSchemas", MAP_OF_SCHEMAS },
	{ "dependencies", MAP_OF_SCHEMAS },
	{ "$defs", MAP_OF_SCHEMAS },
	{ "definitions", MAP_OF_SCHEMAS },
	{ "allOf", LIST_OF_SCHEMAS },
	{ "anyOf", LIST_OF_SCHEMAS },
	{ "oneOf", LIST_OF_SCHEMAS },
	{ "prefixItems", LIST_OF_SCHEMAS },
	{ "items", LIST_OF_SCHEMAS },
	{ "items", ONE_SCHEMA },
	{ "additionalItems", ONE_SCHEMA },
	{ "unevaluatedItems", ONE_SCHEMA },
	{ "contains", ONE_SCHEMA },
	{ "additionalProperties", ONE_SCHEMA },
	{ "unevaluatedProperties", ONE_SCHEMA },
	{ "propertyNames", ONE_SCHEMA },
	{ "contentSchema", ONE_SCHEMA },
	{ "not", ONE_SCHEMA },
	{ "if", ONE_SCHEMA },
	{ "then", ONE_SCHEMA },
	{ "else", ONE_SCHEMA },
};
#define KEYWORD_COUNT ARRAY_LEN(keywords)

struct header_reader {
	struct param_headers *headers;
	struct buf pointer; /* of the current property */
	char *problem;
	size_t size;
};

static bool
is_type_allowed(const cJSON *type, bool or_null)
{
	static const char *const names[] = { "string", "integer", "boolean", "null" };
	const char *text = cJSON_GetStringValue(type);

	for (size_t i = 0; text && i < (or_null ? 4 : 3); i++)
		if (strcmp(names[i], text) == 0)
			return true;
	return false;
}

/* string, integer or boolean, or an array of them; "null" only allows leaving the header out. */
static bool
is_primitive(const cJSON *type)
{
	bool any = false;

	if (json_type(type) != JSON_ARRAY)
		return is_type_allowed(type, false);
	for (const cJSON *t = json_first(type); t; t = t->next) {
		if (!is_type_allowed(t, true))
			return false;
		any = any || is_type_allowed(t, false);
	}
	return any;
}

/* Return the flaw of this annotation; NULL: valid. */
static const char *
find_fault(const struct header_reader *r, const cJSON *schema, const cJSON *name, bool reachable)
{
	const char *text = cJSON_GetStringValue(name);

	if (!reachable)
		return "it is not on a property that `properties` alone leads to";
	if (!text)
		return "it is not a string";
	if (!*text)
		return "it is empty";
	if (!*text || text[strspn(text, HTTP_TOKEN)] || strlen(text) > NAME_MAX_BYTES)
		return "it is not a valid header name";
	for (size_t i = 0; i < r->headers->len; i++)
		if (strcasecmp(r->headers->items[i].name, text) == 0)
			return "another annotation has the same name";
	if (!is_primitive(json_get(schema, "type")))
		return "its type is not string, integer or boolean";
	return NULL;
}

static bool
take_annotation(struct header_reader *r, const cJSON *schema, bool reachable)
{
	const cJSON *name = json_get(schema, ANNOTATION);
	const char *fault = name ? find_fault(r, schema, name, reachable) : NULL;

	if (fault) {
		const char *at = buf_text(&r->pointer);
		snprintf(
		    r->problem, r->size, ANNOTATION " at %.60s: %s", *at ? at : "the root", fault);
		return false;
	}
	if (name)
		*VEC_PUSH(r->headers) = (struct param_header){
			.name = mem_strdup(cJSON_GetStringValue(name)),
			.pointer = mem_strdup(buf_text(&r->pointer)),
		};
	return true;
}

static bool read_schema(
    struct header_reader *r, const cJSON *schema, bool is_property, bool on_path);

/* The pointer always names the innermost property, also inside keywords such as anyOf. */
static bool
read_children(struct header_reader *r, const cJSON *holder, bool on_path)
{
	for (const cJSON *child = json_first(holder); child; child = child->next) {
		size_t len = r->pointer.len;
		if (on_path)
			json_pointer_add_key(&r->pointer, child->string);
		bool ok = read_schema(r, child, on_path, on_path);
		buf_truncate(&r->pointer, len);
		if (!ok)
			return false;
	}
	return true;
}

static bool
read_schema(struct header_reader *r, const cJSON *schema, bool is_property, bool on_path)
{
	if (!cJSON_IsObject(schema))
		return true;
	if (!take_annotation(r, schema, is_property))
		return false;
	for (size_t i = 0; i < KEYWORD_COUNT; i++) {
		const cJSON *value = json_get(schema, keywords[i].keyword);
		enum json_type type = json_type(value);
		bool ok = true;
		if (type == JSON_OBJECT && keywords[i].form == MAP_OF_SCHEMAS)
			ok = read_children(r, value, on_path && i == 0);
		else if (type == JSON_ARRAY && keywords[i].form == LIST_OF_SCHEMAS)
			ok = read_children(r, value, false);
		else if (type == JSON_OBJECT && keywords[i].form == ONE_SCHEMA)
			ok = read_schema(r, value, false, false);
		if (!ok)
			return false;
	}
	return true;
}

bool
param_headers_read(struct param_headers *h, const cJSON *input_schema, char *problem, size_t size)
{
	struct header_reader r = { .headers = h, .problem = problem, .size = size };

	*h = (struct param_headers){ 0 };
	bool ok = read_schema(&r, input_schema, false, true);
	buf_finish(&r.pointer);
	if (!ok)
		param_headers_finish(h);
	return ok;
}

void
param_headers_finish(struct param_headers *h)
{
	for (size_t i = 0; i < h->len; i++) {
		free(h->items[i].name);
		free(h->items[i].pointer);
	}
	free(h->items);
	*h = (struct param_headers){ 0 };
}

char *
param_header_value(const cJSON *value)
{
	struct buf out = BUF_INIT;
	char buffer[JSON_NUMBER_TEXT_MAX];
	double number;

	switch (json_type(value)) {
	case JSON_BOOLEAN:
		return mem_strdup(cJSON_IsTrue(value) ? "true" : "false");
	case JSON_NUMBER:
		/* 42.0 and 4.2e1 are the integer 42. Other numbers go out as typed; the server may
		 * reject them. */
		number = value->valuedouble;
		if (json_number_is_integer(value) && number > -0x1p53 && number < 0x1p53)
			return mem_printf("%.0f", number == 0 ? 0.0 : number);
		return mem_strdup(json_number_text(value, buffer));
	case JSON_STRING:
		header_value_add(&out, cJSON_GetStringValue(value));
		return buf_detach(&out);
	default:
		return NULL;
	}
}
