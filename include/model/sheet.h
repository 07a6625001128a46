#ifndef MODEL_SHEET_H
#define MODEL_SHEET_H

#include "json/doc.h"
#include "model/shape.h"

struct table;

/* Some numbers. The sum is exact while it has at most nine decimals and fits. */
#define STATS_TEXT 32
struct number_stats {
	size_t count, integers;
	double least, most, mean;
	char min[STATS_TEXT], max[STATS_TEXT];
	bool is_rough; /* the sum is the mean times the count */
	int64_t whole, billionths;
};

/* What the shown rows have in a column. */
struct column_stats {
	size_t column; /* SIZE_MAX: none is counted */
	bool done;
	size_t rows, absent, nulls, strings, booleans, containers;
	size_t empty, trues; /* of strings, of booleans */
	size_t distinct;     /* of scalars */
	bool more_distinct;  /* too many to count */
	struct number_stats numbers;
};

/*
 * A sheet is a table made of the shown rows of another: a JSON value like any other, so it is
 * shown, sorted, filtered and exported like any other.
 */
enum sheet_kind {
	SHEET_STATISTICS, /* a row for each column */
	SHEET_FREQUENCY,  /* a row for each value of a column */
	SHEET_GROUPS,     /* for each combination of values, with sums of the other columns */
	SHEET_TRANSPOSED, /* columns as rows */
};
#define SHEET_COLUMNS_MAX 8
struct sheet {
	enum sheet_kind kind;
	struct json_doc *doc;
	enum table_kind shape;            /* of its root */
	char *note;                       /* what it leaves out; NULL: nothing */
	char *columns[SHEET_COLUMNS_MAX]; /* names of those that make the groups */
	size_t column_count;
};
/* Makes it, of a long table in a job that then calls changed(); columns: those that make the
 * groups. */
void table_make_sheet(struct table *t, enum sheet_kind kind, const size_t *columns, size_t count);
struct sheet *table_take_sheet(struct table *t); /* NULL: there is none yet */
void sheet_destroy(struct sheet *s);

#endif
