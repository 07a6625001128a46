#include "edit_priv.h"

#include "base/glyph.h"

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
