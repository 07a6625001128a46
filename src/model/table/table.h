#ifndef MODEL_TABLE_TABLE_H
#define MODEL_TABLE_TABLE_H

#include "json/rows.h"
#include "model/table.h"

/* Rows processed per slice, which takes some milliseconds. */
#define TABLE_SLICE ((size_t)32768)

/* Violations counted per slice. */
#define COUNT_SLICE ((size_t)2000)

/* columns.c: finds the columns of a table whose rows are known, and measures them. */
void finding_begin(struct table *t, const struct table_spot *spot, const cJSON *root_schema);
void finding_work(struct table *t, size_t rows); /* ends it after the last row */
void finding_drop(struct table *t);
unsigned finding_percent(const struct table *t);

/* order.c: applies the table's sort and filter. */
void ordering_work(struct table *t, size_t rows);
void ordering_drop(struct table *t);
unsigned ordering_percent(const struct table *t);

/* A row in a scan over all of them; a row of a lazy array lives until the next one. */
static inline const cJSON *
table_scan(const struct table *t, size_t row)
{
	return t->rows ? t->rows[row] : json_reader_at(t->scan, row);
}
const cJSON *table_cell_of(const struct table *t, const cJSON *row, size_t column);

/* order.c: the filter */
struct row_search;

/* A cell to sort: by place, then key, then text. */
struct sort_item {
	uint64_t key;
	const char *text; /* if the key does not hold all of the value; else NULL */
	uint32_t row;
	uint8_t rank, place; /* the kind of value, and its place in the order of kinds */
};

/* Sorts cells in slices: first each run, then merges pairs of runs. Stable; null and absent come
 * last in either direction. */
struct sorter {
	bool descending;
	bool copies; /* cells do not outlive sorter_add() */
	struct {
		struct sort_item *items;
		size_t len, cap;
	} cells;
	struct sort_item *spare; /* of the same size; NULL before sorting */
	size_t width;            /* of the sorted runs; 0: not all are sorted */
	size_t at;               /* progress of the pass */
	size_t left, right;      /* positions in the two runs being merged */
	struct text_block *texts;
};

void sorter_finish(struct sorter *s);
void sorter_reserve(struct sorter *s, size_t cells);                /* before the first is added */
void sorter_add(struct sorter *s, const cJSON *cell, uint32_t row); /* in row order */
/* Continues with about this many cells. True if they are sorted. */
bool sorter_work(struct sorter *s, size_t cells);
unsigned sorter_percent(const struct sorter *s); /* of the sorting */

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
