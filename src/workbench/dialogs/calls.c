#include "workbench/commands/commands.h"

#include "base/units.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The calls of the shown server, newest first, to show or cancel one. */
enum { NAME_COLS = 26, STATE_COLS = 20, WIDTH = 100 };

static void
finish(struct workbench *wb)
{
	free(wb->calls.ids.items);
	wb->calls = (struct calls){ 0 };
}

/* False: there are none. */
static bool
open_list(struct workbench *wb, bool running)
{
	struct calls *c = &wb->calls;
	const struct server *s = wb->ws.server;

	c->ids.len = 0;
	c->running = running;
	for (size_t i = s ? server_info(s)->calls : 0; i-- > 0;)
		if (!running || server_call_at(s, i)->state == CALL_RUNNING)
			*VEC_PUSH(&c->ids) = server_call_at(s, i)->id;
	c->list = (struct list){ 0 };
	list_set_count(&c->list, c->ids.len);
	find_clear(wb, FIND_CALLS);
	if (c->ids.len > 0)
		wb->dialog = &dialog_calls;
	return c->ids.len > 0;
}

bool
cmd_calls(struct workbench *wb, const char *arg)
{
	return open_list(wb, false) || workbench_refuse(wb, "nothing has been called yet");
}

static bool
cancel(struct workbench *wb, const struct call *call)
{
	char name[80];

	snprintf(name, sizeof(name), "%.70s", call_name(call));
	if (!server_cancel(wb->ws.server, call->id, wb->now_us))
		return workbench_say(wb, ROLE_ERROR, "%s cannot be cancelled", name);
	if (wb->overlay == PANE_questions && !workspace_question(&wb->ws))
		wb->overlay = -1; /* its question ended with the call */
	return workbench_say(wb, ROLE_OK, "cancelled %s", name);
}

bool
cmd_cancel(struct workbench *wb, const char *arg)
{
	const struct call *shown = workspace_call(&wb->ws);

	if (wb->work) {
		wb->work->stop(wb->work);
		return true;
	}
	if (shown && shown->state == CALL_RUNNING)
		return cancel(wb, shown);
	return open_list(wb, true) || workbench_refuse(wb, "no call is running (q quits)");
}

/* ---- actions on a call ---- */

static const struct call *
call_at(const struct workbench *wb, size_t row)
{
	const struct calls *c = &wb->calls;

	return row < c->ids.len && wb->ws.server
		   ? server_find_call(wb->ws.server, c->ids.items[row])
		   : NULL;
}

static void
show(struct workbench *wb, const struct call *call)
{
	uint64_t id = call->id;

	if (call->kind == PRIMITIVE_RESOURCE)
		workspace_select_uri(&wb->ws, call->key);
	else if (!workspace_select_name(&wb->ws, call->kind, call->key)) {
		workbench_refuse(wb, "the server no longer lists it");
		return;
	}
	workspace_show_call(&wb->ws, id);
	workbench_focus(wb, PANE_content);
}

static bool
on_key(struct workbench *wb, const struct key *key)
{
	struct calls *c = &wb->calls;
	uint32_t ch = key->kind == KEY_CHAR ? key->ch : 0;
	const struct call *call = call_at(wb, c->list.selected);
	bool cancels = (ch == 'x' && key->mods == 0) || (ch == 'c' && key->mods == MOD_CTRL);
	bool pressed = key->kind == KEY_MOUSE && key->action == MOUSE_PRESS;
	size_t row;

	if (pressed && list_row_at(&c->list, key->y - c->y, &row)) {
		list_select(&c->list, row);
	} else if (key->kind == KEY_ESCAPE || ch == 'q' || (cancels && !call)) {
		wb->dialog = NULL;
	} else if (call && (cancels || (key->kind == KEY_ENTER && c->running))) {
		wb->dialog = NULL;
		cancel(wb, call);
	} else if (call && key->kind == KEY_ENTER) {
		wb->dialog = NULL;
		show(wb, call);
	} else {
		return list_key(&c->list, key);
	}
	return true;
}

static void
add_text(const struct seekable *s, size_t row, struct buf *out)
{
	const struct call *call = call_at(s->with, row);

	if (call)
		buf_addf(out, "%s\n%s\n%s", call_name(call), call_state_names[call->state],
		    call->arguments);
}

static bool
seek(struct workbench *wb, struct seekable *out)
{
	*out = seek_list(&wb->calls.list, 0, &wb->calls, wb, add_text);
	return true;
}

/* ---- drawing ---- */

static void
draw_call(const struct workbench *wb, struct surface s, int y, const struct call *call)
{
	struct buf state = BUF_INIT;
	enum role role = call->state == CALL_RUNNING     ? ROLE_ACCENT
			 : call->state == CALL_CANCELLED ? ROLE_DIM
			 : call_is_error(call)           ? ROLE_ERROR
							 : ROLE_OK;

	buf_addf(&state, "%s ", call_state_names[call->state]);
	pane_add_duration(&state, call_elapsed_us(call, wb->now_us));
	surface_text(s, 0, y, NAME_COLS, style_on(ROLE_TITLE, ROLE_DIALOG), call_name(call));
	surface_text(
	    s, NAME_COLS + 1, y, STATE_COLS, style_on(role, ROLE_DIALOG), buf_text(&state));
	surface_text(
	    s, NAME_COLS + STATE_COLS + 2, y, -1, style_on(ROLE_DIM, ROLE_DIALOG), call->arguments);
	buf_finish(&state);
}

static void
draw(struct workbench *wb, struct surface s, struct surface bar)
{
	struct calls *c = &wb->calls;
	int rows = c->ids.len < (size_t)s.height ? (int)c->ids.len + 2 : s.height;
	struct surface box = dialog_box(s, WIDTH, rows);

	struct buf title = BUF_INIT, facts = BUF_INIT;
	buf_add_str(&title, c->running ? "Cancel which call?" : "Calls, newest first");
	units_add_count(&facts, c->ids.len);
	struct surface inner = frame_draw(wb, box, FIND_CALLS, true, &title, &facts, ROLE_DIM);
	buf_finish(&title);
	buf_finish(&facts);
	c->y = inner.y;
	list_set_height(&c->list, inner.height);
	for (int y = 0; y < inner.height && c->list.top + (size_t)y < c->ids.len; y++) {
		const struct call *call = call_at(wb, c->list.top + (size_t)y);
		if (call)
			draw_call(wb, inner, y, call);
		else
			surface_text(inner, 0, y, -1, style_on(ROLE_HINT, ROLE_DIALOG),
			    "dropped: too many results");
		if (c->list.top + (size_t)y == c->list.selected)
			surface_select_row(inner, y, true);
	}
	surface_scrollbar(inner, true, c->ids.len, c->list.top);
	find_light(wb, FIND_CALLS, inner);
}

static void
add_keys(const struct workbench *wb, struct buf *out)
{
	buf_add_str(out, wb->calls.running ? "Enter cancel  / search  Esc close"
					   : "Enter show  x cancel  / search  Esc close");
}

const struct dialog dialog_calls = {
	.key = on_key,
	.draw = draw,
	.finish = finish,
	.seek = seek,
	.front = FIND_CALLS,
	.add_keys = add_keys,
};
