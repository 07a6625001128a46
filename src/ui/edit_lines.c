#include "edit_lines.h"

#include "base/glyph.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void
edit_init(struct edit *e, bool lines, size_t max)
{
	*e = (struct edit){ .lines = lines, .goal = -1 };
	buf_init(&e->text, max);
}

static void
clear_undo(struct edit *e)
{
	for (size_t i = 0; i < e->undo_len; i++)
		free(e->undo[i].text);
	free(e->undo);
	e->undo = NULL;
	e->undo_len = 0;
	e->burst = 0;
}

void
edit_finish(struct edit *e)
{
	if (!e)
		return;
	clear_undo(e);
	buf_finish(&e->text);
	edit_init(e, e->lines, e->text.max);
}

void
edit_set(struct edit *e, const char *text, size_t len)
{
	clear_undo(e);
	buf_clear(&e->text);
	buf_add(&e->text, text, len);
	e->cursor = e->text.len;
	e->selected = 0;
	e->left = e->top = 0;
	e->goal = -1;
}

const char *
edit_text(const struct edit *e)
{
	return buf_text(&e->text);
}

size_t
edit_line_start(const struct edit *e, size_t at)
{
	const char *newline = e->lines && at > 0 ? memrchr(e->text.data, '\n', at) : NULL;

	return newline ? (size_t)(newline - e->text.data) + 1 : 0;
}

size_t
edit_line_end(const struct edit *e, size_t at)
{
	const char *newline =
	    e->lines && at < e->text.len ? memchr(e->text.data + at, '\n', e->text.len - at) : NULL;

	return newline ? (size_t)(newline - e->text.data) : e->text.len;
}

size_t
edit_at_column(const struct edit *e, size_t start, size_t column)
{
	size_t end = edit_line_end(e, start), at = start, columns = 0;

	while (at < end) {
		struct glyph g;
		size_t used = glyph_next(e->text.data + at, end - at, &g);
		columns += g.width;
		if (columns > column)
			break;
		at += used;
	}
	return at;
}

size_t
edit_line(const struct edit *e, int n)
{
	size_t at = 0;

	for (; n > 0; n--) {
		size_t end = edit_line_end(e, at);
		if (end == e->text.len)
			break;
		at = end + 1;
	}
	return at;
}

static int
line_number(const struct edit *e, size_t at)
{
	int n = 0;

	while (at > 0 && (at = edit_line_start(e, at)) > 0) {
		at--;
		n++;
	}
	return n;
}

/* The smallest change of *first that shows [at, at + size) in a window. */
static void
scroll_to(int *first, int at, int size, int window)
{
	if (at + size > *first + window)
		*first = at + size - window;
	if (at < *first)
		*first = at;
}

static void
scroll(struct edit *e, struct surface s)
{
	size_t start = edit_line_start(e, e->cursor), end = edit_line_end(e, e->cursor);
	size_t columns = glyph_columns(buf_text(&e->text) + start, e->cursor - start);
	size_t all = columns + glyph_columns(buf_text(&e->text) + e->cursor, end - e->cursor);
	struct glyph g = { .width = 1 };

	e->height = s.height;
	if (e->cursor < end)
		glyph_next(e->text.data + e->cursor, end - e->cursor, &g);
	if (columns > INT_MAX / 2)
		columns = INT_MAX / 2;
	scroll_to(&e->left, (int)columns, g.width, s.width);
	/* no empty room at the right while text is hidden at the left */
	if (!e->lines && e->left > 0 && all + 1 < (size_t)e->left + (size_t)s.width)
		e->left = all + 1 > (size_t)s.width ? (int)all + 1 - s.width : 0;
	scroll_to(&e->top, line_number(e, e->cursor), 1, s.height);
}

/* Draws one line; the cursor's cell, if it is in this line, has its own role. */
static void
draw_line(
    const struct edit *e, struct surface s, struct style style, size_t start, int y, bool focused)
{
	size_t end = edit_line_end(e, start), at = start;
	int x = -e->left;

	while (at < end && x < s.width) {
		struct glyph g;
		size_t used = glyph_next(e->text.data + at, end - at, &g);
		bool is_cursor = focused && at == e->cursor;
		bool is_selected = at < e->cursor && e->cursor - at <= e->selected;
		struct style look = style;
		look.attr |= focused && is_selected ? ATTR_REVERSE : 0;
		if (is_cursor && g.kind != GLYPH_PLAIN) /* not in the role of marks */
			surface_put(s, x, y, style_of(ROLE_CURSOR), g.ch);
		else if (x + g.width > 0)
			surface_textn(s, x, y, is_cursor ? style_of(ROLE_CURSOR) : look,
			    e->text.data + at, used);
		x += g.width;
		at += used;
	}
	if (focused && at == end && e->cursor == end)
		surface_put(s, x, y, style_of(ROLE_CURSOR), ' ');
}

static void
draw_placeholder(struct surface s, bool focused, const char *text)
{
	struct glyph g;
	size_t len = strlen(text);

	surface_textn(s, 0, 0, style_of(ROLE_HINT), text, len);
	if (focused && len > 0)
		surface_textn(s, 0, 0, style_of(ROLE_CURSOR), text, glyph_next(text, len, &g));
}

void
edit_draw(
    struct edit *e, struct surface s, struct style style, bool focused, const char *placeholder)
{
	surface_clear(s, style);
	if (s.width <= 0 || s.height <= 0)
		return;
	scroll(e, s);
	size_t start = edit_line(e, e->top);
	for (int y = 0; y < s.height; y++) {
		draw_line(e, s, style, start, y, focused);
		size_t end = edit_line_end(e, start);
		if (end == e->text.len)
			break;
		start = end + 1;
	}
	if (e->text.len == 0 && placeholder)
		draw_placeholder(s, focused, placeholder);
}
