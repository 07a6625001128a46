#ifndef RENDER_TABLE_VIEW_H
#define RENDER_TABLE_VIEW_H

#include "model/table.h"
#include "render/render.h"
#include "ui/list.h"

/* Columns at the left for the mark of a row with violations, and between columns. */
#define GUTTER 2
#define GAP 2

struct table_view {
	struct table_spots spots;
	size_t spot; /* == spots.len: none */
	struct table table;
	struct list list;    /* over the rows shown */
	size_t column;       /* selected */
	size_t first_column; /* leftmost on the screen */
	char *at;            /* pointer of the shown array, kept across results */
	size_t beside;       /* members outside the rows */
	/* User settings, kept across results of the same source. */
	const void *source;
	char *filter;    /* NULL: none */
	char *sorted_by; /* a column name; NULL: unsorted */
	bool descending;
	int label_width; /* width of map keys with the gap, or 0 */
};

/* table_view.c */
void table_view_filter(struct table_view *v, const char *text); /* "" or NULL: shows all */
void table_view_sort(struct table_view *v, size_t column, bool descending); /* SIZE_MAX: unsorted */
void table_view_show(struct table_view *v, const struct render_env *env, size_t spot);

/* table_draw.c */
void table_view_draw(void *state, const struct render_env *env, struct surface s);

/* Columns of a number in column c aligned at the decimal point; pad: blanks before it. */
int table_place_number(const struct column *c, const char *text, int *pad);
/* Is it absent and reported as missing? report may be NULL. */
bool table_cell_is_missing(
    const struct table *t, const struct report *report, size_t row, size_t column);

/* table_beside.c: the members outside the rows */
size_t table_beside_count(const struct table_view *v, const cJSON *value);
/* Rows they take of `room`: one each, or a few for all; 0: none. */
int table_beside_rows(const struct table_view *v, int room);
void table_beside_draw(const struct table_view *v, const struct render_env *env, struct surface s);

/* table_fit.c: visible columns and widths */
void table_fit(struct table_view *v, const struct render_env *env, int width);

/* table_head.c */
bool table_column_at(
    const struct table_view *v, size_t index, int x, int width, struct column *out);
void table_head_draw(const struct table_view *v, const struct render_env *env, struct surface s);
/* Columns of a head with a count; 0: no count. */
int table_head_width(const struct table_view *v, const struct column *c);
/* The schema of the selected column in row y; y < 0: only tells whether there is any. */
bool table_facts_draw(
    const struct table_view *v, const struct render_env *env, struct surface s, int y);

/* table_keys.c */
bool table_view_key(void *state, const struct render_env *env, const struct key *key);
bool table_view_reveal(void *state, const struct render_env *env, const char *pointer);
const cJSON *table_view_selected(void *state, const struct render_env *env, struct buf *pointer);
void table_view_turn(void *state, const struct render_env *env);
extern const struct render_action table_view_actions[];

#endif
