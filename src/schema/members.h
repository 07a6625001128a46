#ifndef SCHEMA_MEMBERS_H
#define SCHEMA_MEMBERS_H

#include "json/keys.h"

/* The names that an object schema declares, found by one look at the hash of a key. */
struct node;
struct pool;
struct regex;
struct rule;

/* A name in `properties` or `required`. */
struct known_member {
	const char *name; /* with its zeros (json/keys.h) */
	struct json_key key;
	struct node *node;     /* NULL: only required */
	uint64_t required_bit; /* 0: not required, or too many are */
	const cJSON *required;
	unsigned sure; /* types of value that node certainly accepts; all if it is NULL */
};

struct member_pattern {
	struct regex *regex; /* NULL: unsupported, so every name is undecided */
	struct node *node;
};

/* properties, patternProperties, additionalProperties and required, checked in one loop. */
struct object_rules {
	/* The fast pass reads these. */
	struct known_member *members;
	struct member_slot {
		uint32_t hash, number; /* of the member, + 1; 0: free */
	} * slots;                     /* open addressing */
	size_t mask;
	struct node *additional;
	size_t pattern_count;
	uint64_t required_bits;
	unsigned sure;     /* types of value that a member without a schema of its own may have */
	bool few_required; /* each has a bit */

	size_t count, cap, required_count;
	struct member_pattern *patterns;
	const struct rule *by_required, *by_additional;
};

void object_rules_init(struct object_rules *rules);
/* The member with that name, added if it is new. */
struct known_member *object_add(struct pool **pool, struct object_rules *rules, const char *name);
/* The member with that name, or NULL. */
const struct known_member *object_find(const struct object_rules *rules, const char *name);

/* The same for the name of a member of a value. */
static inline const struct known_member *
object_member(const struct object_rules *rules, const cJSON *member)
{
	const struct json_key key = json_key_of(member);

	for (size_t i = key.hash & rules->mask; rules->slots[i].number; i = (i + 1) & rules->mask) {
		if (rules->slots[i].hash != key.hash)
			continue;
		const struct known_member *m = &rules->members[rules->slots[i].number - 1];
		if (m->key.len == key.len && json_key_is(m->name, member->string, key.len))
			return m;
	}
	return NULL;
}

#endif
