/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ROWS_H
#define VIEW_ROWS_H

#include "ui/list.h"
#include "view/view.h"

/*
 * A view that is a list begins its state with struct rows, and its view_ops.rows draws, opens and
 * filters a row. The rest is the same for all lists: keys and clicks move the selection, a click
 * on the selected row opens it, `/` filters the rows or searches their texts.
 */
struct rows {
	const struct row_ops *ops; /* of the view; view_init() sets it */
	struct list list;          /* the view sets the count */
	struct buf filter;         /* the text; view_finish() frees it */
	int y;         /* of the first row in the view, as last drawn; 0: there is no filter line */
	bool unmarked; /* no row is selected: the list does not show the selection */
};

struct row_ops {
	/* Draw a row, without the selection. */
	void (*draw)(void *state, const struct view_env *env, struct surface s, int y, size_t row);
	/* The action of Enter, for a click on the selected row; may be NULL. */
	bool (*open)(void *state, const struct view_env *env, const char *arg);
	/* Choose the rows again after a change of rows.filter, which is shown in the first line of
	 * the view. NULL: the rows are not filtered. */
	void (*filter)(void *state, const struct view_env *env);
	/* Append the text of a row, to search rows that are not filtered. s->with is the view_env.
	 */
	void (*text)(const struct seekable *s, size_t row, struct buf *out);
	/* A click or a key moved the selection; may be NULL. */
	void (*on_select)(void *state, const struct view_env *env);
};

/* Draw the rows in `height` lines of s from line y on, with a scroll bar. */
void rows_draw(void *state, const struct view_env *env, struct surface s, int y, int height);
/* Set the filter of rows that have one. */
void rows_filter(void *state, const struct view_env *env, const char *text);

#endif
