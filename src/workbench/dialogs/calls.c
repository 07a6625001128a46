/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The running calls of the shown server, newest first, to cancel one. */
enum { NAME_COLS = 26, STATE_COLS = 20 };

static void
finish(struct workbench *wb)
{
	free(wb->calls.items);
	wb->calls = (struct calls){ 0 };
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
	const struct server *s = wb->ws.server;
	struct calls *c = &wb->calls;

	if (wb->work) {
		wb->work->stop(wb->work);
		return true;
	}
	if (shown && shown->state == CALL_RUNNING)
		return cancel(wb, shown);
	c->len = 0;
	for (size_t i = s ? server_info(s)->calls : 0; i-- > 0;)
		if (server_call_at(s, i)->state == CALL_RUNNING)
			*VEC_PUSH(c) = server_call_at(s, i)->id;
	if (c->len == 0)
		return workbench_refuse(wb, "no call is running (q quits)");
	list_dialog_open(wb, &dialog_calls, "Cancel which call?", c->len);
	return true;
}

/* ---- calls of the history ---- */

/* 0: none. */
static uint64_t
read_id(const char *arg)
{
	char *end;
	unsigned long long id = strtoull(arg, &end, 10);

	return *arg && *end == '\0' && id <= INT64_MAX ? id : 0;
}

/* "ID" of the history, or "#N", a call of the shown server that the history does not have. */
bool
cmd_show_call(struct workbench *wb, const char *arg)
{
	struct err err = { "" };
	uint64_t id = read_id(arg);

	if (id == 0 && *arg == '#') {
		const struct server *s = wb->ws.server;
		const struct call *c = s ? server_find_call(s, read_id(arg + 1)) : NULL;
		if (!c)
			return workbench_refuse(wb, "this call is kept no longer");
		workspace_select_call(&wb->ws, c);
	} else if (id == 0) {
		return workbench_refuse(wb, "usage: show-call ID; H lists the calls");
	} else if (!workspace_show_kept(&wb->ws, id, wb->now_us, &err)) {
		return workbench_refuse(wb, err.text);
	}
	workbench_focus(wb, PANE_content);
	return true;
}

/* "ID" of the history, or "#N", a call of the server shown. */
static bool
read_ref(char **word, struct call_ref *ref)
{
	char *text = strsep(word, " ");

	*ref = (struct call_ref){ 0 };
	if (!text || !*text)
		return true;
	if (*text == '#')
		ref->call = read_id(text + 1);
	else
		ref->kept = read_id(text);
	return ref->call || ref->kept;
}

bool
cmd_diff(struct workbench *wb, const char *arg)
{
	struct call_ref refs[2];
	struct err err = { "usage: diff [CALL [CALL]]; H lists the calls, Space marks one" };
	char *words = mem_strdup(arg), *rest = words;

	if (wb->overlay == PANE_diff && !*arg) {
		free(words);
		return workbench_toggle(wb, PANE_diff);
	}
	bool ok = read_ref(&rest, &refs[0]) && read_ref(&rest, &refs[1]) && !rest;
	bool two = refs[1].call || refs[1].kept;
	free(words);
	if (ok)
		ok = two ? workspace_compare(&wb->ws, refs[0], refs[1], wb->now_us, &err)
			 : workspace_compare_before(&wb->ws, refs[0], wb->now_us, &err);
	if (!ok)
		return workbench_refuse(wb, err.text);
	workbench_focus(wb, PANE_diff);
	return true;
}

bool
cmd_delete_call(struct workbench *wb, const char *arg)
{
	static const struct confirm_words words = { "Delete the call?", "Keep it", "Delete", NULL };
	const struct workspace_history *history = &wb->ws.history;
	struct history_call h = { 0 };
	uint64_t id = read_id(arg);

	if (id == 0 || !history->host || !history->host->find(history->user, id, false, &h))
		return workbench_refuse(wb, "the history has no such call");
	confirm_open(wb, &words,
	    mem_printf("The call of %.80s and its result go from the history.", h.key),
	    "delete-call! %s", arg);
	history_finish(&h);
	return true;
}

bool
cmd_delete_call_now(struct workbench *wb, const char *arg)
{
	const struct workspace_history *history = &wb->ws.history;
	struct err err = { "there is no history" };
	uint64_t id = read_id(arg);

	if (id == 0 || !history->host || !history->host->remove(history->user, id, &err))
		return workbench_refuse(wb, err.text);
	wb->ws.generation++;
	return workbench_say(wb, ROLE_OK, "deleted");
}

/* ---- actions on a call ---- */

static const struct call *
call_at(const struct workbench *wb, size_t row)
{
	return wb->ws.server ? server_find_call(wb->ws.server, wb->calls.items[row]) : NULL;
}

static void
choose(struct workbench *wb, size_t row)
{
	const struct call *call = call_at(wb, row);

	dialog_leave(wb);
	if (call)
		cancel(wb, call);
}

static void
cancel_selected(struct workbench *wb)
{
	choose(wb, wb->rows.list.selected);
}

static void
add_text(const struct workbench *wb, size_t row, struct buf *out)
{
	const struct call *call = call_at(wb, row);

	if (call)
		buf_addf(out, "%s\n%s\n%s", call_name(call), call_state_names[call->state],
		    call->arguments);
}

static void
draw_row(struct workbench *wb, struct surface s, int y, size_t row)
{
	const struct call *call = call_at(wb, row);
	struct buf state = BUF_INIT;

	if (!call) {
		surface_text(
		    s, 0, y, -1, style_on(ROLE_HINT, ROLE_DIALOG), "dropped: too many results");
		return;
	}
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

static const struct list_dialog_action keys[] = { { "x ctrl-c", NULL, cancel_selected }, { 0 } };

const struct dialog dialog_calls = {
	.key = list_dialog_key,
	.draw = list_dialog_draw,
	.finish = finish,
	.add_keys = list_dialog_add_keys,
	.seek = list_dialog_seek,
	.front = FIND_CALLS,
	.rows = &(const struct list_dialog_ops){ .width = 100,
	    .verb = "cancel",
	    .choose = choose,
	    .draw_row = draw_row,
	    .add_text = add_text,
	    .keys = keys },
};
