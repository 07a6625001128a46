/* SPDX-License-Identifier: MIT */
#include "pane/pane.h"

#include "json/print.h"
#include "client/tasks.h"
#include "pane/pane_text.h"
#include "stream_list.h"

struct tasks_pane {
	struct stream_list stream;
	struct blob *text;        /* a printed result */
	struct json_doc *text_of; /* its document, kept so that no other has its address */
};

static void
tasks_finish(void *state)
{
	struct tasks_pane *p = state;

	stream_list_finish(&p->stream);
	blob_unref(p->text);
	json_doc_destroy(p->text_of);
}

static size_t
count(const struct view_env *env)
{
	return env->ws->server ? server_info(env->ws->server)->tasks : 0;
}

/* ---- which tasks are shown ---- */

static const void *
source(const struct view_env *env)
{
	return env->ws->server;
}

static const struct server_task *
first_from(const struct view_env *env, uint64_t number)
{
	for (size_t i = 0; i < count(env); i++)
		if (server_task_at(env->ws->server, i)->number >= number)
			return server_task_at(env->ws->server, i);
	return NULL;
}

static uint64_t
next(const struct view_env *env, uint64_t number)
{
	const struct server_task *t = first_from(env, number + 1);

	return t ? t->number : 0;
}

static const void *
tasks_find(const struct view_env *env, uint64_t number)
{
	const struct server_task *t = first_from(env, number);

	return t && t->number == number ? t : NULL;
}

/* ---- drawing ---- */

static const struct {
	const char *mark;
	enum role role;
} looks[] = {
	[TASK_WORKING] = { "◐", ROLE_ACCENT },
	[TASK_INPUT_REQUIRED] = { "?", ROLE_WARNING },
	[TASK_COMPLETED] = { "✓", ROLE_OK },
	[TASK_FAILED] = { "✗", ROLE_ERROR },
	[TASK_CANCELLED] = { "–", ROLE_DIM },
	[TASK_UNKNOWN] = { "?", ROLE_ERROR },
};

enum { COL_MARK, COL_STATE, COL_AGE, COL_KEPT, COL_TOOL, COL_TASK };
static const struct stream_column columns[] = {
	[COL_MARK] = { "", 0, 1, false },
	[COL_STATE] = { "state", 2, 16, false },
	[COL_AGE] = { "age", 19, 9, true },
	[COL_KEPT] = { "kept for", 29, 9, true },
	[COL_TOOL] = { "tool", 40, 16, false },
	[COL_TASK] = { "task", 57, -1, false },
	{ 0 },
};

static void
tasks_draw_row(const struct view_env *env, struct surface s, int y, const void *entry)
{
	const struct server_task *t = entry;
	const char *words = t->trouble ? t->trouble : t->message;
	struct style style = style_of(t->trouble ? ROLE_ERROR : looks[t->status].role);

	stream_cell(&columns[COL_MARK], s, y, style, looks[t->status].mark);
	stream_cell(&columns[COL_STATE], s, y, style, server_task_state(t));
	stream_cell(&columns[COL_AGE], s, y, style_of(ROLE_NUMBER),
	    t->call || !t->created ? pane_duration(env->now_us - t->since_us).text : "earlier");
	stream_cell(&columns[COL_KEPT], s, y, style_of(ROLE_DIM),
	    t->ttl_ms >= 0 ? pane_duration(t->ttl_ms * 1000).text : "no limit");
	stream_cell(&columns[COL_TOOL], s, y, style_of(ROLE_KEY_NAME), t->tool);
	int x = columns[COL_TASK].x;
	x += surface_text(s, x, y, -1, style_of(ROLE_TEXT), t->id) + 2;
	if (words && x < s.width)
		surface_text(s, x, y, -1, style_of(ROLE_DIM), words);
}

/* Return the result, from the task or from the response of its call. */
static const cJSON *
task_result(const struct view_env *env, const struct server_task *t, struct json_doc **doc)
{
	const struct call *c = t->call ? server_find_call(env->ws->server, t->call) : NULL;

	*doc = t->value ? t->doc : c ? c->doc : NULL;
	return t->value ? t->value : c ? c->value : NULL;
}

static void
draw_open(void *state, const struct view_env *env, struct surface s, const void *entry)
{
	struct tasks_pane *p = state;
	const struct server_task *t = entry;
	struct json_doc *doc;
	const cJSON *value = task_result(env, t, &doc);
	struct surface body = surface_sub(s, 0, 1, s.width, s.height - 1);

	surface_textf(s, 2, 0, s.width - 4, style_of(ROLE_DIM), " %s%s ",
	    t->is_error ? "error of " : "result of ", t->id);
	if (!value) {
		const char *words = t->trouble ? t->trouble : t->message;
		int y = words ? pane_draw_text(body, 0, ROLE_TEXT, words) : 0;
		pane_draw_text(body, y, ROLE_HINT,
		    t->trouble   ? "Polling stopped: f asks again."
		    : t->request ? "waiting for the response"
		    : t->status == TASK_INPUT_REQUIRED
			? "The task waits for your answer: F4 shows the question."
		    : task_is_over(t->status) ? "The result is not loaded: f asks for it."
					      : "The task has not finished.");
		return;
	}
	if (!p->text || p->text_of != doc) {
		struct buf text = BUF_INIT;
		json_doc_destroy(p->text_of);
		p->text_of = json_doc_ref(doc);
		json_print_pretty(&text, value, 2);
		stream_list_forget_text(&p->stream, 0);
		blob_unref(p->text);
		p->text = blob_take_buf(&text);
	}
	stream_list_draw_text(&p->stream, 0, env, body, p->text, true);
}

static enum role
tasks_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	size_t open = 0;

	buf_add_str(title, "tasks · calls that outlive their request");
	for (size_t i = 0; i < count(env); i++)
		open += !task_is_over(server_task_at(env->ws->server, i)->status);
	if (count(env) == 0)
		return ROLE_DIM;
	stream_list_count(state, count(env), facts);
	buf_addf(facts, "%zu · %zu unfinished", count(env), open);
	return ROLE_DIM;
}

/* ---- commands and keys ---- */

static bool
act_tasks_open(void *state, const struct view_env *env, const char *arg)
{
	const struct server_task *t = stream_list_selected(state, env);
	struct stream_list *l = state;
	struct json_doc *doc;

	stream_act_open(state, env, arg);
	l->texts[0].top = 0;
	if (l->open && t && task_is_over(t->status) && !task_result(env, t, &doc))
		server_task_refresh(env->ws->server, t->id, env->now_us);
	return true;
}

static bool
act_cancel(void *state, const struct view_env *env, const char *arg)
{
	const struct server_task *t = stream_list_selected(state, env);

	return (t && server_task_cancel(env->ws->server, t->id, env->now_us)) ||
	       view_refuse(env, "this task cannot be cancelled: it has ended, or the server cannot "
				"cancel tasks");
}

static bool
act_refresh(void *state, const struct view_env *env, const char *arg)
{
	const struct server_task *t = stream_list_selected(state, env);

	return (t && server_task_refresh(env->ws->server, t->id, env->now_us)) ||
	       view_refuse(env, "already asking, or no server is connected");
}

static bool
act_forget(void *state, const struct view_env *env, const char *arg)
{
	const struct server_task *t = stream_list_selected(state, env);

	return (t && server_task_forget(env->ws->server, t->id)) ||
	       view_refuse(env, "only a task that has ended can be removed");
}

static bool
act_list(void *state, const struct view_env *env, const char *arg)
{
	return (env->ws->server && server_list_tasks(env->ws->server, env->now_us)) ||
	       view_refuse(env, "this server cannot list tasks");
}

/* Copy the result, or else the id. */
static void
tasks_copy(void *state, const struct view_env *env, const void *entry, struct buf *out)
{
	struct json_doc *doc;
	const cJSON *value = task_result(env, entry, &doc);
	const struct server_task *t = entry;

	if (value)
		json_print(out, value);
	else
		buf_add_str(out, t->id);
}

static const struct view_action actions[] = {
	{ "open-task", "enter", "", "show the result of the task, or close it", act_tasks_open,
	    "result" },
	{ "filter-tasks", "", "[WORDS]", "show only matches: text, state: tool: -not",
	    pane_act_filter, NULL },
	{ "cancel-task", "x", "", "cancel the task", act_cancel, "cancel" },
	{ "ask-task", "f", "", "request the state of the task", act_refresh, "ask" },
	{ "list-tasks", "F", "", "request the list of tasks", act_list, "list" },
	{ "copy-task", "y", "", "copy the result, or the id of the task; :write FILE saves it",
	    pane_act_copy, "copy" },
	{ "forget-task", "delete ctrl-k", "", "remove a finished task from the list", act_forget,
	    "forget" },
	{ 0 },
};

static const struct stream_ops stream = {
	.rows = STREAM_ROWS,
	.words = task_words,
	.columns = columns,
	.actions = actions,
	.keys = "Esc close  ↑↓ next task  PgDn scroll  f ask  x cancel  y copy",
	.changes = true,
	.source = source,
	.next = next,
	.find = tasks_find,
	.empty =
	    "No tasks. :call-task calls the selected tool as a task, if the server and the tool "
	    "support it.",
	.draw_row = tasks_draw_row,
	.draw_open = draw_open,
	.copy = tasks_copy,
};

/* These actions need a task. */
static const char *
tasks_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct server_task *t = stream_list_selected(state, env);

	if (action->run == act_list)
		return env->ws->server ? action->hint : NULL;
	bool over = t && task_is_over(t->status);
	bool fits = action->run == act_cancel ? !over : action->run == act_forget ? over : true;
	return t && fits ? action->hint : NULL;
}

const struct view_ops pane_tasks = {
	.title = "tasks",
	.help = "calls that run as tasks on the server",
	.state_size = sizeof(struct tasks_pane),
	.actions = actions,
	.whole = "forget-task",
	.finish = tasks_finish,
	.sync = stream_list_sync,
	.heading = tasks_heading,
	.draw = stream_list_draw,
	.hint = tasks_hint,
	.rows = &stream.rows,
	STREAM_CALLBACKS,
};
