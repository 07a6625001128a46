/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/mem.h"
#include "base/text_match.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The table of all commands: the global ones, aliases, and the actions of panes and views. A name
 * is resolved to a row when the user types it, and once for each key that is bound.
 */

static struct {
	struct command_row *items;
	size_t len, cap;
} table;

static void
add_row(
    struct command_info info, const struct command *command, const struct view_ops *ops, int pane)
{
	*VEC_PUSH(&table) =
	    (struct command_row){ .info = info, .command = command, .ops = ops, .pane = pane };
}

static void
add_actions(const char *context, const struct view_ops *ops, int pane)
{
	for (const struct view_action *a = ops->actions; a && a->name; a++)
		add_row((struct command_info){ .context = context,
			    .name = a->name,
			    .args = a->args,
			    .keys = a->keys,
			    .help = a->help,
			    .whole = ops->whole && keymap_has_context(ops->whole, a->name),
			    .of_view = pane < 0 },
		    NULL, ops, pane);
}

static void
fill_table(void)
{
#define A(name, line) { "alias", name, "", "", "the same as :" line, false, false, line },
	static const struct command_info aliases[] = { ALIASES(A) };
#undef A

	for (const struct command *c = commands; c->name; c++)
		if (*c->name)
			add_row((struct command_info){ KEYMAP_GLOBAL, c->name, c->args, c->keys,
				    c->help, c->whole, false, NULL },
			    c, NULL, -1);
	for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
		add_row(aliases[i], NULL, NULL, -1);
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

const struct command_row *
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
