#ifndef MODEL_SHAPE_H
#define MODEL_SHAPE_H

#include "json/doc.h"

/*
 * The shape of a value: where in it tables are. Nothing is copied: a spot points
 * into the tree and the schema it was found in. A table of it: model/table.h.
 */
enum table_kind {
	TABLE_OBJECTS, /* an array of objects: a column for each member, dotted for nested ones */
	TABLE_ARRAYS,  /* an array of arrays: a column for each index */
	TABLE_MAP,     /* an object of like objects: a row for each member */
	TABLE_SCALARS, /* an array of anything else: one column */
};

struct table_spot {
	char *pointer; /* JSON Pointer in the value */
	const cJSON *node;
	const cJSON *schema; /* of node; NULL when unknown */
	enum table_kind kind;
};

struct table_spots {
	struct table_spot *items;
	size_t len, cap;
};

/* The tables in value, in document order, not looking inside rows; schema may be NULL. Bounded: a
 * value of very many parts is not looked through to its end. */
void shape_find(struct table_spots *spots, const cJSON *value, const cJSON *schema);
void shape_finish(struct table_spots *spots);
/* The one to show first: objects before arrays before maps before scalars, of these the one that
 * is least deep; len when there is none. */
size_t shape_best(const struct table_spots *spots);

/* ---- schemas along the way; root: what "#" means ---- */

/* What says something about the same node as schema does: itself, then what its $ref names and the
 * branches of its allOf, anyOf and oneOf, then theirs. Only $ref within the document. */
#define SCHEMA_BRANCHES_MAX 32
struct schema_branches {
	const cJSON *items[SCHEMA_BRANCHES_MAX]; /* objects, each once */
	size_t len;
};
void schema_branches(struct schema_branches *b, const cJSON *root, const cJSON *schema);

/* What schema says about its values by a keyword like `title`: itself, else what its $ref names or
 * a part of its allOf. NULL: nothing. */
const cJSON *shape_annotation(const cJSON *root, const cJSON *schema, const char *keyword);

/* The schema of a member or of the items; NULL when not known. */
const cJSON *shape_schema_member(const cJSON *root, const cJSON *schema, const char *key);
const cJSON *shape_schema_items(const cJSON *root, const cJSON *schema);

#endif
