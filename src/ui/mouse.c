#include "terminal.h"

#include <stdlib.h>
#include <string.h>

/*
 * The terminal's reports of the mouse: presses and drags in cells, always; every movement only
 * while something follows it, and then in pixels if the terminal answers that it can (DEC private
 * mode 1016) and the size of a cell is known. A question behind each change of the mode tells from
 * which report on numbers are pixels: answers come in the order of the reports.
 */
#define ASK "\033[?1016$p"

/* Modes of a kind exclude each other, so the end of one has to set the other again. */
#define MOVES_ON "\033[?1003h"
#define MOVES_OFF "\033[?1003l\033[?1002h"
#define PIXELS_ON "\033[?1016h" ASK
#define PIXELS_OFF "\033[?1016l\033[?1006h" ASK

/* As DECRPM numbers them. */
enum { UNKNOWN_MODE, IS_SET, IS_RESET, ALWAYS_SET };

void
mouse_entered(struct mouse *m)
{
	m->follows = m->wants_pixels = m->in_pixels = false;
	m->was_asked = m->has_pixels;
}

static void
set_pixels(struct mouse *m, bool on, struct buf *out)
{
	if (on == m->wants_pixels)
		return;
	m->wants_pixels = on;
	buf_add_str(out, on ? PIXELS_ON : PIXELS_OFF);
}

bool
mouse_follow(struct mouse *m, bool follows, struct buf *out)
{
	bool asks = follows && m->may_ask && !m->was_asked && m->cell_width > 0;

	if (!m->is_on || follows == m->follows)
		return false;
	m->follows = follows;
	buf_add_str(out, follows ? MOVES_ON : MOVES_OFF);
	if (asks)
		buf_add_str(out, ASK);
	m->was_asked |= asks;
	set_pixels(m, follows && m->has_pixels && m->cell_width > 0, out);
	return asks;
}

bool
mouse_hear(struct mouse *m, const char *text, size_t len, struct buf *out)
{
	static const char answer[] = "[?1016;", end[] = "$y";
	size_t head = sizeof(answer) - 1;

	if (len != head + 3 || memcmp(text, answer, head) != 0 ||
	    memcmp(text + head + 1, end, 2) != 0)
		return false;
	int state = text[head] - '0';
	m->in_pixels = m->wants_pixels && (state == IS_SET || state == ALWAYS_SET);
	m->has_pixels = m->has_pixels || state == IS_RESET;
	if (!m->wants_pixels)
		set_pixels(m, m->follows && m->has_pixels && m->cell_width > 0, out);
	return true;
}

void
mouse_locate(const struct mouse *m, struct key *key)
{
	if (!m->in_pixels || m->cell_width <= 0 || m->cell_height <= 0)
		return;
	div_t x = div(key->x, m->cell_width), y = div(key->y, m->cell_height);
	key->x = x.quot;
	key->y = y.quot;
	key->part_x = (uint8_t)(x.rem * KEY_PARTS / m->cell_width);
	key->part_y = (uint8_t)(y.rem * KEY_PARTS / m->cell_height);
}
