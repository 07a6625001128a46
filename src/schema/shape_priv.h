#ifndef SCHEMA_SHAPE_PRIV_H
#define SCHEMA_SHAPE_PRIV_H

#include "schema/field.h"

#define SHAPE_PARTS 16

struct choice {
	const cJSON *value;
	const char *label; /* NULL: the value itself */
};

/*
 * What one schema asks for, compiled once and shared by all fields made from it. Its parts are the
 * schema itself, what it refers to and what allOf and trivial anyOf add: a keyword is looked up
 * in them in that order.
 */
struct shape {
	const cJSON *schema; /* NULL: anything */
	const cJSON *parts[SHAPE_PARTS];
	unsigned part_count;
	bool overflowed; /* more parts than there is room for */
	enum field_kind kind;
	bool nullable;
	const char *unresolved; /* a $ref that leads nowhere */
	const cJSON *variants;  /* anyOf or oneOf that no widget expresses */
	struct {
		struct choice *items;
		size_t len, cap;
	} choices;
};

/* shape.c */
const cJSON *shape_get(
    const struct shape *shape, const char *keyword); /* in the first part with it */
const char *shape_get_string(const struct shape *shape, const char *keyword);
void shape_decide(struct shape *shape); /* its kind and choices, once the parts are there */

/* field.c */
void shape_choice_label(const struct shape *shape, size_t index, struct buf *out);

/* shape_parts.c: references are resolved in root */
void shape_add_part(struct shape *shape, const cJSON *root, const cJSON *schema);
bool is_null_schema(const cJSON *schema); /* {type: null} and its like */

#endif
