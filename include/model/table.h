#ifndef MODEL_TABLE_H
#define MODEL_TABLE_H

#include "model/shape.h"

struct report;
struct json_reader;

/* A table made of a spot: rows, columns and the order in which rows are shown. Points into the tree
 * and the schema it was made from. */
#define COLUMN_DEPTH 4 /* nested objects that are spread over columns */
#define COLUMNS_MAX 1000

struct column {
	const char *path[COLUMN_DEPTH]; /* keys; unused ones NULL; all NULL in TABLE_ARRAYS */
	int depth;    /* 0: the row itself (a row that is no object; the only column of scalars) */
	size_t index; /* of TABLE_ARRAYS */
	char *name;   /* "address.city" */
	bool numeric; /* most of its values are numbers */
	bool spread;  /* an object in it has columns of its own */
	int width;    /* columns it takes, from a sample, within a bound */
	int longest;  /* and without that bound */
	int spare;    /* of width: lent by who draws it */
	int fraction; /* digits after the point, with it; 0: none */
	size_t wrong; /* violations in it that the report keeps */
	const cJSON *schema; /* of its values; NULL: not known */
};

struct table {
	const cJSON *node;
	enum table_kind kind;
	const cJSON **rows; /* NULL: node is lazy (json/rows.h) */
	struct json_reader *reader,
	    *scan;                   /* of a lazy one: for cells, and to go through all rows */
	const struct report *report; /* table_set_report() */
	size_t counted;              /* violations of it that columns know of */
	size_t row_count;
	struct {
		struct column *items;
		size_t len, cap;
	} columns;
	char *empty; /* names of declared columns that no row fills, "refs, stat"; NULL: none */
	size_t empty_count;
	uint32_t *order; /* rows shown, sorted and filtered */
	size_t shown;
	size_t sorted_by; /* a column; SIZE_MAX: not sorted */
	bool descending;
	char *filter;              /* NULL: none */
	bool more_columns;         /* there are more than COLUMNS_MAX */
	struct finding *finding;   /* columns, under way; NULL: all are found */
	struct ordering *ordering; /* under way; NULL: order is as sorted_by and filter say */
};

/* root_schema: the whole schema, for $ref; may be NULL. Columns are in the schema's order, then as
 * first seen; what the schema requires is a column even if no row has it. An object that no row has
 * is one column, and what else no row has is none: see `empty`. */
void table_init(struct table *t, const struct table_spot *spot, const cJSON *root_schema);
void table_finish(struct table *t);

/* The same, but of a long table only the first rows are looked at: go on with table_work(). Sorting
 * and filtering are begun by table_sort() and table_filter() in the same way; until they are
 * through the order is the one before. */
void table_begin(struct table *t, const struct table_spot *spot, const cJSON *root_schema);
bool table_work(struct table *t);     /* some milliseconds' worth; false: nothing is left */
void table_complete(struct table *t); /* all that is left */
/* What is under way, "sorting", and how much of it is done; NULL: nothing. */
const char *table_progress(const struct table *t, unsigned *percent);

/* What is said of the value; NULL: nothing. Columns count their violations, those of very many in
 * table_work(). */
void table_set_report(struct table *t, const struct report *report);

/* Of a lazy array the row lives until a few hundred others were looked at, as do its cells. */
const cJSON *table_row(const struct table *t, size_t row);
/* The value at a row of `rows` (not of `order`); NULL: absent. Where a nested object is null, that
 * null is the value of all its columns. */
const cJSON *table_cell(const struct table *t, size_t row, size_t column);
/* The cell is such a null, and the column before shows it already. */
bool table_cell_is_told(const struct table *t, size_t row, size_t column);
/* Of an absent cell: the innermost object on the way to it, and the key which that one lacks. NULL:
 * the way ends in something that is no object. */
const cJSON *table_holder(const struct table *t, size_t row, size_t column, const char **key);
const char *table_row_key(const struct table *t, size_t row); /* of TABLE_MAP; NULL otherwise */
size_t table_find_column(const struct table *t, const char *name); /* SIZE_MAX: there is none */
/* The row that a JSON Pointer relative to the table's node leads to, and the column that shows most
 * of the rest of it (SIZE_MAX: the row itself). False: it leads to no row. */
bool table_find_pointer(const struct table *t, const char *pointer, size_t *row, size_t *column);

/* Stable; null and absent come last whichever the direction. column SIZE_MAX: document order. */
void table_sort(struct table *t, size_t column, bool descending);
/* Shows the rows with text in a key of a map, a value, or a key deep inside a cell; ASCII case
 * ignored; "" or NULL: all. */
void table_filter(struct table *t, const char *text);

/* A string that, drawn bare, would be taken for something else ("3", "null", "[1]", "·") or not be
 * seen at all (""). */
bool text_is_ambiguous(const char *text);

#endif
