/* SPDX-License-Identifier: MIT */
#ifndef DATA_TABLE_H
#define DATA_TABLE_H

#include "base/buf.h"
#include "base/job.h"
#include "data/shape.h"
#include "json/doc.h"

struct report;
struct json_reader;

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
/* A table over a JSON array or object: its rows, its columns and the order of its rows. It points
 * into the value and the schema. Jobs find the columns and the order of a long table. */
#define COLUMN_DEPTH 4 /* levels of nested objects with a column for each member */
#define COLUMNS_MAX 1000

struct column {
	const char *path[COLUMN_DEPTH]; /* keys; unused ones NULL; all NULL in TABLE_ARRAYS */
	int depth; /* 0: the row itself (a row that is not an object; the only column of scalars) */
	size_t index;        /* of TABLE_ARRAYS */
	char *name;          /* "address.city" */
	bool numeric;        /* most of its values are numbers */
	bool spread;         /* the members of its objects have columns */
	int width;           /* on the screen: of a sample, at most 40; of the only column 160 */
	int longest;         /* of the sample, at most 160 */
	int spare;           /* part of width that the view added; for the view */
	int asked;           /* the width that the user chose instead; 0: none */
	bool frozen;         /* does not scroll; for the view */
	bool wraps;          /* long values take several lines; for the view */
	int fraction;        /* columns after the integer part: the point and its digits; 0: none */
	size_t wrong;        /* violations in the report */
	const cJSON *schema; /* of its values; NULL if unknown */
};

/* Rows are sorted by the first key; rows equal in it by the next. */
#define SORT_KEYS_MAX 8
struct sort_key {
	size_t column;
	bool descending;
};

/* A set of row indexes; zeroed memory is the empty set. */
struct row_set {
	uint64_t *bits; /* one for each row of the table; NULL: empty */
	size_t count;
};

struct table {
	const cJSON *node;
	enum table_kind kind;
	const cJSON **rows; /* NULL: node is lazy (json/rows.h) */
	struct json_reader *reader,
	    *scan;                   /* of a lazy array: for cells, and for scans of all rows */
	struct table_source *source; /* has the rows and readers, for jobs too */
	const struct report *report; /* table_set_report() */
	const cJSON *arrays;         /* the object whose arrays are joined; NULL: none */
	struct {
		struct table_wrong {
			size_t row, column, violation; /* of the report */
			bool is_inside;                /* inside the cell, not of the cell itself */
		} * items;
		size_t len, cap;
	} wrong; /* of a joined table: table_wrong_at() */
	size_t row_count;
	size_t heading; /* 1: the first row names the columns and is not in `order`; else 0 */
	struct {
		struct column *items;
		size_t len, cap;
	} columns;
	size_t *places; /* the columns shown, in order: table_arrange(); all of them at first */
	size_t place_count;
	char *empty; /* names of declared columns that no row fills, "refs, stat"; NULL if none */
	size_t empty_count;
	bool keeps_empty; /* empty columns are shown too */
	uint32_t *order;  /* the rows shown, sorted and filtered */
	size_t shown;
	struct sort_key keys[SORT_KEYS_MAX];
	size_t key_count;          /* 0: in document order */
	char *filter;              /* NULL if none */
	struct row_set invalid;    /* rows with violations in the report */
	struct row_set selected;   /* by the user; table_select() */
	struct row_set picked;     /* rows selected when the filter was set */
	bool is_inner;             /* table_begin() */
	bool more_columns;         /* there are more than COLUMNS_MAX */
	bool has_columns;          /* all rows were searched for columns */
	bool is_ordered, is_whole; /* order matches keys and filter; order has all rows */
	uint32_t *sorted;          /* the order of all rows while a filter is set; NULL: none */
	struct job *job;           /* running; NULL if none */
	struct job *pick_job;      /* of table_select_matching() */
	struct column_stats stats; /* table_count() */
	struct job *stats_job;
	bool stats_in_job;
	struct sheet *sheet; /* table_make_sheet(); NULL: not made yet */
	struct job *sheet_job;
	struct jobs *jobs; /* table_begin() */
	void (*changed)(void *user);
	void *user;
};

/* Make a table. root_schema: the whole schema, to resolve $ref; may be NULL. Columns are in the
 * order of the schema, then of first appearance. A required property is a column even if no row has
 * it; a declared object that no row has is one column; other declared properties that no row has
 * are listed in `empty`. */
void table_init(struct table *t, const struct table_spot *spot, const cJSON *root_schema);
void table_finish(struct table *t);

/* Make a table to show. If it is long, only its first rows are read before table_begin() returns;
 * jobs read the rest. table_sort() and table_filter() of a long table keep the previous order until
 * their job ends. The table must not move before table_finish(). */
struct table_options {
	const cJSON *root_schema;
	/* The documents of the value and the schema, referenced until the last job ends. */
	struct json_doc *docs[2];
	struct jobs *jobs; /* NULL: without jobs */
	/* Names of objects that stay one column, "customer". */
	char *const *folded;
	size_t folded_count;
	bool keeps_empty; /* show declared columns that no row fills */
	/* Whether the first row of an array of arrays names the columns. */
	enum table_heading { HEADING_GUESSED, HEADING_YES, HEADING_NO } heading;
	const cJSON *arrays;         /* the object whose arrays are joined; NULL: none */
	bool is_inner;               /* opened from a row or another table: not the whole value */
	void (*changed)(void *user); /* a job changed the columns or the order; may be NULL */
	void *user;
};
void table_begin(
    struct table *t, const struct table_spot *spot, const struct table_options *options);
void table_complete(struct table *t); /* finish all work without jobs */
/* Return the name of the running work, "sorting", and its progress; NULL if none. */
const char *table_progress(const struct table *t, unsigned *percent);

/* Set the report on the value, or NULL. Columns count their violations. */
void table_set_report(struct table *t, const struct report *report);
/* Return the violations of a cell of a joined table, those of the cell itself first; NULL: none.
 * The report does not know the nodes of joined tables. */
const struct table_wrong *table_wrong_at(
    const struct table *t, size_t row, size_t column, size_t *count);

/* Show these columns in this order; takes ownership of places. Finding columns shows all again. */
void table_arrange(struct table *t, size_t *places, size_t count);

/* Return a row. Rows and cells of a lazy array live until a few hundred other rows were read. */
const cJSON *table_row(const struct table *t, size_t row);
/* Return the value of a cell, by index into `rows` (not `order`); NULL if absent. A null instead of
 * a nested object is the value of all columns of its members. */
const cJSON *table_cell(const struct table *t, size_t row, size_t column);
/* Return whether the cell is such a null, and the previous column shows it too. */
bool table_cell_is_told(const struct table *t, size_t row, size_t column);
/* Return the innermost existing object on the path of an absent cell, and the missing key. NULL if
 * the path ends in a value that is not an object. */
const cJSON *table_holder(const struct table *t, size_t row, size_t column, const char **key);
const char *table_row_key(const struct table *t, size_t row);      /* for TABLE_MAP; else NULL */
size_t table_find_column(const struct table *t, const char *name); /* SIZE_MAX: not found */
/* Find the row of a JSON Pointer relative to the table's node, and the column that covers most of
 * the rest of the pointer (SIZE_MAX: the row itself). False if there is no such row. */
bool table_find_pointer(const struct table *t, const char *pointer, size_t *row, size_t *column);

/* Sort stably; null and absent come last in either direction. count 0: document order. */
void table_sort(struct table *t, const struct sort_key *keys, size_t count);
/* Return the index of a column in the keys; SIZE_MAX: not a key. */
size_t table_key_of(const struct table *t, size_t column);

/* A filter is an expression if it compares a column of the table, `price > 10 and name ~ "a"`, asks
 * for @invalid or @selected, or begins with a quoted string; row_filter.c has the syntax. Any other
 * filter is a text: it matches rows that contain it in a map's key, in a value or in a key nested
 * in a cell, ignoring ASCII case. */
enum filter_look { FILTER_LOOK_TEXT, FILTER_LOOK_EXPRESSION, FILTER_LOOK_WRONG };
struct filter_fault {
	char text[100];
	size_t at, len; /* bytes of the filter; len 0: its end */
};
enum filter_look table_filter_look(
    const struct table *t, const char *text, struct filter_fault *fault);
/* Set the filter. "", NULL and invalid expressions show all rows. */
void table_filter(struct table *t, const char *text);
/* Append a filter for a cell, `COLUMN = VALUE`, or `!=`; false: not possible. */
bool table_filter_of_cell(
    const struct table *t, size_t row, size_t column, bool negated, struct buf *out);

static inline bool
row_set_has(const struct row_set *s, size_t row)
{
	return s->bits && (s->bits[row / 64] >> row % 64 & 1);
}

void row_set_copy(struct row_set *to, const struct row_set *from, size_t rows);
/* Select or unselect the rows at positions from...to - 1 of `order`. */
void table_select(struct table *t, size_t from, size_t to, bool selected);
void table_select_none(struct table *t);
/* Select the rows shown that pass a filter; in a job if the table is long. */
void table_select_matching(struct table *t, const char *filter);
/* Compute the statistics of a column into `stats`, unless they are there or another job runs. Calls
 * changed() if it takes a job. */
void table_count(struct table *t, size_t column);

/* Make a sheet. For a long table this takes a job, which calls changed(). The caller takes it out
 * of the table. */
void table_make_sheet(struct table *t, const struct sheet_wish *wish);
void sheet_destroy(struct sheet *s);

/* Return whether a string without quotes would look like another value ("3", "null", "[1]", "·") or
 * be invisible (""). */
bool text_is_ambiguous(const char *text);

#endif
