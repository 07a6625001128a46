#ifndef JSON_KEYS_H
#define JSON_KEYS_H

#include "json/doc.h"

/* The members of one object by key; the last of those that share one, as nearly every reader of
 * JSON has it. */
struct json_keys {
	const cJSON *object;
	const cJSON **slots; /* NULL: few enough to walk */
	size_t slot_count;
};

/* The parser counts the different keys of an object; of a tree that cJSON made nothing is known. */
static inline bool
json_keys_are_distinct(const cJSON *object)
{
	return object->valueint > 0 && object->valuedouble == object->valueint;
}

/* A key that is there twice counts once. */
static inline size_t
json_keys_count(const cJSON *object)
{
	return object->valueint > 0 ? (size_t)object->valuedouble : json_count(object);
}

void json_keys_init(struct json_keys *keys, const cJSON *object);
void json_keys_finish(struct json_keys *keys);
const cJSON *json_keys_find(const struct json_keys *keys, const char *key);

#endif
