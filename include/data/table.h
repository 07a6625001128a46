#ifndef DATA_TABLE_H
#define DATA_TABLE_H

#include "data/sheet.h"

#include "base/buf.h"
#include "base/job.h"

struct report;
struct json_reader;

/* A table made of a spot: its rows, columns and the order of the rows. Points into the tree and
 * schema it was made from. A long table is worked on in jobs. */
#define COLUMN_DEPTH 4 /* levels of nested objects that are spread over columns */
#define COLUMNS_MAX 1000

struct column {
	const char *path[COLUMN_DEPTH]; /* keys; unused ones NULL; all NULL in TABLE_ARRAYS */
	int depth; /* 0: the row itself (a row that is not an object; the only column of scalars) */
	size_t index; /* of TABLE_ARRAYS */
	char *name;   /* "address.city" */
	bool numeric; /* most of its values are numbers */
	bool spread;  /* objects in it have columns of their own */
	int width;    /* on the screen, from a sample, bounded */
	int longest;  /* the same without the bound */
	int spare;    /* part of width that the caller that draws has lent to it */
	int asked;    /* a width that the user chose, in place of width; 0: none */
	bool frozen;  /* stays on the screen while others scroll; for the caller that draws */
	bool wraps;   /* long values take several lines; for the caller that draws */
	int fraction; /* digits after the point, including it; 0 if none */
	size_t wrong; /* violations the report keeps of it */
	const cJSON *schema; /* of its values; NULL if unknown */
};

/* The order of the rows: by the first key, equal ones by the next. */
#define SORT_KEYS_MAX 8
struct sort_key {
	size_t column;
	bool descending;
};

/* Rows by their index; zeroed memory is none of them. */
struct row_set {
	uint64_t *bits; /* of all rows of the table; NULL: none */
	size_t count;
};

struct table {
	const cJSON *node;
	enum table_kind kind;
	const cJSON **rows;                /* NULL: node is lazy (json/rows.h) */
	struct json_reader *reader, *scan; /* of a lazy array: for cells, to scan all rows */
	struct table_source *source;       /* has the rows and readers, for jobs too */
	const struct report *report;       /* table_set_report() */
	const cJSON *arrays; /* the object whose arrays are joined; NULL: it is no such table */
	struct {
		struct table_wrong {
			size_t row, column, violation; /* of the report */
			bool is_inside;                /* the cell, not at it */
		} * items;
		size_t len, cap;
	} wrong; /* of a joined table: table_wrong_at() */
	size_t row_count;
	size_t heading; /* 1: the first row names the columns, `order` is without it; else 0 */
	struct {
		struct column *items;
		size_t len, cap;
	} columns;
	size_t *places; /* the columns shown, in order: table_arrange(); all of them at first */
	size_t place_count;
	char *empty; /* names of declared columns that no row fills, "refs, stat"; NULL if none */
	size_t empty_count;
	bool keeps_empty; /* these are columns nevertheless */
	uint32_t *order;  /* the rows shown, sorted and filtered */
	size_t shown;
	struct sort_key keys[SORT_KEYS_MAX];
	size_t key_count;        /* 0: in document order */
	char *filter;            /* NULL if none */
	struct row_set invalid;  /* have violations that the report keeps */
	struct row_set selected; /* by the user; table_select() */
	struct row_set picked;   /* those selected when the filter was set */
	bool is_inner;           /* table_begin() */
	bool more_columns;       /* there are more than COLUMNS_MAX */
	bool has_columns;        /* all of them: every row was looked at */
	bool is_ordered,
	    is_whole;         /* order is what sort and filter ask for; has all rows, by keys */
	uint32_t *sorted;     /* that order, while a filter leaves fewer; NULL: none */
	struct job *job;      /* under way; NULL if none */
	struct job *pick_job; /* of table_select_matching() */
	struct column_stats stats; /* table_count() */
	struct job *stats_job;
	bool stats_in_job;
	struct sheet *sheet; /* table_make_sheet() */
	struct job *sheet_job;
	struct jobs *jobs; /* table_begin() */
	void (*changed)(void *user);
	void *user;
};

/* root_schema: the whole schema, for $ref; may be NULL. Columns come in the schema's order, then
 * in the order of first appearance; a required property is a column even if no row has it. An
 * object that no row has is one column; any other declared property that no row has is listed in
 * `empty`. */
void table_init(struct table *t, const struct table_spot *spot, const cJSON *root_schema);
void table_finish(struct table *t);

/* The same for a table that is shown: of a long one only the first rows are looked at before it
 * returns. The rest is done in jobs, also after table_sort() and table_filter(), which keep the
 * previous order until then. Before table_finish() the table must not move. */
struct table_options {
	const cJSON *root_schema;
	/* What the value and the schema are in: kept until the last job ends. */
	struct json_doc *docs[2];
	struct jobs *jobs; /* NULL: does everything at once */
	/* Names of objects that stay one column, "customer". */
	char *const *folded;
	size_t folded_count;
	bool keeps_empty; /* declared columns that no row fills are columns too */
	/* Does the first row of an array of arrays name the columns? */
	enum table_heading { HEADING_GUESSED, HEADING_YES, HEADING_NO } heading;
	const cJSON *arrays; /* whose joined items are the rows; NULL: it is no such table */
	bool is_inner;       /* opened from a row or a table: never the whole value */
	void (*changed)(void *user); /* a job has changed columns or order; may be NULL */
	void *user;
};
void table_begin(
    struct table *t, const struct table_spot *spot, const struct table_options *options);
void table_complete(struct table *t); /* does all remaining work */
/* The work in progress, "sorting", and the share of it done; NULL if none. */
const char *table_progress(const struct table *t, unsigned *percent);

/* The report on the value; NULL if none. Columns count their violations. */
void table_set_report(struct table *t, const struct report *report);
/* In a joined table, whose nodes are not those of the report: the violations of a cell, those of
 * the cell itself first. NULL: none. */
const struct table_wrong *table_wrong_at(
    const struct table *t, size_t row, size_t column, size_t *count);

/* Shows these columns, in this order; takes places. A job that finds columns shows all again. */
void table_arrange(struct table *t, size_t *places, size_t count);

/* A row of a lazy array, and its cells, live until a few hundred other rows were read. */
const cJSON *table_row(const struct table *t, size_t row);
/* The value at an index into `rows` (not `order`); NULL if absent. If a nested object is null,
 * that null is the value of all its columns. */
const cJSON *table_cell(const struct table *t, size_t row, size_t column);
/* The cell is such a null, and the column before it shows it already. */
bool table_cell_is_told(const struct table *t, size_t row, size_t column);
/* For an absent cell: the innermost object on its path, and the key that object lacks. NULL if
 * the path ends in a value that is not an object. */
const cJSON *table_holder(const struct table *t, size_t row, size_t column, const char **key);
const char *table_row_key(const struct table *t, size_t row);      /* for TABLE_MAP; else NULL */
size_t table_find_column(const struct table *t, const char *name); /* SIZE_MAX if there is none */
/* The row that a JSON Pointer relative to the table's node leads to, and the column that covers
 * most of the rest of it (SIZE_MAX: the row itself). False if it leads to no row. */
bool table_find_pointer(const struct table *t, const char *pointer, size_t *row, size_t *column);

/* Stable; null and absent come last in either direction. count 0: document order. */
void table_sort(struct table *t, const struct sort_key *keys, size_t count);
/* The place of a column among the keys; SIZE_MAX: it is none. */
size_t table_key_of(const struct table *t, size_t column);

/* A filter is an expression if it compares a column of the table, `price > 10 and name ~ "a"`, asks
 * for @invalid or @selected, or begins with a text in quotes; expression.c has its words. Any other
 * filter is a text: rows pass that contain it in a map's key, in a value or in a key deep inside a
 * cell, ignoring ASCII case. */
enum filter_look { FILTER_LOOK_TEXT, FILTER_LOOK_EXPRESSION, FILTER_LOOK_WRONG };
struct filter_fault {
	char text[100];
	size_t at, len; /* the place in the filter, in bytes; len 0: its end */
};
enum filter_look table_filter_look(
    const struct table *t, const char *text, struct filter_fault *fault);
/* "" or NULL shows all rows; so does a wrong expression. */
void table_filter(struct table *t, const char *text);
/* `COLUMN = VALUE` for a cell, or `!=`; false: a filter cannot say it. */
bool table_filter_of_cell(
    const struct table *t, size_t row, size_t column, bool negated, struct buf *out);

static inline bool
row_set_has(const struct row_set *s, size_t row)
{
	return s->bits && (s->bits[row / 64] >> row % 64 & 1);
}

void row_set_copy(struct row_set *to, const struct row_set *from, size_t rows);
/* Selects or unselects the shown rows from one position in `order` up to, without, another. */
void table_select(struct table *t, size_t from, size_t to, bool selected);
void table_select_none(struct table *t);
void table_select_inverted(struct table *t); /* of the shown rows */
/* Adds the shown rows that pass a filter; a job for a long table. */
void table_select_matching(struct table *t, const char *filter);
/* Counts the column for `stats`, unless it has them or other work is under way: calls changed() if
 * it takes a job. */
void table_count(struct table *t, size_t column);

/* A string that without quotes would look like another value ("3", "null", "[1]", "·") or be
 * invisible (""). */
bool text_is_ambiguous(const char *text);

#endif
