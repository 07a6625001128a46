#include "commands.h"

#include "model/app.h"

#include <string.h>

/* The app of the call that is shown. */

void
app_open_for_call(struct workbench *wb, uint64_t call)
{
	struct workspace *ws = &wb->ws;
	const struct call *c = server_find_call(ws->server, call);

	ws->desk->shows_app = c && call_has_app(c) && server_info(ws->server)->runs_apps &&
			      server_open_app(ws->server, call, wb->now_us, NULL) != NULL;
}

static bool
show(struct workbench *wb)
{
	struct workspace *ws = &wb->ws;
	const struct call *c = workspace_call(ws);
	struct err err = { "" };

	if (!c)
		return workbench_refuse(wb, "call a tool that has an app first");
	if (!server_open_app(ws->server, c->id, wb->now_us, &err))
		return workbench_refuse(wb, err.text);
	ws->desk->shows_app = true;
	ws->generation++;
	workbench_focus(wb, PANE_app);
	return true;
}

static bool
hide(struct workbench *wb)
{
	wb->ws.desk->shows_app = false;
	wb->ws.generation++;
	workbench_focus(wb, PANE_structured);
	return true;
}

static bool
toggle(struct workbench *wb)
{
	return workspace_shows_app(&wb->ws) ? hide(wb) : show(wb);
}

static bool
show_whole(struct workbench *wb)
{
	if (!show(wb))
		return false;
	wb->zoomed = true;
	return true;
}

static bool
close_app(struct workbench *wb)
{
	struct workspace *ws = &wb->ws;
	struct app *a = ws->desk ? server_find_app(ws->server, ws->desk->shown_call) : NULL;

	if (!a)
		return workbench_refuse(wb, "no app is open");
	app_close(a, "closed by the user", wb->now_us);
	return hide(wb);
}

/* Calls the tool if it was not called yet. */
static bool
open_of_tool(struct workbench *wb, const char *name)
{
	if (!cmd_tool(wb, name))
		return false;
	return workspace_call(&wb->ws) ? show(wb) : cmd_call(wb, "");
}

bool
cmd_app(struct workbench *wb, const char *arg)
{
	static const struct {
		const char *word;
		bool (*run)(struct workbench *wb);
	} words[] = {
		{ "", toggle },
		{ "full", show_whole },
		{ "close", close_app },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(words[i].word, arg) == 0)
			return words[i].run(wb);
	return open_of_tool(wb, arg);
}
