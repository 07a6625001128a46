/* SPDX-License-Identifier: MIT */
#include "ui/seek.h"

#include "base/ascii.h"
#include "base/utf8.h"

/* Bytes, or rows, that are looked at in one go. */
#define SLICE_BYTES ((size_t)1 << 20)
#define SLICE_ROWS 5000
#define ROW_BYTES 256 /* a longer one counts as several */

/* ---- rows ---- */

void
seek_show_row(const struct seekable *s, size_t at)
{
	size_t row = s->row_of(s, at), rows = s->height > 0 ? (size_t)s->height : 1;

	if (row < *s->top || row - *s->top >= rows)
		*s->top = row > rows / 3 ? row - rows / 3 : 0;
}

int
seek_y_of(const struct seekable *s, size_t at)
{
	size_t row = s->row_of ? s->row_of(s, at) : at;

	if (row < *s->top || row - *s->top >= (size_t)s->height)
		return -1;
	return s->y + (int)(row - *s->top);
}

/* ---- a wrapped text: places are bytes ---- */

static enum seek_result
seek_in_wrap(const struct seekable *s, const struct substring *n, size_t *at)
{
	const struct wrap *w = s->of;

	if (*at >= w->len)
		return SEEK_DONE;
	size_t left = w->len - *at;
	size_t room = left - SLICE_BYTES < left ? SLICE_BYTES + n->len : left;
	room = room < left ? room : left;
	size_t found = substring_find(n, w->text + *at, room);
	if (found != SUBSTRING_NONE) {
		*at += found;
		return SEEK_FOUND;
	}
	if (room == left)
		return SEEK_DONE;
	*at += SLICE_BYTES;
	return SEEK_MORE;
}

static size_t
row_in_wrap(const struct seekable *s, size_t at)
{
	return wrap_row_of(s->of, at);
}

static size_t
place_in_wrap(const struct seekable *s)
{
	struct wrap_row row;

	return wrap_row_at(s->of, *s->top, &row) ? row.start : 0;
}

struct seekable
seek_wrap(struct wrap *w, size_t *top, int height, int y)
{
	return (struct seekable){
		.of = w,
		.version = (uintptr_t)w->text + w->len,
		.seek = seek_in_wrap,
		.show = seek_show_row,
		.place = place_in_wrap,
		.row = seek_y_of,
		.row_of = row_in_wrap,
		.top = top,
		.height = height,
		.y = y,
	};
}

/* ---- the rows of a list: places are rows ---- */

static enum seek_result
seek_in_list(const struct seekable *s, const struct substring *n, size_t *at)
{
	struct buf text = BUF_INIT;
	enum seek_result result = SEEK_DONE;

	for (size_t done = 0; result == SEEK_DONE && *at < s->list->count;) {
		buf_clear(&text);
		s->text(s, *at, &text);
		if (substring_is_in(n, buf_text(&text), text.len))
			result = SEEK_FOUND;
		else if ((done += 1 + text.len / ROW_BYTES) >= SLICE_ROWS)
			result = SEEK_MORE;
		*at += result != SEEK_FOUND;
	}
	buf_finish(&text);
	return result;
}

static void
show_in_list(const struct seekable *s, size_t at)
{
	list_select(s->list, at);
}

static size_t
place_in_list(const struct seekable *s)
{
	return s->list->selected;
}

struct seekable
seek_list(struct list *list, int y, void *of, const void *with,
    void (*text)(const struct seekable *s, size_t row, struct buf *out))
{
	return (struct seekable){
		.of = of,
		.with = with,
		.version = list->count,
		.seek = seek_in_list,
		.show = show_in_list,
		.place = place_in_list,
		.row = seek_y_of,
		.text = text,
		.list = list,
		.top = &list->top,
		.height = list->height,
		.y = y,
	};
}

/* ---- light ---- */

/* The cells that show the text from x on; 0: it is not there. */
static int
cells_of(const struct cell *cells, int count, const struct substring *n)
{
	const char *at = n->text, *end = n->text + n->len;
	int x = 0;

	while (at < end) {
		uint32_t ch;
		size_t used = utf8_decode(at, (size_t)(end - at), &ch);
		while (x > 0 && x < count && cells[x].ch == 0) /* the half of a wide one */
			x++;
		if (used == 0 || x >= count || ascii_lower(cells[x].ch) != ch)
			return 0;
		at += used;
		x++;
	}
	while (x < count && cells[x].ch == 0)
		x++;
	return x;
}

void
surface_light(struct surface s, const struct substring *n, int current)
{
	if (n->len == 0)
		return;
	for (int y = 0; y < s.height; y++) {
		struct cell *row = s.grid->cells + (size_t)(s.y + y) * (size_t)s.grid->width + s.x;
		for (int x = 0; x < s.width; x++) {
			int count = cells_of(row + x, s.width - x, n);
			for (int i = 0; i < count; i++) {
				row[x + i].style.ink = ROLE_MATCH;
				if (row[x + i].style.ground == ROLE_CURSOR) /* not legible on it */
					row[x + i].style.ground = ROLE_SELECTION;
				row[x + i].style.attr |= y == current ? ATTR_REVERSE : 0;
			}
			x += count > 0 ? count - 1 : 0;
		}
	}
}
