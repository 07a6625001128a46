/* SPDX-License-Identifier: MIT */
#include "workbench/state.h"

#include "base/units.h"
#include "base/vec.h"
#include "workbench/commands/commands.h"

#include <stdio.h>
#include <string.h>

/* Pane sizes: set by dragging borders or by commands. */

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

static int
last_row(const struct rect *r)
{
	return r->y + r->height - 1;
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

	if (!has_list(wb) || y < list->y || y > last_row(list))
		return NO_BORDER;
	if (x == list->x + list->width - 1 || x == list->x + list->width)
		return PANE_tools;
	if (at < 0)
		return NO_BORDER;
	const struct rect *r = &wb->frame.layout.panes[at];
	bool is_first = r->x == list->width;
	if (is_first ? x == r->x + r->width - 1 && r->x + r->width < wb->frame.width : x == r->x)
		return MIDDLE;
	if (y == last_row(r) && stacked_at(wb, x, y + 1) >= 0)
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

bool
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

bool
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

bool
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

bool
cmd_strip(struct workbench *wb, const char *arg)
{
	wb->frame.no_strip = !wb->frame.no_strip;
	return wb->frame.height >= LAYOUT_STRIP_ROWS ||
	       workbench_say(
		   wb, ROLE_DIM, "the strip needs a screen of %d rows", LAYOUT_STRIP_ROWS);
}
