/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/mem.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Dialogs that are a list: the same keys and clicks choose a row in each, and a table adds the keys
 * of one list.
 */

void
list_dialog_open(struct workbench *wb, const struct dialog *dialog, const char *title, size_t count)
{
	wb->rows = (struct list_dialog){ .title = title };
	list_set_count(&wb->rows.list, count);
	if (dialog->seek)
		find_clear(wb, dialog->front);
	wb->dialog = dialog;
}

bool
dialog_closes(const struct key *key)
{
	return key->kind == KEY_ESCAPE ||
	       (key->kind == KEY_CHAR && key->ch == 'c' && key->mods == MOD_CTRL);
}

void
dialog_leave(struct workbench *wb)
{
	const struct dialog *dialog = wb->dialog;

	wb->dialog = NULL;
	dialog->finish(wb);
}

void
dialog_leave_for(struct workbench *wb, char *line_taken)
{
	dialog_leave(wb);
	workbench_run(wb, line_taken, wb->now_us);
	free(line_taken);
}

static bool
is_named(const struct key *key, const char *names)
{
	char name[16];
	struct key named;

	for (const char *at = names; *(at += strspn(at, " ")); at += strcspn(at, " ")) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, " "), at);
		if (key_from_name(&named, name) && key_equal(key, &named))
			return true;
	}
	return false;
}

/* Selects the next row that begins with the letter. */
static bool
go_to_letter(struct workbench *wb, uint32_t letter)
{
	struct list *list = &wb->rows.list;
	bool found = false;

	for (size_t i = 1; !found && i <= list->count; i++) {
		struct buf text = BUF_INIT;
		size_t row = (list->selected + i) % list->count;
		wb->dialog->rows->add_text(wb, row, &text);
		found = (unsigned char)*buf_text(&text) == letter;
		if (found)
			list_select(list, row);
		buf_finish(&text);
	}
	return found;
}

bool
list_dialog_key(struct workbench *wb, const struct key *key)
{
	const struct list_dialog_ops *ops = wb->dialog->rows;
	struct list *list = &wb->rows.list;
	size_t row;

	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS) {
		/* A second click on a row chooses it, or the first if the list has no keys for the
		 * selected row. A click outside closes. */
		if (!rect_has(&wb->rows.box, key->x, key->y)) {
			dialog_leave(wb);
		} else if (list_row_at(list, key->y - wb->rows.y, &row)) {
			bool chooses = !ops->keys || row == list->selected;
			list_select(list, row);
			if (chooses)
				ops->choose(wb, row);
		}
		return true;
	}
	for (const struct list_dialog_action *k = ops->keys; k && k->keys; k++) {
		if (is_named(key, k->keys)) {
			k->run(wb, list->selected);
			return true;
		}
	}
	if (dialog_closes(key) || is_named(key, "q"))
		dialog_leave(wb);
	else if (key->kind == KEY_ENTER)
		ops->choose(wb, list->selected);
	else
		return (!wb->dialog->seek && ops->add_text && key->kind == KEY_CHAR &&
			   key->mods == 0 && go_to_letter(wb, key->ch)) ||
		       list_key(list, key);
	return true;
}

void
list_dialog_add_keys(const struct workbench *wb, struct buf *out)
{
	const struct list_dialog_ops *ops = wb->dialog->rows;

	buf_addf(out, "Enter %s", ops->verb);
	for (const struct list_dialog_action *k = ops->keys; k && k->keys; k++)
		if (k->hint)
			buf_addf(out, "  %.*s %s", (int)strcspn(k->keys, " "), k->keys, k->hint);
	buf_addf(out, "  %s  Esc close", wb->dialog->seek ? "/ search" : "↑↓ or a letter select");
}

static void
add_row_text(const struct seekable *s, size_t row, struct buf *out)
{
	const struct workbench *wb = s->with;

	wb->dialog->rows->add_text(wb, row, out);
}

struct seekable
list_dialog_seek(struct workbench *wb)
{
	return seek_list(&wb->rows.list, 0, &wb->rows, wb, add_row_text);
}

void
list_dialog_draw_rows(struct workbench *wb, struct surface inner)
{
	struct list *list = &wb->rows.list;

	wb->rows.y = inner.y;
	list_set_height(list, inner.height);
	for (int y = 0; y < inner.height && list->top + (size_t)y < list->count; y++) {
		wb->dialog->rows->draw_row(wb, inner, y, list->top + (size_t)y);
		surface_spot(inner, 0, y);
		if (list->top + (size_t)y == list->selected)
			surface_select_row(inner, y, true);
	}
	surface_scrollbar(inner, true, list->count, list->top);
}

void
list_dialog_draw(struct workbench *wb, struct surface main, struct surface bar)
{
	struct list_dialog *d = &wb->rows;
	const struct dialog *dialog = wb->dialog;
	int rows = d->list.count < (size_t)main.height ? (int)d->list.count + 2 : main.height;
	struct surface box = dialog_box(main, dialog->rows->width, rows), inner;
	struct buf facts = BUF_INIT;

	d->box = (struct rect){ box.x, box.y, box.width, box.height };
	if (dialog->seek) {
		units_add_count(&facts, d->list.count);
		inner = frame_draw(wb, box, dialog->front, d->title, buf_text(&facts), ROLE_DIM);
	} else {
		inner = surface_frame(box, true, d->title, "", ROLE_DIM);
	}
	buf_finish(&facts);
	list_dialog_draw_rows(wb, inner);
	if (dialog->seek)
		find_light(wb, dialog->front, inner);
}
