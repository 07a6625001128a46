/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/mem.h"
#include "base/units.h"
#include "json/pointer.h"
#include "client/notices.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* By its own name, or the one on the screen. */
bool
cmd_pane(struct workbench *wb, const char *arg)
{
	for (int i = 0; i < PANE_COUNT; i++) {
		if (strcmp(pane_table[i].name, arg) == 0 ||
		    strcasecmp(pane_table[i].ops->title, arg) == 0) {
			if (i == PANE_structured && workbench_has(wb, PANE_app))
				i = PANE_app;
			if (!workbench_has(wb, (enum pane_id)i))
				return workbench_say(wb, ROLE_WARNING,
				    "%s does not apply to the selection", pane_table[i].ops->title);
			workbench_focus(wb, (enum pane_id)i);
			return true;
		}
	}
	return workbench_say(wb, ROLE_ERROR, "no pane is named %s", arg);
}

/* Below it is the workbench, or the server list if no server is shown. */
static void
close_overlay(struct workbench *wb)
{
	if (wb->overlay == PANE_terminal)
		wb->overlay = wb->covered;
	else
		wb->overlay = wb->ws.server ? -1 : PANE_servers;
}

bool
cmd_cycle_panes(struct workbench *wb, const char *arg, int step)
{
	int at = (int)wb->focus;

	close_overlay(wb);
	if (wb->overlay >= 0)
		return true;
	do
		at = (at + step + PANE_COUNT) % PANE_COUNT;
	while (pane_table[at].slot == SLOT_OVERLAY || !workbench_has(wb, (enum pane_id)at));
	workbench_focus(wb, (enum pane_id)at);
	return true;
}

bool
cmd_zoom(struct workbench *wb, const char *arg)
{
	wb->zoomed = !wb->zoomed;
	return true;
}

bool
workbench_toggle(struct workbench *wb, enum pane_id overlay)
{
	if (wb->overlay == (int)overlay)
		close_overlay(wb);
	else
		wb->overlay = (int)overlay;
	return true;
}

/* Closes one layer: the overlay, the zoom; then goes from a result to the pane that made the call,
 * and at last to the list. False: none. */
static bool
go_back(struct workbench *wb)
{
	if (!workbench_can_go_back(wb))
		return false;
	if (wb->overlay >= 0)
		close_overlay(wb);
	else if (wb->zoomed)
		wb->zoomed = false;
	else
		workbench_focus(wb, wb->called_from);
	return true;
}

/* Closes a record or menu of the pane by its own Esc. */
static bool
close_in_pane(struct workbench *wb)
{
	enum pane_id id = workbench_focused(wb);
	struct view *pane = &wb->panes[id];
	struct view_env env = workbench_env(wb, id);
	const struct key esc = { .kind = KEY_ESCAPE };

	return (view_captures(pane) || view_is_open(pane)) && view_key(pane, &env, &esc);
}

bool
cmd_back(struct workbench *wb, const char *arg)
{
	if (close_in_pane(wb) || find_clear(wb, (int)workbench_focused(wb)))
		return true;
	return go_back(wb) || true;
}

bool
cmd_close(struct workbench *wb, const char *arg)
{
	if (close_in_pane(wb))
		return true;
	bool covered = workbench_can_go_back(wb) && (wb->overlay >= 0 || wb->zoomed);
	return covered ? go_back(wb) : cmd_quit(wb, arg);
}

bool
cmd_goto(struct workbench *wb, const char *arg)
{
	struct view_env env = workbench_env(wb, PANE_structured);

	workbench_sync(wb);
	if (!pane_table[PANE_structured].ops->reveal(wb->panes[PANE_structured].state, &env, arg))
		return workbench_say(wb, ROLE_ERROR, "there is nothing at %s", arg);
	workbench_focus(wb, PANE_structured);
	return true;
}

/* Goes to the violation `step` after the last one, wrapping around. */
bool
cmd_step_violation(struct workbench *wb, const char *arg, int step)
{
	const struct call *call = workspace_call(&wb->ws);
	const struct report *report = call ? call->verdict.report : NULL;
	size_t count = report ? report_facts(report)->kept : 0;

	if (count == 0)
		return workbench_refuse(wb, "no violation to go to");
	size_t at = step > 0 ? count - 1 : 0;
	if (wb->ws.violation_call == call->id && wb->ws.violation < count)
		at = wb->ws.violation;
	at = step > 0 ? (at + 1) % count : (at + count - 1) % count;
	wb->ws.violation = at;
	wb->ws.violation_call = call->id;
	wb->ws.generation++;
	struct buf path = BUF_INIT, line = BUF_INIT;
	report_instance_path(report, at, &path);
	const char *missing = report_at(report, at)->missing;
	if (missing)
		json_pointer_add_key(&path, missing);
	bool ok = cmd_goto(wb, buf_text(&path));
	units_add_count(&line, at + 1);
	buf_add_str(&line, " of ");
	units_add_count(&line, count);
	buf_addf(&line, ": %s  ", buf_text(&path));
	report_line(report, at, &line);
	if (ok)
		workbench_say(wb, ROLE_WARNING, "%s", buf_text(&line));
	buf_finish(&path);
	buf_finish(&line);
	return ok;
}

/* Selecting tools, resources, templates and prompts. */

/* Until the list has arrived, the name is looked for when it has. */
static bool
unknown(struct workbench *wb, enum primitive_kind kind, const char *name)
{
	const struct server_info *info = wb->ws.server ? server_info(wb->ws.server) : NULL;
	bool begins = info && info->phase > SERVER_IDLE && info->phase < SERVER_READY;
	bool comes =
	    !wb->queue.advancing &&
	    (begins || (kind != PRIMITIVE_TOOL && info && server_is_listing(wb->ws.server)));

	if (comes) {
		char *line = mem_printf("%s %s", primitive_kinds[kind].name, name);
		workbench_enqueue(wb, line);
		free(line);
		return workbench_say(
		    wb, ROLE_DIM, "%.100s is selected when the list has arrived", name);
	}
	return workbench_say(wb, ROLE_ERROR, "no %s is named %s", primitive_kinds[kind].name, name);
}

bool
cmd_select(struct workbench *wb, const char *arg, int kind)
{
	if (!workspace_select_name(&wb->ws, (enum primitive_kind)kind, arg))
		return unknown(wb, (enum primitive_kind)kind, arg);
	workbench_focus(wb, PANE_form);
	return true;
}

bool
cmd_template(struct workbench *wb, const char *arg)
{
	const struct primitive_list *list =
	    wb->ws.server ? &server_info(wb->ws.server)->lists[PRIMITIVE_TEMPLATE].list : NULL;
	bool found = workspace_select_name(&wb->ws, PRIMITIVE_TEMPLATE, arg);

	for (size_t i = 0; !found && list && i < list->len; i++)
		found = strcmp(list->items[i].name, arg) == 0 &&
			workspace_select(&wb->ws, PRIMITIVE_TEMPLATE, i);
	if (!found)
		return unknown(wb, PRIMITIVE_TEMPLATE, arg);
	workbench_focus(wb, PANE_form);
	return true;
}

/* The list pane has commands with these names. */
bool
cmd_step_kind(struct workbench *wb, const char *arg, int by)
{
	workbench_focus(wb, PANE_tools);
	return workbench_run(wb, by > 0 ? "next-kind" : "previous-kind", wb->now_us);
}

bool
cmd_resource(struct workbench *wb, const char *arg)
{
	if (!wb->ws.server)
		return workbench_refuse(wb, "no server is connected");
	if (*arg == '\0')
		return workbench_refuse(wb, "usage: resource URI");
	workspace_select_uri(&wb->ws, arg);
	if (!cmd_call_anyway(wb, ""))
		return false;
	workbench_focus(wb, PANE_content);
	return true;
}

/* The given URI, that of the selected resource, or of the shown result. */
bool
cmd_watch(struct workbench *wb, const char *arg)
{
	const struct call *call = workspace_call(&wb->ws);
	const struct primitive *selected = workspace_primitive(&wb->ws);
	bool is_resource = selected && selected->kind == PRIMITIVE_RESOURCE;
	const char *uri = *arg ? arg : is_resource ? selected->key : call ? call->uri : NULL;
	struct server *s = wb->ws.server;

	if (!s)
		return workbench_refuse(wb, "no server is connected");
	if (!uri)
		return workbench_refuse(
		    wb, "watching tells you when a resource changes: select one, or :watch URI");
	bool on = server_watch_state(s, uri) == WATCH_NONE;
	if (!server_watch(s, uri, on, wb->now_us))
		return workbench_refuse(wb, "this server does not support resource subscriptions");
	return workbench_say(wb, ROLE_DIM, on ? "watching %s" : "no longer watching %s", uri);
}

bool
cmd_log(struct workbench *wb, const char *arg)
{
	enum log_level level = log_level_from_name(arg);

	if (!wb->ws.server)
		return workbench_refuse(wb, "no server is connected");
	if (level == LOG_LEVEL_NONE && strcmp(arg, "none") != 0)
		return workbench_refuse(
		    wb, "usage: log debug|info|notice|warning|error|critical|alert|emergency|none");
	if (!server_set_log_level(wb->ws.server, level, wb->now_us))
		return workbench_refuse(wb, "this server does not declare logging");
	return workbench_say(wb, ROLE_DIM, "asked for log messages: %s%s", log_level_names[level],
	    level == LOG_LEVEL_NONE ? "" : " and above");
}

/* ---- the terminal pane ---- */

void
workbench_settle_terminal(struct workbench *wb)
{
	if (wb->overlay == PANE_terminal && terminal_pane_is_empty(wb->panes[PANE_terminal].state))
		wb->overlay = wb->covered;
}

static void
show_terminal(struct workbench *wb)
{
	if (wb->overlay == PANE_terminal)
		return;
	wb->covered = wb->overlay;
	wb->overlay = PANE_terminal;
}

bool
workbench_open_terminal(
    struct workbench *wb, const struct terminal_program *program, struct err *err)
{
	enum { FRAME_COLUMNS = 4, FRAME_ROWS = 4 }; /* with the top and the bottom bar */
	struct view_env env = workbench_env(wb, PANE_terminal);
	struct terminal_size size = { wb->frame.width - FRAME_COLUMNS,
		wb->frame.height - FRAME_ROWS };

	if (!terminal_pane_open(wb->panes[PANE_terminal].state, &env, program, size, err))
		return false;
	show_terminal(wb);
	return true;
}

/* An empty command opens the user's shell. */
static bool
open_command(struct workbench *wb, const char *command)
{
	char shell[] = "sh", option[] = "-c";
	char *argv[] = { shell, option, (char *)command, NULL };
	struct err err = { "" };
	struct terminal_program program = { .argv = argv, .name = command };

	if (!*command) {
		argv[0] = NULL;
		program.name = "shell";
	}
	return workbench_open_terminal(wb, &program, &err) || workbench_refuse(wb, err.text);
}

bool
cmd_terminal(struct workbench *wb, const char *arg)
{
	bool is_there = !terminal_pane_is_empty(wb->panes[PANE_terminal].state);

	if (*arg || !is_there)
		return open_command(wb, arg);
	show_terminal(wb);
	return workbench_run(wb, "type-again", wb->now_us);
}
