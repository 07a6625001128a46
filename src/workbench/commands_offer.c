#include "commands_priv.h"

#include <string.h>

/* Selecting what a server offers. */

static bool
unknown(struct workbench *wb, enum offer_kind kind, const char *name)
{
	return workbench_say(wb, ROLE_ERROR, "no %s is called %s", offer_kind_name(kind), name);
}

bool
cmd_tool(struct workbench *wb, const char *arg)
{
	if (!workspace_select_name(&wb->ws, OFFER_TOOL, arg))
		return unknown(wb, OFFER_TOOL, arg);
	workbench_focus(wb, PANE_form);
	return true;
}

bool
cmd_prompt(struct workbench *wb, const char *arg)
{
	if (!workspace_select_name(&wb->ws, OFFER_PROMPT, arg))
		return unknown(wb, OFFER_PROMPT, arg);
	workbench_focus(wb, PANE_form);
	return true;
}

bool
cmd_template(struct workbench *wb, const char *arg)
{
	const struct offer_list *list =
	    wb->ws.server ? &server_offers(wb->ws.server, OFFER_TEMPLATE)->list : NULL;
	bool found = workspace_select_name(&wb->ws, OFFER_TEMPLATE, arg);

	for (size_t i = 0; !found && list && i < list->len; i++)
		found = strcmp(list->items[i].name, arg) == 0 &&
			workspace_select(&wb->ws, OFFER_TEMPLATE, i);
	if (!found)
		return unknown(wb, OFFER_TEMPLATE, arg);
	workbench_focus(wb, PANE_form);
	return true;
}

/* The list has commands of these names. */
bool
cmd_next_kind(struct workbench *wb, const char *arg)
{
	(void)arg;
	workbench_focus(wb, PANE_tools);
	return workbench_run(wb, "next-kind", wb->now_us);
}

bool
cmd_previous_kind(struct workbench *wb, const char *arg)
{
	(void)arg;
	workbench_focus(wb, PANE_tools);
	return workbench_run(wb, "previous-kind", wb->now_us);
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
