#include "workbench/commands/commands.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The calls that the project has saved, to open one. */
enum { NAME_COLS = 28, KEY_COLS = 24, SERVER_COLS = 12, WIDTH = 110 };

static void
finish(struct workbench *wb)
{
	saved_calls_finish(&wb->saved.calls);
	wb->saved = (struct saved){ 0 };
}

static void
leave(struct workbench *wb)
{
	wb->dialog = NULL;
	finish(wb);
}

/* Of the primitive in front. */
static bool
is_for_desk(const struct workbench *wb, const struct saved_call *call)
{
	const struct desk *desk = wb->ws.desk;

	return desk && call->key && strcmp(desk->key, call->key) == 0 &&
	       (int)desk->kind == call->kind;
}

/* The one that is open, or else the first for this tool. */
static void
select_first(struct workbench *wb)
{
	struct saved *s = &wb->saved;
	const struct desk *desk = wb->ws.desk;

	for (size_t i = s->calls.len; i-- > 0;)
		if (is_for_desk(wb, &s->calls.items[i]))
			list_select(&s->list, i);
	for (size_t i = 0; desk && desk->saved && i < s->calls.len; i++)
		if (strcmp(s->calls.items[i].name, desk->saved) == 0)
			list_select(&s->list, i);
}

bool
saved_open(struct workbench *wb)
{
	struct workspace_collection *c = &wb->ws.collection;
	struct saved *s = &wb->saved;
	struct err err = { "" };

	finish(wb);
	if (!c->host->calls(c->user, &s->calls, &err))
		workbench_say(wb, ROLE_WARNING, "%s", err.text);
	list_set_count(&s->list, s->calls.len);
	find_clear(wb, FIND_SAVED);
	if (s->calls.len == 0)
		return workbench_refuse(wb, err.text[0] ? err.text
							: "no call is saved in this project: "
							  "Ctrl-S saves the form's arguments");
	select_first(wb);
	wb->dialog = &dialog_saved;
	return true;
}

/* The arguments of the form are saved, under the name they have or a new one. */
static void
save_form(struct workbench *wb)
{
	leave(wb);
	workbench_run(wb, "save-call", wb->now_us);
}

/* Runs a command for the selected call. */
static void
run(struct workbench *wb, const char *command)
{
	const struct saved *s = &wb->saved;
	char *line = mem_printf("%s %s", command, s->calls.items[s->list.selected].name);

	leave(wb);
	workbench_run(wb, line, wb->now_us);
	free(line);
}

static void
rename_selected(struct workbench *wb)
{
	const char *name = wb->saved.calls.items[wb->saved.list.selected].name;
	char *line = mem_printf("rename-saved \"%s\" ", name);

	leave(wb);
	prompt_open(wb, line);
	free(line);
}

static bool
on_key(struct workbench *wb, const struct key *key)
{
	struct saved *s = &wb->saved;
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;
	bool pressed = key->kind == KEY_MOUSE && key->action == MOUSE_PRESS;
	size_t row;

	if (pressed && list_row_at(&s->list, key->y - s->y, &row)) {
		bool again = row == s->list.selected;
		list_select(&s->list, row);
		if (again)
			run(wb, "saved");
	} else if (key->kind == KEY_ESCAPE || ch == 'q') {
		leave(wb);
	} else if (key->kind == KEY_ENTER) {
		run(wb, "saved");
	} else if (ch == 's') {
		save_form(wb);
	} else if (ch == 'c') {
		rename_selected(wb);
	} else if (ch == 'd' || key->kind == KEY_DELETE) {
		run(wb, "delete-saved");
	} else {
		return list_key(&s->list, key);
	}
	return true;
}

static void
add_text(const struct seekable *with, size_t row, struct buf *out)
{
	const struct workbench *wb = with->with;
	const struct saved_call *c = &wb->saved.calls.items[row];

	buf_addf(
	    out, "%s\n%s\n%s", c->name, c->key ? c->key : "", c->arguments ? c->arguments : "");
}

static bool
seek(struct workbench *wb, struct seekable *out)
{
	*out = seek_list(&wb->saved.list, 0, &wb->saved, wb, add_text);
	return true;
}

/* ---- drawing ---- */

static void
draw_call(const struct workbench *wb, struct surface s, int y, const struct saved_call *c)
{
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

static void
draw(struct workbench *wb, struct surface main, struct surface bar)
{
	struct saved *s = &wb->saved;
	struct surface inner =
	    dialog_list_box(wb, main, WIDTH, FIND_SAVED, "Saved calls", &s->list);

	s->y = inner.y;
	for (int y = 0; y < inner.height && s->list.top + (size_t)y < s->calls.len; y++) {
		draw_call(wb, inner, y, &s->calls.items[s->list.top + (size_t)y]);
		surface_spot(inner, 0, y);
		if (s->list.top + (size_t)y == s->list.selected)
			surface_select_row(inner, y, true);
	}
	surface_scrollbar(inner, true, s->calls.len, s->list.top);
	find_light(wb, FIND_SAVED, inner);
}

const struct dialog dialog_saved = {
	.key = on_key,
	.draw = draw,
	.finish = finish,
	.keys = "Enter open  s save the form  c rename  d delete  / search  Esc close",
	.seek = seek,
	.front = FIND_SAVED,
};
