/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/mem.h"
#include "base/units.h"
#include "client/app.h"
#include "client/notices.h"
#include "json/pointer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Moving: between panes, overlays, violations, primitives, the terminal pane and apps. */

/* By its own name, or the one on the screen. */
static bool
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

static bool
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

static bool
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

/* Closes one layer: what the pane has open, its search, the overlay, the zoom; then goes from a
 * result to the pane that made the call, and at last to the list. quits: if no layer covers the
 * workbench, quit instead. */
static bool
cmd_back(struct workbench *wb, const char *arg, int quits)
{
	enum pane_id id = workbench_focused(wb);
	struct view *pane = &wb->panes[id];
	struct view_env env = workbench_env(wb, id);
	const struct key esc = { .kind = KEY_ESCAPE };

	/* a record or menu of the pane is closed by its own Esc */
	if ((view_captures(pane) || view_is_open(pane)) && view_key(pane, &env, &esc))
		return true;
	if (!quits && find_clear(wb, (int)workbench_focused(wb)))
		return true;
	/* without a server there is nothing below the list of servers */
	bool can = wb->ws.server || wb->overlay != PANE_servers;
	if (quits && !(can && (wb->overlay >= 0 || wb->zoomed)))
		return cmd_quit(wb, "", true);
	if (!can)
		return true;
	if (wb->overlay >= 0)
		close_overlay(wb);
	else if (wb->zoomed)
		wb->zoomed = false;
	else
		workbench_focus(wb, wb->called_from);
	return true;
}

static bool
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
static bool
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

/* ---- selecting tools, resources, templates and prompts ---- */

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

/* By name; a template also by its other name. */
static bool
cmd_select(struct workbench *wb, const char *arg, int kind)
{
	enum primitive_kind of = (enum primitive_kind)kind;
	const struct primitive_list *list = kind == PRIMITIVE_TEMPLATE && wb->ws.server
						? &server_info(wb->ws.server)->lists[kind].list
						: NULL;
	bool found = workspace_select_name(&wb->ws, of, arg);

	for (size_t i = 0; !found && list && i < list->len; i++)
		found = strcmp(list->items[i].name, arg) == 0 && workspace_select(&wb->ws, of, i);
	if (!found)
		return unknown(wb, of, arg);
	workbench_focus(wb, PANE_form);
	return true;
}

/* The list pane has commands with these names. */
static bool
cmd_step_kind(struct workbench *wb, const char *arg, int by)
{
	workbench_focus(wb, PANE_tools);
	return workbench_run(wb, by > 0 ? "next-kind" : "previous-kind", wb->now_us);
}

static bool
cmd_resource(struct workbench *wb, const char *arg)
{
	if (!wb->ws.server)
		return workbench_refuse(wb, "no server is connected");
	if (*arg == '\0')
		return workbench_refuse(wb, "usage: resource URI");
	workspace_select_uri(&wb->ws, arg);
	if (!cmd_call(wb, "", CALL_AT_ONCE))
		return false;
	workbench_focus(wb, PANE_content);
	return true;
}

/* The given URI, that of the selected resource, or of the shown result. */
static bool
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

static bool
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

static bool
cmd_terminal(struct workbench *wb, const char *arg)
{
	char shell[] = "sh", option[] = "-c";
	char *argv[] = { shell, option, (char *)arg, NULL };
	struct err err = { "" };
	struct terminal_program program = { .argv = argv, .name = arg };

	if (!*arg) { /* the user's shell */
		argv[0] = NULL;
		program.name = "shell";
	}
	if (*arg || terminal_pane_is_empty(wb->panes[PANE_terminal].state))
		return workbench_open_terminal(wb, &program, &err) ||
		       workbench_refuse(wb, err.text);
	show_terminal(wb);
	return workbench_run(wb, "type-again", wb->now_us);
}

/* ---- the app of the call that is shown ---- */

static bool
show_app(struct workbench *wb)
{
	struct workspace *ws = &wb->ws;
	const struct call *c = workspace_call(ws);
	struct err err = { "" };

	if (!c)
		return workbench_refuse(wb, "call a tool that has an app first");
	if (!server_open_app(ws->server, c->id, wb->now_us, &err))
		return workbench_refuse(wb, err.text);
	struct app *floating = server_floating_app(ws->server);
	if (floating) /* there is room for one */
		app_set_display(floating, APP_DISPLAY_INLINE, wb->now_us);
	ws->desk->shows_app = true;
	ws->generation++;
	workbench_focus(wb, PANE_app);
	return true;
}

bool
workbench_has_floating(const struct workbench *wb)
{
	return wb->ws.server && server_floating_app(wb->ws.server) != NULL;
}

void
workbench_settle(struct workbench *wb)
{
	if (wb->overlay == PANE_terminal && terminal_pane_is_empty(wb->panes[PANE_terminal].state))
		wb->overlay = wb->covered;

	struct app *a = workspace_shows_app(&wb->ws) ? workspace_app(&wb->ws) : NULL;
	bool wants = a && app_facts(a)->display == APP_DISPLAY_FULLSCREEN;
	bool same = a && app_facts(a)->call == wb->whole_app;

	if (!wb->whole_app) {
		if (!wants || wb->overlay >= 0 || wb->dialog)
			return;
		if (wb->focus == PANE_app) { /* only the pane that the user is in */
			wb->zoomed = true;
			wb->whole_app = app_facts(a)->call;
			return;
		}
		app_set_display(a, APP_DISPLAY_INLINE, wb->now_us);
		workbench_say(
		    wb, ROLE_WARNING, "the app wants the whole screen: :app full gives it");
		return;
	}
	if (wants && same && wb->zoomed && wb->focus == PANE_app)
		return;
	/* the user has left it, unless it no longer wants the screen or is not shown */
	if (!wants || !same)
		wb->zoomed = false;
	struct app *whole = wb->ws.server ? server_find_app(wb->ws.server, wb->whole_app) : NULL;
	wb->whole_app = 0;
	if (whole && app_facts(whole)->display == APP_DISPLAY_FULLSCREEN)
		app_set_display(whole, APP_DISPLAY_INLINE, wb->now_us);
}

static bool
hide_app(struct workbench *wb)
{
	wb->ws.desk->shows_app = false;
	wb->ws.generation++;
	workbench_focus(wb, PANE_structured);
	return true;
}

/* Or back into its pane. */
static bool
show_app_floating(struct workbench *wb)
{
	struct app *floating = wb->ws.server ? server_floating_app(wb->ws.server) : NULL;

	if (floating)
		return app_set_display(floating, APP_DISPLAY_INLINE, wb->now_us);
	if (!show_app(wb) || !app_set_display(workspace_app(&wb->ws), APP_DISPLAY_PIP, wb->now_us))
		return false;
	workbench_focus(wb, PANE_structured);
	return true;
}

static bool
close_app(struct workbench *wb)
{
	struct workspace *ws = &wb->ws;
	struct app *a = workspace_app(ws);
	bool in_pane = workspace_shows_app(ws);

	if (!a)
		return workbench_refuse(wb, "no app is open");
	app_close(a, "closed by the user", wb->now_us);
	return in_pane ? hide_app(wb) : true;
}

static bool
cmd_app(struct workbench *wb, const char *arg)
{
	if (*arg == '\0' && workbench_has_floating(wb)) /* it gets the keyboard */
		return workbench_run(wb, "type-into-app", wb->now_us);
	if (*arg == '\0')
		return workspace_shows_app(&wb->ws) ? hide_app(wb) : show_app(wb);
	if (strcmp(arg, "full") == 0)
		return show_app(wb) &&
		       app_set_display(workspace_app(&wb->ws), APP_DISPLAY_FULLSCREEN, wb->now_us);
	if (strcmp(arg, "pip") == 0)
		return show_app_floating(wb);
	if (strcmp(arg, "close") == 0)
		return close_app(wb);
	if (!cmd_select(wb, arg, PRIMITIVE_TOOL))
		return false;
	return workspace_call(&wb->ws) ? show_app(wb) : cmd_call(wb, "", CALL_ASKS);
}

/* ---- the domains that the apps of a server can reach: the user is asked about each ---- */

static bool
refuse_none(struct workbench *wb, const struct app_facts *f, const char *text)
{
	for (int i = 0; i < APP_PERMISSIONS; i++)
		if (strcmp(text, app_permission_names[i]) == 0)
			return workbench_refuse(wb, app_permission_answers[i]);
	if (*text)
		return workbench_say(
		    wb, ROLE_ERROR, "the app declares no domain %.100s that it could reach", text);
	return workbench_refuse(
	    wb, f->allowed->len > 0 ? "all that the app declares is allowed; :app-forbid ends it"
				    : "the app declares no domain");
}

static bool
cmd_app_allow(struct workbench *wb, const char *arg, int asks)
{
	static const struct confirm_words words = { "Let apps reach this domain?", "Keep them in",
		"Allow", NULL };
	struct app *a = workspace_app(&wb->ws);
	const struct app_domain *d = a ? app_find_domain(a, arg) : NULL;
	struct buf text = BUF_INIT;

	if (!d)
		return a ? refuse_none(wb, app_facts(a), arg)
			 : workbench_refuse(wb, "no app is open");
	if (!asks) {
		server_allow_domain(wb->ws.server, d->text);
		return workbench_say(wb, ROLE_WARNING,
		    "apps of this server reach %.80s; Alt-n ends that, :reload-app starts the app "
		    "again",
		    d->text);
	}
	buf_addf(&text,
	    "%s\n\nAll apps of the server %s that declare it can send it all that they see and "
	    "know, and load from it, until mcpane ends or :app-forbid. mcpane carries their "
	    "requests, without cookies.\n",
	    d->text, server_info(wb->ws.server)->name);
	if (app_domain_is_address(d->text))
		buf_add_str(
		    &text, "⚠ It is an address, perhaps of this computer or its network.\n");
	if (strchr(d->text, '*'))
		buf_add_str(&text, "⚠ It matches many hosts.\n");
	if (strncasecmp(d->text, "http:", strlen("http:")) == 0)
		buf_add_str(&text, "⚠ It is not encrypted.\n");
	return confirm_open(wb, &words, buf_detach(&text), "app-allow! %s", d->text);
}

static bool
cmd_app_forbid(struct workbench *wb, const char *arg)
{
	if (!wb->ws.server || !server_forbid_domains(wb->ws.server))
		return workbench_refuse(wb, "no domain is allowed to apps");
	return workbench_say(wb, ROLE_OK, "apps of this server can no longer reach any domain");
}

/* clang-format off */
const struct command move_commands[] = {
	COMMAND("app", "alt-v", "[NAME|HOW]", "toggle between app and result, or go to a tool's app; full, pip or close it", cmd_app),
	COMMAND_WITH("app-allow", "", "[DOMAIN]", "let apps reach a domain they declare", cmd_app_allow, true),
	COMMAND_WITH("app-allow!", "", "[DOMAIN]", "the same without confirmation", cmd_app_allow, false),
	COMMAND("app-forbid", "alt-n", "", "revoke network access of apps", cmd_app_forbid),
	COMMAND_WITH("tool", "", "NAME", "select a tool", cmd_select, PRIMITIVE_TOOL),
	COMMAND("resource", "", "URI", "read a resource, even if it is not listed", cmd_resource),
	COMMAND_WITH("template", "", "NAME", "select a template by name or URI", cmd_select, PRIMITIVE_TEMPLATE),
	COMMAND_WITH("prompt", "", "NAME", "select a prompt", cmd_select, PRIMITIVE_PROMPT),
	COMMAND_WITH("next-kind", "]", "", "go to the next list: tools, resources, prompts", cmd_step_kind, 1),
	COMMAND_WITH("previous-kind", "[", "", "go to the previous list", cmd_step_kind, -1),
	COMMAND_WITH("next-error", "e", "", "go to the next violation", cmd_step_violation, 1),
	COMMAND_WITH("previous-error", "E", "", "go to the previous violation", cmd_step_violation, -1),
	COMMAND("goto", "", "POINTER", "show a node of structuredContent", cmd_goto),
	COMMAND_WITH("next-pane", "tab", "", "move to the next pane", cmd_cycle_panes, 1),
	COMMAND_WITH("previous-pane", "shift-tab", "", "move to the previous pane", cmd_cycle_panes, -1),
	COMMAND("pane", "", "NAME", "move to a pane", cmd_pane),
	COMMAND("zoom", "z", "", "toggle the pane between its place and the whole screen", cmd_zoom),
	COMMAND_WITH("back", "esc", "", "close the top overlay, or go back to the list", cmd_back, false),
	COMMAND("log", "", "LEVEL", "request log messages of this level or above; none for no messages", cmd_log),
	COMMAND("watch", "W", "[URI]", "subscribe to changes of a resource, or unsubscribe", cmd_watch),
	COMMAND("terminal", "", "[COMMAND]", "show the terminal pane; open a shell or run a command in it", cmd_terminal),
	COMMAND_IN_FULL_WITH("close", "q", "", "close the top overlay; on the workbench, quit", cmd_back, true),
	{ 0 },
};
/* clang-format on */
