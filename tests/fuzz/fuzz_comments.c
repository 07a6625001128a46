/* SPDX-License-Identifier: MIT */
/* JSON with comments: only comments and commas become blanks, all other bytes keep their positions,
 * and strict JSON is unchanged. */
#include "fuzz.h"

#include "base/mem.h"
#include "json/splice.h"

#include <stdlib.h>
#include <string.h>

static bool
is_strict(const char *text, size_t len, size_t *flaws)
{
	struct json_doc *doc = json_parse(text, len, NULL, NULL);

	*flaws = doc ? json_flaws(doc)->count : 0;
	json_doc_destroy(doc);
	return doc != NULL;
}

/* Differing bytes are blanks; line breaks are unchanged. */
static void
demand_blanked(const char *before, const char *after, size_t len)
{
	for (size_t i = 0; i < len; i++)
		demand(after[i] == before[i] ||
		       (after[i] == ' ' && before[i] != '\n' && before[i] != '\r'));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size ? size : 1), *again = mem_alloc(size ? size : 1);
	struct json_error error = { 0 };
	size_t flaws = 0, flaws_after = 0;

	memcpy(text, data, size);
	bool strict = is_strict(text, size, &flaws);
	bool ok = json_blank_comments(text, size, &error);
	demand_blanked((const char *)data, text, size);
	if (!ok)
		demand(!strict && error.offset + 1 < size &&
		       memcmp(data + error.offset, "/*", 2) == 0 && error.line > 0);
	memcpy(again, text, size);
	demand(!ok || json_blank_comments(again, size, NULL));
	demand(memcmp(again, text, size) == 0);
	json_blank_commas(text, size);
	demand_blanked(again, text, size);
	for (size_t i = 0; i < size; i++)
		demand(text[i] == again[i] || again[i] == ',');
	if (strict) {
		demand(memcmp(text, data, size) == 0);
		demand(is_strict(text, size, &flaws_after) && flaws == flaws_after);
	}
	free(text);
	free(again);
	return 0;
}
