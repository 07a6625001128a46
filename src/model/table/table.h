#ifndef MODEL_TABLE_TABLE_H
#define MODEL_TABLE_TABLE_H

#include "json/rows.h"
#include "model/table.h"

/* Rows that are looked at in one go, which takes some milliseconds. */
#define TABLE_SLICE ((size_t)32768)

/* Violations counted in one go. */
#define COUNT_SLICE ((size_t)2000)

/* table_columns.c: finds the columns of a table whose rows are known, and measures them. */
void finding_begin(struct table *t, const struct table_spot *spot, const cJSON *root_schema);
void finding_work(struct table *t, size_t rows); /* ends it after the last row */
void finding_drop(struct table *t);
unsigned finding_percent(const struct table *t);

/* table_order.c: filters and sorts as the table says. */
void ordering_work(struct table *t, size_t rows);
void ordering_drop(struct table *t);
unsigned ordering_percent(const struct table *t);

/* A row while going through all of them: of a lazy array it lives until the next one. */
static inline const cJSON *
table_scan(const struct table *t, size_t row)
{
	return t->rows ? t->rows[row] : json_reader_at(t->scan, row);
}
const cJSON *table_cell_of(const struct table *t, const cJSON *row, size_t column);

/* table_filter.c */
struct search;

/* A cell as it is sorted: by place, then by key, then by text. */
struct sort_item {
	uint64_t key;
	const char *text; /* of what the key does not tell all; NULL: it does */
	uint32_t row;
	uint8_t rank, place; /* what kind of value it is, and which kinds come first */
};

/* Sorts cells, a part of the work at a time: runs of them, then two runs into one. Stable; null and
 * absent come last whichever the direction. */
struct sorter {
	bool descending;
	bool copies; /* cells do not outlive sorter_add() */
	struct {
		struct sort_item *items;
		size_t len, cap;
	} cells;
	struct sort_item *spare; /* as many; NULL before sorting */
	size_t width;            /* of the runs that are sorted; 0: not all are */
	size_t at;               /* how far the pass has come */
	size_t left, right;      /* in the two runs being merged */
	struct text_block *texts;
};

void sorter_finish(struct sorter *s);
void sorter_reserve(struct sorter *s, size_t cells);                /* before the first is added */
void sorter_add(struct sorter *s, const cJSON *cell, uint32_t row); /* in the order of rows */
/* Goes on with about so many cells. True: they are sorted. */
bool sorter_work(struct sorter *s, size_t cells);
unsigned sorter_percent(const struct sorter *s); /* of the sorting */

/* How wide the columns of a table are to be, by the cells that were looked at. */
/* What the values of a column have shown so far. */
struct column_tally {
	size_t numbers, others; /* not counting null */
	int whole, longest;     /* of the numbers: columns before the point, and in all */
	bool seen;              /* some row has it */
	bool valued;            /* and more than null */
	bool required;          /* by the schema */
};

void column_measure(struct column *column, struct column_tally *tally, const cJSON *cell);
/* only: of a table's only column, which may be wider. */
void column_settle(struct column *column, const struct column_tally *tally, bool only);

#endif
