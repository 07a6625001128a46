/* SPDX-License-Identifier: MIT */
#ifndef UI_WRAP_H
#define UI_WRAP_H

#include "ui/surface.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Text broken into rows of a width: at blanks, over-long words in the middle,
 * hard newlines kept, tabs to columns of 8. The text is borrowed. Breaking it up
 * happens on demand and in slices: a row near the top of a huge text is there at
 * once; the number of rows is an estimate until the end was reached.
 */
struct wrap_row {
	size_t start, end; /* bytes of the text; the blank or newline broken at is not in them */
};

/* Hidden lines, after the newline before them. */
struct wrap_folds {
	/* The end of the last of them; newline: none is hidden. */
	size_t (*end)(const struct wrap_folds *f, size_t newline);
};

struct wrap {
	const char *text;
	size_t len;
	int width;
	const struct wrap_folds *folds; /* borrowed; NULL: all is shown */
	/* the starts of rows 64, 128...: those between are found again */
	size_t *marks;
	size_t mark_count, mark_cap;
	size_t known;         /* rows found so far */
	size_t at;            /* the start of the next row */
	size_t near, near_at; /* the row that was looked for last, and its start */
};

void wrap_finish(struct wrap *w); /* zeroed memory is an empty one; leaves it so */

/* Cheap; forgets all rows if anything differs. width < 1 is taken as 1. text is borrowed until the
 * next call and compared by address. */
void wrap_set(struct wrap *w, const char *text, size_t len, int width);

/* Hidden lines after this byte's row, or after the last known row, have changed: the rows before
 * stay. */
void wrap_refold(struct wrap *w, size_t offset);

/* Goes on until `rows` rows are known or max_bytes were looked at. True: the end was reached. */
bool wrap_work(struct wrap *w, size_t rows, size_t max_bytes);
bool wrap_is_complete(const struct wrap *w);
/* Exact when complete, else an estimate, at least the rows known. */
size_t wrap_rows(const struct wrap *w);
/* Row number; works as far as needed. False: the text has fewer rows. */
bool wrap_row_at(struct wrap *w, size_t number, struct wrap_row *row);

/* The row that the byte is in; works as far as needed. */
size_t wrap_row_of(struct wrap *w, size_t offset);

/* The first row to draw for top: top itself, or the last known rows. Wraps another slice of the
 * text; if that is not enough, the grid is unfinished. */
size_t wrap_reach(struct wrap *w, struct surface s, size_t top);

/* Draws rows top, top + 1... from the top of s, as far as wrap_reach() allows; returns how many
 * there were. The surface may be wider than the wrap. */
int wrap_draw(struct wrap *w, struct surface s, struct style style, size_t top);

#endif
