#include "filter_line.h"

#include <string.h>

void
filter_line_init(struct filter_line *f)
{
	f->open = false;
	edit_init(&f->edit, false, 512);
}

void
filter_line_finish(struct filter_line *f)
{
	edit_finish(&f->edit);
}

const char *
filter_line_text(const struct filter_line *f)
{
	return edit_text(&f->edit);
}

void
filter_line_set(struct filter_line *f, const char *text)
{
	edit_set(&f->edit, text, strlen(text));
}

void
filter_line_draw(struct filter_line *f, struct surface s, const char *hint)
{
	const char *text = edit_text(&f->edit);
	int x = surface_text(s, 0, 0, -1, style_of(f->open ? ROLE_ACCENT : ROLE_HINT), "/ ");
	struct surface rest = surface_sub(s, x, 0, s.width - x, 1);

	if (f->open)
		edit_draw(&f->edit, rest, style_of(ROLE_TEXT), true, NULL);
	else
		surface_text(
		    rest, 0, 0, -1, style_of(*text ? ROLE_TEXT : ROLE_HINT), *text ? text : hint);
}

enum filter_key
filter_line_key(struct filter_line *f, const struct key *key)
{
	bool changed = false;

	if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER) {
		changed = key->kind == KEY_ESCAPE && f->edit.text.len > 0;
		if (changed)
			filter_line_set(f, "");
		f->open = false;
		return changed ? FILTER_CHANGED : FILTER_USED;
	}
	if (!edit_key(&f->edit, key, &changed))
		return key->kind == KEY_CHAR && !(key->mods & (MOD_CTRL | MOD_ALT)) ? FILTER_USED
										    : FILTER_UNUSED;
	return changed ? FILTER_CHANGED : FILTER_USED;
}
