/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/units.h"
#include "base/vec.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Where the panes are: computed from the size of the screen, and resized by the user. */

/* ---- columns ---- */

enum { LIST_SMALL = 26, LIST_TABS = 36, STACK_LEAST = 44, FRAME = 4 };

static bool
layout_fits_two_stacks(int width, int height)
{
	return height >= LAYOUT_SHORT_ROWS && width >= LAYOUT_TWO_STACKS_LEAST;
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
	struct layout_columns c = { 0 };
	int two_least =
	    in->height < LAYOUT_STACK_ROWS ? LAYOUT_TWO_STACKS_SHORT : LAYOUT_TWO_STACKS;
	bool two = sizes->stacks > 0
		       ? sizes->stacks == 2 && layout_fits_two_stacks(width, in->height)
		       : in->height >= LAYOUT_SHORT_ROWS && width >= two_least;
	int room = width - (two ? 2 : 1) * STACK_LEAST;

	/* the list is as wide as its names and tabs, and wider for descriptions on a wide screen */
	int share = width * pane_table[PANE_tools].share / 100;
	int least = clamp(share, LIST_SMALL, LIST_TABS);
	int most = width < LAYOUT_TWO_STACKS_SHORT ? width / 3 : share; /* long names are cut */
	int list = clamp(in->want[PANE_tools] + FRAME, least, most > least ? most : least);
	list = sizes->left > 0 ? sizes->left : width >= LAYOUT_DESCRIPTIONS ? share : list;
	c.list = clamp(list, pane_table[PANE_tools].least, room);
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

/* More rows for a pane, which come from `from`. */
static int
give(struct stack *t, int pane, int rows, int *from)
{
	int more = clamp(rows, 0, *from > 0 ? *from : 0);

	t->out[pane] += more;
	*from -= more;
	return more;
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
			/* before the first call the form gets all it wants */
			int share = t->in->has_call ? pane_table[i].share : 100;
			int most = t->height * share / 100, want = wants(t, i);
			give(t, i, (want < most ? want : most) - t->out[i], &spare);
		}
	t->out[t->rest] += spare;
	/* Rows that the rest does not need go to panes that are still cut, the lowest first; then
	 * the form keeps the height that another tool's form needed, so that borders rest while one
	 * browses. */
	int least = least_of(t, t->rest);
	int wanted = t->in->has_call ? wants(t, t->rest) : least; /* nothing to show yet */
	int idle = t->out[t->rest] - (wanted > least ? wanted : least), had = idle;
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
place_stack(struct layout *l, const struct layout_columns *c, const struct layout_input *in,
    int number, struct rect area)
{
	static const enum pane_id order[] = { PANE_app, PANE_structured, PANE_content, PANE_form };
	struct stack t = { .in = in, .height = area.height };
	bool found = false;
	int y = area.y;

	for (int i = 0; i < PANE_COUNT; i++)
		t.has[i] = pane_table[i].slot == SLOT_STACKED && !in->absent[i] &&
			   layout_stack_of(c, in, i) == number;
	for (size_t i = 0; i < ARRAY_LEN(order) && !found; i++) {
		t.rest = (int)order[i];
		found = t.has[t.rest] && !in->silent[t.rest];
	}
	for (int i = PANE_COUNT; i-- > 0 && !found;) {
		t.rest = i;
		found = t.has[i];
	}
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
	if (in->height >= LAYOUT_STRIP_ROWS && !in->no_strip) { /* the journal */
		int set = in->sizes.height[PANE_journal];
		int rows = set > 0 ? clamp(set, 4, right.height / 2)
				   : clamp(6 + (in->height - LAYOUT_STRIP_ROWS) / 4, 6, 10);
		right.height -= rows;
		l->panes[PANE_journal] =
		    (struct rect){ right.x, right.y + right.height, right.width, rows };
	}
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
	if (in->floats) { /* the lower right corner: out of the way of most titles and lists */
		enum { LEAST_WIDTH = 44, MOST_WIDTH = 84, LEAST_HEIGHT = 12 };
		int width = clamp(main.width * 2 / 5, LEAST_WIDTH, MOST_WIDTH);
		int height = clamp(main.height * 2 / 5, LEAST_HEIGHT, main.height);
		width = clamp(width, 0, main.width);
		height = clamp(height, 0, main.height);
		l.panes[PANE_app] = (struct rect){ main.x + main.width - width,
			main.y + main.height - height, width, height };
	}
	return l;
}

/* ---- sizes that the user sets by dragging borders or by commands ---- */

enum { MIDDLE = PANE_COUNT, NO_BORDER = -1 }; /* the border between two stacks */

static bool
has_list(const struct workbench *wb)
{
	return wb->frame.layout.shape == LAYOUT_FULL || wb->frame.layout.shape == LAYOUT_TWO;
}

static bool
is_stacked(const struct workbench *wb, int pane)
{
	return wb->frame.layout.shape == LAYOUT_FULL && pane != PANE_tools &&
	       wb->frame.layout.panes[pane].width > 0;
}

/* The stacked pane with this cell, or -1. */
static int
stacked_at(const struct workbench *wb, int x, int y)
{
	for (int i = 0; i < PANE_COUNT; i++)
		if (is_stacked(wb, i) && rect_has(&wb->frame.layout.panes[i], x, y))
			return i;
	return -1;
}

/* The pane that a row of borders resizes. structuredContent is never resized: it takes the rest. */
static int
between(struct workbench *wb, int above, int below)
{
	wb->frame.held_by_top = above == PANE_structured || below == PANE_journal;
	return above < 0 || below < 0 ? NO_BORDER : wb->frame.held_by_top ? below : above;
}

static int
border_at(struct workbench *wb, int x, int y)
{
	const struct rect *list = &wb->frame.layout.panes[PANE_tools];
	int at = stacked_at(wb, x, y);

	if (!has_list(wb) || y < list->y || y >= list->y + list->height)
		return NO_BORDER;
	if (x == list->x + list->width - 1 || x == list->x + list->width)
		return PANE_tools;
	if (at < 0)
		return NO_BORDER;
	const struct rect *r = &wb->frame.layout.panes[at];
	bool is_first = r->x == list->width;
	if (is_first ? x == r->x + r->width - 1 && r->x + r->width < wb->frame.width : x == r->x)
		return MIDDLE;
	if (y == r->y + r->height - 1 && stacked_at(wb, x, y + 1) >= 0)
		return between(wb, at, stacked_at(wb, x, y + 1));
	return y == r->y ? between(wb, stacked_at(wb, x, y - 1), at) : NO_BORDER;
}

static int
at_least_one(int size)
{
	return size > 0 ? size : 1;
}

bool
borders_mouse(struct workbench *wb, const struct key *key)
{
	struct frame_state *f = &wb->frame;

	if (key->action == MOUSE_PRESS) {
		f->held = key->button == 1 ? border_at(wb, key->x, key->y) : NO_BORDER;
		return f->held == PANE_tools; /* a title also moves the focus */
	}
	if (f->held < 0)
		return false;
	if (key->action == MOUSE_RELEASE) {
		f->held = -1;
	} else if (key->action != MOUSE_DRAG || !has_list(wb)) {
		return true;
	} else if (f->held == PANE_tools) {
		f->sizes.left = at_least_one(key->x + 1);
	} else if (f->held == MIDDLE) {
		f->sizes.middle = at_least_one(key->x + 1 - f->layout.panes[PANE_tools].width);
	} else {
		const struct rect *r = &f->layout.panes[f->held];
		f->sizes.height[f->held] =
		    at_least_one(f->held_by_top ? r->y + r->height - key->y : key->y + 1 - r->y);
	}
	return true;
}

/* ---- commands ---- */

static bool
cmd_resize(struct workbench *wb, const char *arg, int by)
{
	enum pane_id pane = wb->focus;
	size_t wanted = 2;

	if (*arg && (!units_parse_size(arg, &wanted) || wanted > 500))
		return workbench_say(wb, ROLE_ERROR, "%s is not a number of rows or columns", arg);
	int n = (int)wanted;
	if (wb->overlay >= 0 || !has_list(wb))
		return workbench_say(wb, ROLE_WARNING, "one pane fills the screen: z ends that");
	struct layout_sizes *sizes = &wb->frame.sizes;
	const struct rect *panes = wb->frame.layout.panes;
	if (is_stacked(wb, (int)pane))
		sizes->height[pane] = at_least_one(panes[pane].height + by * n);
	else
		sizes->left =
		    at_least_one(panes[PANE_tools].width + (pane == PANE_tools ? by * n : -by * n));
	return true;
}

static bool
cmd_layout(struct workbench *wb, const char *arg)
{
	static const char *const names[] = { "auto", "one", "two" };

	for (int i = 0; i < (int)ARRAY_LEN(names); i++)
		if (strcmp(arg, names[i]) == 0) {
			wb->frame.sizes.stacks = i;
			wb->frame.most.form_rows = wb->frame.most.columns = 0;
			return i < 2 || layout_fits_two_stacks(wb->frame.width, wb->frame.height) ||
			       workbench_say(wb, ROLE_WARNING,
				   "two columns need a screen of %d columns and %d rows",
				   LAYOUT_TWO_STACKS_LEAST, LAYOUT_SHORT_ROWS);
		}
	return workbench_refuse(wb, "usage: layout auto|one|two");
}

static bool
cmd_fit(struct workbench *wb, const char *arg)
{
	wb->frame.sizes = (struct layout_sizes){ .stacks = wb->frame.sizes.stacks };
	wb->frame.most.form_rows = wb->frame.most.columns = 0;
	return true;
}

/* ---- kept from run to run: "tools 40", a line each ---- */

static int *
size_named(struct workbench *wb, const char *name)
{
	if (strcmp(name, "middle") == 0)
		return &wb->frame.sizes.middle;
	for (int i = 0; i < PANE_COUNT; i++)
		if (strcmp(name, pane_table[i].name) == 0)
			return i == PANE_tools ? &wb->frame.sizes.left : &wb->frame.sizes.height[i];
	return NULL;
}

void
workbench_load_sizes(struct workbench *wb, const char *text)
{
	char name[16];
	int size, used;

	for (; sscanf(text, "%15s %4d%n", name, &size, &used) == 2; text += used) {
		int *place = size_named(wb, name);
		if (strcmp(name, "strip") == 0)
			wb->frame.no_strip = size == 0;
		else if (strcmp(name, "stacks") == 0)
			wb->frame.sizes.stacks = size > 0 && size <= 2 ? size : 0;
		else if (place && size > 0)
			*place = size;
	}
}

void
workbench_add_sizes(struct workbench *wb, struct buf *out)
{
	if (wb->frame.sizes.middle > 0)
		buf_addf(out, "middle %d\n", wb->frame.sizes.middle);
	for (int i = 0; i < PANE_COUNT; i++) {
		int size = *size_named(wb, pane_table[i].name);
		if (size > 0)
			buf_addf(out, "%s %d\n", pane_table[i].name, size);
	}
	if (wb->frame.no_strip)
		buf_add_str(out, "strip 0\n");
	if (wb->frame.sizes.stacks > 0)
		buf_addf(out, "stacks %d\n", wb->frame.sizes.stacks);
}

static bool
cmd_strip(struct workbench *wb, const char *arg)
{
	wb->frame.no_strip = !wb->frame.no_strip;
	return wb->frame.height >= LAYOUT_STRIP_ROWS ||
	       workbench_say(
		   wb, ROLE_DIM, "the strip needs a screen of %d rows", LAYOUT_STRIP_ROWS);
}

/* clang-format off */
const struct command layout_commands[] = {
	COMMAND_WITH("grow", "ctrl-right", "[N]", "make the pane larger; the mouse drags borders", cmd_resize, 1),
	COMMAND_WITH("shrink", "ctrl-left", "[N]", "make the pane smaller", cmd_resize, -1),
	COMMAND("fit", "", "", "reset the size of all panes", cmd_fit),
	COMMAND("layout", "", "auto|one|two", "stack the panes next to the list in one column or two; auto: by the width", cmd_layout),
	COMMAND("strip", "", "", "toggle the strip of the journal on a tall screen", cmd_strip),
	{ 0 },
};
/* clang-format on */
