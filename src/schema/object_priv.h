#ifndef SCHEMA_OBJECT_PRIV_H
#define SCHEMA_OBJECT_PRIV_H

#include "schema_priv.h"

/* A name that `properties` or `required` knows. */
struct member {
	const char *name;
	size_t len;
	struct node *node; /* NULL: only required */
	const cJSON *required;
};

struct member_pattern {
	struct regex *regex; /* NULL: cannot be matched, every name is in doubt */
	struct node *node;
};

/* properties, patternProperties, additionalProperties and required, checked in one loop. */
struct object_rules {
	struct member *members;
	size_t count, cap;
	uint32_t *slots; /* member number + 1, open addressing */
	size_t mask;
	uint32_t first_key; /* in the checker's key cache */
	size_t required_count;
	_Atomic uint32_t *following; /* [member + 1]: the one that came next the last time */
	struct member_pattern *patterns;
	size_t pattern_count;
	struct node *additional;
	const struct rule *by_required, *by_additional;
	bool simple; /* no patterns, and a bit for each member: members_hold() can do it */
	uint64_t required_bits; /* where simple */
};

/* items, prefixItems and additionalItems, checked in one loop. */
struct array_rules {
	struct node_list prefix;
	struct node *rest;
	const struct rule *by_rest;
};

/* row.c, without collecting, where the rules are simple: do the members obey? */
bool members_hold(struct checker *c, const struct object_rules *rules, const cJSON *object);
/* Likewise, where there is no prefix. */
bool items_hold(struct checker *c, const struct node *node, const cJSON *array);
void expect_rows(struct checker *c, const cJSON *array);

/* The member a name is, looked for first where the last object had it. *last is the number of the
 * member before, + 1. */
const struct member *member_next(
    struct checker *c, const struct object_rules *rules, const char *name, size_t *last);

/* The member of that name, or NULL. */
const struct member *object_find(const struct object_rules *rules, const char *name);

#endif
