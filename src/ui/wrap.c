/* SPDX-License-Identifier: MIT */
#include "ui/wrap.h"

#include "base/glyph.h"
#include "base/vec.h"

#include <stdint.h>
#include <stdlib.h>

enum { TAB = 8, ROWS_PER_MARK = 64, MOST_BLANKS = 4096 };

/* Bytes broken into rows for one drawing: a millisecond or two. */
#define SLICE ((size_t)256 << 10)

void
wrap_finish(struct wrap *w)
{
	free(w->marks);
	*w = (struct wrap){ 0 };
}

void
wrap_set(struct wrap *w, const char *text, size_t len, int width)
{
	if (width < 1)
		width = 1;
	if (w->text == text && w->len == len && w->width == width)
		return;
	w->text = text;
	w->len = len;
	w->width = width;
	w->mark_count = 0;
	w->known = w->at = 0;
	w->near = w->near_at = 0;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Skip the blanks at the edge, and a newline after them, which adds no empty row. */
static size_t
wrap_skip_blanks(const struct wrap *w, size_t at)
{
	size_t end = w->len - at > MOST_BLANKS ? at + MOST_BLANKS : w->len;
	struct glyph g;

	while (at < end && is_blank(w->text[at]))
		at++;
	if (at == w->len)
		return at;
	size_t used = glyph_next(w->text + at, w->len - at, &g);
	return g.kind == GLYPH_NEWLINE ? at + used : at;
}

static int
wrap_columns_of(const struct glyph *g, int column)
{
	return g->kind == GLYPH_TAB ? TAB - column % TAB : g->width;
}

/* Find the row that begins at start (< len). Return the start of the next one. */
static size_t
find_row(const struct wrap *w, size_t start, struct wrap_row *row)
{
	size_t at = start, break_end = start, break_next = start;
	int column = 0;

	while (at < w->len) {
		struct glyph g;
		size_t used = glyph_next(w->text + at, w->len - at, &g);
		int columns = wrap_columns_of(&g, column);
		bool blank = is_blank(w->text[at]);
		if (g.kind == GLYPH_NEWLINE) {
			*row = (struct wrap_row){ start, at };
			if (!w->folds || used > 1)
				return at + used;
			size_t end = w->folds->end(w->folds, at);
			return end < w->len ? end + 1 : w->len;
		}
		if (blank && (at == start || !is_blank(w->text[at - 1])))
			break_end = at;
		if (column + columns > w->width && at > start) {
			if (blank && break_end > start) {
				*row = (struct wrap_row){ start, break_end };
				return wrap_skip_blanks(w, at);
			}
			bool between = break_next > start && break_end > start;
			*row = (struct wrap_row){ start, between ? break_end : at };
			return between ? break_next : at;
		}
		column += columns;
		at += used;
		/* a row may also end between two wide characters */
		if (blank || g.width > 1) {
			break_next = at;
			break_end = blank ? break_end : at;
		}
	}
	*row = (struct wrap_row){ start, at };
	return at;
}

bool
wrap_is_complete(const struct wrap *w)
{
	return w->at >= w->len;
}

bool
wrap_work(struct wrap *w, size_t rows, size_t max_bytes)
{
	size_t stop = max_bytes < w->len - w->at ? w->at + max_bytes : w->len;
	struct wrap_row row;

	while (w->known < rows && w->at < stop) {
		if (w->known > 0 && w->known % ROWS_PER_MARK == 0) {
			w->marks =
			    vec_room(w->marks, &w->mark_cap, w->mark_count, sizeof(*w->marks));
			w->marks[w->mark_count++] = w->at;
		}
		w->at = find_row(w, w->at, &row);
		w->known++;
	}
	return wrap_is_complete(w);
}

size_t
wrap_rows(const struct wrap *w)
{
	if (w->at == 0 || wrap_is_complete(w))
		return w->known;
	size_t estimate = (size_t)((double)w->known * ((double)w->len / (double)w->at));
	return estimate > w->known ? estimate : w->known + 1;
}

/* Find a known row. Return the start of the next one. */
static size_t
known_row(struct wrap *w, size_t n, struct wrap_row *row)
{
	size_t mark = n / ROWS_PER_MARK, at = mark * ROWS_PER_MARK;
	size_t next = mark > 0 ? w->marks[mark - 1] : 0;

	if (w->near > at && w->near <= n) {
		at = w->near;
		next = w->near_at;
	}
	for (; at <= n; at++)
		next = find_row(w, next, row);
	w->near = n + 1;
	w->near_at = next;
	return next;
}

bool
wrap_row_at(struct wrap *w, size_t number, struct wrap_row *row)
{
	if (number >= w->known && number < SIZE_MAX)
		wrap_work(w, number + 1, SIZE_MAX);
	if (number >= w->known)
		return false;
	known_row(w, number, row);
	return true;
}

size_t
wrap_row_of(struct wrap *w, size_t offset)
{
	struct wrap_row row;
	size_t low = 0;

	if (w->at <= offset)
		wrap_work(w, SIZE_MAX, offset - w->at + 1);
	size_t high = w->mark_count;
	BISECT(low, high, mid, w->marks[mid] <= offset);
	size_t number = low * ROWS_PER_MARK;
	size_t next = w->known > 0 ? find_row(w, low > 0 ? w->marks[low - 1] : 0, &row) : 0;
	while (next <= offset && number + 1 < w->known) {
		next = find_row(w, next, &row);
		number++;
	}
	return number;
}

void
wrap_refold(struct wrap *w, size_t offset)
{
	struct wrap_row row;

	if (w->known == 0)
		return;
	size_t number = offset < w->at ? wrap_row_of(w, offset) : w->known - 1;
	w->near = w->near_at = 0;
	w->known = number + 1;
	w->mark_count = number / ROWS_PER_MARK;
	w->at = known_row(w, number, &row);
	w->near = w->near_at = 0;
}

size_t
wrap_reach(struct wrap *w, struct surface s, size_t top)
{
	size_t height = s.height > 0 ? (size_t)s.height : 0;

	if (height == 0)
		return top; /* no row to reach: another frame would not help */
	wrap_work(w, top < SIZE_MAX - height ? top + height : SIZE_MAX, SLICE);
	if (top < w->known && (w->known - top >= height || wrap_is_complete(w)))
		return top;
	if (!wrap_is_complete(w))
		s.grid->unfinished = true;
	return w->known > height ? w->known - height : 0;
}

int
wrap_draw(struct wrap *w, struct surface s, struct style style, size_t top)
{
	struct wrap_row row;
	int y = 0;

	if (s.height <= 0)
		return 0;
	top = wrap_reach(w, s, top);
	if (top >= w->known)
		return 0;
	for (size_t next = known_row(w, top, &row);; next = find_row(w, next, &row)) {
		int column = 0;
		for (size_t at = row.start, used; at < row.end && column < s.width; at += used) {
			struct glyph g;
			used = glyph_next(w->text + at, row.end - at, &g);
			if (g.kind == GLYPH_TAB)
				surface_repeat(
				    s, column, y, wrap_columns_of(&g, column), style, ' ');
			else
				surface_textn(s, column, y, style, w->text + at, used);
			column += wrap_columns_of(&g, column);
		}
		if (++y == s.height || next >= w->len)
			return y;
	}
}
