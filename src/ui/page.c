#include "ui/page.h"

#include "base/needle.h"
#include "base/vec.h"
#include "ui/scroll.h"
#include "ui/wrap.h"

#include <stdlib.h>
#include <string.h>

void
page_finish(struct page *p)
{
	buf_finish(&p->text);
	free(p->items);
	*p = (struct page){ 0 };
}

void
page_clear(struct page *p)
{
	buf_clear(&p->text);
	p->len = p->seen = p->seen_items = 0;
	p->read = false;
}

static struct page_item *
add(struct page *p, int indent, enum role role, const char *key, const char *text)
{
	struct page_item *item = VEC_PUSH(p);

	*item = (struct page_item){ .indent = indent, .role = role, .key_role = ROLE_DIM };
	item->key = p->text.len;
	item->key_len = strlen(key);
	buf_add(&p->text, key, item->key_len);
	item->at = p->text.len;
	item->len = strlen(text);
	buf_add(&p->text, text, item->len);
	return item;
}

void
page_head(struct page *p, const char *text)
{
	add(p, 0, ROLE_TITLE, "", text)->bold = true;
}

void
page_gap(struct page *p)
{
	add(p, 0, ROLE_TEXT, "", "");
}

void
page_text(struct page *p, int indent, enum role role, const char *text)
{
	add(p, indent, role, "", text);
}

void
page_row(struct page *p, int indent, const char *key, enum role role, const char *text)
{
	add(p, indent, role, key, text);
}

void
page_key_row(struct page *p, int indent, const char *key, const char *text)
{
	page_mark_row(p, indent, ROLE_BAR_KEY, key, ROLE_TEXT, text);
}

void
page_mark_row(struct page *p, int indent, enum role key_role, const char *key, enum role role,
    const char *text)
{
	add(p, indent, role, key, text)->key_role = key_role;
}

/* ---- rows ---- */

static void
set_wrap(struct wrap *wrap, const struct page *p, const struct page_item *item, int width)
{
	wrap_init(wrap);
	wrap_set(wrap, buf_text(&p->text) + item->at, item->len,
	    width > item->indent ? width - item->indent : 1);
}

/* Counted once a width: a frame asks for the rows of all items. */
static size_t
item_rows(const struct page *p, struct page_item *item, int width)
{
	struct wrap wrap;

	if (item->len == 0)
		return 1;
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
	scroll_to(p, top);
	return true;
}

/* From its `skip`-th row on; returns how many rows that were. */
static int
draw_item(const struct page *p, const struct page_item *item, struct surface s, int y, size_t skip,
    enum role ground)
{
	struct style style = style_on(item->role, ground);
	struct wrap wrap;
	int rows = 0;

	if (skip == 0 && item->key_len > 0)
		surface_textn(s, 0, y, item->indent - 1, style_on(item->key_role, ground),
		    buf_text(&p->text) + item->key, item->key_len);
	if (item->len == 0)
		return 1;
	style.attr = item->bold ? ATTR_BOLD : 0;
	set_wrap(&wrap, p, item, s.width);
	rows = wrap_draw(&wrap,
	    surface_sub(s, item->indent, y, s.width - item->indent, s.height - y), style, skip);
	wrap_finish(&wrap);
	return rows;
}

/* A surface without a cell for the text of every item shows nothing. */
static bool
is_visible(const struct page *p, struct surface text)
{
	enum { LEAST_COLS = 2 }; /* of a wide character */

	for (size_t i = 0; i < p->len; i++)
		if (text.width < p->items[i].indent + LEAST_COLS)
			return false;
	return text.height > 0 && text.width >= LEAST_COLS;
}

static void
note_seen(struct page *p, struct surface text)
{
	size_t end = p->top + (size_t)p->height;

	if (!is_visible(p, text))
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

	p->height = s.height > 0 ? s.height : 0;
	p->rows = page_rows(p, text.width);
	if (p->width != text.width) /* rows are others now: count those of what was seen */
		p->seen = rows_of(p, p->seen_items, text.width);
	p->width = text.width;
	scroll_to(p, p->top);
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

/* ---- places ---- */

static bool
find_within(const struct page *p, const struct needle *n, size_t from, size_t end, size_t *at)
{
	size_t start = *at > from ? *at : from;
	size_t found =
	    start < end ? needle_find(n, buf_text(&p->text) + start, end - start) : NEEDLE_NONE;

	if (found != NEEDLE_NONE)
		*at = start + found;
	return found != NEEDLE_NONE;
}

bool
page_find(const struct page *p, const struct needle *n, size_t *at)
{
	for (size_t i = 0; i < p->len; i++) {
		const struct page_item *item = &p->items[i];
		if (find_within(p, n, item->key, item->at, at) ||
		    find_within(p, n, item->at, item->at + item->len, at))
			return true;
	}
	return false;
}

size_t
page_row_of(const struct page *p, size_t at)
{
	size_t rows = 0, i = 0;
	struct wrap wrap;

	for (; i + 1 < p->len && p->items[i + 1].key <= at; i++)
		rows += item_rows(p, &p->items[i], p->width);
	if (i == p->len || at <= p->items[i].at)
		return rows;
	set_wrap(&wrap, p, &p->items[i], p->width);
	rows += wrap_row_of(&wrap, at - p->items[i].at);
	wrap_finish(&wrap);
	return rows;
}

size_t
page_place(const struct page *p)
{
	size_t rows = 0, i = 0;

	while (i < p->len && (rows += item_rows(p, &p->items[i], p->width)) <= p->top)
		i++;
	return i < p->len ? p->items[i].key : p->text.len;
}
