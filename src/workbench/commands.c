#include "workbench_priv.h"

#include "base/mem.h"
#include "json/pointer.h"

#include <stdlib.h>
#include <string.h>

static bool
refuse(struct workbench *wb, const char *why)
{
	return workbench_say(wb, ROLE_ERROR, "%s", why);
}

/* ---- calling ---- */

static bool
send_call(struct workbench *wb)
{
	struct workspace *ws = &wb->ws;
	const struct tool *tool = workspace_tool(ws);
	struct buf arguments = BUF_INIT;

	form_to_json(ws->desk->form, &arguments);
	uint64_t call =
	    server_call(ws->server, tool, buf_text(&arguments), arguments.len, wb->now_us);
	buf_finish(&arguments);
	if (call == 0)
		return refuse(wb, "not connected: R starts the server again");
	workspace_show_call(ws, call);
	workbench_follow(wb, call);
	return true;
}

/* Why the selected tool cannot be called, NULL when it can. */
static const char *
cannot_call(const struct workspace *ws)
{
	if (!ws->server)
		return "no server is connected";
	if (!ws->desk)
		return "no tool is selected";
	if (!workspace_tool(ws))
		return "this tool has gone from the server's list";
	if (!ws->desk->form)
		return "this tool's definition is broken: F2 shows what is wrong with it";
	return NULL;
}

static bool
cmd_call_anyway(struct workbench *wb, const char *arg)
{
	const char *why = cannot_call(&wb->ws);
	(void)arg;

	return why ? refuse(wb, why) : send_call(wb);
}

static bool
cmd_call(struct workbench *wb, const char *arg)
{
	const char *why = cannot_call(&wb->ws);
	(void)arg;

	if (why)
		return refuse(wb, why);
	struct form *form = wb->ws.desk->form;
	size_t problems = form_check(form);
	wb->ws.generation++;
	if (problems == 0)
		return send_call(wb);
	struct field *first = form_first_problem(form);
	struct buf where = BUF_INIT;
	if (first)
		field_pointer(first, &where);
	confirm_open(wb, "call!",
	    mem_printf("%zu %s in the arguments%s%s%s%s. Send them anyway?", problems,
		problems == 1 ? "problem" : "problems", first ? ": " : "", buf_text(&where),
		first ? ": " : "", first ? field_problem(first) : ""));
	buf_finish(&where);
	return true;
}

static bool
cmd_cancel(struct workbench *wb, const char *arg)
{
	const struct server *s = wb->ws.server;
	const struct call *shown = workspace_call(&wb->ws);
	uint64_t id = shown && shown->state == CALL_RUNNING ? shown->id : 0;
	(void)arg;

	for (size_t i = s ? server_call_count(s) : 0; id == 0 && i-- > 0;) {
		const struct call *c = server_call_at(s, i);
		if (c->state == CALL_RUNNING)
			id = c->id;
	}
	if (id == 0)
		return refuse(wb, "no call is running (q quits)");
	return server_cancel(wb->ws.server, id, wb->now_us);
}

static bool
cmd_set(struct workbench *wb, const char *arg)
{
	size_t len = strcspn(arg, " ");
	struct err err = { "" };

	if (!wb->ws.desk || !wb->ws.desk->form)
		return refuse(wb, "no tool with a form is selected");
	if (arg[len] == '\0')
		return refuse(wb, "usage: set FIELD JSON");
	char *field = mem_strndup(arg, len);
	bool ok = form_set(wb->ws.desk->form, field, arg + len + strspn(arg + len, " "), &err);
	free(field);
	wb->ws.generation++;
	return ok ? true : refuse(wb, err.text);
}

static bool
cmd_edit(struct workbench *wb, const char *arg)
{
	struct buf text = BUF_INIT;
	struct err err = { "" };
	(void)arg;

	if (!wb->ws.desk || !wb->ws.desk->form)
		return refuse(wb, "no tool with a form is selected");
	form_to_json_pretty(wb->ws.desk->form, &text);
	buf_add_char(&text, '\n');
	bool ok = wb->host->edit(wb->user, buf_text(&text), text.len, &err);
	buf_finish(&text);
	return ok ? true : refuse(wb, err.text);
}

void
workbench_on_edited(
    struct workbench *wb, const char *text, size_t len, const char *why, int64_t now_us)
{
	struct desk *desk = wb->ws.desk;
	struct json_error where;

	wb->now_us = now_us;
	wb->ws.generation++;
	if (!text || !desk || !desk->form) {
		refuse(wb, text ? "the tool whose arguments were edited has gone" : why);
		return;
	}
	while (len > 0 && strchr(" \n\r\t", text[len - 1]))
		len--;
	if (form_load_json(desk->form, text, len, &where))
		return;
	form_load_raw(desk->form, text, len);
	workbench_say(wb, ROLE_WARNING, "kept as typed, but it is not JSON: line %u column %u: %s",
	    where.line, where.column, where.text);
}

/* ---- moving about ---- */

static bool
cmd_tool(struct workbench *wb, const char *arg)
{
	if (!workspace_select_name(&wb->ws, arg))
		return workbench_say(wb, ROLE_ERROR, "no tool is called %s", arg);
	workbench_focus(wb, PANE_form);
	return true;
}

static bool
cmd_pane(struct workbench *wb, const char *arg)
{
	for (int i = 0; i < PANE_COUNT; i++) {
		if (strcmp(pane_table[i]->name, arg) == 0) {
			workbench_focus(wb, (enum pane_id)i);
			return true;
		}
	}
	return workbench_say(wb, ROLE_ERROR, "no pane is called %s", arg);
}

static bool
cycle(struct workbench *wb, int step)
{
	int at = (int)wb->focus;

	wb->overlay = -1;
	do
		at = (at + step + PANE_COUNT) % PANE_COUNT;
	while (pane_table[at]->slot == SLOT_OVERLAY);
	workbench_focus(wb, (enum pane_id)at);
	return true;
}

static bool
cmd_next_pane(struct workbench *wb, const char *arg)
{
	(void)arg;
	return cycle(wb, 1);
}

static bool
cmd_previous_pane(struct workbench *wb, const char *arg)
{
	(void)arg;
	return cycle(wb, -1);
}

static bool
cmd_zoom(struct workbench *wb, const char *arg)
{
	(void)arg;
	wb->zoomed = !wb->zoomed;
	return true;
}

static bool
cmd_back(struct workbench *wb, const char *arg)
{
	(void)arg;
	if (wb->overlay >= 0)
		wb->overlay = -1;
	else if (wb->zoomed)
		wb->zoomed = false;
	else if (wb->focus != PANE_tools)
		workbench_focus(wb, PANE_tools);
	return true;
}

static bool
toggle_overlay(struct workbench *wb, enum pane_id pane)
{
	wb->overlay = wb->overlay == (int)pane ? -1 : (int)pane;
	return true;
}

static bool
cmd_wire(struct workbench *wb, const char *arg)
{
	(void)arg;
	return toggle_overlay(wb, PANE_journal);
}

static bool
cmd_schema(struct workbench *wb, const char *arg)
{
	(void)arg;
	return toggle_overlay(wb, PANE_schema);
}

static bool
cmd_goto(struct workbench *wb, const char *arg)
{
	struct pane_env env = workbench_env(wb, PANE_structured);

	workbench_sync(wb);
	if (!pane_table[PANE_structured]->reveal(wb->states[PANE_structured], &env, arg))
		return workbench_say(wb, ROLE_ERROR, "nothing is at %s", arg);
	workbench_focus(wb, PANE_structured);
	return true;
}

/* Goes to the violation `step` from the last one, round and round. */
static bool
step_violation(struct workbench *wb, int step)
{
	const struct call *call = workspace_call(&wb->ws);
	const struct report *report = call ? call->verdict.report : NULL;
	size_t count = report ? report_kept(report) : 0;

	if (count == 0)
		return refuse(wb, "no violation to go to");
	if (wb->violation_call != call->id || wb->violation >= count)
		wb->violation = step > 0 ? count - 1 : 0;
	wb->violation_call = call->id;
	wb->violation =
	    step > 0 ? (wb->violation + 1) % count : (wb->violation + count - 1) % count;
	struct buf path = BUF_INIT, line = BUF_INIT;
	report_instance_path(report, wb->violation, &path);
	const char *missing = report_at(report, wb->violation)->missing;
	if (missing)
		json_pointer_add_key(&path, missing);
	bool ok = cmd_goto(wb, buf_text(&path));
	report_line(report, wb->violation, &line);
	if (ok)
		workbench_say(wb, ROLE_WARNING, "%zu of %zu: %s  %s", wb->violation + 1, count,
		    buf_text(&path), buf_text(&line));
	buf_finish(&path);
	buf_finish(&line);
	return ok;
}

static bool
cmd_next_error(struct workbench *wb, const char *arg)
{
	(void)arg;
	return step_violation(wb, 1);
}

static bool
cmd_previous_error(struct workbench *wb, const char *arg)
{
	(void)arg;
	return step_violation(wb, -1);
}

/* ---- the server ---- */

static bool
cmd_restart(struct workbench *wb, const char *arg)
{
	struct err err = { "" };
	(void)arg;

	if (!wb->host->restart(wb->user, &err))
		return refuse(wb, err.text);
	return workbench_say(wb, ROLE_DIM, "starting the server again");
}

static bool
cmd_server(struct workbench *wb, const char *arg)
{
	struct err err = { "" };

	if (*arg == '\0') {
		workbench_focus(wb, PANE_servers);
		return true;
	}
	if (!wb->host->choose_server(wb->user, arg, &err))
		return refuse(wb, err.text);
	wb->overlay = -1;
	return true;
}

static bool
cmd_relist(struct workbench *wb, const char *arg)
{
	(void)arg;
	if (!wb->ws.server)
		return refuse(wb, "no server is connected");
	server_relist(wb->ws.server, wb->now_us);
	return workbench_say(wb, ROLE_DIM, "listing the tools again");
}

/* ---- the program ---- */

static bool
cmd_theme(struct workbench *wb, const char *arg)
{
	struct err err = { "" };

	return wb->host->set_theme(wb->user, arg, &err) ? true : refuse(wb, err.text);
}

static bool
write_file(struct workbench *wb, const char *path, const struct buf *bytes)
{
	struct err err = { "" };

	if (!wb->host->write_file(wb->user, path, buf_text(bytes), bytes->len, &err))
		return refuse(wb, err.text);
	return workbench_say(wb, ROLE_OK, "wrote %s, %zu bytes", path, bytes->len);
}

static bool
cmd_dump(struct workbench *wb, const char *arg)
{
	struct grid grid;
	struct buf text = BUF_INIT;

	if (*arg == '\0')
		return refuse(wb, "usage: dump FILE");
	grid_init(&grid, wb->width > 0 ? wb->width : 120, wb->height > 0 ? wb->height : 36);
	workbench_draw(wb, &grid, wb->now_us);
	grid_to_text(&grid, &text);
	bool ok = write_file(wb, arg, &text);
	buf_finish(&text);
	grid_finish(&grid);
	return ok;
}

static bool
cmd_export(struct workbench *wb, const char *arg)
{
	size_t len = strcspn(arg, " ");
	const char *path = arg + len + strspn(arg + len, " ");
	const struct call *call = workspace_call(&wb->ws);
	struct buf out = BUF_INIT;
	struct err err = { "" };

	if (*path == '\0')
		return refuse(wb, "usage: export json|jsonl|csv|tsv|md FILE");
	if (!call || call->state != CALL_DONE || !call->result.structured)
		return refuse(wb, "there is no structuredContent to export");
	char *format = mem_strndup(arg, len);
	bool ok = export_write(call->result.structured, call->output_schema, format, &out, &err);
	free(format);
	ok = ok ? write_file(wb, path, &out) : refuse(wb, err.text);
	buf_finish(&out);
	return ok;
}

static bool
cmd_copy(struct workbench *wb, const char *arg)
{
	const struct call *call = workspace_call(&wb->ws);
	(void)arg;

	if (!call || !call->raw)
		return refuse(wb, "there is no result to copy");
	wb->host->copy(wb->user, call->raw->data, call->raw->len);
	return workbench_say(wb, ROLE_OK, "copied the reply, %zu bytes", call->raw->len);
}

static bool
cmd_help(struct workbench *wb, const char *arg)
{
	(void)arg;
	help_open(wb);
	return true;
}

static bool
cmd_command(struct workbench *wb, const char *arg)
{
	prompt_open(wb, arg);
	return true;
}

static bool
cmd_quit(struct workbench *wb, const char *arg)
{
	size_t running = wb->ws.server ? server_running(wb->ws.server) : 0;
	(void)arg;

	if (running > 0) {
		confirm_open(wb, "quit!",
		    mem_printf("%zu %s still running. Quit?", running,
			running == 1 ? "call is" : "calls are"));
		return true;
	}
	wb->host->quit(wb->user);
	return true;
}

static bool
cmd_quit_now(struct workbench *wb, const char *arg)
{
	(void)arg;
	wb->host->quit(wb->user);
	return true;
}

const struct command commands[] = {
	{ "call", "f5", "", "call the tool whose form is shown", cmd_call },
	{ "call!", "", "", "the same, whatever is wrong with the arguments", cmd_call_anyway },
	{ "cancel", "ctrl-c", "", "cancel the running call", cmd_cancel },
	{ "tool", "", "NAME", "select a tool", cmd_tool },
	{ "set", "", "FIELD JSON", "set a form field, by name or JSON Pointer", cmd_set },
	{ "edit", "ctrl-e", "", "edit the arguments as JSON in $EDITOR", cmd_edit },
	{ "next-error", "e", "", "go to the next violation", cmd_next_error },
	{ "previous-error", "E", "", "go to the violation before", cmd_previous_error },
	{ "goto", "", "POINTER", "show a node of structuredContent", cmd_goto },
	{ "next-pane", "tab", "", "move to the next pane", cmd_next_pane },
	{ "previous-pane", "shift-tab", "", "move to the pane before", cmd_previous_pane },
	{ "pane", "", "NAME", "move to a pane", cmd_pane },
	{ "zoom", "z", "", "give the pane the whole screen, or take it back", cmd_zoom },
	{ "back", "esc", "", "close what is on top; go back to the tools", cmd_back },
	{ "wire", "w", "", "show or hide the journal of messages", cmd_wire },
	{ "schema", "f2", "", "show or hide the tool's definition and schemas", cmd_schema },
	{ "restart", "R", "", "start the server again", cmd_restart },
	{ "relist", "", "", "ask for the list of tools again", cmd_relist },
	{ "server", "", "[N|NAME]", "choose a server of the configuration", cmd_server },
	{ "copy", "", "", "copy the raw reply to the clipboard", cmd_copy },
	{ "export", "", "FORMAT FILE", "write structuredContent as json, jsonl, csv, tsv or md",
	    cmd_export },
	{ "dump", "", "FILE", "write the screen as text", cmd_dump },
	{ "theme", "", "NAME", "use another theme", cmd_theme },
	{ "command", "ctrl-p :", "", "type a command; Tab completes it", cmd_command },
	{ "help", "f1 ?", "", "show the keys of this pane and all commands", cmd_help },
	{ "quit", "q", "", "leave; asks when calls are running", cmd_quit },
	{ "quit!", "ctrl-q", "", "leave at once", cmd_quit_now },
	{ 0 },
};
