#ifndef SCHEMA_VALUE_SET_PRIV_H
#define SCHEMA_VALUE_SET_PRIV_H

#include "json/doc.h"
#include "pool_priv.h"

/* Values that are no containers, by their hashes: a long enum, alternatives that are constants. */
struct value_set;

enum value_added {
	VALUE_NEW,
	VALUE_KNOWN,
	VALUE_LOST, /* the values collide too much: somebody made them so; the set is of no use */
};

/* Room for so many. */
struct value_set *value_set_create(struct pool **pool, size_t count);
enum value_added value_set_add(struct value_set *set, const cJSON *value);
/* *cost grows as in json_hash_counted(). */
bool value_set_has(const struct value_set *set, const cJSON *value, size_t *cost);

#endif
