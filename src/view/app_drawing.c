#include "view/app.h"

#include "base/utf8.h"

static uint32_t
color_or(int32_t color, uint32_t otherwise)
{
	return color == COLOR_DEFAULT ? otherwise : (uint32_t)color;
}

/* A ground that can be told from the one around it: without colors a page still has to say where
 * its buttons are. */
static uint32_t
raised(uint32_t ground, bool is_light)
{
	return is_light ? ground - 0x181818 : ground + 0x181818;
}

static struct app_colors
colors_of(const struct theme *t)
{
	const struct theme_entry *roles = t->roles;
	uint32_t ground = color_or(roles[ROLE_TEXT].bg, t->is_light ? 0xffffff : 0x101010);
	uint32_t ink = color_or(roles[ROLE_TEXT].fg, t->is_light ? 0x1c1c1c : 0xe4e4e4);

	return (struct app_colors){
		.background = ground,
		.raised = color_or(roles[ROLE_FIELD].bg, raised(ground, t->is_light)),
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

/* Block elements and Braille dots. */
static bool
is_drawn(const struct app_cell *c)
{
	return (c->ch >= 0x2580 && c->ch <= 0x259f) || (c->ch >= 0x2800 && c->ch <= 0x28ff);
}

static bool
looks_alike(const struct app_cell *a, const struct app_cell *b)
{
	return is_drawn(a) == is_drawn(b) && a->ink == b->ink && a->ground == b->ground &&
	       a->attr == b->attr;
}

/* Draw the first cells of one style as one text. Return their number. */
static int
draw_piece(struct surface s, const struct app_cell *cells, uint32_t kept, struct buf *text)
{
	int n = 0;

	buf_clear(text);
	for (; n < s.width && looks_alike(&cells[0], &cells[n]); n++) {
		char bytes[4];
		if (cells[n].ch == 0)
			continue;
		buf_add(text, bytes, utf8_encode(cells[n].ch, bytes));
		for (int m = 0; m < 2 && cells[n].marks[m]; m++)
			buf_add(text, bytes, utf8_encode(cells[n].marks[m], bytes));
	}
	const struct style style = { STYLE_RGB(cells[0].ink & kept),
		STYLE_RGB(cells[0].ground & kept),
		(uint8_t)(cells[0].attr | (is_drawn(&cells[0]) ? ATTR_DRAWN : 0)) };
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
