/* SPDX-License-Identifier: MIT */
#include "frame.h"

#include <assert.h>

static int
clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

/* ---- columns ---- */

enum { LIST_SMALL = 26, LIST_TABS = 36, STACK_LEAST = 44, FRAME = 4 };

bool
layout_fits_two_stacks(int width, int height)
{
	return height >= LAYOUT_SHORT_ROWS && width >= LAYOUT_TWO_STACKS_LEAST;
}

static bool
has_two_stacks(const struct layout_input *in)
{
	int width = in->width,
	    least = in->height < LAYOUT_STACK_ROWS ? LAYOUT_TWO_STACKS_SHORT : LAYOUT_TWO_STACKS;

	if (in->sizes.stacks > 0)
		return in->sizes.stacks == 2 && layout_fits_two_stacks(width, in->height);
	return in->height >= LAYOUT_SHORT_ROWS && width >= least;
}

/* The list is as wide as its names and tabs, and wider for descriptions on a wide screen. */
static int
list_width(int width, int want)
{
	int share = width * pane_table[PANE_tools].share / 100;
	int least = clamp(share, LIST_SMALL, LIST_TABS);
	int most = width < LAYOUT_TWO_STACKS_SHORT ? width / 3 : share; /* long names are cut */

	if (width >= LAYOUT_DESCRIPTIONS)
		return share;
	return clamp(want + FRAME, least, most > least ? most : least);
}

/* A wide table takes the columns of descriptions in the list first, then some of the form's. */
static void
widen_second(struct layout_columns *c, const struct layout_input *in)
{
	enum { FORM_LEAST = 54 };
	int missing = in->columns + FRAME - c->stacks[1];
	int names = clamp(in->want[PANE_tools] + FRAME, LIST_TABS, c->list);
	int from_list = in->sizes.left > 0 ? 0 : clamp(missing, 0, c->list - names);
	int form =
	    c->stacks[0] > FORM_LEAST && in->sizes.middle == 0 ? c->stacks[0] - FORM_LEAST : 0;
	int from_form = clamp(missing - from_list, 0, form);

	c->list -= from_list;
	c->stacks[0] -= from_form;
	c->stacks[1] += from_list + from_form;
}

struct layout_columns
layout_columns(const struct layout_input *in)
{
	const struct layout_sizes *sizes = &in->sizes;
	int width = in->width;
	struct layout_columns c = { .list = list_width(width, in->want[PANE_tools]) };
	bool two = has_two_stacks(in);
	int room = width - (two ? 2 : 1) * STACK_LEAST;

	c.list = clamp(sizes->left > 0 ? sizes->left : c.list, pane_table[PANE_tools].least, room);
	c.stacks[0] = width - c.list;
	if (two) {
		int half = sizes->middle > 0 ? sizes->middle : c.stacks[0] * 9 / 20;
		c.stacks[0] = clamp(half, STACK_LEAST, width - c.list - STACK_LEAST);
		c.stacks[1] = width - c.list - c.stacks[0];
		widen_second(&c, in);
	}
	return c;
}

/* The second stack holds the results of programs; content too if there is nothing else to see. */
int
layout_stack_of(const struct layout_columns *c, const struct layout_input *in, int pane)
{
	if (c->stacks[1] == 0 || pane == PANE_form)
		return 0;
	return pane != PANE_content || in->absent[PANE_structured] || in->silent[PANE_structured];
}

/* ---- a stack: each pane gets its least height first; spare rows go, in order of rank, to panes
 * that want more, and the rest to one pane ---- */

#define NONE(...)
#define LEAST(id, least, share, rank) +(least)
static_assert(PANES(NONE, LEAST, NONE) <= LAYOUT_STACK_ROWS - 2, "all fit");

struct stack {
	const struct layout_input *in;
	bool has[PANE_COUNT];
	int rest; /* the pane that takes the rest */
	int height;
	int out[PANE_COUNT];
};

static void
choose_panes(struct stack *t, const struct layout_columns *c, int number)
{
	static const enum pane_id order[] = { PANE_app, PANE_structured, PANE_content, PANE_form };
	bool found = false;

	for (int i = 0; i < PANE_COUNT; i++)
		t->has[i] = pane_table[i].slot == SLOT_STACKED && !t->in->absent[i] &&
			    layout_stack_of(c, t->in, i) == number;
	for (size_t i = 0; i < sizeof(order) / sizeof(*order) && !found; i++) {
		t->rest = (int)order[i];
		found = t->has[t->rest] && !t->in->silent[t->rest];
	}
	for (int i = PANE_COUNT; i-- > 0 && !found;) {
		t->rest = i;
		found = t->has[i];
	}
}

/* Without a call structuredContent needs one row, for the expected shape. */
static int
least_of(const struct stack *t, int pane)
{
	enum { ONE_ROW = 3 };

	if (t->in->silent[pane] && pane != t->rest)
		return 1;
	return pane == PANE_structured && !t->in->has_call ? ONE_ROW : pane_table[pane].least;
}

/* With the frame. */
static int
wants(const struct stack *t, int pane)
{
	int least = least_of(t, pane);

	return t->in->silent[pane] ? least : clamp(t->in->want[pane], 0, 10000) + 2;
}

/* Before the first call the form gets all it wants. */
static int
share_of(const struct stack *t, int pane)
{
	return t->in->has_call ? pane_table[pane].share : 100;
}

/* More rows for a pane, which come from `from`. */
static int
give(struct stack *t, int pane, int rows, int *from)
{
	int more = clamp(rows, 0, *from > 0 ? *from : 0);

	t->out[pane] += more;
	*from -= more;
	return more;
}

/* Rows that the rest does not need go to panes that are still cut, the lowest first; then the form
 * keeps the height that another tool's form needed, so that borders rest while one browses. */
static void
share_idle(struct stack *t)
{
	int least = least_of(t, t->rest);
	int want = t->in->has_call ? wants(t, t->rest) : least; /* nothing to show yet */
	int idle = t->out[t->rest] - (want > least ? want : least), had = idle;

	if (t->in->want[t->rest] == 0 || idle <= 0)
		return;
	for (int i = PANE_COUNT; i-- > 0;)
		if (t->has[i] && i != t->rest && t->in->sizes.height[i] == 0)
			give(t, i, wants(t, i) - t->out[i], &idle);
	if (t->has[PANE_form] && t->rest != PANE_form && t->in->sizes.height[PANE_form] == 0)
		give(t, PANE_form,
		    clamp(t->in->form_rows + 2, 0, t->height / 2) - t->out[PANE_form], &idle);
	t->out[t->rest] -= had - idle;
}

static void
stack_heights(struct stack *t)
{
	int spare = t->height;

	for (int i = 0; i < PANE_COUNT; i++) {
		t->out[i] = t->has[i] ? least_of(t, i) : 0;
		spare -= t->out[i];
	}
	for (int i = 0; i < PANE_COUNT; i++)
		if (t->has[i] && !t->in->silent[i])
			give(t, i, t->in->sizes.height[i] - t->out[i], &spare);
	for (int rank = 0; rank < PANE_COUNT; rank++)
		for (int i = 0; i < PANE_COUNT; i++) {
			if (!t->has[i] || i == t->rest || pane_table[i].rank != rank ||
			    t->in->sizes.height[i] > 0)
				continue;
			int most = t->height * share_of(t, i) / 100, want = wants(t, i);
			give(t, i, (want < most ? want : most) - t->out[i], &spare);
		}
	t->out[t->rest] += spare;
	share_idle(t);
}

static void
place_stack(struct layout *l, const struct layout_columns *c, const struct layout_input *in,
    int number, struct rect area)
{
	struct stack t = { .in = in, .height = area.height };
	int y = area.y;

	choose_panes(&t, c, number);
	stack_heights(&t);
	for (int i = 0; i < PANE_COUNT; i++) {
		if (t.out[i] > 0)
			l->panes[i] = (struct rect){ area.x, y, area.width, t.out[i] };
		y += t.out[i];
	}
}

/* ---- the whole ---- */

static void
place_tabbed(struct layout *l, enum pane_id pane, struct rect area)
{
	l->tabs = (struct rect){ area.x, area.y, area.width, 1 };
	l->panes[pane] = (struct rect){ area.x, area.y + 1, area.width, area.height - 1 };
}

/* The journal as a strip below the stacks of a high screen. Returns its rows. */
static int
place_strip(struct layout *l, const struct layout_input *in, struct rect area)
{
	int set = in->sizes.height[PANE_journal];
	int rows = clamp(6 + (in->height - LAYOUT_STRIP_ROWS) / 4, 6, 10);

	if (in->height < LAYOUT_STRIP_ROWS || in->no_strip)
		return 0;
	rows = set > 0 ? clamp(set, 4, area.height / 2) : rows;
	l->panes[PANE_journal] =
	    (struct rect){ area.x, area.y + area.height - rows, area.width, rows };
	return rows;
}

static void
place_columns(struct layout *l, const struct layout_input *in, struct rect main)
{
	struct layout_columns c = layout_columns(in);
	struct rect right = { c.list, main.y, in->width - c.list, main.height };

	l->panes[PANE_tools] = (struct rect){ 0, main.y, c.list, main.height };
	if (c.stacks[1] == 0 && in->height < LAYOUT_STACK_ROWS) {
		l->shape = LAYOUT_TWO;
		place_tabbed(l, in->right, right);
		return;
	}
	l->shape = LAYOUT_FULL;
	right.height -= place_strip(l, in, right);
	right.width = c.stacks[0];
	place_stack(l, &c, in, 0, right);
	right.x += right.width;
	right.width = c.stacks[1];
	if (right.width > 0)
		place_stack(l, &c, in, 1, right);
}

static void
place_box(struct layout *l, const struct layout_input *in, struct rect main)
{
	enum { LEAST = 10 };
	int width = in->is_wide ? main.width : LAYOUT_BOX_INNER + FRAME;
	int height = clamp(in->want[in->overlay], 0, main.height) + 2;

	height = clamp(height, LEAST < main.height ? LEAST : main.height, main.height);
	if (in->is_wide && height > main.height * 3 / 4) /* nothing to see of the others */
		return;
	l->shape = LAYOUT_BOX;
	l->panes[in->overlay] = (struct rect){ (main.width - width) / 2,
		main.y + (main.height - height) / (in->is_wide ? 1 : 2), width, height };
}

/* The lower right corner: out of the way of most titles and lists. */
static struct rect
floating(struct rect main)
{
	enum { LEAST_WIDTH = 44, MOST_WIDTH = 84, LEAST_HEIGHT = 12 };
	int width = clamp(main.width * 2 / 5, LEAST_WIDTH, MOST_WIDTH);
	int height = clamp(main.height * 2 / 5, LEAST_HEIGHT, main.height);

	width = clamp(width, 0, main.width);
	height = clamp(height, 0, main.height);
	return (struct rect){ main.x + main.width - width, main.y + main.height - height, width,
		height };
}

struct layout
layout_make(const struct layout_input *in)
{
	struct layout l = { .shape = LAYOUT_ONE };
	struct rect main = { 0, 1, in->width, in->height - 2 };

	if (in->overlay >= 0) {
		l.panes[in->overlay] = main;
		if (in->want[in->overlay] > 0 && in->width >= LAYOUT_TWO_COLUMNS)
			place_box(&l, in, main);
	} else if (in->zoomed) {
		l.panes[in->focus] = main;
	} else if (in->width < LAYOUT_TWO_COLUMNS) {
		l.shape = LAYOUT_TABS;
		place_tabbed(&l, in->focus, main);
	} else {
		place_columns(&l, in, main);
	}
	if (in->floats)
		l.panes[PANE_app] = floating(main);
	return l;
}
