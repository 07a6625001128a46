#ifndef DATA_SHEET_H
#define DATA_SHEET_H

#include "json/doc.h"
#include "data/shape.h"

struct table;

/* Some numbers. The sum is exact while it has at most nine decimals and fits. */
#define STATS_TEXT 32
#define STATS_BARS 8
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
	char bars[4 * STATS_BARS]; /* of the numbers, how many are in each part of their range */
};

/*
 * A sheet is a table made of the shown rows of another, or of arrays: a JSON value like any other,
 * so it is shown, sorted, filtered and exported like any other.
 */
enum sheet_kind {
	SHEET_STATISTICS, /* a row for each column */
	SHEET_FREQUENCY,  /* a row for each value of a column */
	SHEET_GROUPS,     /* for each combination of values, with sums of the other columns */
	SHEET_TRANSPOSED, /* columns as rows */
	SHEET_JOINED,     /* arrays of one length in an object, a column each */
};
#define SHEET_COLUMNS_MAX 8
struct sheet {
	enum sheet_kind kind;
	struct json_doc *doc;
	enum table_kind shape;            /* of its root */
	char *note;                       /* what it leaves out; NULL: nothing */
	char *columns[SHEET_COLUMNS_MAX]; /* names of those that make the groups */
	size_t column_count;
	char *pointer; /* of the object that the arrays are in; NULL: it is not of arrays */
};
struct sheet_wish {
	enum sheet_kind kind;
	size_t columns[SHEET_COLUMNS_MAX], column_count; /* that make the groups */
	/* The object with the arrays to join, and their length. */
	const char *pointer;
	const cJSON *object;
	size_t length;
};
/* Makes it, of a long table in a job that then calls changed(). */
void table_make_sheet(struct table *t, const struct sheet_wish *wish);
struct sheet *table_take_sheet(struct table *t); /* NULL: there is none yet */
void sheet_destroy(struct sheet *s);

#endif
