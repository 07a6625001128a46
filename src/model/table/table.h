#ifndef MODEL_TABLE_TABLE_H
#define MODEL_TABLE_TABLE_H

#include "json/rows.h"
#include "model/table.h"

/* What a table and its jobs read. */
struct table_source {
	size_t refs; /* besides the first */
	struct json_doc *docs[2];
	const cJSON *schema, *root_schema; /* of the node, and the one it is in; may be NULL */
	const cJSON **rows;
	/* Of a lazy array. Each is used in one thread at a time; columns have keys of the others.
	 */
	struct json_reader *cells, *scans[2];
};

void table_source_release(struct table_source *src);

/* Rows between two looks at the job. */
#define TABLE_ROWS_A_LOOK 512

/* columns.c: finds the columns, and measures them, in so many of the first rows. Leaves a table
 * that can be shown. */
void columns_find(struct table *t, size_t rows, struct job *job);

/* order.c: the rows by the table's sort and filter, into order and shown. */
void rows_order(struct table *t, struct job *job);

/* A row in a scan over all of them; a row of a lazy array lives until the next one. */
static inline const cJSON *
table_scan(const struct table *t, size_t row)
{
	return t->rows ? t->rows[row] : json_reader_at(t->scan, row);
}
const cJSON *table_cell_of(const struct table *t, const cJSON *row, size_t column);

/* A cell to sort: by place, then key, then text. */
struct sort_item {
	uint64_t key;
	const char *text; /* if the key does not hold all of the value; else NULL */
	uint32_t row;
	uint8_t rank, place; /* the kind of value, and its place in the order of kinds */
};

/* Sorts cells. Stable; null and absent come last in either direction. */
struct sorter {
	bool descending;
	bool copies; /* cells do not outlive sorter_add() */
	struct {
		struct sort_item *items;
		size_t len, cap;
	} cells;
	struct text_block *texts;
};

void sorter_add(struct sorter *s, const cJSON *cell, uint32_t row); /* in row order */
/* The rows of the cells in order; the caller frees. The job's progress goes from 50 to 100. */
uint32_t *sorter_sort(struct sorter *s, struct job *job);
void sorter_finish(struct sorter *s);

/* The width of a table's columns, from the cells sampled. */
/* Facts about the values of a column so far. */
struct column_tally {
	size_t numbers, others; /* not counting null */
	int whole, longest;     /* of numbers: digits before the point, and in all */
	bool seen;              /* some row has it */
	bool valued;            /* some row has a value other than null */
	bool required;          /* by the schema */
};

void column_measure(struct column *column, struct column_tally *tally, const cJSON *cell);
/* only: the only column of a table may be wider. */
void column_settle(struct column *column, const struct column_tally *tally, bool only);

#endif
