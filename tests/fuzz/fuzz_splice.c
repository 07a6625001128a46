/* SPDX-License-Identifier: MIT */
/* Any text, changed in one place, is JSON with that change, or it is refused and nothing comes out.
 */
#include "fuzz.h"

#include "json/splice.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const path[] = { "a", "b", NULL };
	static const char *const item[] = { "a", "1", NULL };
	struct buf set = BUF_INIT, removed = BUF_INIT;
	struct err err = { "" };
	const char *text = (const char *)data;

	if (json_splice_set(text, size, path, "{\n  \"c\": [1, 2]\n}", &set, &err))
		demand(json_splice_set(buf_text(&set), set.len, path, NULL, &removed, &err) ||
		       err.text[0]);
	else
		demand(set.len == 0 && err.text[0]);
	buf_clear(&removed);
	if (!json_splice_set(text, size, path + 1, NULL, &removed, &err))
		demand(removed.len == 0);
	buf_clear(&set);
	if (!json_splice_set(text, size, item, "[]", &set, &err))
		demand(set.len == 0 && err.text[0]);
	buf_finish(&set);
	buf_finish(&removed);
	return 0;
}
