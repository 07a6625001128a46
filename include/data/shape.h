/* SPDX-License-Identifier: MIT */
#ifndef DATA_SHAPE_H
#define DATA_SHAPE_H

#include "json/doc.h"

/*
 * The tables in a value. Copies nothing: a spot points into the tree and schema it was found in.
 * data/table.h makes a table of it.
 */
enum table_kind {
	TABLE_OBJECTS, /* an array of objects: a column for each member, nested ones by dotted path
			*/
	TABLE_ARRAYS,  /* an array of arrays: a column for each index */
	TABLE_MAP,     /* an object of like objects: a row for each member */
	TABLE_SCALARS, /* an array of anything else: one column */
	TABLE_RECORD,  /* an object as the only row; never found by shape_find() */
};

struct table_spot {
	char *pointer; /* JSON Pointer in the value */
	const cJSON *node;
	const cJSON *schema; /* of node; NULL if unknown */
	enum table_kind kind;
};

struct table_spots {
	struct table_spot *items;
	size_t len, cap;
};

/* Finds the tables in value, in document order, without descending into rows; schema may be
 * NULL. Bounded: the search stops early in a value with very many nodes. */
void shape_find(struct table_spots *spots, const cJSON *value, const cJSON *schema);
void shape_finish(struct table_spots *spots);
/* The table to show first: objects before arrays before maps before scalars, then the least
 * deep. Return spots->len if the list is empty. */
size_t shape_best(const struct table_spots *spots);

/* ---- schemas along the path; root resolves "#" ---- */

/* All subschemas that apply to the same node as schema: itself, then the targets of its $ref and
 * the branches of its allOf, anyOf and oneOf, then theirs. Follows $ref only within the
 * document. */
#define SCHEMA_BRANCHES_MAX 32
struct schema_branches {
	const cJSON *items[SCHEMA_BRANCHES_MAX]; /* objects, each once */
	size_t len;
};
void schema_branches(struct schema_branches *b, const cJSON *root, const cJSON *schema);

/* The value of an annotation such as `title`: the schema's own, else that of its $ref or of a
 * branch of allOf. NULL if none. */
const cJSON *shape_annotation(const cJSON *root, const cJSON *schema, const char *keyword);

/* The schema in short: "array of object", "integer or null", "one of a, b". */
void shape_add_type(const cJSON *root, const cJSON *schema, struct buf *out);

/* The schema of a member or of the items; NULL if unknown. */
const cJSON *shape_schema_member(const cJSON *root, const cJSON *schema, const char *key);
const cJSON *shape_schema_items(const cJSON *root, const cJSON *schema);

#endif
