#include "frame.h"

#include "base/units.h"
#include "workbench/commands/commands.h"

#include <assert.h>

static int
clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

enum { LEFT_SMALL = 26, LEFT_LARGE = 44, RIGHT_LEAST = 44 };

int
layout_left_width(int width, const struct layout_sizes *sizes)
{
	const struct pane *list = &pane_table[PANE_tools];
	int best = clamp(width * list->share / 100, LEFT_SMALL, LEFT_LARGE);

	return sizes->left > 0 ? clamp(sizes->left, list->least, width - RIGHT_LEAST) : best;
}

/* ---- the stack: each pane gets its least height first; spare rows go, in order of rank, to panes
 * that want more, and the rest to structuredContent ---- */

#define NONE(...)
#define LEAST(id, least, share, rank) +(least)
static_assert(PANES(NONE, LEAST, NONE) <= LAYOUT_STACK_ROWS - 2, "all fit");

static bool
is_in_stack(const struct layout_input *in, int pane)
{
	return pane_table[pane].slot == SLOT_STACKED && !in->absent[pane];
}

/* Before the first call the form gets all it wants; without structuredContent, content gets all the
 * spare rows. */
static int
share_of(const struct layout_input *in, int pane)
{
	if (!in->has_call || (pane == PANE_content && !in->has_structured))
		return 100;
	return pane == PANE_content && in->absent[PANE_validation] ? 45 : pane_table[pane].share;
}

/* An empty pane needs one line. */
static int
least_of(const struct layout_input *in, int pane)
{
	return pane == PANE_structured && in->has_none ? 3 : pane_table[pane].least;
}

/* Rows that structuredContent does not need go to panes that are still cut, the lowest first. */
static void
share_idle(const struct layout_input *in, int out[PANE_COUNT])
{
	int least = least_of(in, PANE_structured);
	int idle = out[PANE_structured] - (in->want[PANE_structured] + 2);

	if ((!in->has_structured && !in->has_none) || in->want[PANE_structured] == 0)
		return;
	if (idle > out[PANE_structured] - least)
		idle = out[PANE_structured] - least;
	for (int i = PANE_COUNT; i-- > 0 && idle > 0;) {
		if (!is_in_stack(in, i) || i == PANE_structured || in->sizes.height[i] > 0)
			continue;
		int more = clamp(in->want[i] + 2 - out[i], 0, idle);
		out[i] += more;
		out[PANE_structured] -= more;
		idle -= more;
	}
}

/* Applies the sizes set by the user first. Returns the rest of `spare`. */
static int
give_set(const struct layout_input *in, int spare, int out[PANE_COUNT])
{
	for (int i = 0; i < PANE_COUNT; i++) {
		if (!is_in_stack(in, i) || in->sizes.height[i] == 0)
			continue;
		int more = clamp(in->sizes.height[i] - out[i], 0, spare);
		out[i] += more;
		spare -= more;
	}
	return spare;
}

/* What a pane gets of the spare rows when it is its turn. */
static int
give_wanted(const struct layout_input *in, int pane, int height, int spare, int has)
{
	int share = pane_table[pane].share, most = height * share_of(in, pane) / 100;

	if (in->sizes.height[pane] > 0 && share < 100)
		return 0;
	int wants = clamp(in->want[pane] + 2, has, most > has ? most : has);
	return share == 100 ? spare : clamp(wants - has, 0, spare);
}

static void
stack_heights(const struct layout_input *in, int height, int out[PANE_COUNT])
{
	int spare = height;

	for (int i = 0; i < PANE_COUNT; i++) {
		out[i] = is_in_stack(in, i) ? least_of(in, i) : 0;
		spare -= out[i];
	}
	spare = give_set(in, spare, out);
	for (int rank = 0; rank < PANE_COUNT; rank++) {
		for (int i = 0; i < PANE_COUNT; i++) {
			if (!is_in_stack(in, i) || pane_table[i].rank != rank)
				continue;
			int more = give_wanted(in, i, height, spare, out[i]);
			out[i] += more;
			spare -= more;
		}
	}
	if (in->absent[PANE_structured])
		out[PANE_content] += spare;
	else
		share_idle(in, out);
}

static void
place_stack(struct layout *l, const struct layout_input *in, struct rect area)
{
	int heights[PANE_COUNT];
	int y = area.y;

	stack_heights(in, area.height, heights);
	for (int i = 0; i < PANE_COUNT; i++) {
		if (heights[i] > 0)
			l->panes[i] = (struct rect){ area.x, y, area.width, heights[i] };
		y += heights[i];
	}
}

static void
place_tabbed(struct layout *l, enum pane_id pane, struct rect area)
{
	l->tabs = (struct rect){ area.x, area.y, area.width, 1 };
	l->panes[pane] = (struct rect){ area.x, area.y + 1, area.width, area.height - 1 };
}

struct layout
layout_make(const struct layout_input *in)
{
	struct layout l = { .shape = LAYOUT_ONE };
	struct rect main = { 0, 1, in->width, in->height - 2 };

	if (in->overlay >= 0) {
		l.panes[in->overlay] = main;
		return l;
	}
	if (in->zoomed) {
		l.panes[in->focus] = main;
		return l;
	}
	if (in->width < LAYOUT_TWO_COLUMNS) {
		l.shape = LAYOUT_TABS;
		place_tabbed(&l, in->focus, main);
		return l;
	}
	int left = layout_left_width(in->width, &in->sizes);
	struct rect right = { left, main.y, in->width - left, main.height };
	l.panes[PANE_tools] = (struct rect){ 0, main.y, left, main.height };
	if (in->height >= LAYOUT_STACK_ROWS) {
		l.shape = LAYOUT_FULL;
		place_stack(&l, in, right);
	} else {
		l.shape = LAYOUT_TWO;
		place_tabbed(&l, in->right, right);
	}
	return l;
}

/* Pane sizes: set by dragging borders or by commands. */

static bool
has_list(const struct workbench *wb)
{
	return wb->layout.shape == LAYOUT_FULL || wb->layout.shape == LAYOUT_TWO;
}

static bool
is_stacked(const struct workbench *wb, int pane)
{
	return wb->layout.shape == LAYOUT_FULL && pane_table[pane].slot == SLOT_STACKED &&
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

/* The pane that a border resizes. structuredContent is never resized itself: it takes the rest. */
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

	if (*arg && (!units_parse_size(arg, &wanted) || wanted > 500))
		return workbench_say(wb, ROLE_ERROR, "%s is not a number of rows or columns", arg);
	int n = (int)wanted;
	if (wb->overlay >= 0 || !has_list(wb))
		return workbench_say(wb, ROLE_WARNING, "one pane fills the screen: z ends that");
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
	wb->sizes = (struct layout_sizes){ 0 };
	return true;
}
