#include "commands_priv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static bool
send_call(struct workbench *wb)
{
	struct workspace *ws = &wb->ws;
	struct buf arguments = BUF_INIT;
	struct err err = { "" };

	form_to_json(ws->desk->form, &arguments);
	uint64_t call = server_ask(
	    ws->server, workspace_offer(ws), buf_text(&arguments), arguments.len, wb->now_us, &err);
	buf_finish(&arguments);
	if (call == 0 && server_phase(ws->server) >= SERVER_FAILED)
		return workbench_refuse(wb, server_is_remote(ws->server)
						? "not connected: R connects again"
						: "not connected: R starts it again");
	if (call == 0)
		return workbench_refuse(wb, err.text);
	workspace_show_call(ws, call);
	workbench_follow(wb, call);
	return true;
}

/* Why what is selected cannot be asked for, NULL when it can. */
static const char *
cannot_call(const struct workspace *ws)
{
	if (!ws->server)
		return "no server is connected";
	if (!ws->desk)
		return "nothing is selected";
	if (!workspace_offer(ws))
		return "it has gone from the server's list";
	if (workspace_offer(ws)->unusable)
		return workspace_offer(ws)->problem;
	if (!ws->desk->form)
		return "its definition is broken: F2 shows what is wrong with it";
	return NULL;
}

bool
cmd_call_anyway(struct workbench *wb, const char *arg)
{
	const char *why = cannot_call(&wb->ws);
	(void)arg;

	return why ? workbench_refuse(wb, why) : send_call(wb);
}

bool
cmd_call(struct workbench *wb, const char *arg)
{
	static const struct confirm_words words = { "Call it anyway?", "Fix", "Call anyway",
		"fix-arguments" };
	const char *why = cannot_call(&wb->ws);
	(void)arg;

	if (why)
		return workbench_refuse(wb, why);
	struct form *form = wb->ws.desk->form;
	size_t problems = form_check(form);
	wb->ws.generation++;
	if (problems == 0)
		return send_call(wb);
	struct buf text = BUF_INIT;
	confirm_add_problems(form, "argument", &text);
	if (workspace_offer(&wb->ws)->destructive == HINT_TRUE)
		buf_add_str(&text, "The server marks this tool as destructive.");
	confirm_open(wb, &words, "call!", buf_detach(&text));
	return true;
}

bool
cmd_fix_arguments(struct workbench *wb, const char *arg)
{
	(void)arg;
	workbench_focus(wb, PANE_form);
	return workbench_run(wb, "next-problem first", wb->now_us);
}

bool
cmd_set(struct workbench *wb, const char *arg)
{
	size_t len = strcspn(arg, " ");
	struct err err = { "" };

	if (!wb->ws.desk || !wb->ws.desk->form)
		return workbench_refuse(wb, "nothing with a form is selected");
	if (arg[len] == '\0')
		return workbench_refuse(wb, "usage: set FIELD JSON");
	char *field = mem_strndup(arg, len);
	bool ok = form_set(wb->ws.desk->form, field, arg + len + strspn(arg + len, " "), &err);
	free(field);
	wb->ws.generation++;
	return ok ? true : workbench_refuse(wb, err.text);
}

bool
cmd_edit(struct workbench *wb, const char *arg)
{
	struct buf text = BUF_INIT;
	struct err err = { "" };

	if (*arg)
		return commands_edit_field(wb, arg);
	if (!wb->ws.desk || !wb->ws.desk->form)
		return workbench_refuse(wb, "nothing with a form is selected");
	form_to_json_pretty(wb->ws.desk->form, &text);
	buf_add_char(&text, '\n');
	wb->edited = EDITED_ARGUMENTS;
	bool ok = wb->host->edit(wb->user, buf_text(&text), text.len, &err);
	buf_finish(&text);
	return ok ? true : workbench_refuse(wb, err.text);
}

void
workbench_on_edited(
    struct workbench *wb, const char *text, size_t len, const char *why, int64_t now_us)
{
	struct desk *desk = wb->ws.desk;
	struct json_error where;

	wb->now_us = now_us;
	wb->ws.generation++;
	while (text && len > 0 && strchr(" \n\r\t", text[len - 1]))
		len--;
	if (text && wb->edited == EDITED_FIELD) {
		commands_take_field(wb, text, len);
		return;
	}
	if (text && wb->edited != EDITED_ARGUMENTS) {
		commands_take_edited(wb, text, len);
		return;
	}
	if (!text || !desk || !desk->form) {
		workbench_refuse(wb, text ? "what the arguments were edited for has gone" : why);
		return;
	}
	if (form_load_json(desk->form, text, len, &where))
		return;
	form_load_raw(desk->form, text, len);
	workbench_say(wb, ROLE_WARNING, "kept as typed, but it is not JSON: line %u column %u: %s",
	    where.line, where.column, where.text);
}
