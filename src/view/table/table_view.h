#ifndef VIEW_TABLE_TABLE_VIEW_H
#define VIEW_TABLE_TABLE_VIEW_H

#include "data/table.h"
#include "view/view.h"
#include "ui/list.h"

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

/* The table around the one shown, that a value of it or a sheet about it was opened from. */
struct table_level {
	struct table_choices chosen;
	size_t spot, row, column, first, field;
	bool record, is_joined; /* was open; a row has an item of each array: pointers go there */
	struct row_set selected;
	struct json_doc *doc; /* what was opened is in it; NULL: in the value */
	struct sheet *sheet;  /* that was opened; NULL: it was a value or the rows of a group */
	char *trail;          /* what the title says of it; NULL: its pointer does */
	char *group;          /* the filter that makes the group; NULL: it was none */
};

struct table_view {
	bool cards;               /* one record at a time fills the view; the table is not shown */
	struct table_spots spots; /* in the value, then those opened in rows: one a level */
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
	} slots;             /* as table_fit() left them, from left to right */
	size_t frozen_slots; /* the first of these are frozen, of places before `first` */
	bool cut_right;      /* there are more columns at the right, or more of the last one */
	int width;           /* of the last drawing */
	int wanted;          /* columns that show all: measured once, so that borders rest */
	struct {
		int room, most; /* for the rows, and for one of them */
	} lines;
	size_t beside; /* members outside the rows */
	size_t alike;  /* arrays that could be joined */
	const void *source;
	const struct view_input *in; /* still that of sync() if it has this generation */
	uint64_t generation;
	struct table_choices chosen;
	struct filter_note note; /* on chosen.filter */
	size_t marked;   /* row that was selected or unselected last: a range begins there */
	int label_width; /* width of map keys with the gap, or 0 */
};

/* table_view.c */
void table_view_filter(struct table_view *v, const char *text); /* "" or NULL: shows all */
void table_view_sort(struct table_view *v, const struct sort_key *keys, size_t count);
/* The only column to sort by, or one more: ascending, descending, no longer. */
void table_view_turn_column(struct table_view *v, size_t column, bool adds);
void table_view_show(struct table_view *v, const struct view_env *env, size_t spot);
void table_view_forget(struct table_view *v);

/* table_sheets.c: tables in the rows of tables */
/* Opens the selected value as a table of its own. False: it is not one. */
bool table_view_enter(struct table_view *v, const struct view_env *env);
/* Adds another spot, of which the level says what it is, for table_view_show(); takes both. */
void table_view_leave(struct table_view *v, const struct view_env *env);
/* Forgets the levels; the choices and the row and column are those of the outermost table. */
void table_view_drop_levels(struct table_view *v);

/* table_sheets.c: tables made of the table */
/* Opens the sheet that has been made, if any. */
void table_view_take_sheet(struct table_view *v, const struct view_env *env);
/* Enter on a row of a sheet; Esc in the rows of a group, or while a sheet is made. */
bool table_sheet_enter(struct table_view *v, const struct view_env *env);
bool table_sheet_escape(struct table_view *v, const struct view_env *env);
/* How many arrays of one length are beside one another, in the value or a member of it: the most;
 * 0: none. */
size_t table_arrays_alike(const cJSON *value, struct sheet_wish *wish, struct buf *pointer);

/* table_record.c: the selected row, a field a line */
void table_record_open(struct table_view *v);
/* Lines of the record of a row on so many columns, or somewhat more than `most`. */
int table_record_rows(struct table_view *v, size_t row, int width, int most);
void table_record_draw(struct table_view *v, const struct view_env *env, struct surface s);
bool table_record_mouse(struct table_view *v, const struct key *key); /* false: is selected */
bool table_record_key(struct table_view *v, const struct view_env *env, const struct key *key);

static inline bool
table_is_card(const struct table_view *v)
{
	return v->cards && v->levels.len == 0;
}

/* table_columns.c: which columns are shown, in the user's order */
void table_view_arrange(struct table_view *v);
size_t table_view_place(const struct table_view *v, size_t column); /* SIZE_MAX: hidden */
/* The wish for the selected column, to be changed; table_view_arrange() then. */
struct column_wish *table_view_wish(struct table_view *v);
void table_view_move(struct table_view *v, size_t place);    /* the selected one to this place */
void table_view_select(struct table_view *v, size_t column); /* shows it if it is hidden */
void table_view_forget_wishes(struct table_view *v);

/* table_draw.c */
void table_view_draw(void *state, const struct view_env *env, struct surface s);
void table_draw_freeze(const struct table_view *v, struct surface s, int y);

/* Columns of a number in column c aligned at the decimal point; pad: blanks before it. */
int table_place_number(const struct column *c, const char *text, int *pad);
/* What the report has to say about a cell; it may be NULL. */
struct cell_mark {
	uint32_t ground; /* ROLE_NONE: nothing */
	bool missing;
};
struct cell_mark table_cell_mark(
    const struct table *t, const struct report *report, size_t row, size_t column);

void table_draw_cell(const struct table_view *v, const struct view_env *env, struct surface s,
    int y, size_t row, const struct table_slot *slot);

/* table_columns.c: rows of several lines */
/* The slots, and the rows on the screen. */
void table_wrap_fit(struct table_view *v, const struct view_env *env, int width, int height);
/* Lines of a value on so many columns, at most `most`; draws them if s is not NULL and there are
 * several. */
int table_cell_lines(const cJSON *cell, int room, int most, struct surface *s, uint32_t ground);
int table_row_lines(const struct table_view *v, size_t shown);
/* The lines of all rows, or somewhat more than `most`. */
int table_lines(const struct table_view *v, int most);
bool table_row_at(const struct table_view *v, int y, size_t *shown); /* y from the first line on */
int table_line_of(const struct table_view *v, size_t shown);         /* -1: out of sight */

/* table_beside.c: the members outside the rows; at most so many get a row each if there is not
 * room for all */
#define BESIDE_WANTED 8
size_t table_beside_count(const struct table_view *v, const cJSON *value);
/* Rows they take of `room`: one each, or a few for all; 0: none. */
int table_beside_rows(const struct table_view *v, int room);
void table_beside_draw(const struct table_view *v, const struct view_env *env, struct surface s);

/* table_columns.c: the slots, and the first column on the screen */
void table_fit(struct table_view *v, const struct view_env *env, int width);
int table_columns_wanted(const struct table_view *v); /* that show all, before table_fit() */

/* table_head.c */
void table_head_draw(const struct table_view *v, const struct view_env *env, struct surface s);
/* Columns of a head with a count; 0: no count. */
int table_head_width(const struct table_view *v, const struct column *c);
/* Of the report, about the cell; REPORT_NONE: none. */
size_t table_violation_of(const struct table *t, size_t row, size_t column);
/* The violation of the cell, or the schema and statistics of its column, in row y; y < 0: only
 * tells whether there is anything. */
bool table_facts_draw(struct table_view *v, const struct view_env *env, struct surface s, int y);

/* table_keys.c */
bool table_view_key(void *state, const struct view_env *env, const struct key *key);
bool table_view_reveal(void *state, const struct view_env *env, const char *pointer);
bool table_view_seek(
    void *state, const struct view_env *env, struct seekable *out); /* table_keys.c */
const cJSON *table_view_selected(void *state, const struct view_env *env, struct buf *pointer);
void table_view_turn(void *state, const struct view_env *env);

/* table_commands.c: which rows are shown and selected */
/* The filter so far and one condition more. */
void table_view_add_condition(struct table_view *v, const char *condition);
void table_select_step(struct table_view *v, int by); /* shift and an arrow */

/* table_commands.c */
/* Selects the column that the argument names, if it names one. */
bool table_view_choose_column(struct table_view *v, const char *arg, const struct view_env *env);
/* A column, or several with commas between, with "desc" behind if the order is meant. */
bool table_view_read_keys(const struct table_view *v, const char *arg, struct sort_key *keys,
    size_t *count, const struct view_env *env);
extern const struct view_action table_view_actions[];
const char *table_view_hint(
    void *state, const struct view_env *env, const struct view_action *action);

/* table_sheets.c: commands */
bool act_statistics(void *state, const struct view_env *env, const char *arg);
bool act_frequency(void *state, const struct view_env *env, const char *arg);
bool act_group(void *state, const struct view_env *env, const char *arg);
bool act_join(void *state, const struct view_env *env, const char *arg);
bool act_transpose(void *state, const struct view_env *env, const char *arg);

#endif
