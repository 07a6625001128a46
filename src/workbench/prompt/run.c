#include "workbench/commands/commands.h"

#include "base/text_match.h"
#include "base/mem.h"
#include "base/vec.h"

#include "client/recipe_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The default keys. */

static void
bind_all(struct keymap *km, const char *context, const char *keys, const char *command)
{
	char name[32];

	for (const char *at = keys; *(at += strspn(at, " "));) {
		size_t len = strcspn(at, " ");
		BUG_IF(len >= sizeof(name));
		memcpy(name, at, len);
		name[len] = '\0';
		BUG_IF(!keymap_bind(km, context, name, command, NULL));
		at += len;
	}
}

/* Alt and the number in the title of a pane. */
static void
bind_numbers(struct keymap *km)
{
	char key[16], command[32];

	for (int i = 0; pane_number(i) < FRAME_NUMBERS; i++) {
		if (i == PANE_app)
			continue;
		snprintf(key, sizeof(key), "alt-%d", pane_number(i) + 1);
		snprintf(command, sizeof(command), "pane %s", pane_table[i].name);
		bind_all(km, KEYMAP_GLOBAL, key, command);
	}
}

void
bindings_add_defaults(struct keymap *km)
{
	struct command_info info;

	bind_numbers(km);
	for (size_t i = 0; workbench_command_info(i, &info); i++)
		bind_all(km, info.context, info.keys, info.name);
	for (const struct pane *p = pane_table; p < pane_table + PANE_COUNT; p++)
		for (const struct view_binding *b = p->ops->bindings; b && b->keys; b++)
			bind_all(km, p->name, b->keys, b->command);
}

static const struct alias {
	const char *name, *line, *help;
} aliases[] = {
#define A(name, line) { name, line, "the same as :" line },
	ALIASES(A)
#undef A
};

void
aliases_add_of(const char *line, struct buf *out)
{
	for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
		if (strcmp(aliases[i].line, line) == 0)
			buf_addf(out, "%s%s", out->len ? " " : "", aliases[i].name);
}

/* Resolves a command name: the focused pane first, then global, then any pane. */
struct meaning {
	const struct command *command;
	const struct view_action *action;
	bool of_value;     /* by its name: the view that is shown may have another */
	enum pane_id pane; /* of the action */
	const char *line;  /* that an alias stands for */
};

static bool
name_is(const char *name, const char *word, size_t len)
{
	return strncmp(name, word, len) == 0 && name[len] == '\0';
}

static bool
find_in_view(const struct view_ops *ops, const char *word, size_t len, struct meaning *t)
{
	for (const struct view_action *a = ops->actions; a && a->name; a++)
		if (name_is(a->name, word, len)) {
			t->action = a;
			return true;
		}
	return false;
}

/* Its own actions, then those of the view that it shows. */
static bool
find_in_pane(
    struct workbench *wb, enum pane_id pane, const char *word, size_t len, struct meaning *t)
{
	const struct view *value = view_of_value(&wb->panes[pane]);

	*t = (struct meaning){ .pane = pane };
	if (find_in_view(pane_table[pane].ops, word, len, t))
		return true;
	t->of_value = true;
	return value && find_in_view(value->ops, word, len, t);
}

/* structuredContent first: `sort`, `view` and the like are about the result. */
static bool
find_in_any(struct workbench *wb, const char *word, size_t len, struct meaning *t)
{
	enum pane_id focused = workbench_focused(wb);

	if (find_in_pane(wb, PANE_structured, word, len, t))
		return true;
	t->pane = view_of_value(&wb->panes[focused]) ? focused : PANE_structured;
	for (int i = 0; i < VIEW_COUNT; i++)
		if (find_in_view(value_views[i], word, len, t))
			return true;
	for (int i = 0; i < PANE_COUNT; i++)
		if (find_in_pane(wb, (enum pane_id)i, word, len, t))
			return true;
	return false;
}

static bool
find(struct workbench *wb, const char *word, size_t len, struct meaning *t)
{
	if (find_in_pane(wb, workbench_focused(wb), word, len, t))
		return true;
	for (const struct command *c = commands; c->name; c++) {
		if (name_is(c->name, word, len)) {
			*t = (struct meaning){ .command = c };
			return true;
		}
	}
	if (find_in_any(wb, word, len, t))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(aliases); i++) {
		if (name_is(aliases[i].name, word, len)) {
			*t = (struct meaning){ .line = aliases[i].line };
			return true;
		}
	}
	return false;
}

static bool
say_unknown(struct workbench *wb, const char *word, size_t len)
{
	struct command_info info;
	struct did_you_mean meant;

	did_you_mean_init(&meant, word, len);
	for (size_t i = 0; workbench_command_info(i, &info); i++)
		did_you_mean_try(&meant, info.name);
	if (meant.name)
		return workbench_say(wb, ROLE_ERROR, "no command is named %.*s; did you mean %s?",
		    (int)len, word, meant.name);
	return workbench_say(
	    wb, ROLE_ERROR, "no command is named %.*s (? lists all commands)", (int)len, word);
}

/* Resolves a unique abbreviation. The order of commands must not decide what runs, but neither
 * "quit!" nor an alias makes "quit" ambiguous. False: none or several; the bottom bar says which.
 */
static bool
find_beginning(struct workbench *wb, const char *word, size_t len, struct meaning *t)
{
	struct command_info info;
	const char *found = NULL;
	bool whole = false, alias = false;

	for (size_t i = 0; workbench_command_info(i, &info); i++) {
		if (strncmp(info.name, word, len) != 0 || (found && strcmp(found, info.name) == 0))
			continue;
		if (found && info.alias_of && !alias)
			continue;
		found = alias && !info.alias_of ? NULL : found;
		size_t n = found ? strlen(found) : 0;
		if (found && strncmp(info.name, found, n) == 0 && strcmp(info.name + n, "!") == 0)
			continue;
		if (found)
			return workbench_say(wb, ROLE_ERROR, "%.*s could be %s or %s", (int)len,
			    word, found, info.name);
		found = info.name;
		whole = info.whole;
		alias = info.alias_of != NULL;
	}
	if (!found)
		return say_unknown(wb, word, len);
	if (whole)
		return workbench_say(wb, ROLE_ERROR, "type %s in full; Tab completes it", found);
	return find(wb, found, strlen(found), t);
}

static bool
run_action(struct workbench *wb, const struct meaning *t, const char *arg)
{
	struct view_env env = workbench_env(wb, t->pane);
	struct view *pane = &wb->panes[t->pane];
	struct buf why = BUF_INIT;
	char *said = wb->message;

	wb->message = NULL;
	env.why = &why;
	bool ok = view_run(t->of_value ? view_of_value(pane) : pane, &env, t->action->name, arg);
	if (why.len > 0)
		workbench_refuse(wb, buf_text(&why));
	else if (!ok && !*workbench_message(wb))
		workbench_say(wb, ROLE_ERROR, "%s does nothing here", t->action->name);
	if (wb->message)
		free(said);
	else
		wb->message = said;
	buf_finish(&why);
	return ok;
}

static bool
run_meaning(struct workbench *wb, const struct meaning *t, const char *arg)
{
	if (t->line) {
		char *line = mem_printf("%s %s", t->line, arg);
		bool ok = workbench_run(wb, line, wb->now_us);
		free(line);
		return ok;
	}
	if (t->action)
		return run_action(wb, t, arg);
	return t->command->run ? t->command->run(wb, arg) : workbench_toggle(wb, t->command->pane);
}

bool
workbench_run(struct workbench *wb, const char *command_line, int64_t now_us)
{
	const char *at = command_line + strspn(command_line, " \t:");
	size_t len = strcspn(at, " \t");
	struct meaning t;

	wb->now_us = now_us;
	if (len == 0)
		return true;
	workbench_sync(wb);
	if (!find(wb, at, len, &t) && !find_beginning(wb, at, len, &t))
		return false;
	const char *rest = at + len + strspn(at + len, " \t");
	size_t rest_len = strlen(rest);
	while (rest_len > 0 && strchr(" \t", rest[rest_len - 1]))
		rest_len--;
	char *arg = mem_strndup(rest, rest_len);
	bool ok = run_meaning(wb, &t, arg);
	free(arg);
	return ok;
}

/* ---- the queue of commands to be run at the start ---- */

void
workbench_enqueue(struct workbench *wb, const char *command_line)
{
	strings_add(&wb->queue, command_line);
}

bool
workbench_queue_empty(const struct workbench *wb)
{
	return wb->queue.len == 0 && wb->queue_call == 0;
}

static bool
server_settled(const struct server *s)
{
	return s && server_info(s)->phase >= SERVER_READY;
}

/* Until a server is shown, only commands that show one can run. */
static bool
opens_server(const struct workbench *wb)
{
	const char *line = wb->queue.len ? wb->queue.items[0] : "";

	return strncmp(line, "server ", 7) == 0 || strncmp(line, "add ", 4) == 0;
}

/* Tools are listed when a server is ready; the other lists may still be loading. */
static bool
lacks_list(const struct workbench *wb)
{
	static const char *const names[] = { "prompt ", "template ", "resource ", "next-kind",
		"previous-kind", "call-legacy " };
	const char *line = wb->queue.len ? wb->queue.items[0] : "";

	for (size_t i = 0; wb->ws.server && i < ARRAY_LEN(names); i++)
		if (strncmp(line, names[i], strlen(names[i])) == 0)
			return server_is_listing(wb->ws.server);
	return false;
}

/* A question waits for the user: the next command may be the answer. */
static bool
is_asking(const struct server *s, uint64_t call)
{
	for (size_t i = 0; i < server_info(s)->questions; i++)
		if (server_question_at(s, i)->call == call)
			return true;
	return false;
}

static bool
call_over(const struct server *s, uint64_t id)
{
	const struct call *c = server_find_call(s, id);

	return !c || (c->state != CALL_RUNNING && c->verdict.kind != VERDICT_CHECKING) ||
	       is_asking(s, id);
}

/* Is the first command of the queue due? */
static bool
is_due(struct workbench *wb)
{
	const struct server *s = wb->ws.server;

	if ((wb->dialog && wb->dialog->decides) || (s ? !server_settled(s) : !opens_server(wb)))
		return false;
	if (wb->ws.recipe && !wb->ws.recipe->ended_us && !wb->ws.recipe->paused)
		return false;
	if (wb->work || wb->jobs.open + wb->jobs.outside > 0 ||
	    (wb->queue_call && !call_over(s, wb->queue_call)))
		return false;
	wb->queue_call = 0;
	return wb->queue.len > 0 && !lacks_list(wb);
}

static void
run_first(struct workbench *wb, int64_t now_us)
{
	const struct server *s = wb->ws.server;
	size_t before = s ? server_info(s)->calls_made : 0;
	char *line = wb->queue.items[0];

	VEC_REMOVE(&wb->queue, 0);
	workbench_run(wb, line, now_us);
	free(line);
	const struct call *shown = workspace_call(&wb->ws);
	if (s && wb->ws.server == s && server_info(s)->calls_made > before && shown)
		wb->queue_call = shown->id;
}

/* Starting a server counts as an event. */
void
workbench_advance(struct workbench *wb, int64_t now_us)
{
	wb->now_us = now_us;
	recipe_step_on(wb);
	if (wb->advancing)
		return;
	wb->advancing = true;
	batch_advance(wb);
	while (is_due(wb))
		run_first(wb, now_us);
	wb->advancing = false;
	record_session_step(wb);
}

static bool
is_listed(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = names; at && *at; at += strspn(at, " ")) {
		size_t n = strcspn(at, " ");
		if (n == len && strncmp(at, name, n) == 0)
			return true;
		at += n;
	}
	return false;
}

/* Where the commands of each pane and view begin in the order of workbench_command_info(). Walking
 * all tables for each of 400 commands was a seventh of the start. */
static struct {
	size_t panes[PANE_COUNT], views[VIEW_COUNT], end;
} starts;

static void
count_commands(void)
{
	size_t n = ARRAY_LEN(aliases);

	for (const struct command *c = commands; c->name; c++)
		n += *c->name != '\0';
	for (int i = 0; i < PANE_COUNT; i++) {
		starts.panes[i] = n;
		for (const struct view_action *a = pane_table[i].ops->actions; a && a->name; a++)
			n++;
	}
	for (int i = 0; i < VIEW_COUNT; i++) {
		starts.views[i] = n;
		for (const struct view_action *a = value_views[i]->actions; a && a->name; a++)
			n++;
	}
	starts.end = n;
}

/* The last of the starts that is not behind the index; one without commands shares its start with the next. */
static int
find_start(const size_t *at, int count, size_t index)
{
	int found = 0;

	while (found + 1 < count && at[found + 1] <= index)
		found++;
	return found;
}

bool
workbench_command_info(size_t index, struct command_info *out)
{
	if (starts.end == 0)
		count_commands();
	if (index >= starts.end)
		return false;
	if (index >= starts.views[0]) {
		int i = find_start(starts.views, VIEW_COUNT, index);
		const struct view_ops *ops = value_views[i];
		const struct view_action *a = &ops->actions[index - starts.views[i]];
		*out = (struct command_info){ ops->title, a->name, a->args, a->keys, a->help, false,
			true, NULL };
		return true;
	}
	if (index >= starts.panes[0]) {
		int i = find_start(starts.panes, PANE_COUNT, index);
		const struct pane *p = &pane_table[i];
		const struct view_action *a = &p->ops->actions[index - starts.panes[i]];
		*out = (struct command_info){ p->name, a->name, a->args, a->keys, a->help,
			is_listed(p->ops->whole, a->name), false, NULL };
		return true;
	}
	for (const struct command *c = commands; c->name; c++) {
		if (*c->name && index-- == 0) {
			*out = (struct command_info){ "global", c->name, c->args, c->keys, c->help,
				c->whole, false, NULL };
			return true;
		}
	}
	const struct alias *a = &aliases[index];
	*out = (struct command_info){ "alias", a->name, "", "", a->help, false, false, a->line };
	return true;
}
