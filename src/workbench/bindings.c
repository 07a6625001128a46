#include "workbench_priv.h"

#include <stdio.h>
#include <string.h>

/* The keys that commands have at the start. */

static void
bind_all(struct keymap *km, const char *context, const char *keys, const char *command)
{
	char name[32];

	for (const char *at = keys; *(at += strspn(at, " "));) {
		size_t len = strcspn(at, " ");
		snprintf(name, sizeof(name), "%.*s", (int)len, at);
		BUG_IF(!keymap_bind(km, context, name, command, NULL));
		at += len;
	}
}

/* Also where a digit alone is text. */
static void
bind_servers(struct keymap *km)
{
	char key[] = "alt-1", command[] = "server #1";

	for (; key[4] <= '9'; key[4]++, command[8]++)
		bind_all(km, KEYMAP_GLOBAL, key, command);
}

void
bindings_add_defaults(struct keymap *km)
{
	bind_servers(km);
	static const struct {
		const char *context, *keys, *command;
	} elsewhere[] = {
		/* commands of the program that have keys in one pane */
		{ "questions", "S f5", "answer" },
		{ "questions", "N f8", "decline" },
		{ "questions", "C f9", "dismiss" },
		{ "questions", "y", "copy-url" },
		{ "questions", "ctrl-e", "edit-answer" },
		{ "questions", "ctrl-r", "edit-request" },
		{ "questions", "ctrl-g", "sample" },
	};

	for (const struct command *c = commands; c->name; c++)
		bind_all(km, "global", c->keys, c->name);
	for (int i = 0; i < PANE_COUNT; i++)
		for (const struct pane_action *a = pane_table[i]->actions; a && a->name; a++)
			bind_all(km, pane_table[i]->name, a->keys, a->name);
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		bind_all(km, elsewhere[i].context, elsewhere[i].keys, elsewhere[i].command);
}
