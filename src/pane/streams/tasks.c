#include "pane/pane.h"

#include "json/print.h"
#include "model/tasks.h"
#include "pane/pane_text.h"
#include "render/render.h"
#include "ui/list.h"
#include "ui/wrap.h"

#include <stdlib.h>
#include <string.h>

struct tasks_pane {
	struct list list;
	bool open; /* the result of the selected task is shown */
	struct buf text;
	struct wrap wrap;
	size_t top;
	int text_y, text_height; /* as last drawn */
};

static void
init(void *state)
{
	struct tasks_pane *p = state;

	wrap_init(&p->wrap);
}

static void
finish(void *state)
{
	struct tasks_pane *p = state;

	wrap_finish(&p->wrap);
	buf_finish(&p->text);
}

static size_t
count(const struct pane_env *env)
{
	return env->ws->server ? server_task_count(env->ws->server) : 0;
}

/* Newest first. */
static const struct server_task *
task_at(const struct pane_env *env, size_t row)
{
	size_t n = count(env);

	return row < n ? server_task_at(env->ws->server, n - 1 - row) : NULL;
}

static void
sync(void *state, const struct pane_env *env)
{
	struct tasks_pane *p = state;

	list_set_count(&p->list, count(env));
	p->open = p->open && count(env) > 0;
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

enum { STATE_X = 2, AGE_END = 28, TTL_END = 38, TOOL_X = 40, TOOL_COLS = 16 };

static const char *
state_text(const struct server_task *t)
{
	if (t->trouble)
		return "lost";
	return t->cancelling && !task_is_over(t->status) ? "cancelling"
							 : task_status_names[t->status];
}

static void
draw_row(
    const struct tasks_pane *p, const struct pane_env *env, struct surface s, int y, size_t row)
{
	const struct server_task *t = task_at(env, row);
	struct buf age = BUF_INIT, ttl = BUF_INIT;

	pane_add_duration(&age, env->now_us - t->since_us);
	if (t->ttl_ms >= 0)
		pane_add_duration(&ttl, t->ttl_ms * 1000);
	struct style style = style_of(t->trouble ? ROLE_ERROR : looks[t->status].role);
	surface_text(s, 0, y, 1, style, looks[t->status].mark);
	surface_text(s, STATE_X, y, 16, style, state_text(t));
	surface_text_right(s, AGE_END, y, 9, style_of(ROLE_NUMBER),
	    t->call || !t->created ? buf_text(&age) : "earlier");
	surface_text_right(
	    s, TTL_END, y, 9, style_of(ROLE_DIM), ttl.len > 0 ? buf_text(&ttl) : "no limit");
	surface_text(s, TOOL_X, y, TOOL_COLS, style_of(ROLE_KEY_NAME), t->tool);
	int x = TOOL_X + TOOL_COLS + 1;
	x += surface_text(s, x, y, -1, style_of(ROLE_TEXT), t->id) + 2;
	if ((t->trouble || t->message) && x < s.width)
		surface_text(s, x, y, -1, style_of(ROLE_DIM), t->trouble ? t->trouble : t->message);
	if (row == p->list.selected)
		surface_select_row(s, y, env->focused);
	buf_finish(&age);
	buf_finish(&ttl);
}

static void
draw_columns(struct surface s, int y)
{
	struct style style = style_of(ROLE_COLUMN);

	surface_text(s, STATE_X, y, -1, style, "state");
	surface_text_right(s, AGE_END, y, 9, style, "age");
	surface_text_right(s, TTL_END, y, 9, style, "kept for");
	surface_text(s, TOOL_X, y, -1, style, "tool");
	surface_text(s, TOOL_X + TOOL_COLS + 1, y, -1, style, "task");
}

/* The result: stored here, or in the response of its call. */
static const cJSON *
end_of(const struct pane_env *env, const struct server_task *t)
{
	const struct call *c = t->call ? server_find_call(env->ws->server, t->call) : NULL;

	if (t->value)
		return t->value;
	return c ? c->value : NULL;
}

static const char *
why_no_end(const struct server_task *t)
{
	if (t->trouble)
		return "Polling stopped: r asks again.";
	if (t->request)
		return "waiting for the response";
	if (t->status == TASK_INPUT_REQUIRED)
		return "The task waits for your answer: F4 shows the question.";
	return task_is_over(t->status) ? "The result is not loaded: r asks for it."
				       : "The task has not finished.";
}

static void
draw_open(
    struct tasks_pane *p, const struct pane_env *env, const struct server_task *t, struct surface s)
{
	const cJSON *value = end_of(env, t);
	struct surface body = surface_sub(s, 0, 1, s.width, s.height - 1);

	surface_repeat(s, 0, 0, s.width, style_of(ROLE_BORDER), 0x2500);
	surface_textf(s, 2, 0, s.width - 4, style_of(ROLE_DIM), " %s%s ",
	    t->is_error ? "error of " : "result of ", t->id);
	if (!value) {
		const char *words = t->trouble ? t->trouble : t->message;
		int y = words ? pane_draw_text(body, 0, ROLE_TEXT, words) : 0;
		pane_draw_text(body, y, ROLE_HINT, why_no_end(t));
		return;
	}
	buf_clear(&p->text);
	json_print_pretty(&p->text, value, 2);
	wrap_set(&p->wrap, "", 0, body.width); /* another text may have the same address */
	wrap_set(&p->wrap, buf_text(&p->text), p->text.len, body.width);
	p->text_y = body.y - s.y;
	p->text_height = body.height;
	render_json_rows(&p->wrap, body, p->top);
	surface_scrollbar(body, env->focused, wrap_rows(&p->wrap), p->top);
}

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct tasks_pane *p = state;
	size_t n = count(env);

	list_set_count(&p->list, n);
	if (!env->ws->server) {
		pane_draw_server_state(env, s);
		return;
	}
	if (n == 0) {
		pane_draw_text(s, 0, ROLE_HINT,
		    "No tasks. :call-task calls the selected tool as a task, if the server "
		    "and the tool support it.");
		return;
	}
	const struct server_task *t = p->open ? task_at(env, p->list.selected) : NULL;
	int rows = s.height - 1;
	if (t)
		rows = n < (size_t)s.height / 3 ? (int)n : s.height / 3;
	draw_columns(s, 0);
	struct surface body = surface_sub(s, 0, 1, s.width, rows);
	list_set_height(&p->list, rows);
	for (int y = 0; y < rows && p->list.top + (size_t)y < n; y++)
		draw_row(p, env, body, y, p->list.top + (size_t)y);
	surface_scrollbar(body, env->focused && !t, n, p->list.top);
	if (t)
		draw_open(p, env, t, surface_sub(s, 0, 1 + rows, s.width, s.height - 1 - rows));
	p->text_y += 1 + rows;
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	size_t open = 0;

	(void)state;
	buf_add_str(title, "tasks · calls that outlive their request");
	for (size_t i = 0; i < count(env); i++)
		open += !task_is_over(server_task_at(env->ws->server, i)->status);
	if (count(env) > 0)
		buf_addf(facts, "%zu · %zu unfinished", count(env), open);
	return ROLE_DIM;
}

/* ---- commands and keys ---- */

static bool
act_open(void *state, const struct pane_env *env, const char *arg)
{
	struct tasks_pane *p = state;
	(void)arg;

	const struct server_task *t = task_at(env, p->list.selected);

	p->open = !p->open && t;
	p->top = 0;
	if (p->open && task_is_over(t->status) && !end_of(env, t))
		server_task_refresh(env->ws->server, t->id, env->now_us);
	return true;
}

static bool
say(const struct pane_env *env, bool ok, const char *why)
{
	if (!ok)
		env->host->say(env->user, ROLE_WARNING, why);
	return ok;
}

static bool
act_cancel(void *state, const struct pane_env *env, const char *arg)
{
	struct tasks_pane *p = state;
	const struct server_task *t = task_at(env, p->list.selected);
	(void)arg;

	return say(env, t && server_task_cancel(env->ws->server, t->id, env->now_us),
	    "this task cannot be cancelled: it has ended, or the server cannot cancel tasks");
}

static bool
act_refresh(void *state, const struct pane_env *env, const char *arg)
{
	struct tasks_pane *p = state;
	const struct server_task *t = task_at(env, p->list.selected);
	(void)arg;

	return say(env, t && server_task_refresh(env->ws->server, t->id, env->now_us),
	    "already asking, or no server is connected");
}

static bool
act_forget(void *state, const struct pane_env *env, const char *arg)
{
	struct tasks_pane *p = state;
	const struct server_task *t = task_at(env, p->list.selected);
	(void)arg;

	return say(env, t && server_task_forget(env->ws->server, t->id),
	    "only a task that has ended can be removed");
}

static bool
act_list(void *state, const struct pane_env *env, const char *arg)
{
	(void)state, (void)arg;

	return say(env, env->ws->server && server_list_tasks(env->ws->server, env->now_us),
	    "this server cannot list tasks");
}

static const struct pane_action actions[] = {
	{ "open-task", "enter", "", "show the result of the task, or close it", act_open,
	    "result" },
	{ "cancel-task", "x", "", "cancel the task", act_cancel, "cancel" },
	{ "ask-task", "r", "", "ask the server for the state of the task", act_refresh, "ask" },
	{ "list-tasks", "l", "", "ask the server for its list of tasks", act_list, "list" },
	{ "forget-task", "D", "", "remove a finished task from the list", act_forget, "forget" },
	{ 0 },
};

static bool
captures(const void *state)
{
	const struct tasks_pane *p = state;

	return p->open;
}

static bool
open_key(struct tasks_pane *p, const struct pane_env *env, const struct key *key)
{
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;

	if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER) {
		p->open = false;
		return true;
	}
	if (ch == 'r' || ch == 'x') {
		(ch == 'r' ? act_refresh : act_cancel)(p, env, "");
		return true;
	}
	if (key->kind == KEY_PAGE_DOWN || key->kind == KEY_PAGE_UP || key->kind == KEY_HOME ||
	    key->kind == KEY_END || key->kind == KEY_MOUSE)
		return pane_scroll_key(&p->top, wrap_rows(&p->wrap), key);
	p->top = 0;
	return list_key(&p->list, key);
}

static void
row_text(const struct seekable *s, size_t row, struct buf *out)
{
	const struct server_task *t = task_at(s->with, row);
	const char *words = t->trouble ? t->trouble : t->message;

	buf_addf(out, "%s  %s  %s  %s", state_text(t), t->tool, t->id, words ? words : "");
}

static bool
seek(void *state, const struct pane_env *env, struct seekable *out)
{
	struct tasks_pane *p = state;

	list_set_count(&p->list, count(env));
	if (p->open && p->wrap.len > 0)
		*out = seek_wrap(&p->wrap, &p->top, p->text_height, p->text_y);
	else
		*out = seek_list(&p->list, 1, p, env, row_text);
	return count(env) > 0;
}

static bool
key(void *state, const struct pane_env *env, const struct key *key)
{
	struct tasks_pane *p = state;
	size_t row;

	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS &&
	    list_row_at(&p->list, key->y - 1, &row)) {
		p->open = p->open || row == p->list.selected;
		list_select(&p->list, row);
		return true;
	}
	return p->open ? open_key(p, env, key) : list_key(&p->list, key);
}

/* These actions need a task. */
static const char *
hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	struct tasks_pane *p = state;
	const struct server_task *t = task_at(env, p->list.selected);

	if (action->run == act_list)
		return env->ws->server ? action->hint : NULL;
	bool over = t && task_is_over(t->status);
	bool fits = action->run == act_cancel ? !over : action->run == act_forget ? over : true;
	return t && fits ? action->hint : NULL;
}

static const char *
typing(const void *state)
{
	(void)state;
	return "Esc close  ↑↓ next task  PgDn scroll  r ask  x cancel";
}

const struct pane_ops pane_tasks = {
	.title = "tasks",
	.help = "calls that run as tasks on the server",
	.state_size = sizeof(struct tasks_pane),
	.actions = actions,
	.whole = "forget-task",
	.init = init,
	.finish = finish,
	.sync = sync,
	.heading = heading,
	.draw = draw,
	.key = key,
	.seek = seek,
	.captures = captures,
	.typing = typing,
	.hint = hint,
};
