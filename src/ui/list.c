/* SPDX-License-Identifier: MIT */
#include "ui/list.h"

#include <stdint.h>

static size_t
last_row(const struct list *list)
{
	return list->count > 0 ? list->count - 1 : 0;
}

static size_t
window(const struct list *list)
{
	return list->height > 0 ? (size_t)list->height : 1;
}

static size_t
last_top(const struct list *list)
{
	return list->count > window(list) ? list->count - window(list) : 0;
}

/* at + delta within [0, most] */
static size_t
moved(size_t at, ptrdiff_t delta, size_t most)
{
	if (delta < 0) {
		size_t back = (size_t)(-(delta + 1)) + 1;
		return back > at ? 0 : at - back;
	}
	return (size_t)delta > most - at ? most : at + (size_t)delta;
}

static void
show_selected(struct list *list)
{
	if (list->top > last_top(list))
		list->top = last_top(list);
	if (list->selected < list->top)
		list->top = list->selected;
	else if (list->selected - list->top >= window(list))
		list->top = list->selected - window(list) + 1;
}

void
list_set_count(struct list *list, size_t count)
{
	list->count = count;
	list_select(list, list->selected);
}

void
list_set_height(struct list *list, int height)
{
	if (list->height == 0) /* the first drawing */
		list->top = 0;
	list->height = height;
	show_selected(list);
}

/* The first row such that the last one still fits, not before `least`. */
static size_t
top_for(size_t least, size_t last, int lines, int (*lines_of)(const void *user, size_t row),
    const void *user)
{
	size_t top = last;
	int used = lines_of(user, last);

	while (top > least && (used += lines_of(user, top - 1)) <= lines)
		top--;
	return top;
}

void
list_set_lines(
    struct list *list, int lines, int (*lines_of)(const void *user, size_t row), const void *user)
{
	int used = 0;

	if (list->count == 0 || lines < 1) {
		list_set_height(list, lines);
		return;
	}
	if (list->height == 0 || list->top > list->selected) /* the first drawing */
		list->top = list->height == 0 ? 0 : list->selected;
	list->top = top_for(list->top, list->selected, lines, lines_of, user);
	size_t row = list->top;
	while (row < list->count && used + lines_of(user, row) <= lines)
		used += lines_of(user, row++);
	if (row == list->count) /* no blank lines at the end */
		list->top = top_for(0, list->count - 1, lines, lines_of, user);
	size_t fit = row - list->top;
	list->height = fit > 0 ? (int)fit : 1;
}

void
list_select(struct list *list, size_t row)
{
	list->selected = row > last_row(list) ? last_row(list) : row;
	show_selected(list);
}

void
list_move(struct list *list, ptrdiff_t delta)
{
	list_select(list, moved(list->selected, delta, last_row(list)));
}

void
list_page(struct list *list, int pages)
{
	ptrdiff_t step = (ptrdiff_t)(window(list) > 1 ? window(list) - 1 : 1);

	list->top = moved(list->top, step * pages, last_top(list));
	list_move(list, step * pages);
}

void
list_scroll(struct list *list, ptrdiff_t rows)
{
	list->top = moved(list->top, rows, last_top(list));
	if (list->selected < list->top)
		list->selected = list->top;
	else if (list->selected - list->top >= window(list))
		list->selected = list->top + window(list) - 1;
}

bool
list_key(struct list *list, const struct key *key)
{
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;
	uint32_t ctrl = key->kind == KEY_CHAR && key->mods == MOD_CTRL ? key->ch : 0;
	ptrdiff_t half = list->height > 2 ? list->height / 2 : 1;

	if (key->mods != 0 && ctrl != 'd' && ctrl != 'u')
		return false;
	if (ctrl)
		list_move(list, ctrl == 'd' ? half : -half);
	else if (key->kind == KEY_UP || ch == 'k')
		list_move(list, -1);
	else if (key->kind == KEY_DOWN || ch == 'j')
		list_move(list, 1);
	else if (key->kind == KEY_PAGE_UP)
		list_page(list, -1);
	else if (key->kind == KEY_PAGE_DOWN)
		list_page(list, 1);
	else if (key->kind == KEY_HOME || ch == 'g')
		list_select(list, 0);
	else if (key->kind == KEY_END || ch == 'G')
		list_select(list, last_row(list));
	else
		return false;
	return true;
}

bool
list_row_at(const struct list *list, int y, size_t *row)
{
	if (y < 0 || y >= list->height || (size_t)y >= list->count - list->top)
		return false;
	*row = list->top + (size_t)y;
	return true;
}

bool
scroll_key(const struct key *key, size_t page, size_t *top)
{
	enum { WHEEL_ROWS = 3 };
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;
	bool mouse = key->kind == KEY_MOUSE;
	ptrdiff_t rows = 0;

	if (key->kind == KEY_DOWN || ch == 'j')
		rows = 1;
	else if (key->kind == KEY_UP || ch == 'k')
		rows = -1;
	else if (key->kind == KEY_PAGE_DOWN || ch == ' ')
		rows = (ptrdiff_t)page;
	else if (key->kind == KEY_PAGE_UP)
		rows = -(ptrdiff_t)page;
	else if (key->kind == KEY_HOME || ch == 'g')
		*top = 0;
	else if (key->kind == KEY_END || ch == 'G')
		*top = SIZE_MAX;
	else if (mouse && key->action == MOUSE_WHEEL_DOWN)
		rows = WHEEL_ROWS;
	else if (mouse && key->action == MOUSE_WHEEL_UP)
		rows = -WHEEL_ROWS;
	else
		return false;
	*top = moved(*top, rows, SIZE_MAX);
	return true;
}
