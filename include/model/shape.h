#ifndef MODEL_SHAPE_H
#define MODEL_SHAPE_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * The shape of a value: where in it tables are, and the rows and columns of one.
 * Nothing is copied: a table points into the tree and the schema it was made from.
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

/* All tables in value, not looking inside rows; schema may be NULL. In document order. */
void shape_find(struct table_spots *spots, const cJSON *value, const cJSON *schema);
void shape_finish(struct table_spots *spots);
/* The one to show first: objects before arrays before maps before scalars; len when there is none.
 */
size_t shape_best(const struct table_spots *spots);

/* The schema of a member or an item, following local $ref and the one branch of anyOf/oneOf/allOf
 * that fits; NULL when not known. root: what "#" means. */
const cJSON *shape_schema_member(const cJSON *root, const cJSON *schema, const char *key);
const cJSON *shape_schema_items(const cJSON *root, const cJSON *schema);

#define COLUMN_DEPTH 4 /* nested objects that are spread over columns */
#define COLUMNS_MAX 1000

struct column {
	const char *path[COLUMN_DEPTH]; /* keys; unused ones NULL */
	int depth;    /* 0: the row itself (a row that is no object; the only column of scalars) */
	size_t index; /* of TABLE_ARRAYS */
	char *name;   /* "address.city" */
	bool numeric; /* most of its values are numbers */
	int width;    /* columns it takes, from a sample */
	int fraction; /* digits after the point, with it; 0: none */
};

struct table {
	const cJSON *node;
	enum table_kind kind;
	const cJSON **rows;
	size_t row_count;
	struct {
		struct column *items;
		size_t len, cap;
	} columns;
	uint32_t *order; /* rows shown, sorted and filtered */
	size_t shown;
	size_t sorted_by; /* a column; SIZE_MAX: not sorted */
	bool descending;
	char *filter;      /* NULL: none */
	bool more_columns; /* there are more than COLUMNS_MAX */
};

/* root_schema: the whole schema, for $ref; may be NULL. */
void table_init(struct table *t, const struct table_spot *spot, const cJSON *root_schema);
void table_finish(struct table *t);
/* The value at a row of `rows` (not of `order`); NULL: absent. */
const cJSON *table_cell(const struct table *t, size_t row, size_t column);
/* The object that holds, or would hold, the cell's member; NULL when there is none. */
const cJSON *table_holder(const struct table *t, size_t row, size_t column);
const char *table_row_key(const struct table *t, size_t row); /* of TABLE_MAP; NULL otherwise */
size_t table_find_column(const struct table *t, const char *name); /* SIZE_MAX when there is none */

/* Stable; null and absent come last whichever the direction. column SIZE_MAX: document order. */
void table_sort(struct table *t, size_t column, bool descending);
/* Shows the rows in which a cell contains text, ASCII case ignored; "" or NULL: all. */
void table_filter(struct table *t, const char *text);

#endif
