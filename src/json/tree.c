#include "json/rows.h"

#include <string.h>

enum json_type
json_type(const cJSON *node)
{
	if (!node)
		return JSON_ABSENT;
	switch (node->type & 0xff) {
	case cJSON_NULL:
		return JSON_NULL;
	case cJSON_False:
	case cJSON_True:
		return JSON_BOOLEAN;
	case cJSON_Number:
		return JSON_NUMBER;
	case cJSON_String:
		return JSON_STRING;
	case cJSON_Array:
		return JSON_ARRAY;
	case cJSON_Object:
		return JSON_OBJECT;
	default:
		return JSON_ABSENT;
	}
}

const char *
json_type_name(enum json_type type)
{
	static const char *const names[] = {
		[JSON_ABSENT] = "absent",
		[JSON_NULL] = "null",
		[JSON_BOOLEAN] = "boolean",
		[JSON_NUMBER] = "number",
		[JSON_STRING] = "string",
		[JSON_ARRAY] = "array",
		[JSON_OBJECT] = "object",
	};

	return names[type];
}

const cJSON *
json_get(const cJSON *object, const char *key)
{
	if (json_type(object) != JSON_OBJECT)
		return NULL;
	for (const cJSON *child = object->child; child; child = child->next)
		if (child->string == key || strcmp(child->string, key) == 0)
			return child;
	return NULL;
}

const char *
json_string(const cJSON *node)
{
	return json_type(node) == JSON_STRING ? node->valuestring : NULL;
}

const char *
json_get_string(const cJSON *object, const char *key)
{
	return json_string(json_get(object, key));
}

bool
json_is_true(const cJSON *node)
{
	return node && (node->type & 0xff) == cJSON_True;
}

size_t
json_count(const cJSON *container)
{
	const cJSON *child = json_first(container);

	if (!child)
		return json_is_lazy(container) ? (size_t)container->valueint : 0;
	if (container->valueint > 0)
		return (size_t)container->valueint;
	size_t count = 0; /* a tree that cJSON made */
	for (; child; child = child->next)
		count++;
	return count;
}

const cJSON *
json_first(const cJSON *container)
{
	enum json_type type = json_type(container);

	return type == JSON_ARRAY || type == JSON_OBJECT ? container->child : NULL;
}
