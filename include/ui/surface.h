/* SPDX-License-Identifier: MIT */
#ifndef UI_SURFACE_H
#define UI_SURFACE_H

#include "ui/theme.h"

#include "base/media.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One screen cell. ch is 0 for the right half of a wide character. */
struct cell {
	uint32_t ch;
	uint32_t marks[2];
	struct style style;
	uint32_t under;  /* the ground of before, for a style.ground of ROLE_NONE */
	uint8_t picture; /* covers this cell: its place in grid.pictures, from 1; 0: none */
};

/* An area that reacts to clicks. */
struct spot {
	int x, y;
};
enum { SPOTS_MAX = 512 };

/* A picture over cells. Terminals without graphics show the cells. */
struct grid_picture {
	const struct picture *picture; /* borrowed until the frame is flushed */
	int x, y;                      /* of its corner; may be off the screen */
	int cols, rows;                /* the cells that it may fill; its shape is kept */
};
enum { PICTURES_MAX = 15 };

/* The whole screen; owned by the workbench, panes never see it. */
struct grid {
	struct cell *cells;
	int width, height;
	bool
	    unfinished; /* a long text was drawn as far as it is known: the next frame knows more */
	struct spot spots[SPOTS_MAX]; /* of this frame, in the order of drawing */
	int spot_count;
	struct grid_picture pictures[PICTURES_MAX]; /* of this frame */
	int picture_count;
	/* Movement of the mouse without a button is reported too (MOUSE_MOVE), because something of
	 * this frame wants to know where it is. */
	bool follows_mouse;
};

/* A clipped rectangle of a grid: all that a pane can draw on. By value. Coordinates are relative to
 * its own corner; cells outside are dropped, and a wide character is never cut in half. */
struct surface {
	struct grid *grid;
	int x, y, width, height;
};

static inline int
at_most(int value, int most)
{
	return value < most ? value : most;
}

static inline int
clamp(int value, int low, int high)
{
	return value < low ? low : at_most(value, high);
}

void grid_init(struct grid *g, int width, int height);
void grid_finish(struct grid *g);

struct surface surface_whole(struct grid *g);
/* Clipped to s. */
struct surface surface_sub(struct surface s, int x, int y, int width, int height);

/* Blanks. The style's ground (or its ink role's own) stays visible under later drawing with
 * a ground of ROLE_NONE, so a bar or a dialog is cleared once and then just drawn upon. */
void surface_clear(struct surface s, struct style style);
/* One trusted character, one column wide (borders, marks). */
void surface_put(struct surface s, int x, int y, struct style style, uint32_t ch);
void surface_repeat(struct surface s, int x, int y, int count, struct style style, uint32_t ch);

/*
 * Text from anywhere, made harmless (base/glyph.h): the only door to the grid. Drawn on one line
 * from (x, y), at most max_cols wide (< 0: to the edge). Text that does not fit ends in "…".
 * Marks for control and hidden characters are drawn in ROLE_MARK. Returns the columns used.
 */
int surface_text(
    struct surface s, int x, int y, int max_cols, struct style style, const char *text);
/* Bytes of text, to the edge of s. */
int surface_textn(struct surface s, int x, int y, struct style style, const char *text, size_t len);
/* Ends at column x_end (exclusive). */
int surface_text_right(
    struct surface s, int x_end, int y, int max_cols, struct style style, const char *text);
int surface_textf(struct surface s, int x, int y, int max_cols, struct style style,
    const char *format, ...) __attribute__((format(printf, 6, 7)));

/* A control was drawn here: a click there acts on it. -1 is the margin inside a frame. */
void surface_spot(struct surface s, int x, int y);

/* Puts the picture over the cells of s, which show it in cells; `skip` of its rows are above s.
 * Later drawing on one of the cells hides the picture there. The picture must have a number. */
void surface_picture(struct surface s, const struct picture *p, int cols, int rows, int skip);

/* Changes ground (where not ROLE_NONE) and adds attr on cells already drawn: selections, marks. */
void surface_restyle(struct surface s, int x, int y, int width, uint32_t ground, uint8_t attr);

/* Everything drawn so far but pictures steps back: dim text, no grounds. A box that is drawn next
 * stands out. */
void surface_dim(struct surface s);

/* A rounded box around all of s with a title at the left and facts at the right of the top border;
 * either may be NULL. Returns the surface inside, one column of air at each side. If s has one row,
 * the box is a line with the title and the facts, and nothing is inside. */
struct surface surface_frame(
    struct surface s, bool focused, const char *title, const char *facts, enum role facts_role);

/* s: the whole inside of a frame; these two also draw on its padding and its border. */
/* Row y, already drawn, becomes the selected one: a soft ground and a bar in the left air. */
void surface_select_row(struct surface inside, int y, bool focused);
/* A thumb on the right border when count rows do not fit; top is the first one shown. */
void surface_scrollbar(struct surface inside, bool focused, size_t count, size_t top);

/* The grid as text for tests and :dump: one line a row, trailing blanks cut. */
struct buf;
void grid_to_text(const struct grid *g, struct buf *out);

/*
 * A picture in cells: each shows two pixels, one above the other, so pixels are square. On a
 * terminal without colors the backend draws shades.
 */

/* The columns and rows of a picture within these limits; it is never enlarged. */
void half_blocks_size(const struct picture *p, int max_cols, int max_rows, int *cols, int *rows);
/* p: as wide as it has columns and at most twice as high as it has rows (picture_reduce()).
 * `skip` rows are above s. */
void half_blocks_draw(const struct picture *p, struct surface s, int skip);

/* The character for such a cell without colors: a blank, one of three shades, or a full block; 0
 * for any other cell. */
uint32_t half_blocks_shade(const struct cell *c);

#endif
