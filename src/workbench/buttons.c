#include "workbench_priv.h"

#include "base/glyph.h"

#include <string.h>

void
buttons_clear(struct buttons *b)
{
	b->len = 0;
}

int
buttons_add(struct buttons *b, struct surface s, int x, int y, enum role role, const char *text)
{
	struct surface place = surface_sub(s, x, y, (int)glyph_columns(text, strlen(text)), 1);

	surface_text(place, 0, 0, -1, style_on(role, ROLE_NONE), text);
	if (b->len < BUTTONS_MAX)
		b->items[b->len++] = (struct rect){ place.x, place.y, place.width, place.height };
	return x + place.width;
}

int
buttons_at(const struct buttons *b, const struct key *key)
{
	if (key->kind != KEY_MOUSE || key->action != MOUSE_PRESS)
		return -1;
	for (int i = 0; i < b->len; i++) {
		const struct rect *r = &b->items[i];
		if (key->x >= r->x && key->x < r->x + r->width && key->y >= r->y &&
		    key->y < r->y + r->height)
			return i;
	}
	return -1;
}
