#ifndef SCHEMA_MEMBERS_H
#define SCHEMA_MEMBERS_H

#include "json/keys.h"

#include <stdatomic.h>

/* The names that an object schema declares, found by one look at the hash of a key. */
struct node;
struct pool;
struct regex;
struct rule;

/* A name in `properties` or `required`. */
struct known_member {
	const char *name; /* with its zeros (json/keys.h) */
	struct json_key key;
	struct node *checked_by; /* node, or additional; NULL: neither */
	uint64_t required_bit;         /* 0: not required, or too many are */
	unsigned sure;                 /* types of value that certainly pass checked_by */
	/* Does some pattern match the name? The first check that meets it finds out. */
	_Atomic uint8_t patterned;
	struct node *node; /* NULL: only required */
	const cJSON *required;
};

enum { PATTERNED_UNKNOWN, PATTERNED_NOT, PATTERNED_PERHAPS };

struct member_pattern {
	struct regex *regex; /* NULL: unsupported, so every name is undecided */
	struct node *node;
};

/* properties, patternProperties, additionalProperties and required, checked in one loop. */
struct object_rules {
	/* The fast pass reads these. */
	struct known_member *members;
	struct known_member **slots; /* open addressing; NULL: free */
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
static inline struct known_member *
object_member(const struct object_rules *rules, const cJSON *member)
{
	uint32_t hash = json_key_of(member).hash;
	struct known_member *m;

	/* Texts of different length differ in the zeros behind. */
	for (size_t i = hash & rules->mask; (m = rules->slots[i]); i = (i + 1) & rules->mask)
		if (m->key.hash == hash && json_key_is(m->name, member->string, m->key.len))
			break;
	return m;
}

#endif
