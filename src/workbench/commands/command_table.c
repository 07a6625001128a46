/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/mem.h"
#include "base/text_match.h"
#include "base/vec.h"
#include "client/recipe_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The table of all commands: the global ones, aliases, and the actions of panes and views. A name
 * is resolved to a row when the user types it, and once for each key that is bound.
 */

const struct command pane_commands[] = {
#define NONE(...)
#define OVERLAY(id, command, keys, help) \
	{ command, keys, "", help, false, NULL, NULL, 0, PANE_##id },
	PANES(NONE, NONE, OVERLAY){ 0 },
};

/* The global commands, in the order of the help. */
static const struct command *const global_commands[] = { call_commands, history_commands,
	pass_commands, saved_commands, export_commands, move_commands, layout_commands,
	dispatch_commands, pane_commands, find_commands, recipe_commands, question_commands,
	server_commands, program_commands, screen_commands, palette_commands, hint_commands };

static struct {
	struct command_row *items;
	size_t len, cap;
} table;

static void
add_actions(const char *context, const struct view_ops *ops, int pane)
{
	for (const struct view_action *a = ops->actions; a && a->name; a++)
		*VEC_PUSH(&table) = (struct command_row){
			.info = { .context = context,
			    .name = a->name,
			    .args = a->args,
			    .keys = a->keys,
			    .help = a->help,
			    .whole = ops->whole && keymap_has_context(ops->whole, a->name),
			    .of_view = pane < 0 },
			.ops = ops,
			.pane = pane,
		};
}

static void
fill_table(void)
{
#define A(name, line) { "alias", name, "", "", "the same as :" line, false, false, line },
	static const struct command_info aliases[] = { ALIASES(A) };
#undef A

	for (size_t i = 0; i < ARRAY_LEN(global_commands); i++)
		for (const struct command *c = global_commands[i]; c->name; c++) {
			if (!*c->name)
				continue;
			*VEC_PUSH(&table) = (struct command_row){
				{ KEYMAP_GLOBAL, c->name, c->args, c->keys, c->help, c->whole,
				    false, NULL },
				.command = c,
				.pane = -1,
			};
		}
	for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
		*VEC_PUSH(&table) = (struct command_row){ .info = aliases[i], .pane = -1 };
	for (int i = 0; i < PANE_COUNT; i++)
		add_actions(pane_table[i].name, pane_table[i].ops, i);
	for (int i = 0; i < VIEW_COUNT; i++)
		add_actions(value_views[i]->title, value_views[i], -1);
}

const struct command_info *
workbench_command_info(size_t index)
{
	if (table.len == 0)
		fill_table();
	return index < table.len ? &table.items[index].info : NULL;
}

void
aliases_add_of(const char *line, struct buf *out)
{
	const struct command_info *info;

	for (size_t i = 0; (info = workbench_command_info(i)); i++)
		if (info->alias_of && strcmp(info->alias_of, line) == 0)
			buf_addf(out, "%s%s", out->len ? " " : "", info->name);
}

/* ---- names ---- */

/* The panes and views in which a name is looked for before all others; each may be NULL. own and
 * shown go before the global commands: the pane in front, or the context of a key, and its view. */
struct command_scope {
	const struct view_ops *own, *shown, *result, *result_view;
};

/* Lower ranks win. Those of panes and views that are not in the scope follow the global ones, and
 * aliases come last. */
static int
rank_of(const struct command_row *row, const struct command_scope *scope)
{
	if (row->info.alias_of)
		return 7;
	if (row->command)
		return 2;
	return row->ops == scope->own           ? 0
	       : row->ops == scope->shown       ? 1
	       : row->ops == scope->result      ? 3
	       : row->ops == scope->result_view ? 4
	       : row->info.of_view              ? 5
						: 6;
}

static bool
refuse_word(const char *what, struct did_you_mean *meant, const char *advice, struct err *err)
{
	int len = meant->len < 40 ? (int)meant->len : 40;

	return err_set(
	    err, "no %s is named %.*s%s", what, len, meant->word, did_you_mean_or(meant, advice));
}

static const struct command_row *
find_row(const struct command_scope *scope, const char *word, size_t len)
{
	const struct command_row *found = NULL;
	const struct command_info *info;

	for (size_t i = 0; (info = workbench_command_info(i)); i++) {
		const struct command_row *row = &table.items[i];
		if (*info->name == *word && strncmp(info->name, word, len) == 0 &&
		    info->name[len] == '\0' &&
		    (!found || rank_of(row, scope) < rank_of(found, scope)))
			found = row;
	}
	return found;
}

/* Resolves a unique abbreviation. The order of commands must not decide what runs, but neither
 * "quit!" nor an alias makes "quit" ambiguous. NULL: none or several; err says which. */
static const struct command_info *
find_beginning(const char *word, size_t len, struct err *err)
{
	const struct command_info *info, *found = NULL;
	struct did_you_mean meant;

	did_you_mean_init(&meant, word, len);
	for (size_t i = 0; (info = workbench_command_info(i)); i++) {
		did_you_mean_try(&meant, info->name);
		if (strncmp(info->name, word, len) != 0 ||
		    (found && strcmp(found->name, info->name) == 0))
			continue;
		if (found && info->alias_of && !found->alias_of)
			continue;
		if (found && found->alias_of && !info->alias_of)
			found = NULL;
		size_t n = found ? strlen(found->name) : 0;
		if (found && strncmp(info->name, found->name, n) == 0 &&
		    strcmp(info->name + n, "!") == 0)
			continue;
		if (found) {
			err_set(
			    err, "%.*s could be %s or %s", (int)len, word, found->name, info->name);
			return NULL;
		}
		found = info;
	}
	if (!found)
		refuse_word("command", &meant, " (? lists all commands)", err);
	else if (found->whole)
		err_set(err, "type %s in full; Tab completes it", found->name);
	return found && !found->whole ? found : NULL;
}

/* Resolves a name or a unique abbreviation of one. */
static const struct command_row *
command_find(const struct command_scope *scope, const char *word, size_t len, struct err *err)
{
	const struct command_row *row = find_row(scope, word, len);
	const struct command_info *info = row ? NULL : find_beginning(word, len, err);

	return info ? find_row(scope, info->name, strlen(info->name)) : row;
}

/* ---- keys ---- */

static const char *
context_name(size_t i, const struct view_ops **ops)
{
	*ops = i < PANE_COUNT ? pane_table[i].ops : value_views[i - PANE_COUNT];
	return i < PANE_COUNT ? pane_table[i].name : (*ops)->title;
}

/* The actions of a pane or view, NULL: "global". False: there is no such context. */
static bool
find_context(const char *context, const struct view_ops **ops, struct err *err)
{
	struct did_you_mean meant;

	*ops = NULL;
	if (strcmp(context, KEYMAP_GLOBAL) == 0)
		return true;
	for (size_t i = 0; i < PANE_COUNT + VIEW_COUNT; i++)
		if (strcmp(context_name(i, ops), context) == 0)
			return true;
	did_you_mean_init(&meant, context, strlen(context));
	did_you_mean_try(&meant, KEYMAP_GLOBAL);
	for (size_t i = 0; i < PANE_COUNT + VIEW_COUNT; i++)
		did_you_mean_try(&meant, context_name(i, ops));
	return refuse_word("pane or view", &meant, "", err);
}

/* Binds a key to the row that the name resolves to in the context, and its argument. An alias is
 * replaced by its command line. */
static bool
bind(struct keymap *km, const struct keymap_line *line, struct err *err)
{
	struct command_scope scope = { 0 };
	size_t len = strcspn(line->command, " \t");
	const struct command_row *row;

	if (!find_context(line->context, &scope.own, err))
		return false;
	if (!*line->command)
		return keymap_bind(km, line, NULL, err);
	if (!(row = command_find(&scope, line->command, len, err)))
		return false;
	const char *name = row->info.alias_of ? row->info.alias_of : row->info.name;
	struct keymap_line whole = { line->context, line->key,
		mem_printf("%s%s", name, line->command + len) };
	bool ok = row->info.alias_of ? bind(km, &whole, err) : keymap_bind(km, &whole, row, err);
	free((char *)whole.command);
	return ok;
}

bool
workbench_bind(struct workbench *wb, const char *text, struct err *err)
{
	char *copy = mem_strdup(text);
	struct keymap_line line;
	bool ok = keymap_split(copy, &line, err) && bind(&wb->keymap, &line, err);

	free(copy);
	return ok;
}

/* row: of the command; NULL: it is looked for. */
static void
bind_all(struct keymap *km, const char *context, const char *keys, const char *command,
    const struct command_row *row)
{
	char name[32];

	for (const char *at = keys; *(at += strspn(at, " ")); at += strcspn(at, " ")) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, " "), at);
		const struct keymap_line line = { context, name, command };
		BUG_IF(row ? !keymap_bind(km, &line, row, NULL) : !bind(km, &line, NULL));
	}
}

void
bindings_add_defaults(struct keymap *km)
{
	const struct command_info *info;
	char key[16], command[32];

	/* Alt and the number in the title of a pane */
	for (int i = 0; pane_number(i) < FRAME_NUMBERS; i++) {
		snprintf(key, sizeof(key), "alt-%d", pane_number(i) + 1);
		snprintf(command, sizeof(command), "pane %s", pane_table[i].name);
		if (i != PANE_app)
			bind_all(km, KEYMAP_GLOBAL, key, command, NULL);
	}
	for (size_t i = 0; (info = workbench_command_info(i)); i++)
		bind_all(km, info->context, info->keys, info->name, &table.items[i]);
	for (const struct pane *p = pane_table; p < pane_table + PANE_COUNT; p++)
		for (const struct view_binding *b = p->ops->bindings; b && b->keys; b++)
			bind_all(km, p->name, b->keys, b->command, NULL);
}

/* ---- running ---- */

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
	for (size_t i = 0; i < server_info(s)->questions.len; i++)
		if (server_info(s)->questions.items[i]->call == id)
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
	while (is_due(wb)) {
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
	wb->queue.advancing = false;
	record_session_step(wb);
}
