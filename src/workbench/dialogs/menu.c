#include "workbench/state.h"

#include "base/glyph.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* A few commands to choose from. */

enum { WIDTH = 64, GAP = 2 };

static void
finish(struct workbench *wb)
{
	struct menu *m = &wb->menu;

	strings_finish(&m->names);
	strings_finish(&m->notes);
	strings_finish(&m->lines);
	*m = (struct menu){ 0 };
}

void
menu_begin(struct workbench *wb, const char *title)
{
	finish(wb);
	wb->menu.title = title;
	wb->dialog = &dialog_menu;
}

void
menu_add(struct workbench *wb, const char *name, const char *note, char *line_taken)
{
	struct menu *m = &wb->menu;

	strings_add(&m->names, name);
	strings_add(&m->notes, note);
	strings_take(&m->lines, line_taken);
	list_set_count(&m->list, m->names.len);
}

static void
choose(struct workbench *wb, size_t row)
{
	struct menu *m = &wb->menu;
	char *line = row < m->lines.len ? mem_strdup(m->lines.items[row]) : NULL;

	finish(wb);
	wb->dialog = NULL;
	if (line)
		workbench_run(wb, line, wb->now_us);
	free(line);
}

/* The row whose name begins with the letter, after the selected one. */
static bool
go_to(struct menu *m, uint32_t letter)
{
	for (size_t i = 1; i <= m->names.len; i++) {
		size_t row = (m->list.selected + i) % m->names.len;
		if ((unsigned char)m->names.items[row][0] == letter) {
			list_select(&m->list, row);
			return true;
		}
	}
	return false;
}

static bool
on_key(struct workbench *wb, const struct key *key)
{
	struct menu *m = &wb->menu;
	bool ctrl_c = key->kind == KEY_CHAR && key->ch == 'c' && key->mods == MOD_CTRL;
	bool letter = key->kind == KEY_CHAR && key->mods == 0;
	size_t row;

	if (key->kind == KEY_ESCAPE || ctrl_c || (letter && key->ch == 'q'))
		choose(wb, SIZE_MAX);
	else if (key->kind == KEY_ENTER)
		choose(wb, m->list.selected);
	else if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS)
		choose(wb, rect_has(&m->box, key->x, key->y) &&
				   list_row_at(&m->list, key->y - m->box.y - 1, &row)
			       ? row
			       : SIZE_MAX);
	else
		return (letter && go_to(m, key->ch)) || list_key(&m->list, key);
	return true;
}

static void
draw(struct workbench *wb, struct surface main, struct surface bar)
{
	struct menu *m = &wb->menu;
	int rows = (int)m->names.len + 2, cols = 0;
	struct surface box = dialog_box(main, WIDTH, rows < main.height ? rows : main.height);
	struct surface inner = surface_frame(box, true, m->title, "", ROLE_DIM);

	m->box = (struct rect){ box.x, box.y, box.width, box.height };
	list_set_height(&m->list, inner.height);
	for (size_t i = 0; i < m->names.len; i++) {
		int used = (int)glyph_columns(m->names.items[i], strlen(m->names.items[i]));
		cols = used > cols ? used : cols;
	}
	for (int y = 0; y < inner.height && m->list.top + (size_t)y < m->names.len; y++) {
		size_t row = m->list.top + (size_t)y;
		surface_text(
		    inner, 0, y, -1, style_on(ROLE_TEXT, ROLE_DIALOG), m->names.items[row]);
		surface_text(
		    inner, cols + GAP, y, -1, style_on(ROLE_DIM, ROLE_DIALOG), m->notes.items[row]);
		surface_spot(inner, 0, y);
		if (row == m->list.selected)
			surface_select_row(inner, y, true);
	}
}

const struct dialog dialog_menu = {
	.key = on_key,
	.draw = draw,
	.finish = finish,
	.keys = "Enter choose  ↑↓ or a letter select  Esc close",
};
