#include "fuzz.h"

#include "ui/keymap.h"

#include <stdlib.h>
#include <string.h>

/* Whatever is bound is found again by its key, and by its command unless it is hidden. */
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
		if (keymap_find(&km, row->context, &row->key) != row->command)
			abort();
		if (row->command &&
		    !keymap_key_for(&km, row->context, row->command, name, sizeof(name)))
			abort();
	}
	keymap_finish(&km);
	return 0;
}
