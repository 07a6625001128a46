#ifndef DATA_TABLE_TABLE_H
#define DATA_TABLE_TABLE_H

#include "base/text_match.h"
#include "json/rows.h"
#include "data/table.h"

/* What a table and its jobs read. */
struct table_source {
	size_t refs; /* besides the first */
	struct json_doc *docs[2];
	const cJSON *schema, *root_schema; /* of the node, and the one it is in; may be NULL */
	const cJSON **rows;
	char **folded; /* names of objects that are not spread */
	size_t folded_count;
	/* Of a lazy array. Each is used in one thread at a time; columns have keys of the others.
	 */
	struct json_reader *cells, *scans[2];
};

/* For a job that reads the table: its rows and columns, and the order if it is not that of the
 * document. table_scan() works after table_copy_begin(), which the job's thread calls. */
void table_copy(const struct table *t, struct table *made);
void table_copy_begin(struct table *made);
/* Its rows in the order of the document, if theirs does not matter: a scan of lazy rows in another
 * order waits for memory at each, which takes several times as long. */
void table_copy_unsort(struct table *made);
void table_copy_finish(struct table *made);
static inline size_t
table_copy_index(const struct table *made, size_t nth)
{
	return made->order ? made->order[nth] : nth;
}
/* The nth row shown of such a copy. */
const cJSON *table_copy_row(const struct table *made, size_t nth);

/* Rows between two looks at the job. */
#define TABLE_ROWS_A_LOOK 512

/* columns.c: finds the columns, and measures them, in so many of the first rows. Leaves a table
 * that can be shown. */
void columns_find(struct table *t, size_t rows, struct job *job);
/* Does the first row of an array of arrays look like names of columns? */
bool columns_guess_heading(const struct table *t);

/* order.c: the rows by the table's keys and this filter (NULL: all), into order and shown. */
struct row_filter;

/* A row in a scan over all of them; a row of a lazy array lives until the next one. */
static inline const cJSON *
table_scan(const struct table *t, size_t row)
{
	return t->rows ? t->rows[row] : json_reader_at(t->scan, row);
}
const cJSON *table_cell_of(const struct table *t, const cJSON *row, size_t column);
/* A cell in such a scan: of a row of a lazy array nothing else is parsed. */
static inline const cJSON *
table_scan_cell(const struct table *t, size_t row, size_t column)
{
	const struct column *c = &t->columns.items[column];

	if (t->rows || c->depth == 0 || t->kind == TABLE_ARRAYS)
		return table_cell_of(t, table_scan(t, row), column);
	return json_reader_member(t->scan, row, c->path, (size_t)c->depth);
}

/* ---- row_filter.c: does a row pass? ---- */

/* A text to search in values, and the kinds of value that can contain it: numbers are printed only
 * if the text could be part of one. */
struct row_search {
	struct substring needle;
	bool in_numbers, in_null, in_true, in_false;
	bool is_plain; /* the text of a row without it has no such value, json_reader_text() */
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

/* A filter, each node after those it is made of. */
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

/* expression.c. fault may be NULL. After FILTER_LOOK_WRONG there is nothing to finish. */
enum filter_look row_filter_init(
    struct row_filter *f, const struct table *t, const char *text, struct filter_fault *fault);
void row_filter_finish(struct row_filter *f);
bool row_filter_passes(const struct row_filter *f, const struct table *t, size_t row);

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
	bool copies;            /* cells do not outlive sorter_add() */
	size_t progress, share; /* of the job: when sorter_sort() begins, and what it adds */
	struct {
		struct sort_item *items;
		size_t len, cap;
	} cells;
	struct text_block *texts;
};

void sorter_add(struct sorter *s, const cJSON *cell, uint32_t row); /* in row order */
/* Puts the cells in another order before they are sorted: `order` has the index of each. */
void sorter_arrange(struct sorter *s, const uint32_t *order);
/* The rows of the cells in order; the caller frees. */
uint32_t *sorter_sort(struct sorter *s, struct job *job);
void sorter_finish(struct sorter *s);

/* ---- stats.c ---- */

/* A column's statistics, while they are counted; zeroed to begin with. */
struct column_counter {
	struct column_stats stats;
	uint64_t *seen; /* hashes of values; 0 is free */
	size_t size;    /* of seen, a power of 2 */
};
void column_counter_add(struct column_counter *k, const cJSON *cell); /* NULL: absent */
void column_counter_finish(struct column_counter *k);
void number_stats_add(struct number_stats *s, const cJSON *number);

/* Some of many numbers, at even steps: all of them, then every second, every fourth and so on. */
struct number_sample {
	double *items;
	size_t len, cap;
	size_t seen, step; /* numbers, and how many make one that is kept; 0 to begin with */
};
void number_sample_add(struct number_sample *s, double value, size_t max); /* max: even */
/* From the least to the most, a bar for each part of the range; nothing if they are all one. */
void number_sample_add_bars(const struct number_sample *s, int bars, struct buf *out);

/* ---- sheet.c ---- */

/* The work in progress, "grouping". */
const char *sheet_work(const struct job *job);

/* The width of a table's columns, from the cells sampled. */
/* Facts about the values of a column so far. */
struct column_tally {
	size_t numbers, others; /* not counting null */
	int whole, longest;     /* of numbers: digits before the point, and in all */
	bool seen;              /* some row has it */
	bool valued;            /* some row has a value other than null */
	bool required;          /* by the schema */
	bool recurs;            /* its schema is that of an object around it */
};

#endif
