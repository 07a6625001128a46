/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/units.h"
#include "base/vec.h"
#include "client/call_code.h"
#include "client/history.h"
#include "json/print.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls that were made: cancel, show, compare, delete and copy them. */

/* ---- the running calls of the shown server, newest first, to cancel one ---- */

enum { NAME_COLS = 26, STATE_COLS = 20 };

static void
calls_finish(struct workbench *wb)
{
	free(wb->calls.items);
	wb->calls = (struct calls){ 0 };
}

static bool
cancel_call(struct workbench *wb, const struct call *call)
{
	char name[80];

	snprintf(name, sizeof(name), "%.70s", call_name(call));
	if (!server_cancel(wb->ws.server, call->id, wb->now_us))
		return workbench_say(wb, ROLE_ERROR, "%s cannot be cancelled", name);
	if (wb->overlay == PANE_questions && !workspace_question(&wb->ws))
		wb->overlay = -1; /* its question ended with the call */
	return workbench_say(wb, ROLE_OK, "cancelled %s", name);
}

static bool
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
		return cancel_call(wb, shown);
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
static bool
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

static bool
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

static bool
cmd_delete_call(struct workbench *wb, const char *arg, int asks)
{
	static const struct confirm_words words = { "Delete the call?", "Keep it", "Delete", NULL };
	const struct workspace_history *history = &wb->ws.history;
	struct err err = { "there is no history" };
	struct history_call h = { 0 };
	uint64_t id = read_id(arg);
	bool can = id > 0 && history->host;

	if (asks) {
		if (!can || !history->host->find(history->user, id, false, &h))
			return workbench_refuse(wb, "the history has no such call");
		confirm_open(wb, &words,
		    mem_printf("The call of %.80s and its result go from the history.", h.key),
		    "delete-call! %s", arg);
		history_finish(&h);
		return true;
	}
	if (!can || !history->host->change(history->user, id, HISTORY_REMOVE, NULL, &err))
		return workbench_refuse(wb, err.text);
	wb->ws.generation++;
	return workbench_say(wb, ROLE_OK, "deleted");
}

/* ---- the list of running calls ---- */

static const struct call *
call_at(const struct workbench *wb, size_t row)
{
	return wb->ws.server ? server_find_call(wb->ws.server, wb->calls.items[row]) : NULL;
}

static void
choose_call(struct workbench *wb, size_t row)
{
	const struct call *call = call_at(wb, row);

	dialog_leave(wb);
	if (call)
		cancel_call(wb, call);
}

static void
add_call_text(const struct workbench *wb, size_t row, struct buf *out)
{
	const struct call *call = call_at(wb, row);

	if (call)
		buf_addf(out, "%s\n%s\n%s", call_name(call), call_state_names[call->state],
		    call->arguments);
}

static void
draw_call_row(struct workbench *wb, struct surface s, int y, size_t row)
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

	buf_addf(&state, "%s %s", call_state_names[call->state],
	    pane_duration(call_elapsed_us(call, wb->now_us)).text);
	surface_text(s, 0, y, NAME_COLS, style_on(ROLE_TITLE, ROLE_DIALOG), call_name(call));
	surface_text(
	    s, NAME_COLS + 1, y, STATE_COLS, style_on(role, ROLE_DIALOG), buf_text(&state));
	surface_text(
	    s, NAME_COLS + STATE_COLS + 2, y, -1, style_on(ROLE_DIM, ROLE_DIALOG), call->arguments);
	buf_finish(&state);
}

static const struct list_dialog_action call_keys[] = { { "x ctrl-c", NULL, choose_call }, { 0 } };

const struct dialog dialog_calls = {
	.key = list_dialog_key,
	.draw = list_dialog_draw,
	.finish = calls_finish,
	.add_keys = list_dialog_add_keys,
	.seek = list_dialog_seek,
	.front = FIND_CALLS,
	.rows = &(const struct list_dialog_ops){ .width = 100,
	    .verb = "cancel",
	    .choose = choose_call,
	    .draw_row = draw_call_row,
	    .add_text = add_call_text,
	    .keys = call_keys },
};

/* ---- copies ---- */

/* Copies a call as a command line or a program: a call of the history, the shown call, or the call
 * that the form would make. */

#define CODE_MAX ((size_t)8 << 20) /* bytes of a copy by the terminal */

static void
take_form(struct history_call *h, const struct desk *desk)
{
	struct buf arguments = BUF_INIT;

	form_adapt(desk->form);
	form_to_json(desk->form, &arguments);
	*h = (struct history_call){
		.kind = (int)desk->kind,
		.server = mem_strdup(server_info(desk->server)->name),
		.key = mem_strdup(desk->key),
		.arguments = buf_detach(&arguments),
		.uri = desk->kind == PRIMITIVE_RESOURCE ? mem_strdup(desk->key) : NULL,
		.definition = desk->kind == PRIMITIVE_TOOL ? json_text(json_root(desk->doc)) : NULL,
	};
	history_redact(h);
}

static bool
take_call(struct workbench *wb, const char *id, struct history_call *h, struct err *err)
{
	const struct workspace_history *history = &wb->ws.history;
	const struct call *shown = workspace_call(&wb->ws);
	enum pane_id focus = workbench_focused(wb);
	bool at_form = focus == PANE_form || focus == PANE_tools;

	if (*id == '#' && wb->ws.server)
		shown = server_find_call(wb->ws.server, strtoull(id + 1, NULL, 10));
	else if (*id)
		return (history->host &&
			   history->host->find(history->user, strtoull(id, NULL, 10), true, h)) ||
		       err_set(err, "the history has no such call");
	if (!shown && *id)
		return err_set(err, "this call is kept no longer");
	if (!shown && (!wb->ws.server || !wb->ws.desk || wb->ws.desk->kind == PRIMITIVE_SKILL))
		return err_set(err, "select a tool, resource or prompt first");
	if (shown && (*id || !at_form || !wb->ws.desk->form)) {
		history_take(h, wb->ws.server, shown, 0);
		history_redact(h);
		return true;
	}
	if (!wb->ws.desk->form)
		return err_set(err, "its definition is broken: F2 shows what is wrong with it");
	if (wb->ws.desk->kind == PRIMITIVE_TEMPLATE)
		return err_set(err, "a template has no address before it is called");
	take_form(h, wb->ws.desk);
	return true;
}

static bool
add_code(const struct workbench *wb, const struct call_code_format *format,
    const struct history_call *h, struct buf *out, struct err *err)
{
	const struct server_choice *choice = NULL;

	for (size_t i = 0; !choice && i < wb->ws.choice_count; i++)
		if (strcmp(wb->ws.choices[i].target->name, h->server) == 0)
			choice = &wb->ws.choices[i];
	const struct server_info *info =
	    choice && choice->server ? server_info(choice->server) : NULL;
	const struct session_info *session =
	    info && info->session ? session_info(info->session) : NULL;
	struct json_doc *definition =
	    h->definition ? json_parse(h->definition, strlen(h->definition), NULL, NULL) : NULL;
	if (!choice || (!choice->target->argv && !choice->target->url)) {
		json_doc_destroy(definition);
		return err_set(err, "how its server is started is not known here");
	}
	const struct call_code code = {
		.target = choice->target,
		.origin = choice->origin,
		.kind = (enum primitive_kind)h->kind,
		.key = h->key,
		.uri = h->uri,
		.arguments = h->arguments,
		.definition = definition ? json_root(definition) : NULL,
		.protocol = session ? session->protocol : "",
		.modern = session && session->modern,
		.is_authorized =
		    info && info->auth && auth_flow_info(info->auth).state == AUTH_AUTHORIZED,
	};
	bool ok = format->add(&code, out, err);
	json_doc_destroy(definition);
	return ok;
}

/* If the call was not made, its request. */
static void
add_json(const struct history_call *h, struct buf *out)
{
	struct json_writer w;

	if (h->id != 0) {
		history_add_json(h, true, out);
		return;
	}
	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_string(&w, h->uri ? "uri" : "name", h->uri ? h->uri : h->key);
	if (!h->uri)
		json_write_member_json(&w, "arguments", h->arguments);
	json_write_object_end(&w);
}

static bool
copy_as(struct workbench *wb, const struct history_call *h, const char *name)
{
	const struct call_code_format *format = call_code_formats;
	struct buf out = { .max = CODE_MAX };
	struct err err = { "" };
	bool json = strcmp(name, "json") == 0, ok = true;
	bool left_out = !h->uri && h->arguments[0] == '\0'; /* by history_redact() */

	while (!json && format->name && strcmp(format->name, name) != 0)
		format++;
	if (left_out && (!json || h->id == 0))
		ok = err_set(&err, "its arguments are too long to copy: over 1 MiB");
	else if (json)
		add_json(h, &out);
	else if (format->name)
		ok = add_code(wb, format, h, &out, &err);
	else
		ok = err_set(&err, "usage: copy-as json|command|curl|python|typescript");
	if (ok && out.overflowed)
		ok = err_set(&err, "this is too much to copy");
	if (ok) {
		wb->effects->copy(wb->user, buf_text(&out), out.len);
		workbench_say(wb, ROLE_OK, "copied the %s, %s bytes%s%s",
		    json ? "call as JSON" : format->title, units_count(out.len).text,
		    left_out ? "; its arguments are left out: over 1 MiB" : "",
		    strstr(buf_text(&out), SECRET_HIDDEN) ? "; its secrets are hidden" : "");
	}
	buf_finish(&out);
	return ok || workbench_refuse(wb, err.text);
}

/* ---- the menu of formats: JSON, then code ---- */

static void
copy_menu_finish(struct workbench *wb)
{
	free(wb->copied_call);
	wb->copied_call = NULL;
}

static const char *
copy_format(size_t row)
{
	return row == 0 ? "json" : call_code_formats[row - 1].name;
}

static void
choose_format(struct workbench *wb, size_t row)
{
	dialog_leave_for(wb, mem_printf("copy-as %s %s", copy_format(row), wb->copied_call));
}

static void
add_format_text(const struct workbench *wb, size_t row, struct buf *out)
{
	buf_add_str(out, copy_format(row));
}

static void
draw_format_row(struct workbench *wb, struct surface s, int y, size_t row)
{
	enum { GAP = 2 };
	const char *json =
	    *wb->copied_call ? "with its reply" : "what is sent, or the call shown with its reply";
	size_t columns = strlen("json");

	for (const struct call_code_format *f = call_code_formats; f->name; f++)
		columns = strlen(f->name) > columns ? strlen(f->name) : columns;
	surface_text(s, 0, y, -1, style_on(ROLE_TEXT, ROLE_DIALOG), copy_format(row));
	surface_text(s, (int)columns + GAP, y, -1, style_on(ROLE_DIM, ROLE_DIALOG),
	    row == 0 ? json : call_code_formats[row - 1].title);
}

const struct dialog dialog_copy_menu = {
	.key = list_dialog_key,
	.draw = list_dialog_draw,
	.finish = copy_menu_finish,
	.add_keys = list_dialog_add_keys,
	.rows = &(const struct list_dialog_ops){ .width = 64,
	    .verb = "choose",
	    .choose = choose_format,
	    .draw_row = draw_format_row,
	    .add_text = add_format_text },
};

/* "[FORMAT] [ID]" */
static bool
cmd_copy_as(struct workbench *wb, const char *arg)
{
	struct history_call h = { 0 };
	struct err err = { "" };
	bool has_format = *arg && strspn(arg, "#0123456789") != strlen(arg);
	char *format = has_format ? strings_next_word(&arg) : mem_strdup("");

	bool ok = take_call(wb, arg, &h, &err) || workbench_refuse(wb, err.text);
	if (ok && *format) {
		ok = copy_as(wb, &h, format);
	} else if (ok) {
		size_t formats = 0;
		while (call_code_formats[formats].name)
			formats++;
		copy_menu_finish(wb);
		wb->copied_call = mem_strdup(arg);
		list_dialog_open(wb, &dialog_copy_menu, "Copy the call as", 1 + formats);
	}
	history_finish(&h);
	free(format);
	return ok;
}

/* clang-format off */
const struct command history_commands[] = {
	COMMAND("cancel", "ctrl-c", "", "cancel the call shown, or choose a running call", cmd_cancel),
	COMMAND("copy-as", "y", "[FORMAT] [ID]", "copy the call as json, a command, curl, python or typescript", cmd_copy_as),
	COMMAND("diff", "d", "[CALL [CALL]]", "compare the result with the previous one, or two results", cmd_diff),
	COMMAND("show-call", "", "ID", "show a call of the history in all its views", cmd_show_call),
	COMMAND_IN_FULL_WITH("delete-call", "", "ID", "delete a call from the history, after a question", cmd_delete_call, true),
	COMMAND_IN_FULL_WITH("delete-call!", "", "ID", "delete a call from the history", cmd_delete_call, false),
	{ 0 },
};
/* clang-format on */
