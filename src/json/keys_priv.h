#ifndef JSON_KEYS_PRIV_H
#define JSON_KEYS_PRIV_H

#include "json/doc.h"

/* The members of one object by key; the first of those that share one. */
struct keys {
	const cJSON *object;
	const cJSON **slots; /* NULL: few enough to walk */
	size_t slot_count;
};

/* The parser counts the different keys of an object; of a tree that cJSON made nothing is known. */
static inline bool
keys_are_distinct(const cJSON *object)
{
	return object->valueint > 0 && object->valuedouble == object->valueint;
}

void keys_init(struct keys *keys, const cJSON *object);
void keys_finish(struct keys *keys);
const cJSON *keys_find(const struct keys *keys, const char *key);

#endif
