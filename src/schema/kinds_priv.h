#ifndef SCHEMA_KINDS_PRIV_H
#define SCHEMA_KINDS_PRIV_H

#include "schema_priv.h"

/*
 * What tells the branches of an anyOf or oneOf apart: a property, or a property
 * of a property, for which branches list the values it may have, themselves, in
 * allOf or behind a $ref. The checker looks up the few branches that a value
 * may match, and messages name that property.
 */
#define KINDS_DEPTH 3

/* Numbers of branches, ascending. */
struct branches {
	uint32_t *items;
	size_t len;
};

struct kind {
	const cJSON *value;       /* a constant of at least one branch; NULL: an empty slot */
	struct branches branches; /* of all that may match such a value, the others included */
};

struct kinds {
	const char *path[KINDS_DEPTH];
	unsigned depth;
	size_t named;            /* branches that list values */
	struct branches missing; /* that may match an object without the property */
	struct branches others;  /* that list no values */
	struct kind *slots;
	size_t mask;
};

/* NULL if nothing tells the branches of list apart. holder: the node that has the anyOf or oneOf.
 * *work goes down by what is looked at; at 0 nothing is. */
const struct kinds *kinds_create(
    struct pool **pool, const struct node *holder, const struct node_list *list, size_t *work);
/* The property in an object. NULL: it is not there; *blocked: something else stands where it would
 * be. */
const cJSON *kinds_property(const struct kinds *kinds, const cJSON *object, bool *blocked);
/* The branches that may match an object; NULL: all of them. *cost grows by the work done. */
const struct branches *kinds_branches(const struct kinds *kinds, const cJSON *object, size_t *cost);
/* const, or enum, that a branch demands of the property; NULL if it demands none. */
const struct rule *kinds_names(const struct kinds *kinds, const struct node *branch);
/* const, or enum, that node demands in any case; NULL if it demands none. */
const struct rule *node_constant(const struct node *node);

#endif
