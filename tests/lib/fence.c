/* SPDX-License-Identifier: MIT */
#include "fence.h"

#include "base/glyph.h"
#include "base/utf8.h"
#include "test.h"

#define SELECTION_BAR 0x258c
#define SCROLLBAR_THUMB 0x2503

static const struct style FENCE = { .ink = STYLE_RGB(0xfe9ce5), .ground = STYLE_RGB(0x5ec9ef) };

static bool
within(struct surface s, int x, int y)
{
	return x >= s.x && x < s.x + s.width && y >= s.y && y < s.y + s.height;
}

static struct cell *
cell_at(const struct grid *g, int x, int y)
{
	return &g->cells[(size_t)y * (size_t)g->width + (size_t)x];
}

void
fence_raise(struct surface inside)
{
	struct surface all = surface_whole(inside.grid);

	surface_clear(all, style_of(ROLE_TEXT));
	for (int y = 0; y < all.height; y++) {
		for (int x = 0; x < all.width; x++) {
			if (!within(inside, x, y))
				cell_at(inside.grid, x, y)->style = FENCE;
		}
	}
}

/* x and y are relative to the rectangle. */
static bool
may_reach(struct surface inside, int x, int y, const struct cell *c)
{
	bool selected = c->style.ground == ROLE_SELECTION || c->style.ground == ROLE_SELECTION_DIM;

	if (y < 0 || y >= inside.height)
		return false;
	if (x == -1 && c->ch == SELECTION_BAR)
		return true;
	if (x == -1 || x == inside.width)
		return selected && c->ch == ' ' && c->style.ink == FENCE.ink;
	return x == inside.width + 1 && c->ch == SCROLLBAR_THUMB;
}

static bool
outside_broken(struct surface inside, struct buf *why)
{
	const struct grid *g = inside.grid;

	for (int y = 0; y < g->height; y++) {
		for (int x = 0; x < g->width; x++) {
			const struct cell *c = cell_at(g, x, y);
			bool same = c->ch == ' ' && c->marks[0] == 0 && c->style.ink == FENCE.ink &&
				    c->style.ground == FENCE.ground && c->style.attr == FENCE.attr;
			if (within(inside, x, y) || same ||
			    may_reach(inside, x - inside.x, y - inside.y, c))
				continue;
			buf_addf(why, "U+%04x was drawn outside, at %d,%d of %d x %d", c->ch,
			    x - inside.x, y - inside.y, inside.width, inside.height);
			return true;
		}
	}
	return false;
}

static int
columns_of(uint32_t ch)
{
	char text[4];

	return (int)glyph_columns(text, utf8_encode(ch, text));
}

static bool
row_broken(struct surface inside, int y, struct buf *why)
{
	int columns = 0;

	for (int x = 0; x < inside.width; x++) {
		uint32_t ch = cell_at(inside.grid, inside.x + x, inside.y + y)->ch;
		if ((ch == 0) != (columns == x + 1)) {
			buf_addf(why, "half a wide character at %d,%d", x, y);
			return true;
		}
		columns += ch ? columns_of(ch) : 0;
	}
	if (columns > inside.width)
		buf_addf(why, "row %d has %d columns in a width of %d", y, columns, inside.width);
	return columns > inside.width;
}

bool
fence_broken(struct surface inside, struct buf *why)
{
	if (outside_broken(inside, why))
		return true;
	for (int y = 0; y < inside.height; y++) {
		if (row_broken(inside, y, why))
			return true;
	}
	return false;
}

void
fence_assert(struct surface inside)
{
	struct buf why = BUF_INIT;

	if (fence_broken(inside, &why)) {
		buf_add_char(&why, '\n');
		grid_to_text(inside.grid, &why);
		print_message("%s", buf_text(&why));
		buf_finish(&why);
		fail();
	}
	buf_finish(&why);
}
