#include "ui/surface.h"

#include "base/glyph.h"

#include <string.h>

enum box {
	BOX_HORIZONTAL = 0x2500,
	BOX_VERTICAL = 0x2502,
	BOX_TOP_LEFT = 0x256d,
	BOX_TOP_RIGHT = 0x256e,
	BOX_BOTTOM_RIGHT = 0x256f,
	BOX_BOTTOM_LEFT = 0x2570,
	LEFT_HALF_BLOCK = 0x258c,
	HEAVY_VERTICAL = 0x2503,
};

static void
draw_box(struct surface s, struct style style)
{
	int right = s.width - 1, bottom = s.height - 1;

	surface_repeat(s, 1, 0, right - 1, style, BOX_HORIZONTAL);
	surface_repeat(s, 1, bottom, right - 1, style, BOX_HORIZONTAL);
	for (int y = 1; y < bottom; y++) {
		surface_put(s, 0, y, style, BOX_VERTICAL);
		surface_put(s, right, y, style, BOX_VERTICAL);
	}
	surface_put(s, 0, 0, style, BOX_TOP_LEFT);
	surface_put(s, right, 0, style, BOX_TOP_RIGHT);
	surface_put(s, 0, bottom, style, BOX_BOTTOM_LEFT);
	surface_put(s, right, bottom, style, BOX_BOTTOM_RIGHT);
}

/* Text of the top border between two blanks; returns the column after it. */
static int
draw_on_border(
    struct surface s, int x, int max_cols, struct style style, const char *text, size_t len)
{
	int used = surface_textn(s, x + 1, 0, max_cols, style, text, len);

	surface_put(s, x, 0, style, ' ');
	surface_put(s, x + 1 + used, 0, style, ' ');
	return x + used + 2;
}

/* The bytes of as many facts (" · " between them) as fit into room; 0: not even the first. */
static size_t
whole_facts(const char *facts, int room)
{
	size_t fit = 0;

	if ((int)glyph_columns(facts, strlen(facts)) <= room)
		return strlen(facts);
	for (const char *at = facts; (at = strstr(at, " · ")); at += strlen(" · "))
		if ((int)glyph_columns(facts, (size_t)(at - facts)) <= room)
			fit = (size_t)(at - facts);
	return fit;
}

struct surface
surface_frame(
    struct surface s, bool focused, const char *title, const char *facts, enum role facts_role)
{
	enum { LEAST_FACTS = 4 }; /* columns: less says nothing */
	int from = 1;

	if (s.width < 2 || s.height < 2)
		return surface_sub(s, 0, 0, 0, 0);
	draw_box(s, style_of(focused ? ROLE_FOCUS : ROLE_BORDER));
	if (title && *title && s.width >= 6)
		from =
		    draw_on_border(s, 1, s.width - 5, style_of(ROLE_TITLE), title, strlen(title));
	if (facts && *facts) {
		int room = s.width - from - 5; /* a stretch of border at each side, two blanks */
		size_t len = whole_facts(facts, room);
		int columns = len > 0 ? (int)glyph_columns(facts, len) : room;
		if (columns > 0 && (len > 0 || room >= LEAST_FACTS))
			draw_on_border(s, s.width - 4 - columns, columns, style_of(facts_role),
			    facts, len > 0 ? len : strlen(facts));
	}
	return surface_sub(s, 2, 1, s.width - 4, s.height - 2);
}

/* The inside of a frame grown by `columns` on each side, within the grid. */
static struct surface
grown(struct surface inside, int columns)
{
	return surface_sub(surface_whole(inside.grid), inside.x - columns, inside.y,
	    inside.width + 2 * columns, inside.height);
}

void
surface_select_row(struct surface inside, int y, bool focused)
{
	struct surface row = grown(inside, 1);
	enum role ground = focused ? ROLE_SELECTION : ROLE_SELECTION_DIM;

	surface_put(row, 0, y, style_of(focused ? ROLE_FOCUS : ROLE_BORDER), LEFT_HALF_BLOCK);
	surface_restyle(row, 0, y, row.width, ground, 0);
}

void
surface_scrollbar(struct surface inside, bool focused, size_t count, size_t top)
{
	struct surface s = grown(inside, 2);
	size_t height = (size_t)s.height;

	if (s.height < 2 || count <= height)
		return;
	/* in double: count * height may not fit */
	double scale = (double)height / (double)count;
	int length = (int)((double)height * scale + 0.5);
	if (length < 1)
		length = 1;
	double span = (double)(s.height - length);
	int at = (int)(span * ((double)top / (double)(count - height)) + 0.5);
	if (top > 0 && at == 0)
		at = 1;
	if (at > s.height - length)
		at = s.height - length;
	for (int y = at; y < at + length; y++)
		surface_put(
		    s, s.width - 1, y, style_of(focused ? ROLE_FOCUS : ROLE_DIM), HEAVY_VERTICAL);
}
