#include "fuzz.h"

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

/* The last binding is found again by its key, and by its command. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct keymap km = { 0 };
	char name[64];

	char *text = strndup((const char *)data, size);
	for (char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
		keymap_parse(&km, line, NULL);
	free(text);
	for (size_t i = 0; i < km.len; i++) {
		const struct keymap_row *row = &km.items[i];
		if (is_hidden(&km, i))
			continue;
		if (keymap_find(&km, row->context, &row->key) != row->command)
			abort();
		if (row->command &&
		    !keymap_key_for(&km, row->context, row->command, name, sizeof(name)))
			abort();
	}
	keymap_finish(&km);
	return 0;
}
