/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/mem.h"
#include "base/vec.h"

#include "client/recipe_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The pane whose action runs: the one in front if it or its view has one of the name, else the
 * pane of the row; for a view's the pane that shows one. */
static enum pane_id
pane_of_action(struct workbench *wb, const struct command_row *row, bool *of_view)
{
	enum pane_id front = workbench_focused(wb);
	const struct view *shown = view_of_value(&wb->panes[front]);
	const struct view *result = view_of_value(&wb->panes[PANE_structured]);
	const char *name = row->info.name;

	*of_view = false;
	if (view_find_action(wb->panes[front].ops, name))
		return front;
	*of_view = true;
	if (shown && view_find_action(shown->ops, name))
		return front;
	*of_view = row->info.of_view;
	if (!row->info.of_view)
		return (enum pane_id)row->pane;
	return shown && !view_find_action(result->ops, name) ? front : PANE_structured;
}

static bool
run_action(struct workbench *wb, const struct command_row *row, const char *arg)
{
	bool of_view;
	enum pane_id id = pane_of_action(wb, row, &of_view);
	struct view_env env = workbench_env(wb, id);
	struct view *pane = &wb->panes[id];
	struct buf why = BUF_INIT;
	char *said = wb->message;

	wb->message = NULL;
	env.why = &why;
	bool ok = view_run(of_view ? view_of_value(pane) : pane, &env, row->info.name, arg);
	if (why.len > 0)
		workbench_refuse(wb, buf_text(&why));
	else if (!ok && !*workbench_message(wb))
		workbench_say(wb, ROLE_ERROR, "%s does nothing here", row->info.name);
	if (wb->message)
		free(said);
	else
		wb->message = said;
	buf_finish(&why);
	return ok;
}

static bool
run_row(struct workbench *wb, const struct command_row *row, const char *arg)
{
	if (row->info.alias_of) {
		char *line = mem_printf("%s %s", row->info.alias_of, arg);
		bool ok = workbench_run(wb, line, wb->now_us);
		free(line);
		return ok;
	}
	if (!row->command)
		return run_action(wb, row, arg);
	const struct command *c = row->command;
	return c->run           ? c->run(wb, arg)
	       : c->run_variant ? c->run_variant(wb, arg, c->how)
				: workbench_toggle(wb, c->pane);
}

bool
workbench_run_bound(struct workbench *wb, const struct keymap_row *bound)
{
	workbench_sync(wb);
	char *arg = mem_strdup(bound->arg); /* the command may bind the key to another */
	bool ok = run_row(wb, bound->target, arg);
	free(arg);
	return ok;
}

bool
workbench_run(struct workbench *wb, const char *command_line, int64_t now_us)
{
	const char *at = command_line + strspn(command_line, " \t:");
	size_t len = strcspn(at, " \t");
	struct err err = { "" };

	wb->now_us = now_us;
	if (len == 0)
		return true;
	workbench_sync(wb);
	struct view *front = &wb->panes[workbench_focused(wb)];
	const struct view *shown = view_of_value(front);
	const struct view *result = view_of_value(&wb->panes[PANE_structured]);
	const struct command_row *row =
	    command_find(&(struct command_scope){ .own = front->ops,
			     .shown = shown ? shown->ops : NULL,
			     .result = pane_table[PANE_structured].ops,
			     .result_view = result ? result->ops : NULL },
		at, len, &err);
	if (!row)
		return workbench_say(wb, ROLE_ERROR, "%s", err.text);
	const char *rest = at + len + strspn(at + len, " \t");
	size_t rest_len = strlen(rest);
	while (rest_len > 0 && strchr(" \t", rest[rest_len - 1]))
		rest_len--;
	char *arg = mem_strndup(rest, rest_len);
	bool ok = run_row(wb, row, arg);
	free(arg);
	return ok;
}

/* ---- the queue of commands to be run at the start ---- */

void
workbench_enqueue(struct workbench *wb, const char *command_line)
{
	strings_add(&wb->queue.lines, command_line);
}

bool
workbench_queue_empty(const struct workbench *wb)
{
	return wb->queue.lines.len == 0 && wb->queue.call == 0;
}

/* Tools are listed when a server is ready; the other lists may still be loading. */
static bool
lacks_list(const struct workbench *wb, const char *line)
{
	static const char *const names[] = { "prompt ", "template ", "resource ", "next-kind",
		"previous-kind", "call-legacy " };

	for (size_t i = 0; wb->ws.server && i < ARRAY_LEN(names); i++)
		if (strncmp(line, names[i], strlen(names[i])) == 0)
			return server_is_listing(wb->ws.server);
	return false;
}

/* Also if a question of the call waits for the user: the next command may be the answer. */
static bool
call_over(const struct server *s, uint64_t id)
{
	const struct call *c = server_find_call(s, id);

	if (!c || (c->state != CALL_RUNNING && c->verdict.kind != VERDICT_CHECKING))
		return true;
	for (size_t i = 0; i < server_info(s)->questions; i++)
		if (server_question_at(s, i)->call == id)
			return true;
	return false;
}

/* Is the first command of the queue due? */
static bool
is_due(struct workbench *wb)
{
	const struct server *s = wb->ws.server;
	const char *line = wb->queue.lines.len ? wb->queue.lines.items[0] : "";
	/* without a server only commands that show one can run */
	bool can_run = s ? server_info(s)->phase >= SERVER_READY
			 : strncmp(line, "server ", 7) == 0 || strncmp(line, "add ", 4) == 0;

	if ((wb->dialog && wb->dialog->decides) || !can_run)
		return false;
	if (wb->ws.recipe && !wb->ws.recipe->ended_us && !wb->ws.recipe->paused)
		return false;
	if (wb->work || wb->jobs.open + wb->jobs.outside > 0 ||
	    (wb->queue.call && !call_over(s, wb->queue.call)))
		return false;
	wb->queue.call = 0;
	return wb->queue.lines.len > 0 && !lacks_list(wb, line);
}

static void
run_first(struct workbench *wb, int64_t now_us)
{
	const struct server *s = wb->ws.server;
	size_t before = s ? server_info(s)->calls_made : 0;
	char *line = wb->queue.lines.items[0];

	VEC_REMOVE(&wb->queue.lines, 0);
	workbench_run(wb, line, now_us);
	free(line);
	const struct call *shown = workspace_call(&wb->ws);
	if (s && wb->ws.server == s && server_info(s)->calls_made > before && shown)
		wb->queue.call = shown->id;
}

/* Starting a server counts as an event. */
void
workbench_advance(struct workbench *wb, int64_t now_us)
{
	wb->now_us = now_us;
	recipe_step_on(wb);
	if (wb->queue.advancing)
		return;
	wb->queue.advancing = true;
	batch_advance(wb);
	while (is_due(wb))
		run_first(wb, now_us);
	wb->queue.advancing = false;
	record_session_step(wb);
}
