/* SPDX-License-Identifier: MIT */
#include "view/app.h"

#include "base/utf8.h"

static uint32_t
color_or(int32_t color, uint32_t otherwise)
{
	return color == COLOR_DEFAULT ? otherwise : (uint32_t)color;
}

static struct app_colors
colors_of(const struct theme *t)
{
	const struct theme_entry *roles = t->roles;
	uint32_t ground = color_or(roles[ROLE_TEXT].bg, t->is_light ? 0xffffff : 0x101010);
	uint32_t ink = color_or(roles[ROLE_TEXT].fg, t->is_light ? 0x1c1c1c : 0xe4e4e4);

	/* if the theme has no color for fields, buttons are still visible on the page */
	uint32_t raised = t->is_light ? ground - 0x181818 : ground + 0x181818;
	return (struct app_colors){
		.background = ground,
		.raised = color_or(roles[ROLE_FIELD].bg, raised),
		.selected = color_or(roles[ROLE_SELECTION].bg, ground),
		.inverse = ink,
		.text = ink,
		.dim = color_or(roles[ROLE_DIM].fg, ink),
		.hint = color_or(roles[ROLE_HINT].fg, ink),
		.border = color_or(roles[ROLE_BORDER].fg, ink),
		.accent = color_or(roles[ROLE_ACCENT].fg, ink),
		.info = color_or(roles[ROLE_ACCENT].fg, ink),
		.danger = color_or(roles[ROLE_ERROR].fg, ink),
		.success = color_or(roles[ROLE_OK].fg, ink),
		.warning = color_or(roles[ROLE_WARNING].fg, ink),
	};
}

void
render_app_colors(const struct theme *theme, struct app_context *c)
{
	struct theme other;

	theme_builtin(&other, theme->is_light ? "dark" : "light");
	c->is_dark = !theme->is_light;
	c->has_colors = true;
	c->light = colors_of(theme->is_light ? theme : &other);
	c->dark = colors_of(theme->is_light ? &other : theme);
}

/* ---- cells ---- */

/* Return whether it is a block element or Braille dots. */
static bool
is_drawn(const struct app_cell *c)
{
	return (c->ch >= 0x2580 && c->ch <= 0x259f) || (c->ch >= 0x2800 && c->ch <= 0x28ff);
}

/* Draw the first cells of the same style as one text. Return how many. */
static int
draw_piece(struct surface s, const struct app_cell *cells, uint32_t kept, struct buf *text)
{
	const struct app_cell *first = &cells[0];
	bool drawn = is_drawn(first);
	int n = 0;

	buf_clear(text);
	for (; n < s.width; n++) {
		if (is_drawn(&cells[n]) != drawn || cells[n].ink != first->ink ||
		    cells[n].ground != first->ground || cells[n].attr != first->attr)
			break;
		if (cells[n].ch == 0)
			continue;
		utf8_add(text, cells[n].ch);
		for (int m = 0; m < 2 && cells[n].marks[m]; m++)
			utf8_add(text, cells[n].marks[m]);
	}
	struct style style = { STYLE_RGB(first->ink & kept), STYLE_RGB(first->ground & kept),
		(uint8_t)(first->attr | (drawn ? ATTR_DRAWN : 0)) };
	surface_textn(surface_sub(s, 0, 0, n, 1), 0, 0, style, buf_text(text), text->len);
	return n;
}

void
render_app_cells(struct surface s, const struct app_cells *c, uint32_t kept)
{
	int rows = c->rows < s.height ? c->rows : s.height;
	int cols = c->cols < s.width ? c->cols : s.width;
	struct buf text = BUF_INIT;

	for (int y = 0; y < rows; y++)
		for (int x = 0; x < cols;)
			x += draw_piece(surface_sub(s, x, y, cols - x, 1),
			    &c->cells[(size_t)y * (size_t)c->cols + (size_t)x], kept, &text);
	buf_finish(&text);
}
