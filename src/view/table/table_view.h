/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLE_TABLE_VIEW_H
#define VIEW_TABLE_TABLE_VIEW_H

#include "data/table.h"
#include "view/view.h"
#include "ui/list.h"

/* The user's choices for a column; by default everything is 0. */
struct column_wish {
	char *name;
	size_t column; /* of the table shown; SIZE_MAX: it has no column of this name */
	bool hidden;
	enum { FREEZE_UNSAID, FREEZE_YES, FREEZE_NO } freeze;
	int width;
	bool wraps;
};

/* The user's choices for a table, kept for the next result of the same source. */
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

/* Columns at the left for the mark of a row with violations, and between columns. */
#define GUTTER 2
#define GAP 2

/* A column on the screen. */
struct table_slot {
	size_t place, column; /* the place among the columns shown, and its index in the table */
	int x, width;
	int lines;    /* of the row; at most 1: no value is wrapped */
	bool follows; /* the slot before it is the column before it */
	bool cursor;
};

/* A table in which a value, a sheet or a group was opened, to return to. */
struct table_level {
	struct table_choices chosen;
	size_t spot, row, column, first, field;
	bool record;    /* the record was open */
	bool is_joined; /* pointers lead to the arrays that were joined */
	struct row_set selected;
	struct json_doc *doc; /* has the table that was opened; NULL: the value has it */
	struct sheet *sheet;  /* that was opened; NULL: a value or a group */
	char *trail;          /* its name in the title; NULL: its pointer */
	char *group;          /* the filter of the group that was opened; NULL: not a group */
};

struct table_view {
	bool cards;               /* one record at a time fills the view; the table is not shown */
	struct table_spots spots; /* of the value, then one for each level */
	size_t spot;              /* == spots.len: none */
	struct {
		struct table_level *items;
		size_t len, cap;
	} levels;
	struct table table;
	struct list list; /* over the rows shown */
	size_t column;    /* selected */
	size_t first;     /* place of the leftmost column that is not frozen */
	struct {
		bool open;
		size_t field; /* selected: a column, hidden or not */
		size_t top;
		int x, y, height; /* as drawn */
		int room;         /* for a value, as drawn */
	} record;                 /* of the selected row */
	struct {
		struct table_slot *items;
		size_t len, cap;
	} slots;             /* from left to right: table_fit() */
	size_t frozen_slots; /* slots at the left that are frozen, of places before `first` */
	bool cut_right;      /* there are more columns at the right, or more of the last one */
	int width;           /* of the last drawing */
	int wanted;          /* columns that show all, measured once so that borders do not move */
	struct {
		int room, most; /* for the rows, and for one of them */
	} lines;
	size_t beside; /* members outside the rows */
	size_t alike;  /* arrays that could be joined */
	const void *source;
	const struct view_input *in; /* of sync() */
	uint64_t generation;         /* of `in` then */
	struct table_choices chosen;
	struct filter_note note; /* on chosen.filter */
	size_t marked;           /* the row selected or unselected last, where a range begins */
	int label_width;         /* width of map keys with the gap, or 0 */
};

/* Return the innermost level; NULL: the table of the value is shown. */
static inline struct table_level *
table_view_level(const struct table_view *v)
{
	return v->levels.len > 0 ? &v->levels.items[v->levels.len - 1] : NULL;
}

/* table_view.c */
void table_view_filter(struct table_view *v, const char *text); /* "" or NULL: shows all */
void table_view_sort(struct table_view *v, const struct sort_key *keys, size_t count);
/* Sort by this column, or also by it: first ascending, then descending, then not. */
void table_view_turn_column(struct table_view *v, size_t column, bool adds);
void table_view_show(struct table_view *v, const struct view_env *env, size_t spot);
/* Free all levels, and restore the choices and the cursor of the outermost table. */
void table_view_drop_levels(struct table_view *v);
/* Open the sheet that has been made, if any. */
void table_view_take_sheet(struct table_view *v, const struct view_env *env);
/* Drop the sheet being made, reset the filter of a group, or return to the table around this one.
 * False if there is nothing to leave. */
bool table_view_escape(struct table_view *v, const struct view_env *env);

/* table_record.c: the selected row, a line for each field */
/* Return the lines of the record of a row at this width, or somewhat more than `most`. */
int table_record_rows(struct table_view *v, size_t row, int width, int most);
void table_record_draw(struct table_view *v, const struct view_env *env, struct surface s);
/* Return false if the field was already selected. */
bool table_record_mouse(struct table_view *v, const struct key *key);
bool table_record_key(struct table_view *v, const struct view_env *env, const struct key *key);

static inline bool
table_is_card(const struct table_view *v)
{
	return v->cards && v->levels.len == 0;
}

/* table_columns.c */
/* Apply the wishes to the columns of the table. */
void table_view_arrange(struct table_view *v);
size_t table_view_place(const struct table_view *v, size_t column); /* SIZE_MAX: hidden */
/* Return the wish for the selected column. Call table_view_arrange() after changing it. */
struct column_wish *table_view_wish(struct table_view *v);
void table_view_move(struct table_view *v, size_t place);    /* move the selected column there */
void table_view_select(struct table_view *v, size_t column); /* show it if it is hidden */
void table_view_forget_wishes(struct table_view *v);
/* Compute the slots and the first column on the screen. table_wrap_fit() computes the rows on the
 * screen too. */
void table_fit(struct table_view *v, const struct view_env *env, int width);
void table_wrap_fit(struct table_view *v, const struct view_env *env, int width, int height);
/* Return the width of all columns, or somewhat more than `most`. */
int table_columns_width(const struct table_view *v, int most);
/* Return the lines of a value at this width, at most `most`. If there are several and s is not
 * NULL, draw them. */
int table_cell_lines(const cJSON *cell, int room, int most, struct surface *s, uint32_t ground);
int table_row_lines(const void *view, size_t shown); /* of a struct table_view */
/* Return the lines of all rows, or somewhat more than `most`. */
int table_lines(const struct table_view *v, int most);

/* table_draw.c */
void table_view_draw(void *state, const struct view_env *env, struct surface s);
void table_draw_cell(const struct table_view *v, const struct view_env *env, struct surface s,
    int y, size_t row, const struct table_slot *slot);
/* Return the columns of a number aligned at the decimal point of column c. pad: blanks before it.
 */
int table_place_number(const struct column *c, const char *text, int *pad);
/* The marks of the report on a cell. report may be NULL. */
struct cell_mark {
	uint32_t ground; /* ROLE_NONE: not marked */
	bool missing;
};
struct cell_mark table_cell_mark(
    const struct table *t, const struct report *report, size_t row, size_t column);
/* Write "✗11", for the head, with a plus if the report is truncated. Return its columns; 0: no
 * violations. */
int table_print_wrong(const struct table_view *v, const struct column *c, char *text, size_t size);
/* Return the violation of the cell, an index in the report, or REPORT_NONE. */
size_t table_violation_of(const struct table *t, size_t row, size_t column);
/* The members outside the rows. If there is no room for all, at most BESIDE_WANTED get a row each.
 */
#define BESIDE_WANTED 8
size_t table_beside_count(const struct table_view *v, const cJSON *value);
/* Return how many rows of `room` they use: one each, or a few for all. */
int table_beside_rows(const struct table_view *v, int room);
void table_beside_draw(const struct table_view *v, const struct view_env *env, struct surface s);

/* table_keys.c */
bool table_view_key(void *state, const struct view_env *env, const struct key *key);
bool table_view_reveal(void *state, const struct view_env *env, const char *pointer);
bool table_view_seek(void *state, const struct view_env *env, struct seekable *out);
const cJSON *table_view_selected(void *state, const struct view_env *env, struct buf *pointer);

/* table_commands.c */
/* Add a condition to the filter. */
void table_view_add_condition(struct table_view *v, const char *condition);
void table_select_step(struct table_view *v, int by); /* Shift and an arrow key */
/* Select the column of this name; "": keep the selected one. */
bool table_view_choose_column(struct table_view *v, const char *arg, const struct view_env *env);
/* Return the largest number of arrays of the same length in the value or one of its members, and
 * how to join them; 0: none. */
size_t table_arrays_alike(const cJSON *value, struct sheet_wish *wish, struct buf *pointer);
extern const struct view_action table_view_actions[];
const char *table_view_hint(
    void *state, const struct view_env *env, const struct view_action *action);

#endif
