#ifndef VIEW_ROWS_H
#define VIEW_ROWS_H

#include "ui/list.h"
#include "view/view.h"

/*
 * The rows of a view that is a list: struct rows is the first member of its state, and
 * view_ops.rows says how a row is drawn and opened. The rest is done here, the same for all lists:
 * keys and clicks move the selection, a click on the selected row opens it, `/` filters the rows or
 * searches their texts.
 */
struct rows {
	struct list list; /* the view sets the count */
	struct buf filter;
	int y; /* of the first row in the view, as last drawn */
};

struct row_ops {
	/* The selection is drawn over it. */
	void (*draw)(void *state, const struct view_env *env, struct surface s, int y, size_t row);
	/* The action of Enter, for a click on the selected row; may be NULL. */
	bool (*open)(void *state, const struct view_env *env, const char *arg);
	/* rows.filter changed: choose the rows again. The filter is the first line of the view.
	 * NULL: the rows are not filtered. */
	void (*filter)(void *state, const struct view_env *env);
	/* For a search of rows that are not filtered: the text of a row. s->with is the view_env.
	 */
	void (*text)(const struct seekable *s, size_t row, struct buf *out);
	/* The user selected a row; may be NULL. */
	void (*on_select)(void *state, const struct view_env *env);
};

/* Draws the rows in `height` lines of s from line y on, with a scroll bar. */
void rows_draw(void *state, const struct row_ops *ops, const struct view_env *env, struct surface s,
    int y, int height);

#endif
