/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "base/mem.h"
#include "ui/keymap.h"

#include <stdlib.h>
#include <string.h>

/* A key that was bound again in the same context. */
static bool
is_hidden(const struct keymap *km, size_t row)
{
	for (size_t i = row + 1; i < km->len; i++)
		if (key_equal(&km->items[i].key, &km->items[row].key) &&
		    strcmp(km->items[i].context, km->items[row].context) == 0)
			return true;
	return false;
}

static void
bind(struct keymap *km, const char *text)
{
	char *copy = mem_strdup(text);
	struct keymap_line line;

	if (keymap_split(copy, &line, NULL))
		keymap_bind(km, &line, NULL, NULL);
	free(copy);
}

/* The last binding is found again by its key, and by its command. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct keymap km = { 0 };
	char name[64];

	char *text = strndup((const char *)data, size);
	for (char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
		bind(&km, line);
	free(text);
	for (size_t i = 0; i < km.len; i++) {
		const struct keymap_row *row = &km.items[i];
		if (is_hidden(&km, i))
			continue;
		if (keymap_find(&km, row->context, &row->key) != (row->command ? row : NULL))
			abort();
		if (row->command &&
		    !keymap_key_for(&km, row->context, row->command, false, name, sizeof(name)))
			abort();
	}
	keymap_finish(&km);
	return 0;
}
