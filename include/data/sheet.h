#ifndef DATA_SHEET_H
#define DATA_SHEET_H

#include "json/doc.h"
#include "data/shape.h"

struct table;

/* Statistics of numbers. The sum is exact if it fits and has at most nine decimals. */
#define STATS_TEXT 32
#define STATS_BARS 8
struct number_stats {
	size_t count, integers;
	double least, most, mean;
	char min[STATS_TEXT], max[STATS_TEXT];
	bool is_rough; /* the sum is the mean times the count */
	int64_t whole, billionths;
};

/* Statistics of a column, over the rows shown. */
struct column_stats {
	size_t column; /* SIZE_MAX: none */
	bool done;
	size_t rows, absent, nulls, strings, booleans, containers;
	size_t empty, trues; /* of strings, of booleans */
	size_t distinct;     /* of scalars */
	bool more_distinct;  /* too many to count */
	struct number_stats numbers;
	char bars[4 * STATS_BARS]; /* a histogram of the numbers */
};

/*
 * A sheet is a table computed from the rows shown of another table, or from arrays. It is an
 * ordinary JSON value, so it can be shown, sorted, filtered and exported.
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
	char *note;                       /* the rows and columns left out; NULL: none */
	char *columns[SHEET_COLUMNS_MAX]; /* names of the columns grouped by */
	size_t column_count;
	char *pointer; /* of the object with the arrays; NULL: made from a table */
};
struct sheet_wish {
	enum sheet_kind kind;
	size_t columns[SHEET_COLUMNS_MAX], column_count; /* to group by */
	/* The object with the arrays to join, and their length. */
	const char *pointer;
	const cJSON *object;
	size_t length;
};
/* Make a sheet. For a long table this takes a job, which calls changed(). */
void table_make_sheet(struct table *t, const struct sheet_wish *wish);
struct sheet *table_take_sheet(struct table *t); /* NULL: not made yet */
void sheet_destroy(struct sheet *s);

#endif
