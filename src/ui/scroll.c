#include "ui/scroll.h"

#include <stdint.h>

enum { WHEEL_ROWS = 3 };

static size_t
less(size_t top, size_t rows)
{
	return top > rows ? top - rows : 0;
}

static size_t
more(size_t top, size_t rows)
{
	return top < SIZE_MAX - rows ? top + rows : SIZE_MAX;
}

bool
scroll_key(const struct key *key, size_t page, size_t *top)
{
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;
	bool mouse = key->kind == KEY_MOUSE;

	if (key->kind == KEY_DOWN || ch == 'j')
		*top = more(*top, 1);
	else if (key->kind == KEY_UP || ch == 'k')
		*top = less(*top, 1);
	else if (key->kind == KEY_PAGE_DOWN || ch == ' ')
		*top = more(*top, page);
	else if (key->kind == KEY_PAGE_UP)
		*top = less(*top, page);
	else if (key->kind == KEY_HOME || ch == 'g')
		*top = 0;
	else if (key->kind == KEY_END || ch == 'G')
		*top = SIZE_MAX;
	else if (mouse && key->action == MOUSE_WHEEL_DOWN)
		*top = more(*top, WHEEL_ROWS);
	else if (mouse && key->action == MOUSE_WHEEL_UP)
		*top = less(*top, WHEEL_ROWS);
	else
		return false;
	return true;
}
