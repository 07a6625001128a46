#include "commands_priv.h"

#include "base/quantity.h"

/* The sizes of panes: the mouse drags their borders, commands move them. */

static bool
has_list(const struct workbench *wb)
{
	return wb->layout.shape == LAYOUT_FULL || wb->layout.shape == LAYOUT_TWO;
}

static bool
is_stacked(const struct workbench *wb, int pane)
{
	return wb->layout.shape == LAYOUT_FULL && pane_table[pane]->slot == SLOT_RIGHT &&
	       wb->layout.panes[pane].width > 0;
}

/* The pane of the stack whose last row is y; -1: none. */
static int
ends_at(const struct workbench *wb, int y)
{
	for (int i = 0; i < PANE_COUNT; i++)
		if (is_stacked(wb, i) &&
		    wb->layout.panes[i].y + wb->layout.panes[i].height - 1 == y)
			return i;
	return -1;
}

static int
begins_at(const struct workbench *wb, int y)
{
	for (int i = 0; i < PANE_COUNT; i++)
		if (is_stacked(wb, i) && wb->layout.panes[i].y == y)
			return i;
	return -1;
}

/* Of two panes the one whose height is set: structuredContent has what the others leave. */
static int
border_at(const struct workbench *wb, int x, int y)
{
	const struct rect *list = &wb->layout.panes[PANE_tools];

	if (!has_list(wb) || y < list->y || y >= list->y + list->height)
		return -1;
	if (x == list->x + list->width - 1 || x == list->x + list->width)
		return PANE_tools;
	if (x < list->x + list->width)
		return -1;
	int above = ends_at(wb, y), below = begins_at(wb, y + 1);
	if (above < 0 || below < 0) {
		above = ends_at(wb, y - 1);
		below = begins_at(wb, y);
	}
	if (above < 0 || below < 0)
		return -1;
	return above == PANE_structured ? below : above;
}

static void
drag(struct workbench *wb, const struct key *key)
{
	const struct rect *r = &wb->layout.panes[wb->held];
	bool is_last = ends_at(wb, wb->height - 2) == wb->held;

	if (wb->held == PANE_tools)
		wb->sizes.left = key->x + 1 > 0 ? key->x + 1 : 1;
	else if (is_last)
		wb->sizes.height[wb->held] =
		    wb->height - 1 - key->y > 0 ? wb->height - 1 - key->y : 1;
	else
		wb->sizes.height[wb->held] = key->y + 1 - r->y > 0 ? key->y + 1 - r->y : 1;
}

bool
borders_mouse(struct workbench *wb, const struct key *key)
{
	int held = wb->held;

	if (key->action == MOUSE_PRESS) {
		wb->held = key->button == 1 ? border_at(wb, key->x, key->y) : -1;
		return wb->held == PANE_tools; /* a title also moves the focus */
	}
	if (held < 0)
		return false;
	if (key->action == MOUSE_RELEASE)
		wb->held = -1;
	else if (key->action == MOUSE_DRAG && has_list(wb))
		drag(wb, key);
	return true;
}

/* ---- commands ---- */

static bool
resize(struct workbench *wb, const char *arg, int by)
{
	enum pane_id pane = wb->focus;
	size_t wanted = 2;

	if (*arg && (!quantity_size(arg, &wanted) || wanted > 500))
		return workbench_say(wb, ROLE_ERROR, "%s is no number of rows or columns", arg);
	int n = (int)wanted;
	if (wb->overlay >= 0 || !has_list(wb))
		return workbench_say(wb, ROLE_WARNING, "one pane has the whole screen");
	if (is_stacked(wb, (int)pane))
		wb->sizes.height[pane] = wb->layout.panes[pane].height + by * n;
	else
		wb->sizes.left =
		    wb->layout.panes[PANE_tools].width + (pane == PANE_tools ? by * n : -by * n);
	if (wb->sizes.height[pane] < 0)
		wb->sizes.height[pane] = 1;
	return true;
}

bool
cmd_grow(struct workbench *wb, const char *arg)
{
	return resize(wb, arg, 1);
}

bool
cmd_shrink(struct workbench *wb, const char *arg)
{
	return resize(wb, arg, -1);
}

bool
cmd_fit(struct workbench *wb, const char *arg)
{
	(void)arg;
	wb->sizes = (struct layout_sizes){ 0 };
	return true;
}
