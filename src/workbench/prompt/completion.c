/* SPDX-License-Identifier: MIT */
#include "workbench/state.h"

#include "workbench/commands/commands.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Completions of the typed text: whole lines, each with a note. */

enum { LINES_MAX = 1000, NOTE_BYTES = 200 };

void
completions_finish(struct completions *c)
{
	strings_finish(&c->lines);
	strings_finish(&c->notes);
}

bool
completer_has_room(const struct line_completer *c)
{
	return c->out->lines.len < LINES_MAX;
}

/* Loose: a few of its letters are typed, in their order. */
static bool
fits(const struct line_completer *c, const char *value)
{
	size_t len = strlen(c->typed);
	struct fuzzy letters;

	if (!c->loose)
		return strncmp(value, c->typed, len) == 0;
	fuzzy_init(&letters, c->typed, len);
	return fuzzy_match(&letters, value, strlen(value), NULL) > 0;
}

void
completer_offer(struct line_completer *c, const char *value, const char *note)
{
	if (!completer_has_room(c) || !fits(c, value))
		return;
	char *line = mem_printf("%.*s%s", (int)(c->typed - c->line), c->line, value);
	if (c->once && strings_have(&c->out->lines, line)) {
		free(line);
		return;
	}
	size_t len = note ? strcspn(note, "\n") : 0;
	strings_take(&c->out->lines, line);
	strings_take(
	    &c->out->notes, mem_strndup(note ? note : "", len < NOTE_BYTES ? len : NOTE_BYTES));
}

/* ---- command names: those that apply now first, shortest first ---- */

static bool
has_authorization(const struct workbench *wb)
{
	return wb->ws.server && server_info(wb->ws.server)->auth;
}

static bool
has_question(const struct workbench *wb)
{
	return wb->ws.server && server_info(wb->ws.server)->questions > 0;
}

static const struct {
	const char *command;
	bool (*holds)(const struct workbench *wb);
} needs[] = {
	{ "authorize", has_authorization },
	{ "authorize-again", has_authorization },
	{ "copy-authorization-url", has_authorization },
	{ "client-id", has_authorization },
	{ "forget-tokens", has_authorization },
	{ "forget-tokens!", has_authorization },
	{ "answer", has_question },
	{ "answer!", has_question },
	{ "decline", has_question },
	{ "dismiss", has_question },
	{ "open-url", has_question },
	{ "copy-url", has_question },
	{ "edit-answer", has_question },
	{ "edit-request", has_question },
	{ "sample", has_question },
};

bool
command_applies(struct workbench *wb, const struct command_info *info)
{
	if (info->alias_of)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(needs); i++)
		if (strcmp(needs[i].command, info->name) == 0)
			return needs[i].holds(wb);
	if (strcmp(info->context, KEYMAP_GLOBAL) == 0)
		return true;
	for (int i = 0; i < PANE_COUNT; i++) {
		const struct view *value = view_of_value(&wb->panes[i]);
		const char *of = info->of_view && value ? value->ops->title : pane_table[i].name;
		bool visible =
		    workbench_focused(wb) == (enum pane_id)i || wb->frame.layout.panes[i].width > 0;
		if (visible && strcmp(of, info->context) == 0)
			return true;
	}
	return false;
}

/* Offers the commands, shortest first, so that the list needs no sort. */
static void
offer_commands(
    struct line_completer *c, const struct command_info **infos, size_t count, bool applying)
{
	size_t next = 0;

	for (size_t length = 0; length != SIZE_MAX; length = next) {
		next = SIZE_MAX;
		for (size_t i = 0; i < count; i++) {
			size_t n = *c->typed ? strlen(infos[i]->name) : 0;
			if (n > length && n < next)
				next = n;
			if (n == length && command_applies(c->wb, infos[i]) == applying)
				completer_offer(c, infos[i]->name, infos[i]->help);
		}
	}
}

static void
complete_command(struct line_completer *c)
{
	struct {
		const struct command_info **items;
		size_t len, cap;
	} fitting = { 0 };
	const struct command_info *info;

	for (size_t i = 0; (info = workbench_command_info(i)); i++)
		if (fits(c, info->name))
			*VEC_PUSH(&fitting) = info;
	c->once = true; /* panes share names */
	offer_commands(c, fitting.items, fitting.len, true);
	offer_commands(c, fitting.items, fitting.len, false);
	free(fitting.items);
}

/* If nothing begins with the typed text, its letters are looked for. */
void
complete(struct workbench *wb, const char *text, struct completions *out)
{
	text += strspn(text, " ");
	size_t len = strcspn(text, " ");
	struct line_completer c = { .wb = wb, .line = text, .typed = text, .out = out };
	const struct command_info *info;
	char command[COMMAND_NAME];

	workbench_sync(wb);
	snprintf(command, sizeof(command), "%.*s", (int)len, text);
	for (size_t i = 0; (info = workbench_command_info(i)); i++)
		if (info->alias_of && strcmp(info->name, command) == 0)
			snprintf(command, sizeof(command), "%s", info->alias_of);
	for (int loose = 0; loose < 2 && out->lines.len == 0; loose++) {
		c.loose = loose;
		c.arguments = text + len + strspn(text + len, " ");
		if (text[len] == ' ')
			complete_argument(&c, command);
		else
			complete_command(&c);
	}
}

size_t
complete_find(struct workbench *wb, const char *text, struct completions *out)
{
	struct line_completer c = {
		.wb = wb, .line = text, .arguments = text, .typed = text, .out = out
	};

	if (workbench_focused(wb) != PANE_tools) /* its filter finds names while they are typed */
		complete_argument(&c, "find");
	return (size_t)(c.typed - text);
}

const char *
completions_take(const struct completions *c, size_t *at, const char *text, int direction)
{
	const struct strings *lines = &c->lines;

	if (lines->len == 0)
		return NULL;
	if (strcmp(text, lines->items[*at]) == 0)
		*at = (*at + lines->len + (size_t)direction) % lines->len;
	return lines->items[*at];
}
