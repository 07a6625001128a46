#ifndef VIEW_TABLE_TABLE_CHOICES_H
#define VIEW_TABLE_TABLE_CHOICES_H

#include "data/table.h"

/* What the user wants of a column; by default everything is 0. */
struct column_wish {
	char *name;
	size_t column; /* of the table shown; SIZE_MAX: it has none of that name */
	bool hidden;
	enum { FREEZE_UNSAID, FREEZE_YES, FREEZE_NO } freeze;
	int width;
	bool wraps;
};

/* What the user wants of a table, kept for the next result of the same source. */
struct table_choices {
	char *at;     /* pointer of the array */
	char *filter; /* NULL: none */
	struct {
		char *name; /* of a column */
		bool descending;
	} keys[SORT_KEYS_MAX]; /* the order of rows */
	size_t key_count;
	bool keeps_empty; /* columns that no row fills are shown */
	enum table_heading heading;
	struct {
		char **items; /* names of objects that are one column */
		size_t len, cap;
	} folded;
	struct {
		struct column_wish *items;
		size_t len, cap;
	} wishes; /* in the user's order if `moved` */
	bool moved;
};

#endif
