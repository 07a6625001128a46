/* SPDX-License-Identifier: MIT */
#ifndef WORKBENCH_FRAME_FRAME_H
#define WORKBENCH_FRAME_FRAME_H

#include "client/choice.h"
#include "pane/pane.h"
#include "ui/surface.h"

/* The position of each pane: computed from the screen size and the wishes of the panes. */
struct rect {
	int x, y, width, height;
};

static inline bool
rect_has(const struct rect *r, int x, int y)
{
	return x >= r->x && x < r->x + r->width && y >= r->y && y < r->y + r->height;
}

enum layout_shape {
	LAYOUT_FULL, /* list at the left, four panes at the right in one or two stacks */
	LAYOUT_TWO,  /* list at the left, one of the right panes with tabs */
	LAYOUT_TABS, /* one pane with tabs */
	LAYOUT_ONE,  /* zoomed, or an overlay: one pane, no tabs */
	LAYOUT_BOX,  /* an overlay above the others, which are not in `panes` */
};

struct layout {
	enum layout_shape shape;
	struct rect panes[PANE_COUNT]; /* width 0: not on the screen */
	struct rect tabs;              /* one row; width 0: none */
};

/* Sizes set by the user; 0: automatic. */
struct layout_sizes {
	int left;               /* columns of the list */
	int middle;             /* columns of the first of two stacks */
	int stacks;             /* 1 or 2, if two fit */
	int height[PANE_COUNT]; /* rows with the frame, in a stack or as the strip */
};

struct layout_input {
	int width, height; /* of the screen */
	struct layout_sizes sizes;
	enum pane_id focus;
	enum pane_id right; /* the right pane shown if only one fits */
	int overlay;        /* a pane that covers the others, -1: none */
	bool is_wide;       /* the overlay wants all columns */
	bool zoomed;
	bool floats;             /* the app, in a corner above the others */
	bool has_call;           /* one is shown */
	bool no_strip;           /* the user has hidden it */
	bool absent[PANE_COUNT]; /* does not apply: not in a stack */
	bool silent[PANE_COUNT]; /* its title says all: one row */
	/* Rows inside the frame, columns of the list; 0: unknown. An overlay that wants some is a
	 * box if there is room. */
	int want[PANE_COUNT];
	int form_rows; /* the most that a form has wanted at this size */
	int columns;   /* the most that structuredContent has, inside its frame */
};

/* Sizes at which the shape changes. */
#define LAYOUT_TWO_COLUMNS 96
#define LAYOUT_STACK_ROWS 30        /* for one stack */
#define LAYOUT_TWO_STACKS 150       /* columns */
#define LAYOUT_TWO_STACKS_SHORT 130 /* on a screen without the rows for one stack */
#define LAYOUT_TWO_STACKS_LEAST 116 /* if the user wants two */
#define LAYOUT_SHORT_ROWS 16        /* for two stacks */
#define LAYOUT_STRIP_ROWS 45        /* for the journal as a strip */
#define LAYOUT_BOX_INNER 84         /* columns inside the frame of a box */
#define LAYOUT_DESCRIPTIONS 180     /* columns: the list is wider than its names */

/* Widths with the frames. */
struct layout_columns {
	int list, stacks[2]; /* the second is 0 if there is one stack */
};
struct layout_columns layout_columns(const struct layout_input *in);
int layout_stack_of(const struct layout_columns *c, const struct layout_input *in, int pane);
struct layout layout_make(const struct layout_input *in);

/* The bars above and below the panes; they remember positions for the mouse. */
struct workbench;

/* The first panes have a number, for Alt and its digit. */
enum { FRAME_NUMBERS = 9 };
bool bars_mouse(struct workbench *wb, const struct key *key); /* true: it was in a bar */

/* hints.c: the bottom bar */
/* Its hints as last drawn. */
enum { HINTS_MAX = 24 };
struct hints {
	struct hint_zone {
		int from, to; /* columns */
		const char *command;
	} items[HINTS_MAX];
	size_t len;
	bool newcomer; /* nothing was called yet, in any run */
};

void hints_draw(struct workbench *wb, struct surface s);
bool hints_mouse(struct workbench *wb, const struct key *key); /* true: a hint was clicked */

/* Dialogs that `/` can search; their numbers follow those of the panes. */
enum find_front {
	FIND_NOWHERE = -1,
	FIND_HELP = PANE_COUNT,
	FIND_CALLS,
	FIND_SAVED,
	FIND_APPROVAL,
	FIND_CONFIRM,
	FIND_FRONTS
};

/* Clickable parts of a title; width 0: none. */
struct titles {
	struct rect chips[FIND_FRONTS]; /* the ✕ of a filter or search */
	struct {
		struct rect place;
		uint32_t number;
	} keys[PANE_COUNT]; /* a fact that names an F key */
};

/* The screen as last drawn, and the sizes of its parts. */
struct frame_state {
	int width, height;
	struct layout layout;
	struct layout_sizes sizes;
	struct most_wanted {
		int width, height;      /* of the screen, for which this holds: */
		int form_rows, columns; /* the most that a form and a table wanted */
	} most;
	bool no_strip;        /* the user has hidden the journal's strip */
	int held;             /* the pane being resized by the mouse, -1: none */
	bool held_by_top;     /* its upper border moves */
	struct rect pop_up;   /* whose mouse events the focused pane gets */
	struct rect time_bar; /* of a recording, in the top bar; width 0: none */
	struct titles titles;
	struct hints hints;
	bool unfinished; /* the last frame shows a part of a long text */
};

/* screen.c: the frame of a pane or a dialog, with the filter or search in the title */
struct surface frame_draw(struct workbench *wb, struct surface outer, int pane, const char *title,
    const char *facts, enum role role);

#endif
