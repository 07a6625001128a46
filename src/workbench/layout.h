#ifndef WORKBENCH_LAYOUT_PRIV_H
#define WORKBENCH_LAYOUT_PRIV_H

#include "pane/pane.h"

/* Where each pane is on the screen: pure arithmetic on the size and what panes want. */
struct rect {
	int x, y, width, height;
};

enum layout_shape {
	LAYOUT_FULL, /* list at the left, four panes stacked at the right */
	LAYOUT_TWO,  /* list at the left, one of the right panes with tabs */
	LAYOUT_TABS, /* one pane with tabs */
	LAYOUT_ONE,  /* zoomed, or an overlay: one pane, no tabs */
};

struct layout {
	enum layout_shape shape;
	struct rect panes[PANE_COUNT]; /* width 0: not on the screen */
	struct rect tabs;              /* one row; width 0: none */
};

/* What the user set; 0: as is best. */
struct layout_sizes {
	int left;               /* columns of the list */
	int height[PANE_COUNT]; /* rows with the frame, in the stack */
};

struct layout_input {
	int width, height; /* of the screen */
	struct layout_sizes sizes;
	enum pane_id focus;
	enum pane_id right; /* the right pane shown where there is room for one */
	int overlay;        /* a pane that fills the main area, -1: none */
	bool zoomed;
	bool has_call;           /* one is shown */
	bool has_structured;     /* and it has structuredContent */
	bool has_none;           /* it ended without */
	bool absent[PANE_COUNT]; /* has nothing to show: not in the stack */
	int want[PANE_COUNT];    /* rows inside the frame; 0: no idea */
};

/* Widths and heights below which the shape changes. */
#define LAYOUT_TWO_COLUMNS 96
#define LAYOUT_STACK_ROWS 30

struct layout layout_make(const struct layout_input *in);
int layout_left_width(int width, const struct layout_sizes *sizes);

#endif
