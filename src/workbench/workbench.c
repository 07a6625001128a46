/* SPDX-License-Identifier: MIT */
#include "state.h"

#include "base/mem.h"
#include "base/units.h"
#include "client/recipe_player.h"
#include "recipe/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
host_run(struct workbench *wb, const char *command_line)
{
	return workbench_run(wb, command_line, wb->now_us);
}

static void
host_copy(struct workbench *wb, const char *text, size_t len)
{
	wb->effects->copy(wb->user, text, len);
	workbench_say(wb, ROLE_OK, "copied %s bytes", units_count(len).text);
}

static bool
host_write_new(struct workbench *wb, const char *path, const char *bytes, size_t len)
{
	struct err err = { "" };
	char *name = wb->effects->write_new(wb->user, path, bytes, len, &err);
	bool ok =
	    name ? workbench_say(wb, ROLE_OK, "wrote %s, %s bytes", name, units_count(len).text)
		 : workbench_say(wb, ROLE_ERROR, "%s", err.text);

	free(name);
	return ok;
}

bool
workbench_work(struct workbench *wb, struct pane_work *work)
{
	if (wb->work)
		return workbench_say(
		    wb, ROLE_ERROR, "%s is under way: Ctrl-C stops it", wb->work->text);
	wb->work = work;
	return true;
}

void
workbench_work_is_over(struct workbench *wb, struct pane_work *work)
{
	if (wb->work == work)
		wb->work = NULL;
}

static bool
host_edit_message(struct workbench *wb, const char *text, size_t len)
{
	return commands_edit(wb, (struct edited){ .what = EDITED_MESSAGE }, text, len);
}

static void
host_changed(struct workbench *wb)
{
	wb->ws.generation++;
	if (wb->effects->changed)
		wb->effects->changed(wb->user);
}

struct workbench *
workbench_create(const struct effects *effects, void *user)
{
	struct workbench *wb = mem_zalloc(sizeof(*wb));

	wb->effects = effects;
	wb->user = user;
	wb->pane_host = (struct pane_host){
		.run = host_run,
		.say = workbench_tell,
		.copy = host_copy,
		.write = workbench_write_file,
		.write_new = host_write_new,
		.work = workbench_work,
		.work_is_over = workbench_work_is_over,
		.send_again = commands_send_again,
		.edit_message = host_edit_message,
		.open_file = commands_ask_to_open,
		.changed = host_changed,
		.effects = effects,
		.effects_user = user,
	};
	wb->jobs = (struct jobs){
		.submit = effects->submit,
		.changed = effects->changed,
		.user = user,
	};
	wb->overlay = wb->covered = wb->commands_in = -1;
	wb->frame.held = wb->pressed = -1;
	wb->focus = PANE_tools;
	wb->right = PANE_form;
	bindings_add_defaults(&wb->keymap);
	workspace_init(&wb->ws);
	edit_init(&wb->prompt.edit, false, 4096);
	edit_init(&wb->palette.edit, false, PALETTE_TYPED_MAX);
	edit_init(&wb->find.edit, false, 512);
	wb->find.pane = FIND_NOWHERE;
	substring_init(&wb->find.needle, "", 0);
	for (int i = 0; i < PANE_COUNT; i++)
		view_init(&wb->panes[i], pane_table[i].ops);
	return wb;
}

void
workbench_destroy(struct workbench *wb)
{
	if (!wb)
		return;
	job_drop(&wb->export_job);
	batch_disarm(wb);
	for (int i = 0; i < PANE_COUNT; i++)
		view_finish(&wb->panes[i]);
#define X(id) dialog_##id.finish(wb);
	DIALOGS(X)
#undef X
	find_finish(&wb->find);
	recorder_destroy(wb->recording.recorder);
	strings_finish(&wb->queue.lines);
	keymap_finish(&wb->keymap);
	workspace_finish(&wb->ws);
	free(wb->message);
	free(wb->edited.field);
	file_to_open_finish(&wb->file_to_open);
	free(wb->replacing.path);
	buf_finish(&wb->replacing.bytes);
	free(wb);
}

struct workspace *
workbench_workspace(struct workbench *wb)
{
	return &wb->ws;
}

enum pane_id
workbench_focused(const struct workbench *wb)
{
	if (workbench_has_floating(wb) && view_captures(&wb->panes[PANE_app]))
		return PANE_app; /* while the app has the keyboard */
	return wb->overlay >= 0 ? (enum pane_id)wb->overlay : wb->focus;
}

bool
workbench_types(const struct workbench *wb, enum pane_id pane)
{
	const struct view_ops *ops = pane_table[pane].ops;

	return ops->types && !wb->dialog && wb->commands_in != (int)pane &&
	       workbench_focused(wb) == pane && ops->types(wb->panes[pane].state);
}

struct view_env
workbench_env(struct workbench *wb, enum pane_id pane)
{
	const struct server_info *info = wb->ws.server ? server_info(wb->ws.server) : NULL;
	const struct time_line *t = info ? info->time_line : NULL;
	int64_t now_us = wb->now_us;

	if (t && !t->grows) /* what runs has run since then until this moment */
		now_us = t->at_us - journal_info(info->journal)->wall_us;
	return (struct view_env){
		.ws = &wb->ws,
		.host = &wb->pane_host,
		.user = wb,
		.jobs = &wb->jobs,
		.now_us = now_us,
		.focused = !wb->dialog && workbench_focused(wb) == pane,
		.alone = wb->frame.layout.shape != LAYOUT_FULL,
		.typing = workbench_types(wb, pane),
	};
}

static bool
is_result(enum pane_id pane)
{
	return pane == PANE_content || pane == PANE_structured || pane == PANE_validation ||
	       pane == PANE_app;
}

void
workbench_focus(struct workbench *wb, enum pane_id pane)
{
	if (pane_table[pane].slot == SLOT_OVERLAY) {
		wb->overlay = (int)pane;
		return;
	}
	wb->overlay = -1;
	wb->focus = pane;
	if (pane_table[pane].slot == SLOT_STACKED)
		wb->right = pane;
	if (!is_result(pane))
		wb->called_from = PANE_tools;
}

bool
workbench_say(struct workbench *wb, enum role role, const char *format, ...)
{
	char text[512];

	FORMAT_INTO(text, format);
	free(wb->message);
	wb->message = mem_strdup(text);
	wb->message_role = role;
	return role != ROLE_ERROR;
}

void
workbench_tell(struct workbench *wb, enum role role, const char *text)
{
	workbench_say(wb, role, "%s", text);
}

const char *
workbench_message(const struct workbench *wb)
{
	return wb->message ? wb->message : "";
}

bool
workbench_has(struct workbench *wb, enum pane_id pane)
{
	struct view_env env = workbench_env(wb, pane);
	const struct view_ops *ops = pane_table[pane].ops;

	return !ops->serves || ops->serves(&env) > 0;
}

struct view *
workbench_front_value(struct workbench *wb)
{
	struct view *front = view_of_value(&wb->panes[workbench_focused(wb)]);

	return front ? front : view_of_value(&wb->panes[PANE_structured]);
}

const char *
workbench_contexts(struct workbench *wb, enum pane_id pane)
{
	const struct view *value = view_of_value(&wb->panes[pane]);

	if (!value)
		return pane_table[pane].name;
	snprintf(
	    wb->contexts, sizeof(wb->contexts), "%s %s", pane_table[pane].name, value->ops->title);
	return wb->contexts;
}

/* A tool called again keeps the pane of its result; a zoomed result stays, another zoom ends. */
void
workbench_follow(struct workbench *wb, uint64_t call)
{
	/* overlays in which the user follows what runs stay */
	static const bool follows[PANE_COUNT] = { [PANE_journal] = 1,
		[PANE_history] = 1,
		[PANE_batch] = 1,
		[PANE_recipe] = 1,
		[PANE_console] = 1,
		[PANE_questions] = 1,
		[PANE_terminal] = 1 };
	enum pane_id from = wb->focus;
	bool is_tool = wb->ws.desk && wb->ws.desk->kind == PRIMITIVE_TOOL;
	bool keeps = is_tool && (wb->right == PANE_structured || wb->right == PANE_validation);

	wb->frame.hints.newcomer = false;
	wb->asked.awaited_call = call;
	record_call(wb, call);
	if (wb->overlay >= 0 && !follows[wb->overlay])
		wb->overlay = -1;
	if (wb->overlay >= 0 || (wb->zoomed && is_result(from)))
		return;
	wb->zoomed = false;
	wb->follow_call = call;
	workbench_focus(wb, keeps ? wb->right : PANE_content);
	wb->called_from = is_result(from) ? wb->called_from : from;
}

/* The awaited result arrived: the focus goes to the first pane that says something, unless the user
 * has left for another. */
static void
follow_result(struct workbench *wb)
{
	const struct call *call = workspace_call(&wb->ws);

	if (wb->follow_call == 0 ||
	    (call && call->id == wb->follow_call && call->state == CALL_RUNNING))
		return;
	bool same = call && call->id == wb->follow_call;
	wb->follow_call = 0;
	if (!same || call->kind != PRIMITIVE_TOOL || wb->overlay >= 0)
		return;
	/* data in a text that says more, or in an error, is no reason to look away from it */
	const struct view_input *in = view_of_value(&wb->panes[PANE_structured])->in;
	bool has = call->result.structured || (in->value && !in->is_part && !call->result.is_error);
	if (workspace_shows_app(&wb->ws))
		workbench_focus(wb, PANE_app);
	else if (has && wb->focus == PANE_content)
		workbench_focus(wb, PANE_structured);
	else if (!has && wb->focus == PANE_structured)
		workbench_focus(wb, PANE_content);
}

static void
sync_pane(struct workbench *wb, enum pane_id pane)
{
	struct view_env env = workbench_env(wb, pane);

	if (pane_table[pane].ops->sync)
		pane_table[pane].ops->sync(wb->panes[pane].state, &env);
}

/* Syncs every pane, once per workspace change. */
void
workbench_sync(struct workbench *wb)
{
	workspace_sync(&wb->ws);
	uint64_t generation = workspace_generation(&wb->ws);
	if (generation == wb->synced)
		return;
	wb->synced = generation;
	sync_pane(wb, PANE_structured); /* its value decides on the focus */
	follow_result(wb);
	asked_open(wb);
	for (int i = 0; i < PANE_COUNT; i++)
		if (i != PANE_structured)
			sync_pane(wb, (enum pane_id)i);
}

bool
workbench_is_busy(const struct workbench *wb)
{
	return wb->frame.unfinished || wb->jobs.open > 0;
}

int64_t
workbench_next_frame_us(const struct workbench *wb, int64_t now_us)
{
	enum { PROGRESS_US = 50000, TENTH_US = 100000, SECOND_US = 1000000 };
	int64_t since_us = wb->ws.server ? server_busy_since_us(wb->ws.server) : INT64_MIN;
	int64_t tick_us = INT64_MAX;

	if (wb->frame.unfinished)
		return now_us;
	if (recipe_show_wake_us(wb->ws.recipe) > 0) { /* it counts down to its next attempt */
		tick_us = now_us + TENTH_US;
	} else if (since_us != INT64_MIN) {
		/* the running clock shows tenths of a second at first, then seconds */
		int64_t elapsed_us = now_us - since_us;
		int64_t step_us = elapsed_us < 10 * SECOND_US ? TENTH_US : SECOND_US;
		tick_us = now_us + step_us - elapsed_us % step_us;
	}
	bool progresses = wb->jobs.open > 0 && tick_us > now_us + PROGRESS_US;
	return progresses ? now_us + PROGRESS_US : tick_us;
}
