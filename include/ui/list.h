/* SPDX-License-Identifier: MIT */
#ifndef UI_LIST_H
#define UI_LIST_H

#include "ui/input.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A selection in a window over count rows, by number. It does not store the rows, so ten
 * and ten million cost the same. selected is always a row (0 if the list is empty) and
 * always visible. Callers read the members to draw.
 */
struct list {
	size_t count, selected;
	size_t top; /* the first row shown */
	int height; /* rows that fit; set while drawing or at a resize */
};

/* Both keep the selected row, or the last one if it no longer exists, and keep it visible. */
void list_set_count(struct list *list, size_t count);
void list_set_height(struct list *list, int height);
/* For rows of several lines: sets `height` to the number of rows that fit into `lines`. Asks only
 * for the lines of visible rows; each has 1 or more. */
void list_set_lines(
    struct list *list, int lines, int (*lines_of)(const void *user, size_t row), const void *user);

void list_select(struct list *list, size_t row); /* clamped */
void list_move(struct list *list, ptrdiff_t delta);
void list_page(struct list *list, int pages);
/* The wheel: moves the window, and the selection only if it would leave the window. */
void list_scroll(struct list *list, ptrdiff_t rows);

/* Arrows, j k, PgUp PgDn, ctrl-u ctrl-d (half pages), Home End, g G. True: the key was used. */
bool list_key(struct list *list, const struct key *key);
/* The row at y, counted from the top of the window; false below the last row. */
bool list_row_at(const struct list *list, int y, size_t *row);

/*
 * Moves the first row shown by arrows, j k, PgUp PgDn, space, Home End, g G and the wheel.
 * page: the rows that PgDn moves. End sets SIZE_MAX: the caller knows the number of rows and
 * bounds the result. False: another key, nothing moved.
 */
bool scroll_key(const struct key *key, size_t page, size_t *top);

#endif
