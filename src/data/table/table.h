/* SPDX-License-Identifier: MIT */
#ifndef DATA_TABLE_TABLE_H
#define DATA_TABLE_TABLE_H

#include "base/text_match.h"
#include "json/rows.h"
#include "data/table.h"

/* The documents and rows of a table, shared with its jobs. */
struct table_source {
	size_t refs; /* references, not counting the first */
	struct json_doc *docs[2];
	const cJSON *schema, *root_schema; /* of the node, and the whole schema; may be NULL */
	const cJSON **rows;
	char **folded; /* names of objects shown as one column */
	size_t folded_count;
	/* Readers of a lazy array, each used by one thread at a time. Columns point to their keys.
	 */
	struct json_reader *cells, *scans[2];
};

/* Copy the rows, the columns and the order (unless it is that of the document) of a table for a
 * job. The thread of the job calls table_copy_begin() before table_scan(). */
void table_copy(const struct table *t, struct table *made);
void table_copy_begin(struct table *made);
/* Put the rows into document order, for jobs to which the order does not matter: scanning lazy rows
 * in another order takes several times as long, because of cache misses. */
void table_copy_unsort(struct table *made);
void table_copy_finish(struct table *made);
static inline size_t
table_copy_index(const struct table *made, size_t nth)
{
	return made->order ? made->order[nth] : nth;
}
/* Rows between two checks whether the job was stopped. */
#define TABLE_ROWS_A_LOOK 512

/* Find and measure the columns in the first `rows` rows. The table can be shown afterwards. */
void columns_find(struct table *t, size_t rows, struct job *job);
/* Return whether the first row of an array of arrays looks like names of columns. */
bool columns_guess_heading(const struct table *t);

/* Return a row in a scan of all rows. A row of a lazy array lives until the next call. */
static inline const cJSON *
table_scan(const struct table *t, size_t row)
{
	return t->rows ? t->rows[row] : json_reader_at(t->scan, row);
}
const cJSON *table_cell_of(const struct table *t, const cJSON *row, size_t column);
/* Return a cell in a scan. Parses only this cell of a row of a lazy array. */
static inline const cJSON *
table_scan_cell(const struct table *t, size_t row, size_t column)
{
	const struct column *c = &t->columns.items[column];

	if (t->rows || c->depth == 0 || t->kind == TABLE_ARRAYS)
		return table_cell_of(t, table_scan(t, row), column);
	return json_reader_member(t->scan, row, c->path, (size_t)c->depth);
}

/* ---- row_filter.c ---- */

/* A text to search in values, and the types of values that can contain it. Numbers are printed only
 * if the text can be part of a number. */
struct row_search {
	struct substring needle;
	bool in_numbers, in_null, in_true, in_false;
	bool is_plain; /* a value with the text has it in its JSON too: json_reader_text() */
};

enum filter_operator {
	FILTER_EQUAL,
	FILTER_UNEQUAL,
	FILTER_LESS,
	FILTER_AT_MOST,
	FILTER_MORE,
	FILTER_AT_LEAST,
	FILTER_CONTAINS,
	FILTER_CONTAINS_NOT,
};

struct filter_value {
	size_t column; /* SIZE_MAX: none */
	bool is_key;   /* of a map's row */
	bool is_missing;
	struct json_doc *doc;
	const cJSON *constant; /* in doc */
};

#define FILTER_NOWHERE SIZE_MAX

/* A filter as an array of nodes; operands come before their operators. */
struct row_filter {
	struct filter_node {
		enum filter_kind {
			FILTER_TEXT, /* the row contains `search` */
			FILTER_COMPARE,
			FILTER_THERE, /* a has a value, which is neither null nor false */
			FILTER_INVALID,
			FILTER_SELECTED,
			FILTER_NOT, /* left */
			FILTER_AND,
			FILTER_OR,
		} kind;
		size_t left, right;
		enum filter_operator operator;
		struct filter_value a, b;
		struct row_search search; /* for FILTER_CONTAINS, too */
	} * items;
	size_t len, cap, root;
};

/* fault may be NULL. After FILTER_LOOK_WRONG there is nothing to finish. */
enum filter_look row_filter_init(
    struct row_filter *f, const struct table *t, const char *text, struct filter_fault *fault);
void row_filter_finish(struct row_filter *f);
/* Return whether a row passes a node of the filter: f->root for all of it. */
bool row_filter_passes(const struct row_filter *f, size_t node, const struct table *t, size_t row);

/* ---- sort.c ---- */

/* Find the rows that pass the filter (NULL: all), and sort them by the keys of the table. */
void rows_order(struct table *t, const struct row_filter *filter, struct job *job);

/* ---- sheet.c ---- */

/* Return the name of the running work, "grouping". */
const char *sheet_work(const struct job *job);
int compare_doubles(const void *a, const void *b); /* for qsort() */

/* ---- columns.c ---- */

/* Facts about the values of a column so far. */
struct column_tally {
	size_t numbers, others; /* not counting null */
	int whole, longest;     /* of numbers: characters before the point, and all */
	bool seen;              /* some row has it */
	bool valued;            /* some row has a value other than null */
	bool required;          /* by the schema */
	bool recurs;            /* its schema is also that of an enclosing object */
};

#endif
