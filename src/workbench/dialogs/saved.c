/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The calls that the project has saved, to open one. */
enum { NAME_COLS = 28, KEY_COLS = 24, SERVER_COLS = 12 };

static void
finish(struct workbench *wb)
{
	saved_calls_finish(&wb->saved);
}

/* Whether the saved call is of the selected primitive. */
static bool
is_for_desk(const struct workbench *wb, const struct saved_call *call)
{
	const struct desk *desk = wb->ws.desk;

	return desk && call->key && strcmp(desk->key, call->key) == 0 &&
	       (int)desk->kind == call->kind;
}

/* Selects the saved call of the form, or else the first of this tool. */
static void
select_first(struct workbench *wb)
{
	const struct saved_calls *s = &wb->saved;
	const struct desk *desk = wb->ws.desk;

	for (size_t i = s->len; i-- > 0;)
		if (is_for_desk(wb, &s->items[i]))
			list_select(&wb->rows.list, i);
	for (size_t i = 0; desk && desk->saved && i < s->len; i++)
		if (strcmp(s->items[i].name, desk->saved) == 0)
			list_select(&wb->rows.list, i);
}

bool
saved_open(struct workbench *wb)
{
	struct workspace_collection *c = &wb->ws.collection;
	struct err err = { "" };

	finish(wb);
	if (!c->host->calls(c->user, &wb->saved, &err))
		workbench_say(wb, ROLE_WARNING, "%s", err.text);
	if (wb->saved.len == 0)
		return workbench_refuse(wb, err.text[0] ? err.text
							: "no call is saved in this project: "
							  "Ctrl-S saves the form's arguments");
	list_dialog_open(wb, &dialog_saved, "Saved calls", wb->saved.len);
	select_first(wb);
	return true;
}

static void
choose(struct workbench *wb, size_t row)
{
	dialog_leave_for(wb, mem_printf("saved %s", wb->saved.items[row].name));
}

/* The arguments of the form are saved, under the name they have or a new one. */
static void
save_form(struct workbench *wb)
{
	dialog_leave_for(wb, mem_strdup("save-call"));
}

static void
rename_selected(struct workbench *wb)
{
	char *line =
	    mem_printf("rename-saved \"%s\" ", wb->saved.items[wb->rows.list.selected].name);

	dialog_leave(wb);
	prompt_open(wb, line);
	free(line);
}

static void
delete_selected(struct workbench *wb)
{
	dialog_leave_for(
	    wb, mem_printf("delete-saved %s", wb->saved.items[wb->rows.list.selected].name));
}

static void
add_text(const struct workbench *wb, size_t row, struct buf *out)
{
	const struct saved_call *c = &wb->saved.items[row];

	buf_addf(
	    out, "%s\n%s\n%s", c->name, c->key ? c->key : "", c->arguments ? c->arguments : "");
}

static void
draw_row(struct workbench *wb, struct surface s, int y, size_t row)
{
	const struct saved_call *c = &wb->saved.items[row];
	bool wide = s.width > 90;
	int name = wide ? NAME_COLS : NAME_COLS - 6, key = wide ? KEY_COLS : KEY_COLS - 4;
	int x = name + 1;

	surface_text(s, 0, y, name,
	    style_on(is_for_desk(wb, c) ? ROLE_TITLE : ROLE_TEXT, ROLE_DIALOG), c->name);
	if (c->trouble) {
		surface_text(s, x, y, -1, style_on(ROLE_ERROR, ROLE_DIALOG), c->trouble);
		return;
	}
	surface_text(s, x, y, key, style_on(ROLE_ACCENT, ROLE_DIALOG), c->key);
	x += key + 1;
	if (wide && c->server)
		surface_text(s, x, y, SERVER_COLS, style_on(ROLE_DIM, ROLE_DIALOG), c->server);
	x += wide ? SERVER_COLS + 1 : 0;
	surface_text(s, x, y, -1, style_on(ROLE_DIM, ROLE_DIALOG), c->arguments);
}

static const struct list_dialog_action keys[] = {
	{ "s", "save the form", save_form },
	{ "c", "rename", rename_selected },
	{ "d delete", "delete", delete_selected },
	{ 0 },
};

const struct dialog dialog_saved = {
	.key = list_dialog_key,
	.draw = list_dialog_draw,
	.finish = finish,
	.add_keys = list_dialog_add_keys,
	.seek = list_dialog_seek,
	.front = FIND_SAVED,
	.rows = &(const struct list_dialog_ops){ .width = 110,
	    .verb = "open",
	    .choose = choose,
	    .draw_row = draw_row,
	    .add_text = add_text,
	    .keys = keys },
};
