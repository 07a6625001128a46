#include "commands_priv.h"

#include "model/notices.h"
#include "model/tasks.h"

#include <string.h>

bool
cmd_logs(struct workbench *wb, const char *arg)
{
	(void)arg;
	return workbench_toggle(wb, PANE_logs);
}

/* The URI given, that of the result shown, or of the resource selected. */
static const char *
uri_meant(const struct workbench *wb, const char *arg)
{
	const struct call *call = workspace_call(&wb->ws);
	const struct offer *offer = workspace_offer(&wb->ws);

	if (*arg)
		return arg;
	if (offer && offer->kind == OFFER_RESOURCE)
		return offer->key;
	return call ? call->uri : NULL;
}

bool
cmd_watch(struct workbench *wb, const char *arg)
{
	const char *uri = uri_meant(wb, arg);
	struct server *s = wb->ws.server;

	if (!s)
		return workbench_refuse(wb, "no server is connected");
	if (!uri)
		return workbench_refuse(wb, "which resource? watch URI");
	bool on = server_watch_state(s, uri) == WATCH_NONE;
	if (!server_watch(s, uri, on, wb->now_us))
		return workbench_refuse(wb, "this server does not tell of changed resources");
	return workbench_say(wb, ROLE_DIM, on ? "watching %s" : "watching %s no longer", uri);
}

bool
cmd_tasks(struct workbench *wb, const char *arg)
{
	(void)arg;
	return workbench_toggle(wb, PANE_tasks);
}

bool
cmd_call_task(struct workbench *wb, const char *arg)
{
	const struct offer *tool = workspace_offer(&wb->ws);
	struct server *s = wb->ws.server;

	if (!s || !tool || tool->kind != OFFER_TOOL)
		return workbench_refuse(wb, "no tool is selected");
	if (!server_prefer_tasks(s, tool->definition, true))
		return workbench_refuse(wb, "this tool cannot be called as a task");
	bool ok = cmd_call(wb, arg);
	server_prefer_tasks(s, tool->definition, false);
	return ok;
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
		return workbench_refuse(wb, "this server declares no logging");
	return workbench_say(wb, ROLE_DIM, "asked for log messages: %s%s", log_level_name(level),
	    level == LOG_LEVEL_NONE ? "" : " and worse");
}
