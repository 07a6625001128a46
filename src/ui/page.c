/* SPDX-License-Identifier: MIT */
#include "ui/page.h"

#include "base/mem.h"
#include "base/text_match.h"
#include "base/vec.h"
#include "ui/list.h"
#include "ui/seek.h"
#include "ui/wrap.h"

#include <stdlib.h>
#include <string.h>

/* Longer texts are wrapped once, a slice a frame; shorter ones each time they are drawn. */
enum { LENGTHY = 16 << 10, SLICE = 512 << 10 };

struct page_lengthy {
	struct wrap wrap;
	size_t at, len; /* in the text, or in the one before it */
	bool used;      /* there is an item for it */
};

void
page_finish(struct page *p)
{
	for (size_t i = 0; i < p->lengthy.len; i++)
		wrap_finish(&p->lengthy.items[i].wrap);
	free(p->lengthy.items);
	buf_finish(&p->before);
	buf_finish(&p->text);
	free(p->items);
	*p = (struct page){ 0 };
}

void
page_clear(struct page *p)
{
	struct buf before = p->before;
	size_t kept = 0;

	for (size_t i = 0; i < p->lengthy.len; i++) {
		struct page_lengthy *l = &p->lengthy.items[i];
		if (!l->used) {
			wrap_finish(&l->wrap);
			continue;
		}
		l->used = false;
		p->lengthy.items[kept++] = *l;
	}
	p->lengthy.len = kept;
	p->before = p->text;
	p->text = before;
	buf_clear(&p->text);
	p->len = p->seen = p->seen_items = 0;
	p->read = false;
}

/* Its number: that of the same text before, whose rows are known, or a new one. */
static size_t
add_lengthy(struct page *p, const struct page_item *item, const char *text)
{
	for (size_t i = 0; i < p->lengthy.len; i++) {
		struct page_lengthy *l = &p->lengthy.items[i];
		if (l->used || l->len != item->len ||
		    memcmp(p->before.data + l->at, text, l->len) != 0)
			continue;
		l->used = true;
		l->at = item->at;
		return i + 1;
	}
	struct page_lengthy *l = VEC_PUSH(&p->lengthy);
	*l = (struct page_lengthy){ .at = item->at, .len = item->len, .used = true };
	return p->lengthy.len;
}

static struct page_item *
page_add(struct page *p, int indent, enum role role, const char *key, const char *text)
{
	struct page_item *item = VEC_PUSH(p);

	*item = (struct page_item){ .indent = indent, .role = role, .key_role = ROLE_DIM };
	item->key = p->text.len;
	item->key_len = strlen(key);
	buf_add(&p->text, key, item->key_len);
	item->at = p->text.len;
	item->len = strlen(text);
	buf_add(&p->text, text, item->len);
	item->lengthy = item->len > LENGTHY ? add_lengthy(p, item, text) : 0;
	return item;
}

void
page_head(struct page *p, const char *text)
{
	if (p->len > 0)
		page_gap(p);
	page_add(p, 0, ROLE_TITLE, "", text)->bold = true;
}

void
page_gap(struct page *p)
{
	page_add(p, 0, ROLE_TEXT, "", "");
}

void
page_text(struct page *p, int indent, enum role role, const char *text)
{
	page_add(p, indent, role, "", text);
}

void
page_row(struct page *p, int indent, const char *key, enum role role, const char *text)
{
	page_add(p, indent, role, key, text);
}

__attribute__((format(printf, 5, 0))) static void
add_format(
    struct page *p, int indent, const char *key, enum role role, const char *format, va_list args)
{
	char *text = mem_vprintf(format, args);

	page_add(p, indent, role, key, text);
	free(text);
}

void
page_textf(struct page *p, int indent, enum role role, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_format(p, indent, "", role, format, args);
	va_end(args);
}

void
page_rowf(struct page *p, int indent, const char *key, enum role role, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_format(p, indent, key, role, format, args);
	va_end(args);
}

void
page_mark_row(struct page *p, int indent, enum role key_role, const char *key, enum role role,
    const char *text)
{
	page_add(p, indent, role, key, text)->key_role = key_role;
}

/* ---- rows ---- */

static void
set_wrap(struct wrap *wrap, const struct page *p, const struct page_item *item, int width)
{
	wrap_set(wrap, buf_text(&p->text) + item->at, item->len,
	    width > item->indent ? width - item->indent : 1);
}

/* Return the kept rows of a long item. */
static struct wrap *
its_wrap(const struct page *p, const struct page_item *item, int width)
{
	struct wrap *wrap = &p->lengthy.items[item->lengthy - 1].wrap;

	wrap->text = buf_text(&p->text) + item->at; /* maybe at another address: its rows stay */
	set_wrap(wrap, p, item, width);
	return wrap;
}

/* Counted once a width: a frame asks for the rows of all items. */
static size_t
item_rows(const struct page *p, struct page_item *item, int width)
{
	struct wrap wrap = { 0 };

	if (item->len == 0)
		return 1;
	if (item->lengthy) {
		size_t rows = width == p->width ? wrap_rows(its_wrap(p, item, width)) : 0;
		size_t columns = width > item->indent ? (size_t)(width - item->indent) : 1;
		return rows > 0 ? rows : item->len / columns + 1;
	}
	if (item->rows_width == width && width > 0)
		return item->rows;
	set_wrap(&wrap, p, item, width);
	wrap_work(&wrap, SIZE_MAX, SIZE_MAX);
	size_t rows = wrap_rows(&wrap);
	wrap_finish(&wrap);
	item->rows = rows > 0 ? rows : 1;
	item->rows_width = width;
	return item->rows;
}

static size_t
rows_of(struct page *p, size_t items, int width)
{
	size_t rows = 0;

	for (size_t i = 0; i < items; i++)
		rows += item_rows(p, &p->items[i], width);
	return rows;
}

size_t
page_rows(struct page *p, int width)
{
	return rows_of(p, p->len, width);
}

static void
scroll_to(struct page *p, size_t top)
{
	size_t last = p->rows > (size_t)p->height ? p->rows - (size_t)p->height : 0;

	p->top = top < last ? top : last;
	if (p->in_order && !p->read && p->top > p->seen)
		p->top = p->seen;
}

bool
page_key(struct page *p, const struct key *key)
{
	size_t top = p->top;

	if (!scroll_key(key, p->height > 1 ? (size_t)p->height - 1 : 1, &top))
		return false;
	p->to_end = p->unfinished && top == SIZE_MAX;
	scroll_to(p, top);
	return true;
}

bool
page_key_below_list(struct page *p, const struct key *key)
{
	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS)
		return false;
	return (key->kind == KEY_PAGE_DOWN || key->kind == KEY_PAGE_UP || key->kind == KEY_MOUSE ||
		   (key->kind == KEY_CHAR && key->ch == ' ')) &&
	       page_key(p, key);
}

/* From its `skip`-th row on; returns how many rows that were. */
static int
draw_item(const struct page *p, const struct page_item *item, struct surface s, int y, size_t skip,
    enum role ground)
{
	struct surface place =
	    surface_sub(s, item->indent, y, s.width - item->indent, s.height - y);
	struct style style = style_on(item->role, ground);
	struct wrap wrap = { 0 };

	if (skip == 0 && item->key_len > 0)
		surface_textn(surface_sub(s, 0, y, item->indent - 1, 1), 0, 0,
		    style_on(item->key_role, ground), buf_text(&p->text) + item->key,
		    item->key_len);
	if (item->len == 0)
		return 1;
	style.attr = item->bold ? ATTR_BOLD : 0;
	if (item->lengthy)
		return wrap_draw(its_wrap(p, item, s.width), place, style, skip);
	set_wrap(&wrap, p, item, s.width);
	int rows = wrap_draw(&wrap, place, style, skip);
	wrap_finish(&wrap);
	return rows;
}

/* A surface without a cell for the text of every item shows nothing. */
static void
note_seen(struct page *p, struct surface text)
{
	enum { LEAST_COLS = 2 }; /* of a wide character */
	size_t end = p->top + (size_t)p->height;
	bool is_visible = text.height > 0 && text.width >= LEAST_COLS;

	for (size_t i = 0; i < p->len; i++)
		is_visible &= text.width >= p->items[i].indent + LEAST_COLS;
	if (p->unfinished || !is_visible) /* unfinished: rows are estimates */
		return;
	if (p->top <= p->seen && end > p->seen)
		p->seen = end;
	for (size_t rows = rows_of(p, p->seen_items, p->width); p->seen_items < p->len;) {
		rows += item_rows(p, &p->items[p->seen_items], p->width);
		if (rows > p->seen)
			break;
		p->seen_items++;
	}
	p->read = p->read || p->seen >= p->rows;
}

void
page_draw(struct page *p, struct surface s, enum role ground, bool focused)
{
	struct surface text = surface_sub(s, 0, 0, s.width - p->aside, s.height);
	size_t row = 0;
	bool resized = p->width != text.width;

	p->width = text.width;
	p->height = s.height > 0 ? s.height : 0;
	p->unfinished = false;
	for (size_t i = 0; i < p->len && !p->unfinished; i++) { /* wrap one slice */
		struct page_item *item = &p->items[i];
		if (!item->lengthy || wrap_is_complete(its_wrap(p, item, p->width)))
			continue;
		wrap_work(its_wrap(p, item, p->width), SIZE_MAX, SLICE);
		p->unfinished = s.grid->unfinished = true;
	}
	p->rows = page_rows(p, text.width);
	if (resized) /* rows have changed: count the ones that were visible */
		p->seen = rows_of(p, p->seen_items, text.width);
	scroll_to(p, p->to_end ? SIZE_MAX : p->top);
	p->to_end = p->to_end && p->unfinished;
	for (size_t i = 0; i < p->len && row < p->top + (size_t)s.height; i++) {
		size_t rows = item_rows(p, &p->items[i], text.width);
		size_t skip = row < p->top ? p->top - row : 0;
		if (skip < rows)
			draw_item(p, &p->items[i], text, (int)(row + skip - p->top), skip, ground);
		row += rows;
	}
	surface_scrollbar(s, focused, p->rows, p->top);
	note_seen(p, text);
}

void
page_to_text(const struct page *p, struct buf *out)
{
	for (size_t i = 0; i < p->len; i++) {
		const struct page_item *item = &p->items[i];
		const char *text = buf_text(&p->text);
		if (item->key_len > 0)
			buf_addf(out, "%.*s: ", (int)item->key_len, text + item->key);
		buf_add(out, text + item->at, item->len);
		buf_add_char(out, '\n');
	}
}

/* ---- seeking: places are bytes of its text ---- */

size_t
page_row_of(const struct page *p, size_t at)
{
	size_t rows = 0, i = 0;
	struct wrap wrap = { 0 };

	for (; i + 1 < p->len && p->items[i + 1].key <= at; i++)
		rows += item_rows(p, &p->items[i], p->width);
	if (i == p->len || at <= p->items[i].at)
		return rows;
	if (p->items[i].lengthy)
		return rows + wrap_row_of(its_wrap(p, &p->items[i], p->width), at - p->items[i].at);
	set_wrap(&wrap, p, &p->items[i], p->width);
	rows += wrap_row_of(&wrap, at - p->items[i].at);
	wrap_finish(&wrap);
	return rows;
}

static enum seek_result
seek_in_page(const struct seekable *s, const struct substring *n, size_t *at)
{
	const struct page *p = s->of;

	for (size_t i = 0; i < 2 * p->len; i++) { /* keys and texts in turn */
		const struct page_item *item = &p->items[i / 2];
		size_t from = i % 2 ? item->at : item->key;
		size_t end = i % 2 ? item->at + item->len : item->at;
		size_t start = *at > from ? *at : from;
		size_t found = start < end
				   ? substring_find(n, buf_text(&p->text) + start, end - start)
				   : SUBSTRING_NONE;
		if (found == SUBSTRING_NONE)
			continue;
		*at = start + found;
		return SEEK_FOUND;
	}
	return SEEK_DONE;
}

static size_t
place_in_page(const struct seekable *s)
{
	const struct page *p = s->of;
	size_t rows = 0, i = 0;

	while (i < p->len && (rows += item_rows(p, &p->items[i], p->width)) <= p->top)
		i++;
	return i < p->len ? p->items[i].key : p->text.len;
}

static size_t
row_in_page(const struct seekable *s, size_t at)
{
	return page_row_of(s->of, at);
}

struct seekable
seek_page(struct page *p)
{
	return (struct seekable){
		.of = p,
		.version = p->text.len,
		.seek = seek_in_page,
		.show = seek_show_row,
		.place = place_in_page,
		.row = seek_y_of,
		.row_of = row_in_page,
		.top = &p->top,
		.height = p->height,
	};
}
