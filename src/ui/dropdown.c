/* SPDX-License-Identifier: MIT */
#include "ui/dropdown.h"

#include "base/glyph.h"

#include <string.h>

#define COLS_MIN 18
#define COLS_MAX 60
#define ENTRY_MAX 36 /* columns of the entries if there are details next to them */
#define MEASURED 200 /* entries whose width counts */

static int
dropdown_columns_of(const char *text)
{
	return text ? (int)glyph_columns(text, strlen(text)) : 0;
}

/* The width of the widest of: entries with their details, title, note. */
static int
width_of(struct dropdown *d, const struct dropdown_look *look)
{
	int width = COLS_MIN, note = dropdown_columns_of(look->note),
	    title = dropdown_columns_of(look->title) + 2;
	int entries = 0, asides = 0;
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < d->list.count && i < MEASURED && entries < COLS_MAX; i++) {
		buf_clear(&text);
		look->entry(look->user, i, &text);
		int columns = dropdown_columns_of(buf_text(&text));
		entries = columns > entries ? columns : entries;
		buf_clear(&text);
		if (look->aside)
			look->aside(look->user, i, &text);
		columns = dropdown_columns_of(buf_text(&text));
		asides = columns > asides ? columns : asides;
	}
	buf_finish(&text);
	entries = at_most(entries, asides > 0 ? ENTRY_MAX : COLS_MAX);
	d->aside = asides > 0 ? entries + 2 : 0;
	entries = asides > 0 ? d->aside + asides : entries;
	width = note > width ? note : width;
	width = title > width ? title : width;
	width = entries > width ? entries : width;
	return at_most(width, COLS_MAX) + 4;
}

static void
draw_entries(struct dropdown *d, struct surface s, const struct dropdown_look *look)
{
	struct buf text = BUF_INIT;

	list_set_height(&d->list, s.height);
	for (int y = 0; y < s.height && d->list.top + (size_t)y < d->list.count; y++) {
		size_t index = d->list.top + (size_t)y;
		buf_clear(&text);
		enum role ink = look->entry(look->user, index, &text);
		surface_text(s, 0, y, d->aside > 0 ? d->aside - 1 : -1, style_on(ink, ROLE_DIALOG),
		    buf_text(&text));
		buf_clear(&text);
		if (d->aside > 0)
			look->aside(look->user, index, &text);
		surface_text(s, d->aside, y, -1, style_on(ROLE_HINT, ROLE_DIALOG), buf_text(&text));
		surface_spot(s, -1, y);
		if (index == d->list.selected && !look->unselected)
			surface_select_row(s, y, true);
	}
	surface_scrollbar(s, true, d->list.count, d->list.top);
	buf_finish(&text);
}

struct surface
dropdown_draw(struct dropdown *d, struct surface s, const struct dropdown_look *look)
{
	enum { FRAME = 2 };
	int entries = d->list.count < DROPDOWN_ROWS ? (int)d->list.count : DROPDOWN_ROWS;
	int want = entries + (look->note != NULL) + FRAME;
	int below = s.height - look->y - look->rows, above = look->y;
	/* below the field if all entries fit there or there is more room than above */
	bool up = below < want && above > below;
	int height = at_most(want, up ? above : below);
	int width = at_most(width_of(d, look), s.width);
	int x = at_most(look->x > 2 ? look->x - 2 : 0, s.width - width);
	struct surface box =
	    surface_sub(s, x, up ? look->y - height : look->y + look->rows, width, height);

	surface_clear(box, style_on(ROLE_TEXT, ROLE_DIALOG));
	struct surface inside = surface_frame(box, true, look->title, NULL, ROLE_HINT);
	int note = look->note && inside.height > (d->list.count > 0);
	struct surface rows = surface_sub(inside, 0, 0, inside.width, inside.height - note);
	d->x = rows.x - s.x;
	d->y = rows.y - s.y;
	d->width = rows.width;
	d->height = rows.height;
	draw_entries(d, rows, look);
	if (note)
		surface_text(inside, 0, inside.height - 1, -1,
		    style_on(look->note_role, ROLE_DIALOG), look->note);
	return box;
}

bool
dropdown_key(struct dropdown *d, const struct key *key)
{
	if (key->kind == KEY_MOUSE && key->action == MOUSE_WHEEL_UP)
		list_move(&d->list, -1);
	else if (key->kind == KEY_MOUSE && key->action == MOUSE_WHEEL_DOWN)
		list_move(&d->list, 1);
	else
		return key->kind != KEY_CHAR && list_key(&d->list, key);
	return true;
}

enum dropdown_hit
dropdown_press(struct dropdown *d, const struct key *key)
{
	int x = key->x - d->x, y = key->y - d->y;
	size_t row;

	if (x < -2 || y < -1 || x >= d->width + 2 || y > d->height)
		return DROPDOWN_OUTSIDE;
	if (x < -1 || x > d->width || !list_row_at(&d->list, y, &row))
		return DROPDOWN_FRAME_HIT;
	list_select(&d->list, row);
	return DROPDOWN_ENTRY;
}
