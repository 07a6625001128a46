#include "runs.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "ui/paint.h"

#include <stdlib.h>
#include <string.h>

enum { RIGHT_HALF = -1, REPLACEMENT = 0xfffd };

struct cell_run {
	struct style style;
	uint16_t x, columns, bytes;
};

/* ---- from libvterm ---- */

/* The first eight colors and their bright twins on the ground of the theme: to be read on a dark
 * one and on a light one. White and black are the text's own. */
static uint32_t
ink_on_default(uint8_t index)
{
	static const uint32_t inks[] = { ROLE_HINT, STYLE_RGB(0xd04848), STYLE_RGB(0x3a9a3a),
		STYLE_RGB(0xb08800), STYLE_RGB(0x4a7fe0), STYLE_RGB(0xb35cc4), STYLE_RGB(0x1f98a8),
		ROLE_TEXT };

	return inks[index % ARRAY_LEN(inks)];
}

static bool
has_ink_of_theme(const VTermScreenCell *c)
{
	enum { NAMED_COLORS = 16 };

	return VTERM_COLOR_IS_DEFAULT_BG(&c->bg) && !VTERM_COLOR_IS_DEFAULT_FG(&c->fg) &&
	       VTERM_COLOR_IS_INDEXED(&c->fg) && c->fg.indexed.idx < NAMED_COLORS;
}

static uint32_t
color_of(const VTermColor *c, bool is_default, enum role role)
{
	if (is_default)
		return role;
	if (VTERM_COLOR_IS_INDEXED(c))
		return STYLE_RGB((uint32_t)paint_palette(c->indexed.idx));
	return STYLE_RGB(
	    (uint32_t)c->rgb.red << 16 | (uint32_t)c->rgb.green << 8 | (uint32_t)c->rgb.blue);
}

struct style
vterm_cell_style(const VTermScreenCell *c)
{
	return (struct style){
		.ink = has_ink_of_theme(c)
			   ? ink_on_default(c->fg.indexed.idx)
			   : color_of(&c->fg, VTERM_COLOR_IS_DEFAULT_FG(&c->fg), ROLE_TEXT),
		.ground = color_of(&c->bg, VTERM_COLOR_IS_DEFAULT_BG(&c->bg), ROLE_NONE),
		.attr = (uint8_t)((c->attrs.bold ? ATTR_BOLD : 0) |
				  (c->attrs.italic ? ATTR_ITALIC : 0) |
				  (c->attrs.underline ? ATTR_UNDERLINE : 0) |
				  (c->attrs.reverse ? ATTR_REVERSE : 0)),
	};
}

static bool
is_concealed(const VTermScreenCell *c)
{
#if VTERM_VERSION_MINOR >= 2
	return c->attrs.conceal;
#else
	return false;
#endif
}

static bool
is_plain(uint32_t ch)
{
	return ch >= ' ' && ch < 0x7f;
}

bool
vterm_cell_is_blank(const VTermScreenCell *c)
{
	return (c->chars[0] == 0 || c->chars[0] == ' ') && VTERM_COLOR_IS_DEFAULT_BG(&c->bg) &&
	       !c->attrs.reverse && !c->attrs.underline;
}

static bool
same_style(struct style a, struct style b)
{
	return a.ink == b.ink && a.ground == b.ground && a.attr == b.attr;
}

/* One cell that is not plain, as text that is exactly as wide. */
static size_t
cell_text(const VTermScreenCell *c, char *out)
{
	struct glyph g;
	size_t len = 0;

	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && c->chars[i] && !is_concealed(c); i++)
		len += utf8_encode(c->chars[i], out + len);
	if (len == 0)
		return utf8_encode(' ', out);
	glyph_next(out, len, &g);
	if (g.width > c->width)
		return utf8_encode(REPLACEMENT, out);
	len = utf8_encode(g.ch, out);
	for (int i = 0; i < 2 && g.marks[i]; i++)
		len += utf8_encode(g.marks[i], out + len);
	return len;
}

static void
add_run(struct buf *out, const struct cell_run *run, const char *text)
{
	if (run->bytes == 0)
		return;
	buf_add(out, run, sizeof(*run));
	buf_add(out, text, run->bytes);
}

/* Plain characters of one style from x on. Returns the cell after them. */
static int
add_plain(struct buf *out, const VTermScreenCell *cells, int x, int end)
{
	enum { MOST = 512 };
	char text[MOST];
	struct cell_run run = { .style = vterm_cell_style(&cells[x]), .x = (uint16_t)x };

	for (; x < end && run.bytes < MOST; x++) {
		uint32_t ch = cells[x].chars[0];
		ch = ch == 0 || is_concealed(&cells[x]) ? ' ' : ch;
		if (!is_plain(ch) || cells[x].chars[1] || cells[x].width > 1 ||
		    (run.bytes > 0 && !same_style(vterm_cell_style(&cells[x]), run.style)))
			break;
		text[run.bytes++] = (char)ch;
	}
	run.columns = run.bytes;
	add_run(out, &run, text);
	return x;
}

void
runs_add(struct buf *out, const VTermScreenCell *cells, int count)
{
	char text[4 * VTERM_MAX_CHARS_PER_CELL];

	while (count > 0 && vterm_cell_is_blank(&cells[count - 1]))
		count--;
	for (int x = 0; x < count;) {
		int next = add_plain(out, cells, x, count);
		if (next == x && cells[x].chars[0] != (uint32_t)RIGHT_HALF) {
			struct cell_run run = { .style = vterm_cell_style(&cells[x]),
				.x = (uint16_t)x };
			run.columns = cells[x].width > 1 ? 2 : 1;
			run.bytes = (uint16_t)cell_text(&cells[x], text);
			add_run(out, &run, text);
		}
		x = next > x ? next : x + 1;
	}
}

/* ---- to the surface ---- */

void
runs_draw(struct surface s, int y, const char *runs, size_t len)
{
	struct cell_run run;

	for (size_t at = 0; at + sizeof(run) <= len; at += sizeof(run) + run.bytes) {
		memcpy(&run, runs + at, sizeof(run));
		surface_textn(surface_sub(s, run.x, y, run.columns, 1), 0, 0, run.style,
		    runs + at + sizeof(run), run.bytes);
	}
}

/* ---- kept rows ---- */

static struct kept_row *
line_at(const struct kept_rows *h, size_t index)
{
	return &h->ring[(h->first + index) % KEPT_ROWS];
}

static void
drop_oldest(struct kept_rows *h)
{
	struct kept_row *line = line_at(h, 0);

	h->bytes -= line->len;
	free(line->bytes);
	h->first = (h->first + 1) % KEPT_ROWS;
	h->len--;
}

void
kept_rows_add(struct kept_rows *h, const char *bytes, size_t len)
{
	if (!h->ring)
		h->ring = mem_zalloc(KEPT_ROWS * sizeof(*h->ring));
	while (h->len > 0 && (h->len == KEPT_ROWS || h->bytes + len > KEPT_BYTES))
		drop_oldest(h);
	struct kept_row *line = line_at(h, h->len++);
	*line = (struct kept_row){ .len = len };
	if (len > 0) {
		line->bytes = mem_alloc(len);
		memcpy(line->bytes, bytes, len);
	}
	h->bytes += len;
}

const struct kept_row *
kept_rows_at(const struct kept_rows *h, size_t index)
{
	return line_at(h, index);
}

void
kept_rows_finish(struct kept_rows *h)
{
	while (h->len > 0)
		drop_oldest(h);
	free(h->ring);
	*h = (struct kept_rows){ 0 };
}
